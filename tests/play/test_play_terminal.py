"""`ludus play` as a person meets it. Lines are heard from a list, and what is said is kept."""

import contextlib
import os
import re
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import ludus
from ludus.agents import AgentFailed, Decision, make_agent
from ludus.play.clock import read_clock
from ludus.play.record import read_record
from ludus.play.table import Table
from tests.python_games import Greed

LUDUS = str(Path(sys.executable).parent / "ludus")
BREAK, END = KeyboardInterrupt, EOFError  # Ctrl-C and Ctrl-D


class Script:
    """An agent that plays what it is told."""

    def __init__(self, *actions):
        self.actions = list(actions)
        self.seen = []

    def decide(self, state, rng, left=None):
        self.seen.append(left)
        action = self.actions.pop(0)
        if isinstance(action, BaseException):
            raise action
        return Decision(action, "as told", 0.25, {action: 0.25}, line=[action])


def sit(lines, game="tic_tac_toe", agent=None, person=0, clock=None, thinks=0.0, **options):
    """A game in which the person says these lines, each after thinking so many seconds: the table, and all it said."""
    game = ludus.make(game, **options)
    words, time_now, rest = [], [0.0], list(lines)

    def hear(prompt):
        words.append(prompt)
        time_now[0] += thinks
        line = rest.pop(0) if rest else END
        if isinstance(line, type):
            raise line()
        words.append(line)
        return line

    table = Table(
        game, agent or make_agent("random"), person, words.append, hear,
        timing=read_clock(clock), seed=1, now=lambda: time_now[0],
    )  # fmt: skip
    table.play()
    return table, "\n".join(words)


def test_a_whole_game_is_won_and_recorded():
    table, said = sit(["a1", "b1", "c1"], agent=Script(3, 4))
    assert "You are X and move first; O is Script." in said and "3 of them in a row" in said
    assert "O plays a2: as told" in said and said.rstrip().endswith("You win. Well played!")
    assert "1 (X)(X)[X]" in said  # the last board shows the line
    record = read_record(table.record().line())
    assert (record.agents, record.score, record.end, record.actions) == (
        ("person", "Script"),
        1,
        "rules",
        (0, 3, 1, 4, 2),
    )
    assert list(record.replay(table.game))[-1] == table.state


def test_the_machine_may_win_and_begin():
    table, said = sit(["a2", "b2"], agent=Script(0, 1, 2), person=1)
    assert "You are O and move second; X is Script." in said and "Script wins." in said
    assert table.record().score == 1 and table.record().agents == ("Script", "person")


@pytest.mark.parametrize(
    "words, sentence",
    [
        ("z9", "cannot read 'z9': a cell is a letter and a number, from a1 to c3. Type ? for help."),
        ("a1", "a1 is not legal here; legal: b1, c1, b2"),
        ("take it all back", "cannot read"),
        ("\x1b[A", "cannot read"),
        ("undone", "cannot read"),
    ],
)
def test_a_wrong_word_gets_a_sentence_and_the_prompt_again(words, sentence):
    table, said = sit(["a1", words, "", "   ", "b1", "c1"], agent=Script(3, 4))
    assert sentence in said and "You win" in said and len(table.turns) == 5


def test_the_question_mark_lists_moves_and_commands():
    _, said = sit(["b2", "?"], agent=Script(0))
    assert "Moves: b1 c1 a2 c2 a3 b3 c3" in said
    assert all(word in said for word in ("hint", "undo", "board", "resign", "quit"))


def test_undo_takes_back_a_move_and_its_answer():
    table, said = sit(["UNDO", "b2", "a1", "undo", "b1", "undo", "undo", "c3"], agent=Script(1, 2, 3))
    assert said.count("There is no move of yours to take back.") == 2  # first and last
    assert [turn.action for turn in table.turns] == [8, 3]
    assert table.state == table.game.after("c3 a2")


def test_undo_where_turns_do_not_alternate():
    """Taking two coins gives another turn, so the last own move is taken back alone."""
    table, _ = sit(["1", "0", "undo", "undo"], game=Greed, agent=Script(0, 0))
    assert table.turns == [] and table.states == [Greed()]


def test_a_hint_says_what_why_and_what_else():
    table, said = sit(["hint", "quit"], game="hex", agent=make_agent("mcts:simulations=200"), size=4)
    text = said.replace("\n", " ")
    assert re.search(r"would play [a-d][1-4]: \d+% of the visits, value", text)
    assert re.search(r"It expects [a-d][1-4] [a-d][1-4]", text)
    assert re.search(r"Values for you, from -1 \(lost\) to \+1 \(won\): ([a-d][1-4] [-+]\d\.\d\d, ){4}", text)
    assert table.turns == []


def test_a_hint_may_come_from_another_agent_or_fail():
    game, words = ludus.make("tic_tac_toe"), []
    lines = iter(["hint", "quit"])
    table = Table(game, Script(), 0, words.append, lambda prompt: next(lines), adviser=lambda: Script(4))
    table.play()
    assert any("would play b2: as told." in word for word in words) and table.agent.seen == []
    _, said = sit(["hint", "quit"], agent=Script(AgentFailed("crash", "the program is gone")))
    assert "There is no hint: the program is gone." in said


def test_resign_and_quit():
    table, said = sit(["b2", "resign"], agent=Script(0))
    assert "You resigned: Script wins." in said
    assert (table.record().end, table.record().fault, table.record().score) == ("resign", 0, -1)
    for word in ("quit", "Quit", "exit"):
        table, said = sit([word])
        assert "Goodbye. The game was not finished." in said and table.record() is None


def test_the_end_of_the_input_ends_politely():
    table, said = sit(["b2", END], agent=Script(0))
    assert "Goodbye." in said and table.record() is None


def test_ctrl_c_asks_first():
    table, said = sit([BREAK, "a1", BREAK, "b1", "c1"], agent=Script(3, 4))
    assert said.count("Press Ctrl-C again, or type quit, to leave it.") == 2 and "You win" in said
    table, said = sit(["a1", BREAK, BREAK], agent=Script(3, 4))
    assert "Goodbye." in said and len(table.turns) == 2


def test_ctrl_c_while_the_machine_thinks():
    table, said = sit(["a1", "b1", "c1"], agent=Script(KeyboardInterrupt(), 3, 4))
    assert "Press Ctrl-C again" in said and "You win" in said
    table, said = sit(["a1"], agent=Script(KeyboardInterrupt(), KeyboardInterrupt()))
    assert "Goodbye." in said and len(table.turns) == 1


@pytest.mark.parametrize(
    "answer, end, story",
    [
        (AgentFailed("crash", "the program has ended"), "crash", "the program has ended"),
        (ZeroDivisionError("division by zero"), "exception", "ZeroDivisionError: division by zero"),
        (0, "illegal", "not legal here"),
        ("b2", "rubbish", "the decision cannot be used"),
    ],
)
def test_a_failing_agent_loses_in_a_sentence(answer, end, story):
    table, said = sit(["a1"], agent=Script(answer))
    text = said.replace("\n", " ")
    assert "You win, because Script failed:" in text and story in text
    assert (table.record().end, table.record().fault, table.record().score) == (end, 1, 1)


def test_the_clock_is_shown_and_its_flag_loses():
    agent = Script(3, 4)
    table, said = sit(["a1", "b1", "c1"], agent=agent, clock="10+1", thinks=3)
    assert re.findall(r"your move \(X, (\d+) s left\)> ", said) == ["10", "8", "6"] and "You win" in said
    assert [left.seconds for left in agent.seen] == [10, 11]  # the machine sees its own clock
    assert [turn.left for turn in table.turns] == [7, 10, 5, 11, 3]
    table, said = sit(["a1", "b1"], agent=Script(3, 4), clock="6+1", thinks=4)
    assert "Your time is up: Script wins." in said
    assert (table.record().end, table.record().fault, table.record().clock) == ("flag", 0, "6+1")


def test_questions_and_wrong_words_cost_time():
    _, said = sit(["?", "zz", "hint", "a1"], agent=Script(1, 3), clock="10+0", thinks=3)
    assert "your move (X, 4 s left)> " in said and "Your time is up" in said


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs an alarm clock")
def test_the_flag_falls_on_a_silent_person():
    words = []

    def hear(prompt):
        time.sleep(30)

    table = Table(ludus.make("nim"), Script(), 0, words.append, hear, timing=read_clock("0.05+0"))
    table.play()
    assert table.end == "flag" and "Your time is up" in words[-1]


def test_hex_says_who_joins_which_sides():
    _, said = sit(["quit"], game="hex")
    assert "X joins the upper right and the lower left side" in said.replace("\n", " ")


def test_othello_says_by_how_much_and_that_only_a_pass_is_left():
    game = ludus.make("othello", size=4)
    state, rng = game.start(), ludus.Rng(1)
    for seed in range(50):  # a game in which player 0 must pass
        state, rng, actions, passes = game.start(), ludus.Rng(seed), [], 0
        while not state.over:
            action = rng.choice(state.actions())
            passes += action == 16 and state.player == 0
            actions.append((state.player, action))
            state = state.play(action)
        if passes and state.score(0):
            break
    lines = [game.write(a) for player, a in actions if player == 0]
    _, said = sit(lines, game="othello", size=4, agent=Script(*(a for player, a in actions if player == 1)))
    lead = abs(state.margin(0))
    assert "Your only move is pass." in said and re.search(rf"wins? by {lead:g} discs?\.", said.replace("\n", " "))


def test_a_draw_is_called_one():
    _, said = sit(["b2", "b1", "a3", "c2", "c3"], agent=Script(0, 7, 2, 3))
    assert said.rstrip().endswith("A draw.")


class Bare:
    """Count down from 3; whoever says zero wins."""

    num_actions = 1

    def __init__(self, left=3, player=0):
        self.left, self.player = left, player

    over = property(lambda self: self.left == 0)

    def score(self, player):
        return -1 if player == self.player else 1

    def actions(self):
        return [0] if self.left else []

    def play(self, action):
        return Bare(self.left - 1, 1 - self.player)


class Wordy(Bare):
    """The same with words."""

    def play(self, action):
        return Wordy(self.left - 1, 1 - self.player)

    def draw(self):
        return "|" * self.left

    @staticmethod
    def write(action):
        return "one less"

    @staticmethod
    def read(text):
        return {"one less": 0}[text]


def test_a_visitors_game_is_played_as_it_is():
    _, said = sit(["0", "0"], game=Bare, agent=Script(0))
    assert "Count down from 3" in said and "left = 2, player = 1" in said and "You win" in said
    _, said = sit(["one more", "one less", "one less"], game=Wordy, agent=Script(0))
    assert (
        "cannot read 'one more'" in said and "|||" in said and "player 1 plays one less" in said and "You win" in said
    )


def test_openspiel_games_speak_in_their_words():
    pytest.importorskip("pyspiel")
    table, said = sit(["e9", "e4", "quit"], game="openspiel:chess", person=1)
    assert "cannot read 'e9': moves here are" in said and "player 0 plays" in said and len(table.turns) == 2
    assert "4 . . . . P . . ." in said


def ludus_play(*arguments, lines="", code=0):
    done = subprocess.run([LUDUS, "play", *arguments], input=lines, capture_output=True, text=True, timeout=300)
    assert done.returncode == code and "Traceback" not in done.stderr, done.stderr
    return done.stdout if code == 0 else done.stderr


def test_the_command_plays_and_records(tmp_path):
    path = tmp_path / "games.jsonl"
    arguments = ["nim", "--stones", "3", "--against", "random", "--record", str(path), "--seed", "1"]
    assert "You win" in ludus_play(*arguments, lines="3\n")
    assert "Goodbye" in ludus_play(*arguments, lines="")
    assert "You resigned" in ludus_play(*arguments, lines="resign\n")
    records = [read_record(line) for line in path.read_text().splitlines()]
    assert [record.end for record in records] == ["rules", "resign"]
    assert records[0].actions == (2,) and records[0].seed == 1


def test_the_side_is_chosen():
    assert "You are X and move first" in ludus_play("tic_tac_toe", "--against", "random")
    assert "You are O and move second" in ludus_play("tic_tac_toe", "--against", "random", "--as", "second")
    assert "You are O and move first" in ludus_play("hex", "--starter", "1", "--against", "random")


@pytest.mark.parametrize(
    "arguments, sentence",
    [
        (["hexx"], "did you mean hex"),
        (["hex", "--against", "mtcs"], "did you mean mcts"),
        (["hex", "--clock", "fast"], "cannot read the clock 'fast'"),
        (["hex", "--as", "third"], "--as"),
        (["hex", "--record", "no/such/folder/x"], "there is no folder"),
        ([], "say which game"),
    ],
)
def test_the_command_refuses_with_a_sentence(arguments, sentence):
    said = ludus_play(*arguments, code=2)
    assert sentence in said and said.count("\n") == 1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a terminal of Unix")
def test_on_a_real_terminal_ctrl_c_asks_and_ctrl_d_leaves():
    import pty

    child, screen = pty.fork()
    if child == 0:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C is heard in the background, too
        os.execv(LUDUS, [LUDUS, "play", "tic_tac_toe", "--against", "random"])
    seen, deadline = b"", time.monotonic() + 300

    def press(key, until):
        """Presses a key until some words come: a key that is pressed before the terminal listens may be lost."""
        nonlocal seen
        start = len(seen)
        with contextlib.suppress(OSError):  # how Linux says that the other end is closed
            while until not in seen[start:] and time.monotonic() < deadline:
                os.write(screen, key)
                while select.select([screen], [], [], 3.0)[0] and until not in seen[start:]:
                    seen += os.read(screen, 4096)

    press(b"", until=b"your move (X)> ")
    press(b"b2\r", until=b"your move (X)> ")
    press(b"\x03", until=b"Press Ctrl-C again")
    press(b"\x04", until=b"Goodbye")
    assert b"Press Ctrl-C again" in seen and b"Goodbye" in seen and b"Traceback" not in seen
    with contextlib.suppress(OSError):
        while os.read(screen, 4096):
            pass
    assert os.waitpid(child, 0)[1] == 0
