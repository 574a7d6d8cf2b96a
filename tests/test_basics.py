"""What `import ludus` promises: make, games, values, pickles, random numbers, and sentences for mistakes."""

import copy
import pickle
import subprocess
import sys

import pytest

import ludus
from ludus.errors import BadBoard, BadOption, IllegalAction, NotOver, UnknownGame, UnreadableAction


def test_there_are_seven_games():
    assert {"nim", "ledge", "tic_tac_toe", "connect_four", "othello", "hex", "go"} <= set(ludus.games())


def test_a_game_is_its_options():
    assert ludus.make("hex", size=5) == ludus.make("Hex", size=5) != ludus.make("hex", size=6)
    assert ludus.make("tic-tac-toe") == ludus.make("tic_tac_toe")
    assert pickle.loads(pickle.dumps(ludus.make("go", size=7))) == ludus.make("go", size=7)


def test_a_state_is_a_value():
    state = ludus.make("hex", size=5).start()
    following = state.play(12)
    assert state.history == [] and following.history == [12] and state != following
    assert copy.copy(following) == following and hash(copy.deepcopy(following)) == hash(following)


def test_move_order_does_not_matter_to_equality_but_the_game_does():
    game = ludus.make("hex", size=5)
    assert game.after("a1 b1 c1") == game.after("c1 b1 a1")
    assert game.start() != ludus.make("hex", size=6).start()
    assert ludus.make("nim", stones=5).after("2") != ludus.make("nim", stones=6).after("3")
    assert game.start() != "hex"


def test_go_states_remember_the_past_that_superko_needs():
    game = ludus.make("go", size=5)
    assert game.after("A1 B1 C1") != game.after("C1 B1 A1")
    assert game.after("A1 B1 C1") == game.after("A1 B1 C1")


@pytest.mark.parametrize("name", ["tic_tac_toe", "connect_four", "othello", "hex", "go", "ledge"])
def test_a_drawn_state_pickles_with_its_drawing(name):
    game = ludus.make(name)
    state = game.read_board(game.draw(game.start(), color=False))
    following = state.play(state.actions()[0])
    assert pickle.loads(pickle.dumps(following)) == following
    assert following.origin is not None and len(following.history) == 1


@pytest.mark.parametrize("name", ["tic_tac_toe", "connect_four", "othello", "go", "ledge"])
def test_drawings_can_be_read_again(name):
    game, rng = ludus.make(name), ludus.Rng(4)
    state = game.start()
    for _ in range(6):
        for color in (False, True):
            again = game.read_board(game.draw(state, color=color), player=state.player)
            assert again.cells() == state.cells() and again.player == state.player
        state = state.play(rng.choice(state.actions()))


def test_the_last_move_is_marked():
    assert "[X]" in ludus.make("othello").draw(ludus.make("othello").after("d3"), color=False)
    assert "[O]" in ludus.make("go").draw(ludus.make("go").after("D4 E5"), color=False)
    assert "c]" in ludus.make("ledge").draw(ludus.make("ledge").after("3-2"), color=False)


def test_colour_comes_when_asked_for():
    game = ludus.make("hex")
    assert "\x1b[" in game.draw(game.start(), color=True)
    assert "\x1b[" not in game.draw(game.start())  # not a terminal


MISTAKES = [
    (lambda: ludus.make("hexx"), UnknownGame, "did you mean hex?"),
    (lambda: ludus.make("connect4"), UnknownGame, "did you mean connect_four?"),
    (lambda: ludus.make("nowhere.py:State"), UnknownGame, "cannot load the game 'nowhere.py:State'"),
    (lambda: ludus.make("hex", size=2), BadOption, "size must be a whole number from 3 to 19, not 2"),
    (lambda: ludus.make("hex", size="7"), BadOption, "not '7'"),
    (lambda: ludus.make("hex", sise=7), BadOption, "hex has no option 'sise'; it has size, swap, starter"),
    (lambda: ludus.make("hex", **{"game": 7}), BadOption, "hex has no option 'game'; it has size, swap, starter"),
    (lambda: ludus.make("othello", size=7), BadOption, "even size from 4 to 16"),
    (lambda: ludus.make("othello", passing=1), BadOption, "passing must be True or False"),
    (lambda: ludus.make("go", komi="x"), BadOption, "komi must be a number"),
    (lambda: ludus.make("go", superko="maybe"), BadOption, "'forbidden' or 'draw'"),
    (lambda: ludus.make("go", size=9, max_length=163), BadOption, "from 1 to 162"),
    (lambda: ludus.make("connect_four", line=9), BadOption, "does not fit"),
    (lambda: ludus.make("connect_four", width=20, height=20), BadOption, "too large"),
    (lambda: ludus.make("ledge", coins="G . G"), BadOption, "exactly one gold coin, this one has 2"),
    (lambda: ludus.make("hex").read("z9"), UnreadableAction, "from a1 to g7"),
    (lambda: ludus.make("nim").read("9"), UnreadableAction, "from 1 to 3"),
    (lambda: ludus.make("go").read("I5"), UnreadableAction, "no column is I"),
    (lambda: ludus.make("ledge").read("4-7"), UnreadableAction, "'7-4' to slide from cell 7 to cell 4"),
    (lambda: ludus.make("hex").after("a1 a1"), IllegalAction, "a1 (action 0) is not legal here; legal are b1,"),
    (lambda: ludus.make("connect_four").start().play(7), IllegalAction, "action 7 is not legal here; legal are 1, 2"),
    (lambda: ludus.make("nim", stones=1).start().play(0).play(0), IllegalAction, "the game is over"),
    (lambda: ludus.make("hex").start().play("a1"), IllegalAction, "'a1' (an action is a whole number)"),
    (lambda: ludus.make("hex").start().score(0), NotOver, "not over"),
    (lambda: ludus.make("hex").read_board("X . O"), BadBoard, "needs 7 lines of 7 cells, but the drawing has 1 lines"),
    (lambda: ludus.make("hex").read_board("? ?"), BadBoard, "'.' is empty, 'X' is player 0"),
    (lambda: ludus.make("nim").read_board("X"), BadBoard, "nim has no boards"),
    (lambda: ludus.rollouts(ludus.make("nim").start(), 0, ludus.Rng()), BadOption, "from 1 to"),
    (
        lambda: ludus.rollouts(ludus.make("nim").start(), 1, ludus.Rng(), "best"),
        BadOption,
        "uniform, stepwise and quick",
    ),
]


@pytest.mark.parametrize("mistake, error, sentence", MISTAKES, ids=[m[2][:40] for m in MISTAKES])
def test_a_mistake_gets_one_sentence(mistake, error, sentence):
    with pytest.raises(error) as caught:
        mistake()
    assert sentence in str(caught.value) and "\n" not in str(caught.value)


def test_the_dice_are_the_same_everywhere():
    """SplitMix64, written again in Python."""

    def scramble(x):
        x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 % 2**64
        x = (x ^ x >> 27) * 0x94D049BB133111EB % 2**64
        return x ^ x >> 31

    step, rng = 0x9E3779B97F4A7C15, ludus.Rng(42)
    state = scramble(42 + step)
    for _ in range(100):
        state = (state + step) % 2**64
        assert rng.next() == scramble(state)
    state = (state + step) % 2**64
    assert rng.below(10) == scramble(state) * 10 >> 64
    state = (state + step) % 2**64
    assert rng.uniform() == (scramble(state) >> 11) * 2.0**-53


def test_dice_can_be_put_away_and_split():
    rng = ludus.Rng(1)
    again = pickle.loads(pickle.dumps(rng))
    assert [rng.next() for _ in range(5)] == [again.next() for _ in range(5)]
    child = rng.split()
    assert child.next() != rng.next()


def test_rollouts_are_uniform():
    """Every first move of a random game is as likely as the other (chi-square, far below one in a million)."""
    rng, counts = ludus.Rng(3), [0] * 7
    state = ludus.make("connect_four").start()
    for _ in range(70_000):
        counts[rng.choice(state.actions())] += 1
    assert sum((c - 10_000) ** 2 / 10_000 for c in counts) < 40


def test_importing_ludus_loads_nothing_heavy():
    code = "import sys, ludus; print([m for m in ('numpy', 'torch', 'rich', 'tyro', 'matplotlib') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
