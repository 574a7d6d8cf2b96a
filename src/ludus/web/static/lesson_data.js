// What both lessons share: asking the server, positions that arrive as changes, letters for the players.

import { fetchJson } from "./connection.js";

/** A lesson, or an Error with the server's sentence. @param {string} kind @param {Record<string, any>} request */
export function fetchLesson(kind, request) {
  return fetchJson(`/api/lessons/${kind}`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(request) });
}

/** The position after a change: what is gone, what is new, and whatever else is different.
 * @param {Record<string, any>} before @param {Record<string, any>} change */
export function applyChange(before, change) {
  const { gone = [], new: come = [], ...others } = change;
  const pieces = before.pieces.filter((piece) => !gone.includes(piece[0])).concat(come);
  return { ...before, ...others, pieces };
}

/** A letter or two for each player, because colour alone is not enough. @param {string[]} players */
export function lettersOf(players) {
  return players.map((name) => ({ "the first player": "1st", "the second player": "2nd" })[name] ?? name[0]);
}
