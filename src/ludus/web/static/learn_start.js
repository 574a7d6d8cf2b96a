// The forms that start something: a training, a training that goes further, a TOPP, a tournament. The server checks them.

import { element } from "./bar.js";
import { fetchJson } from "./connection.js";
import { changedOptions, labelled, optionField, select, wholeNumber } from "./fields.js";
import { openDialog } from "./keys.js";
import { counted } from "./learn_words.js";

const PRESETS = [ // the times were measured on one free core
  { title: "Tic-tac-toe", about: "The quickest: about ten seconds.", game: "tic_tac_toe", options: {}, episodes: 200 },
  { title: "Nim", about: "Will it find the rule that mathematicians know? About ten seconds.", game: "nim", options: {}, episodes: 300 },
  { title: "Hex 4×4", about: "A small board whose every answer is known. About half a minute.", game: "hex", options: { size: 4 }, episodes: 400 },
  { title: "Hex 5×5", about: "Richer, and still solved. About three minutes.", game: "hex", options: { size: 5 }, episodes: 2000 },
  { title: "Othello 6×6", about: "Discs that turn. A minute or two.", game: "othello", options: { size: 6 }, episodes: 400 },
  { title: "Connect Four", about: "The hardest of these: about five minutes for a beginner's play.", game: "connect_four", options: {}, episodes: 2500 },
];
const RECIPES = [["classic", "Classic: rollouts first, then its own judgement"], ["zero", "Zero: its own judgement only"], ["textbook", "Textbook: rollouts only, one game after the other"]];
const NETWORKS = [["small", "Small"], ["usual", "Usual"], ["large", "Large"]];
const USUAL = { episodes: 400, simulations: null, recipe: "classic", network: "usual", checkpoints: 6, seed: 0, name: "" };

let games = null;

/** A dialog with a form, whose order is sent by `send`; a refusal is shown in it. */
async function openForm(page, title, submit, draw, send) {
  const note = element("p", { class: "bad", role: "alert" });
  const inside = element("div", { class: "stack" });
  const begin = element("button", { class: "main", type: "submit" }, submit);
  const form = element("form", { class: "stack", method: "dialog" }, inside, element("div", { class: "row" }, begin, note));
  const dialog = openDialog(title, form);
  dialog.classList.add("learn-form");
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    begin.disabled = true;
    note.textContent = "";
    try {
      const address = await send();
      dialog.close();
      if (address && location.hash !== address) location.hash = address;
      else page.ask();
    } catch (error) {
      note.textContent = error.message;
    }
    begin.disabled = false;
  });
  form.addEventListener("invalid", (event) => event.target.closest("details")?.setAttribute("open", ""), true); // so that it can be seen
  try {
    await draw(inside, note);
  } catch (error) {
    note.textContent = error.message;
  }
}

// ---------------------------------------------------------------------------------------------------- trainings

/** The form of a new training: a few friendly choices, and everything else folded away. */
export async function openTrainingForm(page) {
  const chosen = { preset: 2, game: "hex", options: {}, ...USUAL };
  await openForm(page, "Start a training", "Start", async (inside) => {
    games ??= await fetchJson("/api/games");
    drawTraining(inside, chosen);
  }, async () => {
    const { preset, ...order } = chosen;
    const game = games.find((one) => one.name === order.game);
    const { name } = await page.order("runs", { ...order, options: changedOptions(game, order.options) });
    return `#run/${encodeURIComponent(name)}`;
  });
}

function usePreset(chosen, index) {
  const { game, options, episodes } = PRESETS[index];
  Object.assign(chosen, { preset: index, game, options: { ...options }, episodes });
}

function drawTraining(inside, chosen) {
  if (chosen.preset !== null) usePreset(chosen, chosen.preset);
  const details = element("details", {}, element("summary", {}, "All settings"));
  const redraw = () => details.replaceChildren(details.firstElementChild, trainingDetails(chosen, own, redraw));
  const own = () => {
    chosen.preset = null;
    for (const radio of presets.querySelectorAll("input")) radio.checked = radio.value === "own";
  };
  const radio = (value, title, about, act) => element("label", { class: "preset" },
    element("input", { type: "radio", name: "preset", value, checked: String(chosen.preset ?? "own") === value, change: act }),
    element("span", {}, element("strong", {}, title), element("span", { class: "soft small" }, about)));
  const presets = element("fieldset", { class: "presets" }, element("legend", {}, "What shall it learn?"),
    ...PRESETS.map((preset, index) => radio(String(index), preset.title, preset.about, () => { usePreset(chosen, index); redraw(); })),
    radio("own", "Something else", "Any game and size: choose below.", () => { chosen.preset = null; details.open = true; }));
  redraw();
  inside.replaceChildren(presets, details);
}

/** Every setting that a page may choose. */
function trainingDetails(chosen, changed, redraw) {
  const game = games.find((one) => one.name === chosen.game) ?? games[0];
  const set = (name) => (value) => { chosen[name] = value; changed(); };
  const options = game.choices.map((choice) => optionField(game, choice, chosen.options[choice.name] ?? choice.usual, (value) => { chosen.options[choice.name] = value; changed(); }));
  const name = element("input", { type: "text", value: chosen.name, maxlength: 40, placeholder: "chosen for you", change: (event) => { chosen.name = event.target.value.trim(); } });
  return element("div", { class: "fields" },
    labelled("Game", select(games.map((one) => [one.name, one.title]), chosen.game, (value) => { Object.assign(chosen, { game: value, options: {} }); changed(); redraw(); })),
    ...options,
    labelled("Games against itself", wholeNumber(chosen.episodes, 10, 100000, set("episodes"))),
    labelled("Simulations for every move", wholeNumber(chosen.simulations, 2, 800, set("simulations"), "as the recipe says")),
    labelled("Recipe", select(RECIPES, chosen.recipe, set("recipe"))),
    labelled("Size of the network", select(NETWORKS, chosen.network, set("network"))),
    labelled("Saved networks", wholeNumber(chosen.checkpoints, 2, 20, set("checkpoints"))),
    labelled("Seed of all random numbers", wholeNumber(chosen.seed, 0, 4294967296, (value) => set("seed")(value ?? 0))),
    labelled("Name: small letters, digits, hyphens", name));
}

/** A finished training goes further. @param {any} told the training */
export async function openMore(page, told) {
  let episodes = Math.max(told.episodes, told.episode) * 2;
  await openForm(page, `Train ${told.name} further`, "Go on", (inside) => {
    inside.replaceChildren(element("p", { class: "soft" }, `It has played ${counted(told.episode, "game")} against itself. Nothing that it has learned is lost.`),
      labelled("Games in all", wholeNumber(episodes, told.episode + 1, 100000, (value) => { episodes = value; })));
  }, async () => {
    await page.order(`runs/${encodeURIComponent(told.name)}/resume`, { episodes });
    return null;
  });
}

/** The saved networks of a training meet each other. @param {any} told the training */
export async function openTopp(page, told) {
  let each = 20;
  await openForm(page, `The stages of ${told.name}`, "Let them play", (inside) => {
    const count = told.saved.length;
    inside.replaceChildren(element("p", { class: "soft" }, `${counted(count, "network")} saved along the way, from the untrained one to the last, play each other without learning. If training has helped, the later ones score more; the table says how certain that is.`),
      labelled("Games for every pair", wholeNumber(each, 1, 200, (value) => { each = value; })));
  }, async () => {
    await page.order(`runs/${encodeURIComponent(told.name)}/topp`, { games: each });
    return null;
  });
}

// ---------------------------------------------------------------------------------------------------- tournaments

/** The form of a tournament: a game, and who takes part. */
export async function openTournamentForm(page) {
  const chosen = { game: "hex", options: { size: 5 }, agents: new Set(), games: 10 };
  await openForm(page, "Start a tournament", "Start", async (inside, note) => {
    games ??= await fetchJson("/api/games");
    await drawTournament(inside, note, chosen);
  }, async () => {
    const game = games.find((one) => one.name === chosen.game);
    const { asked, ...order } = { ...chosen, agents: [...chosen.agents], options: changedOptions(game, chosen.options) };
    const { key } = await page.order("tournaments", order);
    return `#tournament/${encodeURI(key)}`;
  });
}

async function drawTournament(inside, note, chosen) {
  const game = games.find((one) => one.name === chosen.game);
  const players = element("div", { class: "stack" });
  const count = element("p", { class: "soft small", role: "status" });
  const again = () => drawTournament(inside, note, chosen);
  const options = game.choices.map((choice) => optionField(game, choice, chosen.options[choice.name] ?? choice.usual, (value) => { chosen.options[choice.name] = value; listPlayers(players, note, count, game, chosen); }));
  inside.replaceChildren(
    element("div", { class: "fields" }, labelled("Game", select(games.map((one) => [one.name, one.title]), chosen.game, (value) => { Object.assign(chosen, { game: value, options: {} }); again(); })), ...options,
      labelled("Games for every pair", wholeNumber(chosen.games, 2, 200, (value) => { chosen.games = value; sayCount(count, chosen); }))),
    players, count);
  await listPlayers(players, note, count, game, chosen);
}

/** Everybody who can play the game, in groups; the first three levels are chosen to begin with. */
async function listPlayers(place, note, count, game, chosen) {
  let offered;
  const asked = (chosen.asked = {}); // an answer to an earlier question may come later than this one's
  try {
    offered = await fetchJson(`/api/opponents?${new URLSearchParams({ game: chosen.game, options: JSON.stringify(changedOptions(game, chosen.options)) })}`);
    if (asked !== chosen.asked) return;
    note.textContent = "";
  } catch (error) {
    if (asked === chosen.asked) note.textContent = error.message;
    return;
  }
  const keys = new Set(offered.map((one) => one.key));
  chosen.agents = new Set([...chosen.agents].filter((key) => keys.has(key)));
  if (chosen.agents.size < 2) chosen.agents = new Set(offered.slice(0, 3).map((one) => one.key));
  const toggle = (key, on) => {
    if (on) chosen.agents.add(key);
    else chosen.agents.delete(key);
    sayCount(count, chosen);
  };
  const groups = [...new Set(offered.map((one) => one.group))];
  place.replaceChildren(...groups.map((group) => element("fieldset", { class: "players" }, element("legend", {}, group),
    ...offered.filter((one) => one.group === group).map((one) => element("label", { class: "check", title: one.about },
      element("input", { type: "checkbox", checked: chosen.agents.has(one.key), change: (event) => toggle(one.key, event.target.checked) }), one.name)))));
  sayCount(count, chosen);
}

function sayCount(place, { agents, games: each }) {
  const pairs = (agents.size * (agents.size - 1)) / 2;
  place.textContent = agents.size < 2 ? "Choose at least two players." : `${agents.size} players, ${counted(pairs, "pair")}, ${counted(pairs * (each ?? 0), "game")} in all.`;
}
