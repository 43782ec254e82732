// The list: an indented tree of which only the rows in view exist. Nothing is made for a node before it is drawn.

import { NO_MOVE } from "../chess.js";
import { make } from "../pieces.js";
import { End, ENDS, Flag } from "./tree.js";
import { grouped, nodesText, short, valueText, windowText } from "./words.js";

let lists = 0;

export class List {
  constructor(explorer) {
    this.explorer = explorer;
    this.tree = explorer.tree;
    this.open = new Set(this.tree.roots.length > 1 ? [] : this.tree.roots);
    // A tree for the first lesson is seen as a whole.
    if (!this.tree.rules.isChess && this.tree.count <= 60) for (let node = 0; node < this.tree.count; node++) if (this.hasMore(node)) this.open.add(node);
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
    this.rowHeight = 28;
    this.made = new Map(); // the rows that were painted last, by what they show
    this.flatten();
    new ResizeObserver(() => this.paint()).observe(this.element);
  }

  /** Learn how high a row is: the style sheet says it, for a phone or a projector another. */
  measure() {
    const height = parseFloat(getComputedStyle(this.element).getPropertyValue("--row-height")) || 28;
    if (height === this.rowHeight) return;
    this.element.scrollTop *= height / this.rowHeight;
    this.rowHeight = height;
    this.rows.style.height = `${this.entries.length * height}px`;
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
      if (tree.pruned[node] || tree.flags[node] & Flag.UNRECORDED) stack.push([~node, level + 1]);
      const children = tree.children(node);
      for (let i = children.length - 1; i >= 0; i--) stack.push([children[i], level + 1]);
    }
    this.places = new Map(rows.map((node, row) => [node, row]));
    this.rows.style.height = `${rows.length * this.rowHeight}px`;
  }

  hasMore(node) {
    return this.tree.span[node] > 1 || this.tree.pruned[node] > 0 || (this.tree.flags[node] & Flag.UNRECORDED) !== 0;
  }

  toggle(node, open = !this.open.has(node)) {
    if (open) this.open.add(node);
    else this.open.delete(node);
    this.flatten();
    if (this.places.has(this.explorer.node)) this.paint();
    else this.explorer.select(node); // what was current is folded away
  }

  /** Take note that so many nodes were put below a node. */
  shift(node, count) {
    this.open = new Set([...this.open].map((place) => (place > node ? place + count : place)));
    this.maxima.clear();
    this.made.clear();
    this.open.add(node);
    this.flatten();
  }

  /** Open the way to a node and bring it into view. */
  reveal(node) {
    const hidden = this.tree.path(node).slice(0, -1).filter((place) => !this.open.has(place));
    hidden.forEach((place) => this.open.add(place));
    if (hidden.length) this.flatten();
    this.measure();
    const ROW = this.rowHeight;
    const top = this.places.get(node) * ROW, { scrollTop, clientHeight } = this.element;
    if (top < scrollTop + ROW) this.element.scrollTop = Math.max(top - 2 * ROW, 0);
    else if (top > scrollTop + clientHeight - 2 * ROW) this.element.scrollTop = top - clientHeight + 3 * ROW;
    this.paint();
  }

  /** The rows in view, each with its level. */
  inView() {
    const { scrollTop, clientHeight } = this.element;
    const first = Math.ceil(scrollTop / this.rowHeight), last = Math.floor((scrollTop + clientHeight) / this.rowHeight);
    return this.entries.slice(first, Math.max(last, first + 1)).map((entry, i) => [entry, this.levels[first + i]]);
  }

  paint() {
    this.measure();
    const ROW = this.rowHeight;
    const { scrollTop, clientHeight } = this.element;
    const first = Math.max(Math.floor(scrollTop / ROW) - 4, 0);
    const last = Math.min(Math.ceil((scrollTop + clientHeight) / ROW) + 4, this.entries.length);
    const rows = [], made = new Map();
    for (let row = first; row < last; row++) {
      const node = this.entries[row], level = this.levels[row];
      // A row that says the same stays, so that a click is not lost when the list is painted under it.
      const key = [node, level, node === this.explorer.node, this.open.has(node), this.markOf(node), this.veilOf(node)].join();
      const element = this.made.get(key) ?? (node >= 0 ? this.row(node, level) : this.ghost(~node, level));
      element.style.transform = `translateY(${row * ROW}px)`;
      made.set(key, element);
      rows.push(element);
    }
    this.made = made;
    const kept = new Set(rows);
    for (const old of [...this.rows.children]) if (!kept.has(old)) old.remove();
    rows.forEach((row, i) => {
      const there = this.rows.children[i];
      if (there !== row) this.rows.insertBefore(row, there ?? null);
    });
    const current = this.explorer.node;
    const shown = this.places.get(current);
    if (shown >= first && shown < last) this.element.setAttribute("aria-activedescendant", `${this.id}-${current}`);
    else this.element.removeAttribute("aria-activedescendant");
  }

  /** What a veil hides of a row: all that comes later, and what comes of a node that the search is still at. */
  veilOf(entry) {
    const { explorer } = this;
    if (!explorer.isVeiled) return "";
    if (entry < 0) return explorer.knows(~entry) ? "" : " bc-later";
    return entry > explorer.node ? " bc-later" : explorer.knows(entry) ? "" : " bc-unknown";
  }

  /** Whether a node belongs to the minimal tree, if that is shown and no veil hides it. */
  markOf(node) {
    const { marks, isVeiled } = this.explorer;
    return !marks || isVeiled ? "" : marks[node] ? " bc-needed" : " bc-faint";
  }

  row(node, level) {
    const { tree } = this;
    const { name: kind, style } = tree.kindOf(node), current = node === this.explorer.node;
    const opens = this.hasMore(node), isOpen = this.open.has(node);
    const element = make("div", {
      id: `${this.id}-${node}`, class: "bc-row" + this.veilOf(node) + (current ? " bc-current" : "") + this.markOf(node), role: "treeitem", "data-node": node,
      "aria-level": level + 1, "aria-selected": String(current), "aria-expanded": opens ? String(isOpen) : undefined,
      "aria-label": this.label(node),
    });
    element.style.setProperty("--level", Math.min(level, 24));
    element.append(
      make("span", { class: "bc-name" },
        make("span", { class: "bc-twisty" + (opens ? (isOpen ? " bc-open" : " bc-closed") : "") }),
        make("span", { class: `bc-kind bc-${style}`, text: kind }),
        make("span", { class: "bc-side", text: this.sideOf(node), "aria-hidden": "true" }),
        make("span", { class: "bc-move", text: this.name(node) })),
      make("span", { class: "bc-value", text: valueText(tree, node) }),
      make("span", { class: "bc-window", text: windowText(tree, node) }),
      this.notes(node),
      this.sizeOf(node));
    return element;
  }

  /** The name of a row: the move; of a pass over the root, which one it is. */
  name(node) {
    const { tree } = this;
    if (tree.parent[node] >= 0) return tree.san(node);
    if (tree.roots.length === 1) return tree.san(node);
    if (tree.move[node] !== NO_MOVE) return tree.san(node) + (node === tree.roots[0] ? "" : " again");
    return `pass ${tree.roots.indexOf(node) + 1}, depth ${tree.depth[node]}`;
  }

  /** The sign of the side to move: up for the one that maximises. */
  sideOf(node) {
    const { tree } = this;
    return tree.hasWindows ? (tree.isMax(node) ? "\u25b2 " : "\u25bc ") : "";
  }

  /** What there is to say about a node besides, each with a class, and `more` where there is room for it. */
  notesOf(node) {
    const { tree } = this, found = [];
    if (tree.flags[node] & Flag.RESEARCH) found.push({ words: "again", style: "" });
    if (tree.flags[node] & Flag.REDUCED) found.push({ words: "reduced", style: "" });
    if (tree.end[node] !== End.SEARCHED && tree.end[node] !== End.TABLE) found.push({ words: ENDS[tree.end[node]], style: "bc-end" });
    if (tree.pruned[node] && !this.open.has(node)) found.push({ words: `+${tree.pruned[node]}`, style: "bc-pruned", more: " never searched" });
    return found;
  }

  notes(node) {
    return make("span", { class: "bc-notes" }, ...this.notesOf(node).map(({ words, style, more }) =>
      make("span", { class: `bc-note ${style}`, text: words }, ...(more ? [make("span", { class: "bc-words", text: more })] : []))));
  }

  sizeOf(node) {
    const { tree } = this;
    const bar = make("span", { class: "bc-bar" });
    bar.style.setProperty("--share", (tree.size[node] / this.largest(tree.parent[node])).toFixed(4));
    return make("span", { class: "bc-size", title: nodesText(tree.size[node]) }, bar, make("span", { text: short(tree.size[node]) }));
  }

  /** The size of the largest subtree below a node, or of the largest root. */
  largest(parent) {
    if (!this.maxima.has(parent)) {
      const siblings = parent < 0 ? this.tree.roots : this.tree.children(parent);
      this.maxima.set(parent, Math.max(...siblings.map((node) => this.tree.size[node])));
    }
    return this.maxima.get(parent);
  }

  /** What the row below a node says of what is not there. */
  ghostWords(node) {
    const { tree } = this;
    if (!(tree.flags[node] & Flag.UNRECORDED)) return `+${tree.pruned[node]} never searched`;
    return this.explorer.options.deeper ? "search again and look deeper" : "children not recorded";
  }

  ghost(node, level) {
    const { tree } = this;
    const moves = tree.neverSearched(node).join(" ");
    const isCut = (tree.flags[node] & Flag.UNRECORDED) !== 0, deeper = isCut && this.explorer.options.deeper;
    const words = this.ghostWords(node);
    const box = deeper
      ? make("button", { type: "button", class: "bc-scissors", tabindex: "-1", text: words, onclick: () => { this.element.focus(); this.explorer.deepen(node); } })
      : make("span", { class: "bc-scissors", text: words });
    const element = make("div", { class: `bc-row bc-ghost${this.veilOf(~node)}`, role: "presentation", title: moves },
      make("span", { class: "bc-name" }, make("span", { class: "bc-twisty" }), box),
      make("span", { class: "bc-ghost-moves", text: moves }));
    element.style.setProperty("--level", Math.min(level, 24));
    return element;
  }

  label(node) {
    const { tree } = this;
    if (!this.explorer.knows(node)) return `${this.name(node)}, window ${windowText(tree, node, " to ")}`;
    const pruned = tree.pruned[node] ? `, ${grouped(tree.pruned[node])} ${tree.pruned[node] === 1 ? "move" : "moves"} never searched` : "";
    return `${this.name(node)}, value ${valueText(tree, node)}, window ${windowText(tree, node, " to ")}, ` +
      `${tree.kindOf(node).name} ${tree.isMax(node) ? "max" : "min"} node, ${ENDS[tree.end[node]]}${pruned}, ${nodesText(tree.size[node])}`;
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
      else if (tree.flags[node] & Flag.UNRECORDED) explorer.deepen(node);
    } else if (name === "ArrowLeft") {
      if (this.open.has(node) && this.hasMore(node)) this.toggle(node);
      else if (tree.parent[node] >= 0) explorer.select(tree.parent[node]);
    } else if (name === "Enter") {
      if (this.hasMore(node)) this.toggle(node);
    } else return false;
    return true;
  }
}
