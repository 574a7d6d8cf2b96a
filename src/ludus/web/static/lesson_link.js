// A lesson as an address, `mcts,game=tic_tac_toe,rule=uct,c=1.4,seed=1/42`: what is searched, how, and the step that
// is shown. The link alone holds the moment.

/** @typedef {{lesson: "mcts"|"alphabeta", game: string, options: Record<string, string>, moves: string, rule: string, c: number, epsilon: number, k: number,
 *   priors: string, seed: number, depth: number, pruning: boolean, ordering: boolean}} Settings */

export const RULES = {
  uct: { name: "UCT", uses: ["c"], c: 1.4 },
  epsilon_greedy: { name: "ε-greedy", uses: ["epsilon"], c: 1.4 },
  puct: { name: "PUCT", uses: ["c", "priors"], c: 1 },
  rave: { name: "RAVE", uses: ["c", "k"], c: 0.3 },
};
const GENERAL = { moves: "", rule: "uct", c: 1.4, epsilon: 0.2, k: 30, priors: "even", seed: 1, depth: 5, pruning: true, ordering: false };
const USUAL = {
  mcts: { ...GENERAL, lesson: "mcts", game: "tic_tac_toe", options: {} },
  alphabeta: { ...GENERAL, lesson: "alphabeta", game: "tic_tac_toe", options: {}, moves: "b2.a3.c1.c2.c3", depth: 4 },
};
const TITLES = { mcts: "Monte Carlo tree search", alphabeta: "Alpha-beta" };
const NUMBERS = ["c", "epsilon", "k", "seed", "depth"];
const SWITCHES = ["pruning", "ordering"];

/** The settings with which a lesson begins. @param {string} lesson @returns {Settings} */
export function usualSettings(lesson) { return structuredClone(USUAL[lesson] ?? USUAL.mcts); }

/** The settings and the step of an address; what cannot be read is told in `wrong`. @param {string} link */
export function readLink(link) {
  const [head, step = "0"] = link.replace(/^#/, "").split("/");
  const [lesson = "", ...parts] = head.split(",").map(decoded);
  const settings = usualSettings(lesson);
  let wrong = lesson && !USUAL[lesson] ? `There is no lesson “${lesson}”; this is the one called ${TITLES[settings.lesson]}.` : "";
  if (parts.some((part) => part.startsWith("game="))) Object.assign(settings, { moves: "", options: {} });
  for (const part of parts) {
    const [key, ...rest] = part.split("=");
    wrong = take(settings, key, rest.join("=")) ?? wrong;
  }
  if (!parts.some((part) => part.startsWith("c="))) settings.c = RULES[settings.rule].c;
  const counts = /^\d{1,9}$/.test(step);
  if (!counts) wrong ||= `In the address, the step after the “/” must be a number, not “${decoded(step)}”.`;
  return { settings, step: counts ? Number(step) : 0, wrong };
}

/** A text from an address; one that was not encoded properly is taken as it is. */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Takes one part of an address; returns a sentence if it makes no sense. */
function take(settings, key, value) {
  if (NUMBERS.includes(key)) {
    if (value === "" || !Number.isFinite(Number(value))) return `In the address, ${key} must be a number, not “${value}”.`;
    settings[key] = Number(value);
  } else if (SWITCHES.includes(key)) settings[key] = value === "on";
  else if (key === "rule") {
    if (!RULES[value]) return `There is no rule “${value}”; there are ${Object.keys(RULES).join(", ")}.`;
    settings.rule = value;
  } else if (["game", "moves", "priors"].includes(key)) settings[key] = value;
  else if (key) settings.options[key] = value;
  return null;
}

/** The address of a moment. @param {Settings} settings @param {number} step */
export function writeLink(settings, step) {
  const used = settings.lesson === "mcts" ? ["rule", ...RULES[settings.rule].uses, "seed"] : ["depth", "pruning", "ordering"];
  const parts = [`game=${settings.game}`, ...Object.entries(settings.options).map(([key, value]) => `${key}=${value}`)];
  if (settings.moves) parts.push(`moves=${settings.moves}`);
  for (const key of used) {
    if (key === "priors" && settings.priors === "even") continue;
    const value = settings[key];
    parts.push(`${key}=${typeof value === "boolean" ? (value ? "on" : "off") : value}`);
  }
  return `#${[settings.lesson, ...parts].map((part) => encodeURIComponent(part).replaceAll("%3D", "=")).join(",")}/${step}`;
}

/** What the server is asked for. @param {Settings} settings */
export function requestOf(settings) {
  const { lesson, game, options, moves, rule, c, epsilon, k, priors, seed, depth, pruning, ordering } = settings;
  return lesson === "mcts" ? { game, options, moves, rule, c, epsilon, k, priors, seed } : { game, options, moves, depth, pruning, ordering };
}
