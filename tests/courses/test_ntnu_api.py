"""The side API of the JSON protocol, from ActorClient and from its command line."""

import json
import ssl
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from ludus.courses.ntnu import ActorClient
from ludus.courses.ntnu.__main__ import main
from tests.oht.scripted import make_certificate

TOKEN, NEW, TEMPORARY = "0123456789abcdef", "fedcba9876543210", "temp/../?x=1"


class Api(BaseHTTPRequestHandler):
    """The four endpoints; everything else is refused as the course's server refuses."""

    calls: list = []  # noqa: RUF012

    def answer(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.calls.append((self.command, self.path, self.headers.get("X-Api-Token"), body and json.loads(body)))
        known = {
            "/api/reset_token": {"message": "a mail was sent"},
            "/api/reset_token/temp%2F..%2F%3Fx%3D1": {"message": "reset", "token": NEW},
            "/api/profile": {"handle": "Ann", "token": TOKEN},
            "/api/handle": {"message": "you are Bob now"},
        }
        allowed = self.path in known and (self.headers.get("X-Api-Token") == TOKEN or "reset" in self.path)
        said = known[self.path] if allowed else {"code": 401, "name": "Unauthorized", "data": "no such token"}
        self.send_response(200 if allowed else 500 if self.path == "/api/broken" else 401)
        self.end_headers()
        self.wfile.write(b"<html>" if self.path == "/api/broken" else json.dumps(said).encode())

    do_GET = do_PUT = answer  # noqa: N815

    def log_message(self, *words):
        pass


@pytest.fixture(scope="module")
def port(tmp_path_factory):
    folder = make_certificate(tmp_path_factory.mktemp("tls")).parent
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "server.crt", folder / "server.key")
    server = HTTPServer(("127.0.0.1", 0), Api)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    Api.cert = str(folder / "server.crt")
    yield server.server_port
    server.shutdown()


@pytest.fixture(autouse=True)
def fresh(monkeypatch):
    Api.calls.clear()
    monkeypatch.setattr("getpass.getpass", lambda prompt: TEMPORARY if "temporary" in prompt else TOKEN)
    monkeypatch.setattr("builtins.input", lambda prompt: "typed")
    monkeypatch.delenv("IT3105_AUTH", raising=False)


def command(port, capsys, *words):
    """Exit code, standard output and log of a command; the known secrets are never in the log."""
    code = main(["--host", "127.0.0.1", "--api-port", str(port), "--cert", Api.cert, "--echo", *words])
    shown = capsys.readouterr()
    assert not any(secret in shown.err for secret in (TOKEN, NEW, TEMPORARY, "temp%2F"))
    return code, shown.out, shown.err


def test_a_profile(port, capsys):
    code, out, log = command(port, capsys, "get-profile", "--auth", TOKEN)
    assert code == 0 and Api.calls == [("GET", "/api/profile", TOKEN, b"")]
    assert '"handle": "Ann"' in log and out == ""


def test_a_token_comes_from_the_environment_or_is_asked_for(port, capsys, monkeypatch):
    assert command(port, capsys, "get-profile")[0] == 0
    monkeypatch.setenv("IT3105_AUTH", "wrong")
    code, _, log = command(port, capsys, "get-profile")
    assert code == 1 and "401 (Unauthorized): no such token" in log
    assert [call[2] for call in Api.calls] == [TOKEN, "wrong"]


def test_a_new_handle(port, capsys):
    assert command(port, capsys, "update-handle", "--auth", TOKEN, "--handle", "")[0] == 0
    assert command(port, capsys, "update-handle", "--auth", TOKEN)[0] == 0
    assert [call[3] for call in Api.calls] == [{"handle": ""}, {"handle": "typed"}]
    assert Api.calls[0][:2] == ("PUT", "/api/handle")


def test_a_new_token_goes_to_standard_output_and_nowhere_else(port, capsys):
    code, out, log = command(port, capsys, "request-reset-token", "--email", "ann@example.org")
    assert code == 0 and "a mail was sent" in log and out == ""
    code, out, log = command(port, capsys, "reset-token", "--temp-token", TEMPORARY)
    assert code == 0 and out == f"{NEW}\n" and "reset" in log
    code, out, _ = command(port, capsys, "reset-token")  # asked for, without showing it
    assert out == f"{NEW}\n"
    assert Api.calls[0] == ("PUT", "/api/reset_token", None, {"email": "ann@example.org"})
    assert Api.calls[1][:2] == ("GET", "/api/reset_token/temp%2F..%2F%3Fx%3D1")


def test_the_methods_return_what_the_server_says(port):
    client = ActorClient(api_port=port, cert=Api.cert, auth=TOKEN)
    assert client.reset_token(TEMPORARY)["token"] == NEW
    assert client.get_profile()["handle"] == "Ann"
    assert client.call_api("put", "handle", {"handle": "x"}) == {"message": "you are Bob now"}
    with pytest.raises(ActorClient.Error, match="status 500"):
        client.call_api("get", "broken")
    with pytest.raises(ActorClient.Error, match="get and put"):
        client.call_api("delete", "profile")


@pytest.mark.parametrize("token", [f"{TOKEN}\n", f"{TOKEN}\r\nX: y", f"{TOKEN}ø"])
def test_a_token_that_no_header_can_hold_is_not_shown_in_the_error(port, token, capsys):
    code, _, log = command(port, capsys, "get-profile", "--auth", token)
    assert code == 1 and "copy it again" in log and not Api.calls


def test_no_server_is_one_sentence(port, capsys, tmp_path):
    code, _, log = command(1, capsys, "get-profile", "--auth", TOKEN)
    assert code == 1 and "nothing listens at 127.0.0.1:1" in log
    other = make_certificate(tmp_path)
    code, _, log = command(port, capsys, "--cert", str(other), "get-profile", "--auth", TOKEN)
    assert code == 1 and "does not show the certificate" in log
    code, _, log = command(port, capsys, "--cert", "nowhere", "get-profile", "--auth", TOKEN)
    assert code == 1 and "cannot read the certificate nowhere" in log


def test_flags_stand_where_the_course_has_them(capsys):
    for words in (["get-profile", "--host", "x"], ["--auth", "x", "get-profile"], []):
        with pytest.raises(SystemExit):
            main(words)
    with pytest.raises(SystemExit) as left:
        main(["--help"])
    assert left.value.code == 0
    out = capsys.readouterr().out
    assert all(word in out for word in ("--host", "--api-port", "--cert", "--echo", "update-handle"))
