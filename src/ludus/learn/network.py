"""The networks: an actor, which gives a policy, and if wanted a critic, which gives a value; both read planes."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace

import torch
from torch import Tensor, nn

from ludus.errors import BadOption
from ludus.learn.heads import DenseActor, PooledHeads, dense_critic
from ludus.learn.layers import Layers, Residual
from ludus.learn.patterns import Patterns
from ludus.learn.settings import NetworkSettings

MOST_WEIGHTS = 100_000_000  # of a network; learning needs four numbers of four bytes for each of them


class Network(nn.Module):
    """Logits of all actions (n, num_actions), and values (n,) for the player to move."""

    def __init__(self, settings: NetworkSettings, planes: tuple[int, int, int], num_actions: int) -> None:
        super().__init__()
        settings = with_heads(settings, planes, num_actions)
        self.settings, self.planes, self.num_actions = settings, planes, num_actions
        self.pooled: PooledHeads | None = None
        if settings.net == "mlp":
            self.body: nn.Module = Layers(settings, planes)
            width = settings.hidden[-1] if settings.hidden else planes[0] * planes[1] * planes[2]
            self.actor: nn.Module | None = nn.Linear(width, num_actions)
            self.critic: nn.Module | None = nn.Linear(width, 1)
        else:
            self.body = (Patterns if settings.net == "patterns" else Residual)(settings, planes)
        if settings.net != "mlp" and settings.heads == "dense":
            self.actor, self.critic = DenseActor(settings, planes, num_actions), dense_critic(settings, planes)
        elif settings.net != "mlp":
            self.pooled = PooledHeads(settings, planes, num_actions)
            self.actor, self.critic = None, nn.Linear(settings.summary, 1)
        if not settings.critic:
            self.critic = None
        self.owners = nn.Conv2d(settings.channels, 1, 1) if settings.owners and settings.net != "mlp" else None

    @property
    def any_size(self) -> bool:
        """Can it play boards of other sizes than the one it was made for?"""
        return self.pooled is not None

    def forward(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        return self._judge(self.body(planes))

    def with_owners(self, planes: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """The same, and for every cell whose it will be at the end: +1 the player to move, -1 the other (n, cells)."""
        assert self.owners is not None
        seen = self.body(planes)
        return *self._judge(seen), torch.tanh(self.owners(seen)).flatten(1)

    def _judge(self, seen: Tensor) -> tuple[Tensor, Tensor]:
        if self.pooled is not None:
            logits, hidden = self.pooled(seen)
        else:
            assert self.actor is not None
            logits, hidden = self.actor(seen), seen
        if self.critic is None:
            return logits, torch.zeros(len(seen))
        return logits, torch.tanh(self.critic(hidden)).squeeze(1)


def has_critic(network: nn.Module) -> bool:
    """Does a network judge positions? One that is not ours must: it gives logits and values."""
    return network.critic is not None if isinstance(network, Network) else True


def make_network(settings: NetworkSettings, planes: tuple[int, int, int], num_actions: int) -> Network:
    """A network with random weights; refuses one that is too large before it takes any memory."""
    with torch.device("meta"):  # shapes without numbers
        count = sum(weight.numel() for weight in Network(settings, planes, num_actions).parameters())
    if count > MOST_WEIGHTS:
        raise BadOption(
            f"this network would have {count:,} weights, and at most {MOST_WEIGHTS:,} are allowed; "
            f"choose a smaller --{'hidden' if settings.net == 'mlp' else 'channels'}"
        )
    return Network(settings, planes, num_actions).eval()


def with_heads(settings: NetworkSettings, planes: tuple[int, int, int], num_actions: int) -> NetworkSettings:
    """The settings with the kind of heads that the actions of a game allow."""
    on_cells = num_actions - planes[1] * planes[2] in (0, 1)  # every cell, and perhaps a pass
    if settings.net != "mlp" and settings.heads == "pooled" and not on_cells:
        raise BadOption(
            "--heads pooled is for games whose actions are the cells of the board and perhaps a pass; say --heads dense"
        )
    pooled = settings.heads == "pooled" or (settings.heads == "auto" and on_cells)
    return replace(settings, heads="pooled" if pooled else "dense")


def all_finite(tensors: Iterable[Tensor]) -> bool:
    """Is every number in these tensors finite?"""
    return bool(torch.isfinite(nn.utils.get_total_norm(tensors, norm_type=math.inf)))
