// What the machine thinks, drawn on the cells: the heat map, proven moves, the expected line, a hint.

import { drawFace, drawPiece, drawProof, radiusOf, shape, words } from "./board_draw.js";

/**
 * @typedef {{share: number, win: number | null, proven: -1 | 0 | 1 | null}} Mark  what a search says of one move
 * @typedef {{heat: Record<string, Mark> | null, proven: Record<string, number> | null,
 *   ghosts: [number, number, number][] | null, hint: number | null}} Thoughts
 */

const FAINT = 0.04; // of the largest share: below it, a move has no number

/** No thoughts at all. @returns {Thoughts} */
export const noThoughts = () => ({ heat: null, proven: null, ghosts: null, hint: null });

/** Draws everything that is thought of a position: colours under the stones, signs above them.
 * @param {SVGElement} below @param {SVGElement} above @param {Thoughts} thoughts @param {import("./board_moves.js").Moves} moves */
export function drawThoughts(below, above, thoughts, moves, geometry, layout) {
  below.replaceChildren();
  above.replaceChildren();
  const hidden = new Set((thoughts.ghosts ?? []).map(([cell]) => cell));
  for (const [action, strength] of strengths(thoughts.heat)) {
    const cell = moves.cellOf(action);
    if (cell === undefined) continue;
    drawFace(below, geometry, cell, "heat").setAttribute("fill-opacity", strength.toFixed(3));
    if (!hidden.has(cell)) drawOpinion(above, geometry.cells[cell], thoughts, action, strength);
  }
  drawProven(above, thoughts, moves, geometry, hidden);
  drawGhosts(above, thoughts.ghosts, moves, geometry, layout);
  const hinted = thoughts.hint === null ? undefined : moves.cellOf(thoughts.hint);
  if (hinted !== undefined) {
    const { x, y } = geometry.cells[hinted];
    shape("circle", { cx: x, cy: y, r: radiusOf(geometry) - 3, class: "hint" }, above);
  }
}

/** How full the colour of each action is: the largest share is full. @returns {[number, number][]} */
function strengths(heat) {
  const marks = Object.entries(heat ?? {});
  const most = Math.max(...marks.map(([, mark]) => mark.share), 1e-9);
  return marks.map(([action, mark]) => [Number(action), mark.share / most]);
}

/** The share of wins as a number, or the mark of a proven move. */
function drawOpinion(above, { x, y }, thoughts, action, strength) {
  const mark = thoughts.heat[action];
  if (thoughts.proven?.[action] !== undefined) return;
  if (mark.proven !== null && mark.proven !== undefined) drawProof(above, { x, y }, mark.proven);
  else if (mark.win !== null && mark.win !== undefined && strength >= FAINT) words(above, percent(mark.win), x, y, "win");
}

function drawProven(above, { proven }, moves, geometry, hidden) {
  for (const [action, value] of Object.entries(proven ?? {})) {
    const cell = moves.cellOf(Number(action));
    if (cell !== undefined && !hidden.has(cell)) drawProof(above, geometry.cells[cell], value);
  }
}

/** The expected line: pale stones with the number of the move. Of two moves in one cell the first is drawn. */
function drawGhosts(above, ghosts, moves, geometry, layout) {
  const drawn = new Set();
  for (const [cell, player, number] of ghosts ?? []) {
    if (drawn.has(cell) || !geometry.cells[cell]) continue;
    drawn.add(cell);
    const stands = moves.pieces.get(cell);
    const ghost = drawPiece(above, geometry, layout, [cell, "stone", layout.signs || stands === undefined ? player : null]);
    ghost.classList.add("ghost");
    words(ghost, String(number), 0, 0, "number");
  }
}

/** A share of wins as people read it. @param {number} win */
export const percent = (win) => String(Math.round(win * 100));

/** What is thought of an action, in words, for somebody who cannot see it. @param {Thoughts} thoughts @param {number} action */
export function thoughtInWords(thoughts, action) {
  const said = [];
  const mark = thoughts.heat?.[action];
  const proven = thoughts.proven?.[action] ?? mark?.proven ?? null;
  if (proven !== null) said.push(proven > 0 ? "wins for certain" : proven < 0 ? "loses for certain" : "a certain draw");
  else if (mark && mark.win !== null && mark.win !== undefined) said.push(`wins ${percent(mark.win)} percent`);
  if (thoughts.hint === action) said.push("suggested");
  return said;
}

/** The sign of a thought on a button. @param {Thoughts} thoughts @param {number} action */
export function thoughtSign(thoughts, action) {
  const mark = thoughts.heat?.[action];
  const proven = thoughts.proven?.[action] ?? mark?.proven ?? null;
  if (proven !== null) return proven > 0 ? "✓" : proven < 0 ? "✕" : "=";
  return mark && mark.win !== null && mark.win !== undefined ? percent(mark.win) : "";
}
