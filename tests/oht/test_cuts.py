"""A connection may break at any point of the dialogue: the game is lost, the rest of an official attempt waits."""

import asyncio
import random

import pytest

from tests.oht.arena import LONG, PASSWORD, in_arena
from tests.oht.crowd import free_cell, hear, literal, say
from tests.oht.link import Closed

GAMES = 3  # of an official attempt
LOGIN = {"username": "player0", "password": PASSWORD, "player-name": "nick", "qualify": "Y"}


class Leaves:
    """A client that leaves after so many messages, and remembers how the games ended that it heard of."""

    def __init__(self, link, token, messages):
        self.link, self.token, self.left, self.dice = link, token, messages, random.Random(messages)
        self.winners = []
        self.begun = False  # has it said that it wants to play?

    def count(self):
        if self.left == 0:
            raise Closed
        self.left -= 1

    async def record(self):
        self.count()
        return await self.link.record()

    async def text(self):
        while True:
            said = await self.record()
            if word := next((word for word in LOGIN if word.encode() in said), None):
                self.link.send(LOGIN[word].encode())
                self.begun |= word == "qualify"
            elif said == b"Game end":
                self.winners.append(literal(await self.record()))
                await self.record()  # the last state, to which there is no answer
            elif said.startswith(b"(") and said.count(b",") == 9:
                self.link.send(str(free_cell(literal(said), self.dice)).encode())

    async def json(self):
        while True:
            self.count()
            match await hear(self.link):
                case {"topic": "authentication"}:
                    say(self.link, self.token)
                case {"topic": "question"}:
                    say(self.link, True)
                    self.begun = True
                case {"topic": "request_action", "state": state}:
                    say(self.link, free_cell(state, self.dice))
                case {"topic": "game_over", "winner": winner}:
                    self.winners.append(winner)


@pytest.mark.parametrize(("door", "most"), [("text", 55), ("json", 40)])
@in_arena(settings={"games": GAMES}, players=1, attempts=1000)
async def test_a_connection_cut_after_any_message_costs_at_most_one_game_and_no_attempt(arena, door, most):
    account, whole, known = arena.accounts[0].id, 0, {}
    for messages in range(most):
        client = Leaves(await arena.link(door), arena.tokens[0], messages)
        with pytest.raises(Closed):
            await getattr(client, door)()
        client.link.cut()
        await arena.calm()
        results = arena.store.results(account)
        if results:
            last = arena.store.round(results[-1].round)
            check_session(client, account, last, last.played[known.get(last.id, 0) :])
            known[last.id] = len(last.played)
        assert {one.round: one.played for one in results} == known
        whole += len(client.winners) == GAMES
    assert whole, "the last sessions are long enough for a whole attempt"
    check_attempts(arena, account)


def check_session(client, account, last, new):
    """What was heard is stored as it was heard; a game in which the client left is lost, and no other one."""
    heard, rest = new[: len(client.winners)], new[len(client.winners) :]
    assert [game.winner for game in heard] == client.winners and all(game.ended == "rules" for game in heard)
    assert client.begun or not new
    # Its last move may have ended a game, and the next one have begun, before the server could notice.
    assert [game.ended for game in rest] in ([], ["rules"], ["gone"], ["rules", "gone"])
    assert all(game.ended == "rules" or game.winner != last.plan[0].number_of(account) for game in rest)


def check_attempts(arena, account):
    """Every attempt but the last is played to its end; none has a game too many."""
    results = arena.store.results(account)
    assert all(one.finished and one.played == GAMES for one in results[:-1])
    for one in results:
        assert [game.number for game in arena.store.round(one.round).played] == list(range(one.played))
    assert arena.store.attempts_left(account) == 1000 - len(results)


@in_arena(settings={"move_seconds": 0.3})
async def test_a_late_text_client_is_led_to_an_orderly_end(arena):
    """It sends its move long after its time, and then reads what it would have read at the end of a round."""
    link, state = await arena.in_a_game("text", official=True)
    await asyncio.sleep(0.5)
    link.send(str(free_cell(state, random.Random(1))).encode())
    heard = await link.drained()
    link.cut()
    assert heard[0] == b"Game end" and heard[3] == b"Series end" and heard[5] == b"Tournament end"
    assert literal(heard[1]) == 2 and literal(heard[2]) == state and literal(heard[6]) == 0 and len(heard) == 7
    assert [game.ended for game in arena.played()] == ["time"]


@in_arena(settings={"move_seconds": 0.3})
async def test_a_late_json_client_is_told_so(arena):
    link, _ = await arena.in_a_game("json", official=True)
    told = await hear(link)
    link.cut()
    assert told["topic"] == "error" and "no answer within 0.3 seconds" in told["error"]
    assert [game.ended for game in arena.played()] == ["time"]


@in_arena(settings={"move_seconds": 0.2}, bounds={"notice_seconds": LONG})
async def test_an_account_can_go_on_while_its_late_client_has_not_noticed_yet(arena):
    late, _ = await arena.in_a_game("text", official=True)
    await late.record()
    arena.hurry(move_seconds=LONG)
    heard = await arena.json(official=True)
    assert heard.score is not None and sum(heard.planned) == 3  # of four; the first one is lost
    late.cut()
