// Which cell an arrow key leads to, on boards of any shape. On hexagons, up and down run in a straight zigzag.

import { UNIT } from "./board_geometry.js";

/** @typedef {import("./board_geometry.js").Cell} Cell */

export const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** For every cell, the cell in the direction of every arrow, or nothing at the edge.
 * @param {Cell[]} cells @returns {Record<string, number>[]} */
export function arrowMap(cells) {
  const next = cells.map((_, from) => neighbours(cells, from, true));
  return everyCellReached(next) ? next : cells.map((_, from) => neighbours(cells, from, false));
}

/** Where the arrows lead from one cell. @param {boolean} touching only to cells one unit away, and roughly straight on */
function neighbours(cells, from, touching) {
  const { x, y } = cells[from];
  const others = cells.map((cell, index) => ({ index, dx: cell.x - x, dy: cell.y - y }))
    .filter(({ index, dx, dy }) => index !== from && (!touching || Math.hypot(dx, dy) < 1.1 * UNIT));
  const even = Math.round((2 * (x - cells[0].x)) / UNIT) % 2 === 0;
  const found = {};
  for (const [key, direction] of Object.entries(ARROWS)) {
    const best = nearest(others, direction, touching, even);
    if (best !== undefined) found[key] = best;
  }
  return found;
}

/** The nearest of some cells in a direction. Of two as near, the left one is taken in `even` columns of half cells and
 * the right one in the others, so that up and down come back. */
function nearest(others, [right, down], touching, even) {
  let [best, least] = [undefined, Infinity];
  for (const { index, dx, dy } of others) {
    const along = dx * right + dy * down;
    const across = Math.abs(dx * down) + Math.abs(dy * right);
    if (along < 0.1 * UNIT || (touching && across > along)) continue;
    const cost = along + 2.2 * across + ((dx < 0) === even ? 0 : 0.1);
    if (cost < least - 0.01) [best, least] = [index, cost];
  }
  return best;
}

/** Can every cell be reached from every other? True if all can be reached from the first and the first from all. */
function everyCellReached(map) {
  const back = map.map(() => []);
  map.forEach((near, from) => Object.values(near).forEach((to) => back[to].push(from)));
  return [map.map(Object.values), back].every((edges) => {
    const seen = new Set([0]);
    for (const cell of seen) edges[cell].forEach((next) => seen.add(next));
    return seen.size === map.length;
  });
}

/** The cell nearest to the middle of the board. @param {Cell[]} cells */
export function middleOf(cells) {
  const mid = (key) => (Math.min(...cells.map((c) => c[key])) + Math.max(...cells.map((c) => c[key]))) / 2;
  const [x, y] = [mid("x"), mid("y")];
  const distance = (cell) => Math.hypot(cell.x - x, cell.y - y);
  return cells.reduce((best, cell, index) => (distance(cell) < distance(cells[best]) - 0.01 ? index : best), 0);
}
