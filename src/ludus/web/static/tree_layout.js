// Where the nodes of a drawn tree go, and which of them are drawn when not all fit. Nothing is drawn here.

/** A node for TreeView. `rows` are lines of text below its label; `player` colours it (null: nobody's).
 * @typedef {{id: string|number, label: string, rows: string[], player: number|null, weight: number, marks?: string[], children: TreeNode[],
 *   about?: string, unloaded?: number}} TreeNode */
/** A node that is drawn: with its children that are drawn and how many are not.
 * @typedef {{node: TreeNode, children: Shown[], hidden: number, stub: boolean, width: number, height: number, x: number, y: number, depth: number}} Shown */
/** @typedef {{width: number, height: number}} Size */

const GAP = 0.38; // between neighbours, and …
const LEVEL = 1.5; // … between a node and its children, in heights of a line
const PATIENCE = 30; // nodes in a row that do not fit; then the others will not either

/** All nodes of a tree with their parents, from the root down. @param {TreeNode} root @returns {Map<string|number, TreeNode|null>} */
export function parentsOf(root) {
  const parents = new Map([[root.id, null]]);
  const waiting = [root];
  for (const node of waiting) {
    for (const child of node.children) {
      parents.set(child.id, node);
      waiting.push(child);
    }
  }
  return parents;
}

/** Chooses what is drawn: what must be (`keep`, with everything above it), then the children of kept nodes and the
 * nodes with the most weight, as long as there are at most `most` and the picture fits into the room.
 * @param {TreeNode} root @param {{keep: Iterable<string|number>, most: number, room: Size, line: number, sizeOf: (node: TreeNode) => Size}} how */
export function chooseShown(root, how) {
  const parents = parentsOf(root);
  const shown = new Set([root.id]);
  const kept = new Set();
  for (const id of how.keep) {
    for (let node = findIn(parents, root, id); node && !kept.has(node.id); node = parents.get(node.id) ?? null) {
      kept.add(node.id);
      shown.add(node.id);
    }
  }
  let size = placeTree(copyOf(root, shown, how), how.line);
  let refused = 0;
  for (const candidate of inOrder(root, parents, kept)) {
    if (shown.size >= how.most || refused >= PATIENCE) break;
    if (shown.has(candidate.id) || !shown.has(parents.get(candidate.id).id)) continue;
    shown.add(candidate.id);
    const larger = placeTree(copyOf(root, shown, how), how.line);
    const fits = larger.width <= Math.max(how.room.width, size.width) && larger.height <= Math.max(how.room.height, size.height);
    if (fits) size = larger;
    else shown.delete(candidate.id);
    refused = fits ? 0 : refused + 1;
  }
  return copyOf(root, shown, how);
}

/** Candidates for drawing, the most wanted first: children of kept nodes, then by weight; parents before children. */
function inOrder(root, parents, kept) {
  const nodes = [...walk(root)].slice(1);
  const rank = (node) => (kept.has(parents.get(node.id).id) ? 1 : 0);
  return nodes.map((node, at) => ({ node, at }))
    .sort((one, other) => rank(other.node) - rank(one.node) || other.node.weight - one.node.weight || one.at - other.at)
    .map(({ node }) => node);
}

function* walk(node) {
  yield node;
  for (const child of node.children) yield* walk(child);
}

function findIn(parents, root, id) {
  const parent = parents.get(id);
  return parent === undefined ? null : parent === null ? root : parent.children.find((child) => child.id === id);
}

/** The drawn part of a tree; a stub stands for children that are not drawn. @returns {Shown} */
function copyOf(node, shown, how) {
  const children = node.children.filter((child) => shown.has(child.id)).map((child) => copyOf(child, shown, how));
  const hidden = node.children.length - children.length + (node.unloaded ?? 0);
  const made = { node, children, hidden, stub: false, ...how.sizeOf(node), x: 0, y: 0, depth: 0 };
  if (hidden > 0) made.children.push(stubOf(node, hidden, how));
  return made;
}

function stubOf(node, hidden, how) {
  const stub = { id: `more ${node.id}`, label: `+${hidden}`, rows: [], player: null, weight: 0, children: [] };
  return { node: stub, children: [], hidden: 0, stub: true, ...how.sizeOf(stub), x: 0, y: 0, depth: 0 };
}

/** Gives every drawn node its place: a tidy tree (Reingold and Tilford 1981) with nodes of different widths.
 * `x` is the middle of a node and `y` its top. @param {Shown} root @param {number} line height of a line of text */
export function placeTree(root, line) {
  const outline = arrange(root, line * GAP);
  const left = Math.min(...outline.map(([from]) => from)), right = Math.max(...outline.map(([, to]) => to));
  const heights = [];
  measureLevels(root, 0, heights);
  const tops = [0];
  for (const height of heights) tops.push(tops.at(-1) + height + line * LEVEL);
  settle(root, -left, tops);
  return { width: right - left, height: tops.at(-1) - line * LEVEL };
}

/** Sets each node's x relative to its parent. Returns [leftmost, rightmost] of every level below, seen from the node. */
function arrange(node, gap) {
  const outline = [];
  for (const child of node.children) {
    const own = arrange(child, gap);
    child.x = Math.max(...own.map(([from], level) => (level < outline.length ? outline[level][1] + gap - from : -Infinity)));
    if (!outline.length) child.x = 0;
    own.forEach(([from, to], level) => {
      outline[level] = [level < outline.length ? outline[level][0] : from + child.x, to + child.x];
    });
  }
  const middle = node.children.length ? (node.children[0].x + node.children.at(-1).x) / 2 : 0;
  for (const child of node.children) child.x -= middle;
  return [[-node.width / 2, node.width / 2], ...outline.map(([from, to]) => [from - middle, to - middle])];
}

function measureLevels(node, depth, heights) {
  node.depth = depth;
  heights[depth] = Math.max(heights[depth] ?? 0, node.height);
  for (const child of node.children) measureLevels(child, depth + 1, heights);
}

function settle(node, x, tops) {
  node.x += x;
  node.y = tops[node.depth];
  for (const child of node.children) settle(child, node.x, tops);
}

/** All drawn nodes, parents first. @param {Shown} root @returns {{shown: Shown, parent: Shown|null}[]} */
export function listShown(root, parent = null) {
  return [{ shown: root, parent }, ...root.children.flatMap((child) => listShown(child, root))];
}
