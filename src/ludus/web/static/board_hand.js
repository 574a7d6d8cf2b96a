// The hand on the board: pointer, finger and keyboard. It shows what a move would do, and asks the board to play it.

import { drawPiece, pointsOf, shape } from "./board_draw.js";
import { ARROWS, arrowMap, middleOf } from "./board_keys.js";

const FINGER = 24; // pixels: in smaller cells a finger taps twice, first to aim

/** What somebody points at on a board, and what they do there. */
export class Hand {
  /** @param {import("./board.js").BoardView} view */
  constructor(view) {
    this.view = view;
    this.cursor = this.hovered = this.picked = this.aimed = this.arrows = this.place = null;
    const { picture } = view;
    picture.addEventListener("click", (event) => this.clicked(event));
    picture.addEventListener("pointermove", (event) => this.moved(event));
    picture.addEventListener("pointerleave", (event) => event.pointerType !== "touch" && this.hover(null));
    picture.addEventListener("pointerdown", () => this.setKeyed(false));
    picture.addEventListener("focus", () => this.setKeyed(picture.matches(":focus-visible")));
    picture.addEventListener("blur", () => this.setKeyed(false));
    picture.addEventListener("keydown", (event) => this.pressed(event));
  }

  /** The board was drawn anew, and its cells may lie elsewhere. */
  boardChanged() {
    const { cells } = this.view.geometry;
    this.arrows = this.hovered = null;
    if (this.cursor === null || this.cursor >= cells.length) this.cursor = middleOf(cells);
  }

  /** Another position stands on the board. */
  positionChanged() {
    this.picked = this.aimed = null;
    this.setCursor(this.cursor);
  }

  get keyed() {
    return this.view.picture.classList.contains("keyed");
  }

  /** Does the cursor show? It does while the keyboard is used. @param {boolean} keyed */
  setKeyed(keyed) {
    if (keyed === this.keyed) return;
    this.view.picture.classList.toggle("keyed", keyed);
    if (this.view.layout) this.preview();
  }

  setCursor(cell) {
    const { picture, layers, geometry, cells, id } = this.view;
    this.cursor = cell;
    picture.setAttribute("aria-activedescendant", `${id}-${cell}`);
    const look = { class: "ring" };
    layers.cursor.replaceChildren(shape("polygon", { points: pointsOf(geometry.cells[cell].outline), ...look }));
    if (this.keyed) cells[cell].scrollIntoView({ block: "nearest", inline: "nearest" });
    this.preview();
  }

  // ------------------------------------------------------------------------------------------------------- events

  clicked(event) {
    const cell = cellUnder(event);
    if (cell === null) return;
    this.setCursor(cell);
    const small = event.pointerType === "touch" && this.view.cellPixels() < FINGER;
    if (small && this.aimed !== cell && this.view.playable && this.view.moves.at(cell).length) {
      this.aimed = cell;
      this.hover(cell);
      this.view.say("Tap again to play here.");
    } else this.choose(cell);
  }

  /** The pointer moves: what it points at counts from now on, not the cursor of the keyboard. */
  moved(event) {
    const place = `${event.clientX} ${event.clientY}`;
    if (event.pointerType === "touch" || place === this.place) return; // a board that changes under a resting pointer
    this.place = place;
    this.setKeyed(false);
    this.hover(cellUnder(event));
  }

  hover(cell) {
    if (cell === this.hovered) return;
    this.hovered = cell;
    if (this.view.layout) this.preview();
  }

  pressed(event) {
    if (!this.view.layout || event.altKey || event.ctrlKey || event.metaKey) return;
    const arrow = event.key in ARROWS;
    if (!arrow && event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    this.hovered = null;
    this.setKeyed(true);
    this.arrows ??= arrowMap(this.view.geometry.cells);
    if (arrow) this.setCursor(this.arrows[this.cursor][event.key] ?? this.cursor);
    else this.choose(this.cursor);
  }

  // ------------------------------------------------------------------------------------------------------- moves

  /** Plays the move of a cell; picks up a piece that moves elsewhere; or says why neither can be. @param {number} cell */
  choose(cell) {
    const { moves, playable } = this.view;
    const here = playable ? moves.at(cell) : [];
    const ofPicked = here.filter((action) => this.picked !== null && moves.sourceOf(action) === this.picked);
    const actions = ofPicked.length ? ofPicked : here;
    if (actions.length === 1) this.view.on.play?.(actions[0]);
    else if (actions.length) this.view.ask(actions);
    else if (playable && moves.from(cell).length) this.pick(cell);
    else this.view.refuse(cell, moves.refusal(cell, playable));
  }

  /** Takes up a piece, or puts it back. */
  pick(cell) {
    const { moves, layout } = this.view;
    this.picked = this.picked === cell ? null : cell;
    this.preview();
    const targets = moves.from(cell).map((action) => layout.cells[moves.cellOf(action)].name);
    if (this.picked !== null) this.view.say(`Where to? It can go to ${targets.join(", ")}.`);
  }

  /** Shows what a move in the cell under the pointer or the cursor would do. */
  preview() {
    const { layers, moves, playable, picture, stones } = this.view;
    layers.preview.replaceChildren();
    for (const { element } of stones.standing.values()) element.classList.remove("leaving");
    const cell = playable ? this.hovered ?? (this.keyed ? this.cursor : null) : null;
    const action = cell === null ? undefined : moves.at(cell)[0];
    picture.classList.toggle("ready", action !== undefined || (cell !== null && moves.from(cell).length > 0));
    if (action !== undefined) this.previewMove(moves.effect(action));
    if (this.picked !== null) this.previewTargets();
  }

  previewMove({ comes, goes }) {
    const { layers, geometry, layout, chosen, stones } = this.view;
    for (const cell of goes) stones.standing.get(cell)?.element.classList.add("leaving");
    if (!comes) return;
    const piece = [comes.cell, comes.kind, comes.player];
    drawPiece(layers.preview, geometry, layout, piece, chosen.letters).classList.add("ghost");
  }

  previewTargets() {
    const { moves, geometry, layers } = this.view;
    for (const action of moves.from(this.picked)) {
      const { x, y } = geometry.cells[moves.cellOf(action)];
      shape("circle", { cx: x, cy: y, r: 14, class: "target" }, layers.preview);
    }
  }
}

/** The number of the cell that an event happened in. @param {Event} event */
function cellUnder(event) {
  const place = event.target instanceof Element ? event.target.closest("[data-cell]") : null;
  return place ? Number(place.dataset.cell) : null;
}
