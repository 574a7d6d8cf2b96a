"""Who may come in: bounds on connections, and failed logins that are answered more and more slowly."""

from __future__ import annotations

import asyncio
import time
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address

from ludus.protocols.oht.settings import Bound

LONGEST = 30.0  # seconds that a login waits after others for the same name have failed
LONGEST_ANSWER = 5.0  # seconds that the answer to a failed login waits
FORGET = 900.0  # seconds after which failures are forgotten
REMEMBERED = 10_000  # names and addresses at most
CHECKS = 4  # passwords of one address that are in line to be checked; others of that address wait for them

Wait = Callable[[float], Awaitable[None]]  # waits for some seconds


@dataclass(eq=False)
class Visit:
    """One connection, as the doorkeeper sees it."""

    address: str
    end: Callable[[], object] = bool  # ends it; the server says how
    account: int | None = None  # whose it is, once it is logged in
    put_out: bool = False  # was its place given to another one?


class Doorkeeper:
    """Counts connections, and failures by account and by address."""

    def __init__(self, bound: Bound) -> None:
        self.bound = bound
        self.inside: Counter[int] = Counter()  # connections that are logged in, by account
        self.waiting: dict[str, list[Visit]] = {}  # the others, by address, the oldest first
        self.failures: OrderedDict[str, tuple[int, float]] = OrderedDict()  # how many, and when the last
        self.names, self.checks = Turns(1), Turns(CHECKS)

    @property
    def connections(self) -> int:
        return self.inside.total() + sum(map(len, self.waiting.values()))

    # --------------------------------------------------------------------------------- connections

    def enter(self, address: str) -> Visit | None:
        """A new connection; None if there is no room for it.

        Room is made at the cost of those that are not logged in: the oldest of the same address if it has too many,
        else the oldest of the address that has most. So connections that say nothing keep nobody out.
        """
        if len(self.waiting.get(address, ())) >= self.bound.waiting_of_one:
            self._put_out(address)
        full = sum(map(len, self.waiting.values())) >= self.bound.waiting
        if self.waiting and (full or self.connections >= self.bound.connections):
            self._put_out(max(self.waiting, key=lambda one: len(self.waiting[one])))
        if self.connections >= self.bound.connections:
            return None
        visit = Visit(address)
        self.waiting.setdefault(address, []).append(visit)
        return visit

    def _put_out(self, address: str) -> None:
        """Ends the oldest connection of an address that is not logged in."""
        oldest = self.waiting[address][0]
        self._forget(oldest)
        oldest.put_out = True
        oldest.end()

    def _forget(self, visit: Visit) -> None:
        here = self.waiting.get(visit.address, [])
        if visit in here:
            here.remove(visit)
        if not here:
            self.waiting.pop(visit.address, None)

    def admit(self, visit: Visit, account: int) -> bool:
        """A login was right. False if the account has too many connections already."""
        if self.inside[account] >= self.bound.of_account:
            return False
        self._forget(visit)
        self.inside[account] += 1
        visit.account = account
        return True

    def leave(self, visit: Visit) -> None:
        """A connection has ended."""
        self._forget(visit)
        if visit.account is not None:
            self.inside[visit.account] -= 1
            self.inside += Counter()  # drops the zeros

    # --------------------------------------------------------------------------------- logins

    @asynccontextmanager
    async def slowly(self, address: str, name: str, wait: Wait = asyncio.sleep) -> AsyncIterator[None]:
        """One login after the other for the same name from the same address; after failures each waits longer."""
        async with self.names.of(f"{address} {name}"):
            await wait(self.delay(address, name))
            async with self.checks.of(address):
                yield

    def delay(self, address: str, name: str) -> float:
        """The seconds that the next login waits: doubled by each failure for this name from this address.

        What somebody does wrong elsewhere, or for another name, slows nobody down.
        """
        failures = self._failures(f"{address} {name}")
        return min(LONGEST, 0.25 * 2 ** min(failures, 10)) if failures else 0.0

    async def failed(self, address: str, name: str, wait: Wait = asyncio.sleep) -> None:
        """A login was wrong. Returns when it may be said: the more went wrong from this address, the later."""
        for key in (f"{address} {name}", address):
            count = self._failures(key)
            self.failures.pop(key, None)
            self.failures[key] = (count + 1, time.monotonic())
        while len(self.failures) > REMEMBERED:
            self.failures.popitem(last=False)
        await wait(min(LONGEST_ANSWER, 0.05 * self._failures(address)))

    def _failures(self, key: str) -> int:
        count, last = self.failures.get(key, (0, 0.0))
        return count if time.monotonic() - last <= FORGET else 0

    def right(self, address: str, name: str) -> None:
        self.failures.pop(f"{address} {name}", None)


class Turns:
    """For every key, so many at once; the others wait in line. A key that nobody uses is forgotten."""

    def __init__(self, at_once: int) -> None:
        self.at_once = at_once
        self.lines: dict[str, tuple[asyncio.Semaphore, int]] = {}  # by key, with how many use it

    @asynccontextmanager
    async def of(self, key: str) -> AsyncIterator[None]:
        line, users = self.lines.get(key, (asyncio.Semaphore(self.at_once), 0))
        self.lines[key] = (line, users + 1)
        try:
            async with line:
                yield
        finally:
            users = self.lines[key][1] - 1
            if users:
                self.lines[key] = (line, users)
            else:
                del self.lines[key]


def neighbourhood(address: str) -> str:
    """The address by which a client is known. One client may have all IPv6 addresses of a network of 64 bits."""
    found = ip_address(address.partition("%")[0])
    if isinstance(found, IPv6Address):
        return str(found.ipv4_mapped or IPv6Address(int(found) >> 64 << 64))
    return address
