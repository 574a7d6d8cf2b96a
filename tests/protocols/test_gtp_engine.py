"""The GTP engine, in transcripts: `> command`, then the answer that is expected."""

import io
import itertools
import re
import threading
from types import SimpleNamespace

import pytest

import ludus
from ludus.agents import AgentFailed, Decision, TimeLeft, make_agent
from ludus.errors import LudusError
from ludus.protocols.gtp_engine import GtpEngine
from tests.cli.test_cli import ludus as cli


def engine(game, agent="mcts:simulations=60", **options):
    agent = make_agent(agent) if isinstance(agent, str) else agent
    return GtpEngine(ludus.make(game, **options), agent, ludus.Rng(1))


def follow(engine, transcript):
    """Plays a transcript and compares every answer."""
    for part in re.split(r"^ *> ", transcript.strip("\n"), flags=re.MULTILINE)[1:]:
        command, *expected = (line.strip() for line in part.splitlines())
        answer = engine.answer(command) or ""
        assert [line.strip() for line in answer.splitlines() if line.strip()] == list(filter(None, expected)), command


class Puppet:
    """Does what a function says, and remembers which clock it was shown."""

    def __init__(self, does):
        self.does, self.lefts = does, []

    def decide(self, state, rng, left=None):
        self.lefts.append(left)
        return self.does(state)


def first(state):
    return Decision(state.actions()[0])


# ------------------------------------------------------------------------------------------------ lines


def test_every_answer_ends_with_an_empty_line_and_carries_its_number():
    e = engine("go")
    assert e.answer("12 play b d4") == "=12 \n\n"  # the space is for HexGui
    assert e.answer("name\n") == "= Ludus\n\n"
    assert e.answer("7 nonsense 1 2") == "?7 unknown command\n\n"
    assert e.answer("9") == "?9 unknown command\n\n"


@pytest.mark.parametrize("line", ["", "\n", "   ", "# a comment", "\t# another\r\n", "\x07\x01"])
def test_a_line_without_a_command_gets_no_answer(line):
    assert engine("go").answer(line) is None


def test_comments_tabs_and_control_characters_do_no_harm():
    e = engine("go")
    assert e.answer("1\tplay\tb\td4 # the star point\r\n") == "=1 \n\n"
    assert e.answer("pro\x00tocol_\x07version") == "= 2\n\n"


def test_go_as_a_controller_plays_it():
    follow(
        engine("go", size=5, komi=0.5),
        """
        > protocol_version
        = 2
        > 1 play black C3
        =1
        > play WHITE c3
        ? illegal move
        > play w C2
        =
        > play b i1
        ? syntax error: 'i1' is no point of this board
        > play b f1
        ? syntax error: 'f1' is no point of this board
        > play blue a1
        ? syntax error: a colour is black or white, not 'blue'
        > play b
        ? syntax error
        > play b a1 a2
        ? syntax error
        > showboard
        =
          5  .  .  .  .  .
          4  .  .  .  .  .
          3  .  .  X  .  .
          2  .  . [O] .  .
          1  .  .  .  .  .
             A  B  C  D  E
        black (X) to move
        > play b PASS
        =
        > play w Pass
        =
        > genmove b
        = pass
        > final_score
        = W+0.5
        > final_status_list alive
        = C2
        C3
        > final_status_list dead
        =
        > final_status_list asleep
        ? syntax error
        > boardsize 26
        ? unacceptable size
        > boardsize nine
        ? syntax error
        > known_command genmove
        = true
        > known_command castle
        = false
        > quit
        =
        """,
    )


def test_what_sabaki_says_first():
    e = engine("go", size=9)
    for command in ("name", "version", "protocol_version", "list_commands"):
        assert e.answer(command).startswith("= ")
    listed = set(e.answer("list_commands")[2:].split())
    assert {"undo", "play", "genmove", "lz-analyze", "kata-analyze", "komi", "final_score", "showboard"} <= listed
    follow(e, "> komi 3.75\n=\n> boardsize 19\n=\n> clear_board\n=\n> play B Q16\n=\n> play W T19\n=")
    assert e.table.game == ludus.make("go", size=19, komi=3.75)  # the komi was told, so it stays


def test_boardsize_changes_only_the_size():
    e = engine("go", size=9, superko="draw")
    e.answer("boardsize 5")
    assert e.table.game == ludus.make("go", size=5, superko="draw")  # komi and length as usual on 5x5
    assert engine("hex", swap=True).answer("boardsize 11 11") == "= \n\n"
    assert engine("hex").answer("boardsize 11 9") == "? unacceptable size\n\n"
    assert engine("othello").answer("boardsize 7") == "? unacceptable size\n\n"


def test_komi_is_only_for_go_and_keeps_the_moves():
    e = engine("go", size=5)
    follow(e, "> play b c3\n=\n> komi 24\n=\n> final_score\n= B+1\n> komi -7.5\n=\n> final_score\n= B+32.5")
    assert e.answer("komi 26") == "? komi must be a number from -25 to 25, not 26.0\n\n"
    assert e.answer("undo") == "= \n\n" and e.table.state.history == []
    assert engine("othello").answer("komi 6.5") == "? unknown command\n\n"


# ----------------------------------------------------------------------------------------------- turns


def test_one_colour_may_set_many_stones_in_go():
    e = engine("go", size=5)
    follow(e, "> play b a1\n=\n> play b b2\n=\n> play b c3\n=\n> play w e5\n=\n> play w e4\n=")
    assert e.answer("gogui-rules_board") == "= . . . . O\n. . . . O\n. . X . .\n. X . . .\nX . . . .\n\n"
    follow(e, "> undo\n=\n> undo\n=\n> gogui-rules_side_to_move\n= white\n> undo\n=\n> undo\n=\n> undo\n=")
    assert e.answer("undo") == "? cannot undo\n\n"


def test_the_other_colour_may_be_asked_for_a_move():
    e = engine("go", size=5)
    assert re.match(r"= [A-E][1-5]\n", e.answer("genmove w"))  # Black has not passed, so a pass would not win
    assert re.match(r"= [A-E][1-5]\n", e.answer("genmove w"))
    assert e.table.state.player == 0 and e.table.state.cells().count(2) == 2


def test_a_game_of_go_goes_on_after_two_passes():
    e = engine("go", size=5, komi=0.5)
    follow(e, "> play b c3\n=\n> play w pass\n=\n> play b pass\n=\n> final_score\n= B+24.5\n> genmove w\n= pass\n")
    follow(e, "> play w c2\n=\n> final_score\n= W+0.5\n> komi 1.5\n=\n> final_score\n= W+1.5\n> undo\n=\n> undo\n=")
    assert e.table.state.over and e.answer("final_score") == "= B+23.5\n\n"


def test_reg_genmove_plays_nothing():
    e = engine("go", size=5)
    assert re.fullmatch(r"= ([A-E][1-5]|pass)\n\n", e.answer("reg_genmove b"))
    assert e.table.state.history == []


def test_a_game_of_othello_needs_no_passes_told():
    follow(
        engine("othello", size=4),
        """
        > gogui-rules_legal_moves
        = B1 A2 D3 C4
        > play w b1
        ? illegal move: it is black's turn
        > play b a1
        ? illegal move
        > play b b1
        =
        > gogui-rules_board
        = . . . .
        . X O .
        . X X .
        . X . .
        > play w a3
        =
        > play b a4
        =
        > play w a1
        =
        > play b a2
        =
        > play w c1
        =
        """,
    )
    e = engine("othello", size=4)
    state = silent = None
    for seed in range(200):  # find a game in which somebody must pass
        rng, state = ludus.Rng(seed), e.table.game.start()
        while not state.over and list(state.actions()) != [16]:
            state = state.play(rng.choice(state.actions()))
        if not state.over:
            silent = state.history
            break
    assert silent is not None
    at = e.table.game.start()
    for action in silent:
        assert e.answer(f"play {'bw'[at.player]} {e.table.game.write(action)}") == "= \n\n"
        at = at.play(action)
    stuck, other = "bw"[at.player], "wb"[at.player]
    assert e.answer("gogui-rules_legal_moves") == "= pass\n\n"
    assert e.answer(f"reg_genmove {stuck}") == "= pass\n\n"
    assert e.answer(f"genmove {other}").startswith("= ")  # without a word about the pass
    assert e.table.state.history[: len(silent) + 1] == [*silent, 16]


def test_othello_ends_with_a_result_in_words():
    e = engine("othello", "random", size=4)
    while not e.table.state.over:
        assert e.answer("gogui-rules_final_result") == "= the game is not over\n\n"
        assert e.answer("final_score") == "? cannot score before the end\n\n"
        assert e.answer("genmove " + "bw"[e.table.state.player]).startswith("= ")
    assert e.answer("gogui-rules_legal_moves") == "= \n\n"
    margin = e.table.state.margin(0)
    assert margin, "a draw would say nothing here"
    assert e.answer("final_score") == f"= {'BW'[margin < 0]}+{abs(margin)}\n\n"
    winner = "Black" if margin > 0 else "White"
    assert e.answer("gogui-rules_final_result") == f"= {winner} wins by {abs(margin)}\n\n"


def test_hex_as_hexgui_plays_it():
    follow(
        engine("hex", size=3, swap=True),
        """
        > boardsize 3 3
        =
        > gogui-rules_game_id
        = Hex
        > play white a1
        ? illegal move: it is black's turn
        > play black B1
        =
        > play white swap-pieces
        =
        > gogui-rules_board
        = . . .
        O . .
        . . .
        > undo
        =
        > play white a1
        =
        > play black b2
        =
        > play white swap
        ? illegal move
        > play white pass
        ? syntax error: 'pass' is no point of this board
        > final_score
        ? cannot score before the end
        > play white resign
        =
        > undo
        =
        > play white c3
        =
        > play black b3
        =
        > final_score
        = B+
        > gogui-rules_final_result
        = Black wins
        > genmove w
        ? the game is over
        > ludus-heat
        ? the game is over
        """,
    )


def test_in_hex_the_columns_have_an_i_and_in_go_they_have_none():
    assert engine("hex", size=11).answer("play b i1") == "= \n\n"
    assert engine("go", size=9).answer("play b j1") == "= \n\n"
    assert engine("othello", size=10).answer("gogui-rules_legal_moves") == "= E4 D5 G6 F7\n\n"
    ten = engine("othello", size=10)
    assert "is no point" in ten.answer("play b i5") and ten.answer("play b j5") == "? illegal move\n\n"


# ------------------------------------------------------------------------------------- the agent and time


def test_the_clock_goes_to_the_agent():
    agent = Puppet(first)
    e = engine("go", agent)
    e.answer("genmove b")
    follow(e, "> time_settings 300 0 0\n=")
    e.answer("genmove w")
    follow(e, "> time_left b 25 3\n=")
    e.answer("genmove b")
    follow(e, "> time_left w 12 0\n=")
    e.answer("genmove w")
    assert agent.lefts == [None, TimeLeft(300.0), TimeLeft(25.0, 0.0, 3), TimeLeft(12.0)]


def test_byo_yomi_is_counted_where_nobody_tells(monkeypatch):
    seconds = itertools.count(step=0.25)
    monkeypatch.setattr("ludus.protocols.gtp_engine.time", SimpleNamespace(monotonic=lambda: next(seconds)))
    agent = Puppet(first)
    e = engine("go", agent)
    e.answer("time_settings 0 30 2")
    for _ in range(3):
        e.answer("genmove b")
    assert [left.moves for left in agent.lefts] == [2, 1, 2]
    assert [left.seconds for left in agent.lefts] == [30, 29.75, 30]  # a look at the clock each before and after
    e.answer("time_settings 0 30 0")  # said to mean: no limit
    e.answer("genmove b")
    assert agent.lefts[-1] is None
    assert e.answer("time_left b soon 0") == "? syntax error\n\n"


def test_a_clock_at_zero_still_leaves_time_to_answer():
    for agent in ("mcts", "deepening", "alphabeta:depth=2"):
        e = engine("go", agent, size=5)
        assert e.answer("time_left b 0 0") == "= \n\n"
        assert e.answer("genmove b").startswith("= ")


def raises(error):
    def does(state):
        raise error

    return does


@pytest.mark.parametrize(
    ("does", "says"),
    [
        (raises(RuntimeError("line one\n\nline two")), "? RuntimeError: line one line two\n\n"),
        (raises(LudusError("a sentence")), "? a sentence\n\n"),
        (raises(MemoryError()), "? MemoryError: \n\n"),
        (lambda state: Decision(0), "? the agent chose 0, which is not legal here\n\n"),
        (lambda state: None, "? AttributeError: 'NoneType' object has no attribute 'action'\n\n"),
    ],
)
def test_whatever_an_agent_does_the_engine_answers_in_one_line_and_lives(does, says):
    e = engine("go", Puppet(does), size=5)
    e.answer("play b a1")
    assert e.answer("genmove w") == says
    follow(e, "> play w c3\n=\n> name\n= Ludus")
    assert e.table.state.cells().count(2) == 1


def test_an_agent_may_resign():
    e = engine("go", Puppet(raises(AgentFailed("resign", "hopeless"))))
    assert e.answer("genmove b") == "= resign\n\n" and e.table.state.history == []


def test_a_new_game_is_told_to_the_agent():
    agent = Puppet(first)
    agent.games = 0
    agent.reset = lambda: setattr(agent, "games", agent.games + 1)
    e = engine("go", agent)
    e.answer("clear_board"), e.answer("boardsize 5")
    assert agent.games == 3


def test_no_line_kills_the_engine():
    rng = ludus.Rng(3)
    words = ["b", "w", "white", "3", "-1", "1e9", "9.5", "a1", "z99", "pass", "swap-pieces", "resign", "ö", "#", "\x00"]
    for game in ("go", "hex", "othello"):
        e = engine(game, "random")
        names = [name for name in e.commands if name != "quit"]
        for _ in range(600):
            line = " ".join([rng.choice(names), *(rng.choice(words) for _ in range(rng.below(4)))])
            answer = e.answer(line)
            assert re.match(r"[=?] ", answer) and answer.endswith("\n\n") and "\n\n" not in answer[:-2], line


# ---------------------------------------------------------------------------------------------- heat maps

LZ = (
    r"info move (?P<move>[A-J]\d|pass) visits (\d+) winrate (\d+) prior (\d+) lcb (\d+) order (\d+)"
    r" pv ((?:[A-J]\d|pass) ?)+"
)
KATA = LZ.replace(r"(\d+) prior (\d+) lcb (\d+)", r"([01]\.\d+) prior ([01]\.\d+) lcb ([01]\.\d+)")


@pytest.mark.parametrize(("command", "pattern"), [("lz-analyze", LZ), ("analyze", LZ), ("kata-analyze", KATA)])
def test_analysis_lines_are_those_of_leela_zero_and_katago(command, pattern):
    e = engine("go", "mcts:simulations=200", size=5)
    head, line, *rest = e.answer(f"5 {command} b 100").split("\n")
    assert head == "=5 " and rest == ["", ""]
    infos = [re.fullmatch(pattern, info.strip()) for info in re.split("(?=info )", line) if info]
    assert len(infos) == 26 and all(infos)
    assert sum(int(info[2]) for info in infos) == 200
    assert [int(info[6]) for info in infos] == list(range(26))
    rates = [float(info[3]) / (1 if command == "kata-analyze" else 10_000) for info in infos]
    assert all(0 <= rate <= 1 for rate in rates)
    seen = e.seen[1]
    assert e.table.game.read(infos[0]["move"]) == seen.action
    assert rates[0] == pytest.approx((seen.values[seen.action] + 1) / 2, abs=1e-4)
    assert len(e.answer(f"{command} b 100 maxmoves 3").split("info ")) == 4
    assert e.answer(f"{command} b 100 avoid b c3 1").startswith("? syntax error")


def test_an_analysis_goes_on_until_the_next_line():
    """What Sabaki sees: lines that grow, then an empty line, then the answer to what it asked next."""
    enough = threading.Event()

    class Reader:
        def __iter__(self):
            yield "1 lz-analyze b 1\n"
            assert enough.wait(100)
            yield "2 protocol_version\n"
            yield "3 quit\n"

    class Writer(io.StringIO):
        def write(self, text):
            if self.getvalue().count("\ninfo ") >= 3:
                enough.set()
            return super().write(text)

    writer = Writer()
    engine("go", "mcts:simulations=50", size=5).serve(Reader(), writer)
    analysis, version, quit_ = writer.getvalue().split("\n\n")[:3]
    assert (version, quit_) == ("=2 2", "=3 ")
    head, *lines = analysis.split("\n")
    assert head == "=1 " and len(lines) >= 3
    totals = [sum(map(int, re.findall(r"visits (\d+)", line))) for line in lines]
    assert totals == sorted(totals) and totals[2] > totals[0]  # the tree was kept


def test_genmove_analyze_tells_and_plays():
    e = engine("go", size=5)
    head, line, play, *_ = e.answer("lz-genmove_analyze b 10").split("\n")
    assert head == "= " and line.startswith("info move ")
    assert play == f"play {e.table.game.write(e.table.state.history[0])}"
    assert e.answer("kata-genmove_analyze w 10").count("play ") == 1 and len(e.table.state.history) == 2


def test_the_tree_is_kept_between_moves_and_for_heat_maps():
    e = engine("hex", "mcts:simulations=300", size=5)
    e.answer("genmove b")
    e.answer("genmove w")
    assert sum(e.look().visits.values()) > 300
    before = e.seen
    e.answer("ludus-heat"), e.answer("ludus-visits")
    assert e.seen is before  # one look serves all windows


def test_heat_maps_for_gogui():
    e = engine("go", "mcts:simulations=300", size=5)
    e.answer("play b c3"), e.answer("play w b2")
    definitions = [line.split("/") for line in e.answer("gogui-analyze_commands")[2:].split("\n") if line]
    assert {"gfx", "dboard", "cboard", "pspairs", "var", "string"} == {kind for kind, _, _ in definitions}
    assert all(e.answer(command).startswith("= ") for _, _, command in definitions)

    rows = [line.split() for line in e.answer("ludus-values")[2:].strip().split("\n")]
    assert [len(row) for row in rows] == [5] * 5 and all(-1 <= float(x) <= 1 for row in rows for x in row)
    black = e.look().values
    assert float(rows[0][0]) == pytest.approx(black[20], abs=1e-3)  # the first row is row 5
    assert rows[2][2] == rows[3][1] == "0.000"  # the stones

    colors = [line.split() for line in e.answer("ludus-colors")[2:].strip().split("\n")]
    assert colors[2][2] == '""' and re.fullmatch("#[0-9a-f]{6}", colors[0][0])
    assert e.answer("ludus-line").startswith("= " + e.table.game.write(e.look().action))

    e.answer("play b d3")
    rows = [line.split() for line in e.answer("ludus-values")[2:].strip().split("\n")]
    assert float(rows[0][0]) == pytest.approx(-e.look().values[20], abs=1e-3)  # now White moves


def test_heat_maps_for_hexgui():
    """HexGui takes what stands between INFLUENCE and TEXT for pairs of a cell and a number from 0 to 1."""
    e = engine("hex", "mcts:simulations=300", size=4, swap=True)
    e.answer("play b b2")
    answer = e.answer("ludus-heat")
    pairs = answer[answer.index("INFLUENCE") + 10 : answer.index("TEXT")].split()
    warmth = dict(zip(pairs[::2], map(float, pairs[1::2]), strict=True))
    assert set(warmth) == {f"{c}{r}" for c in "abcd" for r in "1234"} - {"b2"}
    assert all(0 <= w <= 1 for w in warmth.values())
    visits = e.answer("ludus-visits")[2:].split()
    assert {cell for cell, w in warmth.items() if w == max(warmth.values())} & set(visits)
    assert e.answer("hexgui-analyze_commands") == e.answer("gogui-analyze_commands")


def test_agents_without_visits_have_heat_maps_too():
    for agent in ("alphabeta:depth=2", "greedy", "random"):
        e = engine("othello", agent, size=6)
        assert re.fullmatch(r"= INFLUENCE ([A-F]\d [01]\.\d+ ?)+\nTEXT .*\n\n", e.answer("ludus-heat"))
        assert e.answer("lz-analyze b 1").startswith("= \ninfo move ")


# ------------------------------------------------------------------------------------------- the process


def test_serving_ends_with_quit_and_with_the_last_line():
    for lines in ("name\n1 quit\nversion\n", "name\n", ""):
        writer = io.StringIO()
        engine("go", "random").serve(io.StringIO(lines), writer)
        assert writer.getvalue() == {"name\n": "= Ludus\n\n", "": ""}.get(lines, "= Ludus\n\n=1 \n\n")


def test_the_command_refuses_other_games_in_a_sentence():
    assert "GTP programs play go, hex, othello and connect_four here, not" in cli("gtp", "nim", code=2)
    assert "there is no agent 'mctz'" in cli("gtp", "go", "--agent", "mctz", code=2)
