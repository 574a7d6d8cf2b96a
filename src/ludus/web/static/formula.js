// Formulas typeset from plain text such as "0.50 + 1.4 × √(ln 7 / 3) = 1.63", in HTML and not in MathML: there the look
// of a root depends on the fonts of the machine. A long formula may break before + and =.

import { element } from "./bar.js";

const TOKEN = /\s*([\d.]+|[\p{L}]+|[+−×/=()√])/uy;
const IN_SENTENCE = /(\d[\d.]* [+×] .* = \d+\.\d+)/;
const VARIABLES = ["c", "n", "N", "k", "β"];

/** The parts of a formula. @param {string} text */
function tokensOf(text) {
  const found = [];
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(text); match; match = TOKEN.exec(text)) found.push(match[1]);
  return found;
}

/** The next token, with all that is under a root. @param {string[]} tokens @returns {(Node|string)[]} */
function next(tokens) {
  const token = tokens.shift();
  if (token === "√") return [rootOf(tokens)];
  if (token === "(") return ["(", ...upToClosing(tokens), ")"];
  if (VARIABLES.includes(token)) return [element("i", {}, token)];
  return [token];
}

/** A root: the sign, and a line over what is under it. Who hears or copies it gets the parentheses. */
function rootOf(tokens) {
  const open = tokens[0] === "(";
  if (open) tokens.shift();
  const inner = open ? upToClosing(tokens) : next(tokens);
  const bracket = (sign) => (open ? [element("span", { class: "unseen" }, sign)] : []);
  return element("span", { class: "root" }, "√", element("span", { class: "under" }, ...bracket("("), ...inner, ...bracket(")")));
}

function upToClosing(tokens) {
  const inner = [];
  while (tokens.length && tokens[0] !== ")") inner.push(...(inner.length ? [" "] : []), ...next(tokens));
  tokens.shift();
  return inner;
}

/** The formula, in pieces between which a line may break. @param {string} text @returns {(Node|string)[]} */
export function typeset(text) {
  const tokens = tokensOf(text);
  const pieces = [];
  while (tokens.length) {
    const piece = next(tokens);
    while (tokens.length && !["+", "="].includes(tokens[0])) piece.push("\u00a0", ...next(tokens));
    pieces.push(...(pieces.length ? [" "] : []), element("span", { class: "piece" }, ...piece));
  }
  return [element("span", { class: "math" }, ...pieces)];
}

/** A sentence whose formula, if it has one, is typeset. @param {string} words @returns {(Node|string)[]} */
export function typesetIn(words) {
  return words.split(IN_SENTENCE).flatMap((part, at) => (at % 2 ? typeset(part) : [part]));
}
