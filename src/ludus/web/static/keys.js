// Single keys that work anywhere on the page, except while somebody types, and the dialog that lists them.

import { element } from "./bar.js";

const LISTED = [
  ["Arrows", "move over the cells of the board"], ["Enter", "play there"], ["u", "undo"], ["h", "hint"], ["a", "what the machine thinks, on and off"],
  ["[ ]", "back and forth through the moves"], ["f", "turn the board round"], ["n", "new game"], ["Space", "machines: play or pause"],
  ["d", "developer's view"], ["?", "this list"],
];

/** @param {Record<string, () => void>} keys what each key does */
export function bindKeys(keys) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || document.querySelector("dialog[open]")) return;
    const at = /** @type {HTMLElement} */ (event.target);
    if (at.matches("input, select, textarea")) return;
    if (event.key === " " && at.matches("button, a, summary, [role=application]")) return;
    const act = keys[event.key];
    if (act) {
      event.preventDefault();
      act();
    }
  });
}

/** A dialog with a title, which closes with Escape or its button. @param {string} title @param {...Node} children */
export function openDialog(title, ...children) {
  const close = element("button", { type: "button", class: "quiet", "aria-label": "Close", click: () => dialog.close() }, "✕");
  const dialog = element("dialog", { "aria-label": title }, element("div", { class: "row spread" }, element("h2", {}, title), close), ...children);
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** @param {string[][]} [rows] the keys of a page, and what each of them does */
export function keysDialog(rows = LISTED) {
  openDialog("Keys", element("dl", { class: "keys" }, ...rows.flatMap(([key, about]) => [element("dt", {}, element("kbd", {}, key)), element("dd", {}, about)])));
}
