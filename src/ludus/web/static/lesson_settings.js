// The settings above the stage: game, rule and the sliders; start position and seed behind a button. Whatever is
// changed makes a new lesson.

import { element } from "./bar.js";
import { fetchJson } from "./connection.js";
import { labelled } from "./fields.js";
import { openDialog } from "./keys.js";
import { RULES } from "./lesson_link.js";

/** @typedef {import("./lesson_link.js").Settings} Settings */

const SLIDERS = {
  c: { label: "c", about: "exploration", min: 0, max: 3, step: 0.1 },
  epsilon: { label: "ε", about: "chance of any child", min: 0, max: 1, step: 0.05 },
  k: { label: "k", about: "visits at which RAVE counts half", min: 0, max: 200, step: 5 },
};

export class SettingsForm {
  /** @param {HTMLFormElement} form @param {(settings: Settings) => Promise<string|null>} changed says why, if it cannot be
   * @param {(sentence: string) => void} tell */
  constructor(form, changed, tell) {
    Object.assign(this, { form, changed, tell, games: [] });
    form.addEventListener("submit", (event) => event.preventDefault());
  }

  async load() {
    this.games = (await fetchJson("/api/lessons")).games;
  }

  /** @param {Settings} settings @param {{fitting?: string|null, title?: string}} [about] the network that fits the game, the game's title */
  show(settings, { fitting = null, title = settings.game } = {}) {
    Object.assign(this, { settings, fitting, title });
    const { lesson, game, options, rule, priors, depth, pruning, ordering } = settings;
    const fields = JSON.stringify([lesson, game, options, rule, priors, depth, pruning, ordering, fitting, title]);
    if (fields === this.fields) return this.moveSliders();
    this.fields = fields;
    const held = this.form.contains(document.activeElement) ? document.activeElement.name : null;
    const parts = settings.lesson === "mcts" ? this.mctsFields() : this.alphabetaFields();
    this.form.replaceChildren(this.gameField(), ...parts, element("button", { type: "button", name: "more", click: () => this.more() }, "Position…"));
    if (held) this.form.elements.namedItem(held)?.focus();
  }

  /** Everything else is as before; whoever holds a slider keeps it in hand. */
  moveSliders() {
    for (const key of Object.keys(SLIDERS)) {
      const slider = this.form.elements.namedItem(key);
      if (!slider || slider === document.activeElement) continue;
      slider.value = String(this.settings[key]);
      slider.parentElement.querySelector("output").textContent = String(this.settings[key]);
    }
  }

  /** Other settings; what is wrong with them is told. */
  async change(part) {
    const sentence = await this.changed({ ...this.settings, ...part });
    if (sentence) this.tell(sentence);
  }

  gameField() {
    const { game, options } = this.settings;
    const text = (one) => JSON.stringify([one.game, one.options]);
    const chosen = text({ game, options });
    const known = this.games.some((one) => text(one) === chosen);
    const listed = known ? this.games : [...this.games, { title: titleWith(this.title, options), game, options }];
    const choose = (event) => {
      const one = listed[event.target.selectedIndex];
      const fitting = this.settings.lesson === "alphabeta" ? one.alphabeta : {}; // a depth and a position with a tree that can be drawn
      this.change({ game: one.game, options: one.options, moves: "", priors: "even", ...fitting });
    };
    return unlabelled("Game", element("select", { name: "game", change: choose }, ...listed.map((one) => element("option", { selected: text(one) === chosen }, one.title))));
  }

  mctsFields() {
    const { rule, priors } = this.settings;
    const choose = (event) => this.change({ rule: event.target.value, c: RULES[event.target.value].c, priors: "even" });
    const rules = Object.entries(RULES).map(([key, { name }]) => element("option", { value: key, selected: key === rule }, name));
    const fields = [unlabelled("Rule of selection", element("select", { name: "rule", change: choose }, ...rules))];
    for (const key of RULES[rule].uses) if (SLIDERS[key]) fields.push(this.slider(key));
    if (RULES[rule].uses.includes("priors") && (this.fitting || priors === "network")) {
      const options = [["even", "even priors"], ["network", `priors of ${this.fitting ?? "a network"}`]];
      fields.push(unlabelled("Priors", element("select", { name: "priors", change: (event) => this.change({ priors: event.target.value }) }, ...options.map(([value, name]) => element("option", { value, selected: value === priors }, name)))));
    }
    return fields;
  }

  alphabetaFields() {
    const { depth, pruning, ordering } = this.settings;
    const choose = (event) => { if (event.target.reportValidity()) this.change({ depth: Number(event.target.value) }); };
    return [
      labelled("Depth", element("input", { type: "number", name: "depth", min: 1, max: 12, value: depth, required: true, change: choose })),
      this.check("pruning", "Pruning", pruning, false),
      this.check("ordering", "Good moves first", ordering, !pruning),
    ];
  }

  check(name, label, checked, disabled) {
    return element("label", { class: "check" }, element("input", { type: "checkbox", name, checked, disabled, change: (event) => this.change({ [name]: event.target.checked }) }), label);
  }

  slider(key) {
    const { label, about, min, max, step } = SLIDERS[key];
    const shown = element("output", { class: "numbers" }, String(this.settings[key]));
    const move = (event) => {
      shown.textContent = event.target.value;
      clearTimeout(this.waiting);
      this.waiting = setTimeout(() => this.change({ [key]: Number(event.target.value) }), 150);
    };
    const input = element("input", { type: "range", name: key, min, max: Math.max(max, this.settings[key]), step, value: this.settings[key], input: move, title: about });
    return element("label", { class: "field slider" }, element("span", {}, `${label} = `, shown), input);
  }

  /** Start position, seed and a link to this moment. */
  more() {
    const { moves, seed, lesson } = this.settings;
    const position = element("input", { type: "text", name: "moves", value: moves.replaceAll(".", " "), maxlength: 500, placeholder: "b2 a1", autocomplete: "off" });
    const dice = element("input", { type: "number", name: "seed", value: seed, min: 0, max: 2 ** 32 });
    const note = element("p", { class: "bad", role: "alert" });
    const apply = async (event) => {
      event.preventDefault();
      const wanted = { moves: position.value.trim().split(/[\s,.]+/).filter(Boolean).join("."), seed: Math.max(0, Math.floor(Number(dice.value)) || 0) };
      const sentence = await this.changed({ ...this.settings, ...wanted });
      note.textContent = sentence ? asSentence(sentence) : "";
      if (sentence) return position.focus();
      dialog.close();
      this.form.elements.namedItem("more").focus();
    };
    const form = element("form", { class: "stack", submit: apply },
      labelled("Moves before the lesson begins", position),
      ...(lesson === "mcts" ? [labelled("Seed of the random numbers", dice)] : []),
      element("p", { class: "soft" }, "The address of this page holds the whole moment: copy it to share it."),
      element("div", { class: "row" }, element("button", { class: "main", type: "submit" }, "Begin"), note));
    const dialog = openDialog("Position and seed", form);
    position.focus();
  }
}

/** A complaint as a sentence: with a capital letter, unless it begins with a move such as b2, and a full stop. @param {string} text */
export function asSentence(text) {
  const begun = /^\p{L}\d/u.test(text) ? text : text[0].toUpperCase() + text.slice(1);
  return /[.?!]$/.test(begun) ? begun : `${begun}.`;
}

/** A game's title with the options that it does not tell. */
function titleWith(title, options) {
  const untold = Object.entries(options).filter(([key]) => !["size", "width", "height"].includes(key));
  return [title, ...untold.map(([key, value]) => `${key} ${value}`)].join(", ");
}

/** A field that says itself what it is; its label is for those who cannot see it. */
function unlabelled(title, input) {
  const made = labelled(title, input);
  made.firstChild.className = "unseen";
  return made;
}
