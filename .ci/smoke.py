"""Does an installed Ludus work? Run by the Python that it is installed in, anywhere outside the source tree.

    python .ci/smoke.py [--extra learn|web|oht|cluster|dev|none] [--demo]

The commands run in an empty folder of their own. Every core that this processor can run gives the same results.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import ssl
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from counts import differences

HERE = Path(__file__).resolve().parent
SOURCE = HERE.parent
PROCESSOR = "from ludus import _core; print(_core.processor)"
PLACE = "import ludus, os; print(os.path.dirname(ludus.__file__))"
LEVELS = "from ludus import cpu; print(' '.join(cpu.levels_here(cpu.best_level() or 'baseline')))"
ENOUGH = {  # what an extra is for
    "none": [],
    "learn": [
        "match zoo:hex5 random --game hex --size 5 --games 2",
        "measure hex --size 4 --agent random --positions 20",
    ],
    "web": [],
    "oht": ["oht --help"],
    "cluster": [],
    "dev": [
        "match zoo:hex5 openspiel:random --game hex --size 5 --games 2",
        "measure hex --size 4 --agent random --positions 20",
        "oht --help",
    ],
}
SERVERS = {  # what an extra serves, and the address that is printed
    "web": (["serve", "--port", "0", "--no-open"], r"http://[\w.:]+"),
    "oht": (
        ["oht", "serve", *["--port", "None", "--json-port", "None", "--league-port", "None", "--api-port", "0"]],
        r"https://[\w.:]+",
    ),
}
COMMANDS = [
    "--version",
    "games",
    "agents",
    "match mcts:simulations=50 random --game hex --size 5 --games 2",
    "match alphabeta:depth=2 greedy --game othello --size 6 --games 2",
    "tournament random greedy --game nim --games 4",
    "solve hex --size 4",
    "zoo",
    "levels hex --size 7",
]


def python(code: str, folder: str, **environment: str) -> str:
    """What a program prints."""
    done = subprocess.run([sys.executable, "-c", code], cwd=folder, env=os.environ | environment, capture_output=True,
                          text=True, timeout=600)  # fmt: skip
    if done.returncode:
        sys.exit(f"failed with {environment}:\n{code}\n{done.stderr}")
    return done.stdout.strip()


def ludus(arguments: str, folder: str) -> str:
    """What a command prints; it must not fail."""
    began = time.perf_counter()
    done = subprocess.run([program(), *arguments.split()], cwd=folder, capture_output=True, text=True, timeout=1200,
                          encoding="utf-8", errors="replace")  # fmt: skip
    if done.returncode:
        sys.exit(f"ludus {arguments} failed with code {done.returncode}:\n{done.stdout}\n{done.stderr}")
    print(f"  ludus {arguments}: {time.perf_counter() - began:.1f} s", flush=True)
    return done.stdout


def program() -> str:
    """The command `ludus` of this Python."""
    return str(Path(sys.executable).with_name("ludus.exe" if os.name == "nt" else "ludus"))


def check_cores(folder: str) -> None:
    """All cores that this processor can run find what every other has found."""
    kept = json.loads((HERE / "counts.json").read_text(encoding="utf-8"))
    levels = python(LEVELS, folder).split()
    for level in levels:
        chosen = {"LUDUS_CPU": level} if len(levels) > 1 else {}
        if chosen and python(PROCESSOR, folder, **chosen) != level:
            sys.exit(f"LUDUS_CPU={level} gave another core")
        found = json.loads(python((HERE / "counts.py").read_text(encoding="utf-8"), folder, **chosen))
        if wrong := differences(found, kept):
            sys.exit(f"the core {level} differs in {', '.join(wrong)}")
    print(f"  cores with equal results: {', '.join(levels)}; chosen: {python(PROCESSOR, folder)}", flush=True)


def check_server(arguments: list[str], address: str, folder: str) -> None:
    """A server says where it is, by a line with such an address, and answers there."""
    server = subprocess.Popen([program(), *arguments], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, encoding="utf-8", errors="replace")  # fmt: skip
    try:
        assert server.stdout is not None
        said = ""
        for line in server.stdout:
            said += line
            if found := re.search(address, line):
                nobody = ssl._create_unverified_context()  # its certificate was made a moment ago
                with urllib.request.urlopen(found[0], timeout=60, context=nobody) as answer:
                    if b"<html" not in answer.read().lower():
                        sys.exit(f"ludus {' '.join(arguments)} shows no page at {found[0]}")
                print(f"  ludus {' '.join(arguments)}: {found[0]} answers", flush=True)
                return
        sys.exit(f"ludus {' '.join(arguments)} ended without an address:\n{said}")
    finally:
        server.terminate()
        server.wait(30)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--extra", choices=ENOUGH, default="none")
    options.add_argument("--demo", action="store_true", help="also `ludus demo`, which needs the extra learn")
    options = options.parse_args()
    os.environ.pop("LUDUS_CPU", None)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(python(PLACE, folder))
        if SOURCE in place.parents:
            sys.exit(f"this is the Ludus of the source tree: {place}")
        check_cores(folder)
        for command in COMMANDS + ENOUGH[options.extra]:
            ludus(command, folder)
        if options.extra in SERVERS:
            check_server(*SERVERS[options.extra], folder)
        if options.demo and "progressive" not in ludus("demo --episodes 60 --games 4", folder).lower():
            sys.exit("the demo played no tournament")


if __name__ == "__main__":
    main()
