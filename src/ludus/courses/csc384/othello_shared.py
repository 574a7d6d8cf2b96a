"""The course's othello_shared.py: the same functions with the same arguments and results."""

from ludus.protocols.othello_rules import find_lines, get_possible_moves, get_score, play_move

__all__ = ["find_lines", "get_possible_moves", "get_score", "play_move"]
