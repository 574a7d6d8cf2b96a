"""Logins and attempts over the wire: who is let in, who waits, and what is charged."""

import asyncio
import contextlib
import socket
import time

import pytest

from ludus.protocols.oht.serving import doorkeeper
from ludus.protocols.oht.serving.doorkeeper import Doorkeeper, neighbourhood
from ludus.protocols.oht.serving.pace import Pace
from ludus.protocols.oht.settings import Bound
from tests.oht.arena import PASSWORD, in_arena
from tests.oht.crowd import hear, play_json, play_text, say
from tests.oht.link import Closed

KEYWORDS = ("username", "password", "Welcome", "Invalid credentials", "player-name", "qualify", "stress", "Sorry")


@contextlib.asynccontextmanager
async def waiting(task):
    """While the block runs, the task is not done; then it need not come to its end."""
    waits = asyncio.create_task(task)
    await asyncio.sleep(0.05)
    yield
    assert not waits.done()
    waits.cancel()
    await asyncio.gather(waits, return_exceptions=True)


@in_arena()
async def test_wrong_passwords_and_unknown_names_are_refused_with_the_same_words(arena):
    port, context = arena.ports["text"], arena.context
    for name, password in (
        ("player0", "wrong"),
        ("nobody", PASSWORD),
        ("", ""),
        ("player0", PASSWORD + " "),
        ("\0", "\0"),
    ):
        heard = await play_text(port, context, name or " ", password or " ")
        assert heard.refused == "Invalid credentials"
    assert (await arena.text()).score is not None


@in_arena()
async def test_after_wrong_passwords_this_name_waits_and_the_others_do_not(arena):
    arena.server.door.failures["127.0.0.1 player0"] = (7, time.monotonic())
    async with waiting(arena.text(0)):
        assert (await arena.text(1)).score is not None
        assert (await arena.json(0)).score is not None  # the same account, by its token
        assert (await arena.text(0, address="127.0.0.2")).score is not None  # the same name, from elsewhere


@in_arena()
async def test_failures_are_counted_for_the_account_in_whatever_way_its_name_is_written(arena):
    for name in ("Player0", " PLAYER0", "player0 ", "ｐｌａｙｅｒ0"):
        arena.server.door.failures.clear()
        heard = await play_text(arena.ports["text"], arena.context, name, "a wrong password")
        assert heard.refused == "Invalid credentials"
        assert arena.server.door.delay("127.0.0.1", "player0") > 0, name
    arena.server.door.failures.clear()
    assert (await play_text(arena.ports["text"], arena.context, "PLAYER0", PASSWORD)).score is not None


@in_arena()
async def test_connections_that_wait_let_others_run_while_they_are_accepted(arena):
    """One connection in each turn of the event loop."""
    turns, seen, enter = [0], [], arena.server.door.enter

    async def count():
        while True:
            turns[0] += 1
            await asyncio.sleep(0)

    arena.server.door.enter = lambda address: seen.append(turns[0]) or enter(address)
    counting = asyncio.create_task(count())
    waiting = [socket.create_connection(("127.0.0.1", arena.ports["text"])) for _ in range(10)]
    while len(seen) < 10:
        await asyncio.sleep(0)
    counting.cancel()
    for connection in waiting:
        connection.close()
    assert len(set(seen)) == 10


@in_arena()
async def test_the_username_or_nothing_as_a_nickname_leaves_the_handle_as_it_is(arena):
    account = arena.accounts[0]
    arena.store.set_handle(account.id, "otter")
    for nickname in ("player0", "PLAYER0", "   ", "\x07"):
        assert (await arena.text(0, nickname=nickname)).score is not None
        assert arena.store.account("player0").handle == "otter"
    assert (await arena.text(0, nickname="heron")).score is not None
    assert arena.store.account("player0").handle == "heron"


@in_arena()
async def test_in_the_json_qualifiers_every_player_is_called_minus_200(arena):
    """As the course's clients of those years knew it; by text a player is called by its account's number."""
    by_json, by_text = await arena.json(), await arena.text()
    assert by_json.stats and all([row[0] for row in stats].count(-200) == 1 for stats in by_json.stats)
    own = arena.accounts[0].id
    assert by_text.stats and all([row[0] for row in stats].count(own) == 1 for stats in by_text.stats)


@in_arena()
async def test_verification_rounds_that_follow_too_fast_wait_and_too_many_are_refused(arena):
    arena.server.qualifiers.pace = Pace(0.0001, 2)  # two at once, then one in some hours
    assert [(await arena.json()).score is not None for _ in range(2)] == [True, True]
    assert "too many verification rounds" in (await arena.json()).refused
    assert "Sorry" in (await arena.text()).refused
    assert (await arena.json(1)).score is not None and (await arena.json(official=True)).score is not None
    assert len(arena.store.results(arena.accounts[0].id)) == 3
    arena.server.qualifiers.pace = Pace(20, 1)
    assert [(await arena.json()).score is not None for _ in range(3)] == [True] * 3


@in_arena()
async def test_connections_that_come_too_fast_from_one_address_are_closed_at_once(arena):
    arena.server.pace = Pace(0.0001, 3)
    links = [await arena.link("json") for _ in range(3)]
    with pytest.raises((Closed, OSError)):
        await arena.link("json")
    assert (await arena.json(1, address="127.0.0.2")).score is not None
    for link in links:
        link.cut()


@in_arena()
async def test_a_right_token_never_waits_for_wrong_ones(arena, monkeypatch):
    monkeypatch.setattr(doorkeeper, "LONGEST_ANSWER", 1000.0)  # a busy machine may need some seconds for two rounds
    arena.server.door.failures["127.0.0.1"] = (1000, time.monotonic())
    async with waiting(play_json(arena.ports["json"], arena.context, "a wrong token")):
        assert (await arena.json()).score is not None
        assert (await arena.text(1)).score is not None


def test_each_failure_doubles_the_wait_up_to_half_a_minute_and_a_right_login_ends_it():
    async def run():
        door = Doorkeeper(Bound())
        waits = [door.delay("here", "anna")]
        for _ in range(10):
            failing = asyncio.create_task(door.failed("here", "anna"))
            await asyncio.sleep(0)
            failing.cancel()
            waits.append(door.delay("here", "anna"))
        assert waits[:5] == [0, 0.5, 1, 2, 4] and waits[-1] == 30
        assert door.delay("here", "ben") == door.delay("there", "anna") == 0
        door.right("here", "anna")
        assert door.delay("here", "anna") == 0

    asyncio.run(run())


def test_logins_for_one_name_come_one_after_the_other_and_leave_nothing_behind():
    async def run():
        door, at_once, most = Doorkeeper(Bound()), 0, 0

        async def login():
            nonlocal at_once, most
            async with door.slowly("here", "anna"):
                at_once += 1
                most = max(most, at_once)
                await asyncio.sleep(0)
                at_once -= 1

        logins = [asyncio.create_task(login()) for _ in range(10)]
        await asyncio.sleep(0)
        logins[3].cancel()
        await asyncio.gather(*logins, return_exceptions=True)
        assert most == 1 and not door.names.lines and not door.checks.lines

    asyncio.run(run())


def test_one_client_has_a_whole_network_of_ipv6_addresses():
    assert neighbourhood("2001:db8:1:2:3::4") == neighbourhood("2001:db8:1:2:ffff::1") == "2001:db8:1:2::"
    assert neighbourhood("2001:db8:1:3::4") != neighbourhood("2001:db8:1:2::4")
    assert neighbourhood("::ffff:10.0.0.7") == neighbourhood("10.0.0.7") == "10.0.0.7"
    assert neighbourhood("fe80::1%eth0") == "fe80::"


NICKNAMES = [
    "username",
    "password",
    "Welcome",
    "qualify",
    "stress",
    "Sorry",
    "a\nb",
    "\x1b[31mred",
    "\u202eabc",
    "x" * 900,
]


@in_arena()
async def test_no_nickname_confuses_the_dialogue(arena):
    """Whatever a player is called: each of our texts has its own keyword, and none that the client looks for before."""
    for nickname in NICKNAMES:
        link = await arena.link("text")
        for word, answer in (
            ("username", "player0"),
            ("password", PASSWORD),
            ("player-name", nickname),
            ("qualify", "n"),
        ):
            said = (await link.record()).decode()
            assert next(key for key in KEYWORDS if key in said) == word and len(said.encode()) <= 1024
            link.send(answer.encode())
        said = (await link.record()).decode()
        assert next(key for key in KEYWORDS if key in said) == "Welcome"
        assert await link.record() == b"Series start"
        link.cut()
        await arena.calm()
    assert arena.store.account("player0").handle == "Sorry"  # the last one that can be printed


@pytest.mark.parametrize("status", ["paused", "closed"])
@in_arena()
async def test_a_paused_or_closed_tournament_says_sorry(arena, status):
    arena.store.set_status(status)
    text, json = await arena.text(0, official=True), await arena.json(1, official=True)
    assert text.refused.startswith("Sorry") and json.refused
    again = (await arena.text(0)).score, (await arena.json(1)).score
    assert (None in again) == (status == "paused")
    assert not [one for one in arena.store.results() if one.kind == "official"]


@in_arena(settings={"games": 2}, players=2)
async def test_five_attempts_are_charged_the_sixth_is_refused_and_the_best_score_is_kept(arena):
    for player, play in enumerate((arena.text, arena.json)):
        scores = [(await play(player, official=True, seed=seed)).score for seed in range(5)]
        assert None not in scores
        refused = await play(player, official=True)
        assert refused.score is None and "no official attempt is left" in refused.refused
        assert player == 1 or refused.refused.startswith("Sorry")
        account = arena.accounts[player].id
        assert arena.store.best(account) == max(scores) and len(arena.store.results(account)) == 5
        assert (await play(player)).score is not None  # a verification round is always possible


@in_arena(players=1)
async def test_two_official_logins_of_one_account_are_one_attempt(arena):
    first, _ = await arena.in_a_game("json", official=True)
    for play in (arena.text, arena.json):
        assert "another connection" in (await play(official=True)).refused
    assert (await arena.text()).score is not None
    first.cut()
    await arena.calm()
    heard = await arena.text(official=True)
    assert heard.score is not None and sum(heard.planned) == 3
    assert [one.kind for one in arena.store.results(arena.accounts[0].id)].count("official") == 1


@in_arena(players=1)
async def test_official_logins_at_the_same_moment_are_one_attempt(arena):
    links = [await arena.link("json") for _ in range(3)]
    for link in links:
        await hear(link)
        say(link, arena.tokens[0])
    for link in links:
        while (await hear(link))["topic"] != "question":
            pass
    for link in links:
        say(link, True)
    topics = [(await hear(link))["topic"] for link in links]
    assert sorted(topics) == ["error", "error", "series_start"]
    assert arena.store.attempts_left(arena.accounts[0].id) == 4
    for link in links:
        link.cut()


@in_arena(players=1, settings={"games": 6})
async def test_an_attempt_goes_on_with_exactly_the_missing_games(arena):
    link, _ = await arena.in_a_game("text", official=True)
    link.cut()
    await arena.calm()
    link, _ = await arena.in_a_game("json", official=True)
    link.cut()
    await arena.calm()
    heard = await arena.text(official=True)
    assert heard.planned == [4] and len(heard.winners) == 4 and heard.starters == [1, 2, 1, 2]
    assert sum(heard.stats[0][0][2:]) == 6  # the two that were lost count in the statistics …
    assert heard.score == round(100 * sum(heard.won) / 6, 2)  # … and in the score
    assert [game.ended for game in arena.played()] == ["gone", "gone", "rules", "rules", "rules", "rules"]
