"""Builds the source distribution and a wheel, and tries both where a user would: `make wheels`.

    python .ci/wheels.py [--python 3.11 3.12 …] [--extras] [--demo] [--from-wheels FOLDER]

The source distribution is made from a copy of the tree without its history, and everything after it is made from the
source distribution alone, with a `git` that fails. A wheel is built for every Python that needs one of its own (3.11;
3.12 for all later ones), installed into fresh environments of every Python that is there, outside the source tree,
and tried by smoke.py. `--extras` does so for each extra alone. Sizes and times are printed and kept in
build/wheels/report.json; a wheel larger than BOUND fails.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "build" / "wheels"
VERSIONS = ["3.11", "3.12", "3.13", "3.14"]
BOUND = 20 * 2**20  # bytes of a wheel
TOOLS = ["scikit-build-core", "nanobind", "cmake", "ninja", "build"]
EXTRAS = ["learn", "web", "oht", "cluster", "dev"]  # tried alone


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--python", nargs="*", default=VERSIONS, help="versions to try, of those that are there")
    options.add_argument("--extras", nargs="*", help="extras to try alone; all of them, if none is named")
    options.add_argument("--demo", action="store_true", help="also run `ludus demo`, which needs the extra learn")
    options.add_argument("--from-wheels", type=Path, help="try the wheels of this folder, build none")
    options = options.parse_args()
    pythons = {version: found for version in options.python if (found := python_of(version))}
    if not pythons:
        sys.exit(f"none of the Pythons {', '.join(options.python)} is here")
    print(f"Python {', '.join(pythons)}", flush=True)
    OUT.mkdir(parents=True, exist_ok=True)
    wheels = (options.from_wheels or OUT / "dist").resolve()
    report: dict[str, Any] = {"built": {}, "tried": []}
    if not options.from_wheels:
        shutil.rmtree(wheels, ignore_errors=True)
        sdist = make_sdist(pythons, wheels)
        for version in needed(list(pythons)):
            report["built"][version] = build(version, pythons[version], sdist, wheels)
    report["files"] = {path.name: sizes(path) for path in sorted(wheels.iterdir())}
    for name, size in report["files"].items():
        print(f"{name}: {json.dumps(size)}", flush=True)
        if size["bytes"] > BOUND:
            sys.exit(f"{name} has more than {BOUND:,} bytes")
    extras = ["none"] if options.extras is None else options.extras or ["none", *EXTRAS]
    with tempfile.TemporaryDirectory(prefix="ludus-") as outside:
        for version, python in pythons.items():
            for extra in extras:
                report["tried"].append(try_out(version, python, Path(outside), wheels, extra, options.demo))
    (OUT / "report.json").write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


def python_of(version: str) -> Path | None:
    """A Python of this version: on the path, or one of pyenv's."""
    candidates = [shutil.which(f"python{version}")]
    candidates += sorted(str(path) for path in (Path.home() / ".pyenv" / "versions").glob(f"{version}.*/bin/python"))
    for candidate in filter(None, candidates):
        ask = [candidate, "-c", "import sys, ensurepip; print('%d.%d' % sys.version_info[:2])"]
        done = subprocess.run(ask, capture_output=True, text=True)
        if done.returncode == 0 and done.stdout.strip() == version:
            return Path(candidate)
    return None


def needed(versions: list[str]) -> list[str]:
    """The versions for which a wheel has to be built: one from 3.12 on serves those that follow."""
    later = [version for version in versions if version != "3.11"]
    return [version for version in versions if version == "3.11"] + later[:1]


def environment(python: Path, folder: Path) -> Path:
    """The Python of a fresh virtual environment."""
    shutil.rmtree(folder, ignore_errors=True)
    run([python, "-m", "venv", folder])
    return folder / ("Scripts" if os.name == "nt" else "bin") / "python"


def run(command: list[Any], **options: Any) -> str:
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **options)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))} failed:\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}")
    return done.stdout


def without_git() -> dict[str, str]:
    """Variables of an environment in which git is there but fails."""
    folder = OUT / "no-git"
    folder.mkdir(exist_ok=True)
    (folder / "git").write_text("#!/bin/sh\necho 'there is no git here' >&2\nexit 1\n")
    (folder / "git").chmod(0o755)
    return os.environ | {
        "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}",
        "PIP_CONSTRAINT": str(ROOT / "constraints.txt"),
    }


def tools(version: str, python: Path) -> Path:
    """An environment with what building needs and nothing else."""
    there = environment(python, OUT / f"tools-{version}")
    run([there, "-m", "pip", "install", "--quiet", "-c", ROOT / "constraints.txt", *TOOLS])
    return there


def make_sdist(pythons: dict[str, Path], to: Path) -> Path:
    """The source distribution, from a copy of the tree as a user would have it: without history and what was built."""
    tree = OUT / "tree"
    shutil.rmtree(tree, ignore_errors=True)
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True)
    if listed.returncode == 0:
        for name in filter(None, listed.stdout.split("\0")):
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, tree / name)
    else:
        shutil.copytree(ROOT, tree, ignore=shutil.ignore_patterns("build", ".venv*", "*.so", "_core.pyi", "runs"))
    version, python = next(iter(pythons.items()))
    run([tools(version, python), "-m", "build", "--sdist", "--no-isolation", "--outdir", to, tree], env=without_git())
    (sdist,) = to.glob("*.tar.gz")
    print(f"{sdist.name}: {sdist.stat().st_size:,} bytes", flush=True)
    return sdist


def build(version: str, python: Path, sdist: Path, to: Path) -> dict[str, Any]:
    """A wheel, from the source distribution alone."""
    there = OUT / f"tools-{version}" / ("Scripts" if os.name == "nt" else "bin") / "python"
    there = there if there.exists() else tools(version, python)
    variables = without_git()
    variables["PATH"] = f"{there.parent}{os.pathsep}{variables['PATH']}"
    began = time.perf_counter()
    run([there, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", to, sdist], env=variables)
    seconds = round(time.perf_counter() - began)
    print(f"Python {version}: a wheel in {seconds} s", flush=True)
    return {"seconds": seconds}


def sizes(path: Path) -> dict[str, int]:
    """The bytes of a distribution, and what its largest parts take in it."""
    found = {"bytes": path.stat().st_size}
    if path.suffix == ".whl":
        with zipfile.ZipFile(path) as wheel:
            entries = wheel.infolist()
        found["unpacked"] = sum(entry.file_size for entry in entries)
        for name, part in (("cores", "_core."), ("zoo", "/zoo/"), ("page", "/web/static/")):
            found[name] = sum(
                entry.compress_size for entry in entries if part in entry.filename and ".pyi" not in entry.filename
            )
    return found


def wheel_for(python: Path, wheels: Path) -> Path:
    """The wheel that this Python can install."""
    tags = run([python, "-m", "pip", "debug", "--verbose"])
    for wheel in sorted(wheels.glob("*.whl")):
        if "-".join(wheel.stem.split("-")[2:]).replace(".", "_") in tags.replace(".", "_"):
            return wheel
    sys.exit(f"no wheel in {wheels} fits {python}")


def try_out(version: str, python: Path, outside: Path, wheels: Path, extra: str, demo: bool) -> dict[str, Any]:
    """Installs Ludus with one extra into a fresh environment, outside the source tree, and runs smoke.py there."""
    there = environment(python, outside / "fresh")
    wanted = "ludus" if extra == "none" else f"ludus[{extra}]"
    began = time.perf_counter()
    # A wheel is named by its file: an index might have another Ludus of this name.
    wheel = wheel_for(there, wheels)
    run([there, "-m", "pip", "install", "--quiet", "-c", ROOT / "constraints.txt",
         str(wheel) if extra == "none" else f"{wheel}[{extra}]"])  # fmt: skip
    seconds = round(time.perf_counter() - began, 1)
    print(f"Python {version}, {wanted}: installed in {seconds} s", flush=True)
    command = [there, ROOT / ".ci" / "smoke.py", "--extra", extra]
    print(run(command + (["--demo"] if demo and extra == "learn" else []), cwd=outside), end="", flush=True)
    return {"python": version, "extra": extra, "seconds": seconds}


if __name__ == "__main__":
    main()
