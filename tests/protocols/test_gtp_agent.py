"""Programs that speak GTP as our agents: our own engine as a process, a puppet, GNU Go and grhino."""

import os
import re
import shlex
import shutil
import sys
import time

import pytest

import ludus
from ludus.agents import AgentFailed, TimeLeft, close, make_agent, reset, write_agent
from ludus.errors import BadOption, LudusError
from ludus.play.match import play
from ludus.protocols.gtp_agent import Conversation, GtpAgent, begin, moves_of, tell
from ludus.protocols.gtp_words import COLORS, read_vertex, result
from ludus.protocols.program import Program

PUPPET = """
import sys, time
mode, log, answers = sys.argv[1], open(sys.argv[2], "a"), sys.argv[3:]
for line in sys.stdin:
    line = line.strip()
    print(line, file=log, flush=True)
    name = line.split()[0]
    if name == "list_commands":
        print("= play\\ngenmove\\ntime_settings\\ntime_left\\n", flush=True)
    elif mode == "noise":
        print("thinking about " + name + "\\n\\n\\nstill thinking", flush=True)
        print("=7 \\t" + (answers.pop(0) if name == "genmove" else "") + " \\r\\n\\r", flush=True)
    elif name == "play" and mode == "deaf":
        print("? not so\\n", flush=True)
    elif name != "genmove":
        print("= \\n", flush=True)
    elif mode == "crash":
        sys.exit("I cannot go on")
    elif mode == "silent":
        time.sleep(60)
    elif mode == "flood":
        print("=", flush=True)
        while True: print("and so on")
    elif mode == "babble":
        while True: print("well")
    else:
        print((answers.pop(0) if answers else "= a1") + "\\n", flush=True)
"""


def ours(game, *flags):
    """The command of our own engine."""
    return shlex.join([sys.executable, "-c", "from ludus.cli import main; main()", "gtp", game, *flags])


@pytest.fixture
def puppet(tmp_path):
    """Makes agents whose program misbehaves as told; its `log` has the commands that it was given."""
    made = []

    def make(mode, *answers, **options):
        (tmp_path / "puppet.py").write_text(PUPPET)
        log = tmp_path / f"log{len(made)}"
        command = shlex.join([sys.executable, "-S", str(tmp_path / "puppet.py"), mode, str(log), *answers])
        made.append(GtpAgent(command, **options))
        made[-1].log = lambda: log.read_text().splitlines()
        return made[-1]

    yield make
    for agent in made:
        agent.close()


def decide(agent, state, left=None):
    return agent.decide(state, ludus.Rng(0), left).action


# -------------------------------------------------------------------------------------- our engine, outside


@pytest.mark.parametrize(
    ("game", "options", "flags"),
    [
        ("go", {"size": 5}, ["--size", "9"]),  # the agent sets the size and the komi
        ("hex", {"size": 5, "swap": True, "starter": 1}, ["--swap", "--starter", "1"]),
        ("othello", {"size": 6}, ["--size", "6"]),
    ],
)
def test_two_games_against_our_engine_as_a_program(game, options, flags):
    game = ludus.make(game, **options)
    agent = GtpAgent(ours(game.name, *flags, "--agent", "mcts:simulations=20"))
    other = make_agent("mcts:simulations=20")
    try:
        records = [play(game, (agent, other), seed=1)]
        pid = agent._talk.program.pid
        records.append(play(game, (other, agent), seed=2))
        assert agent._talk.program.pid == pid  # it was not started anew
    finally:
        agent.close()
    for record in records:
        assert (record.end, record.why) == ("rules", "")
        assert list(record.replay(game))[-1].over


def test_one_program_plays_both_sides():
    agent = GtpAgent(ours("hex", "--agent", "random"))
    try:
        assert play(ludus.make("hex", size=4), (agent, agent), seed=1).end == "rules"
    finally:
        agent.close()


def test_a_program_for_another_game_is_told_apart():
    agent = GtpAgent(ours("hex", "--agent", "random"))
    try:
        with pytest.raises(AgentFailed, match="plays Hex, not Othello"):
            decide(agent, ludus.make("othello").start())
    finally:
        agent.close()


def test_the_agent_as_a_text():
    agent = make_agent(f'gtp:"{sys.executable} --version",seconds=5')
    assert agent == GtpAgent(f"{sys.executable} --version", seconds=5.0)
    assert write_agent(agent) == f'gtp:"{sys.executable} --version",seconds=5.0'
    with pytest.raises(LudusError, match="there is no program 'gnuge'"):
        make_agent('gtp:"gnuge --mode gtp"')
    with pytest.raises(BadOption, match="seconds must be a number above 0"):
        GtpAgent(sys.executable, seconds=0)


# --------------------------------------------------------------------------------------------- in step


def test_a_program_is_told_only_what_it_does_not_know(puppet):
    game = ludus.make("go", size=5)
    agent = puppet("plain", "= C3", "= D4", "= pass", "= E5")
    state = game.start()
    assert decide(agent, state) == game.read("C3")
    state = state.play(game.read("C3")).play(game.read("A1"))
    assert decide(agent, state) == game.read("D4")
    opening = ["list_commands", "boardsize 5", "clear_board", "komi 0.5", "genmove black"]
    assert agent.log() == [*opening, "play white A1", "genmove black"]

    back = game.after("c3 b2")  # somebody took moves back: from the start
    assert decide(agent, back) == game.read("pass")
    anew = ["boardsize 5", "clear_board", "komi 0.5", "play black C3", "play white B2", "genmove black"]
    assert agent.log()[7:] == anew

    reset(agent)  # a new game with the same process, even if it begins as the last one did
    assert decide(agent, game.after("c3 b2 pass")) == game.read("E5")
    assert agent.log()[13:-1] == [*anew[:-1], "play black pass"]


def test_a_program_that_has_died_is_started_again(puppet):
    agent = puppet("plain", "= a1")
    start = ludus.make("hex", size=3).start()
    decide(agent, start)
    agent._talk.program.close()
    assert decide(agent, start) == 0
    assert agent.log().count("list_commands") == 2


def test_closing_ends_the_program(puppet):
    agent = puppet("plain")
    decide(agent, ludus.make("hex", size=3).start())
    program = agent._talk.program
    close(agent)
    assert not program.alive
    close(agent)


def test_noise_around_an_answer_is_passed_over(puppet):
    assert decide(puppet("noise", "B2"), ludus.make("hex", size=3).start()) == 4


@pytest.mark.parametrize(
    ("left", "words"),
    [
        (None, []),
        (TimeLeft(90.7, 2.0), ["time_settings 90 0 0", "time_left black 90 0"]),
        (TimeLeft(2.5, 0.0, 1), ["time_settings 0 2 1", "time_left black 2 1"]),
    ],
)
def test_the_clock_is_told(puppet, left, words):
    agent = puppet("plain", "= a1", "= b1")
    start = ludus.make("hex", size=3).start()
    decide(agent, start, left)
    assert [line for line in agent.log() if line.startswith("time")] == words
    reset(agent)
    decide(agent, start)
    assert ("time_settings 0 1 0" in agent.log()) == bool(words)  # the next game has no clock


def test_a_forced_pass_is_told_but_not_asked_for(puppet):
    game = ludus.make("othello", size=4)
    state = stuck(game)
    assert game.write(decide(puppet("silent"), state)) == "pass"
    after = state.play(16)
    agent = puppet("plain", f"= {game.write(after.actions()[0])}")
    assert decide(agent, after) == after.actions()[0]
    assert f"play {COLORS[state.player]} pass" in agent.log()


def stuck(game):
    """A state in which the only move is to pass."""
    for seed in range(200):
        rng, state = ludus.Rng(seed), game.start()
        while not state.over:
            if list(state.actions()) == [game.size**2]:
                return state
            state = state.play(rng.choice(state.actions()))
    raise AssertionError("nobody had to pass")


# ------------------------------------------------------------------------------------------- how to lose


@pytest.mark.parametrize(
    ("mode", "answer", "end", "why"),
    [
        ("plain", "= resign", "resign", "resigned"),
        ("plain", "= RESIGN", "resign", "resigned"),
        ("plain", "= c3", "illegal", "played c3, which is not legal here"),
        ("plain", "= z9", "rubbish", "answered genmove with 'z9'"),
        ("plain", "=", "rubbish", "answered genmove with ''"),
        ("plain", "? I do not feel like it", "rubbish", "refused 'genmove white': I do not feel like it"),
        ("deaf", "", "rubbish", "refused the legal move black C3: not so"),
        ("crash", "", "crash", "exited with code 1; it last said: I cannot go on"),
        ("flood", "", "rubbish", "does not end its answer|nobody asked for"),
        ("babble", "", "rubbish", "does not answer as GTP wants|nobody asked for"),
        ("silent", "", "flag", "gave no move within 3 s"),
    ],
)
def test_the_record_says_how_a_program_lost(puppet, mode, answer, end, why):
    game = ludus.make("go", size=5)
    agent = puppet(mode, *filter(None, [answer]), seconds=3.0 if mode == "silent" else 100.0)
    record = play(game, (make_agent("random"), agent), opening=[game.read("C3")])
    assert (record.end, record.fault, record.score) == (end, 1, 1.0)
    assert re.search(why, record.why) and "\n" not in record.why


def test_after_a_loss_the_next_game_is_played(puppet):
    """A late answer does not end up in the next game."""
    agent = puppet("plain", "= c3", "= a1")
    state = ludus.make("go", size=5).after("c3")
    with pytest.raises(AgentFailed):
        decide(agent, state)
    reset(agent)
    assert decide(agent, state) == 0
    silent = puppet("silent", seconds=0.3)
    with pytest.raises(AgentFailed):
        decide(silent, state)
    assert silent._talk is None


def test_drawn_boards_and_other_games_are_refused(puppet):
    agent = puppet("plain")
    with pytest.raises(LudusError, match="not from a drawn board"):
        decide(agent, ludus.make("go", size=2).read_board(". X\nO ."))
    with pytest.raises(LudusError, match="play go, hex, othello and connect_four"):
        decide(agent, ludus.make("nim").start())


# --------------------------------------------------------------------------------------- the real programs

GAMES = os.environ["PATH"] + os.pathsep + "/usr/games"  # where Debian keeps them
GNUGO, RHINO = (shutil.which(name, path=GAMES) for name in ("gnugo", "gtp-rhino"))
needs_gnugo = pytest.mark.skipif(GNUGO is None, reason="GNU Go is not installed")
needs_rhino = pytest.mark.skipif(RHINO is None, reason="grhino is not installed")


def gnugo(seed, level=1):
    return GtpAgent(f"{GNUGO} --mode gtp --chinese-rules --capture-all-dead --level {level} --seed {seed}")


def final(game, agents):
    """Plays a match; the last state, and a conversation with the second agent's program, told the whole game."""
    try:
        record = play(game, agents, seed=1)
    finally:
        for agent in agents:
            close(agent)
    assert (record.end, record.why) == ("rules", "")
    state, until = list(record.replay(game))[-1], time.monotonic() + 600
    talk = Conversation(Program(agents[1].command))
    begin(talk, game, until)
    for player, action in moves_of(state):
        tell(talk, game, player, action, until)
    return state, lambda command: talk.ask(command, until)


@needs_gnugo
@pytest.mark.parametrize("black", ["mcts:simulations=100", "gnugo"])
def test_a_game_of_go_with_gnu_go(black):
    """Both see the same stones, captures and all, and the same score."""
    game = ludus.make("go", size=9)
    state, ask = final(game, (gnugo(2, 0) if black == "gnugo" else make_agent(black), gnugo(1)))
    for player, color in enumerate(COLORS):
        theirs = sorted(read_vertex(game, word) for word in ask(f"list_stones {color}").split())
        assert theirs == [cell for cell, stone in enumerate(state.cells()) if stone == player + 1]
    assert ask("final_score") == result(state)


@needs_rhino
def test_a_game_of_othello_with_grhino():
    game = ludus.make("othello")
    state, ask = final(game, (make_agent("mcts:simulations=50"), GtpAgent(f"{RHINO} --level=1")))
    board = [word for line in ask("showboard").splitlines()[2:] for word in line.split()[1:]]
    assert board == [".XO"[cell] for cell in state.cells()]
    assert ask("final_score") == result(state)


@needs_rhino
def test_grhino_follows_games_with_passes():
    game = ludus.make("othello")
    state, until = stuck(game), time.monotonic() + 600
    talk = Conversation(Program(RHINO))
    begin(talk, game, until)
    for player, action in moves_of(state.play(64)):
        tell(talk, game, player, action, until)
    assert talk.ask("showboard", until).startswith(f"Next move: {COLORS[1 - state.player].capitalize()}")
    talk.program.close()
