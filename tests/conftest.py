"""What all tests share: the count of positions that were compared with OpenSpiel, said at the end."""

from collections import Counter

import pytest


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    totals: Counter[str] = Counter()
    for report in terminalreporter.stats.get("passed", []):
        for name, value in report.user_properties:
            totals[name] += value
    for name, value in totals.items():
        terminalreporter.write_line(f"{name}: {value:,}")
