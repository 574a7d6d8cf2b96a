"""The tables of the tournament's database. What can be derived (scores, finished rounds, attempts left) is not stored.

    accounts ◄── resets
        ▲
        ├────── rounds ◄── series ◄── games
        └───────────────────┘

Times are seconds since 1970 (UTC). A round and its series are written once, before the first
game; games are only added.
"""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    CheckConstraint,
    Column,
    Float,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
)

SCHEMA = "1"  # the version of these tables, kept in `facts`

metadata = MetaData()

facts = Table(  # the status of the tournament, and the version of the tables
    "oht_facts",
    metadata,
    Column("name", String(32), primary_key=True),
    Column("value", Text, nullable=False),
)

accounts = Table(
    "oht_accounts",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", String(64), nullable=False),
    Column("name_key", Text, nullable=False, unique=True),  # without upper case: Anna and anna are the same
    Column("email", String(254), nullable=False),
    Column("email_key", Text, unique=True),  # NULL: without an address
    Column("handle", String(64), nullable=False),
    Column("attempts", Integer, CheckConstraint("attempts >= 0"), nullable=False),  # granted, not left
    Column("password", String(256)),  # a salted hash; NULL: logs in with a token only
    Column("token", String(64), unique=True),  # the SHA-256 of a token
    Column("made", Float, nullable=False),
)

resets = Table(  # temporary tokens by which a lost token is replaced
    "oht_resets",
    metadata,
    Column("temporary", String(64), primary_key=True),  # its SHA-256
    Column("account", ForeignKey(accounts.c.id), nullable=False, index=True),
    Column("expires", Float, nullable=False),
)

rounds = Table(
    "oht_rounds",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("kind", String(16), CheckConstraint("kind IN ('official', 'verification', 'league')"), nullable=False),
    Column("account", ForeignKey(accounts.c.id), index=True),  # NULL: a round of the whole league
    Column("given_back", Boolean, nullable=False),  # an official attempt that no longer counts
    Column("begun", Float, nullable=False),
)

series = Table(
    "oht_series",
    metadata,
    Column("round", ForeignKey(rounds.c.id), primary_key=True),
    Column("place", Integer, primary_key=True),  # in the plan of the round, from 0
    Column("one_name", Text, nullable=False),
    Column("one_account", ForeignKey(accounts.c.id)),  # NULL: an agent of the house
    Column("two_name", Text, nullable=False),
    Column("two_account", ForeignKey(accounts.c.id)),
    Column("games", Integer, CheckConstraint("games >= 1"), nullable=False),
)

games = Table(
    "oht_games",
    metadata,
    Column("round", Integer, primary_key=True),
    Column("number", Integer, CheckConstraint("number >= 0"), primary_key=True),  # in the round, from 0
    Column("series", Integer, nullable=False),
    Column("winner", Integer, CheckConstraint("winner IN (0, 1, 2)"), nullable=False),
    Column("ended", String(16), CheckConstraint("ended IN ('rules', 'illegal', 'time', 'gone')"), nullable=False),
    Column("moves", Text, nullable=False),  # "3,3 2,4 …": row and column
    Column("played", Float, nullable=False),
    ForeignKeyConstraint(["round", "series"], [series.c.round, series.c.place]),
    Index("oht_games_tally", "round", "series", "winner"),  # counts are read from it without reading moves
)
