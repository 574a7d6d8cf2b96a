"""What a review says in plain words: a sentence for every move, the turning points, and the game in a few sentences.

What is proven is stated; what a search believes is said with "about". The sentences are in the past or without a verb
for the player, so that any name fits: Red, X, you, the machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ludus.game import Player
from ludus.play import talk
from ludus.play.judged import INEXACT, Judged
from ludus.play.record import AGREED, RULES, UNFINISHED

AHEAD = 0.60  # with this share, and more, a player is ahead

Names = tuple[str, str]


def sentence(judged: Judged, names: Names) -> str:
    """What is to say about a move."""
    said = judgement(in_words(judged), names)
    return first_up(said) if judged.move.isdecimal() else said


def in_words(judged: Judged) -> Judged:
    """The judgement with its moves as sentences name them: "the move 4", but c3."""
    best = None if judged.best_move is None else talk.move_in_words(judged.best_move)
    return replace(judged, move=talk.move_in_words(judged.move), best_move=best)


def judgement(judged: Judged, names: Names) -> str:
    """The sentence about a move whose name is in words."""
    if judged.grade == "gave_away":
        return gave_away(judged, names)
    if judged.over:
        return ended(judged, names)
    if judged.only:
        return f"{judged.move} was the only legal move."
    if judged.before_proven:
        results = {0.0: "Every move loses here.", 0.5: f"{judged.move} keeps the draw."}
        return results.get(judged.after, f"{judged.move} keeps the win.")
    return half_proven(judged, names) if judged.after_proven else believed(judged, names)


def gave_away(judged: Judged, names: Names) -> str:
    """A move after which the result is worse than it was, both proven."""
    what = result_before(judged)
    does = "loses" if judged.after == 0 else "only draws"
    keeps = f"{judged.best_move} keeps it" if judged.best_move else "another move keeps it"
    return f"{first_up(names[judged.player])} gave the {what} away: {judged.move} {does}, {keeps}."


def result_before(judged: Judged) -> str:
    """The proven result of the position before a move that was not lost."""
    return "win" if judged.before == 1 else "draw"


def ended(judged: Judged, names: Names) -> str:
    """The last move of a game."""
    if judged.after == 0.5:
        return f"{judged.move} ends the game in a draw."
    winner = judged.player if judged.after == 1 else 1 - judged.player
    return f"{judged.move} ends the game: a win for {names[winner]}."


def half_proven(judged: Judged, names: Names) -> str:
    """A move whose result is proven, but not whether there was a better one."""
    does = f"{judged.move} {'loses' if judged.after == 0 else 'draws'} (proven)"
    if judged.grade == "mistake":
        return f"A mistake: {does}; {about(judged.before)} for {names[judged.player]} with {judged.best_move}."
    return f"{does}; whether another move was better is not known."


def believed(judged: Judged, names: Names) -> str:
    """A move that only a search has judged."""
    move, best, who = judged.move, judged.best_move, names[judged.player]
    after, before = about(judged.after), about(judged.before)
    match judged.grade:
        case "good":
            return f"{move} is good: {after} for {who}, with {best} {before}."
        case "inexact":
            return f"{move} is not exact: {after} for {who}, with {best} {before}."
        case "mistake":
            return f"A mistake: {after} for {who} after {move}, {before} after {best}."
    return f"{move} is as good as any other move that is known: {after} for {who}."


def about(share: float) -> str:
    """A share that is not proven, so it is never all or nothing."""
    return f"about {min(99, max(1, round(100 * share)))}%"


def first_up(text: str) -> str:
    """Text as the beginning of a sentence."""
    return text[:1].upper() + text[1:]


# ------------------------------------------------------------------------------------------- turning points


@dataclass(frozen=True)
class TurningPoint:
    """A move with which the result, or the lead, changed hands."""

    ply: int
    player: Player  # who made the move
    move: str
    lost: str  # what the player lost with it: "gave the win away"
    sentence: str


def turning_points(judged: Sequence[Judged], names: Names) -> list[TurningPoint]:
    """The moves that gave a proven result away, and those with which the lead passed to the other player."""
    moves = sorted(judged, key=lambda move: move.ply)
    found: dict[int, TurningPoint] = {}
    leader, since = leader_before(moves), 0
    for index, move in enumerate(moves):
        now = leader_after(move)
        if move.grade == "gave_away":
            found[move.ply] = turning_point(move, names)
            leader, since = now, index + 1
        elif now is not None:
            blamed = costliest(moves[since : index + 1], leader) if leader == 1 - now else None
            if blamed is not None:
                found[blamed.ply] = turning_point(blamed, names)
            leader, since = now, index + 1
    return [found[ply] for ply in sorted(found)]


def turning_point(move: Judged, names: Names) -> TurningPoint:
    """What is to say about a move with which something changed hands."""
    move = in_words(move)
    if move.grade == "gave_away":
        return TurningPoint(move.ply, move.player, move.move, f"gave the {result_before(move)} away", move.sentence)
    return TurningPoint(move.ply, move.player, move.move, "let the lead go", lead_passed(move, names))


def leader_before(moves: Sequence[Judged]) -> Player | None:
    """Who is ahead before the first of some moves."""
    if not moves or 1 - AHEAD < moves[0].before < AHEAD:
        return None
    return moves[0].player if moves[0].before >= AHEAD else 1 - moves[0].player


def leader_after(move: Judged) -> Player | None:
    """Who is ahead after a move; nobody in a draw, and where it is not clear."""
    return next((player for player in (0, 1) if move.share(player) >= AHEAD), None)


def costliest(moves: Sequence[Judged], player: Player) -> Judged | None:
    """The move of a player that lost most; None if none of them lost much, as when two searches just differ."""
    own = [move for move in moves if move.player == player and move.loss >= INEXACT]
    return max(own, key=lambda move: move.loss) if own else None


def lead_passed(move: Judged, names: Names) -> str:
    """How the lead passed to the other player, as far as a search knows."""
    after = "it loses (proven)" if move.after_proven and move.after == 0 else f"{about(move.after)} after it"
    better = f"{about(move.before)} with {move.best_move}"
    return f"The lead passed to {names[1 - move.player]} with {move.move}: {after}, {better}."


# ------------------------------------------------------------------------------------------- the whole game


def summary(judged: Sequence[Judged], names: Names, score: float | None = None, end: str = RULES) -> str:
    """The game in two or three sentences. The score is player 0's, None if there is none; `end` is as in a Record."""
    moves = sorted(judged, key=lambda move: move.ply)
    if not moves:
        return "No move was played."
    said = [course(moves, turning_points(moves, names), names), mistakes(moves, names), ending(score, end, names)]
    return " ".join(filter(None, said))


def course(moves: Sequence[Judged], turns: Sequence[TurningPoint], names: Names) -> str:
    """Who was ahead, and where that changed."""
    if not turns:
        return steady(moves, names)
    last = turns[-1]
    who, lost = names[last.player], f"{last.lost} with {last.move}"
    if len(turns) > 1:
        return f"The game turned {times(len(turns))}, the last time at move {last.ply}, when {who} {lost}."
    if last.player == leader_before(moves) and last.ply > 2:
        return f"{first_up(who)} led until move {last.ply}, and then {lost}."
    return f"At move {last.ply} {who} {lost}."


def times(count: int) -> str:
    return "twice" if count == 2 else f"{count} times"


def steady(moves: Sequence[Judged], names: Names) -> str:
    """A game without a turning point."""
    leaders = [leader_before(moves), *map(leader_after, moves)]  # after 0, 1, 2, … moves
    last = leaders[-1]
    if last is None:
        return "Neither side was clearly ahead at the end."
    since = next((ply for ply in range(len(moves), 0, -1) if leaders[ply - 1] != last), 0)
    when = f"from move {since} on" if since else "from the first move to the last"
    return f"{first_up(names[last])} led {when}."


def mistakes(moves: Sequence[Judged], names: Names) -> str:
    """How many moves were mistakes, and whose."""
    counts = [sum(m.player == player and m.grade in ("mistake", "gave_away") for m in moves) for player in (0, 1)]
    if sum(counts) == 0:
        return "No move was a mistake, as far as is known."
    whose = " and ".join(f"{count} by {names[player]}" for player, count in enumerate(counts))
    if sum(counts) == 1:
        return f"One move was a mistake, by {names[counts.index(1)]}."
    if 0 in counts:
        return f"{sum(counts)} moves were mistakes, all by {names[counts.index(max(counts))]}."
    return f"{sum(counts)} moves were mistakes, {whose}."


def ending(score: float | None, end: str, names: Names) -> str:
    """How the game ended."""
    if score is None or end == UNFINISHED:
        return "The game was not finished."
    if score == 0:
        return "It ended in a draw."
    winner, loser = (0, 1) if score > 0 else (1, 0)
    reasons = {RULES: "", AGREED: " as both sides agreed", "resign": f", because {names[loser]} resigned",
               "flag": f", because {names[loser]} ran out of time"}  # fmt: skip
    return f"{first_up(names[winner])} won{reasons.get(end, f', because {names[loser]} forfeited the game')}."
