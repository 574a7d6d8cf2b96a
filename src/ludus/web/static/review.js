// The review page: every move of a game judged. It shows the board, the graph, a sentence for the selected move and the
// turning points; the judging is done on the server, which tells more and more of it.

import { element, keepInTab, keptInTab, makeBar, remember, remembered } from "./bar.js";
import { BoardView } from "./board.js";
import { Connection, sameGame, selectedIn, visitor } from "./connection.js";
import { Graph, shareInWords } from "./graph.js";
import { bindKeys, keysDialog } from "./keys.js";
import { More } from "./more.js";
import { showTravel } from "./panels.js";
import { showDeeds, showLegend, showMoves, showPoints } from "./review_panels.js";

/** @typedef {import("./messages.js").TableTold} TableTold */
/** @typedef {import("./messages.js").JudgedTold} JudgedTold */

const KEYS = [
  ["[ ]", "back and forth through the moves"], ["m", "to the next move that lost something"], ["b", "show the better move, or the move that was played"],
  ["t", "try again from here"], ["f", "turn the board round"], ["?", "this list"],
];
const LOST = ["inexact", "mistake", "gave_away"];
const BETWEEN = 70; // milliseconds between two positions that are asked for while somebody drags over the graph

const $ = (id) => document.getElementById(id);

class ReviewPage {
  constructor() {
    this.setName = makeBar();
    this.layouts = {};
    /** @type {TableTold | null} */
    this.told = null;
    this.forget();
    this.visitor = visitor();
    this.board = new BoardView($("board"), { refused: () => this.say("This is the review. To play another move, press “Try again from here”."), label: "Board" });
    this.board.options(remembered("board", {}));
    this.graph = new Graph($("graph"), { select: (ply) => this.select(ply) });
    this.more = new More(this);
    this.makeFiles();
    showLegend($("legend"));
    this.connection = new Connection({ open: () => this.enter(), lost: () => { $("connection").hidden = false; } });
    this.listen();
  }

  listen() {
    this.connection.when("table", (told) => this.show(told));
    this.connection.when("judged", (told) => this.hear(told));
    this.connection.when("refused", (told) => this.refuse(told));
    window.addEventListener("hashchange", () => this.followAddress());
    bindKeys({
      "[": () => this.travel(-1), "]": () => this.travel(1), m: () => this.nextLost(), b: () => this.showBetter(), t: () => this.tryAgain(),
      f: () => this.flip(), "?": () => keysDialog(KEYS),
    });
  }

  /** Nothing is judged yet, and nothing is selected. */
  forget() {
    Object.assign(this, { rows: new Map(), points: [], line: "", selected: 0, better: false, touched: false, wanted: null });
  }

  // ------------------------------------------------------------------------------------------- coming in

  /** The connection stands: the game in the address, or that of this tab. Without either there is nothing to review. */
  enter() {
    $("connection").hidden = true;
    this.layouts = {};
    this.line = "";
    const link = location.hash.slice(1);
    const table = keptInTab("table") ?? (link ? null : remembered("table", null));
    const same = table && (!link || sameGame(keptInTab("link") ?? "", link));
    this.touched = this.touched || link.includes("@");
    this.entering = same ? link : null;
    if (same) this.ask("open", { table, selected: selectedIn(link) });
    else if (link) this.ask("follow", { link, visitor: this.visitor });
    else this.showEmpty("No game has been played here yet. Play one, or load one from a file.");
  }

  followAddress() {
    const link = location.hash.slice(1);
    if (!link || link === this.told?.link) return;
    this.forget();
    this.touched = link.includes("@");
    this.ask("follow", { link, visitor: this.visitor });
  }

  refuse(told) {
    if (this.entering !== null) { // the game of this tab is not kept any more
      const link = this.entering;
      this.entering = null;
      if (link) this.ask("follow", { link, visitor: this.visitor });
      else this.showEmpty(told.sentence);
    } else this.say(told.sentence, 9000);
  }

  showEmpty(sentence) {
    document.body.classList.add("empty");
    $("summary").textContent = sentence;
    $("progress").textContent = "";
    $("points").replaceChildren(element("a", { class: "button main", href: "/" }, "Play a game"));
  }

  // ------------------------------------------------------------------------------------------- what is told

  /** @param {TableTold} told */
  show(told) {
    if (told.layout) this.layouts[told.layout.id] = told.layout;
    const another = this.told?.table !== told.table;
    if (another && this.told) this.forget();
    Object.assign(this, { told, entering: null });
    if (!told.line.length) {
      this.showEmpty("This game has no moves yet. Play some, or load a game from a file.");
      return;
    }
    document.body.classList.remove("empty");
    this.reviewLine(told);
    this.keepAddress(told);
    const { position } = told;
    this.board.show(position.layout ? this.layouts[position.layout] : null, position, { animate: !another, playable: false });
    this.board.hint(this.better ? this.rows.get(this.selected)?.best ?? null : null);
    this.setName(told.game.title);
    document.title = `Review of ${told.game.title} · Ludus`;
    this.draw();
  }

  /** Another line, or one that has become longer, is judged anew. */
  reviewLine(told) {
    const line = `${told.table} ${told.line.map((move) => move.node).join(" ")}`;
    if (line === this.line) return;
    const known = this.line !== "";
    this.line = line;
    this.rows = new Map();
    this.points = [];
    if (!known || !this.touched) this.selected = plyOf(told);
    this.selected = Math.min(this.selected, told.line.length);
    $("summary").textContent = "";
    $("points").replaceChildren();
    $("progress").textContent = "Judging the moves …";
    this.ask("review", { on: true });
  }

  keepAddress(told) {
    keepInTab("table", told.table);
    keepInTab("link", told.link);
    remember("table", told.table);
    if (location.hash.slice(1) !== told.link) history.replaceState(null, "", `${location.pathname}#${told.link}`);
  }

  /** @param {JudgedTold} told */
  hear(told) {
    if (!this.told) return;
    for (const row of told.rows) this.rows.set(row.ply, row);
    this.points = told.points;
    const settled = told.rows.filter((row) => row.settled).length;
    $("progress").textContent = told.done ? "" : `Judging the moves: ${settled} of ${this.told.line.length}`;
    $("summary").textContent = told.summary;
    if (told.done && !this.touched && told.points.length) this.select(told.points.at(-1).ply);
    this.draw();
  }

  // ------------------------------------------------------------------------------------------- drawing

  draw() {
    const { told, selected, rows } = this;
    if (!told) return;
    const { players, colors } = told.game;
    this.graph.show({ points: this.graphPoints(), selected, players, colors });
    const row = rows.get(selected);
    const move = told.line[selected - 1];
    $("selected-title").textContent = move ? `Move ${selected}: ${players[move.player]} ${move.name}` : "The start";
    $("verdict").textContent = row?.sentence ?? (move ? "Not judged yet." : this.startInWords());
    showTravel($("travel"), { ...told, node: this.nodeAt(selected) }, (steps) => this.travel(steps));
    showPoints($("points"), this.points, selected, (ply) => this.select(ply));
    showDeeds($("deeds"), { row, move, better: this.better }, this);
    showMoves($("moves"), told, rows, selected, (ply) => this.select(ply));
  }

  /** The win share of player 0 after every move, as far as it is known. */
  graphPoints() {
    const { told, rows } = this;
    const first = rows.get(1);
    const start = first ? { share: first.player === 0 ? first.before : 1 - first.before, proven: first.before_proven } : { share: null };
    return [{ ply: 0, name: "", grade: null, ...start }, ...told.line.map((move, index) => {
      const row = rows.get(index + 1);
      if (!row) return { ply: index + 1, name: move.name, share: null };
      const share = row.player === 0 ? row.after : 1 - row.after;
      return { ply: index + 1, name: move.name, player: row.player, share, proven: row.after_proven, grade: row.grade, settled: row.settled };
    })];
  }

  startInWords() {
    const [start] = this.graphPoints();
    if (start.share === null) return "The position before the first move.";
    return `The position before the first move: ${shareInWords(start, this.told.game.players)}.`;
  }

  // ------------------------------------------------------------------------------------------- what the visitor does

  ask(kind, fields) { this.connection.ask(kind, fields); }

  nodeAt(ply) { return ply === 0 ? 0 : this.told.line[ply - 1].node; }

  /** @param {number} ply */
  select(ply) {
    Object.assign(this, { selected: Math.max(0, Math.min(this.told.line.length, ply)), better: false, touched: true });
    this.draw();
    this.look();
  }

  /** Asks for the position to show, not too often. */
  look() {
    this.wanted = this.nodeAt(this.better ? this.selected - 1 : this.selected);
    if (this.waiting) return;
    const send = () => {
      this.waiting = null;
      if (this.wanted === null) return;
      this.ask("look", { node: this.wanted });
      this.wanted = null;
      this.waiting = setTimeout(send, BETWEEN);
    };
    send();
  }

  travel(steps) { if (this.told) this.select(this.selected + steps); }

  nextLost() {
    const lost = [...this.rows.values()].filter((row) => LOST.includes(row.grade)).map((row) => row.ply).sort((one, other) => one - other);
    if (lost.length) this.select(lost.find((ply) => ply > this.selected) ?? lost[0]);
    else this.say("No move that lost something is known.");
  }

  /** The position before the selected move, with the better move marked; or back again. */
  showBetter() {
    const row = this.rows.get(this.selected);
    if (!row || row.best === null || row.best === row.action) return;
    this.better = !this.better;
    this.draw();
    this.look();
  }

  /** The play page, where the selected move was made: another one begins a branch of the same game. */
  tryAgain() {
    if (!this.told) return;
    const link = `${this.told.link.split("@")[0]}@${Math.max(0, this.selected - 1)}`;
    keepInTab("table", this.told.table);
    keepInTab("link", link);
    location.href = `/#${link}`;
  }

  flip() {
    const chosen = { ...this.board.chosen, flipped: !this.board.chosen.flipped };
    remember("board", chosen);
    this.board.options(chosen);
  }

  makeFiles() {
    const button = (title, act) => element("button", { type: "button", click: act }, title);
    this.more.file = element("input", { type: "file", accept: ".sgf,.json,.jsonl", class: "unseen", tabindex: "-1", "aria-label": "Game file", change: () => { $("refusal").classList.remove("shown"); this.more.load(); } });
    $("other-games").append(button("Load a file", () => this.more.file.click()), this.more.file, button("Kept games", () => this.more.kept()),
      button("Keys", () => keysDialog(KEYS)));
  }

  /** A sentence over the board, for a while. */
  say(sentence, milliseconds = 4500) {
    if (document.body.classList.contains("empty")) {
      $("summary").textContent = sentence;
      return;
    }
    const line = $("refusal");
    line.textContent = sentence;
    line.classList.add("shown");
    clearTimeout(this.silence);
    this.silence = setTimeout(() => line.classList.remove("shown"), milliseconds);
  }
}

/** How many moves have been made where the page looks. @param {TableTold} told */
function plyOf(told) { return told.line.findIndex((move) => move.node === told.node) + 1; }

window.ludus = new ReviewPage();
