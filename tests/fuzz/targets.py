"""All targets, by name."""

from tests.fuzz import contract, files, programs, texts, wire

ROOMS = (texts, programs, files, wire)
TARGETS = {
    name: target
    for name, target in contract.TARGETS.items()
    if target.run.__module__ in {room.__name__ for room in ROOMS}
}
