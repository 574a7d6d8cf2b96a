"""Clients that are slow, silent, deaf, too loud or too many harm themselves alone."""

import asyncio
import contextlib
import random
import ssl

import pytest

from tests.oht.arena import LONG, PASSWORD, in_arena
from tests.oht.crowd import LENGTH, hear, say, text_login
from tests.oht.link import Closed, Link

MUCH = 64_000_000  # bytes, more than the buffers of any system hold


@in_arena()
async def test_a_client_that_sends_a_byte_now_and_then_is_not_waited_for(arena):
    async with arena.others():
        arena.hurry(login_seconds=0.6)
        link = await arena.link("json")
        await hear(link)
        for byte in LENGTH.pack(500) + b'"' + b"x" * 20:
            if not link.over and not link.records:
                link.send(bytes([byte]))
                await asyncio.sleep(0.1)
        assert [record for record in await link.drained() if b"no answer in time" in record]


@in_arena(settings={"move_seconds": 0.3})
async def test_a_client_that_writes_its_move_byte_by_byte_loses_by_its_time(arena):
    link, _ = await arena.in_a_game("json", official=True)
    for byte in LENGTH.pack(6) + b"[0,":
        link.send(bytes([byte]))
        await asyncio.sleep(0.05)
    assert b"no answer within 0.3 seconds" in b"".join(await link.drained())
    link.cut()
    assert [game.ended for game in arena.played()] == ["time"]


@in_arena()
async def test_silent_clients_are_put_off_whatever_they_have_begun(arena):
    async with arena.others():
        arena.hurry(handshake_seconds=0.3)
        never_shakes_hands, writer = await asyncio.open_connection("127.0.0.1", arena.ports["text"])
        shakes_half, half = await asyncio.open_connection("127.0.0.1", arena.ports["json"])
        half.write(b"\x16\x03\x01\x02\x00\x01")
        assert await never_shakes_hands.read() == b"" and await shakes_half.read() == b""
        arena.hurry(handshake_seconds=LONG, login_seconds=0.3)
        mute = [await arena.link(door) for door in ("text", "json", "league")]
        named = await arena.link("text")
        await named.record()
        named.send(b"player0")
        for link in (*mute, named):
            await link.drained()
        for one in (writer, half):
            one.close()


@in_arena(bound={"login_seconds": 0.5})
async def test_a_client_that_is_logged_in_and_then_silent_is_put_off(arena):
    for word in ("player-name", "qualify"):
        link = await arena.link("text")
        with contextlib.suppress(Closed):  # on a machine that is too busy for the login
            await text_until(link, word, arena)
        await link.drained()
    link = await arena.link("json")
    await hear(link)
    say(link, arena.tokens[0])
    await link.drained()


async def text_until(link, word, arena):
    """Answers the questions of the login up to the one with this word."""
    answers = {"username": "player0", "password": PASSWORD, "player-name": "nick"}
    while word not in (said := (await link.record()).decode()):
        link.send(next(answer for key, answer in answers.items() if key in said).encode())


@pytest.mark.parametrize("door", ["text", "json", "league"])
@in_arena()
async def test_megabytes_that_nobody_asked_for_are_not_read(arena, door):
    async with arena.others():
        for _ in range(3):
            link, sent = await arena.link(door), 0
            while not link.over and sent < MUCH:
                if link.transport.get_write_buffer_size() < 100_000:
                    link.send(b"A" * 16000)
                    sent += 16000
                await asyncio.sleep(0.001)
            assert sent < MUCH, "the server reads all of it"
            link.cut()


@in_arena()
async def test_thousands_of_answers_at_once_are_the_clients_own_loss(arena):
    """They are read one by one, as moves, until one of them is none."""
    async with arena.others():
        link, _ = await arena.in_a_game("json", official=True)
        for _ in range(50):
            link.send(b"\6\0\0\0[0, 0]" * 100)
        await link.drained()
        link.cut()
        text, _ = await arena.in_a_game("text", player=1)
        text.send(b"(0, 0)(0, 1)(0, 2)" * 50)
        assert b"Illegal action" in await text.drained()
        text.cut()
    assert "illegal" in [game.ended for game in arena.played()]


@in_arena()
async def test_a_client_that_never_reads_loses_by_its_time(arena):
    async with arena.others():
        arena.hurry(move_seconds=0.3)
        link = await arena.link("json")
        link.transport.pause_reading()
        say(link, arena.tokens[0])
        say(link, True)
        while not arena.played():
            await asyncio.sleep(0.01)
        assert [game.ended for game in arena.played()] == ["time"]
        link.cut()


@in_arena()
async def test_a_client_that_leaves_without_a_word_of_tls_is_gone_at_once(arena):
    for door in ("text", "json"):
        link, _ = await arena.in_a_game(door)
        link.cut()
    await arena.calm()
    assert [game.ended for game in arena.played()] == ["gone", "gone"]


@in_arena()
async def test_a_client_that_closes_its_tls_but_not_its_connection_is_gone_at_once(arena):
    link, _ = await arena.in_a_game("json")
    with pytest.raises(ssl.SSLWantReadError):
        link.tls.unwrap()
    link._flush()
    while not arena.played():
        await asyncio.sleep(0.01)
    link.cut()


@in_arena()
async def test_what_is_no_tls_is_no_client(arena):
    async with arena.others():
        for data in (b"GET / HTTP/1.0\r\n\r\n", random.randbytes(2000), b"\0" * 70000, b"\x16\x03\x01\xff\xff" * 1000):
            reader, writer = await asyncio.open_connection("127.0.0.1", arena.ports["json"])
            writer.write(data)
            with contextlib.suppress(ConnectionError):
                await reader.read()
            writer.close()


@in_arena()
async def test_garbage_after_the_handshake_ends_the_connection(arena):
    async with arena.others():
        link, _ = await arena.in_a_game("json")
        link.transport.write(random.randbytes(5000))
        await link.drained()
        link.cut()


@in_arena(bound={"waiting_of_one": 5})
async def test_silent_connections_of_the_same_address_keep_nobody_out(arena):
    silent = [await asyncio.open_connection("127.0.0.1", arena.ports["text"]) for _ in range(40)]
    heard = await arena.json()
    assert heard.score is not None
    assert len(arena.server.door.waiting["127.0.0.1"]) <= 5
    for _, writer in silent:
        writer.close()


@in_arena(bound={"waiting": 8, "waiting_of_one": 8})
async def test_room_is_made_by_the_address_that_has_most(arena):
    """Somebody elsewhere who takes long to type a password is not put out by a crowd of silent connections."""
    human = await Link.open(arena.ports["text"], arena.context, "127.0.0.2")
    await human.record()
    crowd = [await asyncio.open_connection("127.0.0.1", arena.ports["text"]) for _ in range(30)]
    human.send(arena.accounts[0].name.encode())
    assert "password" in (await human.record()).decode()
    human.send(PASSWORD.encode())
    assert "Welcome" in await text_login(human, "", "", False)
    human.cut()
    for _, writer in crowd:
        writer.close()


@in_arena(bound={"connections": 6})
async def test_those_who_play_are_never_put_out(arena):
    playing = [(await arena.in_a_game("json", player=n // 2))[0] for n in range(6)]
    with pytest.raises((Closed, ConnectionError)):
        await arena.json(player=5)
    assert not any(link.over for link in playing)
    playing[0].cut()
    while arena.server.door.connections == 6:
        await asyncio.sleep(0.01)
    assert (await arena.json(player=5)).score is not None
    for link in playing:
        link.cut()


@in_arena(bound={"of_account": 2})
async def test_an_account_has_so_many_connections_and_no_more(arena):
    two = [(await arena.in_a_game(door))[0] for door in ("text", "json")]
    assert "too many connections" in (await arena.json()).refused
    refused = (await arena.text()).refused
    assert refused.startswith("Sorry") and "too many connections" in refused
    assert (await arena.json(player=1)).score is not None
    for link in two:
        link.cut()
    await arena.calm()
    assert (await arena.json()).score is not None
