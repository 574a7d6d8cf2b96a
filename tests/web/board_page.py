"""A page with the board of one game or another, for tests and for looking at: no server of ours behind it.

python -m tests.web.board_page shots     pictures of every example, light and dark
"""

from __future__ import annotations

import json
import sys
import threading
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import ludus
import ludus.web
from ludus.games.board import Board, Piece, square
from ludus.web.layout import position_of
from tests.python_games import Noughts, Subtract
from tests.web.served import PATIENCE

STATIC = Path(ludus.web.__file__).parent / "static"
POLICY = "default-src 'self'; img-src 'self' data:"  # as our own pages: nothing from elsewhere, no text that runs
PAGE = """<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>A board</title>
  <link rel="icon" href="/static/icon.svg">
  <link rel="stylesheet" href="/static/base.css">
  <link rel="stylesheet" href="/static/board.css">
  <link rel="stylesheet" href="/page.css">
  <script type="module" src="/page.js"></script>
</head>
<body><main><h1 class="unseen">A board</h1><div id="board"></div></main></body>
</html>
"""
STYLE = "main { height: 100dvh; display: grid; grid-template: minmax(0, 1fr) / minmax(0, 1fr); padding: 12px; }"
SCRIPT = """
import { BoardView } from "/static/board.js";
const examples = await (await fetch("/examples.json")).json();
window.played = [];
window.refused = [];
window.view = new BoardView(document.getElementById("board"), {
  play: (action) => window.played.push(action),
  refused: (text) => window.refused.push(text),
});
window.example = (name, at = -1, how = { animate: false }) => {
  const { layouts, positions } = examples[name];
  const position = positions.at(at);
  window.view.show(position.layout && layouts[position.layout], position, how);
};
window.names = Object.keys(examples);
window.example(window.names[0]);
document.documentElement.dataset.ready = "yes";
"""


class Shown(Noughts):
    """Noughts with a board of its own."""

    def play(self, action):
        return Shown(super().play(action).cells, 1 - self.player)

    def board(self):
        return Board(
            tuple(square(str(i), i % 3, i // 3) for i in range(9)),
            tuple(Piece(i, "stone", player) for i, player in enumerate(self.cells) if player is not None),
            cell_of={action: action for action in self.actions()},
            names={action: str(action) for action in self.actions()},
        )


EXAMPLES = {
    "hex": ("hex", {"size": 7}, "d4 c4 e3 d3 c5 b4"),
    "hex 11": ("hex", {"size": 11}, "f6 d7 e7 c9"),
    "hex won": ("hex", {"size": 5}, "c3 b2 d2 c2 d1 b4 c4 a4 c5"),
    "hex swap": ("hex", {"size": 5, "swap": True}, "b2"),
    "go": ("go", {"size": 9}, "E5 C3 G7 G3 C7 E3 D6"),
    "go 19": ("go", {"size": 19}, "Q16 D4 Q3 D17 F3 R5"),
    "go capture": ("go", {"size": 5}, "C3 B3 A1 C4 E5 D3 A2 C2"),
    "go over": ("go", {"size": 5}, "B1 C1 B2 C2 B3 C3 B4 C4 B5 C5 pass pass"),
    "othello": ("othello", {}, "d3 c3 b3 b2 b1 e3"),
    "othello start": ("othello", {}, ""),
    "connect_four": ("connect_four", {}, "4 4 3 5 4 2 6"),
    "connect_four won": ("connect_four", {}, "4 3 4 3 4 3 4"),
    "tic_tac_toe": ("tic_tac_toe", {}, "b2 a1 c1"),
    "nim": ("nim", {}, "2 3"),
    "ledge": ("ledge", {}, "3-2 11-9"),
    "ledge take": ("ledge", {"coins": "c . c G ."}, "take"),
    "a class with a board": (Shown, {}, [4, 0, 8]),
    "a class without": (Subtract, {}, [1]),
}


def example(name):
    """The layouts by id, and the positions from the start of the example to its end."""
    kind, options, moves = EXAMPLES[name]
    game = ludus.make(kind, **options)
    actions = [game.read(word) for word in moves.split()] if isinstance(moves, str) else moves
    told = [position_of(game, state) for state in game.states(actions)]
    return {
        "layouts": {layout["id"]: layout for layout, _ in told if layout},
        "positions": [position for _, position in told],
    }


class Handler(SimpleHTTPRequestHandler):
    """Our static files, and the page."""

    def __init__(self, made, *args):
        self.made = made
        super().__init__(*args, directory=str(STATIC.parent))

    def end_headers(self):
        self.send_header("content-security-policy", POLICY)
        super().end_headers()

    def do_GET(self):
        if self.path.startswith("/static/"):
            return super().do_GET()
        kind, text = self.made.get(self.path.partition("?")[0], (None, ""))
        self.send_response(200 if kind else 404)
        self.send_header("content-type", kind or "text/plain")
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_):
        pass


@contextmanager
def serve():
    """The address of the page, while it is served."""
    made = {
        "/": ("text/html", PAGE),
        "/page.css": ("text/css", STYLE),
        "/page.js": ("text/javascript", SCRIPT),
        "/examples.json": ("application/json", json.dumps({name: example(name) for name in EXAMPLES})),
    }
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, made))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()


# ---------------------------------------------------------------------------------------------- for tests of the page


@contextmanager
def opened(browser, address, **how):
    """The page with the boards; whatever it complains about fails the test."""
    page = browser.new_page(**({"viewport": {"width": 900, "height": 800}} | how))
    page.set_default_timeout(1000 * PATIENCE)
    complaints = []
    page.on("console", lambda said: complaints.append(said.text) if said.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(address)
    page.wait_for_selector("[data-ready]")  # a function to wait for would be text that runs, which our pages forbid
    try:
        yield page
    finally:
        page.close()
    assert not complaints


def show(page, name, at=-1, **how):
    page.evaluate("([name, at, how]) => example(name, at, how)", [name, at, {"animate": False} | how])


def cell_named(name, cell):
    layout = next(iter(example(name)["layouts"].values()))
    return [c["name"] for c in layout["cells"]].index(cell)


def middle_of(page, cell):
    box = page.locator(f"[data-cell='{cell}']").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def click(page, cell):
    page.mouse.click(*middle_of(page, cell))


def name_of(page, cell):
    return page.locator(f"[data-cell='{cell}']").get_attribute("aria-label")


def count(page, selector):
    return page.locator(selector).count()


def shows(page, selector, many=1):
    """Waits until so many elements are there."""
    from playwright.sync_api import expect

    expect(page.locator(selector)).to_have_count(many)


def take_pictures(folder):
    """Pictures of every example, light and dark, on a screen and on a phone."""
    from playwright.sync_api import sync_playwright

    from tests.web.conftest import find_chromium

    folder.mkdir(parents=True, exist_ok=True)
    with serve() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])
        for theme in ("light", "dark"):
            for screen, (width, height) in {"screen": (900, 760), "phone": (390, 640)}.items():
                look = {"viewport": {"width": width, "height": height}, "color_scheme": theme}
                with opened(browser, address, **look) as page:
                    for name in EXAMPLES:
                        show(page, name)
                        page.screenshot(path=folder / f"{name.replace(' ', '_')}-{theme}-{screen}.png")


if __name__ == "__main__":
    take_pictures(Path(sys.argv[1]))
