// TreeView draws a search tree in one SVG: a tidy tree whose nodes are cards with a move and a few numbers. What does
// not fit is collapsed into "+3"; the lit path stays in view. It knows no search: a page hands it nodes with texts.
//
//     const view = new TreeView(container, { open: (id) => … });
//     view.show(root, { lit: [0, 4, 7], mood: "warm and cool" });
//
// A node is described in tree_layout.js; its marks are "fresh", "changed", "learned", "best", "quiet" and "crossed".

import { isStill } from "./board_motion.js";
import { chooseShown, listShown, placeTree } from "./tree_layout.js";

/** @typedef {import("./tree_layout.js").TreeNode} TreeNode */
/** @typedef {import("./tree_layout.js").Shown} Shown */

const SVG = "http://www.w3.org/2000/svg";
const PAD = 0.4; // of a card, beside its text, in heights of a letter
const LINE = 1.28; // height of a line
const LARGEST = 1.5; // how much a small tree is enlarged
const DURATION = 220; // milliseconds of a movement

function shape(tag, attributes, ...children) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== null) made.setAttribute(name, String(value));
  made.append(...children);
  return made;
}

export class TreeView {
  /** @param {HTMLElement} container
   * @param {{open?: (id: string|number) => void, label?: string}} [on] open: somebody wants to see what a "+3" stands for;
   * without it the view opens it itself */
  constructor(container, on = {}) {
    this.on = on;
    this.container = container;
    container.classList.add("tree");
    container.tabIndex = 0;
    container.setAttribute("role", "region");
    container.setAttribute("aria-label", on.label ?? "Search tree");
    this.edges = shape("g", { class: "tree-edges" });
    this.nodes = shape("g", { class: "tree-nodes" });
    this.picture = shape("svg", { class: "tree-picture", role: "group", "aria-label": on.label ?? "Search tree" }, this.edges, this.nodes);
    container.replaceChildren(this.picture);
    /** @type {Map<string|number, {element: SVGElement, edge: SVGElement|null, x: number, y: number, look: string}>} */
    this.drawn = new Map();
    this.opened = new Set();
    /** @type {Map<string, number>} */
    this.widths = new Map();
    this.pen = document.createElement("canvas").getContext("2d");
    new ResizeObserver(() => { if (this.root) this.show(this.root, { ...this.how, animate: false }); }).observe(container);
  }

  /** Draws a tree, moving what was drawn before to its new place.
   * @param {TreeNode} root
   * @param {{lit?: (string|number)[], most?: number, mood?: string, animate?: boolean}} [how] lit: ids from the root down;
   * mood: the colours of the players, as in a board's layout */
  show(root, how = {}) {
    Object.assign(this, { root, how });
    const { lit = [], most = 60, mood = "warm and cool", animate = true } = how;
    this.picture.dataset.colors = mood;
    this.readFont();
    const room = { width: this.container.clientWidth - this.font, height: this.container.clientHeight - this.font };
    const keep = [...lit, ...marked(root, "fresh"), ...marked(root, "changed"), ...this.below(root)];
    const shown = chooseShown(root, { keep, most, room, line: this.line, sizeOf: (node) => this.sizeOf(node) });
    const size = placeTree(shown, this.line);
    this.fit(size);
    this.draw(listShown(shown), new Set(lit), animate && !isStill());
    this.follow(listShown(shown), lit);
  }

  /** The children of nodes that somebody has opened. */
  below(root) {
    if (!this.opened.size) return [];
    const wanted = [];
    const look = (node) => {
      if (this.opened.has(node.id)) wanted.push(...node.children.map((child) => child.id));
      node.children.forEach(look);
    };
    look(root);
    return wanted;
  }

  // -------------------------------------------------------------------------------------------------- sizes

  readFont() {
    const style = getComputedStyle(this.container);
    this.font = parseFloat(style.fontSize);
    this.line = this.font * LINE;
    this.family = style.fontFamily;
  }

  /** The width of a text in bold letters; most texts come again and again. */
  widthOf(text) {
    const font = `700 ${this.font}px ${this.family}`;
    if (font !== this.pen.font) this.widths.clear();
    this.pen.font = font;
    if (!this.widths.has(text)) this.widths.set(text, this.pen.measureText(text).width);
    return this.widths.get(text);
  }

  sizeOf(node) {
    const widest = Math.max(this.widthOf(node.label), ...node.rows.map((row) => this.widthOf(row)));
    const least = node.rows.length ? 3 * this.font : 2 * this.font;
    return { width: Math.max(least, widest + 2 * PAD * this.font), height: this.line * (1 + node.rows.length) + (node.rows.length ? 0.5 : 0.3) * this.font };
  }

  /** Enlarges a small tree to the room there is; a large one is scrolled, so that its text stays readable. */
  fit(size) {
    const margin = this.font / 2;
    const across = (this.container.clientWidth - 2 * margin) / size.width, down = (this.container.clientHeight - 2 * margin) / size.height;
    this.scale = Math.max(1, Math.min(LARGEST, across, down));
    const width = size.width + (2 * margin) / this.scale, height = size.height + (2 * margin) / this.scale;
    this.picture.setAttribute("viewBox", [-margin / this.scale, -margin / this.scale, width, height].join(" "));
    this.picture.style.width = `${width * this.scale}px`;
    this.picture.style.height = `${height * this.scale}px`;
  }

  /** Scrolls so that the end of the lit path is seen. */
  follow(list, lit) {
    const last = list.find(({ shown }) => shown.node.id === lit.at(-1))?.shown;
    if (!last) return;
    const { container, scale } = this;
    const x = last.x * scale, bottom = (last.y + last.height) * scale + 1.5 * this.font;
    if (this.picture.clientWidth > container.clientWidth) container.scrollLeft = x - container.clientWidth / 2;
    container.scrollTop = Math.max(0, bottom - container.clientHeight);
  }

  // ------------------------------------------------------------------------------------------------ drawing

  draw(list, lit, moves) {
    cancelAnimationFrame(this.running);
    const before = this.drawn;
    this.drawn = new Map();
    const ways = [];
    for (const { shown, parent } of list) {
      const id = shown.node.id;
      const old = before.get(id);
      before.delete(id);
      const from = old ?? this.drawn.get(parent?.node.id)?.from ?? shown;
      const one = this.update(old, shown, parent, lit);
      one.from = { x: from.x, y: from.y };
      Object.assign(one, { shown, parent: parent && this.drawn.get(parent.node.id) });
      this.drawn.set(id, one);
      ways.push(one);
      if (!old && moves) one.element.classList.add("appears");
    }
    for (const { element, edge } of before.values()) {
      element.remove();
      edge?.remove();
    }
    putInOrder(this.nodes, ways.map(({ element }) => element));
    putInOrder(this.edges, ways.flatMap(({ edge }) => edge ?? []));
    this.move(ways, moves);
  }

  /** A node's card, made anew only if it looks different. */
  update(old, shown, parent, lit) {
    const { node } = shown;
    const marks = [...(node.marks ?? []), ...(lit.has(node.id) ? ["lit"] : [])];
    const look = JSON.stringify([node.label, node.rows, node.player, marks, shown.stub, shown.width, shown.height, parent?.node.id]);
    const one = old ?? { edge: parent ? shape("path", {}) : null, element: shape("g", {}), look: "" };
    if (one.look === look) return one;
    one.look = look;
    one.element.replaceChildren(...this.card(shown));
    one.element.setAttribute("class", ["tree-node", shown.stub ? "stub" : "", ...marks].join(" ").trim());
    one.element.dataset.id = String(node.id);
    if (node.player === null) delete one.element.dataset.player;
    else one.element.dataset.player = String(node.player);
    one.edge?.setAttribute("class", ["tree-edge", ...marks].join(" "));
    if (shown.stub && !old) this.makeButton(one.element, node);
    return one;
  }

  /** The parts of a card; its origin is the middle of its top. */
  card(shown) {
    const { node, width, height } = shown;
    const { line, font } = this;
    const left = -width / 2, radius = font * 0.35, head = node.rows.length ? line + font * 0.15 : height;
    const parts = [shape("title", {}, node.about ?? [node.label, ...node.rows].join(", "))];
    parts.push(shape("rect", { class: "card", x: left, y: 0, width, height, rx: radius }));
    parts.push(shape("path", { class: "head", d: headOf(left, width, head, radius, node.rows.length > 0) }));
    parts.push(shape("text", { class: "label", x: 0, y: font * 1.05 }, node.label));
    node.rows.forEach((row, at) => parts.push(shape("text", { class: "row", x: 0, y: font * 1.2 + line * (at + 1) }, row)));
    parts.push(shape("rect", { class: "frame", x: left, y: 0, width, height, rx: radius }));
    if (node.marks?.includes("crossed")) parts.push(this.cross());
    return parts;
  }

  /** The cross on the branch to a node that was not looked at. */
  cross() {
    const size = this.font * 0.34, middle = -this.line * 0.55;
    const stroke = (way) => `M${-size} ${middle - way * size} L${size} ${middle + way * size}`;
    return shape("path", { class: "cross", d: `${stroke(1)} ${stroke(-1)}` });
  }

  makeButton(element, node) {
    const id = node.id.slice("more ".length);
    const open = () => this.open(id);
    element.setAttribute("role", "button");
    element.setAttribute("tabindex", "0");
    element.setAttribute("aria-label", `${node.label.slice(1)} more: show them`);
    element.addEventListener("click", open);
    element.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      event.stopPropagation();
      open();
    });
  }

  open(text) {
    const id = [...this.drawn.keys()].find((key) => String(key) === text);
    if (this.on.open) return void this.on.open(id);
    this.opened.add(id);
    this.show(this.root, this.how);
  }

  /** Closes what somebody has opened. */
  forget() { this.opened.clear(); }

  // ----------------------------------------------------------------------------------------------- movement

  /** Moves all nodes from where they are to where they belong. */
  move(ways, moves) {
    const began = performance.now();
    const step = (now) => {
      const part = moves ? Math.min(1, (now - began) / DURATION) : 1;
      const eased = 1 - (1 - part) ** 3;
      for (const one of ways) {
        one.x = one.from.x + (one.shown.x - one.from.x) * eased;
        one.y = one.from.y + (one.shown.y - one.from.y) * eased;
        one.element.setAttribute("transform", `translate(${round(one.x)} ${round(one.y)})`);
        one.edge?.setAttribute("d", wayOf(one));
      }
      if (part < 1) this.running = requestAnimationFrame(step);
      else for (const one of ways) one.element.classList.remove("appears");
    };
    step(began);
  }
}

/** Gives a group its children in this order, and moves none that is in its place already. */
function putInOrder(group, children) {
  let place = group.firstChild;
  for (const child of children) {
    if (child === place) place = place.nextSibling;
    else group.insertBefore(child, place);
  }
}

/** From the bottom of a parent to the top of its child. */
function wayOf(one) {
  const top = one.parent.y + one.parent.shown.height, middle = (top + one.y) / 2;
  return `M${round(one.parent.x)} ${round(top)} C${round(one.parent.x)} ${round(middle)} ${round(one.x)} ${round(middle)} ${round(one.x)} ${round(one.y)}`;
}

/** The coloured head of a card: round above, straight below where rows follow. */
function headOf(left, width, height, radius, open) {
  const right = left + width;
  const below = open ? `V${height} H${left}` : `V${height - radius} Q${right} ${height} ${right - radius} ${height} H${left + radius} Q${left} ${height} ${left} ${height - radius}`;
  return `M${left} ${radius} Q${left} 0 ${left + radius} 0 H${right - radius} Q${right} 0 ${right} ${radius} ${below} Z`;
}

function round(number) { return Math.round(number * 10) / 10; }

/** The ids of all nodes with a mark. */
function marked(node, mark) {
  return [...(node.marks?.includes(mark) ? [node.id] : []), ...node.children.flatMap((child) => marked(child, mark))];
}
