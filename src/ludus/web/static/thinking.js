// What the machine thinks: the heat map on the board, the expected line, the win share, the perfect answer, the network's
// bare opinion, and the search's tree, opened level by level.

import { element, remember, remembered } from "./bar.js";

const $ = (id) => document.getElementById(id);
const MOST_ROWS = 6, MOST_GHOSTS = 7;
const PATIENCE = 1000; // milliseconds of a machine's thinking before the page shows what it considers
const SIGNS = { "1": "✓ wins", "0": "= draws", "-1": "✗ loses" };

export class Thinking {
  constructor(page) {
    this.page = page;
    this.on = remembered("thinking", false);
    this.develops = false;
    this.clear();
    $("think").addEventListener("click", () => this.toggle());
    $("thoughts").addEventListener("pointerdown", () => { this.pressed = true; });
    for (const end of ["pointerup", "pointercancel"]) window.addEventListener(end, () => this.release());
    this.showSwitch();
  }

  release() {
    if (!this.pressed) return;
    this.pressed = false;
    setTimeout(() => this.draw()); // once the click was heard
  }

  clear() {
    Object.assign(this, { thought: null, perfect: null, opinion: null, branches: new Map() });
  }

  toggle() {
    this.on = !this.on;
    remember("thinking", this.on);
    this.clear();
    this.showSwitch();
    this.page.connection.ask("think", { on: this.on });
    this.draw();
  }

  showSwitch() {
    $("think").setAttribute("aria-pressed", String(this.on));
    $("think").firstChild.textContent = this.on ? "Hide " : "Show ";
  }

  developer() {
    this.develops = !this.develops;
    this.draw();
  }

  /** A new message about the table: thoughts about another position are over. */
  show(told, before) {
    if (!before || before.table !== told.table || this.connected !== this.page.connection.socket) {
      this.connected = this.page.connection.socket;
      if (this.on) this.page.connection.ask("think", { on: true });
    }
    if (!before || before.table !== told.table || before.node !== told.node) this.clear();
    this.draw();
  }

  hear(told) {
    if (told.node !== this.page.told?.node) return;
    if (told.tell === "branch") this.branches.set(told.path.join(" "), told);
    else if (told.tell === "thought" && told.why === "move" && this.on && this.thought?.why === "analysis") return;
    else this[told.tell] = told;
    this.draw();
  }

  draw() {
    const { thought, on, page } = this;
    if (this.pressed) return; // a button that goes away while it is pressed is never clicked
    const long = page.told?.status.thinking && performance.now() - this.page.toldAt > PATIENCE;
    const seen = on || (thought && long && thought.simulations > 0);
    this.drawOnBoard(on);
    $("thoughts").hidden = !seen && !this.develops;
    if (!page.told) return;
    const held = $("thoughts").contains(document.activeElement) ? document.activeElement.dataset.held : undefined;
    $("thoughts").replaceChildren(...[
      seen && this.meter(), on && this.legend(), on && this.table(), seen && this.line(), on && this.perfectly(), on && this.network(), seen && this.speed(),
      on && this.tree(), this.develops && this.developers(),
    ].filter(Boolean));
    if (held !== undefined) $("thoughts").querySelector(`[data-held="${held}"]`)?.focus({ preventScroll: true });
  }

  drawOnBoard(on) {
    const { board } = this.page;
    const { thought, perfect } = this;
    board.heat(on && thought ? Object.fromEntries(Object.entries(thought.visits).map(([action, share]) =>
      [action, { share, win: thought.wins[action] ?? null, proven: thought.proven[action] ?? null }])) : null);
    board.proven(on && perfect && Object.keys(perfect.scores).length ? perfect.scores : null);
    const marked = new Set(Object.keys(perfect?.scores ?? {}).map((action) => this.page.told?.position.cell_of[action]));
    board.ghosts(on && thought?.line.length > 1 ? ghostsOf(thought.line, marked) : null);
  }

  // ------------------------------------------------------------------------------------------- the parts

  /** How the win is shared between the two players. */
  meter() {
    const win = this.provenWin() ?? this.thought?.win;
    const { players, colors } = this.page.told.game;
    if (win === null || win === undefined) return element("p", { class: "soft" }, this.page.told.status.over ? "The game is over." : "Thinking…");
    const first = Math.round(win * 100) / 100;
    const shares = [first, 1 - first]; // rounded here, so that both together are 100%
    const bar = element("div", { class: "bar-of-win", role: "img", "aria-label": shares.map((share, i) => `${players[i]} ${percent(share)}`).join(", ") },
      ...shares.map((share, i) => { const part = element("span", { class: colors[i] }); part.style.width = percent(share); return part; }));
    return element("div", { class: "meter" }, bar, element("div", { class: "ends" }, ...shares.map((share, i) => element("span", {}, `${players[i]} ${percent(share)}`))));
  }

  /** The win share of player 0 if perfect play is known, else null. */
  provenWin() {
    const value = this.on ? this.perfect?.value ?? null : null;
    return value === null ? null : (1 + (this.page.told.position.player === 0 ? value : -value)) / 2;
  }

  legend() {
    const mover = this.page.told.game.players[this.page.told.position.player].replace(/^The/, "the");
    const pale = this.page.board.thoughts.ghosts?.length ? "Pale stones: the moves it expects, in order. " : "";
    return element("p", { class: "legend" }, `Stronger colour: looked at longer. Numbers: win share in percent for ${mover}, who is to move. ${pale}✓ wins, ✗ loses, = draws: proven.`);
  }

  /** The moves that were looked at most. */
  table() {
    const { thought, page } = this;
    if (!thought) return null;
    const rows = Object.entries(thought.visits).sort((one, other) => other[1] - one[1]).slice(0, MOST_ROWS);
    const heads = ["Move", "Looked at", "Win share", ...(this.opinion ? ["Network alone"] : []), ""];
    return element("table", {},
      element("thead", {}, element("tr", {}, ...heads.map((head) => element("th", { scope: "col" }, head)))),
      element("tbody", {}, ...rows.map(([action, share]) => element("tr", {},
        element("th", { scope: "row" }, page.told.position.names[action] ?? action),
        element("td", {}, percent(share)),
        element("td", {}, thought.wins[action] === undefined ? "" : percent(thought.wins[action])),
        ...(this.opinion ? [element("td", {}, percent(this.opinion.policy[action] ?? 0))] : []),
        element("td", {}, SIGNS[this.perfect?.scores[action] ?? thought.proven[action]] ?? "")))));
  }

  line() {
    const words = this.thought?.words ?? [];
    return words.length ? element("p", {}, element("span", { class: "soft" }, "Expects: "), words.slice(0, 8).join(" ")) : null;
  }

  perfectly() {
    return this.perfect?.sentence ? element("p", { class: "note", id: "perfect" }, this.perfect.sentence) : null;
  }

  network() {
    const { opinion, page } = this;
    if (!opinion || !Object.keys(opinion.policy).length) return null;
    const [best, share] = Object.entries(opinion.policy).sort((one, other) => other[1] - one[1])[0];
    const win = opinion.win === null ? "" : `, and gives ${page.told.game.players[0]} ${percent(opinion.win)}`;
    return element("p", { class: "soft" }, `A trained network, without looking ahead, likes ${page.told.position.names[best] ?? best} best (${percent(share)})${win}.`);
  }

  speed() {
    const { thought } = this;
    if (!thought) return null;
    const busy = thought.busy ? " The machine is busy, so this search gets less time than usual." : "";
    return element("p", { class: "soft small numbers" }, `${thought.simulations.toLocaleString("en")} simulations, ${Math.round(thought.per_second).toLocaleString("en")} a second.${busy}`);
  }

  // ------------------------------------------------------------------------------------------- the tree

  tree() {
    if (this.thought?.why !== "analysis") return null;
    const open = element("details", { open: this.branches.size > 0, toggle: (event) => { if (event.target.open && !this.branches.size) this.page.ask("ask", { path: [] }); } },
      element("summary", { "data-held": "tree" }, "Open the search's tree"), this.level([]) ?? "");
    return open;
  }

  /** The children below a path, as far as they have been opened. */
  level(path) {
    const told = this.branches.get(path.join(" "));
    if (!told) return null;
    const player = this.page.told.game.players[told.player];
    return element("ul", { class: "tree-rows" }, ...told.children.slice(0, 8).map(([action, name, share, win, visits]) => {
      const below = [...path, action];
      const opened = this.branches.has(below.join(" "));
      const row = element("button", { type: "button", "data-held": below.join(" "), "aria-expanded": String(opened), click: () => this.openBelow(below, opened) },
        `${opened ? "▾" : "▸"} ${player} ${name}: ${visits.toLocaleString("en")} visits (${percent(share)}), wins ${percent(win)}`);
      return element("li", {}, row, opened ? this.level(below) ?? "" : "");
    }));
  }

  openBelow(path, opened) {
    if (opened) {
      const key = path.join(" ");
      for (const other of [...this.branches.keys()]) if (other === key || other.startsWith(`${key} `)) this.branches.delete(other);
      this.draw();
    } else this.page.ask("ask", { path });
  }

  // ------------------------------------------------------------------------------------------- for developers

  developers() {
    const { told } = this.page;
    const agents = told.seats.map((seat, player) => `${told.game.players[player]}: ${seat.agent ?? seat.key}`);
    const facts = [`game ${told.game.name} ${JSON.stringify(told.game.options)}`, ...agents, `position ${told.line.map((move) => move.name).join(" ")}`, `table ${told.table}, node ${told.node}`];
    if (this.thought) facts.push(`${this.thought.nodes} nodes, ${this.thought.simulations} simulations, ${Math.round(this.thought.per_second)} a second`);
    return element("pre", { class: "developer", "data-held": "developer", tabindex: "0", "aria-label": "Developer's view" }, facts.join("\n"));
  }
}

/** The expected line as far as it has free cells, without gaps; its first move may lie in a marked one.
 * @param {[number, number, number][]} line @param {Set<number>} marked */
function ghostsOf(line, marked) {
  const end = line.findIndex(([cell], index) => cell < 0 || (index > 0 && marked.has(cell)));
  return line.slice(0, end < 0 ? MOST_GHOSTS : Math.min(end, MOST_GHOSTS)).filter(([cell]) => !marked.has(cell));
}

/** @param {number} share */
export function percent(share) { return `${Math.round(share * 100)}%`; }
