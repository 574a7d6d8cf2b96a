// Which moves a cell stands for, what a move would change, and why a cell cannot be played: read from a position alone.

/**
 * @typedef {{layout: string | null, player: number, over: boolean, pieces: [number, string, number | null][],
 *   cell_of: Record<string, number>, others: number[], names: Record<string, string>, last: number[], won: number[],
 *   owners: Record<string, number>, labels: {text: string, x: number, y: number}[], aim: string, words: string,
 *   text: string | null}} Position
 */

/** The moves of one position on its board. */
export class Moves {
  /** @param {import("./board_geometry.js").Layout} layout @param {Position} position */
  constructor(layout, position) {
    this.layout = layout;
    this.position = position;
    this.pieces = new Map(position.pieces.map(([cell, kind, player]) => [cell, { kind, player }]));
    const named = new Map(layout.cells.map((cell, index) => [cell.name, index]));
    const actions = Object.keys(position.cell_of).map(Number);
    this.sources = new Map(actions.map((action) => [action, this.findSource(action, named)]));
    this.byCell = grouped(actions, (action) => this.cellOf(action));
    this.byName = grouped(actions, (action) => layout.cells[this.cellOf(action)].name);
    this.bySource = grouped(actions, (action) => this.sources.get(action));
  }

  /** The cell in which an action shows. @param {number} action */
  cellOf(action) {
    return this.position.cell_of[action];
  }

  /** The actions that show in a cell. @param {number} cell @returns {number[]} */
  inside(cell) {
    return this.byCell.get(cell) ?? [];
  }

  /** The actions that pressing a cell means; in a column whose cells share one name, that of the column.
   * @param {number} cell @returns {number[]} */
  at(cell) {
    return this.byCell.get(cell) ?? this.byName.get(this.layout.cells[cell].name) ?? [];
  }

  /** The cell that a sliding piece leaves. @param {number} action */
  sourceOf(action) {
    return this.sources.get(action);
  }

  /** The other cell that a move's name mentions, as in 7-4, if a piece stands there. */
  findSource(action, named) {
    const parts = (this.position.names[action] ?? "").split(/[^A-Za-z0-9]+/);
    if (parts.length < 2) return undefined;
    return parts.map((part) => named.get(part)).find((cell) => cell !== this.cellOf(action) && this.pieces.has(cell));
  }

  /** The actions of the piece in a cell that moves elsewhere. @param {number} cell @returns {number[]} */
  from(cell) {
    return this.bySource.get(cell) ?? [];
  }

  /** What an action would do: the piece that comes, and the cells whose pieces go. @param {number} action */
  effect(action) {
    const cell = this.cellOf(action);
    const here = this.pieces.get(cell);
    if (here?.kind === "counter") return { comes: null, goes: [...this.pieces.keys()].filter((other) => other >= cell) };
    const source = this.sourceOf(action);
    if (source !== undefined) return { comes: { cell, ...this.pieces.get(source) }, goes: here ? [source, cell] : [source] };
    if (here && here.player === null) return { comes: null, goes: [cell] };
    return { comes: { cell, kind: "stone", player: this.position.player }, goes: [] };
  }

  /** Why nobody can play in a cell, in a sentence. @param {number} cell @param {boolean} playable */
  refusal(cell, playable) {
    if (this.position.over) return "The game is over.";
    if (!playable) return "It is not your turn.";
    const here = this.pieces.get(cell);
    const kinds = new Set([...this.pieces.values()].map((piece) => piece.kind));
    if (here?.kind === "counter") return "You cannot take that many at once.";
    if (kinds.has("counter")) return "There is nothing to take here.";
    if (here?.kind === "copper" || here?.kind === "gold") return "This coin cannot move now.";
    if (kinds.has("gold")) return "No coin can slide to here.";
    if (here && this.layout.cells.some((other, k) => k !== cell && other.name === this.layout.cells[cell].name)) return "This column is full.";
    if (here) return this.layout.unit === "disc" ? "There is a disc already." : "There is a stone already.";
    if (this.layout.unit === "disc") return "A disc here would turn none over.";
    if (this.layout.lines.length) return "A stone here would have no liberty, or would repeat a position.";
    return "You cannot play here now.";
  }
}

/** Things by what they have in common. @param {number[]} things @param {(thing: number) => any} key */
function grouped(things, key) {
  const groups = new Map();
  for (const thing of things) groups.set(key(thing), [...(groups.get(key(thing)) ?? []), thing]);
  return groups;
}

/** The move that led from one position to the next, in words; nothing if it is not plain which one it was.
 * @param {Position | null} before @param {Position} now @param {string[]} players */
export function whatChanged(before, now, players) {
  if (!before || before.over || JSON.stringify(before) === JSON.stringify(now)) return "";
  const who = capital(players[before.player]);
  const same = JSON.stringify(before.pieces) === JSON.stringify(now.pieces);
  const passed = before.others.find((action) => before.names[action] === "pass");
  if (same && passed !== undefined && !now.last.length) return `${who} passes.`;
  const swapped = before.others.find((action) => before.names[action] === "swap");
  if (swapped !== undefined && before.pieces.length === now.pieces.length) return `${who} swaps sides.`;
  const landed = Object.keys(before.cell_of).filter((action) => before.cell_of[action] === now.last[0]);
  return !same && landed.length === 1 ? `${who} plays ${before.names[landed[0]]}.` : "";
}

/** What stands in a cell, in words. @param {{kind: string, player: number | null} | undefined} piece */
export function pieceInWords(piece, layout) {
  if (!piece) return "empty";
  if (piece.player === null) return { counter: "a counter", copper: "a copper coin", gold: "the gold coin" }[piece.kind] ?? piece.kind;
  const what = layout.unit === "disc" ? "disc" : "stone";
  return layout.signs ? `${layout.players[piece.player].toLowerCase()} ${what}` : `${what} of ${layout.players[piece.player]}`;
}

/** The name of a cell; where a column's cells share it, also how high it lies. */
export function placeInWords({ cells, falls }, cell) {
  const { name, y } = cells[cell];
  if (!falls) return name;
  return `column ${name}, level ${cells.filter((other) => other.name === name && other.y >= y).length}`;
}

/** Everything that stands on the board, for somebody who cannot see it. @param {Position} position */
export function standingInWords({ signs, players }, position) {
  return signs ? `${signs[0]} is ${players[0]}, ${signs[1]} is ${players[1]}. ${position.words}` : position.words;
}

/** @param {string} text */
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
