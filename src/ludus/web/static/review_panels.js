// What stands beside the board in the review: turning points, the selected move's buttons, the moves with their signs.

import { element } from "./bar.js";
import { gradeInWords, GRADES, gradeSign } from "./grades.js";

/** @typedef {import("./messages.js").TableTold} TableTold */

/** The turning points as buttons. @param {HTMLElement} box @param {{ply: number, sentence: string}[]} points */
export function showPoints(box, points, selected, select) {
  const essence = JSON.stringify(points);
  if (box.dataset.shown !== essence) {
    box.dataset.shown = essence;
    box.replaceChildren(...points.map((point) => element("button", { type: "button", "data-ply": point.ply, click: () => select(point.ply) },
      element("span", { class: "at" }, `Move ${point.ply}`), element("span", {}, point.sentence))));
  }
  for (const button of box.querySelectorAll("button")) markCurrent(button, Number(button.dataset.ply) === selected);
}

/** What can be done with the selected move.
 * @param {HTMLElement} box @param {{row: any, move: any, better: boolean}} chosen @param {{showBetter: () => void, tryAgain: () => void}} page */
export function showDeeds(box, { row, move, better }, page) {
  const other = row && row.best !== null && row.best !== row.action;
  const rows = [];
  if (other) rows.push(element("button", { type: "button", "aria-pressed": String(better), "data-deed": "better", click: () => page.showBetter() }, `Show ${row.best_move}`));
  const where = move ? `Play on before move ${move.name}` : "Play on from the start";
  rows.push(element("button", { type: "button", class: "main", title: where, "data-deed": "again", click: () => page.tryAgain() }, "Try again from here"));
  const held = box.contains(document.activeElement) ? document.activeElement.dataset.deed : null;
  box.replaceChildren(...rows);
  if (held) box.querySelector(`[data-deed="${held}"]`)?.focus();
}

/** All moves, each with the sign of its grade.
 * @param {HTMLElement} list @param {TableTold} told @param {Map<number, any>} rows @param {(ply: number) => void} select */
export function showMoves(list, told, rows, selected, select) {
  const essence = JSON.stringify([told.table, told.line.map((move, index) => [move.name, rows.get(index + 1)?.grade, rows.get(index + 1)?.settled])]);
  if (list.dataset.shown !== essence) {
    const held = list.contains(document.activeElement) ? document.activeElement.dataset.ply : null;
    list.dataset.shown = essence;
    list.replaceChildren(...told.line.map((move, index) => moveButton(move, index + 1, told, rows.get(index + 1), select)));
    if (held) list.querySelector(`[data-ply="${held}"]`)?.focus();
  }
  for (const button of list.querySelectorAll("button")) {
    const here = Number(button.dataset.ply) === selected;
    markCurrent(button, here);
    if (here) list.scrollTop = Math.max(0, button.offsetTop - list.offsetTop - list.clientHeight / 2);
  }
}

/** The button of the selected move says so. */
function markCurrent(button, here) {
  if (here) button.setAttribute("aria-current", "step");
  else button.removeAttribute("aria-current");
}

function moveButton(move, ply, told, row, select) {
  const words = `Move ${ply}, ${told.game.players[move.player]} ${move.name}${row ? `: ${gradeInWords(row.grade)}` : ""}`;
  return element("li", {}, element("button", { type: "button", "data-ply": ply, "data-grade": row?.grade ?? null, "aria-label": words, click: () => select(ply) },
    element("span", { class: "number" }, `${ply}.`), row ? gradeSign(row.grade) : "", move.name));
}

/** What the signs mean. @param {HTMLElement} box */
export function showLegend(box) {
  box.append(element("ul", {}, ...Object.entries(GRADES).map(([grade, { word, about }]) =>
    element("li", {}, gradeSign(grade), element("span", {}, `${word}: ${about}`)))),
  element("p", { class: "soft small" }, "Shares are those of the points that a player can expect: a win is 100%, a draw 50%. What is proven is said to be; everything else is what a search believes."));
}
