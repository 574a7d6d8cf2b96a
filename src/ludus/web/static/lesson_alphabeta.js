// The lesson on minimax and alpha-beta, step by step: what the tree, the board and the panel show at every moment.

import { applyChange, fetchLesson, lettersOf } from "./lesson_data.js";

/** @typedef {import("./tree_layout.js").TreeNode} TreeNode */

const KINDS = { enter: "Down", leaf: "Leaf", close: "Up", cut: "Cut-off" };
const MOST_CUT = 3; // crossed-out branches that are drawn one by one

export class AlphabetaScript {
  /** @param {Record<string, any>} request what the server is asked for */
  constructor(request) {
    this.request = request;
    this.steps = [];
    this.complete = true;
  }

  get last() { return this.steps.length - 1; }

  async needStep() {
    if (this.steps.length) return;
    const lesson = await fetchLesson("alphabeta", this.request);
    Object.assign(this, { about: lesson, nodes: lesson.nodes, steps: lesson.steps, layouts: lesson.layouts });
    this.letters = lettersOf(lesson.players);
    this.mood = lesson.layouts[lesson.position.layout]?.colors ?? "warm and cool";
    this.positions = [lesson.position];
    this.nodes.forEach((node, at) => { if (at) this.positions[at] = applyChange(this.positions[node.parent], node.change); });
  }

  /** The next cut-off, or the end; the one before, or the start. */
  async jump(step, by) {
    const cuts = this.steps.flatMap((one, at) => (one.kind === "cut" ? [at] : []));
    return by > 0 ? cuts.find((at) => at > step) ?? this.last : cuts.findLast((at) => at < step) ?? 0;
  }

  // ------------------------------------------------------------------------------------------- what is seen

  /** Everything that is seen at a step. @param {number} step */
  frame(step) {
    const { kind, node, words } = this.steps[step];
    const known = this.knownAt(step);
    const lit = this.pathTo(node);
    return {
      phases: Object.values(KINDS),
      phase: Object.keys(KINDS).indexOf(kind),
      name: kind === "done" ? "Done" : KINDS[kind],
      words,
      tree: this.tree(known, step),
      lit: kind === "done" ? [0] : lit,
      mood: this.mood,
      layouts: this.layouts,
      positions: [this.positions[node]],
      panel: this.panel(known),
      counter: `Step ${step + 1} of ${this.steps.length}`,
    };
  }

  pathTo(node) { return node === null ? [] : [...this.pathTo(this.nodes[node].parent), node]; }

  /** What the search knows after a step: nodes seen, their values, windows of open ones, cut-offs. */
  knownAt(step) {
    const known = { seen: new Set(), values: new Map(), windows: new Map(), cuts: new Map() };
    for (const one of this.steps.slice(0, step + 1)) {
      known.seen.add(one.node);
      known.windows.set(one.open, one);
      if (one.value !== undefined) known.values.set(one.node, one.value);
      if (one.cut) known.cuts.set(one.node, one.cut);
    }
    return known;
  }

  /** @returns {TreeNode} */
  tree(known, step) {
    const now = this.steps[step];
    const made = new Map();
    for (const id of [...known.seen].sort((one, other) => one - other)) {
      const about = this.nodes[id];
      const marks = this.marks(id, now, known);
      made.set(id, { id, label: this.label(about), rows: this.rows(id, known), player: id ? about.player : null, weight: known.values.has(id) ? 1 : 3, marks, children: [], about: this.describe(about, id, known) });
      if (id) made.get(about.parent).children.push(made.get(id));
    }
    for (const [id, moves] of known.cuts) made.get(id).children.push(...this.crossed(id, moves));
    return made.get(0);
  }

  marks(id, now, known) {
    const marks = [];
    if (now.kind !== "done" && now.node === id) marks.push(known.values.has(id) ? "changed" : "fresh");
    if (now.kind === "done" && this.nodes[id].parent === 0 && this.nodes[id].move === now.chosen) marks.push("best");
    return marks;
  }

  /** Branches that were not looked at. */
  crossed(id, moves) {
    const letter = this.letters[this.nodes[id].to_move];
    const drawn = moves.length > MOST_CUT ? [...moves.slice(0, MOST_CUT - 1), `+${moves.length - MOST_CUT + 1}`] : moves;
    return drawn.map((move) => ({ id: `cut ${id} ${move}`, label: move.startsWith("+") ? move : `${letter} ${move}`, rows: [], player: null, weight: 2, marks: ["crossed"], children: [], about: `${move}: not looked at` }));
  }

  label(about) { return about.move === null ? "root" : `${this.letters[about.player]} ${about.move}`; }

  rows(id, known) {
    if (known.values.has(id)) return [known.values.get(id)];
    const { largest } = this.nodes[id];
    const { best = "", window = null } = known.windows.get(id) ?? {};
    const rows = [`${largest ? "max" : "min"} ${best || "?"}`];
    return window ? [...rows, `α ${window[0]}`, `β ${window[1]}`] : rows;
  }

  describe(about, id, known) {
    const value = known.values.has(id) ? `worth ${known.values.get(id)}` : "being searched";
    return about.move === null ? `The root, ${value}` : `${this.about.players[about.player]} plays ${about.move}: ${value}`;
  }

  panel(known) {
    return { kind: "counts", seen: known.seen.size, counts: this.about.counts, chosen: this.about.count };
  }
}
