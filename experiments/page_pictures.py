"""Pictures of every page: light and dark, desktop and phone. The best of them stand in the README.

    python experiments/page_pictures.py FOLDER            all pictures
    python experiments/page_pictures.py docs/images --best    only those of the README

Needs Chromium and the extras web, learn and dev. It trains a small network first, so that there is something to see.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

LUDUS = (sys.executable, "-c", "from ludus.cli import main; main()")
SCREENS: dict[str, dict[str, Any]] = {
    "desktop": {"viewport": {"width": 1280, "height": 800}},
    "phone": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
}
BEST = {"play-hex desktop light", "review desktop light", "lesson-mcts desktop dark", "learn-run desktop light",
        "play-go desktop dark", "play-hex phone dark"}  # fmt: skip


@dataclass(frozen=True)
class Scene:
    """Something to take a picture of: where it is, and what is done there first."""

    path: str
    act: Callable[[Page], None] = lambda page: None
    wait: str = "main"


def think(page: Page) -> None:
    """Analysis on, until there is something to see; on a phone the panel slides back."""
    page.keyboard.press("a")
    page.wait_for_selector(".layer-heat .heat", state="attached")
    page.wait_for_timeout(4000)


def steps(count: int) -> Callable[[Page], None]:
    def act(page: Page) -> None:
        for _ in range(count):
            page.keyboard.press("ArrowRight")
            page.wait_for_timeout(60)
        page.wait_for_timeout(600)

    return act


def pause(page: Page) -> None:
    page.wait_for_timeout(6000)


SCENES = {
    "first-visit": Scene("/", wait=".board-picture [data-cell]"),
    "play-hex": Scene("/#hex,size=5/c3.b4", think, ".board-picture [data-cell]"),
    "play-go": Scene("/#go/E5.C3.G7.G3.C7.D3.F3.F2.E3.E2.D4", think, ".board-picture [data-cell]"),
    "play-othello": Scene("/#othello/d3.c3.c4.e3.f4.c5", think, ".board-picture [data-cell]"),
    "play-connect-four": Scene("/#connect_four/4.4.3.5.3.3.5", think, ".board-picture [data-cell]"),
    "play-nim": Scene("/#nim", think, ".board-picture [data-cell]"),
    "play-ledge": Scene("/#ledge", think, ".board-picture [data-cell]"),
    "play-over": Scene("/#hex,size=5/c3.b4.c4.b5.c2.d1.c1.a5.c5", wait=".board-picture [data-cell]"),
    "new-game": Scene("/", lambda page: page.keyboard.press("n"), ".board-picture [data-cell]"),
    "keys": Scene("/", lambda page: page.keyboard.press("?"), ".board-picture [data-cell]"),
    "review": Scene("/review#hex,size=5/c3.b4.d2.c4.b3.e3.d3.e2", pause),
    "review-connect-four": Scene("/review#connect_four/4.4.4.4.3.5.3.3.2.5.5.6.1", pause),
    "lesson-mcts": Scene("/lessons#mcts,game=tic_tac_toe,rule=uct,c=1.4,seed=1/45", pause),
    "lesson-alphabeta": Scene(
        "/lessons#alphabeta,game=tic_tac_toe,moves=b2.a3.c1.c2.c3,depth=4,pruning=on,ordering=off/14", pause
    ),
    "learn": Scene("/learn", pause),
    "learn-run": Scene("/learn#run/hex4", pause),
    "learn-tournament": Scene("/learn#tournament/hex4/topp", pause),
}


def serve(runs: str) -> tuple[subprocess.Popen[str], str]:
    process = subprocess.Popen(
        [*LUDUS, "serve", "--no-open", "--port", "0", "--runs", runs], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    found = re.search(r"http://\S+:\d+", process.stdout.readline())
    assert found
    return process, found[0]


def take(browser: Browser, address: str, scene: Scene, look: dict[str, Any], path: Path) -> None:
    """One picture, in a browser that remembers nothing."""
    context = browser.new_context(**look)
    page = context.new_page()
    page.on("pageerror", lambda error: print(f"{path.name}: {error}"))
    page.goto(address + scene.path)
    page.wait_for_selector(scene.wait)
    page.wait_for_timeout(700)
    scene.act(page)
    page.wait_for_timeout(500)
    page.screenshot(path=path)
    context.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--best", action="store_true")
    parser.add_argument("--only", default="", help="scenes whose names contain this")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as runs, sync_playwright() as playwright:
        if "learn" in options.only or not options.only:
            subprocess.run(
                [*LUDUS, "train", "hex", "--size", "4", "--run", f"{runs}/hex4", "--episodes", "150"], check=True
            )
        process, address = serve(runs)
        chromium = shutil.which("chromium") or shutil.which("chromium-browser")
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for name, scene in SCENES.items():
            for screen, size in SCREENS.items():
                for scheme in ("light", "dark"):
                    if options.only not in name or (options.best and f"{name} {screen} {scheme}" not in BEST):
                        continue
                    path = options.folder / f"page-{name}-{screen}-{scheme}.png"
                    take(browser, address, scene, {**size, "color_scheme": scheme}, path)
        browser.close()
        process.terminate()
        process.wait()


if __name__ == "__main__":
    main()
