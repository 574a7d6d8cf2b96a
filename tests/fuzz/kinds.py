"""Changes of JSON that chance in bytes seldom makes: a value of another kind in the place of one that is there."""

import json
import random

KINDS = [None, True, -1, 0, 1.5, 10**30, "", "x", [], [1], ["ab", "cd"], {}, {"name": 1}, {"size": []}]


def of_another_kind(data: bytes, rng: random.Random) -> bytes | None:
    """The input with one value replaced, in one of its lines; None if that line, with or without a byte, is no JSON."""
    lines = data.split(b"\n")
    at = rng.randrange(len(lines))
    for skipped in (0, 1):
        try:
            value = json.loads(lines[at][skipped:])
        except (ValueError, RecursionError):
            continue
        lines[at] = lines[at][:skipped] + json.dumps(replaced(value, rng)).encode()
        return b"\n".join(lines)
    return None


def replaced(value, rng: random.Random):
    """The same value with something in it replaced, or all of it."""
    if not value or not isinstance(value, dict | list) or rng.random() < 0.2:
        return rng.choice(KINDS)
    key = rng.choice(list(value)) if isinstance(value, dict) else rng.randrange(len(value))
    changed = value.copy()
    changed[key] = replaced(value[key], rng)
    return changed
