// The WebSocket to the server: asks go out, tells come in by their kind. A lost connection is made again by itself.

import { remember, remembered } from "./bar.js";

const FIRST_WAIT = 300, LONGEST_WAIT = 5000; // milliseconds before the next attempt

const WAITING = ["play", "undo", "resign", "new"]; // what is sent later, if there is no connection

export class Connection {
  /** @param {{open: () => void, lost: () => void}} on called when the connection stands, and when it is lost */
  constructor(on) {
    this.on = on;
    this.hearers = {};
    this.wait = FIRST_WAIT;
    this.waiting = [];
    this.connect();
  }

  connect() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.socket = new WebSocket(`${scheme}://${location.host}/ws`);
    this.socket.addEventListener("open", () => {
      this.wait = FIRST_WAIT;
      this.on.open();
      for (const text of this.waiting.splice(0)) this.socket.send(text);
    });
    this.socket.addEventListener("message", (event) => this.hear(JSON.parse(event.data)));
    this.socket.addEventListener("close", () => this.again());
  }

  again() {
    this.on.lost();
    setTimeout(() => this.connect(), this.wait);
    this.wait = Math.min(LONGEST_WAIT, this.wait * 1.7);
  }

  hear(tell) {
    this.hearers[tell.tell]?.(tell);
  }

  /** Calls a function for every message of a kind. @param {string} kind @param {(tell: any) => void} hearer */
  when(kind, hearer) {
    this.hearers[kind] = hearer;
  }

  /** Sends a question. Without a connection the latest of those that change the game waits for the next one.
   * @param {string} kind @param {object} [fields] @returns {boolean} whether it was sent or waits */
  ask(kind, fields = {}) {
    const text = JSON.stringify({ ask: kind, ...fields });
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(text);
    else if (!WAITING.includes(kind)) return false;
    else this.waiting = [text];
    return true;
  }
}

/** How many moves have been made where a link looks; null: all of them. @param {string} link */
export function selectedIn(link) {
  const at = link.match(/@(\d{1,6})$/);
  return at ? Number(at[1]) : null;
}

/** Do two links hold the same game, wherever they look? @param {string} one @param {string} other */
export function sameGame(one, other) { return one.split("@")[0] === other.split("@")[0]; }

/** Who this browser is to the server: a number made up at the first visit. */
export function visitor() {
  const known = remembered("visitor", null);
  if (known) return known;
  const made = Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, "0")).join("");
  remember("visitor", made);
  return made;
}

/** A JSON answer of the server; a refusal becomes an Error with its sentence. @param {string} path @param {RequestInit} [options] */
export async function fetchJson(path, options) {
  let answer;
  try {
    answer = await fetch(path, options);
  } catch {
    throw new Error("The server does not answer. Is it still running?");
  }
  const body = await answer.json().catch(() => ({}));
  if (!answer.ok) throw Object.assign(new Error(body.sentence ?? `The server answered ${answer.status}.`), { status: answer.status });
  return body;
}
