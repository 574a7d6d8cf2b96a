"""A match: who wins, who is to blame, and whether it can be played again from its record."""

import dataclasses
import json
import time
from functools import partial

import pytest

import ludus
from ludus.agents import make_agent
from ludus.play import match
from ludus.play.clock import Clock, Timing, read_clock
from ludus.play.match import play
from ludus.play.record import BadRecord, read_record
from ludus.play.sgf import write_sgf
from tests.play.players import (
    Asleep,
    Broken,
    CannotReset,
    Chatty,
    Forgetful,
    Illegal,
    OldFashioned,
    Quitter,
    Resigning,
    Scripted,
    Shouting,
    Slow,
)  # fmt: skip
from tests.python_games import Subtract

HEX = ludus.make("hex", size=4)


def without_times(record):
    turns = tuple(dataclasses.replace(turn, seconds=0, left=None) for turn in record.turns)
    return dataclasses.replace(record, turns=turns)


# ---------------------------------------------------------------------------------------------- clocks


def test_a_clock_takes_off_what_was_used_and_then_adds_the_increment():
    clock = Clock(read_clock("1+0.5"))
    seen = []
    for _ in range(3):
        seen.append(clock.shows(0).seconds)
        assert clock.press(0, 0.05)
    assert seen == pytest.approx([1, 1.45, 1.9])
    assert clock.shows(1).seconds == 1 and clock.shows(1).increment == 0.5


@pytest.mark.parametrize("used", [1.0, 1.2])
def test_at_zero_or_below_the_flag_falls_whatever_the_increment(used):
    assert not Clock(read_clock("1+60")).press(1, used)


def test_seconds_per_move_are_the_same_for_every_move():
    clock = Clock(read_clock("2/move"))
    assert clock.press(0, 1.9) and clock.shows(0).seconds == 2 and clock.shows(0).moves == 1


@pytest.mark.parametrize("text", ["15", "15+", "+1", "0+1", "-1+1", "15+1+1", "fast", "0/move"])
def test_a_clock_that_cannot_be_read_is_refused_with_an_example(text):
    with pytest.raises(ludus.errors.LudusError, match=r"15\+1|more than 0"):
        read_clock(text)


def test_clocks_are_written_as_they_are_read():
    assert [str(read_clock(text)) for text in ("15+1", "0.5 + 0", "2/move")] == ["15+1", "0.5+0", "2/move"]
    assert read_clock(None) is read_clock("none") is None


# ---------------------------------------------------------------------------------------------- results


def test_the_winner_is_the_one_the_rules_name():
    # player 0 joins top and bottom down column a, player 1 sets stones in column d
    record = play(HEX, [Scripted(0, 4, 8, 12), Scripted(3, 7, 11)], names=("left", "right"))
    assert (record.score, record.end, record.fault) == (1, "rules", None)
    assert record.actions == (0, 3, 4, 7, 8, 11, 12)


@pytest.mark.parametrize("bad, kind, words", [
    (Illegal(), "illegal", "action 10000 is not legal here"),
    (Broken(), "exception", "RuntimeError: I forgot how"),
    (Chatty(), "rubbish", "must return a Decision"),
    (Asleep(), "flag", "the flag fell"),
    (Scripted(5), "exception", "IndexError: pop from empty list (players.py, line"),
    (Quitter(), "exception", "SystemExit: 3"),
    (Resigning(), "resign", "it is hopeless"),
    (CannotReset(), "exception", "in reset(): RuntimeError: no way back"),
])  # fmt: skip
@pytest.mark.parametrize("player", [0, 1])
def test_whoever_misbehaves_loses_and_is_named(bad, kind, words, player):
    agents = [Forgetful(), Forgetful()]
    agents[player] = bad
    clock = read_clock("1+0" if kind == "flag" else "100+0")
    record = play(HEX, agents, clock=clock, names=("one", "two"))
    assert record.end == kind and record.fault == player and words in record.why
    assert record.score == (1 if player == 1 else -1)


def test_an_agent_need_not_know_the_time():
    record = play(HEX, [OldFashioned(), OldFashioned()], clock=read_clock("5+0"))
    assert record.end == "rules"


def test_a_value_that_is_no_number_is_not_written_down():
    record = play(HEX, [Shouting(), Shouting()])
    assert record.turns[0].value is None and "NaN" not in record.line()


def test_a_game_without_actions_that_is_not_over_is_the_games_fault():
    class Dead(Subtract):
        def actions(self):
            return []

    with pytest.raises(ludus.errors.LudusError, match="not over, but has no legal action"):
        play(ludus.make(Dead), [make_agent("random"), make_agent("random")])


def test_a_move_after_the_flag_loses_even_if_it_wins_on_the_board():
    record = play(ludus.make("nim", stones=5), [Slow(), Slow()], clock=read_clock("0.05+9"))
    assert (record.end, record.fault, record.turns) == ("flag", 0, ())


def test_the_opening_is_nobodys_and_costs_no_time():
    record = play(HEX, [Forgetful(), Forgetful()], opening=(5, 6), clock=read_clock("5+0"))
    assert record.opening == (5, 6) and record.actions[:2] == (5, 6) and record.turns[0].value == 0.01


def test_agents_forget_the_last_game():
    agents = [Forgetful(), Forgetful()]
    assert [play(HEX, agents, seed).turns[0].value for seed in (1, 2)] == [0.01, 0.01]


def test_the_match_owns_the_dice():
    first, again, other = (
        play(HEX, [make_agent("mcts:simulations=50"), make_agent("random")], seed) for seed in (7, 7, 8)
    )
    assert without_times(first) == without_times(again) != without_times(other)


@pytest.mark.parametrize("text", ["mcts", "deepening", "alphabeta:depth=30", "minimax:depth=9", "mcts:rave=true"])
def test_agents_of_ours_never_lose_on_time(text, monkeypatch):
    # Seconds of work count: what other programs take away meanwhile is not the agent's fault.
    monkeypatch.setattr(match, "take_turn", partial(match.take_turn, now=time.process_time))
    game = ludus.make("othello", size=6)
    record = play(game, [make_agent(text), make_agent("random")], 3, read_clock("1.5+0.05"))
    assert record.end == "rules"
    used = [turn.seconds for turn in record.turns if turn.player == 0]
    assert sum(used) < 1.5 + 0.05 * len(used)


# ---------------------------------------------------------------------------------------------- records


@pytest.mark.parametrize("name, options", [("go", {"size": 5}), ("othello", {"size": 6}), ("connect_four", {}),
                                           ("hex", {"size": 5, "swap": True, "starter": 1})])  # fmt: skip
def test_a_record_survives_json_and_replays_exactly(name, options):
    game = ludus.make(name, **options)
    record = play(game, [make_agent("mcts:simulations=30"), make_agent("greedy")], 5, Timing(5, 1))
    assert read_record(record.line()) == record
    *_, last = record.replay(game)
    assert last.over and last.score(0) == record.score and tuple(last.history) == record.actions
    row = json.loads(record.line())
    assert row["turns"][0].keys() >= {"action", "seconds", "left", "value", "visits"}


def test_a_record_of_a_visitors_game_replays_too():
    game = ludus.make(Subtract)
    record = play(game, [make_agent("mcts:simulations=30"), make_agent("random")], 5)
    *_, last = read_record(record.line()).replay(game)
    assert last.over and last.score(0) == record.score


def test_a_record_of_another_game_is_refused():
    record = play(HEX, [make_agent("random"), make_agent("random")])
    with pytest.raises(BadRecord, match="this record is of"):
        list(record.replay(ludus.make("hex", size=5)))
    for line in ("{}", "[]", "no json", '{"turns": [1]}'):
        with pytest.raises(BadRecord, match="not the record of a match"):
            read_record(line)


def test_sgf_of_go_counts_rows_from_the_top_and_tells_the_result():
    game = ludus.make("go", size=5)
    record = play(game, [Scripted(game.read("A5"), game.read("E1"), 25), Scripted(game.read("B4"), 25, 25)],
                  names=("black ] \\", "white"), clock=Timing(15, 1))  # fmt: skip
    text = write_sgf(record, game)
    assert [f";{move}" in text for move in ("B[aa]", "W[bb]", "B[ee]", "W[]", "B[]")] == [True] * 5
    assert "GM[1]" in text and "SZ[5]" in text and "KM[0.5]" in text and "TM[15]" in text and "1 fischer" in text
    assert "PB[black \\] \\\\]" in text and "RE[B+0.5]" in text


def test_sgf_of_hex_names_cells_and_forfeits():
    record = play(HEX, [Scripted(0, 5), Illegal()], names=("one", "two"))
    text = write_sgf(record, HEX)
    assert "GM[11]" in text and ";B[a1]" in text and "RE[B+F]" in text
    with pytest.raises(ludus.errors.LudusError, match="SGF files are for Go and Hex"):
        write_sgf(record, ludus.make("othello"))
