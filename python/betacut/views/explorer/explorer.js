// The explorer of search trees: `mount(element, data, options)` and `mountPair(element, a, b, options)`.
//
// `data` is what `betacut.views.explorer.pack` makes: a description, and the columns of the tree, compressed. The
// nodes stand in the order in which the search visited them, so that the place of a node is the number of the step
// and the subtree of a node is one piece. Nothing is made for a node before it is drawn.

import { legalMoves, NO_MOVE, NULL_MOVE, parseFen, play, san, squareName, uci } from "../chess.js";
import { draw, drawPiece, icon, make, NAMES } from "../pieces.js";
import { followHost } from "../theme.js";

const NO_VALUE = -(2 ** 31);
const OPEN = 200000;
const MATE = 100000;

const KINDS = ["PV", "CUT", "ALL", ""];
const ENDS = [
  "all moves searched", "leaf", "checkmate", "stalemate", "fifty moves", "insufficient material", "repetition",
  "from the table", "cutoff", "stand pat", "cut short", "deepest",
];
const [SEARCHED, LEAF, CHECKMATE, , , , , TABLE, CUTOFF, STAND_PAT, UNFINISHED] = ENDS.keys();
const RESEARCH = 1, REDUCED = 2, UNRECORDED = 4;

// ---------------------------------------------------------------------------------------------------------------------
// The tree.

const ARRAYS = { i: Int32Array, I: Uint32Array, H: Uint16Array, B: Uint8Array, b: Int8Array };

function bytesOf(payload) {
  if (ArrayBuffer.isView(payload)) return new Uint8Array(payload.buffer, payload.byteOffset, payload.byteLength);
  if (typeof payload !== "string") return new Uint8Array(payload);
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(payload);
  const text = atob(payload);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

/** Decompress the columns. The bytes of an item stand apart, all first ones before all second ones. */
async function unpack({ count, columns, payload }) {
  const stream = new Blob([bytesOf(payload)]).stream().pipeThrough(new DecompressionStream("deflate"));
  const packed = new Uint8Array(await new Response(stream).arrayBuffer());
  const found = {};
  let offset = 0;
  for (const [name, type, constant] of columns) {
    const column = new ARRAYS[type](count);
    if (constant !== undefined) column.fill(constant);
    else {
      const width = column.BYTES_PER_ELEMENT, bytes = new Uint8Array(column.buffer);
      for (let plane = 0; plane < width; plane++) {
        for (let i = plane, end = count * width; i < end; i += width) bytes[i] = packed[offset++];
      }
    }
    found[name] = column;
  }
  return found;
}

const COLUMNS = [
  "move", "ply", "depth", "alpha", "beta", "value", "static", "bound", "kind", "end", "pruned", "flags", "size",
];

class Tree {
  constructor(data, columns) {
    Object.assign(this, columns);
    this.about = data.about;
    this.count = data.count;
    this.roots = data.roots;
    this.start = parseFen(data.about.fen);
    this.line0 = data.about.line ?? [];
    this.link();
    this.positions = new Map();
    this.names = new Map();
  }

  /** Work out where the parents are and how long the subtrees. */
  link() {
    const { count, ply } = this;
    const parent = (this.parent = new Int32Array(count)), span = (this.span = new Uint32Array(count).fill(1));
    const latest = new Int32Array(257).fill(-1), isRoot = new Set(this.roots);
    for (let i = 0; i < count; i++) {
      parent[i] = isRoot.has(i) ? -1 : latest[ply[i]];
      latest[ply[i] + 1] = i;
    }
    for (let i = count - 1; i >= 0; i--) if (parent[i] >= 0) span[parent[i]] += span[i];
    this.size ??= span;
    // The last pass over the root position is the one that counts.
    this.root = this.roots.filter((root) => ply[root] === ply[this.roots[0]]).at(-1) ?? -1;
  }

  /** Which visit to its line a node is, from 0. */
  visit(node) {
    const line = this.line(node).join(), ply = this.ply[node];
    let visits = 0;
    for (let i = 0; i < node; i++) if (this.ply[i] === ply && this.move[i] === this.move[node] && this.line(i).join() === line) visits++;
    return visits;
  }

  /** Put what another tree has below one of its roots in the place of a node; return how many nodes that adds. */
  graft(node, other, root) {
    const length = other.span[root], more = length - 1;
    if (this.span[node] !== 1) throw new Error("there is something below that node already");
    if (other.size[root] !== this.size[node] || other.value[root] !== this.value[node]) {
      throw new Error("the search went another way this time");
    }
    for (const name of COLUMNS) {
      const old = this[name], column = new old.constructor(this.count + more);
      column.set(old.subarray(0, node));
      column.set(other[name].subarray(root, root + length), node);
      column.set(old.subarray(node + 1), node + length);
      this[name] = column;
    }
    this.count += more;
    this.roots = this.roots.map((place) => (place > node ? place + more : place));
    this.link();
    this.positions.clear();
    this.names.clear();
    return more;
  }

  children(node) {
    const found = [];
    for (let child = node + 1, end = node + this.span[node]; child < end; child += this.span[child]) found.push(child);
    return found;
  }

  path(node) {
    const found = [];
    for (; node >= 0; node = this.parent[node]) found.push(node);
    return found.reverse();
  }

  /** The codes of the moves from the root position. */
  line(node) {
    const path = this.path(node);
    const moves = path.map((place) => this.move[place]).filter((code) => code !== NO_MOVE);
    return [...this.line0.slice(0, Math.max(this.ply[path[0]] - 1, 0)), ...moves];
  }

  /** The position that a node's move leads to. */
  position(node) {
    let known = node;
    const missing = [];
    while (known >= 0 && !this.positions.has(known)) {
      missing.push(known);
      known = this.parent[known];
    }
    let position = known >= 0 ? this.positions.get(known) : this.above(missing.at(-1));
    if (this.positions.size > 20000) this.positions.clear();
    for (const place of missing.reverse()) {
      if (this.move[place] !== NO_MOVE) position = play(position, this.move[place]);
      this.positions.set(place, position);
    }
    return position;
  }

  /** The position that a root's move is made in. */
  above(root) {
    return this.line0.slice(0, Math.max(this.ply[root] - 1, 0)).reduce(play, this.start);
  }

  before(node) {
    return this.parent[node] >= 0 ? this.position(this.parent[node]) : this.above(node);
  }

  san(node) {
    let name = this.names.get(node);
    if (name === undefined) {
      name = this.move[node] === NO_MOVE ? "root" : san(this.before(node), this.move[node]);
      if (this.names.size > 50000) this.names.clear();
      this.names.set(node, name);
    }
    return name;
  }

  lineSan(node) {
    let position = this.start;
    return this.line(node).map((code) => {
      const name = san(position, code);
      position = play(position, code);
      return name;
    });
  }

  /** The legal moves that were never searched; null if it is not known which. */
  neverSearched(node) {
    if (this.flags[node] & UNRECORDED) return null;
    const searched = new Set(this.children(node).map((child) => this.move[child]));
    return legalMoves(this.position(node)).filter((code) => !searched.has(code));
  }

  whiteMoves(node) {
    return this.position(node).turn > 0;
  }

  /** Follow moves (codes) from the root: the last node on the way, and how many moves were found. */
  follow(codes) {
    let node = this.root;
    let done = Math.min(this.ply[node], codes.length);
    if (this.line(node).some((code, i) => code !== codes[i])) return { node, done: 0, reached: false };
    while (done < codes.length) {
      let next = this.children(node).findLast((child) => this.move[child] === codes[done]);
      if (next === undefined && node === this.root) {
        next = this.roots.findLast((root) => this.ply[root] === done + 1 && this.move[root] === codes[done]);
      }
      if (next === undefined) return { node, done, reached: false };
      node = next;
      done++;
    }
    return { node, done, reached: true };
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Words and numbers.

const grouped = (number) => number.toLocaleString("en-US");
const signed = (number) => (number > 0 ? "+" : number < 0 ? "\u2212" : "") + Math.abs(number);
const short = (number) =>
  number < 10000 ? grouped(number) : number < 1e6 ? `${Math.round(number / 1000)}k` : `${(number / 1e6).toFixed(1)}M`;

function windowEnd(score) {
  if (Math.abs(score) >= OPEN) return score < 0 ? "\u2212\u221e" : "+\u221e";
  return Math.abs(score) >= MATE ? (score < 0 ? "\u2212" : "+") + "mate" : signed(score);
}

/** A score as shown: centipawns, or the moves to a mate as in "#3". */
function scoreText(tree, node, score) {
  if (score === NO_VALUE) return "\u2013";
  if (Math.abs(score) < MATE) return signed(score);
  if (tree.end[node] === CHECKMATE && score === tree.value[node]) return "mate";
  const plies = Math.max(tree.depth[node], 0) - (Math.abs(score) - MATE);
  if (plies < 0 || Math.abs(score) > MATE + 1000) return windowEnd(score);
  return (score < 0 ? "#\u2212" : "#") + Math.ceil(plies / 2);
}

const BOUND_SIGNS = ["", "\u2264\u2009", "\u2265\u2009", ""];

function valueText(tree, node) {
  return BOUND_SIGNS[tree.bound[node]] + scoreText(tree, node, tree.value[node]);
}

/** Say in a sentence or two what happened at a node. */
function explain(tree, node) {
  const white = tree.whiteMoves(node), end = tree.end[node], kind = tree.kind[node];
  const side = white ? "White" : "Black", other = white ? "Black" : "White";
  const value = scoreText(tree, node, tree.value[node]);
  const [own, near, far] = white ? ["\u03b1", tree.alpha[node], tree.beta[node]] : ["\u03b2", tree.beta[node], tree.alpha[node]];
  const farName = white ? "\u03b2" : "\u03b1";
  const parts = [];
  if (end === UNFINISHED) return "The record was full before this node was finished.";
  if (end === TABLE) parts.push(`The table answered ${valueText(tree, node)}.`);
  else if (end === LEAF) parts.push(`A leaf: no depth left, the static score counts.`);
  else if (end > LEAF && end < TABLE) parts.push(`The game is over: ${ENDS[end]}.`);
  else if (end === STAND_PAT) parts.push(`${side} stands pat: the static score is enough.`);
  else if (end === CUTOFF) {
    parts.push(`Cutoff: ${value} ${white ? "\u2265" : "\u2264"} ${farName} (${windowEnd(far)}), so ${other} will not let the game come here.`);
  } else if (end === SEARCHED && kind === 2) {
    parts.push(`No move of ${side} is better than what it has elsewhere (${own} = ${windowEnd(near)}).`);
  } else if (end === SEARCHED) parts.push(`The best move of ${side} is worth ${value}.`);
  else parts.push(`Quiescence ends at its last depth.`);
  if (tree.pruned[node]) {
    const moves = tree.pruned[node] === 1 ? "1 legal move was" : `${tree.pruned[node]} legal moves were`;
    parts.push(`${moves} never searched.`);
  }
  return parts.join(" ");
}

// ---------------------------------------------------------------------------------------------------------------------
// Drawing.

/** The board of a position as SVG. */
function drawBoard(position, code, flipped) {
  const svg = draw("svg", { viewBox: "0 0 360 360", role: "img", "aria-label": describe(position), class: "bc-board" });
  const marked = code === NO_MOVE || code === NULL_MOVE ? [] : [code & 63, (code >> 6) & 63];
  for (let square = 0; square < 64; square++) {
    const column = flipped ? 7 - (square & 7) : square & 7, row = flipped ? square >> 3 : 7 - (square >> 3);
    const dark = ((square & 7) + (square >> 3)) % 2 === 0;
    const place = { x: 45 * column, y: 45 * row, width: 45, height: 45 };
    svg.append(draw("rect", { ...place, class: dark ? "bc-dark-square" : "bc-light-square" }));
    if (marked.includes(square)) svg.append(draw("rect", { ...place, class: "bc-marked" }));
    const label = { class: dark ? "bc-on-dark" : "bc-on-light" };
    if (row === 7) svg.append(draw("text", { x: 45 * column + 42, y: 357, text: "abcdefgh"[square & 7], ...label, "text-anchor": "end" }));
    if (column === 0) svg.append(draw("text", { x: 2.5, y: 45 * row + 10, text: (square >> 3) + 1, ...label }));
    const piece = position.board[square];
    if (piece) svg.append(drawPiece(piece, { transform: `translate(${45 * column} ${45 * row})` }));
  }
  return svg;
}

function describe(position) {
  const of = (side) =>
    [6, 5, 4, 3, 2, 1].flatMap((role) => {
      const squares = [...position.board.keys()].filter((square) => position.board[square] === role * side);
      return squares.length ? [`${NAMES[role]} ${squares.map(squareName).join(" ")}`] : [];
    }).join(", ");
  return `White: ${of(1)}. Black: ${of(-1)}. ${position.turn > 0 ? "White" : "Black"} to move.`;
}

// ---------------------------------------------------------------------------------------------------------------------
// The list: an indented tree of which only the rows in view exist.

const ROW = 28;
let lists = 0;

class List {
  constructor(explorer) {
    this.explorer = explorer;
    this.tree = explorer.tree;
    this.open = new Set(this.tree.roots.length > 1 ? [] : this.tree.roots);
    this.maxima = new Map();
    this.id = `bc-${++lists}`;
    this.rows = make("div", { class: "bc-rows" });
    this.element = make("div", {
      class: "bc-list", role: "tree", tabindex: "0", "aria-label": "Search tree",
      onscroll: () => this.paint(),
      onclick: (event) => this.clicked(event),
      ondblclick: (event) => this.doubled(event),
    }, this.rows);
    this.open.add(this.tree.root);
    this.flatten();
    new ResizeObserver(() => this.paint()).observe(this.element);
  }

  /** List the rows that are open: nodes, and for each open node a row for what was never searched (~node). */
  flatten() {
    const { tree, open } = this;
    const rows = (this.entries = []), levels = (this.levels = []);
    const stack = tree.roots.map((root) => [root, 0]).reverse();
    while (stack.length) {
      const [node, level] = stack.pop();
      rows.push(node);
      levels.push(level);
      if (node < 0 || !open.has(node)) continue;
      if (tree.pruned[node] || tree.flags[node] & UNRECORDED) stack.push([~node, level + 1]);
      const children = tree.children(node);
      for (let i = children.length - 1; i >= 0; i--) stack.push([children[i], level + 1]);
    }
    this.places = new Map(rows.map((node, row) => [node, row]));
    this.rows.style.height = `${rows.length * ROW}px`;
  }

  hasMore(node) {
    return this.tree.span[node] > 1 || this.tree.pruned[node] > 0 || (this.tree.flags[node] & UNRECORDED) !== 0;
  }

  toggle(node, open = !this.open.has(node)) {
    if (open) this.open.add(node);
    else this.open.delete(node);
    this.flatten();
    this.paint();
  }

  /** Take note that so many nodes were put below a node. */
  shift(node, count) {
    this.open = new Set([...this.open].map((place) => (place > node ? place + count : place)));
    this.maxima.clear();
    this.open.add(node);
    this.flatten();
  }

  /** Open the way to a node and bring it into view. */
  reveal(node) {
    const hidden = this.tree.path(node).slice(0, -1).filter((place) => !this.open.has(place));
    hidden.forEach((place) => this.open.add(place));
    if (hidden.length) this.flatten();
    const top = this.places.get(node) * ROW, { scrollTop, clientHeight } = this.element;
    if (top < scrollTop + ROW) this.element.scrollTop = Math.max(top - 2 * ROW, 0);
    else if (top > scrollTop + clientHeight - 2 * ROW) this.element.scrollTop = top - clientHeight + 3 * ROW;
    this.paint();
  }

  paint() {
    const { scrollTop, clientHeight } = this.element;
    const first = Math.max(Math.floor(scrollTop / ROW) - 4, 0);
    const last = Math.min(Math.ceil((scrollTop + clientHeight) / ROW) + 4, this.entries.length);
    const rows = [];
    for (let row = first; row < last; row++) {
      const node = this.entries[row];
      const element = node >= 0 ? this.row(node, this.levels[row]) : this.ghost(~node, this.levels[row]);
      element.style.transform = `translateY(${row * ROW}px)`;
      rows.push(element);
    }
    this.rows.replaceChildren(...rows);
    const current = this.explorer.node;
    const shown = this.places.get(current);
    if (shown >= first && shown < last) this.element.setAttribute("aria-activedescendant", `${this.id}-${current}`);
    else this.element.removeAttribute("aria-activedescendant");
  }

  row(node, level) {
    const { tree } = this;
    const kind = KINDS[tree.kind[node]], end = tree.end[node], current = node === this.explorer.node;
    const opens = this.hasMore(node), isOpen = this.open.has(node);
    const element = make("div", {
      id: `${this.id}-${node}`, class: "bc-row" + (current ? " bc-current" : ""), role: "treeitem", "data-node": node,
      "aria-level": level + 1, "aria-selected": String(current), "aria-expanded": opens ? String(isOpen) : undefined,
      "aria-label": this.label(node),
    });
    element.style.setProperty("--level", Math.min(level, 24));
    const name = this.name(node);
    element.append(
      make("span", { class: "bc-name" },
        make("span", { class: "bc-twisty" + (opens ? (isOpen ? " bc-open" : " bc-closed") : "") }),
        make("span", { class: `bc-kind bc-${end === TABLE ? "table" : kind.toLowerCase() || "none"}`, text: end === TABLE ? "TT" : kind || "?" }),
        make("span", { class: "bc-move", text: name })),
      make("span", { class: "bc-value", text: valueText(tree, node) }),
      make("span", { class: "bc-window", text: `${windowEnd(tree.alpha[node])} \u2026 ${windowEnd(tree.beta[node])}` }),
      this.notes(node, isOpen),
      this.sizeOf(node));
    return element;
  }

  /** The name of a row: the move; of a pass over the root, which one it is. */
  name(node) {
    const { tree } = this;
    if (tree.parent[node] >= 0) return tree.san(node);
    if (tree.roots.length === 1) return tree.move[node] === NO_MOVE ? "root" : tree.san(node);
    if (tree.move[node] !== NO_MOVE) return `${tree.san(node)} again`;
    return `pass ${tree.roots.indexOf(node) + 1}, depth ${tree.depth[node]}`;
  }

  notes(node, isOpen) {
    const { tree } = this;
    const notes = make("span", { class: "bc-notes" });
    const note = (words, kind = "") => notes.append(make("span", { class: `bc-note ${kind}`, text: words }));
    if (tree.flags[node] & RESEARCH) note("again");
    if (tree.flags[node] & REDUCED) note("reduced");
    if (tree.end[node] !== SEARCHED && tree.end[node] !== TABLE) note(ENDS[tree.end[node]], "bc-end");
    if (tree.pruned[node] && !isOpen) {
      note(`+${tree.pruned[node]}`, "bc-pruned");
      notes.lastChild.append(make("span", { class: "bc-words", text: " never searched" }));
    }
    return notes;
  }

  sizeOf(node) {
    const { tree } = this;
    const bar = make("span", { class: "bc-bar" });
    bar.style.setProperty("--share", (tree.size[node] / this.largest(tree.parent[node])).toFixed(4));
    const title = `${grouped(tree.size[node])} node${tree.size[node] === 1 ? "" : "s"}`;
    return make("span", { class: "bc-size", title }, bar, make("span", { text: short(tree.size[node]) }));
  }

  /** The size of the largest subtree below a node, or of the largest root. */
  largest(parent) {
    if (!this.maxima.has(parent)) {
      const siblings = parent < 0 ? this.tree.roots : this.tree.children(parent);
      this.maxima.set(parent, Math.max(...siblings.map((node) => this.tree.size[node])));
    }
    return this.maxima.get(parent);
  }

  ghost(node, level) {
    const { tree } = this;
    const moves = tree.pruned[node] ? prunedSan(tree, node) : "";
    const isCut = (tree.flags[node] & UNRECORDED) !== 0, deeper = isCut && this.explorer.options.deeper;
    const words = deeper ? "search again and look deeper" : isCut ? "children not recorded" : `+${tree.pruned[node]} never searched`;
    const box = deeper
      ? make("button", { type: "button", class: "bc-scissors", tabindex: "-1", text: words, onclick: () => this.explorer.deepen(node) })
      : make("span", { class: "bc-scissors", text: words });
    const element = make("div", { class: "bc-row bc-ghost", role: "presentation", title: moves },
      make("span", { class: "bc-name" }, make("span", { class: "bc-twisty" }), box),
      make("span", { class: "bc-ghost-moves", text: moves }));
    element.style.setProperty("--level", Math.min(level, 24));
    return element;
  }

  label(node) {
    const { tree } = this;
    const pruned = tree.pruned[node] ? `, ${tree.pruned[node]} moves never searched` : "";
    return `${this.name(node)}, value ${valueText(tree, node)}, window ${windowEnd(tree.alpha[node])} to ` +
      `${windowEnd(tree.beta[node])}, ${KINDS[tree.kind[node]]} ${ENDS[tree.end[node]]}${pruned}, ${grouped(tree.size[node])} nodes`;
  }

  nodeOf(event) {
    const row = event.target.closest("[data-node]");
    return row ? Number(row.dataset.node) : null;
  }

  clicked(event) {
    const node = this.nodeOf(event);
    if (node === null) return;
    if (event.target.closest(".bc-twisty") && this.hasMore(node)) this.toggle(node);
    else this.explorer.select(node);
  }

  doubled(event) {
    const node = this.nodeOf(event);
    if (node !== null && !event.target.closest(".bc-twisty") && this.hasMore(node)) this.toggle(node);
  }

  /** The keys of a tree. */
  key(name) {
    const { explorer, tree } = this, { node } = explorer;
    const row = this.places.get(node);
    const move = (from, by) => {
      let to = from;
      while (to >= 0 && to < this.entries.length && this.entries[to] < 0) to += by;
      if (this.entries[to] >= 0) explorer.select(this.entries[to]);
    };
    if (name === "ArrowDown") move(row + 1, 1);
    else if (name === "ArrowUp") move(row - 1, -1);
    else if (name === "Home") move(0, 1);
    else if (name === "End") move(this.entries.length - 1, -1);
    else if (name === "PageDown") move(Math.min(row + 10, this.entries.length - 1), -1);
    else if (name === "PageUp") move(Math.max(row - 10, 0), 1);
    else if (name === "ArrowRight") {
      if (this.hasMore(node) && !this.open.has(node)) this.toggle(node);
      else if (tree.span[node] > 1) explorer.select(node + 1);
      else if (tree.flags[node] & UNRECORDED) explorer.deepen(node);
    } else if (name === "ArrowLeft") {
      if (this.open.has(node) && this.hasMore(node)) this.toggle(node);
      else if (tree.parent[node] >= 0) explorer.select(tree.parent[node]);
    } else if (name === "Enter") {
      if (this.hasMore(node)) this.toggle(node);
    } else return false;
    return true;
  }
}

function prunedSan(tree, node) {
  const position = tree.position(node);
  return (tree.neverSearched(node) ?? []).map((code) => san(position, code)).join(" ");
}

// ---------------------------------------------------------------------------------------------------------------------
// The icicle: the sizes of the subtrees below the current node, as widths; above it the nodes that lead there.

const LEVELS = 6, LEVELS_ABOVE = 3, LEVEL_HEIGHT = 20;

class Icicle {
  constructor(explorer) {
    this.explorer = explorer;
    this.cells = [];
    this.element = make("canvas", {
      class: "bc-icicle", role: "img",
      "aria-label": "Sizes of the subtrees below the current node; the tree says the same in words",
      onclick: (event) => {
        const cell = this.at(event);
        if (cell) explorer.select(cell.node);
      },
      onmousemove: (event) => {
        const cell = this.at(event);
        this.element.title = cell ? `${explorer.tree.lineSan(cell.node).join(" ") || "root"}: ${grouped(explorer.tree.size[cell.node])} nodes` : "";
      },
    });
    new ResizeObserver(() => this.paint()).observe(this.element);
  }

  at(event) {
    const { left, top } = this.element.getBoundingClientRect();
    const x = event.clientX - left, level = Math.floor((event.clientY - top) / LEVEL_HEIGHT);
    return this.cells.findLast((cell) => cell.level === level && x >= cell.x && x < cell.x + cell.width);
  }

  paint() {
    const { tree, node } = this.explorer;
    const width = this.element.clientWidth, scale = window.devicePixelRatio || 1, height = LEVELS * LEVEL_HEIGHT;
    if (!width || node < 0) return;
    this.element.width = width * scale;
    this.element.height = height * scale;
    const context = this.element.getContext("2d");
    context.scale(scale, scale);
    const focus = tree.span[node] > 1 || tree.parent[node] < 0 ? node : tree.parent[node];
    const above = tree.path(focus).slice(0, -1).slice(-LEVELS_ABOVE);
    this.cells = above.map((place, level) => ({ node: place, level, x: 0, width }));
    this.lay(focus, above.length, 0, width);
    const style = getComputedStyle(this.explorer.element);
    const colour = (name) => style.getPropertyValue(`--bc-${name}`);
    const colours = [colour("pv"), colour("cut"), colour("all"), colour("none")];
    const table = colour("table"), paper = colour("paper"), ink = colour("ink"), edge = colour("edge");
    context.font = `12px ${style.fontFamily}`;
    context.textBaseline = "middle";
    for (const cell of this.cells) {
      if (cell.isGround) {
        context.fillStyle = edge;
        context.fillRect(cell.x, cell.level * LEVEL_HEIGHT, cell.width, LEVEL_HEIGHT - 1);
        continue;
      }
      const gap = cell.width > 3 ? 1 : 0;
      context.globalAlpha = cell.node === node ? 1 : cell.level < above.length ? 0.45 : 0.78;
      context.fillStyle = tree.end[cell.node] === TABLE ? table : colours[tree.kind[cell.node]];
      context.fillRect(cell.x, cell.level * LEVEL_HEIGHT, cell.width - gap, LEVEL_HEIGHT - 1);
      context.globalAlpha = 1;
      if (cell.width > 30) this.write(context, cell, cell.level < above.length ? ink : paper);
      if (cell.node === node) {
        context.strokeStyle = ink;
        context.lineWidth = 2;
        context.strokeRect(cell.x + 1, cell.level * LEVEL_HEIGHT + 1, cell.width - gap - 2, LEVEL_HEIGHT - 3);
      }
    }
  }

  write(context, cell, colour) {
    const { tree } = this.explorer;
    context.save();
    context.beginPath();
    context.rect(cell.x, cell.level * LEVEL_HEIGHT, cell.width - 4, LEVEL_HEIGHT);
    context.clip();
    context.fillStyle = colour;
    context.fillText(tree.san(cell.node), cell.x + 5, (cell.level + 0.5) * LEVEL_HEIGHT);
    context.restore();
  }

  /** Lay out a node and what is below it, as long as it can be seen. */
  lay(node, level, x, width) {
    const { tree } = this.explorer;
    this.cells.push({ node, level, x, width });
    if (level + 1 >= LEVELS || tree.span[node] < 2) return;
    // What is too small to be seen leaves its ground.
    this.cells.push({ node, level: level + 1, x, width: width * (1 - 1 / tree.size[node]), isGround: true });
    let place = x;
    for (let child = node + 1, end = node + tree.span[node]; child < end; child += tree.span[child]) {
      const share = (tree.size[child] / Math.max(tree.size[node] - 1, 1)) * width;
      if (share >= 0.6) this.lay(child, level + 1, place, share);
      place += share;
    }
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// The explorer.

const STEPS_PER_SECOND = [1, 3, 10, 40];

class Explorer {
  constructor(element, tree, options) {
    this.element = element;
    this.tree = tree;
    this.options = options;
    this.node = tree.root;
    this.flipped = false;
    this.listeners = [];
    this.speed = 1;
    this.timer = 0;
    this.list = new List(this);
    this.icicle = new Icicle(this);
    this.build();
    this.show();
  }

  build() {
    const { element } = this;
    element.classList.add("bc");
    if (this.options.theme) element.dataset.theme = this.options.theme;
    this.board = make("div", { class: "bc-board-frame" });
    this.facts = make("div", { class: "bc-facts" });
    this.status = make("p", { class: "bc-status", role: "status", "aria-live": "polite" });
    const left = make("section", { class: "bc-left", "aria-label": "Position" }, this.board, this.controls(), this.facts);
    const right = make("section", { class: "bc-right", "aria-label": "Tree" }, this.jumpBar(), this.icicle.element, this.list.element, legend());
    element.replaceChildren(make("div", { class: "bc-layout" }, this.header(), left, right));
    element.addEventListener("keydown", (event) => this.key(event));
  }

  header() {
    const { about } = this.tree;
    this.nodes = make("p", { text: this.summary() });
    const theme = make("button", {
      type: "button", class: "bc-plain", title: "Light or dark", "aria-label": "Switch between light and dark",
      onclick: () => this.switchTheme(),
    }, icon("theme"));
    const header = make("header", { class: "bc-header" },
      make("h1", { text: about.title ?? about.algorithm }), this.nodes);
    if (!about.complete) header.append(make("p", { class: "bc-cut-short", text: "not complete: the record was full" }));
    header.append(theme);
    return header;
  }

  summary() {
    const { about, count, roots } = this.tree;
    const size = this.tree.roots.reduce((sum, root) => sum + this.tree.size[root], 0);
    const facts = [`depth ${about.depth}`, `order ${about.order}`, about.evaluation, `${grouped(count)} nodes`];
    if (size !== count) facts.push(`of ${grouped(size)}`);
    if (roots.length > 1) facts.push(`${roots.length} passes`);
    return facts.join(" \u00b7 ");
  }

  switchTheme() {
    const now = getComputedStyle(this.element).getPropertyValue("--bc-scheme").trim();
    const next = now === "dark" ? "light" : "dark";
    this.element.dataset.theme = next;
    this.element.dispatchEvent(new CustomEvent("bc-theme", { detail: next, bubbles: true }));
    this.icicle.paint();
  }

  controls() {
    const button = (name, label, keys, action) =>
      make("button", { type: "button", title: `${label} (${keys})`, "aria-label": label, onclick: action }, icon(name));
    this.playButton = button("play", "Play", "space", () => this.playing(!this.timer));
    this.playButton.classList.add("bc-play");
    this.counter = make("output", { class: "bc-counter" });
    this.slider = make("input", {
      type: "range", class: "bc-slider", min: 0, max: Math.max(this.tree.count - 1, 0), "aria-label": "Step of the search",
      oninput: () => this.select(Number(this.slider.value)),
    });
    const speed = make("select", { "aria-label": "Speed", title: "Steps a second", onchange: () => {
      this.speed = Number(speed.value);
      if (this.timer) this.playing(true);
    } }, ...STEPS_PER_SECOND.map((steps, i) => make("option", { value: i, text: `${steps}/s`, selected: i === 1 })));
    return make("div", { class: "bc-controls", role: "group", "aria-label": "Steps of the search" },
      make("div", { class: "bc-buttons" },
        button("first", "First step", "0", () => this.select(0)),
        button("back", "One step back", "p", () => this.step(-1)),
        this.playButton,
        button("forward", "One step forward", "n", () => this.step(1)),
        button("last", "Last step", "9", () => this.select(this.tree.count - 1)),
        speed,
        button("turn", "Turn the board", "f", () => this.flip())),
      this.slider, this.counter);
  }

  jumpBar() {
    this.field = make("input", {
      type: "text", class: "bc-jump", placeholder: "e4 e5 Nf3,  =40  or  #1234", spellcheck: "false", autocomplete: "off",
      "aria-label": "Go to a line, to a value (=40) or to a step (#1234)",
    });
    return make("form", { class: "bc-jump-bar", role: "search", onsubmit: (event) => {
      event.preventDefault();
      this.jump(this.field.value);
    } }, this.field, make("button", { type: "submit", text: "Go" }), this.status);
  }

  /** Make a node the current one. */
  select(node, { quiet = false } = {}) {
    if (!(node >= 0 && node < this.tree.count)) return;
    this.node = node;
    this.say("");
    this.show();
    if (!quiet) this.listeners.forEach((listener) => listener(this));
  }

  show() {
    const { tree, node } = this;
    if (node < 0) {
      this.say("The tree is empty.");
      this.board.replaceChildren(drawBoard(tree.start, NO_MOVE, this.flipped));
      return;
    }
    this.board.replaceChildren(drawBoard(tree.position(node), tree.move[node], this.flipped));
    this.counter.textContent = `step ${grouped(node + 1)} of ${grouped(tree.count)}`;
    this.slider.value = node;
    this.facts.replaceChildren(...this.factsOf(node));
    this.list.reveal(node);
    this.icicle.paint();
  }

  factsOf(node) {
    const { tree } = this;
    const crumbs = make("nav", { class: "bc-line", "aria-label": "Line" });
    for (const place of tree.path(node)) {
      crumbs.append(make("button", {
        type: "button", class: "bc-plain", text: this.list.name(place), onclick: () => this.select(place),
        "aria-current": place === node ? "true" : undefined,
      }));
    }
    const pairs = [
      ["value", valueText(tree, node)],
      ["window", `${windowEnd(tree.alpha[node])} \u2026 ${windowEnd(tree.beta[node])}`],
      ["static score", scoreText(tree, node, tree.static[node])],
      ["depth left", String(tree.depth[node]).replace("-", "\u2212")],
      ["subtree", `${grouped(tree.size[node])} node${tree.size[node] === 1 ? "" : "s"}`],
    ];
    const list = make("dl", {}, ...pairs.flatMap(([name, value]) => [make("dt", { text: name }), make("dd", { text: value })]));
    return [crumbs, make("p", { class: "bc-why", text: explain(tree, node) }), this.scale(node), list];
  }

  /** The window and the value on a line of scores. */
  scale(node) {
    const { tree } = this;
    const alpha = tree.alpha[node], beta = tree.beta[node], value = tree.value[node];
    const known = [alpha, beta, value].filter((score) => Math.abs(score) < MATE);
    const low = Math.min(...known, 0) - 60, high = Math.max(...known, 0) + 60;
    const at = (score) => Math.min(Math.max((score - low) / (high - low), 0), 1) * 100;
    const scale = make("div", { class: "bc-scale", "aria-hidden": "true" });
    const part = (kind, left, width) => {
      const element = make("span", { class: kind });
      element.style.left = `${left}%`;
      if (width !== undefined) element.style.width = `${Math.max(width, 0)}%`;
      scale.append(element);
    };
    part("bc-range", at(alpha), at(beta) - at(alpha));
    part("bc-zero", at(0));
    if (value !== NO_VALUE) part(`bc-mark bc-${(KINDS[tree.kind[node]] || "none").toLowerCase()}`, at(value));
    return scale;
  }

  step(by) {
    this.select(Math.min(Math.max(this.node + by, 0), this.tree.count - 1));
  }

  playing(on) {
    clearInterval(this.timer);
    this.timer = on ? setInterval(() => {
      if (this.node >= this.tree.count - 1) this.playing(false);
      else this.step(1);
    }, 1000 / STEPS_PER_SECOND[this.speed]) : 0;
    this.playButton.replaceChildren(icon(on ? "pause" : "play"));
    this.playButton.setAttribute("aria-label", on ? "Pause" : "Play");
  }

  flip() {
    this.flipped = !this.flipped;
    this.show();
  }

  say(words) {
    this.status.textContent = words;
  }

  /** Go to a line, a value or a step. */
  jump(input) {
    const wanted = input.trim().replaceAll("\u2212", "-");
    const value = wanted.match(/^=\s*([+-]?\d+)$/), place = wanted.match(/^#\s*([\d,]+)$/);
    if (value) return this.jumpToValue(Number(value[1]));
    if (place) {
      const number = Number(place[1].replaceAll(",", ""));
      if (number < 1 || number > this.tree.count) return this.say(`There are steps 1 to ${grouped(this.tree.count)}.`);
      return this.select(number - 1);
    }
    return this.jumpToLine(wanted.split(/\s+/).filter((word) => word && !/^\d+\.+$/.test(word)));
  }

  jumpToValue(score) {
    const { value, count } = this.tree;
    for (let i = 1; i <= count; i++) {
      const node = (this.node + i) % count;
      if (value[node] === score) {
        this.select(node);
        return;
      }
    }
    this.say(`No node has the value ${signed(score)}.`);
  }

  jumpToLine(words) {
    const { tree } = this;
    const codes = [], names = [];
    let position = tree.start;
    for (const word of words) {
      const plain = word.replace(/^\d+\.+/, "").replace(/[+#!?]+$/, "").replace(/^0-0-0$/, "O-O-O").replace(/^0-0$/, "O-O");
      const here = position;
      const code = plain === "--" ? NULL_MOVE : legalMoves(here).find((move) => uci(move) === plain || san(here, move).replace(/[+#]$/, "") === plain);
      if (code === undefined) return this.say(`\u201c${word}\u201d is no legal move after ${names.join(" ") || "the root"}.`);
      codes.push(code);
      names.push(san(position, code));
      position = play(position, code);
      const { node, done, reached } = tree.follow(codes);
      if (!reached && done < codes.length - 1) break;
      if (!reached && codes.length > tree.ply[tree.root]) {
        this.select(node);
        const there = tree.children(node).map((child) => tree.san(child));
        const after = names.slice(0, -1).join(" ") || "the root";
        return this.say(`${names.at(-1)} was never searched after ${after}` + (there.length ? `; searched: ${[...new Set(there)].join(" ")}` : "."));
      }
    }
    const { node, reached } = tree.follow(codes);
    if (!reached) return this.say(`Only what follows ${tree.lineSan(tree.root).join(" ")} was recorded.`);
    return this.select(node);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const inField = event.target.matches("input[type=text], select");
    if (inField) {
      if (event.key === "Escape") this.list.element.focus();
      return;
    }
    const onButton = event.target.matches("button");
    const keys = {
      n: () => this.step(1), p: () => this.step(-1), ".": () => this.step(1), ",": () => this.step(-1),
      0: () => this.select(0), 9: () => this.select(this.tree.count - 1), f: () => this.flip(), "/": () => this.field.focus(),
      " ": onButton ? undefined : () => this.playing(!this.timer),
    };
    const action = keys[event.key];
    if (action) action();
    else if (onButton || event.target.matches("input") || !this.list.key(event.key)) return;
    event.preventDefault();
  }

  /** Be told when the user goes to another node. */
  onSelect(listener) {
    this.listeners.push(listener);
  }

  /** Ask the host for what was not recorded below a node, and put it there; tell whether that was done. */
  async deepen(node, options = {}) {
    const { tree } = this;
    if (!this.options.deeper || this.busy || !(tree.flags[node] & UNRECORDED)) return false;
    let done = false;
    this.busy = true;
    this.select(node, options);
    this.say("Searching again\u2026");
    try {
      const line = tree.line(node), visit = tree.visit(node);
      const data = await this.options.deeper(line.map(uci));
      const other = new Tree(data, await unpack(data));
      const found = other.roots.filter((root) => other.line(root).join() === line.join());
      if (visit >= found.length) throw new Error("the search did not come there this time");
      const count = tree.graft(node, other, found[visit]);
      if (this.node > node) this.node += count;
      this.list.shift(node, count);
      this.slider.max = Math.max(tree.count - 1, 0);
      this.nodes.textContent = this.summary();
      this.show();
      this.say("");
      done = true;
    } catch (error) {
      this.say(error.message);
    }
    this.busy = false;
    return done;
  }

  /** Go along a line (moves in UCI notation), and have recorded on the way what was not. */
  async goAlong(words) {
    const codes = [];
    let position = this.tree.start;
    for (const word of words) {
      const code = word === "0000" ? NULL_MOVE : legalMoves(position).find((move) => uci(move) === word);
      if (code === undefined) return;
      codes.push(code);
      position = play(position, code);
    }
    for (let more = codes.length; more >= 0; more--) {
      const { node, reached } = this.tree.follow(codes);
      this.select(node, { quiet: true });
      if (reached || !(await this.deepen(node, { quiet: true }))) return;
    }
  }

  /** Go as far along a line as this tree goes; say so if that is not to its end. */
  followLine(codes) {
    const { node, done, reached } = this.tree.follow(codes);
    this.select(node, { quiet: true });
    if (!reached) {
      const name = san(codes.slice(0, done).reduce(play, this.tree.start), codes[done]);
      this.say(`${name} was never searched here.`);
    }
    return reached;
  }

  destroy() {
    this.playing(false);
    this.element.replaceChildren();
  }
}

function legend() {
  const item = (kind, name, words) =>
    make("span", {}, make("span", { class: `bc-kind bc-${kind}`, text: name }), document.createTextNode(` ${words}`));
  return make("footer", { class: "bc-legend" },
    item("pv", "PV", "inside the window"), item("cut", "CUT", "fails high for the side to move"),
    item("all", "ALL", "fails low for it"), item("table", "TT", "answered by the table"),
    make("span", {}, make("span", { class: "bc-note bc-pruned", text: "+9" }), document.createTextNode(" never searched")),
    make("span", { class: "bc-keys", text: "arrows: tree \u00b7 n, p: next and previous step \u00b7 space: play \u00b7 /: go to" }));
}

/**
 * Show a tree.
 *
 * @param element where to: its children are replaced
 * @param data what `pack` made; its payload is base64, an ArrayBuffer or a DataView
 * @param options theme: "light" or "dark"; without it, as what surrounds the explorer, or the reader's system, has it;
 *   deeper(line): called with moves in UCI notation, for what lies below; it returns a promise of what `pack` makes
 *   of a tree recorded below that line
 * @returns the explorer: select(place), step(by), jump(text), onSelect(listener), followLine(codes), goAlong(words), destroy()
 */
export async function mount(element, data, options = {}) {
  return new Explorer(element, new Tree(data, await unpack(data)), options);
}

/**
 * Show two trees of one position side by side; whoever goes along a line in one goes along it in the other. The second
 * may have options of its own.
 */
export async function mountPair(element, first, second, options = {}, secondOptions = options) {
  const sides = [make("div"), make("div")];
  element.classList.add("bc-pair");
  element.replaceChildren(...sides);
  const [a, b] = await Promise.all([mount(sides[0], first, options), mount(sides[1], second, secondOptions)]);
  a.onSelect(() => b.followLine(a.tree.line(a.node)));
  b.onSelect(() => a.followLine(b.tree.line(b.node)));
  for (const [from, to] of [[a, b], [b, a]]) {
    from.element.addEventListener("bc-theme", (event) => {
      to.element.dataset.theme = event.detail;
      to.icicle.paint();
    });
  }
  return [a, b];
}

/** What was asked for and has not been answered yet, by its number. */
export class Requests {
  constructor() {
    this.count = 0;
    this.waiting = new Map();
  }

  /** Ask for something: `send` takes its number. Return a promise of the answer. */
  ask(send) {
    const id = ++this.count;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      send(id);
    });
  }

  /** Return what settles a request, once; undefined if there is none of this number. */
  take(id) {
    const found = this.waiting.get(id);
    this.waiting.delete(id);
    return found;
  }

  /** Nothing that was asked for will be answered. */
  refuse(words) {
    for (const { reject } of this.waiting.values()) reject(new Error(words));
    this.waiting.clear();
  }
}

/**
 * Show a tree in a notebook. Traits: `data` (what `pack` made, but for the payload), `payload` (bytes), `live` (whether
 * Python can look deeper), `line` (that of the current node, in UCI notation; set by the reader, or by Python).
 */
export function render({ model, el }) {
  const element = make("div", { "data-lm-suppress-shortcuts": "true" });
  el.append(element);
  const requests = new Requests();
  let explorer = null, ended = false;
  const deeper = (line) => requests.ask((id) => model.send({ type: "deeper", line, id }));
  const answered = ({ type, id, data, error }, buffers) => {
    if (type !== "subtree") return;
    if (error) requests.take(id)?.reject(new Error(error));
    else requests.take(id)?.resolve({ ...data, payload: buffers[0] });
  };
  const follow = () => {
    const line = model.get("line"), here = explorer.tree.line(explorer.node).map(uci);
    if (line.join() !== here.join()) explorer.jump(line.join(" "));
  };
  model.on("msg:custom", answered);
  const unfollow = followHost(element, () => explorer?.icicle.paint());
  const options = model.get("live") ? { deeper } : {};
  mount(element, { ...model.get("data"), payload: model.get("payload") }, options).then((made) => {
    explorer = made;
    if (ended) return made.destroy();
    made.onSelect(() => {
      model.set("line", made.tree.line(made.node).map(uci));
      model.save_changes();
    });
    model.on("change:line", follow);
    return follow();
  });
  return () => {
    ended = true;
    unfollow();
    model.off("msg:custom", answered);
    model.off("change:line", follow);
    explorer?.destroy();
  };
}

export default { render };
