"""The pipe of the Othello course: its bytes, its programs as agents, our agents as its programs."""

import io
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import ludus
from ludus.agents import (
    AgentFailed,
    AlphaBetaAgent,
    Decision,
    DeepeningAgent,
    MinimaxAgent,
    TimeLeft,
    make_agent,
    write_agent,
)
from ludus.errors import LudusError
from ludus.play.match import play
from ludus.protocols.othello_pipe import OthelloPipeAgent, agent_for, moves, read_flags, serve

HERE = Path(__file__).parent
PYTHON = f"{shlex.quote(sys.executable)} -S -E"
LUDUS = shlex.quote(str(Path(sys.executable).parent / "ludus"))

RECORDER = """
import sys
log = open(sys.argv[1], "ab")
def hear():
    line = sys.stdin.buffer.readline()
    log.write(line)
    log.flush()
    return line
print("Recorder", flush=True)
hear()
for answer in sys.argv[2:]:
    hear(), hear()
    print(answer, flush=True)
"""


def misbehaving(sin, turn=1, **options):
    return OthelloPipeAgent(f"{PYTHON} {shlex.quote(str(HERE / 'misbehaving.py'))} 1 {sin} {turn}", **options)


@pytest.fixture
def recorder(tmp_path):
    """Makes agents that give fixed answers and write down every byte they were sent."""
    (tmp_path / "recorder.py").write_text(RECORDER)
    agents = []

    def make(name, *answers, **options):
        words = [str(tmp_path / "recorder.py"), str(tmp_path / name), *answers]
        agents.append(OthelloPipeAgent(f"{PYTHON} {shlex.join(words)}", **options))
        return agents[-1]

    yield make
    for agent in agents:
        agent.close()


def four():
    return ludus.make("othello", size=4, passing=False)


def decide(agent, state, left=None):
    return agent.decide(state, ludus.Rng(1), left)


# ---- the bytes


def test_dark_is_sent_lists_first_and_tuples_then(recorder, tmp_path):
    agent, game = recorder("dark", "1 0", "0 1"), four()
    state = game.start()
    assert game.write(decide(agent, state).action) == "b1"  # column 1, row 0
    state = state.play(game.read("b1")).play(game.read("a1"))
    assert game.write(decide(agent, state).action) == "a2"
    agent.close()
    assert (tmp_path / "dark").read_bytes() == (
        b"1,-1,0,0,0\n"
        b"SCORE 2 2\n"
        b"[[0, 0, 0, 0], [0, 2, 1, 0], [0, 1, 2, 0], [0, 0, 0, 0]]\n"
        b"SCORE 3 3\n"
        b"((2, 1, 0, 0), (0, 2, 1, 0), (0, 1, 2, 0), (0, 0, 0, 0))\n"
    )


def test_light_is_sent_tuples_only(recorder, tmp_path):
    agent, game = recorder("light", "0 0"), four()
    assert game.write(decide(agent, game.after("b1")).action) == "a1"
    agent.close()
    assert (tmp_path / "light").read_bytes() == (
        b"2,-1,0,0,0\nSCORE 4 1\n((0, 1, 0, 0), (0, 1, 1, 0), (0, 1, 2, 0), (0, 0, 0, 0))\n"
    )


@pytest.mark.parametrize(
    "options, line",
    [
        ({"depth": 5, "minimax": True, "caching": True, "ordering": True}, b"1,5,1,1,1\n"),
        ({"caching": True}, b"1,-1,0,1,0\n"),
        ({"columbia": True, "depth": 5}, b"1\n"),
    ],
)
def test_the_colour_line_tells_the_flags(recorder, tmp_path, options, line):
    agent = recorder("flags", "1 0", **options)
    decide(agent, four().start())
    assert (tmp_path / "flags").read_bytes().startswith(line + b"SCORE")


def test_every_game_has_a_program_of_its_own(recorder, tmp_path):
    agent = recorder("games", "1 0")
    for _ in range(2):
        agent.reset()
        decide(agent, four().start())
    assert (tmp_path / "games").read_bytes().count(b"1,-1,0,0,0\nSCORE 2 2\n[[") == 2


def test_one_agent_may_play_both_sides(recorder, tmp_path):
    agent, game = recorder("both", "1 0"), four()
    agent.reset()
    decide(agent, game.start())
    with pytest.raises(AgentFailed, match="not legal"):
        decide(agent, game.after("b1"))
    log = (tmp_path / "both").read_bytes()
    assert log.startswith(b"1,-1,0,0,0\n") and b"2,-1,0,0,0\nSCORE 4 1\n((" in log


def test_a_forced_pass_is_not_asked_for(recorder, tmp_path):
    game = ludus.make("othello", size=4)
    state = game.read_board("""
        X X X X
        X X X X
        X X X O
        X X O .
    """, player=1)  # fmt: skip
    assert game.write(decide(recorder("pass", "0 0"), state).action) == "pass"
    assert not (tmp_path / "pass").exists()


# ---- programs of others


@pytest.mark.parametrize(
    "sin, kind, words",
    [
        ("hang", "flag", "gave no answer within"),
        ("deaf", "flag", "gave no answer within"),
        ("rubbish", "rubbish", "answered 'I think I shall take the corner', not a column and a row"),
        ("bytes", "rubbish", "no text"),
        ("flood", "rubbish", "65,536 bytes"),
        ("exit", "crash", "exited with code 3; it last said: I have had enough"),
        ("kill", "crash", "was ended by signal 11"),
        ("illegal", "illegal", "answered '0 99': column 0, row 99 is not legal"),
        ("mute", "crash", "closed its output"),
        ("memory", "crash", "MemoryError"),
    ],
)
def test_a_program_that_misbehaves_loses_with_a_sentence(sin, kind, words):
    limit = 2.0 if kind == "flag" else 100.0  # its first move, which is a good one, needs some time, too
    agent = misbehaving(sin, turn=2, seconds=limit, memory=300)
    record = play(four(), (make_agent("greedy"), agent))
    assert (record.end, record.score, len(record.turns)) == (kind, 1.0, 3) and words in record.why
    assert not agent._playing  # it has been ended at once


@pytest.mark.parametrize("sin, kind", [("hang", "flag"), ("exit", "crash"), ("flood", "rubbish")])
def test_a_program_that_fails_before_its_name_loses_at_its_first_move(sin, kind):
    agent = misbehaving(sin, turn=0, start_seconds=0.2 if sin == "hang" else 100.0)
    record = play(four(), (agent, make_agent("greedy")))
    assert (record.end, record.score, len(record.turns)) == (kind, -1.0, 0)


def test_the_clock_counts_where_it_is_shorter_than_the_limit():
    agent = misbehaving("hang")
    agent.reset()
    with pytest.raises(AgentFailed, match=r"within 0\.[012] s"):
        decide(agent, four().start(), TimeLeft(0.2))


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
@pytest.mark.parametrize("sin", ["sleeper", "daemon"])
def test_what_a_program_leaves_behind_is_ended(sin, tmp_path):
    mark = str(tmp_path)  # among the arguments of all its processes

    def processes():
        found = 0
        for path in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                found += mark in path.read_text() and "keeper.py" not in path.read_text()
            except OSError:
                continue
        return found

    agent = OthelloPipeAgent(f"{PYTHON} {shlex.quote(str(HERE / 'misbehaving.py'))} 1 {sin} 1 {mark}")
    record = play(four(), (agent, make_agent("greedy")))
    assert record.end == "rules" and processes() == 2
    agent.close()
    assert processes() == 0


def test_only_othello_is_played():
    with pytest.raises(LudusError, match="play othello only, not hex"):
        decide(misbehaving("none"), ludus.make("hex").start())


def test_a_program_that_is_not_there_is_one_sentence():
    with pytest.raises(LudusError, match="no program 'no-such-program'"):
        OthelloPipeAgent("no-such-program").reset()


def test_bad_options_are_refused_before_a_game_begins():
    with pytest.raises(LudusError, match="seconds must be a number above 0"):
        OthelloPipeAgent("cat", seconds=0)


def test_the_agent_is_written_as_it_is_read():
    agent = make_agent('othello-pipe:"python3 their_agent.py -x",seconds=2,minimax=true')
    assert agent == OthelloPipeAgent("python3 their_agent.py -x", seconds=2.0, minimax=True)
    assert write_agent(agent) == 'othello-pipe:"python3 their_agent.py -x",seconds=2.0,minimax=true'


# ---- our agents as programs

START = "[[0, 0, 0, 0], [0, 2, 1, 0], [0, 1, 2, 0], [0, 0, 0, 0]]"


def said(*lines, agent=None, name="Ludus", **options):
    out = io.StringIO()
    serve(agent, io.StringIO("".join(line + "\n" for line in lines)), out, name, **options)
    assert out.getvalue().endswith("\n")
    return out.getvalue().splitlines()


class Broken:
    def __init__(self, answer):
        self.answer = answer

    def decide(self, state, rng, left=None):
        if self.answer is None:
            raise RuntimeError("no idea")
        return Decision(self.answer)


@pytest.mark.parametrize("first", ["1,-1,0,0,0", "1", "1,3,0,1,1", "1,2,1,0,0", "1,0,0,0,0", "1,", " 1 , 4 "])
def test_any_colour_line_leads_to_a_legal_move(first):
    name, move = said(first, "SCORE 2 2", START, seconds=0.2)
    assert name == "Ludus" and move in ("0 1", "1 0", "3 2", "2 3")


def test_the_managers_flags_choose_the_search():
    assert agent_for(read_flags("2,5,0,1,0\n"), 10) == AlphaBetaAgent(5, caching=True, ordering=False)
    assert agent_for(read_flags("2,4,1,0,0\n"), 10) == MinimaxAgent(4)
    assert agent_for(read_flags("2,-1,1,1,1\n"), 10) == DeepeningAgent(seconds=4.0) == agent_for(read_flags("2"), 10)


def test_an_agent_that_is_given_is_not_overruled_by_flags():
    assert said("1,5,0,0,0", "SCORE 2 2", START, agent=Broken(14))[1:] == ["2 3"]


@pytest.mark.parametrize("answer", [None, 0, 99, -1, "c3"])
def test_a_broken_agent_is_replaced_by_a_legal_move(answer):
    _, move = said("1,-1,0,0,0", "SCORE 2 2", START, agent=Broken(answer))
    assert move in ("0 1", "1 0", "3 2", "2 3")


def test_rubbish_is_passed_over(capsys):
    rubbish = ["", "hello", "(" * 5000, "[[0, 1], [2]]", "[[0, 7], [0, 0]]", "((1, 2),", "None", "{1: 2}", "[]", "\x00"]
    lines = said("1,-1,0,0,0", *rubbish, "SCORE 2 2", START, *rubbish, agent=Broken(14))
    assert lines == ["Ludus", "2 3"]
    assert "passed over the line 'hello'" in capsys.readouterr().err


def test_without_a_colour_line_the_disks_tell_whose_turn_it_is():
    assert said("huh", START, agent=Broken(14))[1:] == ["2 3"]
    light = "((0, 1, 0, 0), (0, 1, 1, 0), (0, 1, 2, 0), (0, 0, 0, 0))"
    assert said("huh", light, agent=Broken(0))[1:] == ["0 0"]


def test_a_board_without_legal_moves_is_not_answered():
    assert said("1", "SCORE 1 0", "((1, 0), (0, 0))", agent=Broken(1)) == ["Ludus"]


@pytest.mark.parametrize("size", [3, 5, 7, 18])
def test_sizes_that_we_do_not_play_still_get_a_legal_move(size):
    half = size // 2
    board = [[0] * size for _ in range(size)]
    board[half - 1][half - 1] = board[half][half] = 2
    board[half - 1][half] = board[half][half - 1] = 1
    _, move = said("1,-1,0,0,0", "SCORE 2 2", str(board))
    assert tuple(map(int, move.split())) in moves(tuple(map(tuple, board)), 1)


def test_plain_rules_agree_with_ours():
    game, rng = ludus.make("othello", size=6, passing=False), ludus.Rng(3)
    for _ in range(20):
        state = game.start()
        while not state.over:
            cells = state.cells()
            board = tuple(tuple(cells[row * 6 : row * 6 + 6]) for row in range(6))
            found = moves(board, state.player + 1)
            assert sorted(row * 6 + column for column, row in found) == list(state.actions())
            state = state.play(rng.choice(state.actions()))


def test_the_end_is_final():
    assert said("1", "FINAL 4 0", START, agent=Broken(14)) == ["Ludus"]


def test_a_name_is_one_line():
    assert said(name="Deep\nThought") == ["Deep Thought"] and said(name="\n") == ["Ludus"]


def test_the_command_gives_nothing_but_moves_and_ends_with_its_input():
    text = b"2,-1,0,0,0\n\xff\nSCORE 4 1\n((0, 1, 0, 0), (0, 1, 1, 0), (0, 1, 2, 0), (0, 0, 0, 0))\n"
    command = [*shlex.split(LUDUS), "othello-agent", "--agent", "mcts:simulations=50", "--name", "Carl", "--seed", "1"]
    done = subprocess.run(command, input=text, capture_output=True, timeout=300)
    name, move = done.stdout.decode().splitlines()
    assert done.returncode == 0 and name == "Carl" and move in ("0 0", "0 2", "2 0") and b"Traceback" not in done.stderr
    wrong = subprocess.run([*command, "--seconds", "0"], input=b"", capture_output=True, timeout=300)
    assert wrong.returncode == 2 and not wrong.stdout and b"seconds must be a number above 0" in wrong.stderr


def test_two_of_our_agents_play_a_game_through_pipes(tmp_path):
    student = tmp_path / "agent.py"
    student.write_text("from ludus.protocols.othello_pipe import main\nmain()\n")
    dark = OthelloPipeAgent(f"{LUDUS} othello-agent --agent random")
    light = OthelloPipeAgent(f"{shlex.quote(sys.executable)} {shlex.quote(str(student))}", depth=2, ordering=True)
    record = play(ludus.make("othello", size=6, passing=False), (dark, light))
    dark.close()
    light.close()
    assert record.end == "rules", record.why
    assert len(record.turns) > 8
