"""The real server in a process of its own, for tests that open its pages in a browser."""

import os
import re
import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

LUDUS = str(Path(sys.executable).parent / "ludus")


@contextmanager
def served(runs, *more):
    """The address of a server that keeps its games in a folder."""
    command = [LUDUS, "serve", "--port", "0", "--no-open", "--runs", str(runs), *more]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ | {"PYTHONUNBUFFERED": "1"})
    try:
        said = server.stdout.readline()
        yield re.search(r"http://\S+?/", said)[0]
    finally:
        server.send_signal(signal.SIGINT)
        server.wait(20)


@contextmanager
def visited(browser, forgiven=None, **how):
    """A new page; whatever it complains about fails the test, unless a test provokes it and forgives it."""
    page = browser.new_page(**({"viewport": {"width": 1280, "height": 800}} | how))
    complaints = []
    page.on("console", lambda said: complaints.append(said.text) if said.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    yield page
    page.close()
    assert [text for text in complaints if forgiven is None or forgiven not in text] == []
