"""Every parser that faces the outside keeps its promise: for the inputs of the corpus, which holds every fault that was
ever found, and for some thousand more that coverage leads. `make fuzz` makes a million of each."""

import random
from importlib.util import find_spec

import pytest

from ludus.errors import LONGEST, LudusError
from tests.fuzz.contract import Broken, attempt
from tests.fuzz.faulty import FAULTY
from tests.fuzz.kinds import of_another_kind
from tests.fuzz.one import CORPUS
from tests.fuzz.run import MOST_ENDS, Run
from tests.fuzz.targets import TARGETS

INPUTS = 2000
SEEDS = sorted(CORPUS.glob("*/*"))


def test_every_target_has_a_corpus_and_every_corpus_a_target():
    assert {path.parent.name for path in SEEDS} == {path.name for path in CORPUS.iterdir()} == set(TARGETS)


@pytest.mark.parametrize("name", sorted(TARGETS))
def test_the_corpus_is_read_or_refused_in_a_sentence(name):
    for path in SEEDS:
        if path.parent.name == name:
            TARGETS[name].run(path.read_bytes())


@pytest.mark.skipif(find_spec("atheris") is None, reason="atheris is not installed here: only the corpus is tried")
@pytest.mark.parametrize("name", sorted(TARGETS))
def test_inputs_that_coverage_leads_to_are_read_or_refused(name, tmp_path):
    run = Run(TARGETS[name], tmp_path)
    counts = run.to(INPUTS)
    told = [path.read_text(encoding="utf-8") for path in (tmp_path / "faults").glob("*.txt")]
    assert not counts.faults, f"{counts.faults}\n" + "\n".join(told)
    assert counts.inputs >= INPUTS and counts.covered[0] > 5


@pytest.mark.skipif(find_spec("atheris") is None, reason="atheris is not installed here: nothing can be found")
def test_a_fault_is_found_and_kept_and_the_run_goes_on(tmp_path):
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus" / "near").write_bytes(b"2/mov")
    counts = Run(FAULTY, tmp_path).to(5000)
    [name] = [name for where, name in counts.faults.items() if where.startswith("KeyError at faulty.py")]
    assert counts.inputs >= 5000
    with pytest.raises(KeyError):
        FAULTY.run((tmp_path / "faults" / name).read_bytes())
    assert Run(FAULTY, tmp_path).to(5000) == counts  # it has reached its number already


@pytest.mark.skipif(find_spec("atheris") is None, reason="atheris is not installed here: nothing can be found")
def test_a_process_that_ends_before_its_time_is_a_fault_as_well(tmp_path):
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus" / "end").write_bytes(b"leave")
    counts = Run(FAULTY, tmp_path).to(1000)
    assert len(counts.faults) == MOST_ENDS and all("code 3" in where for where in counts.faults)


def test_values_of_json_are_replaced_by_those_of_another_kind():
    rng, data = random.Random(1), b'\x01{"a": [1, {"b": 2}]}\n{"c": 3}'
    changed = {of_another_kind(data, rng) for _ in range(500)}
    assert {b'\x01{"a": null}\n{"c": 3}', b'\x01{"a": [1, {"b": []}]}\n{"c": 3}', data[:22] + b'{"c": "x"}'} <= changed
    assert of_another_kind(b"hex", rng) is None


@pytest.mark.parametrize("said", ["", "two\nlines", "\x1b[31mred", "x" * (LONGEST + 1), "half \udc80"])
def test_what_is_no_sentence_breaks_the_promise(said):
    class Careless(LudusError):
        def __str__(self):
            return said

    def refuse():
        raise Careless

    with pytest.raises(Broken):
        attempt(refuse)


@pytest.mark.parametrize("said", ["two\nlines", "\x1b[31mred", "x" * 10_000, "half \udc80 a letter"])
def test_errors_are_one_line_whatever_they_quote(said):
    told = str(LudusError(said))
    assert told.isprintable() and 0 < len(told) <= LONGEST
    assert str(LudusError("as it is  –  even so")) == "as it is  –  even so"
