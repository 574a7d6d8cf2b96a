// Share, save, load, kept games, and how the board looks.

import { element, remember, remembered } from "./bar.js";
import { fetchJson } from "./connection.js";
import { keysDialog, openDialog } from "./keys.js";

const LOOKS = [["flipped", "Turned round"], ["letters", "Letters on the stones"], ["coordinates", "Coordinates"]];

const FOCUSABLE = "button, a, summary, input:not([type=file])";

export class More {
  constructor(page) {
    this.page = page;
    this.box = document.getElementById("more");
  }

  show(told) {
    if (!told) return;
    const shown = JSON.stringify([told.table, told.game.files, told.position.layout, this.page.board.chosen]);
    if (shown !== this.shown) this.draw(told); // else its buttons keep the focus
    this.shown = shown;
    for (const save of this.box.querySelectorAll("a[data-kind]")) save.href = `/api/tables/${told.table}.${save.dataset.kind}?node=${told.node}`;
  }

  draw(told) {
    const held = [...this.box.querySelectorAll(FOCUSABLE)].indexOf(document.activeElement);
    const button = (title, act) => element("button", { type: "button", click: act }, title);
    const saves = told.game.files.map((kind) => element("a", { class: "button", "data-kind": kind, download: true }, `Save ${kind.toUpperCase()}`));
    this.file = element("input", { type: "file", accept: ".sgf,.json,.jsonl", class: "unseen", tabindex: "-1", "aria-label": "Game file", change: () => this.load() });
    this.box.replaceChildren(
      element("div", { class: "row" }, button("Copy link", () => this.copy()), ...saves, button("Load", () => this.file.click()), this.file,
        button("Change players", () => this.page.setup.changePlayers()), button("Kept games", () => this.kept()), button("Keys", () => keysDialog())),
      element("details", { open: this.box.querySelector("details")?.open }, element("summary", {}, "How it looks"), element("div", {}, ...this.looks())));
    if (held >= 0) this.box.querySelectorAll(FOCUSABLE)[held]?.focus();
  }

  looks() {
    const { board, told } = this.page;
    const turned = told.position.layout && this.page.layouts[told.position.layout]?.turned;
    const rows = turned ? [["flat", "Rows lie flat"], ...LOOKS] : LOOKS;
    const box = (title, checked, change) => element("label", { class: "check" }, element("input", { type: "checkbox", checked, change }), title);
    return [...rows.map(([name, title]) => box(title, board.chosen[name], () => this.page.option(name))),
      box("Sound", remembered("sound", false), (event) => remember("sound", event.target.checked))];
  }

  async copy() {
    const address = `${location.origin}/#${this.page.told.link}`;
    try {
      await navigator.clipboard.writeText(address);
      this.page.say("The link is copied: whoever opens it sees this game.");
    } catch {
      openDialog("Link to this game", element("p", {}, element("input", { type: "text", value: address, readonly: true, "aria-label": "Link" })));
    }
  }

  async load() {
    const [file] = this.file.files;
    if (!file) return;
    try {
      const { table } = await fetchJson(`/api/tables?visitor=${this.page.visitor}`, { method: "POST", body: await file.arrayBuffer() });
      this.page.ask("open", { table });
    } catch (error) {
      this.page.say(error.message, 9000);
    }
    this.file.value = "";
  }

  async kept() {
    let rows;
    try {
      rows = await fetchJson(`/api/tables?visitor=${this.page.visitor}`);
    } catch (error) {
      this.page.say(error.message);
      return;
    }
    const list = element("ul", { class: "kept" }, ...rows.map((row) => element("li", {}, element("button", { type: "button", click: () => { this.page.ask("open", { table: row.table }); dialog.close(); } },
      element("span", {}, `${row.title}: ${row.names.join(" – ")}`, element("span", { class: "soft small when" }, whenOf(row.changed))),
      element("span", { class: "soft small" }, `${row.moves} ${row.moves === 1 ? "move" : "moves"}. ${row.sentence}`)))));
    const dialog = openDialog("Kept games", rows.length ? list : element("p", {}, "No games yet."));
  }
}

/** When a game was played last: the time of today, or a date. @param {number} seconds since 1970 */
function whenOf(seconds) {
  const then = new Date(seconds * 1000);
  const today = then.toDateString() === new Date().toDateString();
  return today ? `today ${then.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" })}` : then.toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric" });
}
