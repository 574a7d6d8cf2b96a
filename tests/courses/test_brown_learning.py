"""Brown's learning part: features, a data set from our own games, two networks, and agents that use them."""

import json
import pickle

import numpy as np
import pytest

import ludus
from ludus.courses.brown import learning, people
from ludus.courses.brown.agents import create_policy_agent_from_model, create_value_agent_from_model
from ludus.courses.brown.dataset import load_dataset, make_dataset, save_dataset
from ludus.courses.brown.features import feature_count, get_features, liberties_of, sensible_actions
from ludus.courses.brown.game_runner import create_agent, run_many
from ludus.courses.brown.go_search_problem import GoProblem, GoState
from ludus.courses.brown.go_utils import course_go
from ludus.courses.brown.heuristic_go_problems import GoProblemLearnedHeuristic
from ludus.courses.brown.plain_agents import GreedyAgent, RandomAgent
from tests.courses.brown_states import PyGoLike, row_of_the_data_set

torch = pytest.importorskip("torch")

from ludus.courses.brown import models  # noqa: E402
from ludus.courses.brown.learned_agents import LearnedValueAgent, PolicyAgent, load_value  # noqa: E402


def planes(state):
    """The features as seven boards and two numbers."""
    features = get_features(state)
    return np.array(features[:-2]).reshape(7, 5, 5), features[-2:]


def test_features_are_seen_by_the_player_to_move():
    state = course_go(5).after("C3 B3 B2")  # White to move: B3 has liberties A3 and B4, C3 three of them
    boards, (passed, white) = planes(state)
    assert len(get_features(GoState(state))) == feature_count(5) == 177 and (passed, white) == (0.0, 1.0)
    assert boards[1, 2, 1] == 1 and boards[:3].sum() == 1  # mine, two liberties
    assert boards[5].sum() == 2 and boards[3:5].sum() == 0  # theirs, three or more
    assert planes(course_go(5).after("C3 pass"))[1] == [1.0, 0.0]
    ko = course_go(5).after("B1 C1 A2 D2 B3 C3 C2 B2")
    assert planes(ko)[0][6].nonzero()[0].tolist() == [1] and planes(ko)[0][6].sum() == 1
    assert len(get_features(GoProblem(9).start_state)) == feature_count(9)


def test_features_are_the_same_for_every_kind_of_state():
    pyspiel = pytest.importorskip("pyspiel")
    native, spiel = course_go(5).after([12, 7, 11]), pyspiel.load_game("go(board_size=5,komi=0.5)").new_initial_state()
    for action in (12, 7, 11):
        spiel.apply_action(action)
    wanted = get_features(native)
    for state in (GoState(native), spiel, GoState(spiel), PyGoLike(native), row_of_the_data_set(native)):
        assert get_features(state) == wanted


def test_liberties_are_those_of_chains():
    cells = course_go(5).after("C3 C4 D3 A1 D4").cells()
    found = liberties_of(cells)
    assert found[12] == found[13] == found[18] == 6 and found[17] == 2 and found[0] == 2 and found[1] == 0


def test_passing_is_a_last_resort():
    """Black's two eyes are all that is left to fill: then it passes, and before that it does not."""
    alive = course_go(3).read_board("X . X\nX X X\n. X X")
    assert sensible_actions(alive, alive.actions()) == [9]
    open_board = course_go(5).after("C3")
    assert 25 not in sensible_actions(open_board, open_board.actions())
    won = course_go(5).after("C3 pass")
    assert sensible_actions(won, won.actions()) == [25]
    lost = course_go(5).after("A1 C3 pass")  # White has more: its pass would win, Black's would not
    assert sensible_actions(lost, lost.actions()) == [25] and lost.player == 1
    behind = course_go(5).after("pass C3 A1 pass")
    assert 25 not in sensible_actions(behind, behind.actions()) and behind.player == 0


def test_symmetries_turn_features_and_actions_together():
    state = course_go(5).after("B1 E4 C2")
    features = np.array(get_features(state))
    for (places, actions), symmetry in zip(models.turns(5), course_go(5).symmetries, strict=True):
        turned = course_go(5).after([int(symmetry.actions[a]) for a in state.history])
        assert features[places].tolist() == get_features(turned) and actions[25] == 25


def test_a_data_set_comes_from_our_games_and_is_kept_as_lines_of_json(tmp_path):
    told = []
    rows = make_dataset(games=3, simulations=20, seed=4, report=told.append)
    assert told == [1, 2, 3] and len(rows) > 20
    state, action, result = rows[0]
    assert isinstance(state, GoState) and action in state.legal_actions() and result in (-1.0, 0.0, 1.0)
    path = tmp_path / "set.jsonl"
    save_dataset(path, rows)
    again = load_dataset(path)
    assert [(s.internal_state.native, a, r) for s, a, r in again] == [
        (s.internal_state.native, a, r) for s, a, r in rows
    ]
    assert set(json.loads(path.read_text().splitlines()[0])) == {"size", "komi", "history", "action", "result"}
    assert [a for _, a, _ in make_dataset(games=3, simulations=20, seed=4)] == [a for _, a, _ in rows]
    with pytest.raises(ludus.LudusError, match="know their history"):
        save_dataset(path, [(PyGoLike(state.internal_state.native), action, result)])


ROW = '{{"size":{size},"komi":0.5,"history":[0],"action":{action},"result":{result}}}\n'


@pytest.mark.parametrize(
    "rows, sentence",
    [
        ([(5, 99, 1)], "action 99 or result 1 is not possible"),
        ([(5, 0, 1)], "action 0 or result 1 is not possible"),
        ([(5, 1, 7)], "action 1 or result 7 is not possible"),
        ([(5, 1, 1), (9, 1, 1)], "one size of the board; the data set has 5 and 9"),
    ],
)
@pytest.mark.parametrize("train", [models.train_value_network, models.train_policy_network])
def test_a_data_set_that_makes_no_sense_is_refused(tmp_path, train, rows, sentence):
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(ROW.format(size=size, action=action, result=result) for size, action, result in rows))
    with pytest.raises(ludus.LudusError, match=sentence):
        train(load_dataset(path), 1)


def test_a_pickle_is_never_loaded(tmp_path):
    class Harm:
        def __reduce__(self):
            return open, (str(tmp_path / "harm"), "w")

    path = tmp_path / "dataset_5x5.pkl"
    path.write_bytes(pickle.dumps([Harm()], protocol=0))
    with pytest.raises(ludus.LudusError, match="no data set of JSON lines"):
        load_dataset(path)
    torch.save({"model_state_dict": Harm()}, tmp_path / "value_model.pt")
    with pytest.raises(ludus.LudusError, match="holds no model_state_dict"):
        load_value(tmp_path / "value_model.pt")
    assert not (tmp_path / "harm").exists()


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """Both networks after a few games, and the folder with their files."""
    folder = tmp_path_factory.mktemp("brown")
    rows = make_dataset(games=40, simulations=60, seed=2)
    seen = {"value": [], "policy": []}
    value = models.train_value_network(rows, 3, 1e-3, seen["value"].append)
    policy = models.train_policy_network(rows, 3, 1e-3, seen["policy"].append)
    models.save_model(folder / "value_model.pt", value)
    models.save_model(folder / "policy_model.pt", policy)
    return folder, value, policy, seen


def test_networks_have_the_shapes_of_the_course():
    value, policy = models.ValueNetwork(10), models.PolicyNetwork(10, board_size=5)
    assert value(torch.zeros(10)).shape == (1,) and policy(torch.zeros(4, 10)).shape == (4, 26)
    assert models.PolicyNetwork(input_size=10, board_size=9)(torch.zeros(10)).shape == (82,)


def test_training_lowers_the_loss_and_is_repeatable(trained):
    _, _, _, seen = trained
    for epochs in seen.values():
        assert epochs[-1].loss < epochs[0].loss and [epoch.number for epoch in epochs] == [1, 2, 3]
    rows = make_dataset(games=4, simulations=20, seed=2)
    twice = [models.train_value_network(rows, num_epochs=1, learning_rate=1e-3, seed=5) for _ in range(2)]
    for one, other in zip(*(model.parameters() for model in twice), strict=True):
        assert torch.equal(one, other)
    for wrong, sentence in (([], "no positions"), (rows[:1], "at least two")):
        with pytest.raises(ludus.LudusError, match=sentence):
            models.train_policy_network(wrong, 1, 1e-3)


def test_the_heuristic_is_blacks_and_knows_the_end(trained):
    _, value, _, _ = trained
    problem = GoProblemLearnedHeuristic(value, GoProblem(5).start_state)
    state = GoState(course_go(5).after("C3"))  # White to move
    said = value(torch.tensor(problem.encoding(state))).item()
    assert problem.heuristic(state, 1) == pytest.approx(-said) and str(problem) == "Learned Heuristic"
    assert problem.heuristic(GoState(course_go(5).after("C3 pass pass")), 0) == 1.0
    ahead, behind = (GoState(course_go(5).after(moves)) for moves in ("C3 A1 C2 A5", "A1 C3 A5 C2"))
    assert problem.heuristic(ahead, 0) > problem.heuristic(behind, 0)


def test_files_hold_weights_alone_and_come_back(trained, monkeypatch):
    folder, value, _, _ = trained
    held = torch.load(folder / "value_model.pt", weights_only=True)
    assert list(held) == ["model_state_dict"]
    monkeypatch.chdir(folder)
    agent, policy = create_value_agent_from_model(), create_policy_agent_from_model()
    assert str(agent) == "GreedyAgent + Learned Heuristic" and str(policy) == "Policy Agent"
    state = GoState(course_go(5).after("C3 D3"))
    assert agent.get_move(state, 15) == LearnedValueAgent(value).get_move(state, 15)
    assert PolicyAgent(GoProblem(5), "policy_model.pt", board_size=5).get_move(state, 15) == policy.get_move(state)
    again = models.load_model("value_model.pt", models.ValueNetwork(feature_count(5)))
    assert again(torch.tensor(get_features(state))).item() == value(torch.tensor(get_features(state))).item()


@pytest.mark.parametrize(
    "call, sentence",
    [
        (lambda: create_value_agent_from_model("no.pt"), "there is no file 'no.pt'; this trains a network"),
        (lambda: models.load_model("value_model.pt", models.ValueNetwork(3)), "does not fit this network"),
        (lambda: create_policy_agent_from_model(board_size=9), "a policy for 9x9 reads"),
        (lambda: create_value_agent_from_model(board_size=9), "a value for 9x9 reads 569; this trains one"),
        (lambda: create_value_agent_from_model().get_move(GoProblem(9).start_state, 1), "cannot read 569 features"),
        (lambda: create_policy_agent_from_model("value_model.pt"), "a policy for 5x5 reads 177 and gives 26"),
        (lambda: create_policy_agent_from_model().get_move(GoProblem(9).start_state, 1), "plays on 5x5, not on 9x9"),
    ],
)
def test_mistakes_are_told_in_a_sentence(trained, monkeypatch, call, sentence):
    monkeypatch.chdir(trained[0])
    with pytest.raises(ludus.LudusError, match=sentence):
        call()


def test_agents_with_networks_play_legal_moves_and_beat_random_play(trained):
    _, value, policy, _ = trained
    problem = GoProblem(5)
    for agent in (LearnedValueAgent(value), PolicyAgent(model=policy)):
        won = 0
        for seed in range(6):
            state, moves, mine = problem.start_state, 0, seed % 2
            while not problem.is_terminal_state(state):
                mover = agent if moves % 2 == mine else RandomAgent(seed)
                action = mover.get_move(state.clone(), 15.0)
                assert type(action) is int and action in state.legal_actions()
                state, moves = problem.transition(state, action), moves + 1
            won += problem.get_result(state) == (1 if mine == 0 else -1)
        assert won >= 5
    for state in (PyGoLike(course_go(5).after([12, 7])), row_of_the_data_set(course_go(5).after([12, 7]))):
        assert LearnedValueAgent(value).get_move(state, 1) == LearnedValueAgent(value).get_move(
            GoState(course_go(5).after([12, 7])), 1
        )
        assert PolicyAgent(model=policy).get_move(state, 1) in course_go(5).after([12, 7]).actions()


def test_a_network_of_a_student_may_return_a_tensor():
    """In the course's notebook the heuristic is what the network says, unconverted."""

    class Theirs(GoProblemLearnedHeuristic):
        def heuristic(self, state, player_index):
            return torch.tensor([state.get_pieces_array(0)[0, 3] - 0.5], requires_grad=True)

    assert LearnedValueAgent(search_problem=Theirs()).get_move(course_go(5).start(), 1) == 3


def test_the_command_trains_and_writes_everything(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    learning.main(["--games", "4", "--simulations", "20", "--epochs", "1", "--out", "made"])
    said = capsys.readouterr()
    assert "positions of 4 games" in said.out and "value_model.pt epoch 1: loss" in said.err
    assert {path.name for path in (tmp_path / "made").iterdir()} == {
        "dataset_5x5.jsonl", "value_model.pt", "policy_model.pt"
    }  # fmt: skip
    learning.main(["--dataset", "made/dataset_5x5.jsonl", "--epochs", "1"])
    assert (tmp_path / "policy_model.pt").is_file()
    with pytest.raises(SystemExit) as left:
        learning.main(["--dataset", "nowhere.jsonl"])
    assert left.value.code == 2 and "cannot read nowhere.jsonl" in capsys.readouterr().err
    for mistake, sentence in (
        ("--seed -1", "seed must be"),
        ("--lr 0", "lr must be"),
        ("--out policy_model.pt", "write"),
    ):
        with pytest.raises(SystemExit):
            learning.main(["--games", "1", *mistake.split()])
        assert sentence in capsys.readouterr().err


def test_agents_of_the_page_have_the_network_for_its_board(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    models.save_model("value_model.pt", models.ValueNetwork(feature_count(7)))
    models.save_model("policy_model.pt", models.PolicyNetwork(feature_count(7), 7))
    state = ludus.make("go", size=7).start()
    for kind in ("learned", "policy"):
        text = people.page_command(kind, 2, 7)[7].partition("=")[2]
        assert ludus.agents.make_agent(text).decide(state, ludus.Rng(1)).action in state.actions()
    assert create_agent("learned").get_move(GoState(state), 1) in state.actions()  # its size was not asked for


def test_without_files_of_ones_own_the_factories_make_agents_with_the_networks_of_ludus(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for agent in (create_value_agent_from_model(), LearnedValueAgent(), create_policy_agent_from_model()):
        scores = run_many(agent, GreedyAgent(ties="random", seed=1), num_games=6, verbose=False)
        assert scores[0] >= 4, scores
    with pytest.raises(ludus.LudusError, match="needs a model"):
        GoProblemLearnedHeuristic().heuristic(GoProblem(5).start_state, 0)
