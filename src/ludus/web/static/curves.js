// Curves: a line chart in SVG with axes, direct labels, values under the pointer or the arrow keys, and a table for
// everybody who would rather read. It knows nothing of learning; colours and dashes are in curves.css.

import { element } from "./bar.js";

/**
 * @typedef {[number, number] | [number, number, number, number]} Point  x and y; perhaps the ends of y's interval
 * @typedef {{name: string, points: Point[], color?: number, thin?: boolean, dots?: boolean, on?: string}} Line  on: what it is measured on
 * @typedef {{title: string, x: string, y: (value: number) => string, low?: number, high?: number, log?: boolean,
 *   left?: number, right?: number, across?: (value: number) => string, empty?: string, ticks?: number}} Look
 *   `y` and `across` write values with their units; `low`, `high`, `left` and `right` are always in the picture
 */

const NS = "http://www.w3.org/2000/svg";
const COLORS = 6; // that curves.css knows
const MARGIN = { top: 14, bottom: 34, left: 52, right: 16 };
const LETTER = 7.2; // pixels of a letter, about
const ROWS = 60; // of the table

/** A new SVG element. @param {string} tag @param {Record<string, any>} attributes @param {Element} [parent] */
function shape(tag, attributes, parent) {
  const made = document.createElementNS(NS, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  parent?.append(made);
  return made;
}

export class Chart {
  /** @param {HTMLElement} container @param {Look} look */
  constructor(container, look) {
    this.look = look;
    /** @type {Line[]} */
    this.lines = [];
    this.at = null; // the x whose values are read
    this.picture = shape("svg", { class: "chart-picture", tabindex: 0, role: "group", "aria-roledescription": "chart" });
    this.reading = element("p", { class: "chart-reading small numbers", "aria-live": "polite" });
    this.legend = element("ul", { class: "chart-legend small" });
    this.table = element("details", { class: "chart-table small", toggle: () => this.fillTable() }, element("summary", {}, "As a table"));
    this.title = element("figcaption", {}, look.title);
    this.nothing = element("p", { class: "soft" });
    container.replaceChildren(element("figure", { class: "chart" }, this.title, this.nothing, element("div", { class: "chart-frame" }, this.picture, this.reading), this.legend, this.table));
    this.picture.addEventListener("pointermove", (event) => this.read(this.nearest(event.offsetX)));
    this.picture.addEventListener("pointerleave", () => this.read(null));
    this.picture.addEventListener("blur", () => this.read(null));
    this.picture.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.draw()).observe(this.picture);
  }

  /** Draws these lines. @param {Line[]} lines @param {Partial<Look>} [look] */
  show(lines, look = {}) {
    Object.assign(this.look, look);
    this.title.textContent = this.look.title;
    this.lines = lines.map((line, index) => ({ color: index, ...line })).filter((line) => line.points.length);
    const empty = this.lines.length === 0;
    this.nothing.textContent = empty ? `${this.look.empty ?? "Nothing measured yet"}.` : "";
    this.nothing.hidden = !empty;
    this.picture.toggleAttribute("hidden", empty);
    this.table.hidden = empty;
    this.legend.replaceChildren(...this.keys());
    this.draw();
    this.fillTable();
  }

  // ------------------------------------------------------------------------------------------------ drawing

  draw() {
    const width = this.picture.clientWidth, height = this.picture.clientHeight;
    if (!width || !height || !this.lines.length) return;
    this.picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.picture.setAttribute("aria-label", this.inWords());
    this.picture.replaceChildren();
    this.scale = scalesOf(this.lines, this.look, width, height);
    this.drawAxes(width, height);
    for (const line of this.lines) this.drawLine(line);
    this.cursor = shape("g", { class: "cursor", "aria-hidden": "true" }, this.picture);
    this.read(this.at);
  }

  drawAxes(width, height) {
    const { scale, look } = this;
    const axes = shape("g", { class: "axes", "aria-hidden": "true" }, this.picture);
    for (const value of scale.yTicks) {
      const y = scale.y(value);
      shape("line", { x1: MARGIN.left, x2: width - MARGIN.right, y1: y, y2: y, class: "grid" }, axes);
      shape("text", { x: MARGIN.left - 8, y: y + 4, class: "tick y" }, axes).textContent = look.y(value);
    }
    for (const value of scale.xTicks) {
      shape("text", { x: scale.x(value), y: height - MARGIN.bottom + 16, class: "tick x" }, axes).textContent = (look.across ?? plain)(value);
    }
    shape("text", { x: width - MARGIN.right, y: height - 3, class: "tick end" }, axes).textContent = look.x;
  }

  drawLine(line) {
    const { scale } = this;
    const group = shape("g", { class: `line c${line.color % COLORS}${line.thin ? " thin" : ""}`, "aria-hidden": "true" }, this.picture);
    for (const [x, , low, high] of line.points) {
      if (low !== undefined) shape("path", { d: whisker(scale.x(x), scale.y(low), scale.y(high)), class: "interval" }, group);
    }
    const path = line.points.map(([x, y]) => `${scale.x(x).toFixed(1)},${scale.y(y).toFixed(1)}`).join(" ");
    shape("polyline", { points: path, class: "stroke" }, group);
    const marked = line.dots ? line.points : [line.points.at(-1)];
    for (const [x, y] of marked) drawMark(group, line.color, scale.x(x), scale.y(y));
  }

  /** Which line is which, with its last value. */
  keys() {
    return this.lines.map((line) => {
      const sign = shape("svg", { class: "key", viewBox: "0 0 28 12", "aria-hidden": "true" });
      const group = shape("g", { class: `line c${line.color % COLORS}${line.thin ? " thin" : ""}` }, sign);
      shape("polyline", { points: "1,6 27,6", class: "stroke" }, group);
      drawMark(group, line.color, 14, 6);
      return element("li", {}, sign, element("span", {}, line.name), element("strong", { class: "numbers" }, this.look.y(line.points.at(-1)[1])), line.on ? element("span", { class: "soft" }, line.on) : "");
    });
  }

  // ------------------------------------------------------------------------------------------------ reading values

  /** All places on the x axis where something was measured. */
  places() {
    return [...new Set(this.lines.flatMap((line) => line.points.map(([x]) => x)))].sort((a, b) => a - b);
  }

  nearest(pixel) {
    if (!this.scale) return null;
    const distance = (x) => Math.abs(this.scale.x(x) - pixel);
    return this.places().reduce((best, x) => (best === null || distance(x) < distance(best) ? x : best), null);
  }

  key(event) {
    const places = this.places();
    const steps = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }[event.key];
    if (steps === undefined || !places.length) return;
    event.preventDefault();
    const index = this.at === null ? (steps < 0 ? places.length : -1) : places.indexOf(this.at);
    this.read(places[Math.max(0, Math.min(places.length - 1, index + steps))]);
  }

  /** Shows and says the values at x; null: none. @param {number | null} x */
  read(x) {
    this.at = x;
    this.cursor?.replaceChildren();
    if (x === null || !this.scale || !this.lines.length) {
      this.reading.textContent = "";
      return;
    }
    const at = this.scale.x(x);
    shape("line", { x1: at, x2: at, y1: MARGIN.top, y2: this.picture.clientHeight - MARGIN.bottom }, this.cursor);
    const said = [];
    for (const line of this.lines) {
      const point = before(line.points, x);
      if (!point) continue;
      shape("circle", { cx: this.scale.x(point[0]), cy: this.scale.y(point[1]), r: 4 }, this.cursor);
      said.push(this.lines.length > 1 ? `${line.name} ${this.valueOf(point)}` : this.valueOf(point));
    }
    this.reading.textContent = `${(this.look.across ?? plain)(x)} ${this.look.x}: ${said.join(", ")}`;
  }

  valueOf([, y, low, high]) {
    return low === undefined ? this.look.y(y) : `${this.look.y(y)} (95% interval ${this.look.y(low)} to ${this.look.y(high)})`;
  }

  inWords() {
    const told = this.lines.map((line) => `${line.name} ${this.look.y(line.points[0][1])} at first, ${this.look.y(line.points.at(-1)[1])} at last`);
    return `${this.look.title}. ${told.join("; ")}. Arrow keys read values.`;
  }

  fillTable() {
    const rows = this.table.querySelector("table");
    if (!this.table.open) return rows?.remove();
    const every = Math.max(1, Math.ceil(this.places().length / ROWS));
    const places = this.places().filter((_, index, all) => index % every === 0 || index === all.length - 1);
    const head = element("tr", {}, element("th", { scope: "col" }, this.look.x), ...this.lines.map((line) => element("th", { scope: "col" }, line.name)));
    const body = places.map((x) => element("tr", {}, element("th", { scope: "row" }, (this.look.across ?? plain)(x)),
      ...this.lines.map((line) => element("td", {}, pointText(this, line, x)))));
    const table = element("table", { class: "numbers" }, element("thead", {}, head), element("tbody", {}, ...body));
    if (rows) rows.replaceWith(table);
    else this.table.append(table);
  }
}

const pointText = (chart, line, x) => {
  const point = line.points.find(([at]) => at === x);
  return point ? chart.valueOf(point) : "";
};

/** The last point at or before x. @param {Point[]} points @param {number} x */
function before(points, x) {
  let found = null;
  for (const point of points) if (point[0] <= x) found = point;
  return found;
}

const plain = (value) => String(value);
const whisker = (x, low, high) => `M${x},${low}V${high}M${x - 4},${low}h8M${x - 4},${high}h8`;

/** A mark that tells lines apart without their colours: disc, square, triangle. */
function drawMark(group, color, x, y) {
  const kind = color % 3;
  if (kind === 0) shape("circle", { cx: x, cy: y, r: 3.6, class: "mark" }, group);
  else if (kind === 1) shape("rect", { x: x - 3.3, y: y - 3.3, width: 6.6, height: 6.6, class: "mark" }, group);
  else shape("path", { d: `M${x},${y - 4.4}l4.2,7.4h-8.4z`, class: "mark" }, group);
}

// ---------------------------------------------------------------------------------------------------- scales

/** From values to pixels, and the values at which the axes have ticks. @param {Line[]} lines @param {Look} look */
function scalesOf(lines, look, width, height) {
  const points = lines.flatMap((line) => line.points);
  const xs = points.map(([x]) => x), ys = points.flatMap(([, y, low, high]) => (low === undefined ? [y] : [y, low, high]));
  const [left, right] = room(Math.min(...xs, look.left ?? Infinity), Math.max(...xs, look.right ?? -Infinity));
  let [bottom, top] = room(Math.min(...ys, look.low ?? Infinity), Math.max(...ys, look.high ?? -Infinity));
  const yTicks = look.log ? decades(bottom, top) : ticks(bottom, top, look.ticks ?? Math.max(3, Math.round(height / 55)));
  [bottom, top] = [Math.min(bottom, yTicks[0]), Math.max(top, yTicks.at(-1))];
  const bend = look.log ? (value) => Math.log(Math.max(value, 1e-9)) : (value) => value;
  const inside = width - MARGIN.left - MARGIN.right, tall = height - MARGIN.top - MARGIN.bottom;
  const write = look.across ?? plain;
  const count = Math.max(2, Math.floor(inside / (LETTER * (Math.max(write(left).length, write(right).length) + 3))));
  return {
    x: (value) => MARGIN.left + ((value - left) / (right - left)) * inside,
    y: (value) => MARGIN.top + (1 - (bend(value) - bend(bottom)) / (bend(top) - bend(bottom))) * tall,
    xTicks: ticks(left, right, Math.min(count, 7)).filter((value) => value >= left && value <= right), yTicks,
  };
}

const room = (low, high) => (high > low ? [low, high] : [low - (Math.abs(low) * 0.1 || 1), low + (Math.abs(low) * 0.1 || 1)]);

/** Round numbers from low to high, about so many. @param {number} low @param {number} high @param {number} count */
export function ticks(low, high, count) {
  const rough = (high - low) / Math.max(1, count - 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((size) => size >= rough * 0.999);
  const first = Math.floor(low / step + 1e-9), last = Math.ceil(high / step - 1e-9);
  return Array.from({ length: last - first + 1 }, (_, index) => Number(((first + index) * step).toPrecision(12)));
}

function decades(low, high) {
  const first = Math.floor(Math.log10(Math.max(low, 1e-9))), last = Math.ceil(Math.log10(high));
  return Array.from({ length: last - first + 1 }, (_, index) => 10 ** (first + index));
}

/** A small curve without axes, for a card. @param {[number, number][]} points @param {number} low @param {number} high */
export function sparkline(points, low, high) {
  const picture = shape("svg", { class: "sparkline", viewBox: "0 0 100 36", preserveAspectRatio: "none", "aria-hidden": "true" });
  if (points.length < 2) return picture;
  const [left, right] = room(points[0][0], points.at(-1)[0]);
  const place = ([x, y]) => `${(((x - left) / (right - left)) * 100).toFixed(2)},${(34 - ((y - low) / (high - low || 1)) * 32).toFixed(2)}`;
  const path = points.map(place);
  shape("polygon", { points: `0,36 ${path.join(" ")} 100,36`, class: "under" }, picture);
  shape("polyline", { points: path.join(" "), class: "stroke", "vector-effect": "non-scaling-stroke" }, picture);
  return picture;
}
