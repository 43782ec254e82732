// The list: an indented tree of which only the rows in view exist. Nothing is made for a node before it is drawn.

import { NO_MOVE } from "../chess.js";
import { make } from "../pieces.js";
import { End, ENDS, Flag, KINDS } from "./tree.js";
import { grouped, nodesText, short, valueText, windowText } from "./words.js";

const ROW = 28;
let lists = 0;

export class List {
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
      if (tree.pruned[node] || tree.flags[node] & Flag.UNRECORDED) stack.push([~node, level + 1]);
      const children = tree.children(node);
      for (let i = children.length - 1; i >= 0; i--) stack.push([children[i], level + 1]);
    }
    this.places = new Map(rows.map((node, row) => [node, row]));
    this.rows.style.height = `${rows.length * ROW}px`;
  }

  hasMore(node) {
    return this.tree.span[node] > 1 || this.tree.pruned[node] > 0 || (this.tree.flags[node] & Flag.UNRECORDED) !== 0;
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
    element.append(
      make("span", { class: "bc-name" },
        make("span", { class: "bc-twisty" + (opens ? (isOpen ? " bc-open" : " bc-closed") : "") }),
        make("span", { class: `bc-kind bc-${end === End.TABLE ? "table" : kind.toLowerCase() || "none"}`, text: end === End.TABLE ? "TT" : kind || "?" }),
        make("span", { class: "bc-move", text: this.name(node) })),
      make("span", { class: "bc-value", text: valueText(tree, node) }),
      make("span", { class: "bc-window", text: windowText(tree, node) }),
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
    if (tree.flags[node] & Flag.RESEARCH) note("again");
    if (tree.flags[node] & Flag.REDUCED) note("reduced");
    if (tree.end[node] !== End.SEARCHED && tree.end[node] !== End.TABLE) note(ENDS[tree.end[node]], "bc-end");
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

  ghost(node, level) {
    const { tree } = this;
    const moves = tree.neverSearched(node).join(" ");
    const isCut = (tree.flags[node] & Flag.UNRECORDED) !== 0, deeper = isCut && this.explorer.options.deeper;
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
    return `${this.name(node)}, value ${valueText(tree, node)}, window ${windowText(tree, node, " to ")}, ` +
      `${KINDS[tree.kind[node]]} ${ENDS[tree.end[node]]}${pruned}, ${grouped(tree.size[node])} nodes`;
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
