"""All targets, by name."""

from tests.fuzz import files, programs, texts, wire  # noqa: F401
from tests.fuzz.contract import TARGETS

__all__ = ["TARGETS"]
