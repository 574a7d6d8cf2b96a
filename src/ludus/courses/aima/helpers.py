"""The notebook's small helpers: caches for functions, and a count of what searches ask a game."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

cache = functools.lru_cache(10**6)


def cache1(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function with a memory that looks only at the first argument, whatever the others are.

    For a search that takes alpha and beta besides the state this is wrong now and then: it may return a bound, found in
    a narrower window, as if it were the value. Our searches with a table do without it.
    """
    known: dict[Any, Any] = {}

    @functools.wraps(function)
    def remembered(first: Any, *others: Any) -> Any:
        if first not in known:
            known[first] = function(first, *others)
        return known[first]

    return remembered


class CountCalls:
    """An object that counts in `_counts` how often each of its attributes is asked for."""

    def __init__(self, obj: Any) -> None:
        self._object, self._counts = obj, Counter[str]()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # copy and pickle ask for these before the object is complete
            raise AttributeError(name)
        self._counts[name] += 1
        return getattr(self._object, name)


def report(game: Any, searchers: Iterable[Callable[[Any, Any], Any]]) -> None:
    """Prints how many states each search makes from the start of a game, and how often it asks whether one is final."""
    for searcher in searchers:
        counted = CountCalls(game)
        searcher(counted, counted.initial)
        made, asked = counted._counts["result"], counted._counts["is_terminal"]
        print(f"Result states: {made:7,d}; Terminal tests: {asked:7,d}; for {searcher.__name__}")
