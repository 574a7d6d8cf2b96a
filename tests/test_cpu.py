"""The core that fits the processor is chosen when ludus is imported, and which one it is changes no result."""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from ludus import _core, cpu

ROOT = Path(__file__).parent.parent


@pytest.fixture
def three_cores(tmp_path, monkeypatch):
    for level in ("v3", "v4"):
        (tmp_path / level).mkdir()
    monkeypatch.setattr(cpu, "HERE", tmp_path)


@pytest.mark.parametrize("best", cpu.LEVELS)
def test_the_best_level_of_the_processor_is_taken(three_cores, best):
    assert cpu.choose("", best) == best


def test_a_level_that_was_not_built_is_passed_over(three_cores):
    (cpu.HERE / "v4").rmdir()
    assert cpu.choose("", "v4") == "v3"


def test_a_lower_level_can_be_asked_for(three_cores):
    assert [cpu.choose(level, "v4") for level in cpu.LEVELS] == ["baseline", "v3", "v4"]


@pytest.mark.parametrize(
    ("wanted", "best", "says"),
    [
        ("v4", "v3", "the cores that this processor can run are baseline, v3"),
        ("fastest", "v4", "the cores that this processor can run are baseline, v3, v4"),
        ("v3", None, "has one core only"),
    ],
)
def test_what_cannot_be_had_is_refused_in_a_sentence(three_cores, wanted, best, says):
    with pytest.raises(SystemExit, match=says):
        cpu.choose(wanted, best)


def test_the_command_line_refuses_without_a_traceback():
    done = subprocess.run(
        [sys.executable, "-m", "ludus.cli", "games"], env=os.environ | {"LUDUS_CPU": "abacus"}, capture_output=True,
        text=True,
    )  # fmt: skip
    assert done.returncode == 1 and done.stderr.startswith("LUDUS_CPU=abacus: ") and done.stderr.count("\n") == 1


def test_the_core_says_what_it_was_compiled_for():
    assert _core.processor in (*cpu.LEVELS, "native")
    done = subprocess.run([sys.executable, "-m", "ludus.cli", "--version"], capture_output=True, text=True)
    assert f"core for {_core.processor}" in done.stdout


def test_this_core_counts_what_every_other_counts():
    """The same numbers are asked of every core of a wheel, by `make wheels`."""
    spec = importlib.util.spec_from_file_location("counts", ROOT / ".ci" / "counts.py")
    counts = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(counts)
    kept = json.loads((ROOT / ".ci" / "counts.json").read_text())
    found = {"searches": counts.search_counts(), "networks": counts.network_answers()}
    assert counts.differences(found, kept) == []
    found["searches"]["nim"]["alpha-beta"] += 1
    found["networks"][0] += 0.001
    assert counts.differences(found, kept)[0] == "nim" and "networks by" in counts.differences(found, kept)[1]


PROBE = """
import importlib.machinery, importlib.util
loader = importlib.machinery.ExtensionFileLoader("_processor", {place!r})
module = importlib.util.module_from_spec(importlib.util.spec_from_loader("_processor", loader))
loader.exec_module(module)
print(module.level())
"""


@pytest.mark.skipif(
    not sys.platform.startswith("linux") or os.uname().machine != "x86_64", reason="Linux on x86-64 only"
)
def test_the_level_is_that_which_the_system_lists(tmp_path):
    """The flags that Linux lists are an independent look at the same processor."""
    compiler = os.environ.get("CXX") or shutil.which("c++")
    if compiler is None:
        pytest.skip("there is no C++ compiler here")
    place, source = tmp_path / "_processor.so", ROOT / "core" / "bindings" / "processor" / "processor.cpp"
    subprocess.run([compiler, "-std=c++20", "-shared", "-fPIC", f"-I{sysconfig.get_paths()['include']}", str(source),
                    "-o", str(place)], check=True)  # fmt: skip
    done = subprocess.run([sys.executable, "-c", PROBE.format(place=str(place))], capture_output=True, text=True)
    flags = set(
        next(line for line in Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("flags")).split()
    )
    v3 = {"avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "movbe", "abm"} <= flags
    v4 = v3 and {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"} <= flags
    assert done.stdout.strip() == ("v4" if v4 else "v3" if v3 else "baseline"), done.stderr
