// The board of every page: BoardView draws a layout and a position in one SVG, lets people play on it by mouse, finger
// or keyboard, and shows what the machine thinks. It knows boards and no game; who plays and what happens next is the
// page's business.

import { element } from "./bar.js";
import { drawCells, drawFace, drawLabels, drawLines, drawPiece, drawSides, pointsOf, radiusOf, shape } from "./board_draw.js";
import { shownAs, stepsAlong } from "./board_geometry.js";
import { ARROWS, arrowMap, middleOf } from "./board_keys.js";
import { isStill, Stones } from "./board_motion.js";
import { Moves, pieceInWords, whatChanged } from "./board_moves.js";
import { drawThoughts, noThoughts, thoughtInWords, thoughtSign } from "./board_thoughts.js";

/** @typedef {import("./board_geometry.js").Layout} Layout */
/** @typedef {import("./board_moves.js").Position} Position */

const LAYERS = ["ground", "cells", "heat", "lit", "sides", "stones", "marks", "thoughts", "preview", "cursor", "labels"];
const OTHERS = { pass: "Pass", swap: "Swap sides" };
const SMALLEST = 18; // pixels of a cell; a board of more cells than fit is scrolled
let views = 0;

export class BoardView {
  /** @param {HTMLElement} container
   * @param {{play?: (action: number) => void, refused?: (text: string) => void, label?: string}} on */
  constructor(container, on = {}) {
    this.on = on;
    this.id = `board${++views}`;
    this.chosen = { flat: false, flipped: false, letters: false, coordinates: true };
    this.thoughts = noThoughts();
    this.layout = this.position = this.moves = this.cursor = this.hovered = this.picked = null;
    this.playable = false;
    this.build(container, on.label ?? "Board");
    this.listen();
  }

  build(container, label) {
    this.picture = shape("svg", { class: "board-picture", role: "application", tabindex: 0, "aria-label": label, "aria-roledescription": "board" });
    this.layers = {};
    for (const name of LAYERS) {
      this.layers[name] = shape("g", { class: `layer-${name}`, "aria-hidden": name === "cells" ? null : "true" }, this.picture);
    }
    this.stones = new Stones(this.layers.stones);
    this.text = element("pre", { class: "board-text", tabindex: "0", role: "region", "aria-label": label });
    this.others = element("div", { class: "board-others", role: "group", "aria-label": "Other moves" });
    this.live = element("p", { class: "unseen", "aria-live": "polite" });
    this.frame = element("div", { class: "board-frame" }, this.picture, this.text);
    container.classList.add("board");
    container.replaceChildren(this.frame, this.others, this.live);
  }

  listen() {
    const { picture } = this;
    picture.addEventListener("click", (event) => this.clicked(event));
    picture.addEventListener("pointermove", (event) => event.pointerType !== "touch" && this.hover(cellUnder(event)));
    picture.addEventListener("pointerleave", () => this.hover(null));
    picture.addEventListener("pointerdown", () => picture.classList.remove("keyed"));
    picture.addEventListener("focus", () => this.setCursor(this.cursor, picture.matches(":focus-visible")));
    picture.addEventListener("blur", () => { picture.classList.remove("keyed"); this.preview(); });
    picture.addEventListener("keydown", (event) => this.pressed(event));
  }

  // ------------------------------------------------------------------------------------------- what the page asks for

  /** Draws a position, moving what differs from the one before. Thoughts about another position are forgotten.
   * @param {Layout | null} layout @param {Position} position @param {{animate?: boolean, playable?: boolean}} [how] */
  show(layout, position, { animate = true, playable = true } = {}) {
    const before = this.position;
    const known = layout !== null && this.layout?.id === layout.id;
    if (!samePosition(before, position)) this.thoughts = noThoughts();
    Object.assign(this, { layout, position, playable: playable && !position.over, picked: null });
    this.moves = layout && new Moves(layout, position);
    this.picture.toggleAttribute("hidden", !layout);
    this.text.hidden = layout !== null;
    this.text.textContent = position.text ?? "";
    if (!layout) this.stones.clear();
    else if (!known) this.redraw();
    else this.update(animate);
    this.drawOthers();
    if (known && animate) this.say(whatChanged(before, position, layout.players));
  }

  /** Shows what a search thinks of the moves, as a heat map; null: no more. @param {Record<string, import("./board_thoughts.js").Mark> | null} marks */
  heat(marks) { this.think({ heat: marks }); }

  /** Marks moves whose result is proven for the player to move: 1 wins, 0 draws, -1 loses. @param {Record<string, number> | null} values */
  proven(values) { this.think({ proven: values }); }

  /** Shows an expected line as numbered pale stones: [cell, player, number]. @param {[number, number, number][] | null} line */
  ghosts(line) { this.think({ ghosts: line }); }

  /** Marks a suggested move. @param {number | null} action */
  hint(action) { this.think({ hint: action }); }

  /** Sets how the board is shown. @param {Partial<import("./board_geometry.js").Options>} options */
  options(options) {
    this.chosen = { ...this.chosen, ...options };
    if (this.layout) this.redraw();
  }

  /** Shakes a cell's head and says why it cannot be played. @param {number | null} cell @param {string} text */
  refuse(cell, text) {
    this.say(text);
    this.on.refused?.(text);
    if (cell === null || isStill()) return;
    const parts = [this.cells[cell], this.stones.standing.get(cell)?.element.firstChild].filter(Boolean);
    for (const part of parts) {
      part.classList.remove("shakes");
      part.getBoundingClientRect(); // so that a second shake begins anew
      part.classList.add("shakes");
      part.addEventListener("animationend", () => part.classList.remove("shakes"), { once: true });
    }
  }

  /** Puts the keyboard on the board. */
  focus() { this.picture.focus(); }

  // ------------------------------------------------------------------------------------------------------- drawing

  /** Everything from the ground up, without movement: for a new board, or one that is turned. */
  redraw() {
    for (const layer of Object.values(this.layers)) layer.replaceChildren();
    this.stones.clear();
    const geometry = (this.geometry = shownAs(this.layout, this.position.labels, this.chosen));
    this.arrows = null;
    this.picture.setAttribute("viewBox", geometry.box.join(" "));
    this.picture.dataset.colors = this.layout.colors;
    this.picture.dataset.ground = groundOf(geometry, this.position);
    this.frame.style.setProperty("--least", `${Math.round((geometry.box[2] / 100) * SMALLEST)}px`);
    this.frame.style.setProperty("--aspect", String(geometry.box[2] / geometry.box[3]));
    drawLines(this.layers.ground, geometry);
    this.cells = drawCells(this.layers.cells, geometry, this.id);
    drawSides(this.layers.sides, geometry);
    if (this.cursor === null || this.cursor >= geometry.cells.length) this.cursor = middleOf(geometry.cells);
    this.update(false);
  }

  /** What differs from position to position. */
  update(animate) {
    const { geometry, layout, position, layers } = this;
    this.stones.show(position, geometry, layout, this.chosen.letters, animate);
    layers.labels.replaceChildren();
    drawLabels(layers.labels, (this.geometry = { ...geometry, labels: shownAs(layout, position.labels, this.chosen).labels }));
    this.drawWon(animate && !isStill());
    this.drawMarks();
    this.redrawThoughts();
    this.preview();
    this.setCursor(this.cursor);
  }

  drawWon(moving) {
    const { geometry, position, layers } = this;
    layers.lit.replaceChildren();
    const steps = stepsAlong(geometry, position.won);
    const pause = Math.min(70, 600 / Math.max(1, position.won.length));
    for (const [cell, step] of steps) {
      const face = drawFace(layers.lit, geometry, cell, moving ? "lit lights" : "lit");
      face.style.setProperty("--wait", `${Math.round(200 + step * pause)}ms`);
    }
    for (const [cell, { element: stone }] of this.stones.standing) stone.classList.toggle("won", steps.has(cell));
  }

  drawMarks() {
    const { geometry, position, layers, moves } = this;
    layers.marks.replaceChildren();
    for (const cell of position.last) {
      const { x, y } = geometry.cells[cell];
      const piece = moves.pieces.get(cell);
      const look = piece ? (piece.player === null ? piece.kind : `p${piece.player}`) : "left";
      shape("circle", { cx: x, cy: y, r: piece ? radiusOf(geometry) * 0.62 : 12, class: `last ${look}` }, layers.marks);
    }
    for (const [cell, player] of Object.entries(position.owners)) {
      const { x, y } = geometry.cells[cell];
      shape("rect", { x: x - 14, y: y - 14, width: 28, height: 28, rx: 3, class: `owned p${player}` }, layers.marks);
    }
  }

  think(change) {
    this.thoughts = { ...this.thoughts, ...change };
    if (!this.position) return;
    if (this.layout) this.redrawThoughts();
    this.drawOthers();
  }

  redrawThoughts() {
    const { layers, thoughts, moves, geometry, layout } = this;
    drawThoughts(layers.heat, layers.thoughts, thoughts, moves, geometry, layout);
    this.nameCells();
  }

  /** What a screen reader says of every cell. */
  nameCells() {
    const { position, moves, layout, thoughts, geometry } = this;
    const { last, won, owners } = position;
    this.cells.forEach((shown, cell) => {
      const [action] = moves.actions.filter((a) => moves.cellOf(a) === cell);
      const said = [placeInWords(geometry, cell), pieceInWords(moves.pieces.get(cell), layout)];
      if (last.includes(cell)) said.push("last move");
      if (won.includes(cell)) said.push("winning line");
      if (owners[cell] !== undefined) said.push(`counts for ${layout.players[owners[cell]]}`);
      if (action !== undefined) said.push(...thoughtInWords(thoughts, action));
      shown.setAttribute("aria-label", said.join(", "));
      shown.setAttribute("aria-disabled", String(!this.playable || !(moves.at(cell).length || moves.from(cell).length)));
    });
  }

  /** Buttons for the moves that have no cell, or for all of them where there is no board. */
  drawOthers(actions = this.position.others) {
    const buttons = actions.map((action) => {
      const name = this.position.names[action] ?? String(action);
      const sign = thoughtSign(this.thoughts, action);
      const button = element("button", { type: "button", "data-action": action, disabled: !this.playable, click: () => this.on.play?.(action) }, OTHERS[name] ?? name);
      if (sign) button.append(element("span", { class: "sign", "aria-hidden": "true" }, sign), element("span", { class: "unseen" }, `, ${thoughtInWords(this.thoughts, action).join(", ")}`));
      button.classList.toggle("hinted", this.thoughts.hint === action);
      return button;
    });
    this.others.replaceChildren(...buttons);
    this.others.classList.toggle("all", !this.layout);
  }

  // ------------------------------------------------------------------------------------------- pointer and keyboard

  clicked(event) {
    const cell = cellUnder(event);
    if (cell === null) return;
    this.setCursor(cell);
    this.choose(cell);
  }

  /** Plays the move of a cell; picks up a piece that moves elsewhere; or says why neither can be. */
  choose(cell) {
    const { moves, playable } = this;
    let actions = playable ? moves.at(cell) : [];
    const picked = actions.filter((action) => this.picked !== null && moves.sourceOf(action) === this.picked);
    if (picked.length) actions = picked;
    if (actions.length === 1) return this.on.play?.(actions[0]);
    if (actions.length > 1) return this.ask(actions);
    const away = playable ? moves.from(cell) : [];
    if (!away.length) return this.refuse(cell, moves.refusal(cell, playable));
    this.picked = this.picked === cell ? null : cell;
    this.preview();
    if (this.picked !== null) this.say(`Where to? It can go to ${away.map((action) => this.layout.cells[moves.cellOf(action)].name).join(", ")}.`);
  }

  /** Several moves end in one cell: which one? */
  ask(actions) {
    this.drawOthers([...actions, ...this.position.others]);
    this.say("Several moves end here. Choose one of the buttons below the board.");
    this.others.querySelector("button")?.focus();
  }

  hover(cell) {
    if (cell === this.hovered) return;
    this.hovered = cell;
    this.preview();
  }

  pressed(event) {
    if (!this.layout || event.altKey || event.ctrlKey || event.metaKey) return;
    const arrow = event.key in ARROWS;
    if (!arrow && event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    this.arrows ??= arrowMap(this.geometry.cells);
    this.hovered = null;
    this.setCursor(arrow ? this.arrows[this.cursor][event.key] ?? this.cursor : this.cursor, true);
    if (!arrow) this.choose(this.cursor);
  }

  setCursor(cell, keyed = this.picture.classList.contains("keyed")) {
    if (!this.layout) return;
    this.cursor = cell;
    this.picture.classList.toggle("keyed", keyed);
    this.picture.setAttribute("aria-activedescendant", `${this.id}-${cell}`);
    const { outline } = this.geometry.cells[cell];
    this.layers.cursor.replaceChildren(shape("polygon", { points: pointsOf(outline), class: "ring" }));
    if (keyed) this.cells[cell].scrollIntoView({ block: "nearest", inline: "nearest" });
    this.preview();
  }

  /** Shows what a move in the cell under the pointer or the cursor would do. */
  preview() {
    const { layers, moves, playable, picture } = this;
    layers.preview.replaceChildren();
    for (const { element: stone } of this.stones.standing.values()) stone.classList.remove("leaving");
    if (!moves || !playable) return picture.classList.remove("ready");
    const cell = this.hovered ?? (picture.classList.contains("keyed") ? this.cursor : null);
    const action = cell === null ? undefined : moves.at(cell)[0];
    picture.classList.toggle("ready", action !== undefined || (cell !== null && moves.from(cell).length > 0));
    if (action !== undefined) this.previewMove(moves.effect(action));
    for (const target of this.picked === null ? [] : moves.from(this.picked).map((a) => moves.cellOf(a))) {
      const { x, y } = this.geometry.cells[target];
      shape("circle", { cx: x, cy: y, r: 14, class: "target" }, layers.preview);
    }
  }

  previewMove({ comes, goes }) {
    for (const cell of goes) this.stones.standing.get(cell)?.element.classList.add("leaving");
    if (!comes) return;
    drawPiece(this.layers.preview, this.geometry, this.layout, [comes.cell, comes.kind, comes.player], this.chosen.letters).classList.add("ghost");
  }

  /** @param {string} text */
  say(text) { if (text) this.live.textContent = text; }
}

/** @param {Event} event */
function cellUnder(event) {
  const place = event.target instanceof Element ? event.target.closest("[data-cell]") : null;
  return place ? Number(place.dataset.cell) : null;
}

function samePosition(one, other) {
  const essence = (p) => p && JSON.stringify([p.layout, p.player, p.over, p.pieces, p.last, p.text]);
  return essence(one) === essence(other);
}

/** What lies under the stones: lines, bare ground for counters, or cells. */
function groundOf(geometry, position) {
  if (geometry.lines.length) return "lines";
  if (geometry.falls) return "columns";
  return position.pieces.some(([, kind]) => kind === "counter") ? "heap" : "cells";
}

/** The name of a cell; where a column's cells share it, also how high it lies. */
function placeInWords({ cells, falls }, cell) {
  const { name, y } = cells[cell];
  if (!falls) return name;
  return `column ${name}, level ${cells.filter((other) => other.name === name && other.y >= y).length}`;
}
