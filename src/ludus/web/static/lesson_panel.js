// What stands beside the tree: formulas with their numbers, moves of a playout, old and new numbers, counts of
// positions, or how a node is read. Everything is text from the server or from the tree.

import { element } from "./bar.js";
import { typeset } from "./formula.js";

/** A move in its player's colour, with the player's letter. @param {string} label @param {number|null} player */
function chip(label, player) { return element("span", { class: "chip", "data-player": player }, label); }

const DRAWERS = { formulas, playout, changes, counts, key };

/** Draws a panel into its place. @param {HTMLElement} place @param {Record<string, any>} panel @param {string} mood colours of the players */
export function drawPanel(place, panel, mood) {
  place.dataset.colors = mood;
  place.dataset.kind = panel.kind;
  place.replaceChildren(...DRAWERS[panel.kind](panel));
  place.scrollTop = 0;
  reveal(place, place.querySelector("li.chosen"));
}

/** Scrolls a panel, and nothing but the panel, until a part of it is seen. @param {HTMLElement} place @param {HTMLElement|null} part */
export function reveal(place, part) {
  if (!part) return;
  const beyond = part.getBoundingClientRect().bottom - place.getBoundingClientRect().bottom;
  if (beyond > 0) place.scrollTop += beyond;
}

function formulas({ rule, formula, letters, rows, rest }) {
  const lines = rows.map((row) => element("li", { class: row.chosen ? "chosen" : null },
    chip(row.label, row.player), element("span", { class: "formula" }, ...typeset(row.text)),
    row.chosen ? element("span", { class: "unseen" }, " is followed") : ""));
  if (rest) lines.push(element("li", { class: "soft" }, `and ${rest} smaller`));
  return [
    element("h2", {}, rule, element("span", { class: "formula" }, " ", ...typeset(formula))),
    element("ul", { class: "rows" }, ...lines),
    element("p", { class: "soft letters" }, letters),
  ];
}

function playout({ moves }) {
  if (!moves.length) return [element("h2", {}, "No moves to play")];
  const list = moves.map((one, at) => element("li", { "data-at": at }, chip(`${one.letter} ${one.move}`, one.player)));
  return [element("h2", {}, "The playout"), element("ol", { class: "playout" }, ...list)];
}

function changes({ rows }) {
  const lines = rows.map((row) => element("tr", {}, element("td", {}, chip(row.label, row.player)), element("td", { class: "old" }, row.old), element("td", {}, "→"), element("td", { class: "now" }, row.now)));
  return [element("h2", {}, "From the leaf up to the root"), element("table", {}, element("tbody", {}, ...lines))];
}

const COUNTED = { minimax: "Minimax", pruning: "Alpha-beta", ordering: "Alpha-beta, good moves first" };

function counts({ seen, counts: all, chosen, first }) {
  const most = Math.max(...Object.values(all).filter((count) => count !== null));
  const lines = Object.entries(all).flatMap(([kind, count]) => [
    element("dt", { class: kind === chosen ? "chosen" : null }, COUNTED[kind]),
    element("dd", { class: kind === chosen ? "chosen" : null }, element("span", { class: "number" }, count === null ? "very many" : kind === chosen ? `${seen} of ${count}` : String(count)), meter(count === null ? 1 : count / most, kind === chosen ? seen / most : 0)),
  ]);
  const window = "(α, β): values that still matter";
  return [element("h2", {}, "Positions looked at"), element("dl", { class: "counts" }, ...lines), element("p", { class: "soft" }, `Values are for ${first}.${chosen === "minimax" ? "" : ` ${window}.`}`)];
}

function meter(share, done) {
  const whole = element("span", { class: "whole" }), part = element("span", { class: "part" });
  whole.style.width = `${100 * share}%`;
  part.style.width = `${100 * done}%`;
  return element("span", { class: "meter", "aria-hidden": "true" }, whole, part);
}

/** How a node is read. */
function key({ players, letters, rule }) {
  const lines = [["60%", "won by the player who moved there; at the root, by the player to move"], ["of 5", "simulations through it (a draw is half a win)"]];
  if (rule === "PUCT") lines.push(["p 0.11", "prior: how good the move looks before any simulation"]);
  if (rule === "RAVE") lines.push(["A 70%", "AMAF: games won in which the move came later"]);
  return [
    element("h2", {}, "A node"),
    element("ul", { class: "key" }, ...players.map((name, at) => element("li", {}, chip(letters[at], at), ` ${name}`))),
    element("dl", { class: "key" }, ...lines.flatMap(([sign, about]) => [element("dt", {}, sign), element("dd", {}, about)])),
  ];
}
