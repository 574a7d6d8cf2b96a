// Which cell an arrow key leads to, on boards of any shape. On hexagons, up and down run in a straight zigzag.

import { UNIT } from "./board_geometry.js";

/** @typedef {import("./board_geometry.js").Cell} Cell */

export const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** For every cell, the cell in the direction of every arrow, or nothing at the edge.
 * @param {Cell[]} cells @returns {Record<string, number>[]} */
export function arrowMap(cells) {
  const strict = cells.map((_, from) => neighbours(cells, from, 1));
  return everyCellReached(strict) ? strict : cells.map((_, from) => neighbours(cells, from, Infinity));
}

/** The neighbours of one cell. @param {number} wide how far off the arrow's direction a cell may lie, for one step along it */
function neighbours(cells, from, wide) {
  const found = {};
  for (const [key, direction] of Object.entries(ARROWS)) {
    const best = nearest(cells, from, direction, wide);
    if (best !== undefined) found[key] = best;
  }
  return found;
}

function nearest(cells, from, [right, down], wide) {
  const { x, y } = cells[from];
  const even = Math.round((2 * (x - cells[0].x)) / UNIT) % 2 === 0;
  let [best, least] = [undefined, Infinity];
  cells.forEach((cell, index) => {
    const [dx, dy] = [cell.x - x, cell.y - y];
    const along = dx * right + dy * down;
    const across = Math.abs(dx * down) + Math.abs(dy * right);
    if (index === from || along < 0.1 * UNIT || across > along * wide + 0.01) return;
    const turn = (dx < 0) === even ? 0 : 0.1; // of two cells as near: left and right in turn, so that we come back
    const cost = along + 2.2 * across + turn;
    if (cost < least - 0.01) [best, least] = [index, cost];
  });
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
