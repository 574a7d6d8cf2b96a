"""HexPlayer: flat states of the tournament in, (row, column) of plain integers out."""

import numpy as np
import pytest

import ludus
from ludus.agents import AgentFailed, Decision
from ludus.errors import BadBoard, BadOption, LudusError
from ludus.protocols.oht.playing.player import HexPlayer


class Spy:
    """Plays the first free cell and remembers what it was asked."""

    def __init__(self):
        self.states, self.numbers, self.left, self.resets, self.games = [], [], [], 0, []

    def accept(self, game):
        self.games.append(game)

    def reset(self):
        self.resets += 1

    def decide(self, state, rng, left=None):
        self.states.append(state)
        self.numbers.append(rng.next())
        self.left.append(left)
        return Decision(np.int64(state.actions()[0]))


def flat(text, player):
    return [player, *({".": 0, "X": 1, "O": 2}[sign] for sign in text.split())]


@pytest.mark.parametrize("size", [3, 4, 7, 10, 11])
@pytest.mark.parametrize("kind", [list, tuple, np.array])
def test_any_size_and_any_kind_of_sequence_gives_plain_integers(size, kind):
    player = HexPlayer(Spy())
    player.start_series(size)
    player.start_game()
    state = [2] + [1] + [0] * (size * size - 1)
    action = player.choose(kind(state))
    assert action == (0, 1) and [type(part) for part in action] == [int, int] and type(action) is tuple


def test_the_mover_is_what_the_state_says_whoever_began():
    spy = Spy()
    player = HexPlayer(spy)
    boards = {
        1: [flat(". . . . . . . . .", 1), flat(". . . . O . . . .", 1), flat("X . . . O . . . .", 1)],
        2: [flat(". . . . . . . . .", 2), flat(". . . . X . . . .", 2), flat("X . . . O . . . .", 2)],
    }
    for number, states in boards.items():
        for state in states:
            player.start_game()
            player.choose(state)
            assert spy.states[-1].player == number - 1
            assert spy.states[-1].cells() == state[1:]


def test_rows_run_from_the_top_and_player_1_joins_them():
    player = HexPlayer("mcts:simulations=200", seed=1)
    board = ". X . . O X . . O . . ."  # on 4×4 there would be 16 cells
    with pytest.raises(BadBoard):
        player.choose(flat(board, 1))
    winning = flat("""
        . X . .
        O X O .
        . X . O
        . . O .
    """, 1)  # fmt: skip
    assert player.choose(winning) in ((3, 0), (3, 1))  # both join the top and the bottom row
    spanning = flat("""
        . . . .
        O O O .
        X X . X
        . . X .
    """, 2)  # fmt: skip
    assert player.choose(spanning) in ((1, 3), (0, 3))


def test_states_are_followed_so_that_a_search_tree_is_kept():
    player = HexPlayer("mcts:simulations=300", seed=1)
    player.start_series(4)
    player.start_game()
    player.choose([1] + [0] * 16)
    tree = player.agent._search
    cells = player.state.cells()
    reply = cells.index(0)
    cells[reply] = 2
    player.choose((1, *cells))
    assert player.agent._search is tree and len(player.state.history) == 3
    player.start_game()
    assert player.agent._search is None


def test_a_state_that_does_not_follow_is_read_anew():
    spy = Spy()
    player = HexPlayer(spy)
    player.start_game()
    player.choose(flat(". . . . . . . . .", 1))
    player.choose(flat("X . . O . . X O .", 1))  # two rounds later
    assert spy.states[-1].cells() == flat("X . . O . . X O .", 1)[1:] and not spy.states[-1].history
    player.choose(flat(". . . . O . . . .", 1))  # another game, of which nobody told us
    assert [spy.states[-1].player, *spy.states[-1].cells()] == [0, 0, 0, 0, 0, 2, 0, 0, 0, 0]


def test_every_game_has_fresh_numbers_and_a_reset_and_a_seed_repeats_them():
    def numbers(seed):
        spy = Spy()
        player = HexPlayer(spy, seed)
        for _ in range(3):
            player.start_game()
            player.choose([1] + [0] * 9)
        assert spy.resets == 3
        return spy.numbers

    assert numbers(5) == numbers(5) and len(set(numbers(5))) == 3
    assert numbers(None) != numbers(None)


def test_the_time_for_a_move_is_told_to_the_agent():
    spy = Spy()
    HexPlayer(spy, move_seconds=0.25).choose([1] + [0] * 9)
    assert spy.left[0].seconds == 0.25 and spy.left[0].moves == 1
    HexPlayer(spy).choose([1] + [0] * 9)
    assert spy.left[1] is None
    with pytest.raises(BadOption, match="move_seconds"):
        HexPlayer(spy, move_seconds=0)


@pytest.mark.parametrize(
    "state",
    [
        [],
        [1],
        [1] + [0] * 8,
        [1] + [0] * 16,
        [0] + [0] * 9,
        [3] + [0] * 9,
        [1] + [3] + [0] * 8,
        [1] + [-1] + [0] * 8,
        [1.5] + [0] * 9,
        ["1"] + [0] * 9,
        "1000000000",
        None,
        7,
        {"state": 1},
        [1, [0] * 9],
    ],
)
def test_what_is_no_state_is_refused_in_a_sentence(state):
    player = HexPlayer(Spy())
    player.start_series(3)
    with pytest.raises(BadBoard, match="a state") as refused:
        player.choose(state)
    assert len(str(refused.value)) < 250


def test_stones_that_cannot_come_about_by_turns_are_refused():
    with pytest.raises(BadBoard, match="cannot come about by turns"):
        HexPlayer(Spy()).choose(flat("X X X . . . . . .", 1))


@pytest.mark.parametrize("size", [2, 20, 0, -1, 3.5, "7", None, [7]])
def test_boards_that_there_are_not_are_refused(size):
    with pytest.raises(BadOption, match="size"):
        HexPlayer(Spy()).start_series(size)


def test_a_network_for_another_board_is_refused_when_the_series_begins():
    pytest.importorskip("torch")
    with pytest.raises(LudusError, match="this network was trained for hex"):
        HexPlayer("zoo:hex5").start_series(7)


class Broken:
    def decide(self, state, rng):
        if state.cells()[0] == 0:
            return Decision(99)
        raise RuntimeError("no idea")


def test_an_agent_that_breaks_or_plays_what_is_illegal_says_so():
    with pytest.raises(AgentFailed, match="action 99 is not legal here"):
        HexPlayer(Broken()).choose([1] + [0] * 9)
    with pytest.raises(AgentFailed, match="RuntimeError: no idea"):
        HexPlayer(Broken()).choose([1, 2] + [0] * 8)


def test_whole_games_on_both_sides_never_leave_the_rules():
    rng = ludus.Rng(3)
    for size, number, starter in [(3, 1, 0), (3, 1, 1), (4, 2, 0), (5, 2, 1)]:
        player = HexPlayer("mcts:simulations=50", seed=7)
        player.start_series(size)
        player.start_game()
        state = ludus.make("hex", size=size, starter=starter).start()
        while not state.over:
            if state.player == number - 1:
                row, column = player.choose([state.player + 1, *state.cells()])
                action = row * size + column
            else:
                action = rng.choice(state.actions())
            state = state.play(action)
        assert player.state.game.starter == starter
