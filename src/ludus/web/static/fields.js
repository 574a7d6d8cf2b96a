// Fields of forms: a label and its control, choices, and the options of a game.

import { element } from "./bar.js";

const OPTION_NAMES = { size: "Board size", swap: "The second player may swap", starter: "Who begins", komi: "Komi (points for White)", superko: "A repeated position",
  max_length: "Longest game, in moves", passing: "A blocked player passes", stones: "Stones", most: "Most stones in one move", coins: "Coins on the ledge",
  width: "Columns", height: "Rows", line: "In a row to win" };

/** @param {string} title @param {Node} field */
export function labelled(title, field) { return element("label", { class: "field" }, element("span", {}, title), field); }

/** @param {[string, string][]} pairs values and what people read @param {string} chosen @param {(value: string) => void} pick */
export function select(pairs, chosen, pick) {
  return element("select", { change: (event) => pick(event.target.value) }, ...pairs.map(([value, text]) => element("option", { value, selected: value === chosen }, text)));
}

/** A whole number within bounds. @param {number | null} value @param {number} min @param {number} max @param {(value: number | null) => void} set */
export function wholeNumber(value, min, max, set, placeholder = "") {
  return element("input", { type: "number", value, min, max, step: 1, placeholder, required: !placeholder, change: (event) => set(event.target.value === "" ? null : Number(event.target.value)) });
}

/** The field of one option of a game. @param {any} game one of /api/games @param {any} choice one of its choices
 * @param {any} value @param {(value: any) => void} set */
export function optionField(game, choice, value, set) {
  const name = OPTION_NAMES[choice.name] ?? choice.name.replaceAll("_", " ");
  if (choice.kind === "switch") {
    return element("label", { class: "check" }, element("input", { type: "checkbox", checked: value, change: (event) => set(event.target.checked) }), name);
  }
  if (choice.name === "starter") {
    return labelled(name, select(game.players.map((player, index) => [String(index), player]), String(value), (given) => set(Number(given))));
  }
  if (choice.kind === "word") return labelled(name, select(choice.words.map((word) => [word, word]), value, set));
  if (choice.kind === "text") return labelled(name, element("input", { type: "text", value, maxlength: 200, change: (event) => set(event.target.value) }));
  const step = choice.kind === "decimal" ? "0.5" : "1";
  return labelled(name, element("input", { type: "number", value, step, required: true, change: (event) => { if (event.target.value !== "") set(Number(event.target.value)); } }));
}

/** The options of a game that differ from its usual ones. @param {any} game @param {Record<string, any>} chosen */
export function changedOptions(game, chosen) {
  const usual = Object.fromEntries(game.choices.map((choice) => [choice.name, choice.usual]));
  return Object.fromEntries(Object.entries(chosen).filter(([name, value]) => name in usual && value !== usual[name] && value !== null));
}
