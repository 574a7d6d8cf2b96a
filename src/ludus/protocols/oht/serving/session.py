"""What happens on one connection, from the login to the end of a round."""

from __future__ import annotations

import asyncio

from ludus.protocols.oht.results import Kind, Seat
from ludus.protocols.oht.serving.doorkeeper import Visit
from ludus.protocols.oht.serving.json_wire import QUALIFYING, JsonWire
from ludus.protocols.oht.serving.league import League
from ludus.protocols.oht.serving.line import Late, Line, Nonsense
from ludus.protocols.oht.serving.login import Guest, Login, Refused
from ludus.protocols.oht.serving.qualifiers import Qualifiers
from ludus.protocols.oht.serving.sides import Client
from ludus.protocols.oht.serving.text_wire import TextWire
from ludus.protocols.oht.serving.wire import Wire
from ludus.show.explanation import plural

ALREADY = "this account is playing an official attempt on another connection; it must end first"
NONE_LEFT = "no official attempt is left; answer n to play a verification round"
TOO_FAST = "this account begins too many verification rounds; wait a minute"
PATIENCE = 60.0  # seconds that a verification round waits for its turn
STOPPING = "the server is being stopped; an official attempt goes on at the next login"


class Session:
    """One connection."""

    def __init__(self, line: Line, visit: Visit, login: Login, qualifiers: Qualifiers, league: League) -> None:
        self.line, self.visit, self.login, self.qualifiers, self.league = line, visit, login, qualifiers, league

    async def text(self) -> None:
        """A client of the text protocol."""
        wire = TextWire(self.line)
        guest = await self.login.by_text(wire, self.visit)
        try:
            kind = await self.login.wish_by_text(wire, guest)
            await self._play(wire, guest, kind)
        except Refused as refused:
            await wire.refuse(str(refused))

    async def json(self) -> None:
        """A client of the JSON protocol that plays a round."""
        game = self.qualifiers.game
        wire = JsonWire(self.line, game, QUALIFYING)
        try:
            guest = await self.login.by_token(wire, self.visit)
            await wire.tell(f"Welcome, {guest.nickname}. The game is {game.spoken_name}.")
            kind = await self.login.wish_by_json(wire, guest)
            if await self._play(wire, guest, kind):
                await wire.finish()
        except Refused as refused:
            if self.visit.account is not None:
                await wire.refuse(str(refused))
        except Nonsense as nonsense:
            await wire.refuse(f"{nonsense.said!r} is not an answer to what was asked")
        except Late:
            await wire.refuse("no answer in time")
        except asyncio.CancelledError:
            if self.visit.account is not None:
                await wire.refuse(STOPPING)
            raise

    async def join_league(self) -> None:
        """A client of the JSON protocol that plays in the league until it leaves."""
        wire = JsonWire(self.line, self.qualifiers.game)
        try:
            guest = await self.login.by_token(wire, self.visit)
        except (Nonsense, Late):
            await wire.refuse("the token did not come, or is not a text")
            return
        try:
            await self.league.stay(self._client(wire, guest))
        except asyncio.CancelledError:
            await wire.finish()
            raise

    async def _take_turn(self, account: int) -> None:
        """Waits until a verification round may begin: they are not limited in number, but in how fast they follow."""
        wait = self.qualifiers.pace.take(account, PATIENCE)
        if wait > PATIENCE:
            raise Refused(TOO_FAST)
        if wait:
            await self.line.stay(wait)

    def _client(self, wire: Wire, guest: Guest) -> Client:
        return Client(Seat(guest.nickname, guest.account.id), wire, self.qualifiers.settings.move_seconds)

    async def _play(self, wire: Wire, guest: Guest, kind: Kind) -> bool:
        """Plays a round; False if the session ended before the round did."""
        client = self._client(wire, guest)
        official = {guest.account.id} if kind == "official" else set()
        if official & self.qualifiers.playing:
            raise Refused(ALREADY)
        if kind == "verification":
            await self._take_turn(guest.account.id)
        self.qualifiers.playing |= official
        try:
            round = await self.qualifiers.begin(kind, client.seat)
            if round is None:
                raise Refused(NONE_LEFT)
            if isinstance(wire, TextWire):
                await wire.welcome(f"to your {kind} round: {plural(len(round.missing()), 'game')}.")
            ended = await self.qualifiers.play(round, client)
        finally:
            self.qualifiers.playing -= official
        if not ended:  # it may still be thinking about a move, and must be able to send it before it reads why
            await self.line.linger(min(self.line.bounds.notice_seconds, 10.0 + client.move_seconds))
        return ended
