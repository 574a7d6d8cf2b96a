"""Brown's runner: its clock, what it counts and prints in every generation, its command line, and students' files."""

import io
import re
import subprocess
import sys

import pytest

import ludus
from ludus.agents import TimeLeft
from ludus.courses.brown import command_line, game_runner, generation, people
from ludus.courses.brown.agents import AlphaBetaAgent, GreedyAgent, LudusAgent, RandomAgent
from ludus.courses.brown.bridge import BrownAgent
from ludus.courses.brown.game_runner import GameRunner, GameStats, TournamentStats, create_agent, run_game, run_many
from ludus.courses.brown.generation import F24, S25, S26
from ludus.courses.brown.go_search_problem import GoState
from ludus.courses.brown.page_agent import CourseAgent
from ludus.courses.brown.playing import Terms, play_game
from ludus.courses.brown.students import load_agent
from ludus.play.clock import Timing
from ludus.play.match import play


@pytest.fixture(autouse=True)
def first_generation():
    yield generation.use("f24")
    generation.use("f24")


class Time:
    """A clock that only agents move."""

    def __init__(self):
        self.at = 100.0

    def __call__(self):
        return self.at


class Slow:
    """Takes a number of seconds for every move, one after the other, and plays the first legal action; or passes."""

    def __init__(self, time, seconds, passes=False):
        self.time, self.seconds, self.passes, self.saw, self.resets = time, list(seconds), passes, [], 0

    def get_move(self, state, time_limit):
        self.saw.append(time_limit)
        self.time.at += self.seconds.pop(0) if len(self.seconds) > 1 else self.seconds[0]
        return state.legal_actions()[-1 if self.passes else 0]

    def reset(self):
        self.resets += 1

    def __str__(self):
        return "Slow"


def lines(capsys):
    return capsys.readouterr().out.splitlines()


# ------------------------------------------------------------------------------------------- the clock


@pytest.mark.parametrize("how", [F24, S25, S26])
def test_the_clock_gains_its_increment_after_the_move(how):
    time = Time()
    black, white = Slow(time, [0.05]), Slow(time, [0.05])
    stats = play_game(black, white, Terms(5, 1.0, 0.5), how, time)
    assert black.saw[:3] == pytest.approx([1, 1.45, 1.9]) and white.saw[:3] == pytest.approx([1, 1.45, 1.9])
    assert stats.player1_time_remaining == pytest.approx(1 + 0.45 * len(stats.player1_move_times))
    assert stats.player1_avg_time == pytest.approx(0.05) == stats.player2_max_time


@pytest.mark.parametrize(
    "how, player, said",
    [
        (F24, 1, ["Player 1 over time"]),
        (F24, 2, ["Player 2 over time"]),
        (S25, 1, []),
        (S25, 2, ["Player 2 over time"]),
        (S26, 1, ["Player 1 ran out of time and forfeits the game!"]),
        (S26, 2, ["Player 2 ran out of time and forfeits the game!"]),
    ],
)
def test_an_overrun_forfeits_the_game(how, player, said, capsys):
    """Also in the very first move, at which the course's program of 2024 crashes."""
    time = Time()
    agents = [Slow(time, [2.0] if number == player else [0.1]) for number in (1, 2)]
    stats = play_game(*agents, Terms(5, 1.0, 0.5), how, time)
    assert stats.winner == (-1 if player == 1 else 1) and lines(capsys) == said
    left = (stats.player1_time_remaining, stats.player2_time_remaining)[player - 1]
    assert left == pytest.approx(-1.0) and len(stats.player2_move_times) == player - 1
    assert (stats.player2_avg_time, stats.player2_max_time) == ((0.0, 0.0) if player == 1 else (2.0, 2.0))


def test_exactly_no_time_left_is_an_overrun():
    time = Time()
    assert play_game(Slow(time, [1.0]), Slow(time, [0.1]), Terms(5, 1.0), F24, time).winner == -1


@pytest.mark.parametrize("how, black_gains, white_gains", [(F24, 0.5, 0.0), (S26, 0.5, 0.5)])
def test_soft_time_goes_on(how, black_gains, white_gains, capsys):
    time = Time()
    black, white = Slow(time, [2.0, 0.0]), Slow(time, [2.0, 0.0])
    stats = play_game(black, white, Terms(5, 1.0, 0.5, hard_time_cutoff=False), how, time)
    assert black.saw[1] == pytest.approx(-1 + black_gains) and white.saw[1] == pytest.approx(-1 + white_gains)
    assert stats.winner in (-1.0, 0.0, 1.0) and len(stats.player1_move_times) > 5
    said = lines(capsys)
    assert (said == []) if how is S26 else (said[:2] == ["Player 1 over time", "Player 2 over time"])


def test_agents_get_a_clone():
    class Vandal(RandomAgent):
        def get_move(self, state, time_limit):
            action = state.legal_actions()[-1]
            state.apply_action(0)
            return action

    assert play_game(Vandal(), Vandal(), Terms(5), F24).winner == -1.0  # two passes: White has komi


def test_an_illegal_action_is_one_sentence():
    time = Time()
    agent = Slow(time, [0.0])
    agent.get_move = lambda state, time_limit: 99
    with pytest.raises(ludus.LudusError, match="Slow answered 99: action 99 is not legal"):
        run_game(agent, RandomAgent())


# ------------------------------------------------------------------------------------------- F24 and S25

NUMBER = r"-?\d+(\.\d+)?(e-\d+)?"


def test_the_twelve_lines_of_2024(capsys):
    scores = run_many(GreedyAgent(), RandomAgent(seed=1), num_games=6)
    assert scores == scores_said(capsys)


def scores_said(capsys):
    """The two scores of twelve lines that are as they must be."""
    said, stats = lines(capsys), []
    what = [
        "Score", "Score with Black (first move)", "Average Duration", "Longest Duration", "Average Time Remaining",
        "Min Time Remaining",
    ]  # fmt: skip
    names = ["Agent 1: GreedyAgent + Simple Heuristic", "Agent 2: RandomAgent"]
    assert len(said) == 12
    for line, head in zip(said, (f"{name} {word}: " for word in what for name in names), strict=True):
        assert line.startswith(head) and re.fullmatch(NUMBER, line.removeprefix(head))
        stats.append(float(line.removeprefix(head)))
    assert re.fullmatch(r".* Score: -?\d+\.0", said[0]) and stats[0] == -stats[1] and stats[2] - stats[3] == stats[0]
    return stats[0], stats[1]


def test_scores_are_wins_less_losses_and_colours_alternate(capsys):
    """Both always pass, so White wins every game by komi."""
    time = Time()
    one, other = Slow(time, [0.0], passes=True), Slow(time, [0.0], passes=True)
    assert run_many(one, other, num_games=4) == (0.0, 0.0)
    said = lines(capsys)
    assert said[:4] == [
        "Agent 1: Slow Score: 0.0",
        "Agent 2: Slow Score: 0.0",
        "Agent 1: Slow Score with Black (first move): -2.0",
        "Agent 2: Slow Score with Black (first move): -2.0",
    ]
    assert said[8].startswith("Agent 1: Slow Average Time Remaining: 15.9")
    assert len(one.saw) == len(other.saw) == 4 and one.resets == other.resets == 2


def test_odd_numbers_lose_a_game_in_2024_and_gain_one_later():
    time = Time()
    one, other = Slow(time, [0.0], passes=True), Slow(time, [0.0], passes=True)
    run_many(one, other, num_games=5, verbose=False)
    assert len(one.saw) == 4
    assert GameRunner().play_tournament(one, other, num_games=5, verbose=False).games_played == 6
    assert GameRunner().play_tournament(one, other, num_games=1, verbose=False).games_played == 2
    with pytest.raises(ludus.LudusError, match="at least two games"):
        run_many(one, other, num_games=1)


def test_one_game_of_2024_tells_its_times_and_its_true_score(capsys):
    result, info = run_game(AlphaBetaAgent(2), GreedyAgent(), time_limit=5, time_increment=0, size=4)
    assert list(info) == [
        "Agent 1 End Time", "Agent 2 End Time", "Agent 1 Average Duration", "Agent 2 Average Duration",
        "Agent 1 Longest Duration", "Agent 2 Longest Duration", "Agent 1 Score", "Agent 2 Score",
    ]  # fmt: skip
    assert info["Agent 1 Score"] == result == -info["Agent 2 Score"] and info["Agent 1 End Time"] < 5


# ------------------------------------------------------------------------------------------- F25 and S26


def test_the_ten_lines_of_2026(capsys):
    stats = TournamentStats()
    stats.add_game(GameStats(1, 16.04, 15.96, [0.1, 0.3], [0.2]), player1_is_black=True)
    stats.add_game(GameStats(-1, 12.5, 11.0, [0.4], [0.0, 0.1]), player1_is_black=False)
    stats.add_game(GameStats(0, 20.0, 20.0), player1_is_black=False)  # a draw is booked as a win of agent 2
    stats.print_summary("A", "B")
    assert lines(capsys) == [
        "Tournament Results",
        "Games played: 3",
        "A wins: 1 (33.3%)",
        "B wins: 2 (66.7%)",
        "A wins as BLACK: 1",
        "B wins as BLACK: 2",
        "A avg move time: 0.200s",
        "B avg move time: 0.083s",
        "A min time remaining: 12.5s",
        "B min time remaining: 11.0s",
    ]
    assert stats.scores == (0.0, 0.0) and stats.player1_max_move_time == 0.4


def test_a_tournament_of_2026_resets_before_each_pair(capsys):
    time = Time()
    one, other = Slow(time, [0.0], passes=True), Slow(time, [0.0], passes=True)
    stats = GameRunner(board_size=4, time_limit=3.0, time_increment=0.25).play_tournament(one, other, 4)
    assert (stats.player1_wins, stats.player2_wins, stats.player1_wins_as_black) == (2, 2, 0) and one.resets == 2
    assert one.saw == [3.0] * 4 and lines(capsys)[0] == "Tournament Results"


# ------------------------------------------------------------------------------------------- the command line


def run(text, capsys):
    command_line.main(text.split())
    return lines(capsys)


def test_the_commands_of_the_text(capsys):
    said = run("--agent1-type greedy --agent2-type random --mode tournament --num-games 10", capsys)
    assert len(said) == 12 and said[0].startswith("Agent 1: GreedyAgent + Simple Heuristic Score: ")
    said = run("--agent1 greedy --agent2 random --mode tournament --games 3 --size 4", capsys)
    assert said[:2] == ["Tournament Results", "Games played: 4"] and len(said) == 10
    said = run("--agent1 alphabeta --agent1-depth 3 --mode vs --size 4", capsys)
    assert re.fullmatch(r"Winner: -?[01]\.0", said[0]) and re.fullmatch(r"Player 2 time remaining: [\d.]+s", said[2])
    said = run("--mode vs --agent1-type minimax --agent2-type greedy --size 4 --time-limit 3 --soft-time", capsys)
    assert len(said) == 1 and said[0].startswith("Game Info: {'Agent 1 End Time': ")
    assert run("--mode tournament --agent1-type random --agent2-type random --num-games 4 --quiet", capsys) == []


def test_the_spelling_says_the_generation_unless_an_option_does(capsys):
    spelling = command_line.spelling
    assert spelling(["--agent1-type=greedy"], "vs") == "f24" and spelling(["--games", "4"], "vs") == "s26"
    assert spelling(["--num-games", "4"], "tournament") == "f24" and spelling([], "text") == "s25"
    said = run("--agent1-type random --games 2 --mode tournament --generation s26 --agent2 random", capsys)
    assert said[0] == "Tournament Results"
    with pytest.raises(ludus.LudusError, match="one spelling"):
        spelling(["--agent1-type", "x", "--games", "3"], "vs")


def test_seeds_make_tournaments_repeatable(capsys):
    text = "--agent1 greedy-random --agent2 random --mode tournament --games 6 --seed 5"
    assert run(text, capsys)[:6] == run(text, capsys)[:6]


@pytest.mark.parametrize(
    "text, sentence",
    [
        ("--mode vs --agent1 alfabeta", "there is no agent 'alfabeta'; did you mean alphabeta?"),
        ("--mode vs --size 1", "size must be a whole number from 2 to 19"),
        ("--mode vs --time-limit 0", "time limit must be above 0"),
        ("--mode tournament --num-games 0", "at least two games"),
        ("--mode vs --agent1 mcts:simulatons=3", "has no option 'simulatons'"),
        ("--mode vs --agent1 nowhere.py:Agent", "there is no file 'nowhere.py'"),
        ("--mode vs --agent1 learned --size 9", "a value for 9x9 reads 569; this trains one: python -m ludus.courses."),
        ("--mode vs --agent1 policy --size 9", "this trains one: python -m ludus.courses.brown.learning --size 9"),
        ("--mode vs --agent1 alphabeta --agent1-depth 0", "depth must be a whole number"),
        ("--mode vs --generation f99", "no generation 'f99'"),
        ("--mode vs --seed -1", "seed must be"),
    ],
)
def test_mistakes_are_one_sentence(text, sentence, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as left:
        command_line.main(text.split())
    said = capsys.readouterr()
    assert left.value.code == 2 and sentence in said.err and said.err.count("\n") == 1 and said.out == ""


def test_it_runs_as_a_module():
    command = [sys.executable, "-m", "ludus.courses.brown", "--mode", "vs", "--agent1", "random", "--agent2", "random"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("Winner: ") and done.stderr == ""
    slim = "import sys; sys.argv[1:] = ['--mode', 'vs', '--size', '3']; import ludus.courses.brown.command_line as c; "
    slim += "c.main(); print([m for m in ('torch', 'matplotlib', 'pyspiel') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", slim], capture_output=True, text=True).stdout.endswith("[]\n")


def test_every_kind_of_agent_is_made_by_name():
    for kind, name in [
        ("random", "RandomAgent"), ("GREEDY", "GreedyAgent + Simple Heuristic"), ("mcts", "MCTS"),
        ("greedy-random", "GreedyAgent (random ties) + Simple Heuristic"), ("final", "Ludus 5x5"),
        ("ids", "IterativeDeepneing + Simple Heuristic"), ("mcts:simulations=5", "mcts:simulations=5"),
    ]:  # fmt: skip
        assert str(create_agent(kind)) == name
    assert create_agent("alphabeta", depth=4).depth == 4 and create_agent("minimax").depth == 2
    assert str(create_agent("final", size=9)) == "Ludus 9x9"


# ------------------------------------------------------------------------------------------- against a person


def terminal(how, answers, agent=None):
    """What a person sees who gives these answers."""
    said, questions, answers = [], [], iter(answers)

    def hear(question):
        questions.append(question)
        try:
            return next(answers)
        except StopIteration:
            raise EOFError from None

    people.play_in_terminal(agent or Slow(Time(), [0.0], passes=True), 5, 1, how, hear)
    return questions, said


def test_the_terminal_of_2025_asks_for_column_and_row(capsys):
    questions, _ = terminal(S25, ["x", "0", "9", "9", "2", "1"])
    said = lines(capsys)
    assert said[:3] == [
        "Starting game... 5",
        "Agent Action: 25 , which corresponds to coordinate  (0, 5)",
        "  0 1 2 3 4 ",
    ]
    assert questions[:2] == ["Enter col of action: ", "Enter row of action: "]
    assert sum("is not legal here" in line for line in said) == 2
    assert "Human Action: 7 , which corresponds to coordinate  (2, 1)" in said and "1 . . W . . " in said
    assert said[-1] == "The game was not finished."
    terminal(S25, ["0", "5"])
    assert lines(capsys)[-2:] == ["Done!", "Winner: -1.0"]


def test_the_terminal_of_2026_asks_for_a_pass_first(capsys):
    questions, _ = terminal(
        S26, ["n", "a", "n", "1", "b", "n", "7", "7", "n", "1", "2", "Yes"], agent=Slow(Time(), [0.0])
    )
    said = lines(capsys)
    assert questions[2:6] == ["Pass? (y/n): ", "Enter row (0-indexed): ", "Enter col (0-indexed): ", "Pass? (y/n): "]
    assert said[:2] == ["Starting game on 5x5 board...", "Agent plays: (0, 0)"]
    assert (
        questions[:2] == ["Pass? (y/n): ", "Enter row (0-indexed): "] and said.count("Invalid input! Try again.") == 2
    )
    assert "Illegal move! Try again." in said and "Human plays: (1, 2)" in said
    assert "Human plays: pass" in said
    terminal(S26, ["y"])
    assert lines(capsys)[-2:] == ["Game over!", "Human wins!"]


def test_the_command_line_plays_in_the_terminal(capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("y\n"))
    said = run("--mode text --agent1 random --seed 3 --size 3", capsys)
    assert said[0] == "Starting game on 3x3 board..." and "Pass? (y/n): " in "".join(said)


def test_the_page_gets_the_agent_as_an_opponent():
    command = people.page_command("greedy", 2, 5)
    assert command[3:6] == ["ludus.cli", "serve", "--no-open"] and command[6] == "--program"
    name, _, text = command[7].partition("=")
    assert name == "greedy" and text.endswith("page_agent.py:CourseAgent:kind=greedy,depth=2,size=5")
    agent = ludus.agents.make_agent(text)
    assert ludus.agents.write_agent(agent) == "GreedyAgent + Simple Heuristic"
    assert agent.decide(ludus.make("go", size=5).start(), ludus.Rng(1)).action == 0
    assert people.page_command("mcts:rave=true,simulations=9", 2, 5)[7] == "mcts=mcts:rave=true,simulations=9"
    assert game_runner.name_of(AlphaBetaAgent(3)) == ("alphabeta", 3) and game_runner.name_of("ids") == ("ids", 2)
    assert game_runner.name_of(GreedyAgent(ties="random"))[0] == "greedy-random"
    assert game_runner.name_of(LudusAgent("mcts:simulations=5"))[0] == "mcts:simulations=5"
    with pytest.raises(ludus.LudusError, match="by their name"):
        game_runner.run_game_with_gui(Slow(Time(), [0.0]))


def test_the_page_is_opened_with_the_board(capsys, monkeypatch):
    served = [sys.executable, "-c", "print('Ludus is at http://localhost:8123/ (Ctrl-C stops it)')"]
    monkeypatch.setattr(people, "page_command", lambda kind, depth, size: served)
    opened = []
    people.play_on_page("greedy", 2, 7, opened.append)
    assert opened == ["http://localhost:8123/#go,size=7,komi=7.5,superko=draw"]  # the course's komi, not the usual one
    assert "Choose the opponent 'greedy'" in capsys.readouterr().out
    monkeypatch.setattr(people, "page_command", lambda kind, depth, size: [sys.executable, "-c", ""])
    with pytest.raises(ludus.LudusError, match="could not be started"):
        people.play_on_page("greedy", 2, 5, opened.append)


# ------------------------------------------------------------------------------------------- students' files

STUDENT = '''
from go_search_problem import GoProblem, GoState, Action
from adversarial_search_problem import GameState
from heuristic_go_problems import *
from helper import last
from game_runner import run_many
import go_utils

class GameAgent():
    def get_move(self, game_state, time_limit):
        pass

class Last(GameAgent):
    """Plays the last stone that its search problem offers."""
    def __init__(self, search_problem=GoProblemSimpleHeuristic()):
        self.search_problem = search_problem
        self.saw = []

    def get_move(self, game_state, time_limit):
        from go_search_problem import GoProblem
        self.saw.append((game_state.get_board().shape, time_limit, game_state.size))
        assert abs(self.search_problem.heuristic(game_state, game_state.player_to_move())) < 25
        return last(self.search_problem.get_available_actions(game_state))

    def __str__(self):
        return "Last"

def get_final_agent_5x5():
    return Last()

class Broken:
    def __init__(self):
        raise KeyError("no model")
'''


@pytest.fixture
def student(tmp_path):
    (tmp_path / "agents.py").write_text(STUDENT)
    (tmp_path / "helper.py").write_text("def last(actions):\n    return (actions[:-1] or actions)[-1]\n")
    return tmp_path / "agents.py"


def test_a_students_file_runs_as_it_is(student, capsys):
    agent = load_agent(f"{student}:Last")
    assert str(agent) == "Last" and agent.get_move(GoState(ludus.make("go", size=5).start()), 3.0) == 24
    said = run(f"--agent1 {student}:get_final_agent_5x5 --agent2 {student}:Last --mode tournament --games 2", capsys)
    assert said[2].startswith("Last wins: ")
    assert "helper" not in sys.modules and "agents" not in sys.modules
    for name, sentence in (("Broken", "KeyError"), ("Nobody", "Nobody"), ("GoState", "cannot make"), ("dict", "dict")):
        with pytest.raises(ludus.LudusError, match=sentence):
            load_agent(f"{student}:{name}")


UNEVEN = """
import random
from models import ValueNetwork, load_model

class Fails:
    network = ValueNetwork(3)

    def get_move(self, game_state, time_limit):
        return {}["a key"]

class Leaves:
    def __init__(self):
        raise SystemExit(4)
"""


def test_a_failure_of_a_student_is_one_sentence_with_its_place(tmp_path, capsys):
    pytest.importorskip("torch")
    file = tmp_path / "uneven.py"
    file.write_text(UNEVEN)
    for name, sentence in (
        ("Fails", "an agent has failed: KeyError: 'a key' (uneven.py, line 9)"),
        ("Leaves", "SystemExit: 4 (uneven.py, line 13)"),
    ):
        with pytest.raises(SystemExit) as left:
            command_line.main(["--agent1", f"{file}:{name}", "--mode", "vs"])
        said = capsys.readouterr().err
        assert left.value.code == 2 and sentence in said and said.count("\n") == 1
    assert "models" not in sys.modules


def test_an_error_of_our_own_is_not_hidden(monkeypatch):
    monkeypatch.setattr(command_line, "play_one", lambda *given: {}["ours"])
    with pytest.raises(KeyError, match="ours"):
        command_line.main(["--agent1", "random", "--mode", "vs"])


def test_their_agents_play_in_ours(student):
    theirs = load_agent(f"{student}:Last")
    game = ludus.make("go", size=5)
    record = play(game, [BrownAgent(theirs), ludus.agents.make_agent("random")], seed=1, clock=Timing(5.0, 1.0))
    assert record.end == "rules" and record.agents[0] == "Last"
    assert theirs.saw[0] == ((4, 5, 5), 5.0, 5) and theirs.saw[1][1] > 5
    with pytest.raises(ludus.LudusError, match="play Go, not hex"):
        BrownAgent(theirs).accept(ludus.make("hex"))
    with pytest.raises(ludus.LudusError, match="needs get_move"):
        BrownAgent("nobody")


def test_an_agent_that_answers_nonsense_loses_its_game():
    agent = Slow(Time(), [0.0])
    agent.get_move = lambda state, time_limit: None  # as the stencil's unfinished agents do
    record = play(ludus.make("go", size=5), [BrownAgent(agent), ludus.agents.make_agent("random")])
    assert record.end == "rubbish" and record.fault == 0 and "must return an action" in record.why
    assert CourseAgent("ids").write().startswith("Iterative")
    decision = CourseAgent("greedy").decide(ludus.make("go", size=5).start(), ludus.Rng(1), TimeLeft(1.0))
    assert decision.action == 0
