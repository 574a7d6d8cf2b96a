"""`ludus serve` as a program of its own, for tests that open its pages in a browser."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
COMMAND = (sys.executable, "-c", "from ludus.cli import main; main()", "serve", "--no-open")


class Server:
    """A server that can be killed and started again on the same port, with the same folder."""

    def __init__(self, runs, *flags):
        self.runs, self.flags, self.port = runs, flags, 0
        self.start()

    def start(self):
        arguments = [*COMMAND, "--runs", str(self.runs), "--port", str(self.port), *self.flags]
        self.process = subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True, cwd=ROOT)
        line = self.process.stdout.readline()
        found = re.search(r"http://[^:]+:(\d+)/", line)
        assert found, f"the server did not say where it is, but {line!r}"
        self.port = int(found[1])

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
            self.process.wait(20)
        finally:
            if self.process.poll() is None:
                os.kill(self.process.pid, signal.SIGKILL)


class Visit:
    """A page in a browser context of its own. Errors on its console are collected."""

    def __init__(self, browser, address, **look):
        self.address = address
        self.context = browser.new_context(**({"viewport": {"width": 1280, "height": 800}} | look))
        self.page = self.context.new_page()
        self.errors = []
        self.page.on("console", lambda message: self.errors.append(message.text) if message.type == "error" else None)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))

    def open(self, path="/"):
        self.page.goto(self.address + path)
        return self

    def until(self, script, wanted=lambda value: value, seconds=40):
        """Waits until a script in the page gives what is wanted, and returns that."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            value = self.page.evaluate(script)
            if wanted(value):
                return value
            time.sleep(0.03)
        raise AssertionError(f"never happened: {script} (last: {value!r:.300})")

    def told(self, wanted=lambda told: True):
        """What the page was told about its table, once it is as wanted."""
        return self.until("window.ludus?.told", lambda told: told and wanted(told))

    def close(self):
        self.context.close()
        assert self.errors == [], self.errors
