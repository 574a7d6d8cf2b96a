// The page of the lessons: it loads a lesson, shows one step of it, and goes forwards and backwards. What a step shows
// is made in lesson_mcts.js and lesson_alphabeta.js.

import { element, makeBar } from "./bar.js";
import { BoardView } from "./board.js";
import { isStill } from "./board_motion.js";
import { typesetIn } from "./formula.js";
import { openDialog } from "./keys.js";
import { AlphabetaScript } from "./lesson_alphabeta.js";
import { readLink, requestOf, writeLink } from "./lesson_link.js";
import { MctsScript } from "./lesson_mcts.js";
import { drawPanel, reveal } from "./lesson_panel.js";
import { asSentence, SettingsForm } from "./lesson_settings.js";
import { TreeView } from "./tree.js";

const PLAYOUT = 260, WHOLE_PLAYOUT = 3000; // milliseconds between two moves of a playout, and for all of them
const AHEAD = 12; // simulations that are asked for before they are needed
const KEYS = [["→ or space", "next step"], ["←", "one step back"], ["Shift + →", "next simulation, or next cut-off"], ["Shift + ←", "the one before"], ["Home", "start"], ["End", "ten simulations on, or the end"], ["f", "full screen: without the bar and the settings"], ["?", "this list"]];
const $ = (id) => document.getElementById(id);

class LessonPage {
  constructor() {
    this.nameGame = makeBar();
    this.tree = new TreeView($("tree"));
    this.board = new BoardView($("board"), { label: "Small board" });
    this.form = new SettingsForm($("settings"), (settings) => this.begin(settings, this.step, true), (sentence) => { if (this.script) this.note(sentence); });
    this.slider = $("timeline").querySelector("input");
    this.step = 0;
    this.bind();
  }

  async open() {
    try {
      await this.form.load();
    } catch (error) {
      return this.fail(error.message);
    }
    await this.readAddress();
  }

  async readAddress() {
    const { settings, step, wrong } = readLink(location.hash);
    await this.begin(settings, step);
    if (wrong) this.note(wrong);
  }

  /** A new lesson, shown at a step. If it cannot be made: the sentence that says why; with `keep` the lesson stays that
   * was there before. @returns {Promise<string|null>} */
  async begin(settings, step = 0, keep = false) {
    const script = settings.lesson === "mcts" ? new MctsScript(requestOf(settings)) : new AlphabetaScript(requestOf(settings));
    this.wanted = script;
    this.settings = settings;
    this.form.show(settings, this.script?.about);
    document.body.dataset.busy = "";
    try {
      await script.needStep(step);
    } catch (error) {
      if (this.wanted !== script) return null;
      if (keep && this.script) this.keep();
      else this.fail(error.message);
      return error.message;
    } finally {
      if (this.wanted === script || this.wanted === this.script) delete document.body.dataset.busy;
    }
    if (this.wanted !== script) return null;
    Object.assign(this, { script, shown: settings });
    this.tree.forget();
    delete document.body.dataset.failed;
    this.form.show(settings, script.about);
    this.dress(settings.lesson);
    this.go(Math.min(step, script.last), false);
    return null;
  }

  /** The lesson that is shown stays, and the settings are its own again. */
  keep() {
    Object.assign(this, { wanted: this.script, settings: this.shown });
    this.form.show(this.shown, this.script.about);
  }

  dress(lesson) {
    for (const link of document.querySelectorAll("[data-lesson]")) {
      if (link.dataset.lesson === lesson) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    const mcts = lesson === "mcts";
    document.body.dataset.lesson = lesson;
    document.body.dataset.rule = this.script?.about?.rule ?? "";
    $("jump").textContent = mcts ? "Next simulation" : "Next cut-off";
    $("ten").textContent = mcts ? "Ten simulations" : "To the end";
    this.slider.setAttribute("aria-label", mcts ? "Go to a simulation" : "Go to a step");
    this.nameGame($("settings").elements.game.selectedOptions[0]?.textContent ?? "");
  }

  // ---------------------------------------------------------------------------------------------- steps

  /** Shows a step. @param {number} step @param {boolean} [animate] */
  go(step, animate = true) {
    const { script } = this;
    clearTimeout(this.playing);
    this.step = Math.max(0, Math.min(step, script.last));
    const frame = script.frame(this.step);
    this.caption(frame);
    this.tree.show(frame.tree, { lit: frame.lit, mood: frame.mood, animate });
    drawPanel($("panel"), frame.panel, frame.mood);
    this.playBoard(frame, animate);
    this.showControls(frame);
    this.keepAddress();
    this.prefetch();
  }

  caption(frame) {
    $("phases").replaceChildren(...frame.phases.map((name, at) => element("li", { class: at === frame.phase ? "now" : null, "aria-current": at === frame.phase ? "step" : null }, name)));
    $("words").classList.remove("bad");
    $("words").replaceChildren(element("strong", {}, `${frame.name}. `), ...typesetIn(frame.words));
  }

  /** Runs the positions of a step over the board; the last one stays. */
  playBoard(frame, animate) {
    const { positions, layouts } = frame;
    const still = !animate || isStill() || positions.length === 1;
    const pause = Math.min(PLAYOUT, WHOLE_PLAYOUT / positions.length);
    const show = (at) => {
      const position = positions[at];
      this.board.show(position.layout && layouts[position.layout], position, { animate: animate && positions.length > 1, playable: false });
      this.litMove(positions.length > 1 ? at - 1 : -1);
      if (at + 1 < positions.length) this.playing = setTimeout(() => show(at + 1), pause);
    };
    show(still ? positions.length - 1 : 0);
  }

  /** Marks the move of the playout that has just been made. */
  litMove(at) {
    for (const item of $("panel").querySelectorAll("[data-at]")) {
      item.classList.toggle("made", Number(item.dataset.at) <= at);
      item.classList.toggle("now", Number(item.dataset.at) === at);
      if (Number(item.dataset.at) === at) reveal($("panel"), item);
    }
  }

  showControls(frame) {
    const { script, step } = this;
    const end = step >= script.last && script.complete;
    $("back").disabled = $("start").disabled = step === 0;
    $("next").disabled = $("jump").disabled = $("ten").disabled = end;
    $("next-name").textContent = this.settings.lesson === "mcts" ? "Next phase" : "Next step";
    $("counter").textContent = frame.counter;
    const mcts = this.settings.lesson === "mcts";
    this.slider.max = String(mcts ? script.most : script.last);
    this.slider.value = String(mcts ? script.simulationOf(step) : step);
    this.slider.setAttribute("aria-valuetext", frame.counter);
  }

  keepAddress() {
    this.address = writeLink(this.settings, this.step);
    try {
      history.replaceState(null, "", this.address);
    } catch { /* a browser that allows few changes in a short time */ }
  }

  prefetch() {
    const { script } = this;
    if (script instanceof MctsScript && script.simulationOf(this.step) + AHEAD > script.simulations.length && !script.complete) {
      script.need(script.simulations.length + 1).catch(() => { /* it is told when it is needed */ });
    }
  }

  /** Steps on or back; what is not here yet is asked for. */
  async walk(steps) {
    const { script, step } = this;
    if (!script) return;
    if (step + steps > script.last && !(await this.wait(() => script.needStep(step + steps)))) return;
    this.go(step + steps);
  }

  /** Simulations on or back; in the other lesson, cut-offs. */
  jump(by) { if (this.script) this.seek(this.script.goal(this.step, by), true); }

  far() {
    if (this.settings.lesson === "mcts") this.jump(10);
    else this.go(this.script.last);
  }

  /** To the end of a simulation; in the other lesson, to a step. */
  async seek(goal, animate = false) {
    const { script } = this;
    if (script.has(goal) || (await this.wait(() => script.need(goal)))) this.go(script.endOf(goal), animate);
  }

  /** The slider is on its way: what is known already is shown at once. */
  scrub(value) { if (this.script?.has(value)) this.go(this.script.endOf(value), false); }

  /** Waits for the server. False if it refused, or if another lesson has begun meanwhile. */
  async wait(ask) {
    const { script } = this;
    try {
      await ask();
    } catch (error) {
      if (this.wanted === script) this.note(error.message);
      return false;
    }
    return this.wanted === script;
  }

  // ------------------------------------------------------------------------------------------- messages

  /** Something went wrong: one sentence, and what was there stays. */
  note(sentence) {
    $("words").classList.add("bad");
    $("words").textContent = asSentence(sentence);
  }

  /** A lesson cannot be shown: why, and one that can. */
  fail(sentence) {
    const lesson = this.settings?.lesson ?? "mcts";
    this.script = null;
    delete document.body.dataset.busy;
    document.body.dataset.failed = "";
    this.dress(lesson);
    this.note(sentence);
    $("words").append(" ", element("a", { href: `#${lesson}` }, "Show tic-tac-toe instead."));
    for (const button of $("controls").querySelectorAll("button:not(#help, #full)")) button.disabled = true;
  }

  /** The stage alone, on the whole screen, and back. */
  fill() {
    if (document.fullscreenElement) document.exitFullscreen();
    else document.documentElement.requestFullscreen?.().catch(() => this.note("This browser shows no page on the whole screen."));
  }

  help() {
    const list = KEYS.flatMap(([key, about]) => [element("dt", {}, element("kbd", {}, key)), element("dd", {}, about)]);
    openDialog("Keys", element("dl", { class: "keys" }, ...list));
  }

  // ----------------------------------------------------------------------------------------------- input

  bind() {
    const press = { start: () => this.go(0), back: () => this.walk(-1), next: () => this.walk(1), jump: () => this.jump(1), ten: () => this.far(), help: () => this.help(), full: () => this.fill() };
    for (const [id, act] of Object.entries(press)) $(id).addEventListener("click", act);
    this.slider.addEventListener("input", () => this.scrub(Number(this.slider.value)));
    this.slider.addEventListener("change", () => this.seek(Number(this.slider.value)));
    addEventListener("hashchange", () => { if (location.hash !== this.address) this.readAddress(); });
    document.addEventListener("keydown", (event) => this.key(event));
  }

  key(event) {
    const at = /** @type {HTMLElement} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || document.querySelector("dialog[open]")) return;
    if (at.matches("input, select, textarea") || (event.key === " " && at.matches("button, a, [role=button]"))) return;
    const on = event.shiftKey ? () => this.jump(1) : () => this.walk(1);
    const back = event.shiftKey ? () => this.jump(-1) : () => this.walk(-1);
    const act = { ArrowRight: on, " ": on, ArrowLeft: back, Home: () => this.go(0), End: () => this.far(), f: () => this.fill(), "?": () => this.help() }[event.key];
    if (!act || (!this.script && !["f", "?"].includes(event.key))) return;
    event.preventDefault();
    act();
  }
}

new LessonPage().open();
