"""The REST interface: lost tokens, profiles and handles, as the course's client asks for them, and what it refuses."""

import re
import sys
import threading
import time

import pytest

from ludus.courses.ntnu.actor_client import ActorClient
from ludus.errors import BadOption
from ludus.protocols.oht.page import api
from ludus.protocols.oht.serving.pace import Pace
from ludus.protocols.oht.settings import PageSettings
from tests.oht.served import Tournament, add_player, play_official


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    """A server without a mail program."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(api, "HANDLES_PER_SECOND", 1e-6)  # however slowly a machine makes a dozen of changes
        tournament = Tournament(tmp_path_factory.mktemp("api"))
        yield tournament
        tournament.close()


@pytest.fixture(scope="module")
def mails(tmp_path_factory):
    """The file in which the mail program of `mailing` puts its messages."""
    return tmp_path_factory.mktemp("mails") / "mails.txt"


@pytest.fixture(scope="module")
def mailing(tmp_path_factory, mails):
    """A server with a mail program."""
    program = "import sys; open(sys.argv[1], 'a').write(sys.stdin.read())"
    page = PageSettings(mail_command=f'"{sys.executable}" -c "{program}" "{mails}"')
    tournament = Tournament(tmp_path_factory.mktemp("mailing"), page)
    yield tournament
    tournament.close()


def until(found, seconds=100):
    """What a function gives, once it gives something."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if value := found():
            return value
        time.sleep(0.02)
    raise AssertionError("it never came")


def actor(tournament, token=None):
    return ActorClient(host="127.0.0.1", api_port=tournament.ports["api"], cert=str(tournament.certificate), auth=token)


def refusal_of(answer):
    """Status and sentence of an error, which the course's client prints as `code (name): data`."""
    told = answer.json()
    assert set(told) == {"code", "name", "data"} and told["code"] == answer.status_code
    assert re.fullmatch(r"[A-Z].*\.", told["data"])
    return answer.status_code, told["data"]


# --------------------------------------------------------------------------------------------- profiles and handles


def test_a_player_sees_the_own_profile(running):
    anna, token = add_player(running.store, "Anna", email="anna@example.org")
    play_official(running.store, anna, 3, 4)
    told = until(lambda: (found := actor(running, token).get_profile())["attempts_used"] and found)
    assert told == {
        "name": "Anna",
        "handle": "Anna",
        "email": "anna@example.org",
        "attempts_left": 4,
        "attempts_used": 1,
        "best_score": 75,
        "verification_rounds": 0,
        "league_games": 0,
        "league_wins": 0,
    }


def test_a_player_changes_the_handle_and_an_empty_one_is_made_up(running):
    _, token = add_player(running.store, "Bo")
    client = actor(running, token)
    assert client.update_handle("  otter ")["message"] == "Your handle is now otter."
    assert client.get_profile()["handle"] == running.store.account("Bo").handle == "otter"
    made_up = client.update_handle("")["handle"]
    assert re.fullmatch(r"player-\w{5}", made_up) and running.store.account("Bo").handle == made_up


def test_a_handle_that_cannot_be_shown_is_refused_with_a_sentence(running):
    _, token = add_player(running.store, "Cleo")
    with pytest.raises(ActorClient.Error, match=r"400 \(Bad Request\): A handle has no commas"):
        actor(running, token).update_handle("a,b")
    for handle in ("x" * 65, "two\nlines", "\u202ereversed"):
        assert refusal_of(running.ask("PUT", "/api/handle", token, json={"handle": handle}))[0] == 400
    assert running.store.account("Cleo").handle == "Cleo"


def test_whoever_changes_the_handle_all_the_time_has_to_wait(running):
    _, token = add_player(running.store, "Dan")
    answers = [running.ask("PUT", "/api/handle", token, json={"handle": f"dan {k}"}) for k in range(12)]
    assert [answer.status_code for answer in answers] == [200] * 10 + [429] * 2
    assert int(answers[-1].headers["retry-after"]) > 0 and running.store.account("Dan").handle == "dan 9"


def test_a_wrong_token_is_refused_and_each_one_makes_the_address_slower(running):
    failures = running.server.door.failures
    before = failures.get("127.0.0.1", (0, 0))[0]
    for token in ("wrong", "another", "x" * 5000):
        answer = running.ask("GET", "/api/profile", token)
        assert refusal_of(answer) == (401, "This token is not valid; ask for a new one.")
    assert failures["127.0.0.1"][0] == before + 2  # what is too long to be a token is not even looked up
    assert refusal_of(running.ask("GET", "/api/profile"))[0] == 401
    with pytest.raises(ActorClient.Error, match=r"401 \(Unauthorized\): Send your token in the header X-Api-Token\."):
        actor(running).get_profile()


# --------------------------------------------------------------------------------------------- lost tokens


def test_a_lost_token_is_replaced_by_mail_once(mailing, mails):
    _, old = add_player(mailing.store, "Eva Lind", email="Eva@Example.org")
    assert "on its way" in actor(mailing).request_reset_token("eva@example.ORG")["message"]
    message = until(lambda: mails.exists() and "account Eva Lind" in mails.read_text() and mails.read_text())
    assert "\nTo: Eva@Example.org\n" in message and "account Eva Lind" in message
    temporary = re.search(r"^Temporary token: (\S+)$", message, re.MULTILINE)[1]
    new = actor(mailing).reset_token(temporary)["token"]
    assert actor(mailing, new).get_profile()["name"] == "Eva Lind"
    with pytest.raises(ActorClient.Error, match="404"):
        actor(mailing).reset_token(temporary)
    with pytest.raises(ActorClient.Error, match="401"):
        actor(mailing, old).get_profile()
    assert not any(secret in mailing.log.getvalue() for secret in (temporary, new, old))


def test_a_temporary_token_is_not_used_up_by_a_request_that_shows_nothing(running):
    _, old = add_player(running.store, "Moa", email="moa@example.org")
    temporary = running.store.begin_reset("moa@example.org")
    answer = running.ask("HEAD", f"/api/reset_token/{temporary}")
    assert answer.status_code == 405 and answer.headers["allow"] == "GET"
    assert actor(running, old).get_profile()["name"] == "Moa"
    assert actor(running).reset_token(temporary)["token"]


def test_nobody_is_flooded_with_mail(mailing, mails):
    add_player(mailing.store, "Finn", email="finn@example.org")
    for _ in range(6):
        assert mailing.ask("PUT", "/api/reset_token", json={"email": "finn@example.org"}).status_code == 200
    add_player(mailing.store, "Gro", email="gro@example.org")
    mailing.ask("PUT", "/api/reset_token", json={"email": "gro@example.org"})
    until(lambda: "gro@example.org" in mails.read_text() and mails.read_text().count("finn@example.org") == 3)


def test_without_a_mail_program_the_teacher_reads_who_asks(running):
    _, token = add_player(running.store, "Hanna Dahl", email="hanna@example.org")
    told = actor(running).request_reset_token("hanna@example.org")["message"]
    assert "your teacher has been told" in told
    line = until(lambda: re.search(".*Hanna.*", running.log.getvalue()))[0]
    assert line == "Hanna Dahl asks for a new token: ludus oht new-token 'Hanna Dahl'"
    assert actor(running, token).get_profile()["name"] == "Hanna Dahl"  # until the teacher makes another


def test_the_answer_to_a_reset_does_not_tell_whether_there_is_such_an_account(running, monkeypatch):
    """It is the same, and it comes before anybody has looked."""
    add_player(running.store, "Ida", email="ida@example.org")
    looked, go_on, store = [], threading.Event(), running.server.archive.store
    monkeypatch.setattr(store, "by_email", lambda email: looked.append(email) or (go_on.wait(30) and None))
    try:
        answers = [
            running.ask("PUT", "/api/reset_token", json={"email": email})
            for email in ("ida@example.org", "nobody@example.org", "not an address", "")
        ]
    finally:
        go_on.set()
    until(lambda: len(looked) == 4)
    assert len({(answer.status_code, answer.content) for answer in answers}) == 1
    assert [sorted(answer.headers) for answer in answers] == [sorted(answers[0].headers)] * 4


def test_a_mail_program_that_fails_is_reported_without_the_token(tmp_path):
    tournament = Tournament(tmp_path, PageSettings(mail_command="sh -c 'cat >&2; exit 3'"))
    try:
        add_player(tournament.store, "Jo", email="jo@example.org")
        tournament.ask("PUT", "/api/reset_token", json={"email": "jo@example.org"})
        until(lambda: tournament.log.getvalue())
    finally:
        tournament.close()
    assert tournament.log.getvalue() == (
        "a request for a new token failed: the mail program ended with status 3 for Jo\n"
    )


@pytest.mark.parametrize("command", ["", "no-such-program -t", "sendmail 'unfinished"])
def test_a_mail_program_that_is_not_there_is_refused_at_the_start(command):
    with pytest.raises(BadOption, match="--mail-command must be a program"):
        PageSettings(mail_command=command)


# --------------------------------------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b'"email"',
        b"{}",
        b'{"email": 3}',
        b'{"email": null}',
        b'{"email": "\\ud800"}',
        b"\xff\xfe",
        b"[" * 4000,
    ],
)
def test_a_body_that_is_not_what_was_asked_for_is_refused(running, body):
    status, sentence = refusal_of(running.ask("PUT", "/api/reset_token", content=body))
    assert (status, sentence) == (400, 'The body must be JSON such as {"email": "…"}.')


def test_a_body_that_is_too_long_is_refused(running):
    answer = running.ask("PUT", "/api/reset_token", json={"email": "x" * 5000})
    assert refusal_of(answer) == (413, "A request has at most 4096 bytes.")


@pytest.mark.parametrize(
    "method, path, status",
    [
        ("GET", "/api/", 404),
        ("GET", "/standings.csv", 404),  # grades are the teacher's
        ("GET", "/../server.key", 404),
        ("POST", "/api/handle", 405),
        ("PUT", "/", 405),
        ("OPTIONS", "/api/reset_token", 405),  # so no other site's page may use the interface
    ],
)
def test_other_addresses_and_methods_are_refused(running, method, path, status):
    assert refusal_of(running.ask(method, path))[0] == status


def test_an_error_of_the_server_is_one_sentence_here_and_one_line_there(running, monkeypatch):
    _, token = add_player(running.store, "Kai")

    def fail(*_):
        raise RuntimeError("a broken pipe in the cellar")

    monkeypatch.setattr(running.server.archive.store, "by_token", fail)
    assert refusal_of(running.ask("GET", "/api/profile", token)) == (500, "Something went wrong in the server.")
    until(lambda: "a request ended by an error: RuntimeError: a broken pipe in the cellar\n" in running.log.getvalue())
    assert "Traceback" not in running.log.getvalue()


def test_secrets_are_not_kept_by_anybody_on_the_way(running):
    _, token = add_player(running.store, "Lars")
    answer = running.ask("GET", "/api/profile", token)
    assert answer.headers["cache-control"] == "no-store" and "server" not in answer.headers


def test_a_pace_allows_some_at_once_and_then_one_after_the_other():
    now = [100.0]
    pace = Pace(per_second=2, at_once=3, clock=lambda: now[0])
    assert [pace.take("a") for _ in range(5)] == [0, 0, 0, 0.5, 0.5]  # those that are refused do not count
    assert pace.take("b") == 0
    now[0] += 0.5
    assert (pace.take("a"), pace.take("a")) == (0, 0.5)
    assert [pace.take("a", patience=10) for _ in range(3)] == [0.5, 1.0, 1.5]  # those that wait do
    now[0] += 60
    assert [pace.take("a") for _ in range(4)] == [0, 0, 0, 0.5]
