"""`ludus oht play` when something goes wrong: one sentence and a code other than 0, and no secret anywhere."""

import json
import socket

import pytest

from ludus.cli import run
from ludus.protocols.oht.playing import link
from tests.oht.client_rounds import PASSWORD, play, sit_down
from tests.oht.scripted import closed, expect, make_certificate, say, server, tell, text_login, text_series, told


@pytest.fixture(autouse=True)
def home(folder, monkeypatch):
    sit_down(monkeypatch, folder)


def refused(link):
    say(link, "username")
    expect(link, "ann")
    say(link, "password")
    expect(link, PASSWORD)
    say(link, "Invalid credentials")
    assert closed(link)


def asked_again(link):
    for _ in range(2):
        say(link, "Your username and password, please. username: ")
        if not (answer := link.recv(100)):
            return
        assert answer == b"ann"


def no_attempts(link):
    say(link, "Sorry, you have no \x1b[31mofficial\a attempts left.")  # what a terminal would do is left out
    assert closed(link)


def breaks_off(link):
    text_login(link, "ann", PASSWORD, "ann")
    say(link, "Series start", -200, [(-200, 1), (7, 2)], 2, [3], "Game start", 1, (1, *[0] * 9))
    link.recv(100)


def illegal(link):
    text_login(link, "ann", PASSWORD, "ann")
    say(link, "Series start", -200, [(-200, 1), (7, 2)], 2, [3], "Game start", 1, (1, *[0] * 9))
    say(link, "Illegal action", (1, *[0] * 9), link.recv(100).decode())
    assert closed(link)


def too_late(link):
    """What our server does when an answer came too late: the handlers still hear the result so far."""
    text_login(link, "ann", PASSWORD, "ann")
    say(link, "Series start", -200, [(-200, 1), (7, 2)], 2, [3], "Game start", 1, (1, *[0] * 9))
    link.recv(100)
    say(link, "Game end", 2, (1, *[0] * 9), "Series end", [(-200, 1, 0, 1), (7, 2, 1, 0)], "Tournament end", 0.0)
    assert closed(link)


def silent(link):
    pass


def strange(link):
    say(link, "Good evening")
    assert closed(link)


@pytest.mark.parametrize(
    ("script", "sentence"),
    [
        (refused, "the server does not accept this username and password"),
        (asked_again, "the server has asked for the username again: it did not accept the answer"),
        (no_attempts, "the server says: Sorry, you have no official attempts left."),
        (breaks_off, "the server has closed the connection in the middle of the tournament"),
        (illegal, "as illegal in the state (1, 0, 0, 0, 0, 0, 0, 0, 0, 0), which ends the tournament"),
        (too_late, "the server ended the tournament early, after 1 of 2 games"),
        (silent, "the server has closed the connection during the login"),
        (strange, "the server sent 'Good evening' during the login, which is none of its questions"),
    ],
)
def test_a_round_that_does_not_end_well_is_one_sentence(capsys, folder, script, sentence):
    with server(folder, script) as there:
        code, _, err = play(capsys, there.port, "--user", "ann")
    assert code == 2 and sentence in err
    assert len([line for line in err.splitlines() if line.startswith("ludus oht: ")]) == 1


def json_error(link):
    tell(link, '{"topic": "authentication"}')
    told(link)
    tell(link, '{"topic": "error", "error": "this \\u001b[31mtoken is\\u0007 unknown"}')


def json_early(link):
    tell(link, '{"topic": "finish"}')


def json_huge(link):
    link.sendall(b"\xff\xff\xff\x7f")
    assert closed(link)


@pytest.mark.parametrize(
    ("script", "sentence"),
    [
        (json_error, "the server ended the session: this token is unknown"),
        (json_early, "the server ended the session before the tournament was over"),
        (json_huge, "the server announced a message of 2147483647 bytes"),
        (lambda link: say(link, "Enter your username: "), "this port speaks the text protocol"),
    ],
)
def test_a_json_round_that_does_not_end_well_is_one_sentence(capsys, folder, script, sentence):
    with server(folder, script) as there:
        code, _, err = play(capsys, there.port, "--protocol", "json")
    assert code == 2 and sentence in err


def test_what_was_played_is_shown_even_if_the_end_is_missing(capsys, folder):
    def loses_power(link):
        text_login(link, "ann", PASSWORD, "ann")
        text_series(link, 3, 4, 1, 1)

    with server(folder, loses_power) as there:
        code, out, err = play(capsys, there.port, "--user", "ann")
    assert code == 2 and "The tournament did not come to its end; won" in out and "closed the connection" in err
    with server(folder, loses_power) as there:
        code, out, _ = play(capsys, there.port, "--user", "ann", "--json")
    assert code == 2 and json.loads(out)["rounds"][0]["finished"] is False


def test_certificates_that_are_not_the_servers(capsys, folder, tmp_path):
    other = make_certificate(tmp_path)
    with server(folder, silent) as there:
        code, _, err = play(capsys, there.port, "--cert", str(other))
    assert code == 2 and "does not show the certificate in" in err and "ask the teacher" in err
    old = tmp_path / "old"
    old.mkdir()
    expired = make_certificate(old, days=-1)
    with server(old, silent) as there:
        code, _, err = play(capsys, there.port, "--cert", str(expired))
    assert code == 2 and "certificate has expired" in err


@pytest.mark.parametrize("content", ["", "not a certificate", "-----BEGIN CERTIFICATE-----\n%%\n"])
def test_files_that_are_no_certificates(capsys, content, tmp_path):
    (tmp_path / "bad.crt").write_text(content)
    code, _, err = play(capsys, 1, "--cert", f"{tmp_path}/bad.crt")
    assert code == 2 and "holds no certificate in PEM form" in err
    code, _, err = play(capsys, 1, "--cert", f"{tmp_path}/none.crt")
    assert code == 2 and "cannot read the certificate" in err and "no such file" in err


def test_a_closed_port_a_server_without_tls_and_an_unknown_host(capsys, folder):
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))  # nobody else gets the port, and nobody listens
        port = door.getsockname()[1]
        code, _, err = play(capsys, port)
    assert code == 2 and f"nothing listens at 127.0.0.1:{port}" in err
    with server(folder, lambda link: link.sendall(b"SSH-2.0-OpenSSH"), tls=False) as there:
        code, _, err = play(capsys, there.port)
    assert code == 2 and "does not speak TLS or has broken off" in err
    code = run("oht", ["play", "--server", "no-such-host.invalid", "--agent", "random"])
    assert code == 2 and "there is no host 'no-such-host.invalid'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("flags", "sentence"),
    [
        (("--official", "--rounds", "2"), "--official is one official attempt"),
        (("--official", "--league"), "--official is one official attempt"),
        (("--league", "--protocol", "text"), "the league is played by the JSON protocol"),
        (("--league", "--user", "ann"), "--user and --nickname are for the text protocol"),
        (("--protocol", "text", "--token-file", "x"), "--token-file is for the JSON protocol"),
        (("--token-file", "nowhere"), "cannot read the token in nowhere: no such file"),
        (("--rounds", "0"), "rounds must be a whole number from 1"),
        (("--move-seconds", "0"), "move-seconds must be a number from 0.001"),
        (("--password", "x"), "unrecognized options: --password"),
        (("--token", "x"), "unrecognized options: --token"),
    ],
)
def test_flags_that_do_not_go_together(capsys, flags, sentence):
    code, _, err = play(capsys, 1, *flags)
    assert code == 2 and sentence in err


def test_an_address_with_a_wrong_port_gets_an_example_with_a_right_one(capsys):
    run("oht", ["play", "--server", "127.0.0.1:99999", "--agent", "random"])
    assert "such as 127.0.0.1:33000, not '127.0.0.1:99999'" in capsys.readouterr().err


def test_a_port_where_nobody_asks_who_we_are(capsys, folder, monkeypatch):
    monkeypatch.setattr(link, "FIRST_WORD", 0.05)
    with server(folder, closed) as there:
        code, _, err = play(capsys, there.port)
    assert code == 2 and f"the server at 127.0.0.1:{there.port} does not answer; check the host and the port" in err


def test_a_port_that_is_not_that_of_the_league(capsys, folder):
    def qualifiers(link):
        tell(link, '{"topic": "authentication"}')
        told(link)
        tell(link, '{"topic": "question", "question": "qualify", "prompt": "Official?"}')
        assert closed(link)

    with server(folder, qualifiers) as there:
        code, _, err = play(capsys, there.port, "--league")
    assert code == 2 and "this port is for official attempts and verification rounds" in err


@pytest.mark.parametrize("address", ["", "a b", "host:0", "host:70000", "host:x", "user:pw@host", "https://host/"])
def test_an_address_is_a_host_and_perhaps_a_port(capsys, address):
    code = run("oht", ["play", "--server", address, "--agent", "random"])
    assert code == 2 and "--server is HOST or HOST:PORT" in capsys.readouterr().err


def test_an_unknown_agent_is_refused_before_anything_is_sent(capsys):
    code, _, err = play(capsys, 1, agent="mtcs")
    assert code == 2 and "did you mean mcts" in err
