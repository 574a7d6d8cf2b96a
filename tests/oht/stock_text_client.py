"""A client that behaves as the course's own one of 2020 and 2021 does, written from the description of its protocol.

It shares no code with Ludus, so that a server which it can play against is compatible with the course's program and not
just with ours. Where that program would crash, this one does, too.

    python stock_text_client.py HOST PORT server.crt         asks its questions on the terminal, plays at random

    client = StockTextClient(host, port, "server.crt", {"username": …, "password": …, "player-name": …, "qualify": "n"})
    client.run()        # events: what happened, as (name of the handler, arguments); outcome: how the login ended
"""

import ast
import getpass
import math
import random
import socket
import ssl
import sys

# What the course's client looks for in a text of the login, in this order.
ORDER = ("username", "password", "Welcome", "Invalid credentials", "player-name", "qualify", "stress", "Sorry")


class StockTextClient:
    """Logs in, plays and remembers what happened."""

    def __init__(self, host, port, cert, answers=None, choose=None, timeout=60):
        self.address, self.answers = (host, int(port)), answers
        self.choose = choose or self.random_cell
        self.events = []
        self.outcome = None  # played, Invalid credentials, Sorry or unrecognized
        self.score = None
        self.said = []  # all texts of the login
        self.sizes = []  # of all receives, in bytes
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.load_verify_locations(cert)
        context.check_hostname = False
        raw = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        raw.settimeout(timeout)
        self.link = context.wrap_socket(raw)

    def run(self):
        """The whole session. Returns self."""
        with self.link:
            self.link.connect(self.address)
            self.log_in()
        return self

    def item(self):
        """One receive of at most 1024 bytes is one item."""
        data = self.link.recv(1024)
        self.sizes.append(len(data))
        return data.decode("utf8")

    def value(self):
        return ast.literal_eval(self.item())

    def log_in(self):
        while True:
            text = self.item()
            self.said.append(text)
            word = next((word for word in ORDER if word in text), None)
            if word == "Welcome":
                self.play()
                self.outcome = "played"
                return
            if word in ("Invalid credentials", "Sorry", None):
                self.outcome = word or "unrecognized"
                return
            self.link.send(self.reply(word, text).encode("utf8"))

    def reply(self, word, text):
        if self.answers is not None:
            return self.answers[word]
        return getpass.getpass(text) if word == "password" else input(text)

    def play(self):
        while True:
            text = self.item()
            if text == "Series start":
                own, players, games, parameters = self.value(), self.value(), self.value(), self.value()
                number = [player[1] for player in players if player[0] == own][0]  # noqa: RUF015  (as there)
                self.events.append(("series_start", own, number, players, games, parameters))
            elif text == "Game start":
                self.events.append(("game_start", self.value()))
            elif text == "Game end":
                winner = self.value()
                self.events.append(("game_over", winner, self.value()))
            elif text == "Series end":
                self.events.append(("series_over", self.value()))
            elif text == "Tournament end":
                self.score = self.value()
                self.events.append(("tournament_over", self.score))
                return
            elif text == "Illegal action":
                state = self.value()
                self.events.append(("illegal_action", state, self.value()))
                return
            else:
                state = ast.literal_eval(text)
                action = self.choose(state)
                self.events.append(("get_action", state, action))
                self.link.send(str(action).encode("utf8"))

    @staticmethod
    def random_cell(state):
        """Row and column of a random empty cell."""
        size = math.isqrt(len(state) - 1)
        return random.choice([divmod(i, size) for i, cell in enumerate(state[1:]) if cell == 0])

    def named(self, name):
        """The arguments of all events with a name."""
        return [event[1:] for event in self.events if event[0] == name]


if __name__ == "__main__":
    done = StockTextClient(*sys.argv[1:4], timeout=None).run()
    print(f"{done.outcome}; {len(done.named('game_over'))} games, score {done.score}")
    sys.exit(0 if done.score is not None else 1)
