"""What accounts may be called: names, handles, addresses. Whatever passes is safe to print and to list."""

from __future__ import annotations

import unicodedata

from ludus.errors import LudusError

LONGEST = 64  # characters of a name or a handle
MOST_ATTEMPTS = 10_000
# Control characters, invisible marks that reorder text, surrogates, private characters, line and paragraph separators.
HIDDEN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


def check_name(name: str, what: str = "name") -> str:
    """The name in its one spelling, without spaces around it; a name that we do not accept is refused."""
    if len(name) > 4 * LONGEST:  # before anything is done with it
        raise LudusError(f"a {what} has 1 to {LONGEST} characters, not {len(name)}")
    clean = unicodedata.normalize("NFC", name).strip()
    if not 1 <= len(clean) <= LONGEST:
        raise LudusError(f"a {what} has 1 to {LONGEST} characters, not {len(clean)}")
    if any(unicodedata.category(letter) in HIDDEN for letter in clean):
        raise LudusError(f"a {what} has no control characters or line breaks: {clean!r}")
    if "," in clean or ";" in clean:
        raise LudusError(f"a {what} has no commas or semicolons, which separate the columns of lists: {clean!r}")
    return clean


def check_email(email: str) -> str:
    """The address, if it looks like one; nothing is fine, too."""
    clean = email.strip()
    if not clean:
        return ""
    before, at, after = clean.rpartition("@")
    odd = any(unicodedata.category(letter) in HIDDEN or letter in " ,;<>\"'" for letter in clean[:255])
    if len(clean) > 254 or not (before and at and after) or "@" in before or odd:
        raise LudusError(f"this is not an e-mail address: {clean[:80]!r}")
    return clean


def check_attempts(attempts: int) -> int:
    if not 0 <= attempts <= MOST_ATTEMPTS:
        raise LudusError(f"attempts must be a whole number from 0 to {MOST_ATTEMPTS}, not {attempts}")
    return attempts


def key_of(text: str) -> str:
    """By which two spellings of a name or an address are the same: upper case and lower case do not count."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text.strip()).casefold())


def name_key(name: str) -> str | None:
    """The key of a name that somebody typed; None if no account can be called that."""
    try:
        return key_of(check_name(name))
    except LudusError:
        return None


def email_key(email: str) -> str | None:
    """The key of an address that somebody typed; None if no account can have it."""
    try:
        return key_of(check_email(email)) or None
    except LudusError:
        return None
