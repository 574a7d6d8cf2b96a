"""What has threads in the core is free of races: core/tests/threads.cpp, compiled with the thread sanitizer."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PROGRAM = ROOT / "build" / "threads" / "sanitized"
CALM = ["setarch", "-R"] if shutil.which("setarch") else []  # addresses where the sanitizer expects them


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    folder = tmp_path_factory.mktemp("empty")
    (folder / "empty.cpp").write_text("int main() {}")
    compiler = os.environ.get("CXX", "c++")
    if shutil.which("make") is None or shutil.which(compiler) is None:
        pytest.skip("there is no compiler here, so threads are not looked at")
    command = [compiler, "-fsanitize=thread", str(folder / "empty.cpp"), "-o", str(folder / "empty")]
    if subprocess.run(command, capture_output=True).returncode or subprocess.run([*CALM, folder / "empty"]).returncode:
        pytest.skip("there is no thread sanitizer here, so threads are not looked at")
    subprocess.run(["make", "-s", "threads"], cwd=ROOT, check=True, capture_output=True, timeout=1200)
    return PROGRAM


def run(program, *arguments):
    return subprocess.run([*CALM, program, *arguments], capture_output=True, text=True, timeout=600)


def test_searches_solvers_self_play_and_exercises_have_no_races(program):
    done = run(program)
    assert done.returncode == 0, done.stderr
    assert "all threads are in order" in done.stdout and "ThreadSanitizer" not in done.stderr


def test_a_race_would_be_noticed(program):
    done = run(program, "race")
    assert done.returncode != 0 and "data race" in done.stderr
