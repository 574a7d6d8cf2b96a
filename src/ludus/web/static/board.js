// The board of every page: BoardView draws a layout and a position in one SVG, lets people play on it by mouse, finger
// or keyboard, and shows what the machine thinks. It knows boards and no game; who plays and what happens next is the
// page's business.

import { element } from "./bar.js";
import { drawCells, drawFace, drawLabels, drawLines, drawMarks, drawSides, shape } from "./board_draw.js";
import { labelsShown, shownAs, stepsAlong, UNIT } from "./board_geometry.js";
import { Hand } from "./board_hand.js";
import { isStill, Stones } from "./board_motion.js";
import { Moves, pieceInWords, placeInWords, standingInWords, whatChanged } from "./board_moves.js";
import { drawThoughts, noThoughts, thoughtInWords, thoughtSign } from "./board_thoughts.js";

/** @typedef {import("./board_geometry.js").Layout} Layout */
/** @typedef {import("./board_geometry.js").Options} Options */
/** @typedef {import("./board_moves.js").Position} Position */
/** @typedef {import("./board_thoughts.js").Mark} Mark */

const LAYERS = ["ground", "cells", "heat", "lit", "sides", "stones", "marks", "thoughts", "preview", "cursor", "labels"];
const OTHERS = { pass: "Pass", swap: "Swap sides" };
const SMALLEST = 16; // pixels of a cell; a board of more cells than fit is scrolled
let views = 0;

export class BoardView {
  /** @param {HTMLElement} container
   * @param {{play?: (action: number) => void, refused?: (text: string) => void, label?: string}} on */
  constructor(container, on = {}) {
    this.on = on;
    this.id = `board${++views}`;
    /** @type {Options} */
    this.chosen = { flat: false, flipped: false, letters: false, coordinates: true };
    this.thoughts = noThoughts();
    this.layout = this.position = this.moves = null;
    this.playable = false;
    this.build(container, on.label ?? "Board");
    this.hand = new Hand(this);
    new ResizeObserver(() => this.measure()).observe(this.picture);
  }

  build(container, label) {
    this.picture = shape("svg", { class: "board-picture", role: "application", tabindex: 0, "aria-label": label, "aria-roledescription": "board" });
    /** @type {Record<string, SVGElement>} */
    this.layers = {};
    for (const name of LAYERS) {
      this.layers[name] = shape("g", { class: `layer-${name}`, "aria-hidden": name === "cells" ? null : "true" }, this.picture);
    }
    this.stones = new Stones(this.layers.stones);
    this.text = element("pre", { class: "board-text", tabindex: "0", role: "region", "aria-label": label });
    this.others = element("div", { class: "board-others", role: "group", "aria-label": "Moves without a cell" });
    this.words = element("p", { class: "unseen" });
    this.live = element("p", { class: "unseen", "aria-live": "polite" });
    this.frame = element("div", { class: "board-frame" }, this.picture, this.text);
    container.classList.add("board");
    container.replaceChildren(this.frame, this.others, this.words, this.live);
  }

  // ------------------------------------------------------------------------------------------- what the page asks for

  /** Draws a position, moving what differs from the one before. Thoughts about another position are forgotten.
   * @param {Layout | null} layout @param {Position} position @param {{animate?: boolean, playable?: boolean}} [how] */
  show(layout, position, { animate = true, playable = true } = {}) {
    const before = this.position;
    const known = layout !== null && this.layout?.id === layout.id;
    if (!samePosition(before, position)) this.thoughts = noThoughts();
    Object.assign(this, { layout, position, playable: playable && !position.over, moves: layout && new Moves(layout, position) });
    this.picture.toggleAttribute("hidden", !layout);
    this.text.hidden = layout !== null;
    this.text.textContent = position.text ?? "";
    this.words.textContent = layout ? standingInWords(layout, position) : "";
    if (!layout) this.stones.clear();
    else if (known) this.update(animate);
    else this.redraw();
    this.drawOthers();
    if (known && animate) this.say(whatChanged(before, position, layout.players));
  }

  /** Shows what a search thinks of the moves, as a heat map; null: no more. @param {Record<string, Mark> | null} marks */
  heat(marks) { this.think({ heat: marks }); }

  /** Marks moves whose result is proven for the player to move: 1 wins, 0 draws, -1 loses.
   * @param {Record<string, number> | null} values */
  proven(values) { this.think({ proven: values }); }

  /** Shows an expected line as numbered pale stones: [cell, player, number]. @param {[number, number, number][] | null} line */
  ghosts(line) { this.think({ ghosts: line }); }

  /** Marks a suggested move. @param {number | null} action */
  hint(action) { this.think({ hint: action }); }

  /** Sets how the board is shown. Turning it around is for boards of two colours on which nothing falls. @param {Partial<Options>} options */
  options(options) {
    this.chosen = { ...this.chosen, ...options };
    if (this.layout) this.redraw();
  }

  /** Shakes a cell's head and says why it cannot be played. @param {number | null} cell @param {string} text */
  refuse(cell, text) {
    this.say(text);
    this.on.refused?.(text);
    if (cell === null || !this.layout || isStill()) return;
    const parts = [this.cells[cell], this.stones.standing.get(cell)?.element.firstChild];
    for (const part of parts.filter(Boolean)) {
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
    this.picture.setAttribute("viewBox", geometry.box.join(" "));
    this.picture.dataset.colors = this.layout.colors;
    this.picture.dataset.ground = groundOf(geometry, this.position);
    this.frame.style.setProperty("--least", `${Math.round((geometry.box[2] / UNIT) * SMALLEST)}px`);
    drawLines(this.layers.ground, geometry);
    this.cells = drawCells(this.layers.cells, geometry, this.id);
    drawSides(this.layers.sides, geometry);
    this.measure();
    this.hand.boardChanged();
    this.update(false);
  }

  /** What differs from position to position. */
  update(animate) {
    const { layout, position, layers, chosen } = this;
    this.geometry.labels = labelsShown(layout, position.labels, chosen, this.geometry.cells);
    this.stones.show(position, this.geometry, layout, chosen.letters, animate);
    drawLabels(layers.labels, this.geometry);
    drawMarks(layers.marks, this.geometry, position, this.moves.pieces, animate && !isStill());
    this.drawWon(animate && !isStill());
    this.redrawThoughts();
    this.hand.positionChanged();
  }

  /** Lights the winning line or chain up, from one end to the other. */
  drawWon(moving) {
    const { geometry, position, layers } = this;
    layers.lit.replaceChildren();
    const pause = Math.min(70, 600 / Math.max(1, position.won.length));
    for (const [cell, step] of stepsAlong(geometry, position.won)) {
      const face = drawFace(layers.lit, geometry, cell, moving ? "lit lights" : "lit");
      face.style.setProperty("--wait", `${Math.round(200 + step * pause)}ms`);
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
    const { position, moves, layout, geometry } = this;
    this.cells.forEach((shown, cell) => {
      const said = [placeInWords(geometry, cell), pieceInWords(moves.pieces.get(cell), layout)];
      if (position.last.includes(cell)) said.push("last move");
      if (position.won.includes(cell)) said.push("winning line");
      if (position.owners[cell] !== undefined) said.push(`counts for ${layout.players[position.owners[cell]]}`);
      for (const action of moves.inside(cell)) said.push(...thoughtInWords(this.thoughts, action));
      shown.setAttribute("aria-label", said.join(", "));
      shown.setAttribute("aria-disabled", String(!this.playable || !(moves.at(cell).length || moves.from(cell).length)));
    });
  }

  /** Buttons for the moves that have no cell, or for all of them where there is no board. Those that are there already
   * stay: one that goes away while it is pressed is never clicked. */
  drawOthers(actions = this.position.others) {
    const there = new Map([...this.others.children].map((button) => [Number(button.dataset.action), button]));
    const buttons = actions.map((action) => this.fillButton(there.get(action) ?? this.buttonFor(action), action));
    if (buttons.length !== there.size || buttons.some((button, place) => button !== this.others.children[place])) {
      const held = this.others.contains(document.activeElement) ? document.activeElement : null;
      this.others.replaceChildren(...buttons);
      held?.focus();
    }
  }

  /** @param {number} action */
  buttonFor(action) { return element("button", { type: "button", "data-action": action, click: () => this.on.play?.(action) }); }

  /** What a button says, and what is thought of its move. @param {HTMLButtonElement} button @param {number} action */
  fillButton(button, action) {
    const name = this.position.names[action] ?? String(action);
    button.disabled = !this.playable;
    button.replaceChildren(OTHERS[name] ?? name);
    const sign = thoughtSign(this.thoughts, action);
    const said = thoughtInWords(this.thoughts, action).join(", ");
    if (sign) button.append(element("span", { class: "sign", "aria-hidden": "true" }, sign));
    if (said) button.append(element("span", { class: "unseen" }, `, ${said}`));
    button.classList.toggle("hinted", this.thoughts.hint === action);
    return button;
  }

  /** Several moves end in one cell: which one? @param {number[]} actions */
  ask(actions) {
    this.drawOthers([...actions, ...this.position.others]);
    this.say("Several moves end here. Choose one of the buttons below the board.");
    this.others.querySelector("button")?.focus();
  }

  /** How wide a cell is on the screen. */
  cellPixels() {
    const [, , width, height] = this.geometry.box;
    return UNIT * Math.min(this.picture.clientWidth / width, this.picture.clientHeight / height);
  }

  /** Tells the style how much of the picture a pixel is, so that labels have one size on boards of every size. */
  measure() {
    const pixels = this.layout ? this.cellPixels() : 0;
    if (pixels > 0) this.picture.style.setProperty("--pixel", String(UNIT / pixels));
  }

  /** Tells somebody who cannot see the board. @param {string} text */
  say(text) { if (text) this.live.textContent = text; }
}

/** @param {Position | null} one @param {Position} other */
function samePosition(one, other) {
  const essence = (p) => p && JSON.stringify([p.layout, p.player, p.over, p.pieces, p.last, p.text]);
  return essence(one) === essence(other);
}

/** What lies under the stones: lines, columns, bare ground for counters, or cells. */
function groundOf(geometry, position) {
  if (geometry.lines.length) return "lines";
  if (geometry.falls) return "columns";
  const taken = position.over && !position.pieces.length;
  return taken || position.pieces.some(([, kind]) => kind === "counter") ? "heap" : "cells";
}
