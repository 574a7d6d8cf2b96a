"""Accounts, passwords and tokens in the store, on both kinds of databases."""

import pytest
from sqlalchemy import create_engine, text

from ludus.errors import LudusError
from ludus.protocols.oht.storage.database import read_url
from ludus.protocols.oht.storage.store import NewAccount, Store
from tests.oht.rounds import CHEAP


def test_an_account_is_found_by_its_name_in_any_case(store):
    made = store.add_account("Ånna Ås", email="anna@example.org", attempts=3)
    assert (made.name, made.email, made.handle, made.attempts) == ("Ånna Ås", "anna@example.org", "Ånna Ås", 3)
    assert store.account("ånna ås") == store.account(" A\u030anna Ås ") == made
    assert store.account("Anna") is None
    assert store.by_email("ANNA@example.org") == made and store.by_email("") is None


@pytest.mark.parametrize("name", ["", "a\0b", "\ud800", "x" * 1000, "a\nb", "'; DROP TABLE oht_accounts; --"])
def test_odd_names_are_simply_unknown(store, name):
    assert store.account(name) is None and store.by_password(name, "whatever it is") is None
    assert store.by_token(name) is None and store.begin_reset(name) is None and store.finish_reset(name) is None


@pytest.mark.parametrize(
    ("new", "words"),
    [
        (NewAccount(""), "1 to 64 characters, not 0"),
        (NewAccount("x" * 65), "1 to 64 characters, not 65"),
        (NewAccount("a\nb"), "no control characters"),
        (NewAccount("a\x1b[2Jb"), "no control characters"),
        (NewAccount("a\u202eb"), "no control characters"),
        (NewAccount("a,b"), "no commas"),
        (NewAccount("bob", password="short"), "a password has 8 to 256 characters, not 5"),
        (NewAccount("bob", email="nobody"), "not an e-mail address"),
        (NewAccount("bob", email="a@b\r\nBcc: c@d"), "not an e-mail address"),
        (NewAccount("bob", attempts=-1), "attempts must be a whole number from 0"),
        (NewAccount("ANNA"), "there is an account 'ANNA' already"),
        (NewAccount("bob", email="ANNA@example.org"), "belongs to the account 'Anna' already"),
    ],
)
def test_an_account_that_cannot_be_is_refused_with_all_that_come_with_it(store, anna, new, words):
    with pytest.raises(LudusError, match=words):
        store.add_accounts([NewAccount("first", "first@example.org"), new])
    assert [row.name for row in store.standings()] == ["Anna"]


def test_two_of_the_same_name_in_one_list_are_refused(store):
    with pytest.raises(LudusError, match="'BOB' is in the list twice"):
        store.add_accounts([NewAccount("bob"), NewAccount("BOB")])
    store.add_accounts([NewAccount("bob", "bob@example.org"), NewAccount("bob@example.org")])  # a name, and an address


def test_a_password_opens_its_account_only(store, anna):
    store.add_account("Bob", "another secret")
    assert store.by_password("anna", "a good secret").id == anna
    assert store.by_password("Anna", "another secret") is None
    assert store.by_password("Anna", "") is None
    store.set_password(anna, "a newer secret")
    assert store.by_password("Anna", "a good secret") is None
    assert store.by_password("Anna", "a newer secret").id == anna


def test_an_account_without_a_password_has_no_password_that_fits(store):
    store.add_account("Carl")
    assert store.by_password("Carl", "") is None and store.by_password("Carl", "None") is None


def test_a_password_hashed_at_an_old_cost_is_hashed_again_at_the_next_login(url, store, anna):
    from ludus.protocols.oht.storage.passwords import Cost

    raised = Store(url, cost=Cost(n=4, r=1, p=1))
    assert raised.by_password("Anna", "a good secret").id == anna
    assert "scrypt$4$1$1$" in everything(url)
    assert store.by_password("Anna", "a good secret").id == anna
    raised.close()


def test_a_new_token_replaces_the_old_one(store, anna):
    first = store.new_token(anna)
    assert store.by_token(first).id == anna
    second = store.new_token(anna)
    assert store.by_token(first) is None and store.by_token(second).id == anna
    assert len(first) == 43 and first[0].isalnum()


def test_secrets_are_not_in_the_database(url, store, anna):
    token, temporary = store.new_token(anna), store.begin_reset("anna@example.org")
    content = everything(url)
    assert "Anna" in content and "scrypt$" in content
    assert not any(secret in content for secret in ("a good secret", token, temporary))


def everything(url):
    """All rows of all tables, as text."""
    engine = create_engine(read_url(url))
    with engine.connect() as connection:
        tables = ("facts", "accounts", "resets", "rounds", "series", "games")
        content = "\n".join(
            str(row) for name in tables for row in connection.execute(text(f"SELECT * FROM oht_{name}"))
        )
    engine.dispose()
    return content


def test_a_lost_token_is_replaced_by_a_temporary_one_that_is_good_once(store, anna):
    old = store.new_token(anna)
    temporary = store.begin_reset("Anna@Example.org")
    assert store.by_token(temporary) is None and store.by_token(old).id == anna
    new = store.finish_reset(temporary)
    assert store.by_token(new).id == anna and store.by_token(old) is None
    assert store.finish_reset(temporary) is None
    assert store.begin_reset("somebody@example.org") is None and store.begin_reset("") is None


def test_a_temporary_token_is_good_for_an_hour(url):
    now = [1000.0]
    store = Store(url, cost=CHEAP, clock=lambda: now[0])
    store.add_account("Anna", email="anna@example.org")
    late, in_time = store.begin_reset("anna@example.org"), store.begin_reset("anna@example.org")
    now[0] += 3599
    assert store.finish_reset(in_time) is not None
    again = store.begin_reset("anna@example.org")
    now[0] += 3601
    assert store.finish_reset(again) is None and store.finish_reset(late) is None
    store.close()


def test_many_requests_for_temporary_tokens_leave_the_last_five(store, anna):
    temporary = [store.begin_reset("anna@example.org") for _ in range(8)]
    assert store.finish_reset(temporary[2]) is None
    assert store.finish_reset(temporary[-5]) is not None


def test_a_handle_is_kept_or_refused(store, anna):
    store.set_handle(anna, "  The Bridge ")
    assert store.account("Anna").handle == "The Bridge"
    for bad in ("", " ", "a,b", "a\nb", "a\0b", "x" * 65, "x" * 10**6):
        with pytest.raises(LudusError, match="a handle has"):
            store.set_handle(anna, bad)
    assert store.account("Anna").handle == "The Bridge"
    with pytest.raises(LudusError, match="no account with the number 77"):
        store.set_handle(77, "nobody")
