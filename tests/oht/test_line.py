"""The line: records of TLS, and what it does with a client that does not read or does not stop."""

import asyncio
import contextlib
import socket
import ssl

import pytest

from ludus.protocols.oht.serving.certificate import server_context
from ludus.protocols.oht.serving.line import SLACK, Bounds, Gone, Late, Line
from tests.oht.link import Closed, Link, trusting

PATIENT = Bounds(send_seconds=100.0, bytes=100, unread=4000)
HOLDS = Bounds(send_seconds=0.3, close_seconds=0.2, bytes=100, unread=4000, ignored=5000)


def with_line(bounds=HOLDS):
    """Runs a test, a coroutine that gets both ends of a connection: our line, and the client's link."""

    def decorate(test):
        async def run(folder):
            context = server_context(folder / "server.crt", folder / "server.key", "127.0.0.1")
            door = socket.create_server(("127.0.0.1", 0))
            client = asyncio.create_task(Link.open(door.getsockname()[1], trusting(folder / "server.crt")))
            door.setblocking(False)
            ours, _ = await asyncio.get_running_loop().sock_accept(door)
            ours.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
            line = await Line.open(ours, context, bounds, 100.0)
            link = await client
            try:
                async with asyncio.timeout(100):
                    await test(line, link)
            finally:
                line.abort()
                link.cut()
                door.close()

        return lambda tmp_path: asyncio.run(run(tmp_path))

    return decorate


ITEMS = [b"Series start", b"7", b"[(7, 1), (-3, 2)]", b"50", b"[7]", b"Game start", b"1", b"(1, 0, 0)"]


@with_line()
async def test_every_item_is_a_record_of_its_own(line, link):
    await line.send(*ITEMS[:5])
    await line.send(*ITEMS[5:7])
    await line.send(ITEMS[7])
    assert [await link.record() for _ in ITEMS] == ITEMS


@with_line(PATIENT)
async def test_items_stay_apart_when_they_pile_up_at_a_client_that_reads_slowly(line, link):
    link.transport.pause_reading()
    for _ in range(5):
        await line.send(*ITEMS)
    await asyncio.sleep(0.05)
    link.transport.resume_reading()
    assert [await link.record() for _ in range(5) for _ in ITEMS] == 5 * ITEMS


def test_a_blocking_socket_gets_one_item_with_each_recv(tmp_path):
    """As the course's client reads: recv(1024) again and again, with all items there before the first."""
    context = server_context(tmp_path / "server.crt", tmp_path / "server.key", "127.0.0.1")
    door = socket.create_server(("127.0.0.1", 0))
    told = asyncio.Event()

    def read():
        plain = socket.create_connection(door.getsockname())
        with trusting(tmp_path / "server.crt").wrap_socket(plain) as client:
            client.send(b"ready")
            assert client.recv(1024) == ITEMS[0]
            loop.call_soon_threadsafe(told.set)
            return [client.recv(1024) for _ in ITEMS]

    async def serve():
        nonlocal loop
        loop = asyncio.get_running_loop()
        door.setblocking(False)
        reading = loop.run_in_executor(None, read)
        ours, _ = await loop.sock_accept(door)
        line = await Line.open(ours, context, HOLDS, 100.0)
        assert await line.receive(100.0) == b"ready"
        await line.send(ITEMS[0], *ITEMS)
        await told.wait()
        assert await reading == ITEMS
        await line.close()

    loop = None
    asyncio.run(serve())
    door.close()


@with_line()
async def test_a_client_that_does_not_read_is_given_up(line, link):
    link.transport.pause_reading()
    with pytest.raises(Gone, match="does not read"):
        for _ in range(100_000):
            await line.send(b"x" * 1000)
    assert line._transport.get_write_buffer_size() < 50_000


@with_line()
async def test_what_tls_itself_answers_is_not_kept_for_a_client_that_does_not_read(line, link):
    """A client may ask for new keys again and again; TLS answers each time, without being told to."""
    link.transport.pause_reading()
    for _ in range(10_000):
        line._going.write(b"new keys" * 2000)
        link.send(b"new keys, please")
        try:
            await line.receive(100.0)
        except Gone as gone:
            assert str(gone) == "the client does not read"
            return
        assert line._transport.get_write_buffer_size() <= HOLDS.unread + SLACK
    raise AssertionError("all of it was kept")


@with_line(PATIENT)
async def test_a_client_that_reads_again_in_time_loses_nothing(line, link):
    link.transport.pause_reading()
    asyncio.get_running_loop().call_later(0.1, link.transport.resume_reading)
    sent = [str(n).encode() * 100 for n in range(2000)]
    for record in sent:
        await line.send(record)
    assert [await link.record() for _ in sent] == sent


@with_line()
async def test_records_that_nobody_asked_for_wait_up_to_a_bound(line, link):
    for n in range(20_000):
        link.send(b"%05d" % n)
    await asyncio.sleep(0.2)
    assert line._waiting <= 205 and line._coming.pending <= 16384
    for n in range(20_000):
        assert await line.receive(100.0) == b"%05d" % n
    assert not line._paused


@with_line()
async def test_one_long_record_comes_in_pieces_that_are_too_long_for_an_answer(line, link):
    link.send(b"y" * 16000)
    assert len(await line.receive(100.0)) == HOLDS.bytes + 1


@with_line()
async def test_bytes_are_counted_across_records(line, link):
    for part in (b"\6\0", b"\0\0[0", b", 1]\5\0\0\0fal", b"se"):
        link.send(part)
    assert await line.receive_exactly(4, 100.0) == b"\6\0\0\0"
    assert await line.receive_exactly(6, 100.0) == b"[0, 1]"
    assert await line.receive_exactly(9, 100.0) == b"\5\0\0\0false"


@with_line()
async def test_silence_is_late_and_the_line_lives_on(line, link):
    with pytest.raises(Late):
        await line.receive(0.05)
    with pytest.raises(Late):
        await line.receive_exactly(3, 0.05)
    link.send(b"now")
    assert await line.receive(100.0) == b"now"


@with_line()
async def test_what_was_said_before_leaving_is_heard_and_then_the_client_is_gone(line, link):
    link.send(b"last words")
    with contextlib.suppress(ssl.SSLWantReadError):
        link.tls.unwrap()
    link._flush()
    assert await line.receive(100.0) == b"last words"
    with pytest.raises(Gone):
        await line.receive(100.0)
    with pytest.raises(Gone):
        await line.send(b"too late")
    assert line.lost and not await line.lasts(100.0)


@with_line(PATIENT)
async def test_two_may_wait_on_one_line(line, link):
    """In the league one task waits for a move while another one tells the news."""
    link.transport.pause_reading()

    async def talk():
        for _ in range(1000):
            await line.send(b"news" * 100)

    talking, waiting = asyncio.create_task(talk()), asyncio.create_task(line.receive(100.0))
    await asyncio.sleep(0.05)
    link.send(b"move")
    assert await waiting == b"move"
    link.transport.resume_reading()
    await talking


@with_line()
async def test_closing_ends_what_the_client_reads_and_takes_no_longer_than_allowed(line, link):
    await line.send(b"the end")
    await line.close()
    assert await link.drained() == [b"the end"] and line.lost


@with_line()
async def test_a_client_that_does_not_stop_talking_is_cut_off_at_the_end(line, link):
    async def talk():
        while not link.over:
            link.send(b"z" * 1000)
            await asyncio.sleep(0)

    talking = asyncio.create_task(talk())
    await line.linger(100.0)
    assert line.gone == "the client does not stop talking"
    await talking


@with_line()
async def test_a_dropped_line_says_what_it_had_to_say(line, link):
    await line.send(b"because")
    line.drop()
    assert await link.record() == b"because"
    with pytest.raises(Closed):
        await link.record()
    with pytest.raises(Gone):
        await line.receive(100.0)
