"""OpenSpiel's games as games of ours: `make("openspiel:breakthrough(rows=6,columns=6)")`.

Two-player, zero-sum, deterministic games with turns and perfect information load; others are refused. How OpenSpiel's
bots become agents, and our agents its bots, is in openspiel_agents.py.
"""

from __future__ import annotations

import contextlib
import operator
import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from ludus._core import Rng
from ludus.errors import BadOption, LudusError, NotOver, UnknownGame, UnreadableAction
from ludus.game import Action, Game, Player, State, rebuild, refuse
from ludus.protocols.openspiel_types import Option, Options, SpielGame, SpielState, SpielType
from ludus.text import did_you_mean, plain, wants_color

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def require_openspiel() -> Any:
    """The module pyspiel; says how to get it, if it is not there."""
    try:
        import pyspiel
    except ImportError:
        raise LudusError("OpenSpiel is not installed; get it with: pip install open_spiel") from None
    return pyspiel


class OpenSpielState:
    """One position of an OpenSpiel game.

    Two states are equal when the same actions were played. Equal boards are not enough: in games with superko,
    repetition rules or a length cap they may have different futures.
    """

    def __init__(self, game: OpenSpielGame, spiel: SpielState, player: Player | None = None) -> None:
        self.game = game
        self.spiel = spiel  # OpenSpiel's own state; it must not be changed
        self.over = spiel.is_terminal()
        self.player: Player = spiel.current_player() if not self.over else player or 0
        self._actions: list[Action] | None = None

    def score(self, player: Player, /) -> float:
        """Who won. Some games pay by how much, up to spiel.returns(); our matches count wins, so the sign is all."""
        if not self.over:
            raise NotOver("a score was asked for before the game is over")
        paid = self.spiel.returns()[player]
        return float((paid > 0) - (paid < 0))

    def actions(self) -> Sequence[Action]:
        if self._actions is None:
            self._actions = self.spiel.legal_actions() if not self.over else []
        return self._actions

    def play(self, action: Action, /) -> OpenSpielState:
        if action not in self.actions():
            refuse(self, action, self.game)
        return OpenSpielState(self.game, self.spiel.child(operator.index(action)), 1 - self.player)

    @property
    def moves(self) -> list[Action]:
        """The actions played since the start of the game."""
        return self.spiel.history()[self.game.played_at_start :]

    def write(self, action: Action) -> str:
        """An action as OpenSpiel writes it in this position."""
        if action not in self.actions():
            return self.game.write(action)
        return self.spiel.action_to_string(self.player, action)

    def read(self, text: str) -> Action:
        """The action that is written so in this position; capitals matter only where two would be the same."""
        words = {self.write(action): action for action in self.actions()}
        said = text.strip()
        alike = [word for word in words if word.casefold() == said.casefold()]
        if said in words or len(alike) == 1:
            return words[said if said in words else alike[0]]
        try:
            return self.game.read(said)
        except UnreadableAction:
            some = ", ".join(list(words)[:6]) + (f", … ({len(words)} in all)" if len(words) > 6 else "")
            raise UnreadableAction(f"cannot read {text!r}: moves here are {some}") from None

    def planes(self) -> NDArray[np.float32]:
        """OpenSpiel's observation by the player to move (planes, rows, columns), and two planes that say who that is.

        Most of its games show the same to both players, so a network could not know whose value to give otherwise.
        """
        import numpy as np

        if not self.game.spiel.get_type().provides_observation_tensor:
            raise LudusError(f"{self.game} has no observation tensor, which planes are made from")
        seen = np.array(self.spiel.observation_tensor(self.player), dtype=np.float32).reshape(self.game.seen_shape)
        who = np.zeros((2, *seen.shape[1:]), dtype=np.float32)
        who[self.player] = 1
        return np.concatenate([seen, who])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OpenSpielState) and self.game == other.game and self.moves == other.moves

    def __hash__(self) -> int:
        return hash(tuple(self.moves))

    def __reduce__(self) -> tuple[Callable[..., State], tuple[OpenSpielGame, None, list[Action]]]:
        return rebuild, (self.game, None, self.moves)

    def __repr__(self) -> str:
        turn = "over" if self.over else f"player {self.player} to move"
        return f"<{self.game} after {len(self.moves)} actions: {turn}>"


@dataclass(frozen=True)
class OpenSpielGame(Game):
    """A game of OpenSpiel, by the text it has there.

    Where the words for an action are the same in every position and for both players, write and read use them;
    elsewhere, as in chess, they use numbers, and a state's own write and read use the words of the position.
    """

    name: ClassVar[str] = "openspiel"
    text: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", str(self.spiel).removesuffix("()"))

    def __str__(self) -> str:
        return f"openspiel:{self.text}"

    @property
    def spoken_name(self) -> str:
        return self.text.replace("_", " ").capitalize()

    @property
    def aim(self) -> str:
        return f"The rules are those of {self}."

    def identity(self) -> dict[str, Any]:
        """The name under which ludus.make() finds it again."""
        return {"name": str(self)}

    def chosen_options(self) -> dict[str, Any]:
        return {}  # they are part of the name

    @cached_property
    def spiel(self) -> SpielGame:
        """OpenSpiel's own game."""
        return load_spiel(self.text, {})

    def start(self) -> OpenSpielState:
        return OpenSpielState(self, self.spiel.new_initial_state())

    @property
    def num_actions(self) -> int:
        return self.spiel.num_distinct_actions()

    @cached_property
    def played_at_start(self) -> int:
        """How long OpenSpiel's history is when a game begins: only `start_at` games begin in the middle."""
        return len(self.spiel.new_initial_state().history())

    @cached_property
    def seen_shape(self) -> tuple[int, int, int]:
        """The shape of OpenSpiel's observation, as planes, rows and columns."""
        shape = list(self.spiel.observation_tensor_shape())
        if len(shape) < 3:  # numbers, or planes of a row
            return shape[0], 1, shape[1] if len(shape) == 2 else 1
        planes = 1
        for size in shape[:-2]:
            planes *= size
        return planes, shape[-2], shape[-1]

    @cached_property
    def words(self) -> dict[Action, str]:
        """Words for actions that are the same wherever they are played; none if they depend on the position."""
        seen: dict[Action, str] = {}
        rng = Rng(1)
        for _ in range(4):
            state = self.start()
            while not state.over and len(state.moves) < 200:
                if any(seen.setdefault(a, state.write(a)) != state.write(a) for a in state.actions()):
                    return {}
                state = state.play(rng.choice(state.actions()))
        start, words = self.spiel.new_initial_state(), {}
        with quietly():
            for action in range(self.num_actions):
                with contextlib.suppress(Exception):  # some actions are never legal and cannot be written
                    words[action] = seen.get(action) or str(start.action_to_string(start.current_player(), action))
        named = {word: action for action, word in words.items()} | {word: action for action, word in seen.items()}
        return {action: word for word, action in named.items()}

    @cached_property
    def meanings(self) -> dict[str, Action]:
        """The actions by their words, and by their words in small letters."""
        exact = {word: action for action, word in self.words.items()}
        return {word.casefold(): action for word, action in exact.items()} | exact

    def _write(self, action: Action) -> str:
        return self.words.get(action, str(action))

    def read(self, text: str) -> Action:
        said = str(text).strip()
        action = self.meanings.get(said, self.meanings.get(said.casefold()))
        return super().read(text) if action is None else action

    def after(self, moves: str | Sequence[Action]) -> State:
        """The state after actions, or after moves as their positions write them (if that has no spaces)."""
        if not isinstance(moves, str):
            return super().after(moves)
        state = self.start()
        for text in moves.split():  # what a move is called depends on the position
            state = state.play(state.read(text))
        return state

    def draw(self, state: State, color: bool | None = None) -> str:
        assert isinstance(state, OpenSpielState)
        text = str(state.spiel).rstrip()
        return board_of(text if wants_color(color) else plain(text))


def board_of(text: str) -> str:
    """A board drawn from a chess or shogi position, which OpenSpiel writes as one line."""
    rows = text.split(" ")[0].split("[")[0].split("/")
    if "\n" in text or len(rows) < 8:
        return text
    ranks, files = ("87654321", "abcdefgh") if len(rows) == 8 else ("abcdefghi", "987654321")  # chess, or shogi
    spread = [re.sub(r"\d", lambda count: "." * int(count[0]), row) for row in rows]
    cells = ["".join(f"{piece:>2}" for piece in re.findall(r"\+?.", row)) for row in spread]
    lines = [rank + row for rank, row in zip(ranks, cells, strict=False)]
    return "\n".join([*lines, "  " + " ".join(files), text])


# ---------------------------------------------------------------------- loading, and refusing what cannot be played


def load(text: str = "", /, **options: Option) -> OpenSpielGame:
    """The game of a text such as `breakthrough(rows=6,columns=6)`; its options may also be given one by one."""
    return OpenSpielGame(str(load_spiel(text, options)))


def load_spiel(text: str, options: Options) -> SpielGame:
    """OpenSpiel's own game, if it is one for us."""
    pyspiel = require_openspiel()
    there = playable(pyspiel)
    name = text.partition("(")[0].strip()
    if name not in pyspiel.registered_names():
        raise UnknownGame(f"OpenSpiel has no game {name!r}; {did_you_mean(name, there)}")
    try:
        with quietly():
            chosen = pyspiel.game_parameters_from_string(re.sub(r"([(,])\s+", r"\1", text.strip())) | options
            chosen.pop("name", None)
            game: SpielGame = pyspiel.load_game(name, chosen)
            if not game.new_initial_state().legal_actions():  # some games first look at their options here
                raise ValueError("the game begins without a legal move")
    except Exception as error:
        raise BadOption(f"OpenSpiel cannot load {text!r}: {first_line(error)}") from None
    lacking = missing(pyspiel, game.get_type(), game.num_players())
    if lacking:
        raise UnknownGame(
            f"openspiel:{name} is not {' and not '.join(lacking)}, "
            "and Ludus plays two-player, zero-sum, deterministic games with turns and perfect information"
        )
    return game


def playable(pyspiel: Any) -> list[str]:
    """The names of OpenSpiel's games that can be played here."""
    kinds: list[SpielType] = pyspiel.registered_games()
    return [k.short_name for k in kinds if k.default_loadable and not missing(pyspiel, k, min(2, k.max_num_players))]


def missing(pyspiel: Any, kind: SpielType, players: int) -> list[str]:
    """The properties that a kind of game would need to be played here, and lacks."""
    of = pyspiel.GameType
    has = {
        "for two players": players == 2,
        "zero-sum": kind.utility == of.Utility.ZERO_SUM,
        "of perfect information": kind.information == of.Information.PERFECT_INFORMATION,
        "without chance": kind.chance_mode == of.ChanceMode.DETERMINISTIC,
        "played in turns": kind.dynamics == of.Dynamics.SEQUENTIAL,
    }
    return [name for name, true in has.items() if not true]


def first_line(error: Exception) -> str:
    """What OpenSpiel complains of, without the place in its source."""
    lines = str(error).strip().splitlines() or ["it does not say why"]
    return re.sub(r"^/.*?:[0-9]+ ", "", lines[0])


@contextlib.contextmanager
def quietly() -> Iterator[None]:
    """OpenSpiel prints its complaints before it raises them; here only our own message is printed."""
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)
