"""How quick the page is: from a click to the drawn move, and from `ludus serve` to a drawn board.

    python benchmarks/page.py            needs Chromium and the extras web and dev

One page in a real browser is measured. The other pages are WebSocket connections of their own, as browsers of other
people would hold them: some look on, some have analysis on, so that the workers are as busy as they can be.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Page, sync_playwright
from websockets.asyncio.client import connect

SERVE = (sys.executable, "-c", "from ludus.cli import main; main()", "serve", "--no-open", "--port", "0")
WATCH = """() => {
  window.clicks = [];
  document.addEventListener("click", (event) => {
    const began = event.timeStamp, plies = window.ludus.told.line.length;
    const look = () => {
      const drawn = () => window.clicks.push(performance.now() - began);
      if (window.ludus.told.line.length > plies) requestAnimationFrame(drawn);
      else requestAnimationFrame(look);
    };
    look();
  }, true);
}"""


@dataclass
class Crowd:
    """Other people's pages: open connections, some of which have analysis on."""

    address: str
    pages: int
    searching: int
    thoughts: int = 0
    ready: threading.Event = field(default_factory=threading.Event)
    stop: threading.Event = field(default_factory=threading.Event)

    def __enter__(self) -> Crowd:
        self.thread = threading.Thread(target=lambda: asyncio.run(self.live()), daemon=True)
        self.thread.start()
        self.ready.wait(60)
        return self

    def __exit__(self, *_: object) -> None:
        self.stop.set()
        self.thread.join(30)

    async def live(self) -> None:
        socket = self.address.replace("http", "ws") + "/ws"
        tasks = [asyncio.create_task(self.page(socket, number)) for number in range(self.pages)]
        await asyncio.sleep(3)  # until all are connected and the workers have the searches
        self.ready.set()
        await asyncio.gather(*tasks)

    async def page(self, socket: str, number: int) -> None:
        """One page: a game of Hex with some moves; the first ones search, a new position every few seconds."""
        async with connect(socket, max_size=None) as page:
            await page.send(json.dumps({"ask": "follow", "link": "hex,size=11/f6.e5.g4"}))
            if number < self.searching:
                await page.send(json.dumps({"ask": "think", "on": True}))
            looked, began = 0, time.monotonic()
            while not self.stop.is_set():
                try:
                    told = json.loads(await asyncio.wait_for(page.recv(), 0.5))
                    self.thoughts += told["tell"] == "thought"
                except TimeoutError:
                    pass
                if number < self.searching and time.monotonic() - began > 5:
                    looked, began = (looked + 1) % 4, time.monotonic()
                    await page.send(json.dumps({"ask": "look", "node": looked}))


def serve(runs: str) -> tuple[subprocess.Popen[str], str]:
    """A running server and its address."""
    process = subprocess.Popen([*SERVE, "--runs", runs], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    line = process.stdout.readline()
    found = re.search(r"http://\S+:\d+", line)
    assert found, line
    return process, found[0]


def clicks(page: Page, address: str, count: int) -> list[float]:
    """Milliseconds from a click to the drawn move, on Hex 11×11 between two people."""
    page.goto(address)
    page.wait_for_selector(".board-picture [data-cell]")
    seats = {"game": "hex", "options": {"size": 11}, "seats": ["person", "person"], "visitor": "bench"}
    page.evaluate(WATCH)
    done = 0
    while done < count:
        page.evaluate("fields => window.ludus.ask('new', fields)", seats)
        page.wait_for_selector(".board-picture [data-cell='120']")
        time.sleep(0.3)
        for cell in range(0, 121, 3):  # too far apart to join two sides
            page.click(f".board-picture [data-cell='{cell}']", force=True)
            while page.evaluate("window.clicks.length") <= done:
                time.sleep(0.002)
            done += 1
            if done == count:
                break
    measured: list[float] = page.evaluate("window.clicks")
    return measured


def first_board(browser: Any, runs: str) -> float:
    """Seconds from the start of `ludus serve` to a drawn board in a browser that is open already."""
    page = browser.new_page()
    began = time.perf_counter()
    process, address = serve(runs)
    while True:
        try:
            page.goto(address)
            break
        except Exception:  # it listens as soon as it has said so, but let us not depend on that
            time.sleep(0.02)
    page.wait_for_selector(".board-picture [data-cell]")
    seconds = time.perf_counter() - began
    page.close()
    process.terminate()
    process.wait()
    return seconds


def summary(times: list[float]) -> dict[str, float]:
    ranked = sorted(times)
    return {
        "clicks": len(ranked),
        "median_ms": round(statistics.median(ranked), 1),
        "p99_ms": round(ranked[min(len(ranked) - 1, round(0.99 * len(ranked)))], 1),
        "longest_ms": round(ranked[-1], 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--clicks", type=int, default=300)
    parser.add_argument("--pages", type=int, default=50)
    parser.add_argument("--searching", type=int, default=10)
    parser.add_argument("--starts", type=int, default=5)
    options = parser.parse_args()
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    with tempfile.TemporaryDirectory() as runs, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        starts = [first_board(browser, runs) for _ in range(options.starts)]
        process, address = serve(runs)
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        alone = clicks(page, address, options.clicks)
        with Crowd(address, options.pages - 1, options.searching) as crowd:
            crowded = clicks(page, address, options.clicks)
        process.terminate()
        browser.close()
    print(json.dumps({
        "seconds_to_first_board": {"median": round(statistics.median(starts), 2), "all": [round(s, 2) for s in starts]},
        "alone": summary(alone),
        f"with {options.pages} pages, {options.searching} searching": summary(crowded) | {"thoughts": crowd.thoughts},
    }, indent=1))  # fmt: skip


if __name__ == "__main__":
    main()
