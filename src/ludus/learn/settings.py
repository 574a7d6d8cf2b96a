"""Everything about a training that can be chosen, each a flag and a line of TOML; and the two recipes."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

from ludus.errors import BadOption, within

ACTIVATIONS = ("linear", "sigmoid", "tanh", "relu")


@dataclass(frozen=True)
class NetworkSettings:
    """The shape of a network."""

    net: Literal["mlp", "conv"] = "mlp"  # layers of neurons, or a small residual convolutional network
    hidden: tuple[int, ...] = (256, 256, 256)  # neurons of each hidden layer (mlp)
    activation: Literal["linear", "sigmoid", "tanh", "relu"] = "relu"
    residual: bool = True  # layers of equal width add to what they were given (mlp)
    channels: int = 16  # (conv)
    blocks: int = 3  # (conv)
    critic: bool = True  # a second head for the value

    def __post_init__(self) -> None:
        if self.net not in ("mlp", "conv"):
            raise BadOption(f"net must be mlp or conv, not {self.net!r}")
        if self.activation not in ACTIVATIONS:
            raise BadOption(f"activation must be one of {', '.join(ACTIVATIONS)}, not {self.activation!r}")
        if any(not isinstance(n, int) or not 1 <= n <= 65536 for n in self.hidden):
            raise BadOption(f"hidden layers have 1 to 65536 neurons, not {self.hidden!r}")
        if not 1 <= self.channels <= 4096 or not 0 <= self.blocks <= 256:
            raise BadOption(f"channels must be 1 to 4096 and blocks 0 to 256, not {self.channels} and {self.blocks}")


@dataclass(frozen=True)
class SearchSettings:
    """How actual games are played: the search behind every move, and how the move is drawn from it."""

    simulations: int = 100  # search games for every actual move
    growth: float = 0.0  # more of them as the game goes on: this share for every ply played
    seconds: float | None = None  # a time limit for every actual move
    rule: Literal["uct", "puct", "gumbel"] = "puct"  # the tree policy; puct: with priors; gumbel: halving at the root
    c: float = 1.0  # exploration in the tree
    epsilon: float = 0.2  # rollouts: any action with this probability at the first episode …
    epsilon_end: float = 0.05  # … and this at the last
    rollout: Literal["sample", "greedy"] = "sample"  # else the actor's likeliest action, or one drawn by likelihood
    sigma: float = 1.0  # the probability of a rollout instead of the critic, at the first episode …
    sigma_end: float = 0.0  # … and at the end of its decay
    sigma_decay: int = 20  # episodes after which sigma_end is reached
    solver: bool = True  # wins and losses that the search proves are used
    noise: float = 0.25  # the share of Dirichlet noise in the priors of the root (puct)
    forced: float = 0.0  # forced playouts: a child of the root gets at least sqrt(forced · prior · N) (puct)
    fast: float = 0.0  # the share of moves that get a small search and teach nothing (playout cap)
    fast_simulations: int = 32  # of such a move
    temperature: float = 1.0  # actual moves are drawn with probability visits^(1/temperature); 0: the most visited
    greedy_after: int = 1000  # plies after which actual moves are the most visited
    openings: float = 0.75  # the share of games that begin with random plies
    opening_plies: int = 2  # at most so many
    teacher: Literal["none", "solver"] = "none"  # positions that the exact solver can prove give exact targets
    teacher_seconds: float = 0.02  # for each position

    def __post_init__(self) -> None:
        if self.simulations < 1 or self.fast_simulations < 1:
            raise BadOption(f"simulations must be 1 or more, not {min(self.simulations, self.fast_simulations)}")
        if self.seconds is not None and self.seconds <= 0:
            raise BadOption(f"seconds must be above 0, not {self.seconds}")
        for name in ("epsilon", "epsilon_end", "sigma", "sigma_end", "noise", "fast", "openings"):
            within(name, getattr(self, name), 0, 1)
        for name in (
            "growth",
            "c",
            "forced",
            "temperature",
            "greedy_after",
            "opening_plies",
            "teacher_seconds",
            "sigma_decay",
        ):
            within(name, getattr(self, name), 0, 1e9)
        for name, words in (
            ("rule", ("uct", "puct", "gumbel")),
            ("rollout", ("sample", "greedy")),
            ("teacher", ("none", "solver")),
        ):
            if getattr(self, name) not in words:
                raise BadOption(f"{name} must be {' or '.join(words)}, not {getattr(self, name)!r}")
        if self.teacher == "solver" and self.teacher_seconds == 0:
            raise BadOption("teacher_seconds must be above 0: the solver needs some time for every position")
        if self.rule == "gumbel" and (self.fast or self.growth or self.seconds):
            raise BadOption("gumbel shares out its simulations beforehand: it goes without fast, growth and seconds")
        if self.forced and self.rule != "puct":
            raise BadOption("forced playouts need priors: say --rule puct")


@dataclass(frozen=True)
class LearnSettings:
    """How the network learns from the cases."""

    optimizer: Literal["adagrad", "sgd", "rmsprop", "adam"] = "adam"
    lr: float = 0.002  # learning rate
    schedule: Literal["constant", "linear", "cosine"] = "linear"  # of the learning rate, down to a twentieth
    weight_decay: float = 1e-5
    minibatch: int = 128  # cases
    minibatches: int = 4  # after every actual game
    buffer: int = 50_000  # cases
    critic_weight: float = 1.0  # of the critic's loss
    discount: float = 1.0  # of the final score, for every ply before the end
    symmetries: bool = True  # cases are turned about at random
    exchange: bool = True  # where players can change places (Hex), the network always sees itself as player 0

    def __post_init__(self) -> None:
        if self.optimizer not in ("adagrad", "sgd", "rmsprop", "adam"):
            raise BadOption(f"optimizer must be adagrad, sgd, rmsprop or adam, not {self.optimizer!r}")
        if self.schedule not in ("constant", "linear", "cosine"):
            raise BadOption(f"schedule must be constant, linear or cosine, not {self.schedule!r}")
        if not 0 < self.lr <= 100:
            raise BadOption(f"lr must be a number above 0, not {self.lr}")
        if self.minibatch < 1 or self.minibatches < 1 or self.buffer < 1:
            raise BadOption("minibatch, minibatches and buffer must be 1 or more")
        for name in ("weight_decay", "critic_weight", "discount"):
            within(name, getattr(self, name), 0, 1000 if name == "critic_weight" else 1)


@dataclass(frozen=True)
class TrainSettings:
    """A whole training."""

    episodes: int = 200  # actual games
    checkpoints: int = 5  # networks saved, evenly spaced, the untrained one first
    parallel: int = 128  # at most so many actual games side by side; 1: the loop of the textbooks, one after the other
    seed: int = 0  # of all dice; with --parallel 1 the same seed is the same training
    recipe: Literal["classic", "zero"] = "classic"  # rollouts by the actor at first; or the critic only, with priors
    network: NetworkSettings = field(default_factory=NetworkSettings)
    search: SearchSettings = field(default_factory=SearchSettings)
    learn: LearnSettings = field(default_factory=LearnSettings)

    def __post_init__(self) -> None:
        for name, least in (("episodes", 1), ("checkpoints", 2), ("parallel", 1), ("seed", 0)):
            if getattr(self, name) < least:
                raise BadOption(f"{name} must be {least} or more, not {getattr(self, name)}")
        if not self.network.critic and (self.search.sigma < 1 or self.search.sigma_end < 1):
            raise BadOption(
                "without a critic every leaf needs a rollout: say --sigma 1 --sigma-end 1, or keep the critic"
            )

    def saved_at(self) -> list[int]:
        """The episodes after which the network is saved, 0 for the untrained one."""
        steps = min(self.checkpoints - 1, self.episodes)
        return [round(self.episodes * i / steps) for i in range(steps + 1)]


CLASSIC = TrainSettings(network=NetworkSettings(net="conv"))
ZERO = replace(
    CLASSIC,
    recipe="zero",
    search=replace(CLASSIC.search, sigma=0.0, sigma_end=0.0, simulations=64),
    learn=replace(CLASSIC.learn, minibatches=1),
)
RECIPES = {"classic": CLASSIC, "zero": ZERO}
