// The tree: the columns that the host packed, and what can be asked of them. The nodes stand in the order in which the
// search visited them, so that the place of a node is the number of the step and the subtree of a node is one piece.

import { NO_MOVE } from "../chess.js";
import { rulesOf } from "./rules.js";

export const KINDS = ["PV", "CUT", "ALL", ""];
export const ENDS = [
  "all moves searched", "leaf", "checkmate", "stalemate", "fifty moves", "insufficient material", "repetition",
  "from the table", "cutoff", "stand pat", "cut short", "deepest",
];
export const End = { SEARCHED: 0, LEAF: 1, CHECKMATE: 2, TABLE: 7, CUTOFF: 8, STAND_PAT: 9, UNFINISHED: 10 };
export const Flag = { RESEARCH: 1, REDUCED: 2, UNRECORDED: 4 };

const OPEN = 200000; // a window that ends there is open
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
    this.rules = rulesOf(data.about);
    // Without windows every value is exact: the kinds of nodes say nothing then.
    this.hasWindows = this.alpha.some((alpha) => alpha > -OPEN) || this.beta.some((beta) => beta < OPEN);
    this.start = this.rules.isChess ? this.rules.parse(data.about.fen) : this.rules.states[0];
    this.line0 = data.about.line ?? [];
    this.link();
    this.positions = new Map();
    this.names = new Map();
  }

  /** Work out where the parents are and how long the subtrees. */
  link() {
    const { count, ply } = this;
    const parent = (this.parent = new Int32Array(count)), span = (this.span = new Uint32Array(count).fill(1));
    // Quiescence begins in the position of a leaf: such trees say how deep each node stands.
    const given = this.level, level = (this.level = new Uint8Array(count));
    const latest = new Int32Array(257).fill(-1), isRoot = new Set(this.roots);
    const first = this.roots.length ? ply[this.roots[0]] : 0;
    this.sides = [];
    for (let i = 0; i < count; i++) {
      level[i] = given?.[i] ?? Math.max(ply[i] - first, 0);
      parent[i] = isRoot.has(i) ? -1 : latest[level[i]];
      latest[level[i] + 1] = i;
      this.sides[level[i]] |= 1 << ply[i] % 2;
      if (this.state) this.rules.link(parent[i] < 0 ? 0 : this.state[parent[i]], this.move[i], this.state[i]);
    }
    for (let i = count - 1; i >= 0; i--) if (parent[i] >= 0) span[parent[i]] += span[i];
    this.size ??= span;
    this.levels = level.reduce((most, one) => Math.max(most, one + 1), 0);
    this.total = this.roots.reduce((sum, root) => sum + this.size[root], 0);
    // The last pass over the root position is the one that counts.
    this.root = this.roots.filter((root) => ply[root] === ply[this.roots[0]]).at(-1) ?? -1;
  }

  /** Which visit to its line a node is, from 0. */
  visit(node) {
    const { ply, move } = this, line = this.line(node).join();
    let visits = 0;
    for (let i = 0; i < node; i++) if (ply[i] === ply[node] && move[i] === move[node] && this.line(i).join() === line) visits++;
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
    const level = new Uint8Array(this.count + more);
    level.set(this.level.subarray(0, node));
    level.set(other.level.subarray(root, root + length).map((one) => one + this.level[node] - other.level[root]), node);
    level.set(this.level.subarray(node + 1), node + length);
    this.level = level;
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

  /** The moves searched from a node; those of quiescence too, which begins at a leaf without a move. */
  replies(node) {
    return this.children(node).flatMap((child) => (this.move[child] === NO_MOVE ? this.replies(child) : [child]));
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

  /** Tell whether the side that maximises is to move. */
  isMax(node) {
    const moves = this.ply[node] % 2 === 0 ? 1 : -1;
    return this.start.turn * moves > 0;
  }

  /** Tell whether a move was searched again. */
  isAgain(node) {
    return (this.flags[node] & Flag.RESEARCH) !== 0;
  }

  /** What a node is, as a word and a class: PV, CUT, ALL, answered by the table; MAX or MIN where there are no windows. */
  kindOf(node) {
    if (this.end[node] === End.TABLE) return { name: "TT", style: "table" };
    if (this.kind[node] > 2) return { name: "?", style: "none" };
    if (!this.hasWindows) return this.isMax(node) ? { name: "MAX", style: "pv" } : { name: "MIN", style: "cut" };
    const name = KINDS[this.kind[node]];
    return { name, style: name.toLowerCase() };
  }

  /** The position that a node's move leads to. */
  position(node) {
    if (this.state) return this.rules.states[this.state[node]];
    let known = node;
    const missing = [];
    while (known >= 0 && !this.positions.has(known)) {
      missing.push(known);
      known = this.parent[known];
    }
    let position = known >= 0 ? this.positions.get(known) : this.above(missing.at(-1));
    if (this.positions.size > 20000) this.positions.clear();
    for (const place of missing.reverse()) {
      if (this.move[place] !== NO_MOVE) position = this.rules.play(position, this.move[place]);
      this.positions.set(place, position);
    }
    return position;
  }

  /** The position that a root's move is made in. */
  above(root) {
    return this.line0.slice(0, Math.max(this.ply[root] - 1, 0)).reduce(this.rules.play, this.start);
  }

  before(node) {
    return this.parent[node] >= 0 ? this.position(this.parent[node]) : this.above(node);
  }

  san(node) {
    let name = this.names.get(node);
    if (name === undefined) {
      if (this.move[node] !== NO_MOVE) name = this.rules.san(this.before(node), this.move[node]);
      else name = this.parent[node] < 0 ? "root" : "quiescence";
      if (this.names.size > 50000) this.names.clear();
      this.names.set(node, name);
    }
    return name;
  }

  lineSan(node) {
    let position = this.start;
    return this.line(node).map((code) => {
      const name = this.rules.san(position, code);
      position = this.rules.play(position, code);
      return name;
    });
  }

  /** The legal moves that were never searched, by name; none if it is not known which. */
  neverSearched(node) {
    if (this.flags[node] & Flag.UNRECORDED || !this.pruned[node]) return [];
    const position = this.position(node), searched = new Set(this.children(node).map((child) => this.move[child]));
    return this.rules.legalMoves(position).filter((code) => !searched.has(code)).map((code) => this.rules.san(position, code));
  }

  /** Follow moves (codes) from the root: the last visit on the way, and how many moves were found. */
  follow(codes) {
    const { root } = this;
    let visits = this.roots.filter((one) => this.ply[one] === this.ply[root]);
    let done = Math.min(this.ply[root], codes.length);
    if (this.line(root).some((code, i) => code !== codes[i])) return { node: root, done: 0, reached: false };
    while (done < codes.length) {
      const line = codes.slice(0, done + 1).join();
      const found = visits.flatMap((one) => this.replies(one)).filter((child) => this.move[child] === codes[done]);
      found.push(...this.roots.filter((one) => this.line(one).join() === line));
      if (!found.length) return { node: visits.at(-1), done, reached: false };
      visits = found.sort((one, other) => one - other);
      done++;
    }
    return { node: visits.at(-1), done, reached: true };
  }
}

/** Make the tree of what the host packed. */
export const readTree = async (data) => new Tree(data, await unpack(data));
