// Who plays, the clocks, the list of moves with its branches, and the buttons for machines that play each other.

import { element } from "./bar.js";

/** @typedef {import("./messages.js").TableTold} TableTold */

const PAUSES = [["0", "Fastest"], ["0.5", "Quick"], ["1.5", "Calm"], ["4", "Slow"]];
const LOW = 10; // seconds under which a clock warns; with little time from the start, half of it

/** @param {HTMLElement} box @param {TableTold} told */
export function showSeats(box, told) {
  const { game, seats, status, position } = told;
  box.replaceChildren(...seats.map((seat, player) => {
    const moves = !status.over && position.player === player;
    const what = [game.players[player], countOf(told, player)].filter(Boolean).join(", ");
    const thinks = moves && status.thinking;
    return element("div", { class: `seat${moves ? " to-move" : ""}` },
      element("span", { class: `chip ${game.colors[player]}` }),
      element("span", {}, element("span", { class: "who" }, seat.name), " ", element("span", { class: "what" }, what),
        thinks ? element("span", { class: "what dots" }, " · thinking") : ""),
      element("span", { class: "clock", "data-player": player }));
  }));
  showClocks(told, performance.now());
}

/** How many pieces a player has, in games that count them. */
function countOf({ position, game }, player) {
  if (game.unit !== "disc") return "";
  const count = position.pieces.filter((piece) => piece[2] === player).length;
  return `${count} ${count === 1 ? "disc" : "discs"}`;
}

function clockText(seconds) {
  const whole = Math.max(0, seconds);
  if (whole < 20) return whole.toFixed(1);
  return `${Math.floor(whole / 60)}:${String(Math.floor(whole % 60)).padStart(2, "0")}`;
}

/** Lets the running clock run between two messages. @param {TableTold | null} told @param {number} toldAt */
export function showClocks(told, toldAt) {
  if (!told?.clock) return;
  const low = Math.min(LOW, parseFloat(told.clock.text) / 2);
  for (const face of document.querySelectorAll(".seat .clock")) {
    const player = Number(face.dataset.player);
    const spent = player === told.clock.running ? (performance.now() - toldAt) / 1000 : 0;
    const left = told.clock.left[player] - spent;
    face.textContent = clockText(left);
    face.classList.toggle("low", left < low);
  }
}

/** @param {HTMLElement} list @param {TableTold} told @param {(node: number) => void} look */
export function showMoves(list, told, look) {
  const at = told.line.findIndex((move) => move.node === told.node);
  const held = list.contains(document.activeElement) ? document.activeElement.dataset.node : undefined;
  list.replaceChildren(...told.line.map((move, index) => {
    const here = index === at;
    const button = element("button", { type: "button", "data-node": move.node, class: index > at ? "ahead" : "", "aria-current": here ? "step" : null, click: () => look(move.node) }, move.name);
    button.setAttribute("aria-label", `Move ${index + 1}, ${told.game.players[move.player]}: ${move.name}`);
    const branches = move.others.map(([node, name]) =>
      element("button", { type: "button", "data-node": node, class: "branch", "aria-label": `Other line: ${name} instead of ${move.name}`, title: `Other line: ${name}`, click: () => look(node) }, name));
    return element("li", {}, element("span", { class: "number" }, `${index + 1}.`), button, ...branches);
  }));
  if (held !== undefined) list.querySelector(`[data-node="${held}"]`)?.focus({ preventScroll: true });
  const current = list.querySelector("[aria-current]");
  if (current) list.scrollTop = Math.max(0, current.offsetTop - list.offsetTop - list.clientHeight / 2);
  else list.scrollTop = 0;
}

/** The graph of the game, as far as machines have judged positions while they played or were asked; else none.
 * @param {import("./graph.js").Graph} graph @param {TableTold} told @param {Map<string, number>} wins */
export function showGraph(graph, told, wins) {
  const { game, line, node, status } = told;
  const ended = status.over ? (status.winner === null ? 0.5 : 1 - status.winner) : null;
  const shareAt = (number) => (number === node ? ended : null) ?? wins.get(`${told.table} ${number}`) ?? null;
  const points = [{ ply: 0, share: shareAt(0) }, ...line.map((move, index) => ({ ply: index + 1, name: move.name, share: shareAt(move.node) ?? move.share }))];
  graph.picture.parentElement.hidden = points.filter((point) => point.share !== null).length < 2;
  graph.show({ points, selected: line.findIndex((move) => move.node === node) + 1, players: game.players, colors: game.colors });
}

/** @param {HTMLElement} box @param {TableTold} told @param {(steps: number) => void} travel */
export function showTravel(box, told, travel) {
  const at = told.line.findIndex((move) => move.node === told.node);
  const last = told.line.length - 1;
  const ways = [["|◀", "To the start", -9999, at >= 0], ["◀", "One move back", -1, at >= 0], ["▶", "One move forth", 1, at < last], ["▶|", "To the end", 9999, at < last]];
  if (box.children.length === 0) {
    box.append(...ways.map(([sign, name, steps]) => element("button", { type: "button", "aria-label": name, title: name, click: () => travel(steps) }, sign)));
  }
  ways.forEach(([, , , can], index) => { box.children[index].disabled = !can; });
}

/** Play, pause, step and speed, where machines play each other. The controls are made once, so that they keep the focus.
 * @param {HTMLElement} box @param {TableTold} told @param {{runOrPause: () => void, step: () => void, setPause: (seconds: number) => void}} does */
export function showPlayback(box, told, does) {
  const { running, over, person } = told.status;
  box.hidden = person !== null;
  if (box.children.length === 0) {
    box.append(
      element("button", { type: "button", class: "main", click: () => does.runOrPause() }),
      element("button", { type: "button", click: () => does.step() }, "One move"),
      element("select", { "aria-label": "Speed", change: (event) => does.setPause(Number(event.target.value)) },
        ...PAUSES.map(([value, name]) => element("option", { value }, name))));
  }
  const [run, step, speed] = box.children;
  run.textContent = running && !over ? "Pause" : "Play";
  run.disabled = step.disabled = over;
  speed.value = String(told.pause);
}
