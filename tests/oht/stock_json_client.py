"""A client that behaves as the course's own one of 2022 to 2024 does, written from the description of its protocol.

It shares no code with Ludus, so that a server which it can play against is compatible with the course's program and not
just with ours. Where that program would crash, this one does, too.

    IT3105_AUTH=TOKEN python stock_json_client.py HOST PORT server.crt [yes|no]        plays at random

    client = StockJsonClient(host, port, "server.crt", token, qualify=False)
    client.run()        # events: what happened, as (topic, message); score: what the server said at the end
"""

import getpass
import json
import math
import os
import random
import socket
import ssl
import struct
import sys

TOPICS = ("series_start", "game_start", "request_action", "game_over", "series_over", "tournament_over")


class SessionError(Exception):
    """The server has ended the session with an error."""


class StockJsonClient:
    """Logs in, plays and remembers what happened."""

    def __init__(self, host, port, cert, token=None, qualify=None, choose=None, timeout=60):
        self.address, self.token, self.qualify = (host, int(port)), token, qualify
        self.choose = choose or self.random_cell
        self.events = []
        self.messages = []  # (level, text)
        self.score = None
        self.finished = False
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.load_verify_locations(cert)
        context.check_hostname = False
        raw = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        raw.settimeout(timeout)
        self.link = context.wrap_socket(raw)

    def run(self):
        """The whole session. Returns self; raises SessionError if the server ends it with an error."""
        with self.link:
            self.link.connect(self.address)
            while self.handle(self.receive()):
                pass
        return self

    def receive(self):
        (length,) = struct.unpack("i", self.exactly(struct.calcsize("i")))
        return json.loads(self.exactly(length).decode("utf-8"))

    def exactly(self, length):
        pieces, missing = [], length
        while missing > 0:
            piece = self.link.recv(missing)
            if not piece:
                raise OSError("the server has closed the connection")
            pieces.append(piece)
            missing -= len(piece)
        return b"".join(pieces)

    def send(self, value):
        """The length and the body in two writes, as the course's client sends them."""
        body = json.dumps(value).encode("utf-8")
        self.link.send(struct.pack("i", len(body)))
        self.link.send(body)

    def handle(self, message):
        topic = message.get("topic")
        if topic == "authentication":
            self.send(getpass.getpass("API token: ") if self.token is None else self.token)
        elif topic == "question":
            self.send(self.answer(message["question"], message["prompt"]))
        elif topic == "message":
            self.messages.append((message["level"], message["message"]))
        elif topic == "error":
            raise SessionError(message["error"])
        elif topic == "finish":
            self.finished = True
            return False
        elif topic in TOPICS:
            self.events.append((topic, message))
            self.play(topic, message)
        else:
            raise RuntimeError(f"an unexpected message: {message}")
        return True

    def play(self, topic, message):
        if topic == "series_start":
            own = message["unique_player_id"]
            message["series_id"] = [player[1] for player in message["player_id_map"] if player[0] == own][0]  # noqa: RUF015
            assert isinstance(message["num_games"], int) and isinstance(message["game_params"], list)
        elif topic == "game_start":
            assert message["start_player"] in (1, 2)
        elif topic == "request_action":
            self.send(self.choose(message["state"]))
        elif topic == "game_over":
            assert message["winner"] is not None and message["end_state"]
        elif topic == "series_over":
            assert message["stats"]
        else:
            self.score = message["score"]

    def answer(self, question, prompt):
        told = self.qualify if question == "qualify" and self.qualify is not None else input(f"{prompt} [y/n] ")
        word = str(told).lower().strip()
        if word in {"yes", "y", "1", "true", "t"}:
            return True
        if word in {"no", "n", "0", "false", "f"}:
            return False
        raise SessionError(f"neither yes nor no: {word}")

    @staticmethod
    def random_cell(state):
        """Row and column of a random empty cell."""
        size = math.isqrt(len(state) - 1)
        return random.choice([divmod(i, size) for i, cell in enumerate(state[1:]) if cell == 0])

    def named(self, topic):
        """All messages with a topic."""
        return [message for name, message in self.events if name == topic]


if __name__ == "__main__":
    qualify = sys.argv[4] if len(sys.argv) > 4 else None
    done = StockJsonClient(*sys.argv[1:4], os.environ.get("IT3105_AUTH"), qualify, timeout=None).run()
    print(f"{len(done.named('game_over'))} games, score {done.score}")
    sys.exit(0 if done.score is not None else 1)
