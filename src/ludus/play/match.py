"""One match: two agents play a game by a clock and a seed, which gives a Record.

Nothing an agent does ends more than its own game: an illegal action, an exception, the crash of an outside
program or a fallen flag loses, and the record says so.
"""

from __future__ import annotations

import contextlib
import inspect
import math
import operator
import signal
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import FrameType

from ludus._core import Rng
from ludus.agents import Agent, AgentFailed, Decision, TimeLeft, reset, write_agent
from ludus.errors import LudusError
from ludus.game import Action, Game, Player, State, refuse, seen_by
from ludus.play.clock import Clock, Timing
from ludus.play.record import RULES, Record, Turn

GRACE = 0.5  # seconds after the flag's fall before a silent agent is interrupted

Thinking = Callable[[Player, float | None], None]  # called with the player to move and the seconds left


def play(
    game: Game,
    agents: Sequence[Agent],
    seed: int = 0,
    clock: Timing | None = None,
    opening: Sequence[Action] = (),
    names: Sequence[str] | None = None,
    number: int = 0,
    thinking: Thinking = lambda player, seconds: None,
) -> Record:
    """Plays one match: agents[0] for player 0, after the opening. All randomness comes from the seed."""
    rng = Rng(seed)
    rngs = (rng.split(), rng.split())
    stand = Clock(clock) if clock else None
    state = game.after(opening)
    turns: list[Turn] = []
    score, end, fault, why = 0.0, RULES, None, ""
    broken = reset_all(agents, state.player)
    while not state.over:
        player = state.player
        refuse_no_actions(state)
        try:
            if broken:
                player, failed = broken
                raise failed
            thinking(player, stand.left[player] if stand else None)
            turn, _ = take_turn(game, state, agents[player], rngs[player], stand)
        except AgentFailed as failed:
            score, end, fault, why = seen_by(0, player, -1.0), failed.kind, player, str(failed)
            break
        state = state.play(turn.action)
        turns.append(turn)
    else:
        score = state.score(0)
    labels = names or [write_agent(agent) for agent in agents]
    return Record(
        game.identity(), (labels[0], labels[1]), seed, str(clock) if clock else None, tuple(opening), tuple(turns),
        score, end, fault, why, number,
    )  # fmt: skip


def take_turn(
    game: Game,
    state: State,
    agent: Agent,
    rng: Rng,
    clock: Clock | None,
    now: Callable[[], float] = time.perf_counter,
) -> tuple[Turn, Decision]:
    """An agent's decision, and what the record keeps of it. Whatever is wrong with it is an AgentFailed."""
    player, began = state.player, now()
    left = clock.shows(player) if clock else None
    decision = ask(agent, state, rng, left)
    seconds = now() - began
    turn = turn_of(player, decision, seconds, left)
    if clock and left and not clock.press(player, seconds):
        raise AgentFailed("flag", f"the flag fell: a move took {seconds:.2f} s of {left.seconds:.2f}")
    if turn.action not in state.actions():
        refuse_action(state, decision.action, game)
    return turn, decision


def ask(agent: Agent, state: State, rng: Rng, left: TimeLeft | None) -> Decision:
    """An agent's decision; whatever goes wrong is an AgentFailed."""
    with interrupted_after(left.seconds + GRACE if left else None), guarded():
        return agent.decide(state, rng, left) if takes_left(agent) else agent.decide(state, rng)


@contextlib.contextmanager
def guarded() -> Iterator[None]:
    """Whatever an agent does wrong inside is an AgentFailed."""
    try:
        yield
    except AgentFailed:
        raise
    except (Exception, SystemExit) as error:  # an agent may be anybody's code
        raise AgentFailed("exception", f"{type(error).__name__}: {str(error)[:200]}{where(error)}") from error


def takes_left(agent: Agent) -> bool:
    """Does an agent want to know the time left? One that is written as decide(state, rng) does not."""
    try:
        inspect.signature(agent.decide).bind(None, None, None)
    except TypeError:
        return False
    return True


def where(error: BaseException) -> str:
    """The line of an agent's code in which it broke."""
    frames = traceback.extract_tb(error.__traceback__)[2:]  # without those of guarded() and its user
    return f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""


@contextlib.contextmanager
def interrupted_after(seconds: float | None) -> Iterator[None]:
    """Interrupts what runs inside when the time is up, where the system lets us: in a main thread, not on Windows."""
    if seconds is None or not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def on_alarm(number: int, frame: FrameType | None) -> None:
        raise AgentFailed("flag", f"the flag fell: no move after {seconds - GRACE:.2f} s")

    before = signal.signal(signal.SIGALRM, on_alarm)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def turn_of(player: Player, decision: Decision, seconds: float, left: TimeLeft | None) -> Turn:
    """What the record keeps of a decision."""
    try:
        return Turn(
            player,
            operator.index(decision.action),
            round(seconds, 4),
            None if left is None else round(left.seconds - seconds, 4),
            None if decision.value is None or not math.isfinite(decision.value) else round(float(decision.value), 4),
            {int(action): int(visits) for action, visits in decision.visits.items() if visits},
            decision.simulations,
            decision.depth,
        )
    except Exception as error:
        if isinstance(decision, Decision):
            raise AgentFailed("rubbish", f"the decision cannot be used: {error} ({decision!r:.60})") from None
        raise AgentFailed("rubbish", f"decide() must return a Decision, not {decision!r:.80}") from None


def refuse_action(state: State, action: Action, game: Game) -> None:
    """Raises AgentFailed with the reason why an action is not legal."""
    try:
        refuse(state, action, game)
    except ValueError as error:
        raise AgentFailed("illegal", str(error)) from None


def reset_all(agents: Sequence[Agent], first: Player) -> tuple[Player, AgentFailed] | None:
    """Lets the agents forget the last game. Returns the player whose agent failed in it, if one did."""
    for player in (first, 1 - first):
        try:
            reset(agents[player])
        except AgentFailed as failed:
            return player, failed
    return None


def refuse_no_actions(state: State) -> None:
    if not state.actions():
        raise LudusError("the game is not over, but has no legal action; `ludus check` says what is wrong with it")
