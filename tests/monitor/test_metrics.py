"""Numbers in the text format of Prometheus, read by its own parser."""

import math

import pytest

from ludus.monitor.metrics import CONTENT_TYPE, Counter, Histogram, Metrics
from ludus.monitor.process import add_process

parser = pytest.importorskip(
    "prometheus_client.parser", reason="prometheus_client is missing: pip install prometheus-client"
)


def read(metrics):
    """Every sample: its name, its labels and its number."""
    families = list(parser.text_string_to_metric_families(metrics.text()))
    return {(s.name, tuple(sorted(s.labels.items()))): s.value for family in families for s in family.samples}


def test_counters_gauges_and_histograms_are_read_as_they_were_meant():
    metrics, games, seconds = Metrics(), Counter("ended"), Histogram("task", bounds=(0.1, 1))
    metrics.add("games_total", "Games.", games)
    metrics.add("answer_seconds", "Answers.", seconds)
    metrics.gauge("pages", "Pages.", lambda: 7)
    metrics.gauge("by_kind", "Several.", lambda: {("a",): 1.5, ("b",): math.inf}, "kind")
    games.add("rules", amount=2)
    games.add("time")
    for number in (0.1, 0.5, 20.0):
        seconds.note(number, "move")
    assert read(metrics) == {
        ("games_total", (("ended", "rules"),)): 2, ("games_total", (("ended", "time"),)): 1,
        ("pages", ()): 7, ("by_kind", (("kind", "a"),)): 1.5, ("by_kind", (("kind", "b"),)): math.inf,
        ("answer_seconds_bucket", (("le", "0.1"), ("task", "move"))): 1,
        ("answer_seconds_bucket", (("le", "1"), ("task", "move"))): 2,
        ("answer_seconds_bucket", (("le", "+Inf"), ("task", "move"))): 3,
        ("answer_seconds_sum", (("task", "move"),)): 20.6, ("answer_seconds_count", (("task", "move"),)): 3,
    }  # fmt: skip
    kinds = {family.name: family.type for family in parser.text_string_to_metric_families(metrics.text())}
    assert kinds == {"games": "counter", "answer_seconds": "histogram", "pages": "gauge", "by_kind": "gauge"}


@pytest.mark.parametrize("label", ['"', "\\", "\n", '\\"\n} 1\nlie{', "Größe ●", ""])
def test_labels_come_back_as_they_were(label):
    metrics, counter = Metrics(), Counter("what")
    metrics.add("things_total", 'A "help" with \\ and\na second line.', counter)
    counter.add(label)
    assert read(metrics) == {("things_total", (("what", label),)): 1}
    assert len(metrics.text().splitlines()) == 3 and metrics.text().endswith("\n")


def test_a_counter_without_labels_and_a_histogram_without_notes_are_there_from_the_beginning():
    metrics = Metrics()
    metrics.add("none_total", "None yet.", Counter())
    metrics.add("seconds", "None yet.", Histogram(bounds=(1,)))
    assert read(metrics) == {
        ("none_total", ()): 0, ("seconds_bucket", (("le", "1"),)): 0, ("seconds_bucket", (("le", "+Inf"),)): 0,
        ("seconds_sum", ()): 0, ("seconds_count", ()): 0,
    }  # fmt: skip


def test_numbers_of_the_process_are_plausible():
    metrics = Metrics()
    add_process(metrics)
    found = {name: value for (name, _), value in read(metrics).items()}
    assert found["process_start_time_seconds"] > 1e9 and found["process_cpu_seconds_total"] > 0
    assert found.get("process_resident_memory_bytes", 1e7) > 1e6 and found["ludus_build_info"] == 1
    assert CONTENT_TYPE.startswith("text/plain; version=0.0.4")
