// The learn page: which part of it is open, and asking the server again and again for what is new. The address says what
// is open: #run/hex4, #tournament/cup, #compare/hex4,hex5, or nothing for the overview.

import { element, makeBar } from "./bar.js";
import { fetchJson } from "./connection.js";
import { Overview } from "./learn_cards.js";
import { Comparison } from "./learn_compare.js";
import { TrainingView } from "./learn_run.js";
import { TournamentView } from "./learn_tournament.js";

const PACE = 1000, CALM = 3000; // milliseconds between questions while something goes on, and while nothing does

class LearnPage {
  constructor() {
    this.setName = makeBar();
    this.main = document.getElementById("main");
    this.lost = element("p", { class: "note bad", role: "status", hidden: true });
    this.place = element("div", { class: "learn" });
    this.main.append(this.lost, this.place);
    this.timer = null;
    window.addEventListener("hashchange", () => this.open());
    document.addEventListener("visibilitychange", () => { if (!document.hidden) this.ask(); });
    this.open();
  }

  /** Opens what the address names. */
  open() {
    if (location.hash === "#main" && this.view) return; // the link for those who skip the bar
    const [kind, ...rest] = addressed().split("/");
    const name = rest.join("/");
    this.view?.close?.();
    this.view = kind === "run" && name ? new TrainingView(this, name) : kind === "tournament" && name ? new TournamentView(this, name)
      : kind === "compare" && name ? new Comparison(this, name.split(",").filter(Boolean).slice(0, 6)) : new Overview(this);
    this.place.replaceChildren(this.view.element);
    this.setName("");
    window.scrollTo(0, 0);
    this.ask();
  }

  /** Lets the open part ask for what is new, and again after a while as long as somebody looks. */
  async ask() {
    clearTimeout(this.timer);
    const view = this.view;
    let busy = false;
    try {
      busy = await view.refresh();
      this.lost.hidden = true;
      this.place.classList.remove("missing");
    } catch (error) {
      this.lost.textContent = error.status ? error.message : `${error.message} Trying again.`;
      this.place.classList.toggle("missing", error.status >= 400 && error.status < 500);
      this.lost.hidden = false;
      if (!(error instanceof Error) || error instanceof TypeError) console.error(error);
    }
    if (view === this.view && !document.hidden) this.timer = setTimeout(() => this.ask(), busy ? PACE : CALM);
  }

  /** Sends an order; a refusal is an error with its sentence. @param {string} path @param {object} [order] */
  async order(path, order = {}) {
    const answer = await fetchJson(`/api/learn/${path}`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(order) });
    return answer;
  }
}

function addressed() {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch { // an address that was cut off
    return "";
  }
}

new LearnPage();
