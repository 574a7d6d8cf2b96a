"""Nothing that Python can say to the core crashes the interpreter: it answers, or refuses with an exception."""

import math
import random

import pytest

import ludus
from ludus import _core
from ludus.errors import LudusError

NONSENSE = [
    None, True, -1, 0, 1, 2, 7, 48, 49, 10**6, 2**31, 2**63, -(2**63), 10**40, 0.5, math.nan, math.inf,
    "", "a1", "x" * 10_000, "\0", b"a1", [], [1], (), {}, {1}, object(), int, lambda: 0, [[0]], [3] * 49, range(5),
]  # fmt: skip
REFUSALS = (LudusError, TypeError, ValueError, OverflowError, AttributeError)


def attempt(call, *arguments):
    try:
        return call(*arguments)
    except REFUSALS:
        return None


def states():
    """A first, a middle and a last state of every game."""
    rng = ludus.Rng(1)
    for name in ludus.games():
        state = ludus.make(name).start()
        chosen = [state, state]
        while not state.over:
            state = state.play(rng.choice(state.actions()))
            if rng.below(10) == 0:
                chosen[1] = state
        yield from [*chosen, state]


@pytest.mark.parametrize("state", list(states()), ids=lambda s: f"{s.game.name}-{len(s.history)}")
def test_states_take_nonsense(state):
    for thing in NONSENSE:
        before = (state.player, state.over, state.actions())
        for call in (state.play, state.score, state.__eq__, state.game.write, state.game.read, state.game.read_board):
            attempt(call, thing)
        for call in (_core.rollouts, _core.perft, _core.time_copies):
            attempt(call, thing, 1)
            attempt(call, state, thing) if not isinstance(thing, int) or thing < 3 else None
        attempt(_core.rollouts, state, 1, thing)
        attempt(_core.rollouts, state, 1, ludus.Rng(), thing)
        assert (state.player, state.over, state.actions()) == before


def test_options_take_nonsense():
    for name in ludus.games():
        for option in (f for f in ("size", "stones", "most", "coins", "width", "height", "line", "komi", "superko")):
            for thing in NONSENSE:
                game = attempt(lambda n, o, t: ludus.make(n, **{o: t}), name, option, thing)
                if game is not None:
                    assert game.start().actions()
    for thing in NONSENSE:
        attempt(ludus.make, thing)


def test_factories_take_nonsense():
    dice = random.Random(1)
    factories = [_core.nim, _core.ledge, _core.tic_tac_toe, _core.connect_four, _core.othello, _core.hex, _core.go]
    for factory in factories:
        for _ in range(3000):
            attempt(factory, *dice.choices([*NONSENSE, ludus.make("hex")], k=dice.randint(0, 8)))


def test_the_dice_take_nonsense():
    for thing in NONSENSE:
        rng = attempt(ludus.Rng, thing) or ludus.Rng()
        attempt(rng.below, thing)
        attempt(rng.choice, thing)
        assert 0 <= rng.below(7) < 7


def test_a_very_long_game_is_let_go_of():
    """A past of a million actions must not be a recursion a million deep."""
    state = ludus.make("nim", stones=300_000, most=1).start()
    while not state.over:
        state = state.play(0)
    assert len(state.history) == 300_000
    del state
