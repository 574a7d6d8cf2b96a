// The play page: it shows what the server tells of a table and sends what the visitor does. The parts are in modules of
// their own: seats and moves (panels.js), thoughts (thinking.js), dialogs (setup.js, more.js), keys (keys.js).

import { element, keepInTab, keptInTab, makeBar, remember, remembered } from "./bar.js";
import { BoardView } from "./board.js";
import { Connection, sameGame, selectedIn, visitor } from "./connection.js";
import { Graph } from "./graph.js";
import { bindKeys, keysDialog } from "./keys.js";
import { More } from "./more.js";
import { showClocks, showGraph, showMoves, showPlayback, showSeats, showTravel } from "./panels.js";
import { SetupDialog } from "./setup.js";
import { soundOf } from "./sound.js";
import { Thinking } from "./thinking.js";

/** @typedef {import("./messages.js").TableTold} TableTold */

const $ = (id) => document.getElementById(id);

class PlayPage {
  constructor() {
    this.setName = makeBar();
    this.layouts = {};
    /** @type {TableTold | null} */
    this.told = null;
    this.visitor = visitor();
    this.board = new BoardView($("board"), { play: (action) => this.play(action), refused: (text) => this.say(text), label: "Board" });
    this.board.options(remembered("board", {}));
    this.connection = new Connection({ open: () => this.enter(), lost: () => { $("connection").hidden = false; } });
    this.graph = new Graph($("graph"), { select: (ply) => this.ask("look", { node: ply ? this.told.line[ply - 1].node : 0 }) });
    /** @type {Map<string, number>} the win share of player 0 in positions that were searched, by table and node */
    this.wins = new Map();
    this.thinking = new Thinking(this);
    this.setup = new SetupDialog(this);
    this.more = new More(this);
    this.listen();
    this.makeControls();
  }

  listen() {
    this.connection.when("table", (told) => this.show(told));
    this.connection.when("refused", (told) => this.refuse(told));
    this.connection.when("hint", (told) => this.hinted(told));
    this.connection.when("thought", (told) => this.noteWin(told));
    for (const kind of ["perfect", "opinion", "branch"]) this.connection.when(kind, (told) => this.thinking.hear(told));
    window.addEventListener("hashchange", () => this.followAddress());
    $("typed").addEventListener("submit", (event) => this.typed(event));
    $("sheet").addEventListener("click", () => this.slide());
    bindKeys({
      u: () => this.ask("undo"), h: () => this.hint(), a: () => this.thinking.toggle(), "[": () => this.travel(-1), "]": () => this.travel(1),
      f: () => this.option("flipped"), d: () => this.thinking.developer(), n: () => this.setup.open(), "?": () => keysDialog(), " ": () => this.runOrPause(),
    });
    setInterval(() => showClocks(this.told, this.toldAt), 200);
  }

  // ------------------------------------------------------------------------------------------- coming in

  /** The connection stands: go on with a prepared game, with the game of this tab, or with the one in the address, or begin one. */
  enter() {
    $("connection").hidden = true;
    this.layouts = {};
    this.layoutsAsked = false;
    const link = decodeAddress();
    const prepared = new URLSearchParams(location.search).get("table"); // by the command line
    const table = prepared ?? keptInTab("table") ?? (link ? null : remembered("table", null));
    const same = prepared || (table && (!link || sameGame(keptInTab("link") ?? "", link)));
    if (same) {
      this.entering = link || "hex";
      this.ask("open", { table, selected: selectedIn(link) });
    } else {
      this.entering = null;
      this.ask("follow", { link: link || "hex", visitor: this.visitor });
    }
  }

  followAddress() {
    const link = decodeAddress();
    if (!link || !this.told || link === this.told.link) return;
    if (sameGame(link, this.told.link)) this.travel((selectedIn(link) ?? this.told.line.length) - this.place());
    else this.ask("follow", { link, visitor: this.visitor });
  }

  // ------------------------------------------------------------------------------------------- what is told

  /** @param {TableTold} told */
  show(told) {
    if (told.layout) this.layouts[told.layout.id] = told.layout;
    const before = this.told;
    if (before && (before.table !== told.table || before.node !== told.node)) this.hush();
    Object.assign(this, { told, toldAt: performance.now(), entering: null });
    this.keepAddress(told);
    const { status, position } = told;
    const mine = status.running && !status.over ? position.player === status.person || told.node !== told.head : !status.over;
    this.board.show(position.layout ? this.layouts[position.layout] : null, position, { animate: before?.table === told.table, playable: mine });
    this.setName(told.game.title);
    document.title = `${told.game.title} · Ludus`;
    $("sentence").textContent = status.sentence;
    $("aim").textContent = told.line.length < 2 ? told.game.aim : "";
    $("invitation").hidden = !(status.over && told.line.length > 1);
    $("invitation").firstChild.href = `/review#${told.link}`;
    showSeats($("seats"), told);
    showMoves($("moves"), told, (node) => this.ask("look", { node }));
    showTravel($("travel"), told, (steps) => this.travel(steps));
    showGraph(this.graph, told, this.wins);
    showPlayback($("playback"), told, this);
    this.showElsewhere(told);
    this.showControls(told);
    this.thinking.show(told, before);
    this.more.show(told);
    this.setup.begun(told);
    soundOf(before, told);
  }

  /** What a search thinks, which the graph keeps. */
  noteWin(thought) {
    if (this.told && thought.win !== null) this.wins.set(`${this.told.table} ${thought.node}`, thought.win);
    if (this.told) showGraph(this.graph, this.told, this.wins);
    this.thinking.hear(thought);
  }

  /** The address holds the game; copy it and somebody else sees the same. */
  keepAddress(told) {
    keepInTab("table", told.table);
    keepInTab("link", told.link);
    remember("table", told.table);
    if (decodeAddress() !== told.link) history.replaceState(null, "", `${location.pathname}#${told.link}`);
  }

  showElsewhere(told) {
    const box = $("elsewhere");
    box.hidden = told.node === told.head;
    if (box.hidden) return;
    const ply = this.place();
    box.replaceChildren(
      element("p", {}, ply ? `You are looking at move ${ply}. A move here begins a branch.` : "You are looking at the start. A move here begins a branch."),
      element("button", { type: "button", click: () => this.ask("look", { node: told.head }) }, "Back to the game"),
    );
  }

  refuse(told) {
    if (this.entering) { // the game of this tab is not kept any more
      const link = this.entering;
      this.entering = null;
      this.ask("follow", { link, visitor: this.visitor });
      return;
    }
    clearTimeout(this.hinting);
    if (this.setup.refused(told.sentence)) return;
    const cell = told.action === null ? null : this.told?.position.cell_of[told.action] ?? null;
    if (cell !== null) this.board.refuse(cell, told.sentence);
    else this.say(told.sentence);
  }

  /** Asks for a good move; a search that takes a moment says so. */
  hint() {
    clearTimeout(this.hinting);
    if (!this.ask("hint")) return;
    this.hinting = setTimeout(() => this.say("Looking for a good move…", 30_000), 400);
  }

  hinted(told) {
    clearTimeout(this.hinting);
    if (told.node !== this.told?.node) return;
    this.board.hint(told.action);
    this.say(told.sentence, 9000);
  }

  // ------------------------------------------------------------------------------------------- what the visitor does

  /** Asks the server; without a connection the page says so. @returns {boolean} whether it was asked, or will be */
  ask(kind, fields) {
    const asked = this.connection.ask(kind, fields);
    if (!asked) this.say("There is no connection just now. Try again when it is back.");
    return asked;
  }

  play(action) { this.ask("play", { node: this.told.node, move: action }); }

  typed(event) {
    event.preventDefault();
    const field = $("move");
    this.written = field.value;
    if (field.value.trim()) this.ask("play", { node: this.told.node, move: field.value.trim() });
    field.select();
  }

  /** Back and forth along the line; far enough goes to its end. */
  travel(steps) {
    const nodes = [0, ...this.told.line.map((move) => move.node)];
    const node = nodes[Math.max(0, Math.min(nodes.length - 1, this.place() + steps))];
    if (node !== this.told.node) this.ask("look", { node });
  }

  /** How many moves have been made where the page looks. */
  place() { return this.told.line.findIndex((move) => move.node === this.told.node) + 1; }

  runOrPause() {
    if (this.told && this.told.status.person === null) this.ask("run", { on: !this.told.status.running, pause: this.told.pause });
  }

  step() { this.ask("step"); }

  setPause(seconds) { this.ask("run", { on: this.told.status.running, pause: seconds }); }

  option(name) {
    const chosen = { ...this.board.chosen, [name]: !this.board.chosen[name] };
    remember("board", chosen);
    this.board.options(chosen);
    this.more.show(this.told);
  }

  makeControls() {
    const button = (name, title, act) => element("button", { type: "button", "data-control": name, click: act }, title);
    $("controls").append(
      button("undo", "Undo", () => this.ask("undo")), button("hint", "Hint", () => this.hint()),
      button("resign", "Resign", () => this.ask("resign")), button("new", "New game", () => this.setup.open()),
    );
  }

  showControls({ status }) {
    const can = { undo: status.can_undo, hint: !status.over && !status.thinking, resign: status.can_resign, new: true };
    for (const button of $("controls").children) {
      button.disabled = !can[button.dataset.control];
      button.classList.toggle("main", button.dataset.control === "new" && status.over);
    }
  }

  slide(up = !$("side").classList.contains("up")) {
    $("side").classList.toggle("up", up);
    $("sheet").setAttribute("aria-expanded", String(up));
    $("sheet").textContent = up ? "Back to the board" : "Moves and thoughts";
  }

  /** A sentence over the board, for as long as it takes to read it. */
  say(sentence, milliseconds = Math.max(4500, 80 * sentence.length)) {
    const line = $("refusal");
    line.textContent = sentence;
    line.classList.add("shown");
    clearTimeout(this.silence);
    this.silence = setTimeout(() => line.classList.remove("shown"), milliseconds);
  }

  /** What was said, and the move that was typed, are about another position. */
  hush() {
    if ($("move").value === this.written) $("move").value = "";
    clearTimeout(this.hinting);
    $("refusal").classList.remove("shown");
  }
}

function decodeAddress() { return location.hash.replace(/^#/, ""); }

window.ludus = new PlayPage();
