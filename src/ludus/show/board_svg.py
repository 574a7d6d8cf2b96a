"""A board as SVG: one self-contained text for notebooks, reports and web pages. It knows boards, and no game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from xml.etree import ElementTree

from ludus.errors import LudusError
from ludus.game import Action, State
from ludus.games.board import Board, Point
from ludus.show.colors import CELL, CHOSEN, INK, LINE, LIT, PLAYERS, WOOD, full_heat, heat_color, paint_of, text_on

Element = ElementTree.Element
LARGEST = 560  # the longer side of a picture, in pixels …
CELL_SIZE = 44  # … unless its cells would be larger than this
ACCESSIBLE = {"role": "img", "font-family": "system-ui, sans-serif", "text-anchor": "middle"}
EDGE = 0.45  # of white around the board, in cells


def svg(
    board: Board | State,
    *,
    heat: Mapping[Action, float] | None = None,
    labels: Mapping[Action, str] | None = None,
    chosen: Action | None = None,
    top: float | None = None,
    letters: bool | None = None,
    title: str = "",
) -> str:
    """The SVG of a board, or of a state that has one.

    `heat` colours the cells of actions: the largest value gets the full colour, or `top` if given, and negative values
    have a colour of their own. `labels` are texts in the cells of actions, `chosen` an action whose cell is framed.
    `letters` writes X and O on the stones; unless it says otherwise, on all but black and white ones.
    """
    board = board if isinstance(board, Board) else board_of(board)
    return _Drawing(board, heat or {}, labels or {}, chosen, top, letters).text(title)


def board_of(state: State) -> Board:
    """The board of a state, as its game or its class describes it."""
    game = getattr(state, "game", None)
    describe = getattr(state, "board", None) if game is None else lambda: game.board(state)
    board = describe() if callable(describe) else None
    if not isinstance(board, Board):
        raise LudusError(f"{state!r} has no board to draw; svg() draws a Board or a state that describes one")
    return board


def in_words(board: Board) -> str:
    """What stands where, for somebody who cannot see it."""
    groups: dict[str, list[str]] = {}
    for piece in board.pieces:
        owned = piece.player is not None and board.signs is not None
        who = board.signs[piece.player] if owned and board.signs and piece.player is not None else piece.kind
        groups.setdefault(who, []).append(board.cells[piece.cell].name)
    words = [f"{who}: {', '.join(names)}." for who, names in groups.items()] or ["The board is empty."]
    for said, cells in (("The last move", board.last), ("The winning line", board.won)):
        if cells:
            words.append(f"{said}: {', '.join(board.cells[cell].name for cell in cells)}.")
    return " ".join(words)


class _Drawing:
    """One picture in the making. Points are in cells until they are written."""

    def __init__(
        self,
        board: Board,
        heat: Mapping[Action, float],
        labels: Mapping[Action, str],
        chosen: Action | None,
        top: float | None,
        letters: bool | None,
    ) -> None:
        self.board, self.labels, self.chosen = board, labels, chosen
        full = full_heat(heat.values(), top)
        self.heat = {action: value / full for action, value in heat.items()}
        self.letters = letters if letters is not None else board.colors != "black and white"
        self.others = [action for action in board.others if action in heat or action in labels or action == chosen]
        left, up, right, down = board.corners
        self.left, self.up = left - EDGE, up - EDGE
        width, height = right - left + 2 * EDGE, down - up + 2 * EDGE + (1.0 if self.others else 0.0)
        self.below = down + EDGE + 0.2  # where the other actions stand
        self.unit = min(CELL_SIZE, LARGEST / max(width, height))
        self.width, self.height = width * self.unit, height * self.unit

    def text(self, title: str) -> str:
        size = {"width": number(self.width), "height": number(self.height)}
        box = f"0 0 {size['width']} {size['height']}"
        name = title or self.board.aim or "A board"
        root = Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "viewBox": box, **size, **ACCESSIBLE})
        root.set("aria-label", name)
        add(root, "title").text = name
        add(root, "desc").text = in_words(self.board)
        add(root, "rect", {**size, "rx": "6", "fill": "#ffffff"})
        for draw in (self.ground, self.cells, self.sides, self.pieces, self.marks, self.other_actions, self.names):
            draw(root)
        return ElementTree.tostring(root, encoding="unicode")

    # ------------------------------------------------------------------------------- from the ground up

    def ground(self, root: Element) -> None:
        """The lines of a board on whose crossings the pieces stand."""
        board = self.board
        if not board.lines:
            return
        for cell in board.cells:
            self.polygon(root, cell.outline, {"fill": WOOD, "stroke": WOOD})
        group = add(root, "g", {"stroke": INK, "stroke-width": "0.8"})
        for one, other in board.lines:
            (x1, y1), (x2, y2) = self.at(one), self.at(other)
            add(group, "line", x1=x1, y1=y1, x2=x2, y2=y2)
        for dot in board.dots:
            self.circle(root, dot, 0.08, {"fill": INK})

    def cells(self, root: Element) -> None:
        """Every cell, with its name for the mouse and its action for a page that lets people play."""
        action_in = {cell: action for action, cell in self.board.cell_of.items()}
        stroke = "none" if self.board.lines else LINE
        group = add(root, "g", {"stroke": stroke, "stroke-width": "1", "stroke-linejoin": "round"})
        for index, cell in enumerate(self.board.cells):
            action = action_in.get(index)
            face = "transparent" if self.board.lines else CELL
            if index in self.board.won:
                face = LIT
            elif action in self.heat:
                face = heat_color(self.heat[action])
            place = {"data-cell": str(index)} | ({} if action is None else {"data-action": str(action)})
            shape = self.polygon(group, cell.outline, {"fill": face, **place})
            add(shape, "title").text = cell.name

    def sides(self, root: Element) -> None:
        for side in self.board.sides:
            color = PLAYERS[self.board.colors][side.player].face
            points = " ".join(self.pair(p) for p in side.line)
            look = {"fill": "none", "stroke": color, "stroke-width": number(self.unit / 9)}
            add(root, "polyline", {"points": points, **look, "stroke-linejoin": "round", "stroke-linecap": "round"})

    def pieces(self, root: Element) -> None:
        for piece in self.board.pieces:
            paint, centre = paint_of(self.board, piece), self.board.cells[piece.cell].centre
            look = {"fill": paint.face, "stroke": paint.edge, "data-piece": piece.kind}
            self.circle(root, centre, 0.4, look | ({} if piece.player is None else {"data-player": str(piece.player)}))
            if piece.kind == "gold":
                self.circle(root, centre, 0.28, {"fill": "none", "stroke": paint.edge})
            if self.letters and self.board.signs is not None and piece.player is not None:
                self.write(root, centre, self.board.signs[piece.player], 0.38, paint.text)

    def marks(self, root: Element) -> None:
        """The last move, owned points, labels of actions and the chosen one."""
        board = self.board
        for cell in board.last:
            piece = board.piece_at(cell)
            color, radius = (paint_of(board, piece).text, 0.33) if piece else (INK, 0.13)
            self.circle(root, board.cells[cell].centre, radius,
                        {"fill": "none", "stroke": color, "stroke-width": "1.5", "data-mark": "last"})  # fmt: skip
        for cell, player in board.owners.items():
            paint = PLAYERS[board.colors][player]
            self.circle(
                root, board.cells[cell].centre, 0.13, {"fill": paint.face, "stroke": paint.edge, "data-mark": "owned"}
            )
        for action, cell in board.cell_of.items():
            if action in self.labels:
                ink = "#222222" if board.piece_at(cell) else text_on(self.heat.get(action, 0.0))
                self.write(root, board.cells[cell].centre, self.labels[action], 0.3, ink)
            if action == self.chosen:
                look = {"fill": "none", "stroke": CHOSEN, "stroke-width": "3", "data-mark": "chosen"}
                self.polygon(root, board.cells[cell].outline, look)

    def other_actions(self, root: Element) -> None:
        """Actions without a cell, in boxes below the board."""
        for place, action in enumerate(self.others, 1):
            x, y = self.left + self.width / self.unit * place / (len(self.others) + 1), self.below
            words = " ".join(filter(None, (self.board.names.get(action), self.labels.get(action))))
            half, heat = 0.18 * len(words) / 2 + 0.25, self.heat.get(action, 0.0)
            corners = ((x - half, y - 0.3), (x + half, y - 0.3), (x + half, y + 0.3), (x - half, y + 0.3))
            stroke = (CHOSEN, "3") if action == self.chosen else (LINE, "1")
            look = {"fill": heat_color(heat), "stroke": stroke[0], "stroke-width": stroke[1]}
            self.polygon(root, corners, look | {"data-action": str(action)})
            self.write(root, (x, y), words, 0.3, text_on(heat))

    def names(self, root: Element) -> None:
        for label in self.board.labels:
            self.write(root, label.at, label.text, 0.32, INK)

    # ----------------------------------------------------------------------------------------- shapes

    def at(self, point: Point) -> Point:
        """A point of the board in pixels."""
        return (point[0] - self.left) * self.unit, (point[1] - self.up) * self.unit

    def pair(self, point: Point) -> str:
        x, y = self.at(point)
        return f"{number(x)},{number(y)}"

    def polygon(self, parent: Element, corners: Iterable[Point], look: dict[str, str]) -> Element:
        return add(parent, "polygon", {"points": " ".join(self.pair(p) for p in corners), **look})

    def circle(self, parent: Element, centre: Point, radius: float, look: dict[str, str]) -> None:
        x, y = self.at(centre)
        add(parent, "circle", {"pointer-events": "none", **look}, cx=x, cy=y, r=radius * self.unit)

    def write(self, parent: Element, centre: Point, text: str, size: float, color: str) -> None:
        x, y = self.at(centre)
        height = size * self.unit
        look = {"fill": color, "font-size": number(height), "pointer-events": "none"}
        add(parent, "text", look, x=x, y=y + 0.35 * height).text = text


def add(parent: Element, tag: str, look: dict[str, str] | None = None, **places: float) -> Element:
    """A new element inside another one."""
    where = {name: number(value) for name, value in places.items()}
    return ElementTree.SubElement(parent, tag, {**where, **(look or {})})


def number(value: float) -> str:
    """A number as short as a picture needs it."""
    return f"{value:.1f}".removesuffix(".0")
