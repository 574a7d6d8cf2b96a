"""The step that learns: a minibatch, a loss, an optimizer."""

from __future__ import annotations

import inspect
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn
from torch.autograd.graph import increment_version

from ludus.errors import LudusError
from ludus.learn.case import UNKNOWN
from ludus.learn.network import Network, all_finite, has_critic
from ludus.learn.replay import Batch, Replay, joined
from ludus.learn.settings import LearnSettings

OPTIMIZERS = {
    "adagrad": torch.optim.Adagrad,
    "sgd": torch.optim.SGD,
    "rmsprop": torch.optim.RMSprop,
    "adam": torch.optim.Adam,
}
FUSED = ("adagrad", "sgd", "adam")  # those of which PyTorch has a fused version for the CPU


# Optimizers switch PyTorch's compiler off for some of their methods, and import it for that, which takes longer than a
# small training. We compile nothing, so these methods, and step() below, can be used without those wrappers.
for _name in ("add_param_group", "zero_grad", "state_dict", "load_state_dict"):
    _plain = getattr(getattr(torch.optim.Optimizer, _name), "__wrapped__", None)
    if _plain is not None:
        _plain.__dynamo_disable = _plain


RESTARTS = 4  # of the schedule with restarts


class Diverged(LudusError):
    """The weights or losses of a training are no longer finite numbers."""


@dataclass(frozen=True)
class Losses:
    """What one minibatch cost."""

    actor: float  # cross-entropy between D and the policy
    critic: float  # squared error of the value
    entropy: float  # of the policy: how undecided it is


class Learner:
    """Trains one network on the cases of a replay buffer, and on some exercises in every minibatch if there are any."""

    def __init__(
        self,
        network: nn.Module,
        replay: Replay,
        settings: LearnSettings,
        seed: int,
        exercises: Replay | None = None,
        per_minibatch: int = 0,
    ) -> None:
        self.exercises, self.per_minibatch = exercises, per_minibatch
        self.network, self.replay, self.settings = network, replay, settings
        for weight in network.parameters():
            if weight.ndim == 4:  # channels side by side in memory: in this order convolutions learn faster
                weight.data = weight.data.contiguous(memory_format=torch.channels_last)
        self.rng = np.random.default_rng(seed)
        self._fused = settings.optimizer in FUSED and settings.device == "cpu"
        self.optimizer = OPTIMIZERS[settings.optimizer](
            network.parameters(),
            lr=settings.lr,
            weight_decay=settings.weight_decay,
            **{"fused" if self._fused else "foreach": True},  # all weights in one go, or at least many of them
        )
        # Networks of ours learn and play in the same way, unless they are normalised.
        self._two_modes = not isinstance(network, Network) or network.settings.norm
        self._weights = list(network.parameters())
        self._step = inspect.unwrap(type(self.optimizer).step)

    def train(self, progress: float) -> Losses:
        """One minibatch. `progress` of the training is what the learning rate follows."""
        for group in self.optimizer.param_groups:
            group["lr"] = self.rate(progress)
        batch = self.batch()
        if self._two_modes:
            self.network.train()
        loss = self._loss(batch)
        self.optimizer.zero_grad()
        loss.whole.backward()  # type: ignore[no-untyped-call]
        with torch.no_grad():
            self._step(self.optimizer)
        if self._fused:  # such a step changes weights without counting it, and evaluators look at the count
            increment_version(self._weights)
        if self._two_modes:
            self.network.eval()
        cost = Losses(loss.actor.item(), loss.critic.item(), loss.entropy.item())
        if not math.isfinite(cost.actor + cost.critic) or not all_finite(self._weights):
            raise Diverged(f"actor loss {cost.actor:.3g}, critic loss {cost.critic:.3g}")
        return cost

    def _loss(self, batch: Batch) -> Loss:
        device, network = self.settings.device, self.network
        batch = batch.to(torch.device(device))
        with torch.autocast(device, torch.bfloat16, enabled=self.settings.precision == "bfloat16"):
            ask = network.with_owners if isinstance(network, Network) and network.owners is not None else network
            said = ask(batch.planes)
        return losses([part.float() for part in said], batch, self.settings, has_critic(network))

    def batch(self) -> Batch:
        """A minibatch of cases and exercises; of one kind alone, while there is none of the other."""
        count = self.settings.minibatch
        if self.exercises is None or len(self.exercises) == 0:
            return self.replay.draw(count, self.rng)
        if len(self.replay) == 0 or self.per_minibatch == count:
            return self.exercises.draw(count, self.rng)
        cases = self.replay.draw(count - self.per_minibatch, self.rng)
        return joined(cases, self.exercises.draw(self.per_minibatch, self.rng))

    def forget_momentum(self) -> None:
        """The optimizer starts again, because the weights are no longer those that it has followed."""
        self.optimizer.state.clear()

    def rate(self, progress: float) -> float:
        """The learning rate at a point of the training."""
        whole = math.floor(RESTARTS * min(progress, 1 - 1e-9))  # restarts that are over
        wave = RESTARTS * progress - whole
        down = {
            "constant": 1.0,
            "linear": 1 - progress,
            "cosine": (1 + math.cos(math.pi * progress)) / 2,
            "restarts": (1 + math.cos(math.pi * wave)) / 2,
        }
        return self.settings.lr * max(0.05, down[self.settings.schedule])


@dataclass(frozen=True)
class Loss:
    """The parts of the loss of a minibatch, and the sum that is learned."""

    actor: Tensor
    critic: Tensor
    entropy: Tensor
    whole: Tensor


def losses(said: Sequence[Tensor], batch: Batch, settings: LearnSettings, critic: bool) -> Loss:
    """The actor's cross-entropy over legal actions, the squared errors of critic and owners; the policy's entropy."""
    logits, values = said[0], said[1]
    logs = torch.log_softmax(logits.masked_fill(~batch.legal, -1e9), dim=1)
    actor = mean_of(actor_costs(logs, batch), batch)
    wrong = mean_of((values - batch.scores).square(), batch) if critic else torch.zeros(())
    whole = actor + settings.critic_weight * wrong
    if len(said) > 2:
        known = batch.owners != UNKNOWN
        whole = whole + settings.owner_weight * mean_of(((said[2] - batch.owners).square() * known).mean(1), batch)
    entropy = -(logs.detach().exp() * logs.detach().masked_fill(~batch.legal, 0)).sum(1).mean()
    return Loss(actor, wrong, entropy, whole)


def actor_costs(logs: Tensor, batch: Batch) -> Tensor:
    """What the actor has to pay for each case, given the logarithms of its policy.

    The cross-entropy to the case's policy; where any of its actions will do, the logarithm of the share of all of them.
    """
    costs = -(batch.policies * logs.masked_fill(~batch.legal, 0)).sum(1)
    good = batch.policies > 0
    share = (logs.exp() * good).sum(1)
    return torch.where(batch.any & good.any(1), -share.clamp(min=1e-30).log(), costs)


def mean_of(costs: Tensor, batch: Batch) -> Tensor:
    """The mean cost of the cases, each by its weight."""
    return (costs * batch.weights).mean()
