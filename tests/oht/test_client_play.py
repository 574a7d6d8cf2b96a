"""`ludus oht play`: rounds by both protocols, results as they come, and no secret anywhere."""

import json
import os
import subprocess

import pytest

from tests.cli.test_cli import LUDUS
from tests.oht.client_rounds import PASSWORD, TOKEN, json_round, link_results, play, sit_down, text_round
from tests.oht.scripted import closed, json_series, say, server, tell, text_login, told


@pytest.fixture(autouse=True)
def home(folder, monkeypatch):
    sit_down(monkeypatch, folder)


def agrees(shown, stats):
    """Is what the client shows what the server has counted?"""
    for mine, series in zip(shown["series"], stats, strict=True):
        own, other = series
        assert mine == mine | {"opponent": other[0], "player": own[1], "wins": own[2], "losses": own[3]}
        assert mine["games"] == own[2] + own[3] and mine["seconds_per_answer"] >= 0
    assert shown["wins"] == sum(series[0][2] for series in stats)
    return True


def test_a_verification_round_by_the_text_protocol(capsys, folder):
    with server(folder, text_round) as there:
        code, out, err = play(capsys, there.port, "--user", "ann", "--json")
    (result,) = json.loads(out)["rounds"]
    assert code == 0 and result["finished"] and agrees(result, link_results[0])
    assert result["score"] == 100 * result["wins"] / 6 and result["interval"][0] <= result["wins"] / 6
    assert "series 1: 4 of 4 games against 7" in err  # plain lines, because this is no terminal


def test_a_round_by_the_json_protocol(capsys, folder):
    with server(folder, json_round) as there:
        code, out, err = play(capsys, there.port, "--protocol", "json")
    assert (
        code == 0
        and "The tournament is over with a score of 50%; in the series of this session, won" in out
        and "of 6 games" in out
    )
    assert "the server says: Hello ann" in err  # without the colour code
    assert "s/answer" in out and "all" in out


def test_official_only_when_asked_for(capsys, folder):
    with server(folder, lambda link: text_round(link, qualify="Y", nickname="Annie")) as there:
        code, out, _ = play(capsys, there.port, "--user", "ann", "--nickname", "Annie", "--official", "--json")
    assert code == 0 and json.loads(out)["kind"] == "official"
    with server(folder, lambda link: json_round(link, b"\x04\x00\x00\x00true")) as there:
        code, out, _ = play(capsys, there.port, "--protocol", "json", "--official", "--json")
    assert code == 0 and json.loads(out)["kind"] == "official"


def test_several_verification_rounds_one_after_another(capsys, folder):
    with server(folder, text_round, text_round, text_round) as there:
        code, out, err = play(capsys, there.port, "--user", "ann", "--rounds", "3", "--json")
    rounds = json.loads(out)["rounds"]
    assert code == 0 and [agrees(*pair) for pair in zip(rounds, link_results, strict=True)] == [True] * 3
    assert "round 3 of 3" in err


def test_two_rounds_of_the_league_on_one_connection(capsys, folder):
    def league(link):
        tell(link, '{"topic": "authentication"}')
        told(link)
        for seed in (1, 2):
            tell(link, '{"topic": "message", "message": "The next round begins soon.", "level": "INFO"}')
            link_results.append([json_series(link, 3, 2, seed, seed)])
            if seed == 2:  # a series that the opponent leaves: the rest of it is not played
                players = [[-200, 1], [8, 2]]
                start = {"unique_player_id": -200, "player_id_map": players, "num_games": 5, "game_params": [3]}
                tell(link, json.dumps({"topic": "series_start", **start}))
            tell(link, json.dumps({"topic": "tournament_over", "score": 50.0}))
        assert closed(link)

    with server(folder, league) as there:
        code, out, err = play(capsys, there.port, "--league", "--rounds", "2", "--json")
    said = json.loads(out)
    assert code == 0 and said["kind"] == "league" and [one["finished"] for one in said["rounds"]] == [True, True]
    assert agrees(said["rounds"][0], link_results[0]) and len(said["rounds"][1]["series"]) == 2
    assert "round 2 of 2" in err and "The next round begins soon." in err


def test_a_series_that_goes_on_after_an_interruption_counts_what_was_played_before(capsys, folder):
    def goes_on(link):
        text_login(link, "ann", PASSWORD, "ann", "Y")
        say(link, "Series start", -200, [(-200, 1), (7, 2)], 1, [3], "Game start", 1)
        say(link, "Game end", 1, (1, *[0] * 9), "Series end", [(-200, 1, 3, 1), (7, 2, 1, 3)], "Tournament end", 75.0)
        assert closed(link)

    with server(folder, goes_on) as there:
        code, out, _ = play(capsys, there.port, "--user", "ann", "--official", "--json")
    (result,) = json.loads(out)["rounds"]
    assert code == 0 and result == result | {"finished": True, "games": 4, "wins": 3, "losses": 1, "score": 75.0}


def test_a_score_that_counts_series_of_an_earlier_session_says_so(capsys, folder):
    def goes_on(link):
        text_login(link, "ann", PASSWORD, "ann", "Y")
        say(link, "Series start", -200, [(-200, 1), (7, 2)], 1, [3], "Game start", 1)
        say(link, "Game end", 1, (1, *[0] * 9), "Series end", [(-200, 1, 1, 1), (7, 2, 1, 1)], "Tournament end", 75.0)
        assert closed(link)

    with server(folder, goes_on) as there:
        code, out, err = play(capsys, there.port, "--user", "ann", "--official")
    assert code == 0 and "series 1: 2 of 2 games against 7, 1 won and 1 lost" in err
    assert "a score of 75%; in the series of this session, won 1 of 2 games" in out


def test_the_board_is_drawn_if_wanted(capsys, folder):
    with server(folder, text_round) as there:
        _, out, _ = play(capsys, there.port, "--user", "ann", "--show")
    assert out.count("1 O/") > 6  # a diamond before every move


def test_the_token_can_come_from_a_file(capsys, folder, tmp_path):
    (tmp_path / "token").write_text(f"{TOKEN}\n")
    with server(folder, json_round) as there:
        code, *_ = play(capsys, there.port, "--token-file", f"{tmp_path}/token")
    assert code == 0
    (tmp_path / "token").write_text(f"{TOKEN} {TOKEN}")
    code, _, err = play(capsys, there.port, "--token-file", f"{tmp_path}/token")
    assert code == 2 and "must hold a token and nothing else, but it has 2 words" in err


def test_password_and_username_from_standard_input(folder):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("LUDUS_OHT")}
    with server(folder, text_round) as there:
        done = subprocess.run(
            [LUDUS, "oht", "play", "--server", f"127.0.0.1:{there.port}", "--agent", "random"],
            input=f"ann\n{PASSWORD}\n", text=True, capture_output=True, env=environment, timeout=300,
        )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert PASSWORD not in done.stdout + done.stderr


def test_a_password_that_is_typed_is_not_shown(folder):
    pty = pytest.importorskip("pty")

    environment = {name: value for name, value in os.environ.items() if not name.startswith("LUDUS_OHT")}
    with server(folder, text_round) as there:
        flags = ["oht", "play", "--server", f"127.0.0.1:{there.port}", "--agent", "random", "--user", "ann"]
        child, terminal = pty.fork()
        if child == 0:
            os.execve(LUDUS, [str(LUDUS), *flags], environment | {"TERM": "xterm", "COLUMNS": "100"})
        shown = b""
        try:
            while chunk := os.read(terminal, 4096):
                shown += chunk
                if shown.endswith(b"password: "):
                    os.write(terminal, f"{PASSWORD}\n".encode())
        except OSError:
            pass  # the end of a terminal
        _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0, shown
    assert PASSWORD.encode() not in shown
    assert b"s/answer" in shown and b"The tournament is over" in shown


def test_programs_of_agents_do_not_inherit_secrets(folder, tmp_path, capsys):
    agent = tmp_path / "nosy.py"
    agent.write_text(
        "import os\nfrom ludus.agents import Decision\n\n\nclass Nosy:\n    def decide(self, state, rng):\n"
        "        assert not [name for name in os.environ if name.startswith('LUDUS_OHT')]\n"
        "        return Decision(state.actions()[0])\n"
    )
    with server(folder, text_round) as there:
        code, *_ = play(capsys, there.port, "--user", "ann", agent=f"{agent}:Nosy")
    assert code == 0


def test_help_names_every_flag():
    text = subprocess.run([LUDUS, "oht", "play", "--help"], capture_output=True, text=True).stdout
    flags = "--server --agent --protocol --official --verification --league --cert --user --nickname --token-file"
    assert all(flag in text for flag in [*flags.split(), "--rounds", "--move-seconds", "--seed", "--show", "--json"])
