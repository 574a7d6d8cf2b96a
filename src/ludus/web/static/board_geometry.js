// Where everything of a board lies on the screen: turned flat or around, in units of the picture. Nothing is drawn here.

/**
 * @typedef {{name: string, x: number, y: number, outline: number[][]}} Cell
 * @typedef {{id: string, box: number[], cells: Cell[], sides: {player: number, line: number[][]}[], lines: number[][],
 *   dots: number[][], colors: string, signs: string[] | null, unit: string | null, turned: number, players: string[]}} Layout
 * @typedef {{flat: boolean, flipped: boolean, letters: boolean, coordinates: boolean}} Options
 * @typedef {{cells: Cell[], sides: {player: number, line: number[][]}[], lines: number[][], dots: number[][],
 *   labels: {text: string, x: number, y: number}[], box: number[], falls: boolean, square: boolean}} Geometry
 */

export const UNIT = 100; // of the picture, from one cell to the next
const MARGIN = 0.3; // around everything, in cells
const LABEL = 0.25; // half of a label's height

/** Do stones fall in this board? They do where every cell of a column has the same name.
 * @param {Layout} layout */
export function fallsOn(layout) {
  return layout.cells.length > 1 && new Set(layout.cells.map((cell) => cell.name)).size < layout.cells.length;
}

/** A layout and the labels of a position as they are shown.
 * @param {Layout} layout @param {{text: string, x: number, y: number}[]} labels @param {Options} options
 * @returns {Geometry} */
export function shownAs(layout, labels, options) {
  const move = moverOf(layout, options);
  const cells = layout.cells.map(({ name, x, y, outline }) => ({ name, ...at(move([x, y])), outline: outline.map(move) }));
  const geometry = {
    cells,
    sides: layout.sides.map(({ player, line }) => ({ player, line: line.map(move) })),
    lines: layout.lines.map(([x1, y1, x2, y2]) => [...move([x1, y1]), ...move([x2, y2])]),
    dots: layout.dots.map(move),
    labels: labelsShown(layout, labels, options, cells),
    falls: fallsOn(layout),
    square: cells.every((cell) => cell.outline.length === 4),
  };
  return { ...geometry, box: boxAround(geometry) };
}

/** The labels of a position as they are shown beside these cells. */
export function labelsShown(layout, labels, options, cells) {
  const move = moverOf(layout, options);
  const level = options.flat && layout.turned !== 0;
  return labels.filter(({ text }) => options.coordinates || !isCoordinate(text))
    .map(({ text, x, y }) => besideItsRow({ text, ...at(move([x, y])) }, cells, level));
}

/** Where a point of the layout is shown. */
function moverOf(layout, { flat, flipped }) {
  return turnBy((flat ? -layout.turned : 0) + (flipped && layout.signs && !fallsOn(layout) ? 180 : 0));
}

/** @param {number[]} point */
const at = ([x, y]) => ({ x, y });

/** Turns points clockwise and makes them as large as the picture is.
 * @param {number} degrees @returns {(point: number[]) => number[]} */
function turnBy(degrees) {
  const cos = Math.cos((degrees * Math.PI) / 180) * UNIT;
  const sin = Math.sin((degrees * Math.PI) / 180) * UNIT;
  return ([x, y]) => [round(cos * x - sin * y), round(sin * x + cos * y)];
}

/** @param {number} value */
export function round(value) {
  return Math.round(value * 100) / 100 || 0;
}

/** @param {string} text */
function isCoordinate(text) {
  return /^([A-Za-z]|\d{1,2})$/.test(text);
}

/** A label on the left or right of a row stands level with it, once the board lies flat. */
function besideItsRow(label, cells, level) {
  if (!level || !cells.length) return label;
  const distance = (cell) => Math.hypot(cell.x - label.x, cell.y - label.y);
  const near = cells.reduce((best, cell) => (distance(cell) < distance(best) ? cell : best));
  return Math.abs(near.x - label.x) > Math.abs(near.y - label.y) ? { ...label, y: near.y } : label;
}

/** Left, top, width and height of the picture. */
function boxAround({ cells, sides, labels }) {
  const points = [...cells.flatMap((cell) => cell.outline), ...sides.flatMap((side) => side.line)];
  for (const { text, x, y } of labels) {
    const wide = Math.max(LABEL, 0.12 * text.length) * UNIT;
    points.push([x - wide, y - LABEL * UNIT], [x + wide, y + LABEL * UNIT]);
  }
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  const [left, top] = [Math.min(...xs) - MARGIN * UNIT, Math.min(...ys) - MARGIN * UNIT];
  return [left, top, Math.max(...xs) + MARGIN * UNIT - left, Math.max(...ys) + MARGIN * UNIT - top].map(round);
}

/** How far along its line or chain each of the won cells lies: 0 for those at one end.
 * @param {Geometry} geometry @param {number[]} won @returns {Map<number, number>} */
export function stepsAlong(geometry, won) {
  const { cells, square } = geometry;
  const reach = (square ? 1.45 : 1.05) * UNIT;
  const near = (a) => won.filter((b) => b !== a && Math.hypot(cells[a].x - cells[b].x, cells[a].y - cells[b].y) < reach);
  const ends = [...won].sort((a, b) => near(a).length - near(b).length);
  const steps = new Map();
  for (const end of ends) {
    if (!steps.size) steps.set(end, 0);
    for (const [cell, step] of steps) for (const next of near(cell)) if (!steps.has(next)) steps.set(next, step + 1);
    if (!steps.has(end)) steps.set(end, 0); // a second line that does not touch the first
  }
  return steps;
}
