// A finished game on a board: back, forth, play. It shows what the server has told of the game and asks for nothing.

import { element } from "./bar.js";
import { BoardView } from "./board.js";

/**
 * @typedef {{number: number, layout: any, positions: any[], moves: string[], players: number[], called: string[], opening: number,
 *   link: string | null, result: string, names: string[] | null, note: string}} ReplayedGame
 */

const PACE = 650; // milliseconds between moves
const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

export class Replay {
  /** @param {HTMLElement} container
   * @param {{label: string, title: (game: ReplayedGame) => string, ended?: () => void, touched?: () => void}} on
   *   `ended` is called when a game has been played to its end, `touched` when somebody uses the buttons */
  constructor(container, on) {
    this.on = on;
    this.game = this.timer = null;
    this.ply = 0;
    this.title = element("h3", {});
    this.board = element("div", { class: "replay-board" });
    this.words = element("p", { class: "replay-words numbers" });
    this.slide = element("input", { type: "range", min: 0, value: 0, "aria-label": "Move", input: () => this.use(() => this.go(Number(this.slide.value))) });
    this.buttons = element("div", { class: "row replay-buttons", role: "group", "aria-label": "Replay" },
      this.button("«", "To the start", () => this.go(0)), this.button("‹", "Back", () => this.go(this.ply - 1)),
      (this.player = element("button", { type: "button", class: "main", click: () => this.use(() => this.toggle(), true) }, "Play")),
      this.button("›", "Forth", () => this.go(this.ply + 1)), this.button("»", "To the end", () => this.go(Infinity)));
    this.link = element("a", { class: "button", href: "/review" }, "Open in review");
    this.note = element("p", { class: "soft small" });
    container.classList.add("replay");
    container.replaceChildren(this.title, this.board, this.words, this.slide, this.buttons, this.note, this.link);
    this.view = new BoardView(this.board, { label: on.label });
    container.hidden = true;
    this.container = container;
  }

  button(sign, name, act) {
    return element("button", { type: "button", "aria-label": name, title: name, click: () => this.use(act) }, sign);
  }

  /** Somebody uses a button: the replay stops by itself no more. */
  use(act, playing = false) {
    if (!playing) this.pause();
    this.on.touched?.();
    act();
  }

  /** Shows a game, from its start if it is to be played. @param {ReplayedGame} game @param {{play?: boolean}} [how] */
  show(game, { play = false } = {}) {
    this.pause();
    this.game = game;
    this.container.hidden = false;
    this.title.textContent = this.on.title(game);
    this.note.textContent = game.note;
    this.link.hidden = !game.link;
    this.link.href = `/review#${game.link ?? ""}`;
    this.slide.max = String(game.positions.length - 1);
    this.view.live.setAttribute("aria-live", "off"); // the sentence below the board says it
    this.ply = -1;
    this.go(play && !still() ? 0 : Infinity);
    if (play && !still()) this.play();
  }

  /** Shows the position after so many moves. @param {number} ply */
  go(ply) {
    const { game } = this;
    if (!game) return;
    const before = this.ply;
    this.ply = Math.max(0, Math.min(game.positions.length - 1, ply));
    this.view.show(game.layout, game.positions[this.ply], { animate: this.ply === before + 1, playable: false });
    this.slide.value = String(this.ply);
    this.slide.setAttribute("aria-valuetext", `after move ${this.ply} of ${game.moves.length}`);
    this.words.textContent = this.inWords();
  }

  inWords() {
    const { game, ply } = this;
    if (ply === 0) return `The start. ${game.moves.length} moves.`;
    const who = game.called[game.players[ply - 1]];
    const move = `Move ${ply} of ${game.moves.length}: ${who} plays ${game.moves[ply - 1]}`;
    const lot = ply <= game.opening ? " (drawn by lot)" : "";
    return ply === game.moves.length && game.result ? `${move}. ${game.result}.` : `${move}${lot}.`;
  }

  toggle() {
    if (this.timer) this.pause();
    else {
      if (this.ply >= this.game.positions.length - 1) this.go(0);
      this.play();
    }
  }

  play() {
    this.pause();
    this.timer = setInterval(() => this.step(), PACE);
    this.player.textContent = "Pause";
  }

  step() {
    if (this.ply < this.game.positions.length - 1) return this.go(this.ply + 1);
    this.pause();
    this.on.ended?.();
  }

  pause() {
    clearInterval(this.timer);
    this.timer = null;
    this.player.textContent = "Play";
  }
}
