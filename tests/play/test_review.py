"""The review of a game: it names the losing move, agrees with the solver, and claims no more than is known."""

import pytest

import ludus
from ludus.errors import BadOption, IllegalAction
from ludus.game import seen_by
from ludus.play.assess import Effort
from ludus.play.judged import MISTAKE
from ludus.play.review import review
from ludus.play.review_words import summary, turning_points
from ludus.play.talk import read_moves
from ludus.search.mcts import MctsSettings, Rave, Rollout
from ludus.search.solve import Solver
from tests.python_games import Greed, Noughts

NAMES = ("Red", "Blue")
LONG = Effort(solver_seconds=60, simulations=500, search_seconds=60)  # whatever else the machine does meanwhile
SEARCH = Effort(0, 4000, 60, MctsSettings(Rave(0.0, hints=True), Rollout("quick")))  # which proves nothing

GAMES = [  # the game, its moves, and the moves that gave a result away
    ("tic_tac_toe", {}, "b2 a2 c3 a1 a3 c1 b1 b3 c2", {2, 7}),
    ("hex", {"size": 5}, "b4 e3 a4 a5 d1 b5 e5 d5 c2 c4 b1 a2 d3 c3 a1 b3 c5 c1 d4 d2 a3 e4 e2 e1", {5}),
    ("othello", {"size": 4}, "a2 a1 c4 b4 a4 d4 b1 c1 d3 d2 d1 a3", None),
    ("nim", {"stones": 10, "most": 3}, "1 1 3 1 1 3", {1}),
    ("ledge", {"coins": ". c . G"}, "1-0 3-1 take 1-0 take", None),
    ("go", {"size": 2}, "A1 pass pass", None),
]


def judged(game, actions, effort=LONG, **more):
    """The last judgement of every move."""
    found = {}
    for move in review(game, actions, effort, NAMES, rng=ludus.Rng(1), **more):
        if move is not None:
            found[move.ply] = move
    assert sorted(found) == list(range(1, len(actions) + 1))
    return [found[ply] for ply in sorted(found)]


def game_and_actions(name, options, moves):
    game = ludus.make(name, **options)
    return game, read_moves(game, moves)


# ------------------------------------------------------------------------------------------- by proof


@pytest.mark.parametrize(("name", "options", "moves", "given_away"), GAMES)
def test_every_move_is_judged_as_the_solver_does(name, options, moves, given_away):
    game, actions = game_and_actions(name, options, moves)
    solver, wrong = Solver(1 << 22), set()
    states = list(game.states(actions))
    for move, state, after in zip(judged(game, actions), states, states[1:], strict=False):
        before, then = solver.value(state), seen_by(state.player, after.player, solver.value(after))
        assert (move.before, move.after) == ((before + 1) / 2, (then + 1) / 2)
        assert move.before_proven and move.after_proven and move.settled
        assert (move.grade == "gave_away") == (then < before) and move.loss == (before - then) / 2
        best = state.play(move.best)
        assert seen_by(state.player, best.player, solver.value(best)) == before
        wrong |= {move.ply} if then < before else set()
    assert given_away in (None, wrong)


def test_the_losing_move_of_a_hex_game_is_named():
    game, actions = game_and_actions(*GAMES[1][:3])
    moves = judged(game, actions)
    assert [move.ply for move in moves if move.grade == "gave_away"] == [5]
    assert moves[4].sentence == f"Red gave the win away: d1 loses, {moves[4].best_move} keeps it."
    assert [turn.ply for turn in turning_points(moves, NAMES)] == [5]
    assert summary(moves, NAMES, -1.0) == (
        "Red led until move 5, and then gave the win away with d1. One move was a mistake, by Red. Blue won."
    )


def test_a_draw_given_away_in_connect_four():
    game, actions = game_and_actions("connect_four", {}, "4 4 4 4 4 2 1 7 2 2 2 2 7 3 7 2 6 4 1 3 5 6 6 1 1 1 7 5")
    moves = judged(game, actions[8:], start=game.after(actions[:8]))
    assert [move.ply + 8 for move in moves if move.grade == "gave_away"] == [15]
    assert moves[6].sentence == f"Red gave the draw away: the move 7 loses, the move {moves[6].best_move} keeps it."


def test_a_late_mistake_in_othello_6x6():
    text = "e4 c5 b5 e5 e6 f6 c2 b4 c6 b2 b3 b6 d5 c1 a6 f4 f5 d2 f3 d6 b1 e3 e2 a1 f2 a5 a4 a3 a2 f1 pass e1 d1"
    game, actions = game_and_actions("othello", {"size": 6}, text)
    start = list(game.states(actions))[16]
    moves = judged(game, actions[16:], start=start)
    assert [move.ply + 16 for move in moves if move.grade == "gave_away"] == [21]
    forced = next(move for move in moves if move.move == "pass")
    assert forced.grade == "forced" and forced.sentence == "pass was the only legal move."


def test_every_move_of_a_lost_position_is_said_to_lose():
    game, actions = game_and_actions("nim", {"stones": 8, "most": 3}, "1 3 2 2")
    moves = judged(game, actions)
    assert (moves[0].grade, moves[0].sentence) == ("forced", "Every move loses here.")
    assert moves[-1].sentence == "The move 2 ends the game: a win for Blue."


def test_a_player_may_move_twice_in_a_row():
    """Greed: after taking two coins it is your turn again, which is where signs go wrong."""
    game = ludus.make(Greed)
    actions = [1, 1, 0, 0, 0]
    states = list(game.states(actions))
    assert states[0].player == states[1].player
    for move, state, after in zip(judged(game, actions), states, states[1:], strict=False):
        value, then = Solver().value(state), seen_by(state.player, after.player, Solver().value(after))
        assert (move.player, move.before, move.after) == (state.player, (value + 1) / 2, (then + 1) / 2)


def test_proofs_of_the_search_count_where_there_is_no_solver():
    """Noughts in Python, without the solver: nothing proven is wrong, and no other move is blamed for the loss."""
    game, actions, proven = ludus.make(Noughts), [4, 1, 8, 0, 2, 6], 0
    states = list(game.states(actions))
    moves = judged(game, actions, Effort(0, 3000, 60))
    for move, after in zip(moves, states[1:], strict=True):
        proven += move.after_proven
        assert not move.after_proven or 2 * move.share(after.player) - 1 == Solver().value(after)
    assert proven >= 4 and {move.ply for move in moves if move.grade in ("mistake", "gave_away")} <= {2}


def test_the_swap_of_hex():
    game, actions = game_and_actions("hex", {"size": 4, "swap": True}, "b3 a1 b2")
    first, second = judged(game, actions)[:2]
    assert first.grade == "forced" and second.grade == "gave_away" and second.best_move == "swap"


# ------------------------------------------------------------------------------------------- by search


def test_blunders_in_hex_7x7_are_named_by_search():
    """Every move that it calls a mistake does give a win away, by the solver; the plainest one is among them."""
    game, actions = game_and_actions("hex", {"size": 7}, "g1 d5 f4 c6 f3 f5 e5 f2 a1 g2 e3 e2")
    solver, states = Solver(1 << 28), list(game.states(actions))
    values = [seen_by(0, state.player, solver.value(state)) for state in states]
    spoiled = [ply for ply in range(1, len(states)) if values[ply] != values[ply - 1]]
    assert spoiled == [3, 4, 5, 8, 9]
    moves = judged(game, actions, SEARCH)
    mistakes = [move.ply for move in moves if move.grade == "mistake"]
    assert 9 in mistakes and set(mistakes) <= set(spoiled)
    assert moves[8].loss > MISTAKE and moves[8].best_move != "a1"
    turns = {turn.ply: turn.sentence for turn in turning_points(moves, NAMES)}
    assert turns[9].startswith("The lead passed to Blue with a1: about ") and set(turns) <= set(spoiled)


def test_nothing_is_claimed_that_is_not_proven():
    game, actions = game_and_actions("hex", {"size": 7}, "g1 d5 f4 c6 f3 f5 e5 f2 a1 g2 e3 e2")
    for move in judged(game, actions, SEARCH):
        assert not move.before_proven and not move.after_proven
        assert move.grade in ("best", "good", "inexact", "mistake")
        assert "about" in move.sentence and "lose" not in move.sentence and "win" not in move.sentence
        assert "100%" not in move.sentence and "about 0%" not in move.sentence


def test_a_first_impression_comes_before_the_settled_judgement():
    game, actions = game_and_actions("hex", {"size": 7}, "d4 d5 b6")
    seen = [(move.ply, move.settled) for move in review(game, actions, SEARCH, rng=ludus.Rng(1)) if move]
    assert seen == [(3, False), (2, False), (1, False), (3, True), (2, True), (1, True)]


def test_the_same_seed_gives_the_same_review():
    game, actions = game_and_actions("hex", {"size": 7}, "d4 d5 b6")
    assert judged(game, actions, SEARCH) == judged(game, actions, SEARCH)


def test_a_proven_loss_is_not_blamed_when_nothing_better_is_known():
    """The solver proves the position after the last move only; the search is too short to see a difference."""
    game, actions = game_and_actions("hex", {"size": 7}, "d4 d5 b6 c5")
    start = game.after(actions[:3])
    (move,) = judged(game, actions[3:], Effort(0.001, 20, 60, SEARCH.search), start=start, solver=OnlyLast(start))
    assert move.grade == "unclear" and move.after == 0 and move.after_proven and not move.before_proven
    assert move.sentence == "c5 loses (proven); whether another move was better is not known."


class OnlyLast(Solver):
    """A solver that knows every position but one, and says that the player to move wins."""

    def __init__(self, unknown):
        super().__init__(1 << 20)
        self.unknown = unknown

    def value(self, state, seconds=None):
        return None if state == self.unknown else 1


# ------------------------------------------------------------------------------------------- steps, ends, mistakes


def test_a_review_can_be_stopped_at_any_step():
    game, actions = game_and_actions("go", {"size": 9}, "E5 E6 D6 pass")
    steps = review(game, actions)
    assert next(steps) is None  # a step, after which nothing is known yet
    steps.close()
    assert list(steps) == []


def test_an_illegal_move_is_refused_before_the_first_step():
    with pytest.raises(IllegalAction, match="not legal"):
        review(ludus.make("hex", size=3), [0, 0])
    with pytest.raises(IllegalAction, match="move 2: a1 is not legal here"):
        read_moves(ludus.make("hex", size=3), "a1 a1")


def test_efforts_that_make_no_sense_are_refused():
    for wrong in ({"solver_seconds": -1}, {"simulations": 0}, {"search_seconds": 0}):
        with pytest.raises(BadOption):
            Effort(**wrong)


@pytest.mark.parametrize(
    ("score", "end", "words"),
    [
        (1.0, "rules", "Red won."),
        (0.0, "rules", "It ended in a draw."),
        (1.0, "resign", "Red won, because Blue resigned."),
        (-1.0, "flag", "Blue won, because Red ran out of time."),
        (-1.0, "crash", "Blue won, because Red forfeited the game."),
        (1.0, "agreed", "Red won as both sides agreed."),
        (0.0, "unfinished", "The game was not finished."),
        (None, "rules", "The game was not finished."),
    ],
)
def test_the_summary_says_how_the_game_ended(score, end, words):
    game, actions = game_and_actions("tic_tac_toe", {}, "b2 a1")
    assert summary(judged(game, actions), NAMES, score, end).endswith(words)


def test_a_summary_without_a_turning_point():
    game, actions = game_and_actions("nim", {"stones": 5, "most": 3}, "1 3 1")
    assert summary(judged(game, actions), ("you", "the machine"), 1.0) == (
        "You led from the first move to the last. No move was a mistake, as far as is known. You won."
    )


def test_no_game():
    assert judged(ludus.make("nim"), []) == [] and summary([], NAMES) == "No move was played."
    assert turning_points([], NAMES) == []
