// The dialog for a new game: which game, who plays, which side, how long. It remembers the last choice.

import { element, remember, remembered } from "./bar.js";
import { fetchJson } from "./connection.js";
import { changedOptions, labelled, optionField, select } from "./fields.js";
import { openDialog } from "./keys.js";

const CLOCKS = [["", "No clock"], ["15+1", "15 s + 1 s a move"], ["60+2", "1 min + 2 s a move"], ["300+5", "5 min + 5 s a move"], ["2/move", "2 s a move"], ["10/move", "10 s a move"]];
const MAIN = ["size", "stones", "width", "height"];

export class SetupDialog {
  constructor(page) {
    this.page = page;
    this.games = null;
    /** @type {string | null | undefined} the table before the game that was asked for; undefined if none was */
    this.waiting = undefined;
  }

  async open() {
    this.waiting = undefined;
    try {
      this.games ??= await fetchJson("/api/games");
    } catch (error) {
      this.page.say(error.message);
      return;
    }
    const told = this.page.told;
    this.chosen = { game: told?.game.name ?? "hex", options: { ...told?.game.options }, sides: "first", opponent: "", other: "", clock: "", ...remembered("setup", {}), };
    if (told) Object.assign(this.chosen, { game: told.game.name, options: { ...told.game.options } });
    this.form = element("form", { class: "setup", method: "dialog", submit: (event) => this.start(event) });
    this.dialog = openDialog("New game", this.form);
    this.draw();
    this.form.querySelector("input[name=game]:checked")?.focus();
  }

  /** The game that was asked for has begun. @param {import("./messages.js").TableTold} told */
  begun(told) {
    if (this.waiting === undefined || told.table === this.waiting) return;
    this.waiting = undefined;
    this.dialog.close();
    this.page.slide(false);
    this.page.board.focus(); // the first move is the next thing to do
  }

  /** It could not begin: the dialog says why. @param {string} sentence @returns {boolean} whether that was it */
  refused(sentence) {
    if (this.waiting === undefined || !this.dialog.open) return false;
    this.waiting = undefined;
    this.form.querySelector("#setup-note").textContent = sentence;
    return true;
  }

  /** Somebody else takes the seats, in the middle of a game. */
  async changePlayers() {
    const { told } = this.page;
    let listed;
    try {
      listed = await fetchJson(`/api/opponents?${new URLSearchParams({ game: told.game.name, options: JSON.stringify(told.game.options) })}`);
    } catch (error) {
      this.page.say(error.message);
      return;
    }
    const seats = told.seats.map((seat) => seat.key);
    const others = told.seats.filter((seat) => seat.key !== "person" && !listed.some((one) => one.key === seat.key)).map((seat) => [seat.key, seat.name]);
    const people = [["person", "A person"], ...listed.map((one) => [one.key, one.name]), ...others];
    const fields = told.game.players.map((player, index) => labelled(player, select(people, seats[index], (key) => { seats[index] = key; })));
    const form = element("form", { class: "setup", method: "dialog", submit: () => this.page.ask("sit", { seats }) }, ...fields, element("button", { class: "main", type: "submit" }, "Go on like this"));
    openDialog("Who plays?", form);
  }

  get game() { return this.games.find((game) => game.name === this.chosen.game) ?? this.games[0]; }

  async draw() {
    const { game, chosen } = this;
    const options = game.choices.filter((choice) => MAIN.includes(choice.name));
    const rest = game.choices.filter((choice) => !MAIN.includes(choice.name));
    this.opponents = element("div", { class: "stack" });
    this.form.replaceChildren(
      choices("Game", "game", this.games.map((one) => [one.name, one.title]), chosen.game, (value) => this.pick(value)),
      element("p", { class: "about" }, game.aim),
      options.length ? element("div", { class: "pair" }, ...options.map((choice) => this.field(choice))) : "",
      choices("You play", "sides", [["first", game.players[0]], ["second", game.players[1]], ["both", "Both, on one screen"], ["none", "Nobody: watch two machines"]], chosen.sides, (value) => { chosen.sides = value; this.drawOpponents(); }),
      this.opponents,
      choices("Clock", "clock", CLOCKS, chosen.clock, (value) => { chosen.clock = value; }),
      rest.length ? element("details", {}, element("summary", {}, "Rules"), element("div", { class: "pair" }, ...rest.map((choice) => this.field(choice)))) : "",
      element("div", { class: "row begin" }, element("button", { class: "main", type: "submit" }, "Begin"), element("p", { class: "soft", role: "status", id: "setup-note" })),
    );
    await this.drawOpponents();
  }

  pick(name) {
    this.chosen.game = name;
    this.chosen.options = {};
    this.draw().then(() => this.form.querySelector(`input[name=game][value="${name}"]`)?.focus());
  }

  /** The field of one option of the game. */
  field(choice) {
    return optionField(this.game, choice, this.chosen.options[choice.name] ?? choice.usual, (given) => {
      this.chosen.options[choice.name] = given;
      this.drawOpponents();
    });
  }

  /** The opponents for the game as it is chosen now. */
  async drawOpponents() {
    const { chosen } = this;
    const query = new URLSearchParams({ game: chosen.game, options: JSON.stringify(changedOptions(this.game, chosen.options)) });
    const note = this.form.querySelector("#setup-note");
    const asked = (this.asked = {}); // an answer to an earlier question may come later than this one's
    let found;
    try {
      found = await fetchJson(`/api/opponents?${query}`);
      if (asked !== this.asked) return;
      note.textContent = "";
    } catch (error) {
      if (asked === this.asked) note.textContent = error.message;
      return;
    }
    this.listed = found;
    const usual = found[Math.min(1, found.length - 1)]?.key ?? "";
    for (const seat of ["opponent", "other"]) if (!found.some((one) => one.key === chosen[seat]) && !chosen[seat].startsWith("search:")) chosen[seat] = usual;
    const rows = chosen.sides === "both" ? [] : chosen.sides === "none" ? [["opponent", `${this.game.players[0]} is played by`], ["other", `${this.game.players[1]} is played by`]] : [["opponent", "Against"]];
    this.opponents.replaceChildren(...rows.map(([seat, title]) => this.opponentField(seat, title)));
  }

  opponentField(seat, title) {
    const { chosen, listed } = this;
    const groups = [...new Set(listed.map((one) => one.group))];
    const own = chosen[seat].startsWith("search:");
    const about = element("p", { class: "about soft small" });
    const text = element("input", { type: "text", value: own ? chosen[seat].slice(7) : "mcts:seconds=2", maxlength: 120, change: (event) => { chosen[seat] = `search:${event.target.value}`; } });
    const hand = labelled("A search of your own, as text", text);
    const tell = () => {
      about.textContent = listed.find((one) => one.key === chosen[seat])?.about ?? "As on the command line, such as mcts:seconds=2, alphabeta:depth=6 or random.";
      hand.hidden = !chosen[seat].startsWith("search:");
    };
    const field = element("select", { change: (event) => { chosen[seat] = event.target.value === "search:" ? `search:${text.value}` : event.target.value; tell(); } },
      ...groups.map((group) => element("optgroup", { label: group }, ...listed.filter((one) => one.group === group).map((one) => element("option", { value: one.key, selected: one.key === chosen[seat] }, one.name)))),
      element("optgroup", { label: "Your own" }, element("option", { value: "search:", selected: own }, "A search of your own …")));
    tell();
    return element("div", { class: "stack" }, labelled(title, field), hand, about);
  }

  start(event) {
    event.preventDefault();
    const { chosen } = this;
    const seats = { first: ["person", chosen.opponent], second: [chosen.opponent, "person"], both: ["person", "person"], none: [chosen.opponent, chosen.other] }[chosen.sides];
    remember("setup", { sides: chosen.sides, opponent: chosen.opponent, other: chosen.other, clock: chosen.clock });
    this.waiting = this.page.told?.table ?? null;
    this.page.ask("new", { game: chosen.game, options: changedOptions(this.game, chosen.options), seats, clock: chosen.clock || null, visitor: this.page.visitor });
  }
}

function choices(title, name, pairs, chosen, pick) {
  return element("fieldset", { class: "choices" }, element("legend", {}, title),
    ...pairs.map(([value, text]) => element("label", {}, element("input", { type: "radio", name, value, checked: value === chosen, change: () => pick(value) }), text)));
}
