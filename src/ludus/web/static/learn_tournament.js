// One tournament, opened: standing, crosstable, the games of a pair, and any game replayed.

import { element } from "./bar.js";
import { fetchJson } from "./connection.js";
import { Chart } from "./curves.js";
import { strengthLine } from "./learn_run.js";
import { counted, percent, points, progressBar, put, rating, stateLabel } from "./learn_words.js";
import { Replay } from "./replay.js";

const LISTED = 40; // games of the list below the tables
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

export class TournamentView {
  constructor(page, key) {
    Object.assign(this, { page, key, records: [], mark: "", next: 0, told: null, pair: null, playing: null, following: true });
    this.path = `/api/learn/tournaments/${encodeURI(key)}`;
    this.head = element("div", { class: "stack tight" });
    this.actions = element("div", { class: "row" });
    this.error = element("p", { class: "note bad", role: "alert", hidden: true });
    this.standing = element("section", { class: "panel stack" });
    this.cross = element("section", { class: "panel stack" });
    this.games = element("section", { class: "panel stack" });
    this.chartPlace = element("section", { class: "panel", hidden: true });
    this.game = element("section", { class: "panel game", hidden: true });
    this.back = element("a", { href: "#" }, "← All tournaments");
    this.element = element("div", { class: "stack" }, element("p", {}, this.back), this.head, this.actions, this.error,
      element("div", { class: "opened" }, element("div", { class: "column" }, this.standing, this.cross, this.chartPlace), element("div", { class: "column game" }, this.game, this.games)));
    const inside = element("div", {});
    this.game.append(element("h2", {}, "Replay"), inside);
    this.replay = new Replay(inside, { label: "A game of the tournament", title: (game) => this.titleOf(game),
      ended: () => setTimeout(() => this.latest(), 1200), touched: () => { this.following = false; } });
    this.chart = new Chart(this.chartPlace, { title: "Strength over the games that each network has seen", x: "games of training", y: rating });
    document.title = "Tournament · Ludus";
  }

  async refresh() {
    const told = await fetchJson(`${this.path}?${new URLSearchParams({ mark: this.mark, after: String(this.next) })}`);
    const fresh = told.first ? told.records : [...this.records, ...told.records];
    const changed = !this.told || told.first || told.records.length > 0 || told.state !== this.told.state;
    Object.assign(this, { told, records: fresh, mark: told.mark, next: told.next });
    if (changed) this.show();
    if (!this.replay.timer) this.latest();
    return told.state === "running" || told.state === "stopping";
  }

  label(place) { return this.told.agents[place].label; }

  show() {
    const { told } = this;
    const title = told.topp ? `${told.title}: the stages of ${told.name}` : told.title;
    if (told.topp) Object.assign(this.back, { textContent: `← The training ${told.name}`, href: `#run/${encodeURIComponent(told.name)}` });
    put(this.head,
      element("div", { class: "row" }, element("h1", {}, title), element("span", { class: "soft" }, told.topp ? "" : told.name), stateLabel(told.state)),
      progressBar(told.games, told.state === "finished" ? null : told.total, "Games played"),
      element("p", { class: "soft numbers" }, told.total && told.state !== "finished" ? `${told.games} of ${told.total} games` : `${counted(told.games, "game")}, ${told.different_games} of them different`),
      element("p", { class: `note ${told.state === "failed" ? "bad" : ""}` }, told.verdict));
    this.showActions();
    this.showStanding();
    this.showCross();
    this.showGames();
    const line = strengthLine(told);
    this.chartPlace.hidden = line.points.length < 2;
    if (!this.chartPlace.hidden) this.chart.show([line]);
    this.page.setName(told.title);
  }

  showActions() {
    const { told } = this;
    const act = (text, path, main) => element("button", { type: "button", class: main ? "main" : "", click: () => this.order(path) }, text);
    const buttons = [];
    if (told.state === "running") buttons.push(told.by_page ? act("Stop", "stop", false) : element("span", { class: "soft" }, "It was started from the command line; Ctrl-C stops it there."));
    if (["stopped", "failed"].includes(told.state) && told.by_page) buttons.push(act("Go on", "resume", true));
    put(this.actions, ...buttons);
  }

  async order(path) {
    try {
      await this.page.order(`tournaments/${encodeURI(this.key)}/${path}`);
      this.error.hidden = true;
    } catch (error) {
      this.error.textContent = error.message;
      this.error.hidden = false;
    }
    this.page.ask();
  }

  // ------------------------------------------------------------------------------------------------ tables

  showStanding() {
    const { rows } = this.told;
    const ends = rows.filter((row) => row.games).flatMap((row) => row.elo_interval);
    const [low, high] = [Math.min(...ends, -1), Math.max(...ends, 1)];
    const head = ["", "Player", "Rating, 95% interval", "", "Points"];
    const body = rows.map((row, index) => {
      const played = row.games > 0;
      return element("tr", {}, element("td", { class: "soft" }, String(index + 1)), element("th", { scope: "row" }, capital(this.label(row.agent))),
        element("td", {}, ...(played ? [element("strong", {}, rating(row.elo)), element("span", { class: "soft small between" }, `${rating(row.elo_interval[0])} to ${rating(row.elo_interval[1])}`)] : ["–"])),
        element("td", {}, played ? whisker(row, low, high) : ""), element("td", {}, played ? `${points(row.wins + row.draws / 2)} of ${row.games} (${percent(row.score)})` : "–"));
    });
    const table = element("table", { class: "standing numbers" }, element("thead", {}, element("tr", {}, ...head.map((word) => (word ? element("th", { scope: "col" }, word) : element("td", {}))))), element("tbody", {}, ...body));
    put(this.standing, element("h2", {}, "Standing"), scrolling("Standing", table), element("p", { class: "soft small" }, `${this.told.topp ? "Stage 100 is the network after 100 games against itself. " : ""}Ratings are in Elo points, and the mean of all is 0. A player 100 points ahead scores about 64%.`));
  }

  showCross() {
    const { rows, pairs } = this.told;
    const order = rows.map((row) => row.agent);
    const known = new Map(pairs.map(([one, other, won, games]) => [`${one}-${other}`, { won, games }]));
    const cell = (one, other) => {
      const found = known.get(`${one}-${other}`);
      if (one === other) return element("td", { class: "self" }, "·");
      if (!found) return element("td", { class: "soft" }, "–");
      const name = `${capital(this.label(one))} against ${this.label(other)}: ${points(found.won)} of ${found.games} points`;
      const chosen = this.pair && this.pair[0] === one && this.pair[1] === other;
      const button = element("button", { type: "button", class: "cell", "data-pair": `${one}-${other}`, "aria-label": name, title: name, "aria-pressed": String(Boolean(chosen)) }, `${points(found.won)}/${found.games}`);
      button.style.setProperty("--share", `${Math.round((found.won / found.games) * 100)}%`);
      return element("td", {}, button);
    };
    const head = element("tr", {}, element("td", {}), ...order.map((one, index) => element("th", { scope: "col", title: this.label(one) }, element("span", { "aria-hidden": "true" }, String(index + 1)), element("span", { class: "unseen" }, this.label(one)))));
    const body = order.map((one, index) => element("tr", {}, element("th", { scope: "row" }, `${index + 1}. ${capital(this.label(one))}`), ...order.map((other) => cell(one, other))));
    put(this.cross, element("h2", {}, "Everybody against everybody"), scrolling("Crosstable", element("table", { class: "cross numbers" }, element("thead", {}, head), element("tbody", {}, ...body))),
      element("p", { class: "soft small" }, "Points of the row against the column. Choose a cell to see its games."));
    for (const button of this.cross.querySelectorAll("button.cell")) button.onclick = () => this.choosePair(button.dataset.pair.split("-").map(Number));
  }

  choosePair(pair) {
    this.pair = this.pair && this.pair[0] === pair[0] && this.pair[1] === pair[1] ? null : pair;
    this.showCross();
    this.showGames();
    this.cross.querySelector(`button[data-pair="${pair.join("-")}"]`)?.focus();
  }

  // ------------------------------------------------------------------------------------------------ games

  showGames() {
    const { pair, records } = this;
    const own = pair ? records.filter(([, one, other]) => pair.includes(one) && pair.includes(other)) : records;
    const listed = own.slice(-LISTED).reverse();
    const title = pair ? `Games of ${this.label(pair[0])} and ${this.label(pair[1])}` : "Games, the latest first";
    const rows = listed.map((record) => element("li", {}, element("button", { type: "button", class: "quiet game-row", "data-number": record[0], "aria-pressed": String(this.playing === record[0]), disabled: !this.told.can_replay }, this.gameInWords(record))));
    put(this.games, element("h2", {}, title), rows.length ? element("ol", { class: "game-list" }, ...rows) : element("p", { class: "soft" }, "No game is finished yet."),
      own.length > listed.length ? element("p", { class: "soft small" }, `The last ${listed.length} of ${own.length} games. Choose a cell of the table above for those of one pair.`) : "");
    for (const button of this.games.querySelectorAll("button.game-row")) button.onclick = () => this.choose(Number(button.dataset.number));
  }

  gameInWords([number, one, other, score, plies, end]) {
    const [first, second] = this.told.called;
    const sides = [`${this.label(one)} (${first})`, `${this.label(other)} (${second})`];
    const [winner, loser] = score < 0 ? sides.reverse() : sides;
    const how = end === "rules" ? `in ${counted(plies, "move")}` : `because the other one failed (${end})`;
    return `${number + 1}. ${capital(winner)} ${score ? "beat" : "drew with"} ${loser} ${how}`;
  }

  /** Shows the latest game as long as nobody has chosen another; while games are being played, move by move. */
  latest() {
    const number = this.records.at(-1)?.[0];
    if (!this.following || !this.told.can_replay || number === undefined || number === this.playing || !this.element.isConnected) return;
    this.open(number, this.told.state === "running");
  }

  choose(number) {
    this.following = false;
    this.open(number, true).then(() => {
      const motion = matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth";
      this.game.scrollIntoView({ block: "nearest", behavior: motion });
    });
  }

  async open(number, play) {
    this.playing = number;
    try {
      const game = await fetchJson(`${this.path}/games/${number}`);
      if (this.playing !== number) return; // another one has been chosen meanwhile
      this.game.hidden = false;
      this.replay.show(game, { play });
      this.showGames();
    } catch (error) {
      this.error.textContent = error.message;
      this.error.hidden = false;
    }
  }

  titleOf(game) {
    const [one, other] = game.names;
    return `Game ${game.number + 1}: ${capital(one)} (${game.called[0]}) against ${other} (${game.called[1]})`;
  }

  close() { this.replay.pause(); }
}

const scrolling = (name, table) => element("div", { class: "scrolls", tabindex: 0, role: "region", "aria-label": name }, table);

/** A rating with its interval as a dot on a line. @param {any} row @param {number} low @param {number} high */
function whisker(row, low, high) {
  const NS = "http://www.w3.org/2000/svg";
  const picture = document.createElementNS(NS, "svg");
  const place = (elo) => ((elo - low) / (high - low)) * 112 + 4;
  for (const [name, value] of Object.entries({ viewBox: "0 0 120 16", class: "whisker", "aria-hidden": "true" })) picture.setAttribute(name, value);
  const add = (tag, attributes) => {
    const made = document.createElementNS(NS, tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
    picture.append(made);
  };
  add("line", { x1: place(0), x2: place(0), y1: 0, y2: 16, class: "zero" });
  add("line", { x1: place(row.elo_interval[0]), x2: place(row.elo_interval[1]), y1: 8, y2: 8, class: "span" });
  add("circle", { cx: place(row.elo), cy: 8, r: 4 });
  return picture;
}
