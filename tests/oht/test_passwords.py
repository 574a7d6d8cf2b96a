"""Hashes of passwords: salted, slow, comparable; and secrets that are made up."""

import pytest

from ludus.errors import LudusError
from ludus.protocols.oht.storage import passwords
from ludus.protocols.oht.storage.passwords import (
    USUAL,
    Cost,
    hash_password,
    new_password,
    new_token,
    verify,
    without_passwords,
)
from tests.oht.rounds import CHEAP


def test_a_hash_fits_its_password_only():
    hashed = hash_password("correct horse", CHEAP)
    assert verify("correct horse", hashed) and not verify("correct house", hashed) and not verify("", hashed)
    assert hashed != hash_password("correct horse", CHEAP)  # another salt


def test_a_password_with_accents_fits_however_it_is_typed():
    assert verify("cafe\u0301 au lait", hash_password("caf\u00e9 au lait", CHEAP))
    assert not verify("\ud800" * 10, hash_password("caf\u00e9 au lait", CHEAP))


def test_a_hash_says_how_it_was_made():
    assert hash_password("x", Cost(4, 2, 3)).startswith("scrypt$4$2$3$")
    assert verify("x", hash_password("x", Cost(4, 2, 3)), USUAL)
    assert (USUAL.n, USUAL.r, USUAL.p) == (2**14, 8, 5)


def test_a_hash_that_was_damaged_gets_a_sentence():
    for text in ("", "md5$x", "scrypt$a$b$c$d$e", "scrypt$2$1$1$!!$!!"):
        with pytest.raises(LudusError, match="cannot read"):
            verify("x", text)


def test_an_unknown_name_costs_one_hash_as_a_wrong_password_does(monkeypatch):
    calls = []
    scrypt = passwords._scrypt
    monkeypatch.setattr(passwords, "_scrypt", lambda *a: calls.append(a[2]) or scrypt(*a))
    hashed = hash_password("a good secret", CHEAP)
    assert not verify("anything", None, CHEAP)  # the first one also makes the hash that nobody has
    calls.clear()
    assert not verify("anything", None, CHEAP) and not verify("anything", hashed, CHEAP)
    assert calls == [CHEAP, CHEAP]


def test_what_is_made_up_is_long_and_different():
    made = {new_password() for _ in range(100)}
    assert len(made) == 100 and all(len(one) == 14 for one in made)
    tokens = {new_token() for _ in range(300)}
    assert len(tokens) == 300 and all(len(one) == 43 and one[0].isalnum() for one in tokens)


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("postgresql://anna:top@se/c:ret@host:1/x", "postgresql://anna:***@host:1/x"),
        ("cannot use postgres://anna:s3@host/db, sorry", "cannot use postgres://anna:***@host/db, sorry"),
        ("host=x password=s3 user=y", "host=x password=*** user=y"),
        ("postgresql://anna@host/db?password=s3&x=1", "postgresql://anna@host/db?password=***&x=1"),
        ("sqlite:///oht.db", "sqlite:///oht.db"),
    ],
)
def test_an_address_is_shown_without_its_password(words, shown):
    assert without_passwords(words) == shown
