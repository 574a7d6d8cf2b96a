"""OpenSpiel both ways: its games and bots with us, our agents there."""

import pickle
import sys

import pytest

import ludus
from ludus.agents import AgentFailed, TimeLeft, make_agent, write_agent
from ludus.play.match import play
from ludus.testing import check_game

pyspiel = pytest.importorskip("pyspiel")

from ludus.protocols.openspiel import OpenSpielState, playable  # noqa: E402
from ludus.protocols.openspiel_agents import OpenSpielAgent, as_bot  # noqa: E402
from ludus.protocols.openspiel_twins import twin_of  # noqa: E402

FAMILIES = {  # games and how many random ones are looked at
    "breakthrough(rows=6,columns=6)": 20, "clobber": 20, "y(board_size=7)": 10, "havannah(board_size=4)": 10,
    "amazons(board_size=6)": 10, "oware": 10, "mancala": 20, "pentago": 10, "lines_of_action": 2, "checkers": 10,
    "chess": 1, "xiangqi": 1, "nine_mens_morris": 5, "dots_and_boxes(utility_margin=True)": 20, "quoridor": 5,
    "ultimate_tic_tac_toe": 20, "twixt": 10, "gomoku(size=7)": 5, "nim": 20, "misere(game=tic_tac_toe())": 20,
    "start_at(game=hex(board_size=3),history=4;0)": 20,
}  # fmt: skip


@pytest.mark.parametrize("text", FAMILIES)
def test_games_of_every_family_keep_the_contract(text):
    assert check_game(f"openspiel:{text}", games=FAMILIES[text]) > 0


@pytest.mark.parametrize("text", ["breakthrough", "oware", "dots_and_boxes(utility_margin=True,num_rows=3)", "chess"])
def test_a_game_goes_as_it_goes_there(text):
    game, theirs, rng = ludus.make(f"openspiel:{text}"), pyspiel.load_game(text), ludus.Rng(3)
    for _ in range(3):
        state, other = game.start(), theirs.new_initial_state()
        while not state.over:
            assert (state.player, list(state.actions())) == (other.current_player(), other.legal_actions())
            action = rng.choice(state.actions())
            assert state.write(action) == other.action_to_string(state.player, action)
            state = state.play(action)
            other.apply_action(action)
        assert other.is_terminal()
        assert [state.score(p) for p in (0, 1)] == [(r > 0) - (r < 0) for r in other.returns()]
        assert state.moves == other.history()


def test_all_suitable_games_are_offered_and_no_others():
    names = playable(pyspiel)
    assert {"amazons", "breakthrough", "chess", "go", "y"} <= set(names)
    assert not {"kuhn_poker", "backgammon", "matrix_rps", "2048", "phantom_ttt"} & set(names)


@pytest.mark.parametrize(
    "text, sentence",
    [
        ("kuhn_poker", "is not of perfect information and not without chance"),
        ("backgammon", "is not without chance, and Ludus plays"),
        ("matrix_rps", "not played in turns"),
        ("2048", "is not for two players"),
        ("chinese_checkers(players=3)", "is not for two players"),
        ("tiny_hanabi", "not zero-sum"),
        ("brekthrough", "no game 'brekthrough'; did you mean breakthrough? There are amazons"),
        ("", "no game ''; there are amazons"),
        ("breakthrough(rows=-1)", "cannot load 'breakthrough(rows=-1)'"),
        ("breakthrough(lines=3)", "Unknown parameter 'lines'"),
        ("breakthrough(rows=6", "Missing closing bracket"),
        ("hex(board_size=0)", "begins without a legal move"),
    ],
)
def test_other_games_are_refused_in_one_sentence(text, sentence, capfd):
    with pytest.raises(ludus.LudusError) as caught:
        ludus.make(f"openspiel:{text}")
    assert sentence in str(caught.value) and "\n" not in str(caught.value)
    assert capfd.readouterr().err == ""  # OpenSpiel's own complaint is not heard


def test_without_openspiel_a_sentence_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    for make in (lambda: ludus.make("openspiel:breakthrough"), lambda: make_agent("openspiel:mcts")):
        with pytest.raises(ludus.LudusError, match="not installed; get it with: pip install open_spiel"):
            make()


def test_options_in_the_text_or_one_by_one():
    game = ludus.make("openspiel:breakthrough(rows=6, columns=5)")
    assert game == ludus.make("openspiel:breakthrough", rows=6, columns=5) == pickle.loads(pickle.dumps(game))
    assert str(game) == "openspiel:breakthrough(columns=5,rows=6)" and str(ludus.make("openspiel:y")) == "openspiel:y"
    assert game != ludus.make("openspiel:breakthrough")


def test_states_travel_and_keep_their_past():
    state = ludus.make("openspiel:breakthrough").after("a7a6 h2h3 b7b6")
    again = pickle.loads(pickle.dumps(state))
    assert again == state and hash(again) == hash(state) and again.moves == state.moves and len(again.moves) == 3
    assert again.planes().shape == state.game.planes_shape == (5, 8, 8)
    assert state.planes()[3:, 0, 0].tolist() == [0, 1]  # player 1 is to move
    assert not hasattr(state, "history")  # which would make it a native state to the searches


def test_moves_are_written_as_people_write_them_there():
    game = ludus.make("openspiel:breakthrough")
    assert game.write(game.read("a2a3")) == "a2a3"
    with pytest.raises(ludus.LudusError, match="a2a4"):
        game.after("a2a4")
    chess = ludus.make("openspiel:chess")
    state = chess.after("e4 e5 Nf3")
    assert "5 . . . . p . . ." in chess.draw(state) and state.read("nc6") == state.read("Nc6")
    assert chess.read(chess.write(state.read("Nc6"))) == state.read("Nc6")  # a number: the word means other actions
    with pytest.raises(ludus.LudusError, match="moves here are"):
        state.read("Nf3 takes everything")
    with pytest.raises(ludus.LudusError, match="not legal here"):
        state.play(0)


@pytest.mark.parametrize("text", ["mcts:simulations=30", "alphabeta:depth=2", "deepening:depth=2", "greedy"])
def test_our_searches_play_their_games(text):
    game = ludus.make("openspiel:breakthrough(rows=5,columns=4)")
    record = play(game, [make_agent(text), make_agent("random")], seed=1)
    assert record.end == "rules" and record.score in (-1, 1)
    assert list(record.replay(game))[-1].over


def test_our_mcts_beats_chance_there():
    game = ludus.make("openspiel:breakthrough(rows=5,columns=4)")
    wins = sum(play(game, [make_agent("mcts:simulations=60"), make_agent("random")], seed=s).score for s in range(8))
    assert wins >= 6


TWINS = [
    ("tic_tac_toe", {}), ("tic_tac_toe", {"width": 5, "height": 4, "line": 4}), ("connect_four", {}), ("othello", {}),
    ("connect_four", {"width": 5, "height": 6, "line": 3}), ("hex", {"size": 4}), ("hex", {"size": 4, "swap": True}),
    ("hex", {"size": 4, "starter": 1}), ("hex", {"size": 4, "starter": 1, "swap": True}),
    ("nim", {"stones": 9, "most": 9, "starter": 1}), ("go", {"size": 5}), ("go", {"size": 5, "max_length": 17}),
]  # fmt: skip


@pytest.mark.parametrize("name, options", TWINS, ids=str)
def test_twins_go_the_same_way(name, options):
    """Random games: the same legal actions, and the same winner in the end."""
    game, rng = ludus.make(name, **options), ludus.Rng(5)
    twin = twin_of(game)
    for _ in range(20):
        state = game.start()
        while not state.over:
            other = twin.follow(state)
            legal = sorted(twin.translate(a) for a in other.legal_actions())
            assert set(state.actions()) <= set(legal) if name == "go" else list(state.actions()) == legal
            assert twin.lead(other) == state
            action = rng.choice(state.actions())
            other.apply_action(twin.translate(action))
            state = state.play(action)
        first = game.start().player
        assert other.is_terminal() and other.returns()[0] == state.score(first)


@pytest.mark.parametrize(
    "name, options, sentence",
    [
        ("ledge", {}, "OpenSpiel has no game like ledge"),
        ("othello", {"size": 6}, "8x8 and with passing"),
        ("othello", {"passing": False}, "8x8 and with passing"),
        ("nim", {"stones": 12, "most": 3}, "needs most >= stones"),
    ],
)
def test_rules_that_openspiel_does_not_have_are_named(name, options, sentence):
    with pytest.raises(ludus.LudusError, match=sentence):
        make_agent("openspiel:mcts").decide(ludus.make(name, **options).start(), ludus.Rng(1))


def test_a_drawn_board_cannot_be_followed():
    state = ludus.make("tic_tac_toe").read_board("X . .\n. O .\n. . .")
    with pytest.raises(ludus.LudusError, match="only from its start"):
        make_agent("openspiel:mcts").decide(state, ludus.Rng(1))


@pytest.mark.parametrize(
    "name, options",
    [("hex", {"size": 5}), ("hex", {"size": 5, "starter": 1}), ("connect_four", {}), ("go", {"size": 3})],
    ids=str,
)
def test_our_mcts_and_theirs_play_whole_matches(name, options):
    game = ludus.make(name, **options)
    for seed in range(4):
        agents = [make_agent("mcts:simulations=100"), make_agent("openspiel:mcts,simulations=100")]
        record = play(game, agents if seed % 2 else agents[::-1], seed=seed)
        assert record.end == "rules", record.why


def test_their_mcts_takes_a_win_and_tells_why():
    state = ludus.make("connect_four").after("1 7 1 7 1 6")
    decision = OpenSpielAgent("mcts", simulations=500).decide(state, ludus.Rng(1))
    assert decision.action == 0 and decision.why == "a proven win" and decision.value == 1 and decision.line == [0]
    state = ludus.make("hex", size=4).start()
    decision = OpenSpielAgent("mcts", simulations=300, solve=False).decide(state, ludus.Rng(1))
    assert decision.simulations == 300 and sum(decision.visits.values()) == 299  # the first one was the root's
    assert decision.value == decision.values[decision.action] and decision.line[0] == decision.action


def test_their_choice_is_the_one_their_bot_makes():
    game = ludus.make("connect_four")
    for seed in range(5):
        decision = OpenSpielAgent("mcts", simulations=50).decide(game.after("4"), ludus.Rng(seed))
        dice, twin = ludus.Rng(seed).below(1 << 30), twin_of(game)
        bot = pyspiel.MCTSBot(twin.spiel, pyspiel.RandomRolloutEvaluator(1, dice), 2.0, 50, 1000, True, dice, False)
        assert decision.action == bot.step(twin.follow(game.after("4")))


def test_their_mcts_keeps_to_the_time():
    """It stops by itself, long before the simulations it may make are made."""
    state, rng = ludus.make("go", size=19).start(), ludus.Rng(1)
    for agent, left in (
        (OpenSpielAgent("mcts", seconds=0.1), None),
        (OpenSpielAgent("mcts"), TimeLeft(0.1, moves=1)),
        (OpenSpielAgent("mcts", simulations=10**6), TimeLeft(0.1, moves=1)),
        (OpenSpielAgent("mcts", seconds=100), TimeLeft(2.0)),
    ):
        decision = agent.decide(state, rng, left)
        assert decision.action in state.actions() and decision.simulations < 10**5
    assert OpenSpielAgent("mcts").limits(state, None) == (1000, None)
    assert OpenSpielAgent("mcts", simulations=7).limits(state, TimeLeft(10))[0] == 7


def test_in_go_their_bot_plays_what_our_superko_allows():
    """On 2x2 a repetition is the loser's best hope: a draw over there, illegal with us."""
    game, hopes = ludus.make("go", size=2), 0
    for seed in range(4):
        record = play(game, [make_agent("openspiel:mcts,simulations=100")] * 2, seed=seed)
        assert record.end == "rules", record.why
        for state in record.replay(game):
            hopes += not state.over and len(twin_of(game).follow(state).legal_actions()) > len(state.actions())
    assert hopes > 0


def test_other_bots_by_name():
    state = ludus.make("openspiel:clobber").start()
    assert make_agent("openspiel:random").decide(state, ludus.Rng(1)).action in state.actions()
    assert make_agent("openspiel:fixed_action_preference").decide(state, ludus.Rng(1)).action in state.actions()
    with pytest.raises(AgentFailed, match="cannot make its bot"):
        make_agent("openspiel:uniform_restricted_actions").decide(state, ludus.Rng(1))


def test_an_agent_is_written_as_it_is_read():
    agent = make_agent("openspiel:mcts,simulations=50,c=1.5,solve=false")
    assert agent == OpenSpielAgent("mcts", simulations=50, c=1.5, solve=False)
    assert make_agent(write_agent(agent)) == agent == pickle.loads(pickle.dumps(agent))
    for text in ("openspiel:mtcs", "openspiel:mcts,rollouts=0", "openspiel:mcts,simulations=0"):
        with pytest.raises(ludus.LudusError):
            make_agent(text)


@pytest.mark.parametrize(
    "game",
    [ludus.make("hex", size=4), ludus.make("openspiel:breakthrough(rows=5,columns=4)")],
    ids=str,
)
def test_our_agents_play_there_as_bots(game):
    import numpy as np
    from open_spiel.python.algorithms.evaluate_bots import evaluate_bots

    theirs, won = twin_of(game).spiel, 0
    for seed in range(4):
        bot = as_bot(make_agent("mcts:simulations=100"), game, 0, ludus.Rng(seed))
        bots = [bot, pyspiel.make_uniform_random_bot(1, seed)]
        won += evaluate_bots(theirs.new_initial_state(), bots, np.random)[0]
        assert pyspiel.evaluate_bots(theirs.new_initial_state(), bots, seed)[0] in (-1, 1)
    assert won >= 2
    policy, action = bot.step_with_policy(theirs.new_initial_state())
    assert [a for a, _ in policy] == theirs.new_initial_state().legal_actions()
    assert sum(share for _, share in policy) == pytest.approx(1) and dict(policy)[action] > 0


def test_a_bot_refuses_another_game():
    bot = as_bot(make_agent("random"), ludus.make("hex", size=4), 0, ludus.Rng(1))
    with pytest.raises(ludus.LudusError, match="this bot plays hex"):
        bot.step(pyspiel.load_game("hex(board_size=5)").new_initial_state())


def test_a_state_is_never_changed():
    state = ludus.make("openspiel:pentago").start()
    before = str(state.spiel)
    make_agent("openspiel:mcts,simulations=20").decide(state, ludus.Rng(1))
    assert isinstance(state.play(0), OpenSpielState) and str(state.spiel) == before and state.moves == []
