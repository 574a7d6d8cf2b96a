"""Games of the notebook as games of Ludus: any moves, any names, every search, agent and match."""

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

import ludus
from ludus.agents import make_agent
from ludus.courses.aima import (
    Board,
    ConnectFour,
    Game,
    StrategyAgent,
    TicTacToe,
    alphabeta_search,
    ludus_game,
    monte_carlo_tree_search,
    play_game,
    player,
    random_player,
    states_of,
)
from ludus.courses.aima.views import CompiledView, PythonView, view_of
from ludus.errors import BrokenGame, IllegalAction, LudusError, UnreadableAction
from ludus.play.match import play
from ludus.play.tournament import Tournament, run
from ludus.search.mcts import Mcts, MctsSettings, Rollout, Uct
from ludus.search.textbook import Minimax
from ludus.testing import check_game
from tests.courses.aima_games import BareHeap, Heap, LastOne, ListNim, Mine, Mines, board, true_value

GAMES = {
    "tic-tac-toe": TicTacToe(),
    "connect four": ConnectFour(),
    "words, turns do not alternate": LastOne(9),
    "lists, states without a hash": ListNim(9, Heap),
    "lists, states without equality": ListNim(9, BareHeap),
}
ROOT = Path(__file__).parent.parent.parent
AGENTS = ["random", "greedy", "flat:games=5", "minimax:depth=2", "alphabeta:depth=3", "deepening:depth=3",
          "mcts:simulations=30", "mcts:simulations=30,rave=True"]  # fmt: skip
every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


class Own(ConnectFour):
    """A student's own class, which could have other rules."""


# --------------------------------------------------------------------------------------------------- the contract


@every_game
def test_every_game_keeps_the_contract(game):
    check_game(states_of(game), games=5)


@every_game
@pytest.mark.parametrize("agent", AGENTS)
def test_every_agent_plays_every_game(game, agent):
    record = play(ludus_game(game, compiled=False), [make_agent(agent), make_agent("random")], seed=1)
    assert record.end == "rules" and record.score in (-1, 0, 1)


def test_moves_and_names_become_numbers():
    state = states_of(LastOne(5))()
    assert state.player == 0 and list(state.actions()) == [0, 1]
    assert state.play(0).player == 1 and state.play(1).player == 0  # after "two" white goes on
    end = state.play(1).play(1).play(0)
    assert end.over and (end.score(0), end.score(1)) == (-1, 1)
    game = ludus_game(LastOne(5))
    assert game.write(0) == "one" and game.read("two") == 1 and game.after("two two one").over
    assert ludus_game(ListNim()).write(2) == "3" and states_of(TicTacToe()).write(5) == "1:2"
    with pytest.raises(UnreadableAction, match="'three' is no move of LastOne"):
        game.read("three")


def test_searches_of_ludus_find_the_true_value():
    for stones in range(1, 12):
        state = ludus_game(LastOne(stones)).start()
        assert Minimax().search(state)[0] == ludus.search.minimax(state, 20).value == true_value(stones)
    for left in range(1, 13):
        found = ludus.search.alphabeta(ludus_game(ListNim(left)).start(), 20)
        assert found.value == (1 if left % 4 else -1)  # 1 and 0 as utilities are a win and a loss


@pytest.mark.parametrize("stones", [8, 9, 10, 11])
def test_uct_finds_the_best_moves_of_a_made_up_game(stones):
    random.seed(1)
    game = LastOne(stones)
    value, move = monte_carlo_tree_search(game, game.initial, simulations=3000, seconds=None)
    after = game.result(game.initial, move)
    truth = true_value(after.stones) * (1 if after.to_move == "white" else -1)
    assert truth == true_value(stones) and value * truth > 0


def test_the_score_is_the_sign_of_the_utility_and_the_margin_its_size():
    class Points(LastOne):
        def utility(self, state, player):
            return 12 if state.to_move != player else -12

    state = states_of(Points(1))().play(0)
    assert (state.score(0), state.score(1), state.margin(0), state.margin(1)) == (1, -1, 12, -12)


def test_all_moves_can_be_named_so_that_networks_can_learn():
    assert ludus.make(states_of(LastOne(), moves=["one", "two"])).num_actions == 2
    with pytest.raises(BrokenGame, match="num_actions"):
        _ = ludus.make(states_of(LastOne())).num_actions
    with pytest.raises(BrokenGame, match="'two' is a move of LastOne, but not one of those that were named"):
        states_of(LastOne(), moves=["one"])


# ------------------------------------------------------------------------------------------- the numbers of moves


def through(game, tunnel):
    """The state behind nine tunnels with the same number."""
    return game.after(" ".join([tunnel] * 9))


@pytest.mark.parametrize("move", ["gold", "iron", "salt"])
def test_a_rare_move_is_read_rightly_by_whoever_saw_other_moves_first(move):
    """Two games made apart, as in two processes. One sees the nines before the eights, the other does not."""
    writing, reading = ludus_game(Mines()), ludus_game(Mines())
    for game, tunnels in ((writing, "98"), (reading, "89")):
        for tunnel in tunnels:
            assert len(through(game, tunnel).actions()) == 2
    way = "8" if move == "salt" else "9"
    state = through(writing, way)
    actions = [*[writing.read(way)] * 9, state.number_of(move)]
    end = list(reading.states(actions))[-1]
    assert end.state == Mine(way * 9 + move, "first") and end.over


def test_moves_are_numbered_alike_by_every_process():
    script = (
        "from ludus.courses.aima import states_of; from tests.courses.aima_games import Mixed; "
        "print([states_of(Mixed()).write(number) for number in range(4)])"
    )
    said = set()
    for seed in ("1", "2", "3", "4"):
        own = os.environ | {"PYTHONHASHSEED": seed}
        done = subprocess.run([sys.executable, "-c", script], env=own, capture_output=True, text=True, cwd=ROOT)
        said.add(done.stdout or done.stderr)
    assert said == {"['left', 'right', '2', 'None']\n"}


def test_the_text_of_a_rare_move_can_be_read():
    game = ludus_game(Mines())
    state = through(game, "9")
    texts = [game.write(action) for action in state.actions()]
    assert texts == ["rare:1", "rare:2"] and [game.read(text) for text in texts] == list(state.actions())
    assert game.after(" ".join([*"999999999", "rare:1"])).state.tunnels == "999999999gold"
    for text in ("rare:0", "rare:", "rare:x"):
        with pytest.raises(UnreadableAction, match="is no move of Mines"):
            game.read(text)


def test_searches_and_strategies_play_rare_moves():
    game = ludus_game(Mines())
    state = through(game, "9")
    for agent in ("alphabeta:depth=2", "mcts:simulations=20,rave=True", "random"):
        assert make_agent(agent).decide(state, ludus.Rng(1)).action in state.actions()
    strategy = StrategyAgent(lambda game, state: "iron" if "iron" in game.actions(state) else "9")
    record = play(game, [strategy, strategy])
    assert record.end == "rules" and list(record.replay(game))[-1].state.tunnels == "999999999iron"
    rules = Mines()
    assert monte_carlo_tree_search(rules, state.state, simulations=20)[1] in ("gold", "iron")


def test_an_action_that_is_not_legal_is_refused():
    with pytest.raises(IllegalAction, match=r"action 7 is not legal here; legal are \[0, 1\]"):
        states_of(LastOne())().play(7)


class Hand:
    """A move without == and hash of its own."""

    def __init__(self, count):
        self.count = count


class Handfuls(LastOne):
    """LastOne with moves that are new objects each time."""

    def actions(self, state):
        return [Hand(step) for step in self.steps.values() if step <= state.stones]

    def result(self, state, move):
        return super().result(state, "one" if move.count == 1 else "two")


def test_moves_that_are_plain_objects_are_known_again():
    kind = states_of(Handfuls(9))
    assert len(kind.moves.things) == 2
    record = play(ludus.make(kind), [StrategyAgent(random_player), make_agent("alphabeta:depth=9")], seed=1)
    assert record.end == "rules" and set(record.actions) <= {0, 1}
    random.seed(1)
    assert monte_carlo_tree_search(Handfuls(2), Handfuls(2).initial, simulations=100)[0] > 0.5


def test_a_third_player_is_refused():
    class Three(LastOne):
        def result(self, state, move):
            return state._replace(stones=state.stones - 1, to_move={"white": "black", "black": "red"}[state.to_move])

    with pytest.raises(BrokenGame, match="games for two, but 'red' is a third player"):
        monte_carlo_tree_search(Three(), Three().initial)


def test_an_error_in_a_visitors_game_comes_out_as_it_is():
    class Broken(LastOne):
        def utility(self, state, player):
            raise RuntimeError("not finished yet")

    with pytest.raises(RuntimeError, match="not finished yet"):
        monte_carlo_tree_search(Broken(), Broken().initial)


# -------------------------------------------------------------------------------------------------- compiled games


@pytest.mark.parametrize("game", [TicTacToe(), TicTacToe(4, 5, 4), ConnectFour()], ids=["3x3", "5x4", "connect four"])
def test_the_compiled_game_has_the_same_rules(game):
    view, rng = view_of(game, game.initial), random.Random(1)
    assert isinstance(view, CompiledView)
    for _ in range(20):
        state, compiled = game.initial, view.state(game.initial)
        while not game.is_terminal(state):
            assert {view.move(action, state) for action in compiled.actions()} == game.actions(state)
            assert compiled.player == "XO".index(state.to_move) and view.state(state).actions() == compiled.actions()
            move = rng.choice(sorted(game.actions(state)))
            state, compiled = game.result(state, move), compiled.play(view.action(move))
        assert compiled.over and compiled.score(0) == game.utility(state, "X") == -compiled.score(1)


@pytest.mark.parametrize("game", [TicTacToe(), ConnectFour()], ids=["tic-tac-toe", "connect four"])
def test_with_the_same_dice_the_compiled_and_the_python_game_give_the_same_tree(game):
    """Visit for visit; with squares numbered column by column both see their moves in an order that is mirrored."""
    settings = MctsSettings(rule=Uct(2**-0.5, two_ln=True), judge=Rollout("textbook"))
    seen = [view_of(game, game.initial).state(game.initial), states_of(game, moves=sorted(game.squares))()]
    trees = [Mcts(state, settings, ludus.Rng(5)) for state in seen]
    for tree in trees:
        tree.run(600)
    rows = [[(child.visits, child.value) for child in tree.children()] for tree in trees]
    assert rows[0] == rows[1] and sum(visits for visits, _ in rows[0]) == 600


@pytest.mark.parametrize(
    ("game", "state"),
    [
        (Own(), Own().initial),  # may have other rules
        (TicTacToe(1, 1, 1), TicTacToe(1, 1, 1).initial),  # no such compiled game
        (ConnectFour(), board(". . . . . . .\n" * 4 + ". . X . . . .\n. . . . . . .", "O")),  # a stone in the air
        (ConnectFour(), Board(7, 6, to_move="O", utility=0)),  # O begins
        (TicTacToe(), board("X X X\n. . .\nO O .", "O")),  # a line that the game has not noticed
        (ConnectFour(), Board(8, 6, to_move="X", utility=0)),  # another size
    ],
)
def test_whatever_the_compiled_game_does_not_know_is_searched_by_its_own_rules(game, state):
    assert isinstance(view_of(game, state), PythonView)
    assert monte_carlo_tree_search(game, state, simulations=20)[1] in game.actions(state)


# --------------------------------------------------------------------------------------------- agents and strategies


def test_agents_of_ludus_are_players():
    random.seed(1)
    strategies = {"X": random_player, "O": player("alphabeta:depth=3")}
    assert [play_game(ConnectFour(), strategies).utility for _ in range(10)].count(-1) >= 9
    random.seed(1)
    wins = [play_game(LastOne(10), {"white": player("mcts:simulations=300"), "black": random_player}) for _ in range(5)]
    assert [LastOne().utility(end, "white") for end in wins].count(1) >= 4


def test_strategies_play_in_matches_of_ludus():
    agents = [StrategyAgent(player(alphabeta_search)), StrategyAgent(random_player)]
    random.seed(1)
    game = ludus_game(TicTacToe(), compiled=False)
    record = play(game, agents, opening=[game.read("1:1"), game.read("0:1")])
    assert record.end == "rules" and record.score >= 0
    with pytest.raises(LudusError, match="compiled=False"):
        agents[0].decide(ludus_game(TicTacToe()).start(), ludus.Rng(1))


def test_an_illegal_move_of_a_strategy_loses():
    game = ludus_game(LastOne(), compiled=False)
    record = play(game, [StrategyAgent(lambda game, state: "three"), make_agent("random")])
    assert record.end == "illegal" and record.score == -1


def test_a_tournament_of_a_made_up_game(tmp_path):
    tournament = Tournament(ludus_game(LastOne(9)), ["mcts:simulations=200", "random"], games=4, workers=1)
    outcome = run(tournament, tmp_path / "run")
    assert len(outcome.records) == 4 and all(record.end == "rules" for record in outcome.records)


def test_a_game_needs_only_the_members_of_the_notebook():
    class Bare:
        """No subclass of Game."""

        initial = LastOne(5).initial
        actions, result, utility, is_terminal = (
            LastOne(5).actions, LastOne(5).result, LastOne(5).utility, LastOne(5).is_terminal,
        )  # fmt: skip

    assert not isinstance(Bare(), Game)
    assert monte_carlo_tree_search(Bare(), Bare.initial, simulations=50)[1] in ("one", "two")
    assert play_game(Bare(), {"white": random_player, "black": random_player}).stones == 0
