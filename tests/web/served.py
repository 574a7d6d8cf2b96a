"""`ludus serve` as a program of its own, for tests that open its pages in a browser, and what these tests wait for."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

from tests.ports import lasting_port

ROOT = Path(__file__).parents[2]
COMMAND = (sys.executable, "-c", "from ludus.cli import main; main()", "serve", "--no-open")
PATIENCE = 90  # seconds in which anything that a page does has happened, also on a slow and busy machine

# What follows from a change happens in the next frames: sizes are observed and drawn, transitions begin and end.
SETTLE = """async () => {
  const frame = () => new Promise((drawn) => requestAnimationFrame(drawn));
  await frame();
  await frame();
  const ending = document.getAnimations().filter((one) => Number.isFinite(one.effect?.getComputedTiming().endTime));
  await Promise.allSettled(ending.map((one) => one.finished));
  await frame();
}"""


class Server:
    """A server that can be killed and started again on the same port, with the same folder."""

    def __init__(self, runs, *flags):
        self.runs, self.flags, self.port = runs, flags, lasting_port()
        self.start()

    def start(self):
        arguments = [*COMMAND, "--runs", str(self.runs), "--port", str(self.port), *self.flags]
        self.process = subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True, cwd=ROOT)
        line = self.process.stdout.readline()
        assert re.search(rf"http://[^:]+:{self.port}/", line), f"the server did not say that it is there, but {line!r}"

    @property
    def address(self):
        return f"http://localhost:{self.port}"

    def kill(self):
        """As if the power went out."""
        self.process.kill()
        self.process.wait()

    def close(self):
        self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(PATIENCE)
        finally:
            if self.process.poll() is None:
                os.kill(self.process.pid, signal.SIGKILL)


def until(page, script, wanted=lambda value: value):
    """Waits until a script in a page gives what is wanted, and returns that.

    Playwright's own function for this would be text that runs in the page, which our pages forbid.
    """
    value, end = None, time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            value = page.evaluate(script)
        except Exception as error:
            if "context was destroyed" not in str(error):  # another page is being loaded
                raise
        else:
            if wanted(value):
                return value
        time.sleep(0.03)
    raise AssertionError(f"never happened: {script} (last: {value!r:.300})")


def settled(page):
    """Waits until everything that follows from the last change is drawn and nothing moves any more."""
    page.evaluate(SETTLE)


class Visit:
    """A page in a browser context of its own. Errors on its console are collected."""

    def __init__(self, browser, address, **look):
        self.address = address
        self.context = browser.new_context(**({"viewport": {"width": 1280, "height": 800}} | look))
        self.context.set_default_timeout(1000 * PATIENCE)
        self.page = self.context.new_page()
        self.errors, self.wanted = [], []
        self.page.on("console", lambda message: self.errors.append(message.text) if message.type == "error" else None)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))

    def open(self, path="/"):
        self.page.goto(self.address + path)
        return self

    def until(self, script, wanted=lambda value: value):
        """Waits until a script in the page gives what is wanted, and returns that."""
        return until(self.page, script, wanted)

    def told(self, wanted=lambda told: True):
        """What the page was told about its table, once it is as wanted."""
        return self.until("window.ludus?.told", lambda told: told and wanted(told))

    def expect_errors(self, *words):
        """The test makes the browser report errors with such words. They may come at any moment until the end."""
        self.wanted += words

    def close(self):
        self.context.close()
        errors = [error for error in self.errors if not any(words in error for words in self.wanted)]
        assert errors == [], errors
