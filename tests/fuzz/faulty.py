"""A target with a fault behind comparisons, to which coverage leads; and an input that ends the process."""

import os

from ludus.text import did_you_mean
from tests.fuzz.contract import TARGETS, target


@target("faulty", largest=16)
def faulty(data: bytes) -> None:
    text = data.decode("latin-1")
    if did_you_mean(text, ["deeper"]).startswith("did you mean") and text[:4] == "deep":
        raise KeyError("a fault")
    if data == b"leave":
        os._exit(3)


FAULTY = TARGETS["faulty"]
