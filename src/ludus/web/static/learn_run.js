// One training, opened: its curves, its map of openings, its latest game, and what can be done with it.

import { element } from "./bar.js";
import { fetchJson } from "./connection.js";
import { Chart } from "./curves.js";
import { duration, gamesOf, percent, progressBar, put, rating, stateLabel } from "./learn_words.js";
import { openMore, openTopp } from "./learn_start.js";
import { OpeningsMap } from "./openings.js";
import { playAgainst } from "./play_against.js";
import { Replay } from "./replay.js";

const TRUTH = { title: "How often its first choice keeps the true result", x: "games", y: percent, low: 0, high: 1, ticks: 5 };
const NO_TRUTH = "No solver reaches this game, so there is no truth to measure it with";
const LOSSES = { title: "Losses: how far it is from what the search taught it", x: "games", y: (value) => value.toFixed(2), low: 0, empty: "Nothing learned yet" };
const AGAINST = { title: "Score against the network saved before", x: "games", y: percent, low: 0, high: 1, ticks: 5, empty: "Measured when a network is saved" };
const ELO = { title: "Strength of its saved networks", x: "games", y: rating, low: undefined, high: undefined, ticks: undefined, empty: "" };

/** The line of one measurement over the games. @param {any[]} rows @param {string} name @param {(row: any) => number} [across] */
export function lineOf(rows, name, across = (row) => row.episode) {
  return rows.filter((row) => row[name] !== undefined).map((row) => [across(row), row[name]]);
}

export class TrainingView {
  constructor(page, name) {
    Object.assign(this, { page, name, rows: [], mark: "", next: 0, aboutMark: "", about: null, told: null, strength: null });
    const path = `/api/learn/runs/${encodeURIComponent(name)}`;
    Object.assign(this, { path, following: true, shownGame: 0 });
    this.head = element("div", { class: "stack tight" });
    this.actions = element("div", { class: "row" });
    this.error = element("p", { class: "note bad", role: "alert", hidden: true });
    const place = (kind) => element("section", { class: `panel ${kind}` });
    const parts = { truth: place("wide"), game: place("game"), map: place("wide stack"), losses: place(""), strength: place("") };
    this.settings = element("details", { class: "panel settings" }, element("summary", {}, "Settings and log"));
    this.settings.addEventListener("toggle", () => this.fillSettings());
    this.element = element("div", { class: "stack" }, element("p", {}, element("a", { href: "#" }, "← All trainings")), this.head, this.actions, this.error,
      element("div", { class: "opened" }, parts.truth, parts.game, parts.map, parts.losses, parts.strength), this.settings);
    this.charts = { truth: new Chart(parts.truth, { ...TRUTH }), losses: new Chart(parts.losses, { ...LOSSES }), strength: new Chart(parts.strength, { ...AGAINST }) };
    this.map = new OpeningsMap(parts.map);
    this.makeReplay(parts.game);
    document.title = `${name} · Ludus`;
  }

  makeReplay(place) {
    const inside = element("div", {});
    this.follow = element("button", { type: "button", hidden: true, click: () => { this.following = true; this.shownGame = 0; this.latest(); } }, "Follow the latest game");
    this.noGame = element("p", { class: "soft" }, "The first game against itself is not finished yet.");
    place.append(element("h2", {}, "Latest game"), this.noGame, inside, this.follow);
    this.replay = new Replay(inside, {
      label: "A game of the network against itself", title: (game) => `Game ${game.number} against itself`,
      ended: () => setTimeout(() => this.latest(), 1200), touched: () => { this.following = false; this.showFollow(); },
    });
  }

  async refresh() {
    const query = new URLSearchParams({ mark: this.mark, after: String(this.next), about: this.aboutMark });
    const told = await fetchJson(`${this.path}?${query}`);
    this.rows = told.first ? told.rows : [...this.rows, ...told.rows];
    Object.assign(this, { told, mark: told.mark, next: told.next, aboutMark: told.about_mark, about: told.about ?? this.about });
    await this.refreshStrength();
    this.show();
    if (this.following && !this.replay.timer) this.latest();
    return told.state === "running" || told.state === "stopping" || told.topp_running;
  }

  /** The ratings of its saved networks, if they have met each other. */
  async refreshStrength() {
    const { topp, topp_running } = this.told;
    if (!topp || (this.strength?.key === topp && !topp_running && this.strength.state === "finished")) return;
    this.strength = await fetchJson(`/api/learn/tournaments/${encodeURI(topp)}?after=999999999`);
  }

  show() {
    const { told } = this;
    const left = told.state === "running" && told.seconds_left ? `, about ${duration(told.seconds_left)} left` : "";
    const speed = this.rows.at(-1)?.positions_per_second;
    put(this.head,
      element("div", { class: "row" }, element("h1", {}, told.title), element("span", { class: "soft" }, told.name), stateLabel(told.state)),
      progressBar(told.progress, told.state === "finished" ? null : 1, "Progress of the training"),
      element("p", { class: "soft numbers" }, `${gamesOf(told)} against itself ${told.state === "running" ? `so far, ${duration(told.seconds)}${left}` : `in ${duration(told.seconds)}`}${told.state === "running" && speed ? `, ${Math.round(speed)} positions a second` : ""}`),
      element("p", { class: `note ${told.state === "failed" ? "bad" : ""}` }, told.verdict));
    this.showActions();
    this.showCurves();
    this.map.show(this.about?.openings ?? null, this.rows);
    this.page.setName(told.title);
  }

  showActions() {
    const { told } = this;
    const act = (text, path, main = false) => element("button", { type: "button", class: main ? "main" : "", click: () => this.order(path) }, text);
    const open = (text, form) => element("button", { type: "button", click: () => form(this.page, this.told) }, text);
    const buttons = [];
    if (told.state === "running" && told.by_page) buttons.push(act("Stop", "stop"));
    if (told.state === "running" && !told.by_page) buttons.push(element("span", { class: "soft" }, "It was started from the command line; Ctrl-C stops it there."));
    if (["stopped", "failed"].includes(told.state) && (told.can_resume || !told.saved.length)) buttons.push(act("Go on", "resume", true));
    if (told.state === "finished" && told.can_resume) buttons.push(open("Train further …", openMore));
    if (told.saved.length > 1 && !told.topp_running) buttons.push(open("Let its stages play each other …", openTopp));
    if (told.topp_running && !told.topp) buttons.push(element("span", { class: "soft", role: "status" }, "Its stages are about to play each other …"));
    if (told.topp) buttons.push(element("a", { class: "button", href: `#tournament/${encodeURI(told.topp)}` }, told.topp_running ? "Watch the tournament of its stages" : "The tournament of its stages"));
    if (told.topp_complaint) buttons.push(element("span", { class: "bad" }, `Its tournament could not go on: ${told.topp_complaint}.`));
    if (told.saved.length > 1 && this.about?.game) buttons.push(element("button", { type: "button", click: () => this.play() }, "Play against it"));
    put(this.actions, ...buttons);
  }

  async order(path) {
    await this.trying(() => this.page.order(`runs/${encodeURIComponent(this.name)}/${path}`));
    this.page.ask();
  }

  async play() {
    const { name, options } = this.about.game;
    await this.trying(() => playAgainst(name, options, `run:${this.name}`));
  }

  /** Does something that the server may refuse; then the sentence is shown. @param {() => Promise<any>} act */
  async trying(act) {
    this.error.hidden = true;
    try {
      await act();
    } catch (error) {
      this.error.textContent = error.message;
      this.error.hidden = false;
    }
  }

  // ------------------------------------------------------------------------------------------------ curves

  showCurves() {
    const { rows } = this;
    const phases = [["truth", "all positions"], ["truth_opening", "opening"], ["truth_middle", "middle"], ["truth_end", "end"]];
    const on = (key) => (this.about?.positions?.[key] ? `of ${this.about.positions[key]}` : ""); // positions: two of them say little
    const wide = { left: 0, right: this.told.episodes };
    this.charts.truth.show(phases.map(([key, name], index) => ({ name, points: lineOf(rows, key), thin: index > 0, on: on(key) })), { ...wide, empty: rows.length ? NO_TRUTH : undefined });
    const losses = [["actor_loss", "policy"], ["critic_loss", "value"]];
    this.charts.losses.show(losses.map(([key, name]) => ({ name, points: lineOf(rows, key) })), wide);
    if (this.strength?.rows.some((row) => row.games)) this.charts.strength.show([strengthLine(this.strength)], { ...ELO, ...wide });
    else this.charts.strength.show([{ name: "score", points: againstLine(rows), dots: true }], wide);
  }

  // ------------------------------------------------------------------------------------------------ games

  /** Shows the latest game, if there is a newer one than is shown. */
  async latest() {
    const { told } = this;
    if (!this.following || !told || !told.games || told.games === this.shownGame || this.fetching || !told.can_resume) return;
    this.fetching = true;
    try {
      const game = await fetchJson(`${this.path}/games/latest`);
      this.noGame.hidden = true;
      this.shownGame = game.number;
      if (this.element.isConnected) this.replay.show(game, { play: told.state === "running" });
    } catch { // it is asked for again when the page asks for what is new, and says that the server does not answer
    } finally {
      this.fetching = false;
      this.showFollow();
    }
  }

  showFollow() { this.follow.hidden = this.following || this.told?.games === this.shownGame; }

  // ------------------------------------------------------------------------------------------------ settings

  async fillSettings() {
    if (!this.settings.open) return;
    const log = await fetchJson(`${this.path}/log`).catch(() => ({ text: "" }));
    const rows = (this.about?.settings ?? []).map(([name, value]) => element("tr", {}, element("th", { scope: "row" }, name), element("td", {}, value)));
    this.settings.replaceChildren(this.settings.firstElementChild, element("div", { class: "stack" },
      element("p", { class: "soft small" }, `Folder: ${this.about?.folder ?? ""}`),
      element("table", { class: "small" }, element("tbody", {}, ...rows)),
      log.text ? element("pre", { class: "log small", tabindex: 0, "aria-label": "Log" }, log.text) : ""));
  }

  close() { this.replay.pause(); }
}

/** The ratings of a training's networks over the games they have seen, with their intervals. @param {any} told a tournament */
export function strengthLine(told) {
  const points = told.rows.filter((row) => row.games && told.agents[row.agent].episode !== null)
    .map((row) => [told.agents[row.agent].episode, row.elo, ...row.elo_interval]);
  return { name: "Elo, the mean of all is 0", points: points.sort((a, b) => a[0] - b[0]), dots: true };
}

/** The scores against the network saved before, with their 95% intervals. @param {any[]} rows */
function againstLine(rows) {
  return rows.filter((row) => row.against_interval).map((row) => [row.episode, row.against_last, ...row.against_interval]);
}
