"""What a Hex player knows before looking ahead: bridges in quick play, and hints from the current across the board."""

import pytest

import ludus
from ludus.search.mcts import Mcts, MctsSettings, Rave

BRIDGES = {  # stones that are joined to each other and to both sides by nothing but bridges, without a common cell
    5: "d2 c4",
    7: "e2 d4 c6",
    9: "f2 e4 d6 c8",
    11: "g2 f4 e6 d8 d9 c10",
    13: "i2 h4 g6 f8 e10 d12",
}


def board(size, stones, player, to_move):
    """Some stones of player 0, or their mirror images for player 1; the other player has stones in two far corners."""
    game = ludus.make("hex", size=size)
    mine = [divmod(game.read(name), size) for name in stones.split()]
    others = len(mine) - to_move if player == 0 else len(mine) + to_move
    theirs = [(0, i // 2) if i % 2 == 0 else (size - 1, size - 1 - i // 2) for i in range(others)]
    rows = [["."] * size for _ in range(size)]
    for cells, letter in ((mine, "XO"[player]), (theirs, "OX"[player])):
        for row, column in cells:
            rows[row if player == 0 else column][column if player == 0 else row] = letter
    return game.read_board("\n".join(" ".join(row) for row in rows), player=to_move)


@pytest.mark.parametrize("to_move", [0, 1])
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("size", BRIDGES)
def test_nobody_is_cut_off_at_a_bridge_in_quick_play(size, player, to_move):
    state = board(size, BRIDGES[size], player, to_move)
    wins, draws, losses = ludus.rollouts(state, 2000, ludus.Rng(1), "quick")
    assert (wins, draws, losses) == ((2000, 0, 0) if player == 0 else (0, 0, 2000))
    wins, _, losses = ludus.rollouts(state, 2000, ludus.Rng(1))
    assert min(wins, losses) > 100  # chance alone cuts them


@pytest.mark.parametrize("stones", ["d2 d4", "d2 b4", "d2 c5"])
def test_what_is_not_a_bridge_can_be_cut(stones):
    wins, _, losses = ludus.rollouts(board(5, stones, 0, 1), 2000, ludus.Rng(1), "quick")
    assert wins > 100 and losses > 100


def test_a_bridge_that_was_broken_into_is_none():
    state = ludus.make("hex", size=5).read_board(
        """
        . . . . .
         . . . X .
          . . O . .
           . . X . .
            . . . . .
    """,
        player=1,
    )
    _, _, losses = ludus.rollouts(state, 2000, ludus.Rng(1), "quick")
    assert losses > 100


@pytest.mark.parametrize("size", [3, 5, 8, 11, 14, 19])
def test_quick_play_gives_both_players_the_same_chances_on_an_empty_board(size):
    """Whoever begins has one stone more on a board with an odd number of cells, and no other advantage."""
    games = 20_000
    first = ludus.rollouts(ludus.make("hex", size=size).start(), games, ludus.Rng(1), "quick")[0]
    second = ludus.rollouts(ludus.make("hex", size=size, starter=1).start(), games, ludus.Rng(2), "quick")[2]
    assert abs(first - second) < 5 * (games / 2) ** 0.5


def hints(state):
    """The game's own bets on the actions, as a search begins with them."""
    search = Mcts(state, MctsSettings(Rave(hints=True)), ludus.Rng(1))
    search.run(1)
    return {state.game.write(child.action): child.amaf_visits * child.amaf_value for child in search.children()}


def test_hints_like_the_middle_better_than_the_far_corners():
    bet = hints(ludus.make("hex", size=7).start())
    assert bet["d4"] > 2 * bet["a1"] and bet["d4"] > 2 * bet["g7"]


def test_hints_see_the_only_gap():
    state = ludus.make("hex", size=5).read_board(
        """
        . . X O .
         . . X O .
          . . . . .
           . X O . .
            . X O . .
    """
    )
    bet = hints(state)
    assert max(bet, key=bet.get) in ("c3", "b3")
    assert min(bet[cell] for cell in ("c3", "b3")) > max(bet[cell] for cell in ("a1", "a2", "e4", "e5"))


def test_hints_are_the_same_for_both_players_in_mirrored_positions():
    game = ludus.make("hex", size=6)
    one = game.after("b3 e2 c5")
    other = ludus.make("hex", size=6, starter=1).after("c2 b5 e3")
    mirrored = hints(other)
    for name, bet in hints(one).items():
        row, column = divmod(game.read(name), 6)
        assert bet == pytest.approx(mirrored[game.write(column * 6 + row)], abs=2)  # one game was played


def test_a_swap_has_no_hint():
    bet = hints(ludus.make("hex", size=5, swap=True).after("c3"))
    assert abs(bet["swap"]) <= 1 < min(bet[cell] for cell in ("b3", "d3"))  # one game was played
