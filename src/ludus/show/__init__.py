"""Pictures: boards as SVG and in figures, searches and trainings as plots. Nothing here names a game."""

from ludus.show.board_svg import svg

__all__ = ["svg"]
