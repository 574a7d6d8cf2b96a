"""Secrets: hashes of passwords that are slow to guess, tokens, and secrets made up for people."""

from __future__ import annotations

import base64
import binascii
import functools
import hashlib
import hmac
import re
import secrets
import unicodedata
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from ludus.errors import LudusError
from ludus.system import cores

SHORTEST, LONGEST = 8, 256  # characters of a password
# Of a password that is made up: no letters or digits that look alike. Twelve of 31 are 59 bits.
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"


@dataclass(frozen=True)
class Cost:
    """How slow a hash is: scrypt's parameters (RFC 7914). The usual ones take 16 MB and are used five times over."""

    n: int = 2**14
    r: int = 8
    p: int = 5

    @property
    def memory(self) -> int:
        """The bytes that scrypt may use: what it needs, and some more for its own bookkeeping."""
        return 128 * self.r * (self.n + self.p + 4)


USUAL = Cost()


def hash_password(password: str, cost: Cost = USUAL) -> str:
    """A salted hash as text, `scrypt$n$r$p$salt$hash`: it says how it was made, so the cost can be raised later."""
    salt = secrets.token_bytes(16)
    return "$".join(
        ("scrypt", str(cost.n), str(cost.r), str(cost.p), _text(salt), _text(_scrypt(password, salt, cost)))
    )


def hash_all(
    passwords: Sequence[str | None], cost: Cost = USUAL, tell: Callable[[int], object] = lambda done: None
) -> list[str | None]:
    """The hashes of several passwords, on all cores; `tell` is told how many are done. Where there is none, None."""
    hashes: list[str | None] = []
    workers = ThreadPoolExecutor(cores())  # scrypt computes outside the interpreter's lock
    try:
        for one in workers.map(lambda password: None if password is None else hash_password(password, cost), passwords):
            hashes.append(one)
            tell(len(hashes))
    finally:
        workers.shutdown(cancel_futures=True)
    return hashes


def verify(password: str, stored: str | None, cost: Cost = USUAL) -> bool:
    """Is it this password? Without a stored hash the answer is no, after the time that a real comparison takes."""
    made, salt, hashed = _read(stored if stored is not None else _nobody(cost))
    same = hmac.compare_digest(_scrypt(password, salt, made), hashed)
    return same and stored is not None


def outdated(stored: str, cost: Cost = USUAL) -> bool:
    """Was this hash made at another cost than is usual now?"""
    return _read(stored)[0] != cost


def check_password(password: str) -> str:
    """The password, if it is one that we accept."""
    if not SHORTEST <= len(password) <= LONGEST:
        raise LudusError(f"a password has {SHORTEST} to {LONGEST} characters, not {len(password)}")
    if any(unicodedata.category(letter) in ("Cc", "Cs") for letter in password):
        raise LudusError("a password has no control characters")
    return password


def new_token() -> str:
    """A random token of 32 bytes. It begins with a letter or digit, so spreadsheets take it as text."""
    while not (token := secrets.token_urlsafe(32))[0].isalnum():
        pass
    return token


def new_password() -> str:
    """A password that is easy to type: k7xm-2dqa-w9tr."""
    return "-".join("".join(secrets.choice(LETTERS) for _ in range(4)) for _ in range(3))


def fingerprint(token: str) -> str:
    """What is stored of a token. Tokens are random, so a fast hash suffices."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def without_passwords(words: str) -> str:
    """A message in which the password of a database's address is not legible."""
    hidden = re.sub(r"(?i)\b(password=)[^\s&]*", r"\1***", words)
    return re.sub(r"(\w://[^\s:/@]*):\S*@", r"\1:***@", hidden)


@functools.cache
def _nobody(cost: Cost) -> str:
    """The hash that a password is compared with where there is no account: nobody knows its password."""
    return hash_password(secrets.token_hex(16), cost)


def _scrypt(password: str, salt: bytes, cost: Cost) -> bytes:
    # NFKC: the same password typed on two systems may come as different code points.
    typed = unicodedata.normalize("NFKC", password[: LONGEST + 1]).encode("utf-8", "surrogatepass")
    return hashlib.scrypt(typed, salt=salt, n=cost.n, r=cost.r, p=cost.p, maxmem=cost.memory, dklen=32)


def _read(stored: str) -> tuple[Cost, bytes, bytes]:
    """Cost, salt and hash of a stored text."""
    try:
        kind, n, r, p, salt, hashed = stored.split("$")
        if kind != "scrypt":
            raise ValueError(kind)
        return (
            Cost(int(n), int(r), int(p)),
            base64.b64decode(salt, validate=True),
            base64.b64decode(hashed, validate=True),
        )
    except (ValueError, binascii.Error):
        raise LudusError("the database holds a password hash that this version of Ludus cannot read") from None


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode()
