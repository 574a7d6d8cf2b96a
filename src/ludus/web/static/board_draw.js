// The shapes of a board in SVG: ground, cells, sides, stones, labels, marks. Colours and movement are in board.css.

import { round } from "./board_geometry.js";

/** @typedef {import("./board_geometry.js").Geometry} Geometry */
/** @typedef {import("./board_geometry.js").Layout} Layout */

const SPACE = "http://www.w3.org/2000/svg";
const TICK = "M-13 1 L-4 10 L14 -11";
const CROSS = "M-10 -10 L10 10 M10 -10 L-10 10";
const EQUALS = "M-12 -5 L12 -5 M-12 6 L12 6";

/** A new SVG element inside another one.
 * @param {string} tag @param {Record<string, any>} [attributes] @param {Element | null} [parent] */
export function shape(tag, attributes = {}, parent) {
  const made = document.createElementNS(SPACE, tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) made.setAttribute(name, String(value));
  }
  parent?.append(made);
  return made;
}

/** @param {number[][]} points */
export const pointsOf = (points) => points.map((point) => point.map(round).join(",")).join(" ");

/** A text whose middle is at a point; its size is the style's business. */
export function words(parent, text, x, y, look) {
  const made = shape("text", { x: round(x), y: round(y), class: look }, parent);
  made.textContent = text;
  return made;
}

/** The even ground of a board whose stones stand on lines, with its lines and dots. */
export function drawLines(parent, geometry) {
  if (!geometry.lines.length) return;
  const points = geometry.cells.flatMap((cell) => cell.outline);
  const [left, top] = [0, 1].map((k) => Math.min(...points.map((point) => point[k])));
  const [right, bottom] = [0, 1].map((k) => Math.max(...points.map((point) => point[k])));
  shape("rect", { x: left, y: top, width: right - left, height: bottom - top, rx: 12, class: "wood" }, parent);
  const path = geometry.lines.map(([x1, y1, x2, y2]) => `M${x1} ${y1}L${x2} ${y2}`).join("");
  shape("path", { d: path, class: "line" }, parent);
  for (const [cx, cy] of geometry.dots) shape("circle", { cx, cy, r: 9, class: "dot" }, parent);
}

/** The cells: what is seen of them, what can be pressed, and what a screen reader reads.
 * @returns {SVGElement[]} */
export function drawCells(parent, geometry, id) {
  return geometry.cells.map((cell, index) => {
    const made = shape("polygon", { points: pointsOf(cell.outline), id: `${id}-${index}`, class: "cell", "data-cell": index, role: "button" }, parent);
    if (geometry.falls) shape("circle", { cx: cell.x, cy: cell.y, r: 42, class: "hole" }, parent);
    return made;
  });
}

/** Lines along the edge. The second player's have dots, as the stones have: colour is not the only sign. */
export function drawSides(parent, geometry) {
  for (const { player, line } of geometry.sides) {
    shape("polyline", { points: pointsOf(line), class: `side p${player}` }, parent);
    if (player === 1) shape("polyline", { points: pointsOf(line), class: "seconds" }, parent);
  }
}

export function drawLabels(parent, geometry) {
  parent.replaceChildren(...geometry.labels.map(({ text, x, y }) => words(null, text, x, y, "label")));
}

/** A stone, a counter or a coin, with its middle at a cell.
 * @param {Element} parent @param {Geometry} geometry @param {Layout} layout
 * @param {[number, string, number | null]} piece @param {boolean} [letter] */
export function drawPiece(parent, geometry, layout, [cell, kind, player], letter = false) {
  const { x, y } = geometry.cells[cell];
  const r = radiusOf(geometry);
  const piece = shape("g", { class: `piece ${kind}${player === null ? "" : ` p${player}`}`, transform: `translate(${x} ${y})`, "data-at": cell }, parent);
  const body = shape("g", { class: "body" }, piece);
  shape("circle", { class: "shade", r }, body);
  shape("circle", { class: "face", r }, body);
  if (kind === "gold" || kind === "copper") shape("circle", { class: "rim", r: r * 0.68 }, body);
  else if (player === 1 && !letter) shape("circle", { class: "second", r: r * 0.16 }, body);
  if (letter && layout.signs && player !== null) words(body, layout.signs[player], 0, 0, "sign");
  return piece;
}

/** The ring of the last move, which waits for its stone to arrive, and the points that count for a player at the end. */
export function drawMarks(parent, geometry, { last, owners }, pieces, moving) {
  parent.replaceChildren();
  for (const cell of last) {
    const { x, y } = geometry.cells[cell];
    const piece = pieces.get(cell);
    const look = piece ? (piece.player === null ? piece.kind : `p${piece.player}`) : "left";
    const r = piece ? radiusOf(geometry) * 0.62 : 12;
    shape("circle", { cx: x, cy: y, r, class: `last ${look}${moving ? " lights" : ""}` }, parent);
  }
  for (const [cell, player] of Object.entries(owners)) {
    const { x, y } = geometry.cells[cell];
    shape("rect", { x: x - 14, y: y - 14, width: 28, height: 28, rx: 3, class: `owned p${player}` }, parent);
  }
}

/** @param {Geometry} geometry */
export const radiusOf = (geometry) => (geometry.lines.length ? 46 : geometry.falls ? 42 : 39);

/** A tick, a cross or an equals sign for a proven win, loss or draw, on a small round ground. */
export function drawProof(parent, { x, y }, value) {
  const kind = value > 0 ? "good" : value < 0 ? "bad" : "even";
  const made = shape("g", { class: `proof ${kind}`, transform: `translate(${x} ${y})` }, parent);
  shape("circle", { r: 25, class: "plate" }, made);
  shape("path", { d: value > 0 ? TICK : value < 0 ? CROSS : EQUALS, class: "sign" }, made);
  return made;
}

/** The face of a cell in another colour: its outline, or a disc where that is what one sees of a cell. */
export function drawFace(parent, geometry, cell, look) {
  const { x, y, outline } = geometry.cells[cell];
  const disc = geometry.lines.length || (geometry.falls && look === "heat");
  if (disc) return shape("circle", { cx: x, cy: y, r: geometry.falls ? 42 : 47, class: look }, parent);
  return shape("polygon", { points: pointsOf(outline), class: look }, parent);
}
