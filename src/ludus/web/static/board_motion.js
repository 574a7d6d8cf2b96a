// From one position to the next: which stones come, go, fall, slide or turn over. How long that takes is in board.css.

import { drawPiece } from "./board_draw.js";
import { UNIT } from "./board_geometry.js";

const LONGEST = 600; // ms after which a stone that leaves is gone, whatever the browser says of its animation

/** Would this visitor rather see no movement? */
export const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** The stones that stand on the board, and how they get to the next position. */
export class Stones {
  /** @param {SVGElement} layer */
  constructor(layer) {
    this.layer = layer;
    /** @type {Map<number, {kind: string, player: number | null, element: SVGElement}>} */
    this.standing = new Map();
  }

  clear() {
    this.layer.replaceChildren();
    this.standing.clear();
  }

  /** Brings the board to a position, moving only what differs. */
  show(position, geometry, layout, letters, animate) {
    this.geometry = geometry;
    this.layout = layout;
    this.letters = letters;
    const moving = animate && !isStill();
    const wanted = new Map(position.pieces.map((piece) => [piece[0], piece]));
    const slid = moving ? this.slide(position.last, wanted) : undefined;
    for (const [cell, { kind }] of [...this.standing]) {
      if (wanted.get(cell)?.[1] !== kind) this.take(cell, moving && cell !== slid);
    }
    for (const piece of wanted.values()) this.put(piece, position, moving, slid);
  }

  /** The cell that a piece has left to slide to the cell of the last move, if that is what happened. */
  slide([to, from], wanted) {
    const [before, after] = [this.standing.get(from), wanted.get(to)];
    const moved = before && after && !wanted.has(from) && before.kind === after[1] && before.player === after[2];
    return moved && !this.standing.has(to) ? from : undefined;
  }

  put(piece, position, moving, slid) {
    const [cell, kind, player] = piece;
    const before = this.standing.get(cell);
    if (before && before.player === player) {
      before.element.classList.remove("comes", "falls", "slides", "turns");
      return;
    }
    before?.element.remove();
    const element = drawPiece(this.layer, this.geometry, this.layout, piece, this.letters);
    this.standing.set(cell, { kind, player, element });
    if (!moving) return;
    if (before) this.turn(element, cell, before.player, position.last[0]);
    else if (slid !== undefined && cell === position.last[0]) this.comeFrom(element, "slides", cell, this.geometry.cells[slid]);
    else if (this.geometry.falls) this.comeFrom(element, "falls", cell, { x: this.geometry.cells[cell].x, y: this.topOf(cell) });
    else element.classList.add("comes");
  }

  /** Just above the topmost cell of the column. */
  topOf(cell) {
    const { cells } = this.geometry;
    return Math.min(...cells.filter((other) => other.name === cells[cell].name).map((other) => other.y)) - UNIT * 0.8;
  }

  comeFrom(element, how, cell, from) {
    const { x, y } = this.geometry.cells[cell];
    element.style.setProperty("--from-x", `${from.x - x}px`);
    element.style.setProperty("--from-y", `${from.y - y}px`);
    element.classList.add(how);
  }

  /** Turns a disc over, those far from the last move a little later. */
  turn(element, cell, player, last) {
    const [here, there] = [this.geometry.cells[cell], this.geometry.cells[last ?? cell]];
    const away = Math.hypot(here.x - there.x, here.y - there.y) / UNIT;
    element.style.setProperty("--before", `var(--face-${player})`);
    element.style.setProperty("--wait", `${Math.round(Math.min(away, 8) * 25)}ms`);
    element.classList.add("turns");
  }

  take(cell, moving) {
    const { element } = this.standing.get(cell);
    this.standing.delete(cell);
    if (!moving) return element.remove();
    element.classList.remove("comes", "falls", "slides", "turns");
    element.classList.add("goes");
    element.addEventListener("animationend", () => element.remove());
    setTimeout(() => element.remove(), LONGEST);
  }
}
