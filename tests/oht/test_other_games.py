"""The tournament's other games, which are our own addition: the client plays what the server plays."""

import json
import os
import random

import pytest

from ludus.cli import run
from ludus.errors import BadOption, LudusError
from ludus.games import find
from ludus.protocols.oht.playing.link import BadMessage
from ludus.protocols.oht.playing.table_player import TablePlayer, make_player
from ludus.protocols.oht.settings import TournamentSettings
from ludus.protocols.oht.table import Table, params_of
from tests.oht.served import Tournament, add_player

BOARDS = {"connect_four": None, "tic_tac_toe": None, "othello": 6}


@pytest.mark.parametrize("name", BOARDS)
@pytest.mark.parametrize("number", [1, 2])
@pytest.mark.parametrize("starter", [1, 2])
def test_the_client_follows_every_game_whoever_begins_and_whoever_must_pass(name, number, starter):
    """The server's table is the truth: every move that the client chooses is legal on it."""
    board = {} if BOARDS[name] is None else {"size": 4}  # on a small board of Othello there are many passes
    game, rng = find(name)(**board), random.Random(starter)
    player = TablePlayer(name, "random", seed=1)
    player.begin_series(params_of(game))
    for _ in range(30):
        table = Table(game, starter)
        player.start_game(starter)
        while not table.state.over:
            if table.mover == number:
                action = table.action_at(player.choose(tuple(table.flat())))
                assert action is not None
            else:
                action = rng.choice(table.state.actions())
            table.play(action)


def test_a_state_that_does_not_follow_or_another_board_is_one_sentence():
    player = TablePlayer("othello", "random")
    player.begin_series([6])
    player.start_game(1)
    start = Table(find("othello")(6), 1).flat()
    for state in ([1] + [0] * 36, [2, *start[1:]], start[:-1], [], None, "(1, 2)", [1, "x"], [[1]], 7):
        with pytest.raises(BadMessage, match="does not follow from the moves so far in Othello; check --game"):
            player.choose(state)
    full = [1, *(1 if cell == 0 else cell for cell in start[1:])]
    with pytest.raises(BadMessage):
        player.choose(full)
    assert player.choose(start) in ((1, 2), (2, 1), (3, 4), (4, 3))
    for params in ([7, 6], [6, 6], [], ["6"], [5]):
        with pytest.raises(LudusError):
            player.begin_series(params)
    with pytest.raises(BadMessage, match="who has the first move"):
        player.start_game(3)


@pytest.mark.parametrize(
    "name, words", [("chess", "there is no game 'chess'"), ("go", "go does not fit the protocols")]
)
def test_a_game_that_is_not_played_here_is_one_sentence(name, words, capsys):
    assert run("oht", ["play", "--server", "127.0.0.1", "--agent", "random", "--game", name]) == 2
    assert words in capsys.readouterr().err


def test_hex_is_played_as_before():
    assert make_player("Hex", "random", 1, None).game == "hex"


@pytest.fixture
def tournament(request, tmp_path, monkeypatch):
    """A server that plays a game, in whose folder the client is started."""
    alone = ("random",)
    settings = TournamentSettings(BOARDS.get(request.param), request.param, alone, 2, alone, 6)
    running = Tournament(tmp_path, tournament=settings)
    running.account, running.token = add_player(running.store, "Anna")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LUDUS_OHT_TOKEN", "")  # as it was before, at the end
    yield running
    running.close()


def client(tournament, capsys, *flags, agent="mcts:simulations=50"):
    server = f"127.0.0.1:{tournament.ports['json']}"
    os.environ["LUDUS_OHT_TOKEN"] = tournament.token
    code = run("oht", ["play", "--server", server, "--protocol", "json", "--agent", agent, "--json", *flags])
    shown = capsys.readouterr()
    return code, json.loads(shown.out), shown.err


@pytest.mark.parametrize("tournament", BOARDS, indirect=True)
def test_a_whole_round_of_another_game(tournament, capsys):
    name = tournament.server.qualifiers.game.name
    code, shown, err = client(tournament, capsys, "--game", name)
    (result,) = shown["rounds"]
    draws = result.get("draws", 0)
    assert code == 0 and result["finished"] and shown["game"] == name, err
    assert result["wins"] + result["losses"] + draws == 6 == result["games"]
    assert result["score"] == round(100 * result["wins"] / 6, 2)
    (stored,) = tournament.store.results(tournament.account.id)
    assert (stored.finished, stored.won) == (True, result["wins"])


@pytest.mark.parametrize("tournament", ["othello"], indirect=True)
def test_the_wrong_game_is_told_before_an_attempt_is_charged(tournament, capsys):
    for flags in ((), ("--game", "tic_tac_toe")):
        code, shown, err = client(tournament, capsys, "--official", *flags)
        assert code == 2 and shown["rounds"] == [] and "say --game othello" in err
    assert tournament.store.attempts_left(tournament.account.id) == 5


@pytest.mark.parametrize("tournament", ["hex"], indirect=True)
def test_a_server_that_says_nothing_plays_hex(tournament, capsys):
    code, _, err = client(tournament, capsys, "--game", "connect_four")
    assert code == 2 and "the server plays hex, not connect_four: say --game hex" in err
    code, shown, _ = client(tournament, capsys)
    assert code == 0 and shown["rounds"][0]["finished"]


@pytest.mark.parametrize("name", ["connect_four", "tic_tac_toe"])
def test_a_board_of_one_size_cannot_be_chosen(name):
    with pytest.raises(BadOption, match=f"the board of {name} always has the same size: leave out --board"):
        TournamentSettings(game=name, board=5).make_game()
    assert TournamentSettings(game=name).make_game() == find(name)()


def test_a_board_that_is_not_chosen_has_the_usual_size():
    assert TournamentSettings().make_game() == find("hex")(7)
    assert TournamentSettings(game="othello").make_game() == find("othello")(8)
    assert TournamentSettings(game="othello", board=6).make_game() == find("othello")(6)
