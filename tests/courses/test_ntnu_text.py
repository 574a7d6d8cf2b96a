"""BasicClientActorAbs and BasicClientActor: same names, arguments and behaviour as in the course."""

import ast
import inspect
from abc import ABC

import numpy as np
import pytest

from ludus.courses.ntnu import BasicClientActor, BasicClientActorAbs
from tests.courses.ntnu_rounds import HANDLERS, PASSWORD, leaves, parameters, sit_down
from tests.oht.scripted import closed, expect, say, server, text_login


@pytest.fixture(autouse=True)
def home(folder, monkeypatch):
    sit_down(monkeypatch, folder)


def test_names_and_arguments_are_those_of_the_course():
    for kind in (BasicClientActorAbs, BasicClientActor):
        signature = inspect.signature(kind)
        assert [(p.name, p.default) for p in signature.parameters.values()] == [("IP_address", None), ("verbose", True)]
        for name, expected in (HANDLERS | {"handle_illegal_action": ["state", "illegal_action"]}).items():
            assert parameters(getattr(kind, name)) == expected
        assert parameters(kind.show_state) == ["state"]
        assert parameters(kind.pick_random_free_cell) == ["state", "size"]
        assert parameters(kind.connect_to_server) == parameters(kind.play_tournament) == []
    assert len(BasicClientActorAbs.__abstractmethods__) == 7 and issubclass(BasicClientActorAbs, ABC)
    actor = BasicClientActor()
    assert (actor.IP_address, actor.port, actor.series_id, actor.verbose) == ("127.0.0.1", 33000, -1, True)
    assert BasicClientActor("10.0.0.1", False).IP_address == "10.0.0.1"


def test_the_certificate_is_read_from_the_current_folder_by_the_constructor(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(FileNotFoundError, match=r"server\.crt"):
        BasicClientActor()


def test_a_random_free_cell_is_free():
    actor = BasicClientActor(verbose=False)
    state = (1, 1, 2, 0, 2, 1, 2, 0, 0, 1)
    picked = {actor.pick_random_free_cell(state, size=3) for _ in range(200)}
    assert picked == {(0, 2), (2, 0), (2, 1)}
    assert {actor.handle_get_action(state) for _ in range(200)} == picked


def text_round(link):
    text_login(link, "ann", PASSWORD, "Ann")
    say(link, "Series start", 7, [(1, 2), (7, 1)], 1, [3], "Game start", 2, (1, 0, 2, *[0] * 7))
    row, column = ast.literal_eval(link.recv(100).decode())
    assert (row, column) != (0, 1)
    say(link, "Game end", 2, (1, *[2] * 9), "Series end", [(7, 1, 0, 1), (1, 2, 1, 0)], "Tournament end", 0.0)
    assert closed(link)


def test_the_stock_actor_plays_a_round_prints_it_and_leaves(folder, capsys):
    actor = BasicClientActor(verbose=True)
    with server(folder, text_round) as there:
        leaves(actor, there.port)
    out = capsys.readouterr().out
    assert actor.series_id == 1 and actor.starting_player == 2
    assert "Welcome to the tournament" in out and "(1, 0, 2, 0, 0, 0, 0, 0, 0, 0)" in out
    assert "[(7, 1, 0, 1), (1, 2, 1, 0)]" in out and "the score is 0.0" in out
    assert PASSWORD not in out


def test_without_verbose_no_state_is_printed(folder, capsys):
    with server(folder, text_round) as there:
        leaves(BasicClientActor(verbose=False), there.port)
    assert "(1, 0, 2, 0, 0, 0, 0, 0, 0, 0)" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("Invalid credentials, bye", "Invalid credentials, bye"),
        ("Sorry, no attempts are left", ""),
        ("Grüß Gott", "unrecognized"),
        ("", "unrecognized"),
    ],
)
def test_a_login_that_fails_leaves_too(folder, capsys, text, printed):
    def script(link):
        say(link, "username")
        expect(link, "ann")
        if text:
            say(link, text)
            assert closed(link)

    with server(folder, script) as there:
        leaves(BasicClientActor(), there.port)
    out = capsys.readouterr().out
    assert printed in out and ("Sorry" not in out)


def test_an_empty_answer_is_asked_for_again(folder, monkeypatch):
    typed = iter(["", "", "ann"])
    monkeypatch.setattr("builtins.input", lambda prompt: next(typed))

    def script(link):
        say(link, "username")
        expect(link, "ann")

    with server(folder, script) as there:
        leaves(BasicClientActor(), there.port)


def test_an_actor_of_a_student_runs_unchanged(folder, capsys):
    """The way the course's subclasses are written, numpy and all."""

    class MyActor(BasicClientActorAbs):
        def __init__(self, IP_address=None, verbose=True):  # noqa: N803
            self.series_id = -1
            BasicClientActorAbs.__init__(self, IP_address, verbose=verbose)
            self.happened = []

        def handle_get_action(self, state):
            board = np.array(state[1:]).reshape(3, 3)
            row, column = np.argwhere(board == 0)[-1]
            self.happened.append(("action", state))
            return row, column

        def handle_series_start(self, unique_id, series_id, player_map, num_games, game_params):
            self.happened.append(("series", unique_id, series_id, player_map, num_games, game_params))

        def handle_game_start(self, start_player):
            self.happened.append(("start", start_player))

        def handle_game_over(self, winner, end_state):
            self.happened.append(("over", winner, end_state))

        def handle_series_over(self, stats):
            self.happened.append(("stats", stats))

        def handle_tournament_over(self, score):
            self.happened.append(("score", score))

        def handle_illegal_action(self, state, illegal_action):
            self.happened.append(("illegal", state, illegal_action))

    def script(link):
        text_login(link, "ann", PASSWORD, "Ann")
        say(link, "Series start", 7, [(7, 2), (1, 1)], 1, [3], "Game start", 2, (2, *[0] * 9))
        expect(link, "(2, 2)")
        say(link, "Illegal action", (2, *[0] * 9), (2, 2))
        assert closed(link)

    actor = MyActor(verbose=False)
    with server(folder, script) as there:
        leaves(actor, there.port)
    assert actor.happened == [
        ("series", 7, 2, [(7, 2), (1, 1)], 1, [3]),
        ("start", 2),
        ("action", (2, *[0] * 9)),
        ("illegal", (2, *[0] * 9), (2, 2)),
    ]
