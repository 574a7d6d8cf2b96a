// The grades of judged moves: a shape, a word and a colour for each, so that colour is not the only sign.

import { shape } from "./board_draw.js";

/** @type {Record<string, {word: string, sign: string, about: string}>} */
export const GRADES = {
  best: { word: "best", sign: "circle", about: "nothing better is known" },
  good: { word: "good", sign: "dot", about: "a little less than the best" },
  inexact: { word: "not exact", sign: "square", about: "loses 5 of 100 points or more" },
  mistake: { word: "a mistake", sign: "triangle", about: "loses 10 of 100 points or more" },
  gave_away: { word: "gave it away", sign: "cross", about: "gave a proven win or draw away" },
  forced: { word: "no choice", sign: "dash", about: "the only move, or every move loses" },
  unclear: { word: "not known", sign: "dash", about: "nobody knows whether there was a better move" },
};

/** @type {Record<string, (r: number) => [string, Record<string, any>]>} the shapes, around 0, of a radius */
const SIGNS = {
  circle: (r) => ["circle", { r: 0.8 * r }],
  dot: (r) => ["circle", { r: 0.5 * r }],
  square: (r) => ["rect", { x: -0.75 * r, y: -0.75 * r, width: 1.5 * r, height: 1.5 * r }],
  triangle: (r) => ["path", { d: `M0 ${-1.15 * r} L${1.1 * r} ${0.85 * r} L${-1.1 * r} ${0.85 * r} Z` }],
  cross: (r) => ["path", { d: `M${-r} ${-r} L${r} ${r} M${r} ${-r} L${-r} ${r}` }],
  dash: (r) => ["path", { d: `M${-0.6 * r} 0 L${0.6 * r} 0` }],
};

/** Draws the sign of a grade around a point. @param {Element} parent @param {string} grade */
export function drawGrade(parent, grade, x, y, radius) {
  const place = shape("g", { class: `grade ${grade}`, transform: `translate(${x} ${y})` }, parent);
  const [tag, attributes] = SIGNS[GRADES[grade]?.sign ?? "dot"](radius);
  shape(tag, attributes, place);
  return place;
}

/** A small picture of a grade's sign, for lists and legends; the words stand beside it. @param {string} grade */
export function gradeSign(grade) {
  const picture = shape("svg", { class: "grade-sign", viewBox: "-10 -10 20 20", "aria-hidden": "true" });
  drawGrade(picture, grade, 0, 0, 7);
  return picture;
}

/** @param {string} grade */
export function gradeInWords(grade) { return GRADES[grade]?.word ?? grade; }
