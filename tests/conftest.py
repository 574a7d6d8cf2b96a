"""What all tests share: examples without a deadline, and the count of positions that were compared with OpenSpiel."""

import signal
from collections import Counter

import hypothesis
import pytest

hypothesis.settings.register_profile("ludus", deadline=None)  # a busy machine or a debug build is no mistake
hypothesis.settings.load_profile("ludus")
# A shell lets programs in the background ignore Ctrl-C, and whatever they start ignores it, too.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    totals: Counter[str] = Counter()
    for report in terminalreporter.stats.get("passed", []):
        for name, value in report.user_properties:
            totals[name] += value
    for name, value in totals.items():
        terminalreporter.write_line(f"{name}: {value:,}")
