"""Everything about a training that can be chosen, each a flag and a line of TOML; and the recipes."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

from ludus.errors import BadOption, seed_option, switch_option, whole_option, within

MOST = 1_000_000_000
ACTIVATIONS = ("linear", "sigmoid", "tanh", "relu")


@dataclass(frozen=True)
class NetworkSettings:
    """The shape of a network."""

    net: Literal["mlp", "conv"] = "mlp"  # layers of neurons, or a small residual convolutional network
    hidden: tuple[int, ...] = (256, 256, 256)  # neurons of each hidden layer (mlp)
    activation: Literal["linear", "sigmoid", "tanh", "relu"] = "relu"
    residual: bool = True  # the input of a layer is added to its output where both have the same width (mlp)
    channels: int = 16  # (conv)
    blocks: int = 3  # (conv)
    critic: bool = True  # a second head for the value

    def __post_init__(self) -> None:
        one_of("net", self.net, ("mlp", "conv"))
        one_of("activation", self.activation, ACTIVATIONS)
        if any(not isinstance(n, int) or not 1 <= n <= 65536 for n in self.hidden):
            raise BadOption(f"hidden layers have 1 to 65536 neurons, not {self.hidden!r}")
        whole_option("channels", self.channels, 1, 4096)
        whole_option("blocks", self.blocks, 0, 256)


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
    teacher_seconds: float = 0.02  # for each position
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
        if self.seconds is not None:
            above_zero("seconds", self.seconds, MOST)
        one_of("rule", self.rule, ("uct", "puct", "gumbel"))
        one_of("rollout", self.rollout, ("sample", "greedy"))
        one_of("teacher", self.teacher, ("none", "solver"))
        if self.teacher == "solver" and self.teacher_seconds == 0:
            raise BadOption("teacher_seconds must be above 0: the solver needs some time for every position")
        if self.rule == "gumbel" and (self.fast or self.growth or self.seconds):
            raise BadOption(
                "the rule gumbel divides a fixed number of simulations among the actions of the root, "
                "so it goes without --fast, --growth and --seconds"
            )
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
    reuse: float = 32.0  # cases learned for every case played: how many minibatches there are follows from it
    minibatches: int | None = None  # after every actual game, as the textbooks have it, whatever `reuse` says
    buffer: int = 50_000  # cases
    critic_weight: float = 1.0  # of the critic's loss
    discount: float = 1.0  # of the final score, for every ply before the end
    symmetries: bool = True  # every case of a minibatch is turned by a random symmetry of the game
    exchange: bool = True  # where players can change places (Hex), the network always sees itself as player 0

    def __post_init__(self) -> None:
        one_of("optimizer", self.optimizer, ("adagrad", "sgd", "rmsprop", "adam"))
        one_of("schedule", self.schedule, ("constant", "linear", "cosine"))
        above_zero("lr", self.lr, 100)
        whole_option("minibatch", self.minibatch, 1, 1_000_000)
        above_zero("reuse", self.reuse, 1_000_000)
        if self.minibatches is not None:
            whole_option("minibatches", self.minibatches, 1, MOST)
        whole_option("buffer", self.buffer, 1, 100_000_000)
        for name in ("weight_decay", "critic_weight", "discount"):
            within(name, getattr(self, name), 0, 1000 if name == "critic_weight" else 1)


@dataclass(frozen=True)
class ExerciseSettings:
    """Exercises: positions from random play and from the network's own, labelled by the exact solver."""

    exercises: float = 0.0  # their share of every minibatch; 1: no games are played, and 100 exercises are an episode
    exercise_seconds: float = 0.2  # for each position with all its moves; one that takes longer is dropped
    exercise_threads: int = 1  # that make them
    exercise_buffer: int = 200_000  # exercises

    def __post_init__(self) -> None:
        within("exercises", self.exercises, 0, 1)
        above_zero("exercise_seconds", self.exercise_seconds, MOST)
        whole_option("exercise_threads", self.exercise_threads, 1, 1024)
        whole_option("exercise_buffer", self.exercise_buffer, 1, 100_000_000)


@dataclass(frozen=True)
class TrainSettings:
    """A whole training."""

    episodes: int = 200  # actual games
    checkpoints: int = 5  # networks saved, the untrained one first
    spacing: Literal["even", "doubling", "quadrupling"] = "even"  # doubling: 0, 25, 50, 100, 200 episodes
    parallel: int = 128  # the most actual games side by side; 1: the loop of the textbooks, one after the other
    alternate_starter: bool = False  # every other actual game is begun by the other player (Hex)
    seed: int = 0  # of all random numbers; with --parallel 1 the same seed is the same training
    recipe: Literal["classic", "zero", "textbook"] = "classic"  # first the actor's rollouts and soon the critic; the
    # critic only; or the loop of the textbooks: UCT, rollouts, no critic, one minibatch, one game after the other
    network: NetworkSettings = field(default_factory=NetworkSettings)
    search: SearchSettings = field(default_factory=SearchSettings)
    learn: LearnSettings = field(default_factory=LearnSettings)
    exercises: ExerciseSettings = field(default_factory=ExerciseSettings)

    def __post_init__(self) -> None:
        for name, least in (("episodes", 1), ("checkpoints", 2), ("parallel", 1)):
            whole_option(name, getattr(self, name), least, MOST)
        seed_option("seed", self.seed)
        switch_option("alternate_starter", self.alternate_starter)
        one_of("spacing", self.spacing, ("even", "doubling", "quadrupling"))
        one_of("recipe", self.recipe, ("classic", "zero", "textbook"))
        if not self.network.critic and (self.search.sigma < 1 or self.search.sigma_end < 1):
            raise BadOption(
                "without a critic every leaf needs a rollout: say --sigma 1 --sigma-end 1, or keep the critic"
            )

    def saved_at(self) -> list[int]:
        """The episodes after which the network is saved, 0 for the untrained one."""
        steps = min(self.checkpoints - 1, self.episodes)
        if self.spacing != "even":
            factor = 2 if self.spacing == "doubling" else 4
            return sorted({0, *(self.episodes // factor**i for i in range(steps))})
        return [round(self.episodes * i / steps) for i in range(steps + 1)]


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

CLASSIC = TrainSettings(network=NetworkSettings(net="conv"))
ZERO = replace(
    CLASSIC,
    recipe="zero",
    search=replace(CLASSIC.search, sigma=0.0, sigma_end=0.0, simulations=64),
    learn=replace(CLASSIC.learn, reuse=8.0),
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
