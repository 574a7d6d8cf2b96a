// The map of openings: what a network believes of every first move, beside the truth, at any moment of its training.

import { element } from "./bar.js";
import { BoardView } from "./board.js";
import { counted } from "./learn_words.js";

/** @typedef {{layout: any, position: any, mover: string, actions: (number | null)[], names: string[], true: (number | null)[]}} Openings */

const EVEN = 5; // percent: a value nearer to 0 than this counts as even
const WORDS = { 1: "wins", 0: "draws", "-1": "loses" };
const SIGNS = { 1: "✓", 0: "=", "-1": "✕" };
const NOWHERE = -1; // an action without a cell, which makes 100% the fullest colour of a map

const signOf = (value) => (value > EVEN ? 1 : value < -EVEN ? -1 : 0);
const asWin = (value) => (value + 100) / 200;

export class OpeningsMap {
  /** @param {HTMLElement} container */
  constructor(container) {
    this.container = container;
    this.openings = null;
    /** @type {{episode: number, believed: number[]}[]} */
    this.rows = [];
    this.following = true;
    this.sentence = element("p", {});
    const boards = [element("div", { class: "opening-board" }), element("div", { class: "opening-board" })];
    this.slide = element("input", { type: "range", min: 0, max: 0, value: 0, "aria-label": "Moment of the training", input: () => this.move() });
    this.moment = element("span", { class: "numbers" });
    this.table = element("details", { class: "small", toggle: () => this.fillTable() }, element("summary", {}, "As a table"));
    container.replaceChildren(
      element("h2", {}, "First moves: believed and true"), this.sentence,
      element("div", { class: "openings" },
        element("figure", {}, element("figcaption", {}, "The network believes"), boards[0]),
        element("figure", {}, element("figcaption", {}, "The truth"), boards[1])),
      element("label", { class: "moment" }, this.moment, this.slide),
      (this.legend = element("p", { class: "soft small" })), this.table);
    this.believed = new BoardView(boards[0], { label: "What the network believes of every first move" });
    this.truth = new BoardView(boards[1], { label: "The true result of every first move" });
    container.hidden = true;
  }

  /** @param {Openings | null} openings @param {any[]} rows measurements, some of them with values of first moves */
  show(openings, rows) {
    const changed = openings !== this.openings;
    this.openings = openings;
    this.rows = rows.filter((row) => row.believed);
    this.container.hidden = !openings || !this.rows.length;
    if (this.container.hidden) return;
    if (changed) this.drawTruth();
    this.slide.max = String(this.rows.length - 1);
    if (this.following) this.slide.value = this.slide.max;
    this.drawBelieved();
  }

  move() {
    this.following = this.slide.value === this.slide.max;
    this.drawBelieved();
  }

  get row() { return this.rows[Math.min(Number(this.slide.value), this.rows.length - 1)]; }

  drawTruth() {
    const { layout, position, actions, true: values, mover } = this.openings;
    this.truth.show(layout, position, { animate: false, playable: false });
    this.believed.show(layout, position, { animate: false, playable: false });
    const marks = { [NOWHERE]: { share: 1, win: null, proven: null } };
    actions.forEach((action, index) => {
      if (action !== null && values[index] !== null) marks[action] = { share: (values[index] + 1) / 2, win: null, proven: values[index] };
    });
    this.truth.heat(marks);
    const draws = values.includes(0) ? ", an equals sign draws" : "";
    this.legend.textContent = `Numbers: how likely the network thinks ${mover} wins with this first move, in percent. Truth: a tick wins, a cross loses${draws}, proven by the solver.`;
  }

  drawBelieved() {
    const { row, openings } = this;
    const marks = { [NOWHERE]: { share: 1, win: null, proven: null } };
    openings.actions.forEach((action, index) => {
      if (action !== null) marks[action] = { share: asWin(row.believed[index]), win: asWin(row.believed[index]), proven: null };
    });
    this.believed.heat(marks);
    const judged = openings.true.map((value, index) => value === null ? null : this.isRight(index));
    const known = judged.filter((right) => right !== null);
    const right = known.filter(Boolean).length;
    this.sentence.textContent = `It judges ${right} of ${counted(known.length, "first move")} right.`;
    this.moment.textContent = row.episode ? `After ${counted(row.episode, "game")}` : "Untrained";
    this.slide.setAttribute("aria-valuetext", this.moment.textContent);
    this.fillTable();
  }

  /** Does the network see the result of a first move as it is? */
  isRight(index) {
    return signOf(this.row.believed[index]) === this.openings.true[index];
  }

  fillTable() {
    this.table.querySelector("table")?.remove();
    if (!this.table.open) return;
    const { names, true: values } = this.openings;
    const cells = (words) => element("tr", {}, ...words.map((word) => element("td", {}, word)));
    const head = element("tr", {}, ...["Move", "Believed", "In truth", ""].map((word) => element("th", { scope: "col" }, word)));
    const rows = names.map((name, index) => cells([name, `${Math.round(asWin(this.row.believed[index]) * 100)}%`,
      values[index] === null ? "not known" : `${SIGNS[values[index]]} ${WORDS[values[index]]}`, values[index] === null ? "" : this.isRight(index) ? "right" : "wrong"]));
    this.table.append(element("table", { class: "numbers" }, element("thead", {}, head), element("tbody", {}, ...rows)));
  }
}
