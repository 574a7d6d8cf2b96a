// Past trainings side by side: their curves in one picture, and the settings in which they differ.

import { element, remember, remembered } from "./bar.js";
import { fetchJson } from "./connection.js";
import { Chart } from "./curves.js";
import { lineOf } from "./learn_run.js";
import { duration, percent, put, stateLabel } from "./learn_words.js";

const AXES = { games: { x: "games", across: (row) => row.episode, write: String }, time: { x: "minutes", across: (row) => row.seconds / 60, write: (value) => String(Math.round(value * 10) / 10) } };

export class Comparison {
  constructor(page, names) {
    this.page = page;
    this.runs = names.map((name) => ({ name, rows: [], mark: "", next: 0, about: null, aboutMark: "", told: null }));
    this.axis = remembered("learn.axis", "games") in AXES ? remembered("learn.axis", "games") : "games";
    const places = [element("section", { class: "panel" }), element("section", { class: "panel" })];
    const axis = (name, text) => element("button", { type: "button", "aria-pressed": String(this.axis === name), click: (event) => this.choose(name, event.target) }, text);
    this.axes = element("div", { class: "row", role: "group", "aria-label": "Across" }, element("span", { class: "soft" }, "Compare by"), axis("games", "games played"), axis("time", "time taken"));
    this.summary = element("div", { class: "cards" });
    this.settings = element("section", { class: "panel stack" });
    this.unlike = element("p", { class: "note", hidden: true }, "These trainings did not learn the same game. Their curves stand on different positions, so which of them is higher says nothing about who learned more.");
    this.element = element("div", { class: "stack" }, element("p", {}, element("a", { href: "#" }, "← All trainings")), element("h1", {}, "Side by side"), this.axes, this.unlike,
      element("div", { class: "pair-of-charts" }, ...places), this.summary, this.settings);
    this.charts = [new Chart(places[0], { title: "How often the first choice keeps the true result", x: "games", y: percent, low: 0, high: 1, ticks: 5 }),
      new Chart(places[1], { title: "Loss of the policy", x: "games", y: (value) => value.toFixed(2), low: 0 })];
    document.title = `${names.join(", ")} · Ludus`;
  }

  choose(name, button) {
    this.axis = name;
    remember("learn.axis", name);
    for (const one of this.axes.querySelectorAll("button")) one.setAttribute("aria-pressed", String(one === button));
    this.show();
  }

  async refresh() {
    await Promise.all(this.runs.map((run) => this.refreshRun(run)));
    this.show();
    return this.runs.some((run) => run.told.state === "running");
  }

  async refreshRun(run) {
    const query = new URLSearchParams({ mark: run.mark, after: String(run.next), about: run.aboutMark });
    const told = await fetchJson(`/api/learn/runs/${encodeURIComponent(run.name)}?${query}`);
    run.rows = told.first ? told.rows : [...run.rows, ...told.rows];
    Object.assign(run, { told, mark: told.mark, next: told.next, aboutMark: told.about_mark, about: told.about ?? run.about });
  }

  show() {
    const { x, across, write } = AXES[this.axis];
    this.unlike.hidden = new Set(this.runs.map(({ told }) => told.title)).size === 1;
    ["truth", "actor_loss"].forEach((key, index) => {
      this.charts[index].show(this.runs.map((run, color) => ({ name: run.name, color, points: lineOf(run.rows, key, across) })), { x, across: write, left: 0 });
    });
    put(this.summary, ...this.runs.map(({ told }) => element("article", { class: "panel card" },
      element("h2", {}, element("a", { href: `#run/${encodeURIComponent(told.name)}` }, told.name)),
      element("p", { class: "sub soft small" }, `${told.title}, ${told.episode} games, ${duration(told.seconds)}`, stateLabel(told.state)), element("p", { class: "say" }, told.sentence))));
    this.showSettings();
  }

  showSettings() {
    const tables = this.runs.map((run) => new Map(run.about?.settings ?? []));
    const names = [...new Set(tables.flatMap((table) => [...table.keys()]))];
    const differing = names.filter((name) => new Set(tables.map((table) => table.get(name))).size > 1);
    const head = element("tr", {}, element("th", { scope: "col" }, "Setting"), ...this.runs.map((run) => element("th", { scope: "col" }, run.name)));
    const rows = differing.map((name) => element("tr", {}, element("th", { scope: "row" }, name), ...tables.map((table) => element("td", {}, table.get(name) ?? "–"))));
    put(this.settings, element("h2", {}, "Where their settings differ"), differing.length
      ? element("div", { class: "scrolls", tabindex: 0, role: "region", "aria-label": "Settings that differ" }, element("table", {}, element("thead", {}, head), element("tbody", {}, ...rows)))
      : element("p", { class: "soft" }, "In nothing: they were begun with the same settings."));
  }
}
