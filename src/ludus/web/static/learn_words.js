// How trainings and tournaments are spoken of: states, shares, times. Nothing is drawn here but small labels.

import { element } from "./bar.js";

const STATES = { running: ["●", "running"], stopping: ["…", "stopping"], stopped: ["❚❚", "stopped"], finished: ["✓", "finished"], failed: ["✕", "failed"] };

/** A share as people read it. @param {number} share */
export const percent = (share) => `${Math.round(share * 100)}%`;

/** Elo with its sign. @param {number} elo */
export const rating = (elo) => (Math.round(elo) > 0 ? `+${Math.round(elo)}` : String(Math.round(elo)).replace("-", "−"));

/** A whole or half number of points. @param {number} points */
export const points = (points) => (Number.isInteger(points) ? String(points) : `${points < 1 ? "" : Math.floor(points)}½`);

/** Seconds as people say them. @param {number} seconds */
export function duration(seconds) {
  const whole = Math.round(seconds);
  if (whole < 90) return `${whole} s`;
  if (whole < 5400) return `${Math.floor(whole / 60)} min${whole < 600 && whole % 60 ? ` ${whole % 60} s` : ""}`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

/** How long ago something was, roughly. @param {number} when seconds since 1970 */
export function ago(when) {
  const seconds = Date.now() / 1000 - when;
  if (seconds < 90) return "just now";
  if (seconds < 5400) return `${Math.round(seconds / 60)} minutes ago`;
  if (seconds < 129600) return `${Math.round(seconds / 3600)} hours ago`;
  return new Date(when * 1000).toLocaleDateString();
}

/** A number and its word. @param {number} number @param {string} word */
export const counted = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;

/** The state of a training or tournament, as a sign and a word. @param {string} state */
export function stateLabel(state) {
  const [sign, word] = STATES[state] ?? ["?", state];
  return element("span", { class: `state ${state}` }, element("span", { "aria-hidden": "true" }, sign), word);
}

/** How far something is, as a bar; nothing where the end is not known. @param {number} done @param {number | null} all @param {string} what */
export function progressBar(done, all, what) {
  if (!all) return element("span", {});
  return element("progress", { max: all, value: Math.min(done, all), "aria-label": what });
}

/** How many games a training has played, and of how many, unless the time ends it.
 * @param {any} told the training */
export function gamesOf(told) {
  return told.minutes ? counted(told.episode, "game") : `${told.episode} of ${counted(told.episodes, "game")}`;
}

/** Puts nodes into a place only if they differ from what is there, so that nothing loses the focus for nothing.
 * @param {Element} place @param {...(Node | string)} nodes */
export function put(place, ...nodes) {
  const made = element("div", {}, ...nodes);
  if (place.innerHTML !== made.innerHTML) place.replaceChildren(...made.childNodes);
}
