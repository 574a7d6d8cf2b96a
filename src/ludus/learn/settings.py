"""Everything about a training that can be chosen, each a flag and a line of TOML; and the recipes."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Literal

from ludus.errors import BadOption, seed_option, switch_option, whole_option, within

MOST = 1_000_000_000
ROUND = 100  # exercises that take the place of a game where nothing else is learned
USUAL_EPISODES = 200  # where neither episodes nor minutes are given
NETS = ("mlp", "conv", "patterns")
ACTIVATIONS = ("linear", "sigmoid", "tanh", "relu")


@dataclass(frozen=True)
class NetworkSettings:
    """The shape of a network."""

    net: Literal["mlp", "conv", "patterns"] = "mlp"  # layers of neurons, a small residual convolutional network, or
    # tables of what the lines through every cell show
    hidden: tuple[int, ...] = (256, 256, 256)  # neurons of each hidden layer (mlp)
    activation: Literal["linear", "sigmoid", "tanh", "relu"] = "relu"
    residual: bool = True  # the input of a layer is added to its output where both have the same width (mlp)
    channels: int = 16  # (conv, patterns)
    blocks: int = 3  # (conv)
    heads: Literal["auto", "dense", "pooled"] = "auto"  # for one size of the board, or for every size; auto: for every
    # size, if the actions are cells (conv, patterns)
    summary: int = 64  # neurons that see the whole board at once (pooled heads)
    norm: bool = False  # batch normalisation, which lets deeper networks learn (conv)
    reach: int = 3  # cells of a line on either side of the one in its middle (patterns)
    critic: bool = True  # a second head for the value
    owners: bool = False  # a third head, which learns whose every cell will be at the end (conv, patterns)

    def __post_init__(self) -> None:
        one_of("net", self.net, NETS)
        one_of("activation", self.activation, ACTIVATIONS)
        if any(not isinstance(n, int) or not 1 <= n <= 65536 for n in self.hidden):
            raise BadOption(f"hidden layers have 1 to 65536 neurons, not {self.hidden!r}")
        whole_option("channels", self.channels, 1, 4096)
        whole_option("blocks", self.blocks, 0, 256)
        whole_option("reach", self.reach, 1, 5)
        one_of("heads", self.heads, ("auto", "dense", "pooled"))
        whole_option("summary", self.summary, 1, 4096)
        for name in ("residual", "norm", "critic", "owners"):
            switch_option(name, getattr(self, name))


@dataclass(frozen=True)
class SearchSettings:
    """How actual games are played: the search behind every move, and how the move is drawn from it."""

    simulations: int = 100  # search games for every actual move …
    simulations_end: int | None = None  # … and at the end of the training, if their number is to change on the way
    growth: float = 0.0  # more of them as the game goes on: this share for every ply played
    seconds: float | None = None  # a time limit for every actual move
    rule: Literal["uct", "puct", "gumbel"] = "puct"  # the tree policy; puct: with priors; gumbel: halving at the root
    c: float = 1.0  # exploration in the tree
    epsilon: float = 0.2  # rollouts: any action with this probability at the first episode …
    epsilon_end: float = 0.05  # … and this at the last
    rollout: Literal["sample", "greedy"] = "sample"  # else an action drawn from the policy, or the likeliest one
    sigma: float = 1.0  # the probability of a rollout instead of the critic, at the first episode …
    sigma_end: float = 0.0  # … and at the end of its decay
    sigma_decay: int = 20  # episodes after which sigma_end is reached
    solver: bool = True  # wins and losses that the search proves are used
    noise: float = 0.25  # the share of Dirichlet noise in the priors of the root (puct)
    forced: float = 0.0  # forced playouts: a child of the root gets at least sqrt(forced · prior · N) (puct)
    fast: float = 0.0  # the share of moves that get a small search and teach nothing (playout cap)
    fast_simulations: int = 32  # of such a small search
    temperature: float = 1.0  # actual moves are drawn with probability visits^(1/temperature); 0: the most visited
    greedy_after: int = 1000  # plies after which actual moves are the most visited
    openings: float = 0.75  # the share of games that begin with random plies
    opening_plies: int = 2  # the most of them
    teacher: Literal["none", "solver"] = "none"  # positions that the exact solver can prove give exact targets
    teacher_seconds: float = 0.02  # of processor time for each position
    teacher_threads: int = 1  # that teach finished games, with one table for all of them

    def __post_init__(self) -> None:
        for name in ("simulations", "fast_simulations"):
            whole_option(name, getattr(self, name), 1, MOST)
        whole_option("teacher_threads", self.teacher_threads, 1, 1024)
        for name in ("sigma_decay", "greedy_after", "opening_plies"):
            whole_option(name, getattr(self, name), 0, MOST)
        for name in ("epsilon", "epsilon_end", "sigma", "sigma_end", "noise", "fast", "openings"):
            within(name, getattr(self, name), 0, 1)
        for name in ("growth", "c", "forced", "temperature", "teacher_seconds"):
            within(name, getattr(self, name), 0, MOST)
        if self.simulations_end is not None:
            whole_option("simulations_end", self.simulations_end, 1, MOST)
        if self.seconds is not None:
            above_zero("seconds", self.seconds, MOST)
        one_of("rule", self.rule, ("uct", "puct", "gumbel"))
        one_of("rollout", self.rollout, ("sample", "greedy"))
        one_of("teacher", self.teacher, ("none", "solver"))
        if self.teacher == "solver" and self.teacher_seconds == 0:
            raise BadOption("teacher_seconds must be above 0: the solver needs some time for every position")
        if self.rule == "gumbel" and (self.fast or self.growth or self.seconds or self.simulations_end):
            raise BadOption(
                "the rule gumbel divides a fixed number of simulations among the actions of the root, "
                "so it goes without --fast, --growth, --seconds and --simulations-end"
            )
        if self.forced and self.rule != "puct":
            raise BadOption("forced playouts need priors: say --rule puct")


@dataclass(frozen=True)
class LearnSettings:
    """How the network learns from the cases."""

    optimizer: Literal["adagrad", "sgd", "rmsprop", "adam"] = "adam"
    lr: float = 0.002  # learning rate
    schedule: Literal["constant", "linear", "cosine", "restarts"] = "linear"  # of the learning rate, down to a
    # twentieth; restarts: four times by a cosine
    device: Literal["cpu", "cuda", "mps"] = "cpu"  # where the network computes; beyond the CPU through PyTorch alone
    precision: Literal["float32", "bfloat16"] = "float32"  # of the numbers that the learner multiplies
    weight_decay: float = 1e-5
    minibatch: int = 128  # cases
    reuse: float = 16.0  # cases learned for every case played: how many minibatches there are follows from it
    minibatches: int | None = None  # after every actual game, as the textbooks have it, whatever `reuse` says
    buffer: int = 50_000  # cases
    critic_weight: float = 1.0  # of the critic's loss
    owner_weight: float = 0.5  # of the loss of the head that learns whose cells they will be
    discount: float = 1.0  # of the final score, for every ply before the end
    value_mix: float = 0.0  # the share of the search's own value in what the critic learns; the rest is the final score
    surprise: float = 0.0  # the share of a case's weight that follows from how much its search has learned
    symmetries: bool = True  # every case of a minibatch is turned by a random symmetry of the game
    exchange: bool = True  # where players can change places (Hex), the network always sees itself as player 0

    def __post_init__(self) -> None:
        one_of("optimizer", self.optimizer, ("adagrad", "sgd", "rmsprop", "adam"))
        one_of("schedule", self.schedule, ("constant", "linear", "cosine", "restarts"))
        one_of("device", self.device, ("cpu", "cuda", "mps"))
        one_of("precision", self.precision, ("float32", "bfloat16"))
        above_zero("lr", self.lr, 100)
        whole_option("minibatch", self.minibatch, 1, 1_000_000)
        above_zero("reuse", self.reuse, 1_000_000)
        if self.minibatches is not None:
            whole_option("minibatches", self.minibatches, 1, MOST)
        whole_option("buffer", self.buffer, 1, 100_000_000)
        for name in ("critic_weight", "owner_weight"):
            within(name, getattr(self, name), 0, 1000)
        for name in ("weight_decay", "discount", "value_mix", "surprise"):
            within(name, getattr(self, name), 0, 1)


@dataclass(frozen=True)
class ExerciseSettings:
    """Exercises: positions from random play and from the network's own, labelled by the exact solver."""

    exercises: float = 0.0  # their share of every minibatch; 1: no games are played, and 100 exercises are an episode
    exercise_seconds: float = 0.2  # the most processor time for a position with all its moves
    exercise_threads: int = 1  # that make them
    exercise_buffer: int = 200_000  # exercises
    exercise_memory: int = 64  # megabytes of the solver's table; early positions need many

    def __post_init__(self) -> None:
        within("exercises", self.exercises, 0, 1)
        above_zero("exercise_seconds", self.exercise_seconds, MOST)
        whole_option("exercise_threads", self.exercise_threads, 1, 1024)
        whole_option("exercise_buffer", self.exercise_buffer, 1, 100_000_000)
        whole_option("exercise_memory", self.exercise_memory, 1, 1 << 20)


@dataclass(frozen=True)
class TrainSettings:
    """A whole training."""

    episodes: int | None = None  # actual games; 200 if no minutes are given either
    minutes: float | None = None  # how long it trains; given both, what is reached first ends it
    checkpoints: int = 5  # networks saved, the untrained one first
    spacing: Literal["even", "doubling", "quadrupling"] = "even"  # doubling: 0, 25, 50, 100, 200 episodes
    parallel: int = 128  # the most actual games side by side; 1: the loop of the textbooks, one after the other
    alternate_starter: bool = False  # every other actual game is begun by the other player (Hex)
    seed: int = 0  # of all random numbers; with --parallel 1 the same seed is the same training
    sizes: tuple[int, ...] = ()  # boards on which it learns, one after the other, each twice as long as the one before
    from_network: str | None = None  # a network to begin with, shape and weights: zoo:hex7, a run or a file; --from
    recipe: Literal["classic", "zero", "textbook"] = "classic"  # first the actor's rollouts and soon the critic; the
    # critic only; or the loop of the textbooks: UCT, rollouts, no critic, one minibatch, one game after the other
    network: NetworkSettings = field(default_factory=NetworkSettings)
    search: SearchSettings = field(default_factory=SearchSettings)
    learn: LearnSettings = field(default_factory=LearnSettings)
    exercises: ExerciseSettings = field(default_factory=ExerciseSettings)

    def __post_init__(self) -> None:
        for name, least in (("checkpoints", 2), ("parallel", 1)):
            whole_option(name, getattr(self, name), least, MOST)
        if self.episodes is not None:
            whole_option("episodes", self.episodes, 1, MOST)
        if self.minutes is not None:
            above_zero("minutes", self.minutes, 1_000_000)
        seed_option("seed", self.seed)
        switch_option("alternate_starter", self.alternate_starter)
        one_of("spacing", self.spacing, ("even", "doubling", "quadrupling"))
        one_of("recipe", self.recipe, ("classic", "zero", "textbook"))
        if not self.network.critic and (self.search.sigma < 1 or self.search.sigma_end < 1):
            raise BadOption(
                "without a critic every leaf needs a rollout: say --sigma 1 --sigma-end 1, or keep the critic"
            )

    @property
    def last_episode(self) -> int | None:
        """The number of actual games after which it ends; None if only the time ends it."""
        return USUAL_EPISODES if self.episodes is None and self.minutes is None else self.episodes

    def stage(self, progress: float) -> int:
        """On which of its boards a training is: each has twice the time of the one before."""
        count = max(1, len(self.sizes))
        return next(i for i in range(count) if progress < (2 ** (i + 1) - 1) / (2**count - 1) or i == count - 1)

    def size_at(self, progress: float) -> int | None:
        """The size of the board on which a training is, where there are several."""
        return self.sizes[self.stage(progress)] if self.sizes else None

    def progress(self, episode: int, seconds: float) -> float:
        """How far a training is, from 0 to 1, by what will end it first."""
        by_games = episode / self.last_episode if self.last_episode is not None else 0.0
        by_time = seconds / (60 * self.minutes) if self.minutes is not None else 0.0
        return min(1.0, max(by_games, by_time))

    def saved_at(self) -> list[float]:
        """The progress at which the network is saved, 0 for the untrained one."""
        steps = self.checkpoints - 1
        if self.spacing != "even":
            factor = 2 if self.spacing == "doubling" else 4
            return [0.0, *(float(factor) ** -i for i in reversed(range(steps)))]
        return [i / steps for i in range(steps + 1)]

    def saved_by(self, progress: float) -> int:
        """How many of the networks have been saved by then."""
        return sum(share <= progress + 1e-12 for share in self.saved_at())

    def saved_episodes(self) -> list[int]:
        """The episodes after which the network is saved, if they end the training."""
        episodes = self.last_episode or 0
        return sorted({math.ceil(share * episodes - 1e-9) for share in self.saved_at()})


# ------------------------------------------------------------------------------------------- refusing


def one_of(name: str, value: object, words: tuple[str, ...]) -> None:
    """Refuses a word that is not in a list."""
    if value not in words:
        raise BadOption(f"{name} must be {', '.join(words[:-1])} or {words[-1]}, not {value!r}")


def above_zero(name: str, value: object, high: float) -> None:
    """Refuses what is not a number above 0 and up to `high`."""
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 < value <= high:
        raise BadOption(f"{name} must be a number above 0 and at most {high:g}, not {value!r}")


# ------------------------------------------------------------------------------------------- recipes

CLASSIC = TrainSettings(network=NetworkSettings(net="conv"), learn=LearnSettings(reuse=16.0, value_mix=0.5))
ZERO = replace(
    CLASSIC,
    recipe="zero",
    search=replace(CLASSIC.search, sigma=0.0, sigma_end=0.0, simulations=64),
    network=replace(CLASSIC.network, owners=True),
    learn=replace(CLASSIC.learn, reuse=6.0, minibatch=256),
)
TEXTBOOK = TrainSettings(
    recipe="textbook",
    parallel=1,
    network=NetworkSettings(net="mlp", hidden=(128, 128), residual=False, critic=False),
    search=SearchSettings(
        simulations=200, rule="uct", rollout="greedy", epsilon=0.5, epsilon_end=0.1, sigma_end=1.0, solver=False,
        noise=0.0, openings=0.0,
    ),
    learn=LearnSettings(schedule="constant", weight_decay=0.0, minibatches=1, symmetries=False, exchange=False),
)  # fmt: skip
RECIPES = {"classic": CLASSIC, "zero": ZERO, "textbook": TEXTBOOK}
