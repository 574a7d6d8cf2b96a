// Formulas typeset as MathML from plain text such as "0.50 + 1.4 × √(ln 7 / 3) = 1.63". Every browser of today renders
// it, and a screen reader reads it. A long formula may break before + and =.

const MATH = "http://www.w3.org/1998/Math/MathML";
const TOKEN = /\s*([\d.]+|[\p{L}]+|[+−×/=()√])/uy;
const IN_SENTENCE = /(\d[\d.]* [+×] .* = \d+\.\d+)/;

function math(tag, ...children) {
  const made = document.createElementNS(MATH, tag);
  made.append(...children);
  return made;
}

/** The parts of a formula. @param {string} text */
function tokensOf(text) {
  const found = [];
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(text); match; match = TOKEN.exec(text)) found.push(match[1]);
  return found;
}

/** One element for the next token, with all that is under a root. @param {string[]} tokens */
function next(tokens) {
  const token = tokens.shift();
  if (token === "√") {
    const inner = tokens[0] === "(" ? group(tokens, false) : [next(tokens)];
    return math("msqrt", math("mrow", ...inner));
  }
  if (token === "(") {
    tokens.unshift("(");
    return math("mrow", ...group(tokens, true));
  }
  if (/^[\d.]/.test(token)) return math("mn", token);
  return math(/^\p{L}/u.test(token) ? "mi" : "mo", token);
}

/** What stands between two parentheses. */
function group(tokens, shown) {
  tokens.shift();
  const inner = [];
  while (tokens.length && tokens[0] !== ")") inner.push(next(tokens));
  tokens.shift();
  return shown ? [math("mo", "("), ...inner, math("mo", ")")] : inner;
}

/** The formula, in pieces between which a line may break. @param {string} text @returns {Node[]} */
export function typeset(text) {
  const tokens = tokensOf(text);
  const pieces = [];
  while (tokens.length) {
    const piece = [next(tokens)];
    while (tokens.length && !["+", "="].includes(tokens[0])) piece.push(next(tokens));
    if (tokens.length && pieces.length === 0 && piece.length === 0) break;
    pieces.push(math("math", math("mrow", ...piece)));
  }
  return pieces.flatMap((piece, at) => (at ? [" ", piece] : [piece]));
}

/** A sentence whose formula, if it has one, is typeset. @param {string} words @returns {Node[]} */
export function typesetIn(words) {
  return words.split(IN_SENTENCE).flatMap((part, at) => (at % 2 ? typeset(part) : [document.createTextNode(part)]));
}
