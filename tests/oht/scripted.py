"""A server that follows a script: a function that gets one TLS connection and checks every byte of it."""

import ast
import datetime
import json
import socket
import ssl
import struct
import threading
from contextlib import contextmanager
from ipaddress import ip_address
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

PATIENCE = 100  # seconds that a broken test waits


def make_certificate(folder: Path, days: int = 1) -> Path:
    """server.crt and server.key in a folder, self-signed, for this machine."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "test")])
    now = datetime.datetime.now(datetime.UTC)
    names = x509.SubjectAlternativeName([x509.DNSName("localhost"), x509.IPAddress(ip_address("127.0.0.1"))])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now + datetime.timedelta(days=min(days, 0) - 1))
        .not_valid_after(now + datetime.timedelta(days=days))
        .add_extension(names, critical=False)
        .sign(key, hashes.SHA256())
    )
    (folder / "server.crt").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    secret = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    (folder / "server.key").write_bytes(secret)
    return folder / "server.crt"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with server.crt and server.key."""
    return make_certificate(tmp_path_factory.mktemp("tls")).parent


class Server:
    """Runs one script for each connection, in order, and says at the end what went wrong in them."""

    def __init__(self, folder: Path, *scripts, tls: bool = True) -> None:
        self.context = None
        if tls:
            self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self.context.load_cert_chain(folder / "server.crt", folder / "server.key")
        self.door = socket.create_server(("127.0.0.1", 0))
        self.door.settimeout(PATIENCE)
        self.port = self.door.getsockname()[1]
        self.trouble: list[BaseException] = []
        self.scripts = scripts
        self.thread = threading.Thread(target=self.serve, daemon=True)
        self.thread.start()

    def serve(self) -> None:
        try:
            for script in self.scripts:
                raw, _ = self.door.accept()
                raw.settimeout(PATIENCE)
                raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                try:
                    link = raw if self.context is None else self.context.wrap_socket(raw, server_side=True)
                except (ssl.SSLError, ConnectionError):
                    raw.close()  # a client that does not trust the certificate
                    continue
                with link:
                    script(link)
        except BaseException as error:
            self.trouble.append(error)

    def end(self) -> None:
        self.thread.join(PATIENCE)
        self.door.close()
        if self.trouble:
            raise self.trouble[0]
        assert not self.thread.is_alive(), "the script has not come to its end"


@contextmanager
def server(folder: Path, *scripts, tls: bool = True):
    """A running server; at the end of the block its scripts must have come to their ends without an error."""
    running = Server(folder, *scripts, tls=tls)
    yield running
    running.end()


# ------------------------------------------------------------------------------------------- the text protocol


def say(link, *items) -> None:
    """Sends every item in a TLS record of its own, back to back."""
    for item in items:
        link.sendall(str(item).encode())


def hear(link) -> str:
    return link.recv(65536).decode()


def expect(link, *texts) -> None:
    for text in texts:
        assert hear(link) == text


def closed(link) -> bool:
    """Has the client closed its side, without saying anything more?"""
    try:
        return link.recv(65536) == b""
    except (ConnectionError, ssl.SSLError):
        return True


def text_login(link, user="ann", password="secret", nickname="Ann", qualify="n") -> None:
    for prompt, answer in (
        ("Enter your username: ", user),
        ("Enter your password: ", password),
        ("Choose a player-name: ", nickname),
        ("Do you want to qualify? 5 attempts are left. (Y/n) ", qualify),
    ):
        say(link, prompt)
        expect(link, answer)
    say(link, "Welcome to the tournament")


# ------------------------------------------------------------------------------------------- the JSON protocol


def tell(link, body: bytes | str) -> None:
    """Sends a body with its length, in one write."""
    body = body.encode() if isinstance(body, str) else body
    link.sendall(struct.pack("i", len(body)) + body)


def told(link) -> bytes:
    """Everything that the client sends as one message: the four bytes of the length and the body."""
    header = exactly(link, 4)
    return header + exactly(link, struct.unpack("i", header)[0])


def exactly(link, length: int) -> bytes:
    data = b""
    while len(data) < length:
        more = link.recv(length - len(data))
        assert more, "the client has closed the connection"
        data += more
    return data


# ------------------------------------------------------------------------------------------- whole tournaments


def series(ask, tell_topic, size: int, games: int, number: int, seed: int) -> list[tuple[int, int, int, int]]:
    """Plays a series of Hex against a client that is player `number`; the other one plays at random.

    `tell_topic(topic, **values)` tells the client something, `ask(state)` returns its action. Returns the statistics.
    """
    import ludus

    rng, wins = ludus.Rng(seed), [0, 0]
    players = [(-200, number), (7, 3 - number)]
    tell_topic("series_start", unique_player_id=-200, player_id_map=players, num_games=games, game_params=[size])
    for game in range(games):
        starter = game % 2
        tell_topic("game_start", start_player=starter + 1)
        state = ludus.make("hex", size=size, starter=starter).start()
        while not state.over:
            if state.player == number - 1:
                row, column = ask([state.player + 1, *state.cells()])
                assert type(row) is int and type(column) is int
                action = row * size + column
                assert action in state.actions()
            else:
                action = rng.choice(state.actions())
            state = state.play(action)
        winner = 0 if state.score(0) > 0 else 1
        wins[winner] += 1
        tell_topic("game_over", winner=winner + 1, end_state=[state.player + 1, *state.cells()])
    stats = [(player, seat, wins[seat - 1], wins[2 - seat]) for player, seat in players]
    tell_topic("series_over", stats=stats)
    return stats


WORDS = {
    "series_start": "Series start",
    "game_start": "Game start",
    "game_over": "Game end",
    "series_over": "Series end",
}


def text_series(link, *settings) -> list[tuple[int, int, int, int]]:
    """A series by the text protocol."""

    def tell_topic(topic, **values):
        say(link, WORDS[topic], *(tuple(v) if k == "end_state" else v for k, v in values.items()))

    def ask(state):
        say(link, tuple(state))
        return ast.literal_eval(hear(link))

    return series(ask, tell_topic, *settings)


def json_series(link, *settings) -> list[tuple[int, int, int, int]]:
    """A series by the JSON protocol."""

    def tell_topic(topic, **values):
        tell(link, json.dumps({"topic": topic, **values}))

    def ask(state):
        tell_topic("request_action", state=state)
        return json.loads(told(link)[4:])

    return series(ask, tell_topic, *settings)
