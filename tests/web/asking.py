"""Pages without a browser: they send messages to the server and wait for what they are told."""

import json

HOME = "http://localhost"
SOCKET = "ws://localhost/ws"


class Page:
    """A page that sends and waits for what it is told."""

    def __init__(self, socket):
        self.socket = socket

    def ask(self, kind, **fields):
        self.socket.send_text(json.dumps({"ask": kind, **fields}))

    def told(self, kind, wanted=lambda tell: True):
        """The next message of a kind that is as wanted."""
        for _ in range(2000):
            tell = json.loads(self.socket.receive_text())
            if tell["tell"] == kind and wanted(tell):
                return tell
            assert tell["tell"] != "refused" or kind == "refused", tell["sentence"]
        raise AssertionError(f"never told {kind}")


def names(table):
    """The moves of a table's line."""
    return [move["name"] for move in table["line"]]


def searching(client):
    """How many searches are under way."""
    return sum(not job.done for worker in client.app.state.site.pool.workers for job in worker.jobs.values())
