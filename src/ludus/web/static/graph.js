// The graph of a game: the win share of player 0 after every move, with a mark for each judged move. It can be clicked,
// dragged over and moved along with the keyboard. What the marks mean is in grades.js, its colours in graph.css.

import { shape } from "./board_draw.js";
import { drawGrade, gradeInWords } from "./grades.js";

/** One position: after `ply` moves. The share is that of player 0; null: nobody has judged it.
 * @typedef {{ply: number, share: number | null, proven?: boolean, grade?: string | null, name?: string, player?: number, settled?: boolean}} Point */
/** @typedef {{points: Point[], selected: number, players?: string[], colors?: string[]}} Shown */

const LEFT = 8, RIGHT = 10, TOP = 8, BOTTOM = 20; // pixels around the plot
const INSIDE = 10; // pixels between the edge of the plot and a share of 0 or 1
const GAP = 3; // moves between two judged positions that are joined
const ROOM = 7; // pixels between moves below which only the moves that lost something have a mark
const NOTABLE = ["inexact", "mistake", "gave_away"];
const KEYS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageUp: -10, PageDown: 10, Home: -1e6, End: 1e6 };

export class Graph {
  /** @param {HTMLElement} container @param {{select?: (ply: number) => void}} [on] @param {string} [label] */
  constructor(container, on = {}, label = "Win share over the game") {
    this.on = on;
    /** @type {Shown} */
    this.shown = { points: [], selected: 0, players: ["Red", "Blue"], colors: ["warm", "cool"] };
    this.picture = shape("svg", { class: "graph-picture", role: "slider", tabindex: 0, "aria-label": label, "aria-valuemin": 0 });
    container.classList.add("graph");
    container.replaceChildren(this.picture);
    this.picture.addEventListener("keydown", (event) => this.key(event));
    this.picture.addEventListener("pointerdown", (event) => this.press(event));
    this.picture.addEventListener("pointermove", (event) => { if (event.buttons) this.selectAt(event); });
    new ResizeObserver(() => this.draw()).observe(container);
  }

  /** @param {Partial<Shown>} shown what changed */
  show(shown) {
    this.shown = { ...this.shown, ...shown };
    this.draw();
  }

  // ------------------------------------------------------------------------------------------- mouse, finger, keys

  press(event) {
    this.picture.setPointerCapture(event.pointerId);
    this.selectAt(event);
  }

  selectAt(event) {
    const { left } = this.picture.getBoundingClientRect();
    this.select(Math.round((event.clientX - left - LEFT) / this.step()));
  }

  key(event) {
    const steps = KEYS[event.key];
    if (steps === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.select(this.shown.selected + steps);
  }

  /** @param {number} ply */
  select(ply) {
    const within = Math.max(0, Math.min(this.last(), ply));
    if (within === this.shown.selected) return;
    this.show({ selected: within });
    this.on.select?.(within);
  }

  // ------------------------------------------------------------------------------------------- drawing

  last() { return this.shown.points.at(-1)?.ply ?? 0; }

  step() { return (this.width - LEFT - RIGHT) / Math.max(1, this.last()); }

  x(ply) { return LEFT + ply * this.step(); }

  y(share) { return TOP + INSIDE + (1 - share) * (this.height - TOP - BOTTOM - 2 * INSIDE); }

  draw() {
    const { width, height } = this.picture.getBoundingClientRect();
    if (width < 40 || height < 40) return;
    Object.assign(this, { width, height });
    const { picture } = this;
    picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
    picture.replaceChildren();
    this.describe();
    this.drawGround();
    for (const run of this.runs()) this.drawRun(run);
    this.drawPlayers();
    this.drawSelected();
    for (const point of this.shown.points) this.drawPoint(point);
  }

  /** The plot, its middle, and the numbers of the moves. */
  drawGround() {
    const { picture, width, height } = this;
    shape("rect", { class: "plot", x: LEFT, y: TOP, width: width - LEFT - RIGHT, height: height - TOP - BOTTOM }, picture);
    const every = [1, 2, 5, 10, 20, 50, 100, 200].find((count) => count * this.step() >= 34) ?? 500;
    for (let ply = every; ply <= this.last(); ply += every) {
      shape("line", { class: "tick", x1: this.x(ply), x2: this.x(ply), y1: TOP, y2: height - BOTTOM }, picture);
      this.write(ply, this.x(ply), height - 5, "number");
    }
    shape("line", { class: "middle", x1: LEFT, x2: width - RIGHT, y1: this.y(0.5), y2: this.y(0.5) }, picture);
  }

  /** The top is all for player 0, the bottom all for player 1. */
  drawPlayers() {
    const { shown, height } = this;
    this.write(`${shown.players[0]} wins`, LEFT + 6, TOP + 27, `player ${shown.colors[0]}`);
    this.write(`${shown.players[1]} wins`, LEFT + 6, height - BOTTOM - 18, `player ${shown.colors[1]}`);
  }

  write(text, x, y, look) { shape("text", { x, y, class: look }, this.picture).textContent = String(text); }

  /** The stretches of judged positions; where a few between them are not judged, the line goes on. */
  runs() {
    const runs = [];
    for (const point of this.shown.points.filter((one) => one.share !== null)) {
      if (runs.length && point.ply - runs.at(-1).at(-1).ply <= GAP) runs.at(-1).push(point);
      else runs.push([point]);
    }
    return runs;
  }

  /** The line through some positions; what lies between it and the middle has the colour of the player who is ahead. */
  drawRun(run) {
    const corners = withCrossings(run).map(([ply, share]) => [this.x(ply), share]);
    const [first, last] = [corners[0][0], corners.at(-1)[0]];
    const way = (cut) => corners.map(([x, share]) => `${x} ${this.y(cut(share))}`).join(" L");
    const middle = this.y(0.5);
    const ahead = [(share) => Math.max(0.5, share), (share) => Math.min(0.5, share)];
    ahead.forEach((cut, player) => shape("path", { class: `area ${this.shown.colors[player]}`, d: `M${first} ${middle} L${way(cut)} L${last} ${middle} Z` }, this.picture));
    shape("path", { class: "way", d: `M${way((share) => share)}` }, this.picture);
  }

  drawPoint(point) {
    if (point.share === null) return;
    const chosen = point.ply === this.shown.selected;
    const crowded = this.step() < ROOM && !NOTABLE.includes(point.grade);
    if (point.grade && (chosen || !crowded)) {
      const mark = drawGrade(this.picture, point.grade, this.x(point.ply), this.y(point.share), chosen ? 8 : 5.5);
      if (point.settled === false) mark.classList.add("impression");
    }
  }

  drawSelected() {
    const { selected, points } = this.shown;
    const x = this.x(selected);
    shape("line", { class: "selected", x1: x, x2: x, y1: TOP, y2: this.height - BOTTOM }, this.picture);
    const share = points.find((point) => point.ply === selected)?.share ?? null;
    if (share !== null) shape("circle", { class: "ring", cx: x, cy: this.y(share), r: 10 }, this.picture);
  }

  // ------------------------------------------------------------------------------------------- in words

  describe() {
    const { points, selected, players } = this.shown;
    const point = points.find((one) => one.ply === selected);
    this.picture.setAttribute("aria-valuemax", String(this.last()));
    this.picture.setAttribute("aria-valuenow", String(selected));
    this.picture.setAttribute("aria-valuetext", point ? pointInWords(point, players) : `After ${selected} moves`);
  }
}

/** The corners [ply, share] of the line through some positions, with one wherever it crosses the middle. @param {Point[]} run */
function withCrossings(run) {
  return run.flatMap((point, index) => {
    const before = run[index - 1];
    const here = [point.ply, point.share];
    if (!before || (before.share - 0.5) * (point.share - 0.5) >= 0) return [here];
    const part = (0.5 - before.share) / (point.share - before.share);
    return [[before.ply + part * (point.ply - before.ply), 0.5], here];
  });
}

/** @param {Point} point @param {string[]} players */
export function pointInWords(point, players) {
  const place = point.ply === 0 ? "The start" : `Move ${point.ply}, ${point.name ?? ""}`;
  const grade = point.grade ? `, ${gradeInWords(point.grade)}` : "";
  return `${place}${grade}${point.share === null ? "" : `, ${shareInWords(point, players)}`}`;
}

/** Who stands how, of a judged position. @param {Point} point @param {string[]} players */
export function shareInWords({ share, proven }, players) {
  if (proven) return share === 0.5 ? "a draw, proven" : `won for ${players[share > 0.5 ? 0 : 1]}, proven`;
  const leader = share >= 0.5 ? 0 : 1;
  const percent = Math.min(99, Math.max(1, Math.round(100 * (leader ? 1 - share : share))));
  return `about ${percent}% for ${players[leader]}`;
}
