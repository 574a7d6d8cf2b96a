"""Games of Go end when nothing is left to gain, and not before."""

import pytest

import ludus
from ludus.agents import make_agent
from ludus.play.match import play

go5 = ludus.make("go", size=5)
WALL = "C1 D1 C2 D2 C3 D3 C4 D4 C5 D5"  # two walls: Black has the left three columns, White the right two
AGENT = "mcts:simulations=300,rave=true,hints=true,playout=quick"


def test_the_winner_passes_once_the_walls_stand():
    """Black has 15 points, White 10, and nobody can live on the other side of a wall."""
    state = go5.after(WALL + " B2 E2 B4 E4")
    decision = make_agent(AGENT).decide(state, ludus.Rng(1))
    assert go5.write(decision.action) == "pass" and decision.why == "nothing is left to gain"


def test_the_loser_passes_after_the_winner_only():
    state = go5.after(WALL + " B2 E2 B4 E4 pass")
    decision = make_agent(AGENT).decide(state, ludus.Rng(1))
    assert go5.write(decision.action) == "pass" and decision.value <= -0.9
    state = go5.after(WALL + " B2 E2 B4 E4 B3")  # White to move, nobody has passed
    assert make_agent(AGENT).decide(state, ludus.Rng(1)).why != "nothing is left to gain"


def test_whoever_wins_by_a_second_pass_takes_it():
    state = go5.after(WALL + " B2 E2 B4 pass")
    decision = make_agent(AGENT).decide(state, ludus.Rng(1))
    assert go5.write(decision.action) == "pass" and state.play(decision.action).score(0) == 1


@pytest.mark.parametrize("moves", ["", "C3", "C3 C4", "C3 pass", WALL.rsplit(" ", 3)[0]])
def test_nobody_passes_while_something_is_left(moves):
    """The last one has a gap in the walls."""
    state = go5.after(moves)
    if moves.endswith("pass"):  # White has passed with nothing on the board: Black wins by passing, too
        assert go5.closing(state, ludus.Rng(1)) is None
    assert make_agent(AGENT).decide(state, ludus.Rng(1)).why != "nothing is left to gain"


def test_a_group_that_can_still_be_killed_is_not_left_alone():
    """Black leads by five points, but after White B5 his only group has one eye."""
    state = in_turns(
        """
        . . . X X
        X X X X X
        X X X X X
        O O O O O
        . O . O O
        """
    )
    assert go5.closing(state, ludus.Rng(1)) is None
    assert go5.write(make_agent(AGENT).decide(state, ludus.Rng(1)).action) == "B5"


def in_turns(picture):
    """A game from the empty board that comes to these stones, Black to move; White, who has fewer, passes at first."""
    rows = [row.split() for row in picture.split("\n") if row.strip()]
    cells = [rows[4 - i // 5][i % 5] for i in range(25)]  # row 1 is at the bottom
    stones = [[i for i in range(25) if cells[i] == letter] for letter in "XO"]
    state = go5.start()
    while any(stones):
        mine, theirs = stones[state.player], stones[1 - state.player]
        state = state.play(25 if state.player == 1 and len(mine) <= len(theirs) else mine.pop())
    assert [".XO"[cell] for cell in state.cells()] == cells
    return state


def test_boards_without_a_past_are_played_on():
    """Programs that hand over a board may count its end otherwise."""
    state = go5.after(WALL + " B2 E2 B4 E4")
    assert go5.closing(state, ludus.Rng(1)) == 25
    assert go5.closing(go5.read_board("X X X O O\n" * 4 + ". X X O .", player=0), ludus.Rng(1)) is None


def test_games_of_go_end_by_two_passes_before_the_board_is_full():
    for seed in range(3):
        record = play(go5, [make_agent(AGENT), make_agent(AGENT)], seed=seed)
        assert record.end == "rules" and len(record.turns) < 50
        assert [turn.action for turn in record.turns[-2:]] == [25, 25]


def test_games_without_such_an_end_have_none():
    state = ludus.make("othello").after("d3")
    assert state.game.closing(state, ludus.Rng(1)) is None
