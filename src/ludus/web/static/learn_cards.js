// The overview: a card for every training and every tournament in the runs folder.

import { element } from "./bar.js";
import { fetchJson } from "./connection.js";
import { sparkline } from "./curves.js";
import { openTournamentForm, openTrainingForm } from "./learn_start.js";
import { ago, counted, duration, gamesOf, percent, progressBar, put, stateLabel } from "./learn_words.js";

export class Overview {
  constructor(page) {
    this.page = page;
    this.cards = new Map();
    this.chosen = new Set();
    this.busy = element("p", { class: "soft" });
    this.trainings = element("div", { class: "cards" });
    this.tournaments = element("div", { class: "cards" });
    this.compare = element("div", { class: "compare-bar", hidden: true });
    this.nothing = element("p", { class: "soft" }, "Nothing has learned here yet. A small training takes less than a minute.");
    this.noTournament = element("p", { class: "soft" }, "No tournament yet. Let levels, networks and your own trainings meet each other.");
    const head = (title, text, act, main) => element("div", { class: "row spread" }, element("h2", {}, title), element("button", { type: "button", class: main ? "main" : "", click: act }, text));
    this.element = element("div", { class: "stack overview" },
      element("div", { class: "intro" }, element("h1", {}, "Watch it learn"),
        element("p", { class: "soft" }, "A network that knows only the rules plays against itself and learns from these games. On small boards an exact solver knows every answer, so you see how close it comes to perfect play.")),
      element("section", { class: "stack", "aria-label": "Trainings" }, head("Trainings", "Start a training", () => openTrainingForm(page), true), this.nothing, this.trainings),
      element("section", { class: "stack", "aria-label": "Tournaments" }, head("Tournaments", "Start a tournament", () => openTournamentForm(page), false), this.noTournament, this.tournaments),
      this.busy, this.compare);
    document.title = "Learn · Ludus";
  }

  async refresh() {
    const told = await fetchJson("/api/learn");
    this.fill(this.trainings, told.trainings, (card) => `run/${card.name}`, (card) => this.training(card));
    this.fill(this.tournaments, told.tournaments, (card) => `tournament/${card.key}`, (card) => this.tournament(card));
    this.nothing.hidden = told.trainings.length > 0;
    this.noTournament.hidden = told.tournaments.length > 0;
    this.busy.textContent = told.busy >= told.most ? `${told.busy} of at most ${told.most} are at work on this machine. Others can start when one is finished.` : "";
    this.runs = new Set(told.trainings.map((card) => card.name));
    return [...told.trainings, ...told.tournaments].some((card) => card.state === "running" || card.state === "stopping");
  }

  /** Keeps the cards that are there, so that nothing loses the focus. */
  fill(place, cards, addressOf, parts) {
    const shown = cards.map((card) => {
      const address = addressOf(card);
      if (!this.cards.has(address)) this.cards.set(address, this.emptyCard(address));
      const one = this.cards.get(address);
      const { title, sub, middle, foot } = parts(card);
      put(one.title, title);
      put(one.sub, sub, stateLabel(card.state));
      put(one.middle, ...middle);
      put(one.foot, ...foot);
      one.article.classList.toggle("live", card.state === "running");
      return one.article;
    });
    if (shown.length !== place.children.length || shown.some((article, index) => place.children[index] !== article)) place.replaceChildren(...shown);
  }

  emptyCard(address) {
    const title = element("a", { class: "opens", href: `#${encodeURI(address)}` });
    const one = { title, sub: element("p", { class: "sub soft small" }), middle: element("div", { class: "stack tight" }), foot: element("div", { class: "foot soft small numbers" }) };
    one.article = element("article", { class: "panel card" }, element("h3", {}, title), one.sub, one.middle, one.foot);
    if (address.startsWith("run/")) one.article.append(this.comparing(address.slice(4)));
    return one;
  }

  training(card) {
    const values = card.curve.map(([, y]) => y);
    const shares = card.what === "true results kept";
    const curve = card.curve.length > 1 ? [sparkline(card.curve, shares ? 0 : Math.min(...values), shares ? 1 : Math.max(...values)),
      element("p", { class: "soft small" }, shares ? `True results kept, from ${percent(values[0])} on` : `Loss of the policy, from ${values[0].toFixed(2)} on`)] : [];
    const left = card.state === "running" && card.seconds_left ? `, about ${duration(card.seconds_left)} left` : "";
    return {
      title: card.title, sub: card.name,
      middle: [...curve, element("p", { class: "say" }, card.sentence)],
      foot: [progressBar(card.progress, card.state === "finished" ? null : 1, `${card.name}: progress`),
        `${gamesOf(card)}${left || `, ${ago(card.changed)}`}`],
    };
  }

  tournament(card) {
    const bars = card.scores.map(([label, score]) => {
      const full = element("span", {});
      full.style.width = percent(score);
      return element("li", {}, element("span", { class: "who" }, label), element("span", { class: "share" }, full), element("span", { class: "numbers" }, percent(score)));
    });
    return {
      title: card.topp ? `${card.title}: the stages of ${card.name}` : card.title,
      sub: card.topp ? `${counted(card.players.length, "network")} of one training` : `${card.name} · ${counted(card.players.length, "player")}`,
      middle: [element("ul", { class: "bars small" }, ...bars), element("p", { class: "say" }, card.sentence)],
      foot: [progressBar(card.games, card.state === "finished" ? null : card.total, `${card.name}: games played`),
        card.total && card.state !== "finished" ? `${card.games} of ${card.total} games` : `${counted(card.games, "game")}, ${ago(card.changed)}`],
    };
  }

  // ------------------------------------------------------------------------------------------------ side by side

  comparing(name) {
    const box = element("input", { type: "checkbox", change: () => {
      if (box.checked) this.chosen.add(name);
      else this.chosen.delete(name);
      this.showCompare();
    } });
    return element("label", { class: "check small" }, box, element("span", {}, "Compare ", element("span", { class: "unseen" }, name)));
  }

  showCompare() {
    const names = [...this.chosen].filter((name) => this.runs.has(name)).slice(0, 6);
    this.compare.hidden = names.length === 0;
    this.compare.replaceChildren(names.length < 2 ? element("p", {}, "Choose another training to compare it with.")
      : element("a", { class: "button main", href: `#compare/${names.map(encodeURIComponent).join(",")}` }, `Compare ${names.length} trainings`));
  }
}
