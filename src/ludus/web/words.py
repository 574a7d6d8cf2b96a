"""What the page says about a game: names of games and players, whose turn it is, how it ended. It names no game."""

from __future__ import annotations

from typing import Any

from ludus.game import Game, Player, native
from ludus.games.board import Board
from ludus.play import talk
from ludus.show.explanation import plural
from ludus.web.table import PERSON, Table

IN_SENTENCES = {"level:strongest": "The strongest level"}  # names that would not fit into one
COLORS = {"warm and cool": ("warm", "cool"), "black and white": ("black", "white")}


def colors_of(board: Board | None) -> tuple[str, str]:
    """The colours of the two players."""
    return COLORS[board.colors if board is not None else "warm and cool"]


def players_of(board: Board | None) -> tuple[str, str]:
    """What the two players are called, with a capital letter."""
    one, other = talk.names_of(board)
    return one[0].upper() + one[1:], other[0].upper() + other[1:]


def names_in_review(table: Table, number: int) -> tuple[str, str]:
    """Who played, inside a sentence: you and the machine, or two colours."""
    if table.seats.count(PERSON) == 1:
        return ("you", "the machine") if table.seats[0] == PERSON else ("the machine", "you")
    return talk.names_of(table.game.board(table.node(number).state))


def aim_of(game: Game, board: Board | None, player: Player | None) -> str:
    """What a player tries to do, in one line; where sides belong to players, by their colour."""
    if board is not None and board.sides:
        color = players_of(board)[player].lower() if player is not None else None
        return f"Join the two {color} sides." if color else "Join the two sides of your colour."
    return board.aim if board is not None and board.aim else game.aim


def sentence_of(table: Table, number: int, board: Board | None, names: tuple[str, str], thinking: bool) -> str:
    """One sentence about where the game stands at a node."""
    if table.over(number):
        return result_of(table, number, board, names)
    player = table.node(number).state.player
    if table.seats[player] != PERSON:
        who = called(table, player, board, names)
        return f"{who} is thinking." if thinking else f"{who} is to move."
    if table.seats[1 - player] != PERSON:
        return "Your move."
    return f"{players_of(board)[player]} to move."


def result_of(table: Table, number: int, board: Board | None, names: tuple[str, str]) -> str:
    """How the game ended, in a sentence a person would say."""
    score, node = table.score(number), table.node(number)
    if score == 0:
        return "A draw."
    winner = 0 if score > 0 else 1
    alone = table.seats[winner] == PERSON and table.seats[1 - winner] != PERSON
    who = "You win" if alone else f"{called(table, winner, board, names)} wins"
    if node.fault is not None:
        return f"{who}: {fault_of(table, node.fault, node.end, node.why, board, names)}."
    return f"{who}{how(table.game, node.state, board, winner, 'your' if alone else 'a')}."


def called(table: Table, player: Player, board: Board | None, names: tuple[str, str]) -> str:
    """A player by name, or by colour where two people or two machines of one name play."""
    if names[0] == names[1] or table.seats[player] == PERSON:
        return players_of(board)[player]
    return IN_SENTENCES.get(table.seats[player], names[player])


def fault_of(table: Table, loser: Player, end: str, why: str, board: Board | None, names: tuple[str, str]) -> str:
    person = table.seats[loser] == PERSON
    alone = person and table.seats[1 - loser] != PERSON
    who = "you" if alone else called(table, loser, board, names)
    match end:
        case "resign":
            return f"{who} resigned"
        case "flag":
            return f"{'your' if alone else who + chr(0x2019) + 's'} time is up"
    return f"{who} could not go on ({why.rstrip('.')})"


def how(game: Game, state: Any, board: Board | None, winner: Player, whose: str) -> str:
    """By what a game was won."""
    if game.unit is not None:
        return talk.margin(game, native(state), winner)
    if board is None or not board.won:
        return ""
    if board.sides:
        return f": {whose} chain joins both sides"
    return f": {len(board.won)} in a line"


def perfect_in_words(mover: str, value: int | None, scores: dict[int, int], moves: int) -> str:
    """What perfect play leads to, and how many moves keep it; nothing where nothing is proven."""
    who = mover[0].upper() + mover[1:]
    if value is None:
        known = [score for score in scores.values() if score < 1]
        return f"{plural(len(known), 'move')} of {moves} proven not to win." if known else ""
    if value == -1:
        return f"{who} loses with every move, if the other side plays perfectly."
    result = "wins" if value == 1 else "draws"
    keep = sum(score == value for score in scores.values())
    if keep == moves:
        return f"{who} {result} with perfect play, and every move keeps it."
    keeps, so_far = "keeps" if keep == 1 else "keep", "" if len(scores) == moves else ", as far as is known"
    return f"{who} {result} with perfect play: {plural(keep, 'move')} of {moves} {keeps} it{so_far}."


def sentence_from(error: Exception) -> str:
    """An error as a sentence: it ends with a full stop, and begins with a capital letter unless that is a move."""
    text = str(error).strip() or "Something went wrong"
    capital = text[0] if any(letter.isdigit() for letter in text.split()[0]) else text[0].upper()
    return capital + text[1:] + ("" if text[-1] in ".!?" else ".")
