"""A table as a page is told about it: the game, the seats, the moves, the board, and one sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludus.errors import LudusError
from ludus.game import Game
from ludus.games.board import Board
from ludus.play import talk
from ludus.play.sgf import files_of
from ludus.web import messages as m
from ludus.web import words
from ludus.web.layout import position_of
from ludus.web.link import write_link
from ludus.web.table import PERSON, Table

if TYPE_CHECKING:
    from ludus.web.desk import Desk
    from ludus.web.live import LiveTable
    from ludus.web.site import Site


def tell_table(desk: Desk) -> m.TableTold:
    """Everything the page needs to draw where it looks."""
    assert desk.live is not None
    live, table, node = desk.live, desk.live.table, desk.node
    layout, position = position_of(table.game, table.node(node).state)
    new = layout is not None and layout["id"] not in desk.layouts
    if layout is not None:
        desk.layouts.add(layout["id"])
    board = table.game.board(table.node(node).state)
    line = table.line(node)
    return m.TableTold(
        table.key,
        write_link(desk.site.library, table.game, table.actions(line[-1] if line else 0), len(table.path(node))),
        about_game(desk.site, table, board),
        seats_of(desk.site, table),
        clock_of(live),
        live.pause,
        [move_of(table, step) for step in line],
        node,
        table.head,
        status_of(desk, live, board),
        position,
        layout if new else None,
    )


def about_game(site: Site, table: Table, board: Board | None) -> m.AboutGame:
    person = table.person(table.head)
    return {
        "name": table.name,
        "title": talk.title_of(table.game),
        "options": table.game.chosen_options(),
        "players": list(words.players_of(board)),
        "colors": list(words.colors_of(board)),
        "aim": words.aim_of(table.game, board, person),
        "unit": table.game.unit,
        "files": file_kinds(table.game),
    }


def file_kinds(game: Game) -> list[str]:
    """In which formats a game can be saved."""
    try:
        files_of(game)
    except LudusError:
        return ["json"]
    return ["sgf", "json"]


def seats_of(site: Site, table: Table) -> list[m.Seat]:
    """Who sits where, by name; a person who plays a machine is "You"."""
    alone = table.seats.count(PERSON) == 1
    seats: list[m.Seat] = []
    for player, key in enumerate(table.seats):
        if key == PERSON:
            seats.append({"key": key, "name": "You" if alone else f"Player {player + 1}", "agent": None})
        else:
            seats.append(
                {"key": key, "name": site.opponents.name(table.game, key), "agent": agent_text(site, table, key)}
            )
    return seats


def agent_text(site: Site, table: Table, key: str) -> str | None:
    try:
        return site.opponents.find(table.game, key)["agent"]
    except LudusError:  # a training that was deleted, a program that is not configured any more
        return None


def clock_of(live: LiveTable) -> m.ClockFace | None:
    left = live.clock_left()
    if left is None or live.table.timing is None:
        return None
    running = live.table.node(live.table.head).state.player if live.clock_runs else None
    return {"text": str(live.table.timing), "left": left, "running": running}


def move_of(table: Table, number: int) -> m.LineMove:
    """One move of the line: its name, how it was judged, and what else was tried there."""
    node = table.node(number)
    assert node.turn is not None  # only the root has no turn
    others = [[other, table.node(other).name] for other in table.node(node.parent).children if other != number]
    return {"node": number, "player": node.turn.player, "name": node.name, "share": node.share, "others": others}


def status_of(desk: Desk, live: LiveTable, board: Board | None) -> m.Status:
    table, node = live.table, desk.node
    over = table.over(node)
    score = table.score(node) if over else 0.0
    names = tuple(seat["name"] for seat in seats_of(desk.site, table))
    thinking = live.thinking and node == table.head
    person = table.person(table.head)
    return {
        "sentence": words.sentence_of(table, node, board, (names[0], names[1]), thinking),
        "over": over,
        "winner": None if score == 0 else 0 if score > 0 else 1,
        "person": person,
        "thinking": thinking,
        "running": live.running,
        "can_undo": table.undoing() is not None,
        "can_resign": person is not None and not table.over(table.head),
    }
