// The lesson on Monte Carlo tree search, step by step: what the tree, the board and the panel show at every moment.
// It asks the server for parts of the lesson and keeps them; going back and forth needs no server.

import { applyChange, fetchLesson, lettersOf } from "./lesson_data.js";

/** @typedef {import("./tree_layout.js").TreeNode} TreeNode */

export const PHASES = ["Select", "Expand", "Simulate", "Back up"];
const NAMES = { select: "Selection", expand: "Expansion", simulate: "Simulation", backup: "Backing up" };
const FIRST_PART = 20, PART = 40; // simulations
const NONE = [0, 0]; // visits and total of a node that was never visited

export class MctsScript {
  /** @param {Record<string, any>} request what the server is asked for */
  constructor(request) {
    this.request = request;
    this.simulations = [];
    this.nodes = [];
    this.steps = [{ phase: null, simulation: -1, level: 0 }];
    this.layouts = {};
    this.most = Infinity; // simulations
    this.loading = null;
  }

  get last() { return this.steps.length - 1; }
  get complete() { return this.simulations.length >= this.most; }

  /** Asks the server until there are so many simulations, or as many as there can be. @param {number} count */
  async need(count) {
    while (this.simulations.length < Math.min(count, this.most)) {
      this.loading ??= this.loadPart().finally(() => { this.loading = null; });
      await this.loading;
    }
  }

  /** Asks until a step is there. @param {number} step */
  async needStep(step) {
    await this.need(1);
    while (this.last < step && !this.complete) await this.need(this.simulations.length + 1);
  }

  async loadPart() {
    const first = this.simulations.length;
    const simulations = Math.min(first ? PART : FIRST_PART, this.most - first);
    const part = await fetchLesson("mcts", { ...this.request, first, simulations });
    if (!first) this.begin(part);
    this.most = part.most;
    Object.assign(this.layouts, part.layouts);
    this.nodes.push(...part.nodes);
    for (const simulation of part.simulations) this.add(simulation);
  }

  begin(part) {
    this.about = part;
    this.letters = lettersOf(part.players);
    this.positions = new Map([[0, part.position]]);
    this.mood = part.layouts[part.position.layout]?.colors ?? "warm and cool";
  }

  /** A simulation becomes steps: one for every choice of the selection, and one for every other phase. */
  add(simulation) {
    const number = this.simulations.length;
    for (const [node, change] of Object.entries(simulation.positions)) {
      this.positions.set(Number(node), applyChange(this.positions.get(this.nodes[node].parent), change));
    }
    simulation.select.forEach((_, level) => this.steps.push({ phase: "select", simulation: number, level }));
    for (const phase of ["expand", "simulate", "backup"]) this.steps.push({ phase, simulation: number, level: 0 });
    this.simulations.push(simulation);
    simulation.end = this.last;
  }

  /** Which simulation a step belongs to, counted from 1; 0 at the start. */
  simulationOf(step) { return this.steps[step].simulation + 1; }

  /** Are so many simulations known? @param {number} count */
  has(count) { return count <= this.simulations.length; }

  /** The step at which so many simulations are done. @param {number} count */
  endOf(count) { return count < 1 ? 0 : this.simulations[Math.min(count, this.simulations.length) - 1].end; }

  /** How many simulations are done so many further on (or back): a jump ends at the end of one. */
  goal(step, by) {
    const { simulation, phase } = this.steps[step];
    const done = phase === null || phase === "backup" ? simulation + 1 : simulation + (by > 0 ? 0 : 1);
    return Math.min(Math.max(0, done + by), this.most);
  }

  // ------------------------------------------------------------------------------------------- what is seen

  /** Everything that is seen at a step. @param {number} step */
  frame(step) {
    const { phase, simulation: number, level } = this.steps[step];
    const simulation = this.simulations[number];
    const told = phase === null ? null : phase === "select" ? simulation.select[level] : simulation[phase];
    const path = phase === null ? [0] : this.pathOf(simulation, phase, level);
    return {
      phases: PHASES,
      phase: phase === null ? -1 : ["select", "expand", "simulate", "backup"].indexOf(phase),
      name: phase === null ? "Start" : NAMES[phase],
      words: told?.words ?? this.about.begin,
      tree: this.tree(number, phase),
      lit: path,
      mood: this.mood,
      layouts: this.layouts,
      positions: this.boards(simulation, phase, path),
      panel: this.panel(simulation, phase, level),
      counter: phase === null ? "No simulation yet" : `Simulation ${number + 1}`,
    };
  }

  /** The nodes that are lit, from the root down. */
  pathOf(simulation, phase, level) {
    const path = simulation.backup.path.map(([node]) => node);
    if (phase === "select") {
      const end = path.indexOf(simulation.select[level].chosen);
      return path.slice(0, end + 1);
    }
    return path;
  }

  /** The tree within a simulation: visits and totals are those after the simulations before it, and at its end its own. */
  tree(number, phase) {
    const simulation = this.simulations[number];
    const before = this.sumsAfter(number);
    const now = phase === "backup" ? this.sumsAfter(number + 1) : before;
    const fresh = new Set(phase === "expand" ? simulation.expand.new : []);
    return this.build(this.nodesAt(number, phase), before, now, fresh);
  }

  /** Visits and totals after so many simulations, of the nodes that have some: what a node counts itself, and with RAVE
   * the games in which its move came later. @param {number} count @returns {{own: Map<number, number[]>, amaf: Map<number, number[]>}} */
  sumsAfter(count) {
    const own = new Map(), amaf = new Map();
    for (const { backup } of this.simulations.slice(0, Math.max(0, count))) {
      for (const [node, ...sum] of backup.path) own.set(node, sum);
      for (const [node, ...sum] of backup.amaf) amaf.set(node, sum);
    }
    return { own, amaf };
  }

  /** How many nodes there are at a moment. */
  nodesAt(number, phase) {
    const done = this.simulations.slice(0, phase === null ? 0 : phase === "select" ? number : number + 1);
    return 1 + done.reduce((count, { expand }) => count + expand.new.length, 0);
  }

  /** @returns {TreeNode} */
  build(count, before, now, fresh) {
    const made = [];
    for (let id = 0; id < count; id++) {
      const about = this.nodes[id];
      const sum = now.own.get(id) ?? NONE;
      const changed = sum[0] !== (before.own.get(id) ?? NONE)[0], learned = now.amaf.get(id)?.[0] !== before.amaf.get(id)?.[0];
      const marks = [fresh.has(id) ? "fresh" : "", changed ? "changed" : learned ? "learned" : "", sum[0] ? "" : "quiet"].filter(Boolean);
      made.push({ id, label: this.label(about), rows: this.rows(id, before, now), player: id ? about.player : null, weight: sum[0] + about.prior, marks, children: [], about: this.describe(about, sum) });
      if (id) made[about.parent].children.push(made[id]);
    }
    return made[0];
  }

  label(about) { return about.move === null ? "root" : `${this.letters[about.player]} ${about.move}`; }

  rows(id, before, now) {
    const [old, sum] = [before.own.get(id) ?? NONE, now.own.get(id) ?? NONE];
    const rows = [change(percent(...old), percent(...sum)), `of ${change(old[0], sum[0])}`];
    if (id && this.about.rule === "PUCT") rows.push(`p ${this.nodes[id].prior.toFixed(2)}`);
    if (id && this.about.rule === "RAVE") rows.push(`A ${change(percent(...(before.amaf.get(id) ?? NONE)), percent(...(now.amaf.get(id) ?? NONE)))}`);
    return rows;
  }

  describe(about, [visits, total]) {
    const who = this.about.players[about.player];
    const share = visits ? `${percent(visits, total)} of ${visits} simulations won by ${who}` : "not visited yet";
    return about.move === null ? `The root: ${share}` : `${who} plays ${about.move}: ${share}`;
  }

  /** The positions that the board goes through. */
  boards(simulation, phase, path) {
    if (phase === null) return [this.positions.get(0)];
    const at = phase === "expand" ? simulation.backup.path.at(-1)[0] : path.at(-1);
    const boards = [this.positions.get(at)];
    if (phase === "simulate" || phase === "backup") {
      for (const one of simulation.simulate.positions) boards.push(applyChange(boards.at(-1), one));
    }
    return phase === "backup" ? boards.slice(-1) : boards;
  }

  // ------------------------------------------------------------------------------------------ beside the tree

  panel(simulation, phase, level) {
    if (phase === "select" && simulation.select[level].rows.length) return this.formulas(simulation.select[level]);
    if (phase === "simulate") return this.playout(simulation);
    if (phase === "backup") return this.changes(simulation);
    return { kind: "key", colors: this.mood, players: this.about.players, letters: this.letters, rule: this.about.rule };
  }

  formulas(choice) {
    const rows = choice.rows.map(([node, text]) => ({ label: this.label(this.nodes[node]), player: this.nodes[node].player, text, chosen: node === choice.chosen }));
    return { kind: "formulas", rule: this.about.rule, formula: this.about.formula, letters: this.about.letters, rows, rest: choice.rest };
  }

  playout({ simulate, backup }) {
    let player = this.positions.get(backup.path.at(-1)[0]).player;
    let position = this.positions.get(backup.path.at(-1)[0]);
    const moves = simulate.moves.map((move, at) => {
      const one = { move, player, letter: this.letters[player] };
      position = applyChange(position, simulate.positions[at]);
      player = position.player;
      return one;
    });
    return { kind: "playout", moves, colors: this.mood };
  }

  /** Old and new numbers along the path, from the leaf up, the way they go. */
  changes(simulation) {
    const before = this.sumsAfter(this.simulations.indexOf(simulation)).own;
    const rows = simulation.backup.path.map(([node, visits, total]) => {
      const [oldVisits, oldTotal] = before.get(node) ?? NONE;
      const old = oldVisits ? `${percent(oldVisits, oldTotal)} of ${oldVisits}` : "new";
      return { label: this.label(this.nodes[node]), player: node ? this.nodes[node].player : null, old, now: `${percent(visits, total)} of ${visits}` };
    });
    return { kind: "changes", rows: rows.reverse(), colors: this.mood };
  }
}

/** A share of wins, a draw counting half. */
function percent(visits, total) { return visits ? `${Math.round(((total / visits + 1) / 2) * 100)}%` : "–"; }

/** What it was and what it is now. */
function change(old, now) { return old === now ? String(now) : `${old} → ${now}`; }
