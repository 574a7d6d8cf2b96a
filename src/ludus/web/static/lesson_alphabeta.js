// The lesson on minimax and alpha-beta, step by step: what the tree, the board and the panel show at every moment.

import { applyChange, fetchLesson, lettersOf } from "./lesson_data.js";

/** @typedef {import("./tree_layout.js").TreeNode} TreeNode */

const KINDS = { enter: "Down", leaf: "Leaf", close: "Up", cut: "Cut-off" };
const MOST_CUT = 4; // crossed-out branches that are drawn one by one

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

  // The slider goes to steps, and all of them are here.
  async need() {}
  has() { return true; }
  endOf(step) { return step; }

  /** The next cut-off, or the end; the one before, or the start. */
  goal(step, by) {
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
      phases: Object.values(KINDS).slice(0, this.request.pruning ? 4 : 3),
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
      made.set(id, { id, label: this.label(about), rows: this.rows(id, known), player: id ? about.player : null, weight: 3 - depth(this.nodes, id) / 100, marks, children: [], about: this.describe(about, id, known) });
      if (id) made.get(about.parent).children.push(made.get(id));
    }
    for (const [id, moves] of known.cuts) made.get(id).children.push(...this.crossed(id, moves, known.values.has(id)));
    return made.get(0);
  }

  marks(id, now, known) {
    const marks = [];
    if (now.kind !== "done" && now.node === id) marks.push(known.values.has(id) ? "changed" : "fresh");
    if (now.kind === "done" && this.nodes[id].parent === 0 && this.nodes[id].move === now.chosen) marks.push("best");
    return marks;
  }

  /** Branches that were not looked at: one by one while the search is there, later together. */
  crossed(id, moves, closed) {
    const letter = this.letters[this.nodes[id].to_move];
    const labels = closed || moves.length > MOST_CUT ? [`${moves.length} cut`] : moves.map((move) => `${letter} ${move}`);
    return labels.map((label) => ({ id: `cut ${id} ${label}`, label, rows: [], player: null, weight: 4, marks: ["crossed"], children: [], about: `${label}: not looked at` }));
  }

  label(about) { return about.move === null ? "root" : `${this.letters[about.player]} ${about.move}`; }

  rows(id, { values, windows }) {
    if (values.has(id)) return [values.get(id)];
    const { largest } = this.nodes[id];
    const { best = "", window = null } = windows.get(id) ?? {};
    const sofar = `${largest ? "max" : "min"} ${best || "?"}`;
    return [window ? `${sofar}  (${window[0]}, ${window[1]})` : sofar];
  }

  describe(about, id, known) {
    const value = known.values.has(id) ? `worth ${known.values.get(id)}` : "being searched";
    return about.move === null ? `The root, ${value}` : `${this.about.players[about.player]} plays ${about.move}: ${value}`;
  }

  panel(known) {
    return { kind: "counts", seen: known.seen.size, counts: this.about.counts, chosen: this.about.count, first: this.about.players[this.about.player] };
  }
}

function depth(nodes, id) { return nodes[id].parent === null ? 0 : 1 + depth(nodes, nodes[id].parent); }
