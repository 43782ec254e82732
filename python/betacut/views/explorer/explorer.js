// The explorer of search trees: `mount(element, data, options)` and `mountPair(element, a, b, options)`.
//
// `data` is what `betacut.views.explorer.pack` makes: a description, and the columns of the tree, compressed.

import { NO_MOVE } from "../chess.js";
import { icon, make } from "../pieces.js";
import { followHost } from "../theme.js";
import { Icicle } from "./icicle.js";
import { List } from "./list.js";
import { minimalTree } from "./minimal.js";
import { pseudocode } from "./pseudocode.js";
import { Requests } from "./requests.js";
import { snapshot } from "./snapshot.js";
import { Flag, readTree } from "./tree.js";
import { explain, grouped, MATE, NO_VALUE, nodesText, scoreText, signed, valueText, windowText } from "./words.js";

const STEPS_PER_SECOND = [1, 3, 10, 40];

class Explorer {
  constructor(element, tree, options) {
    this.element = element;
    // The other programs ("cosc76.minimax_ai", whose evaluation is "cosc76") have units of their own.
    const inPawns = Boolean(options.pawns) && !tree.about.algorithm.startsWith(`${tree.about.evaluation}.`);
    this.tree = Object.assign(tree, { inPawns });
    this.options = options;
    this.node = tree.root;
    this.flipped = false;
    this.listeners = [];
    this.isVeiled = false;
    this.marks = null; // the nodes of the minimal tree, if they are shown
    this.speed = 1;
    this.timer = 0;
    this.list = new List(this);
    this.icicle = new Icicle(this);
    this.build();
    this.show();
    // The pseudocode is there for a click if it would push what is said about the node out of view.
    const left = element.querySelector(".bc-left");
    if (this.code && (left.scrollHeight > left.clientHeight || element.clientWidth <= 560)) this.showCode(false);
  }

  build() {
    const { element } = this;
    element.classList.add("bc");
    if (this.options.theme) element.dataset.theme = this.options.theme;
    this.board = make("div", { class: "bc-board-frame" });
    this.facts = make("div", { class: "bc-facts" });
    this.status = make("p", { class: "bc-status", role: "status", "aria-live": "polite" });
    this.code = pseudocode(this.tree);
    const left = make("section", { class: "bc-left", "aria-label": "Position" }, this.board, this.controls(), this.facts,
      ...(this.code ? [this.code.element] : []));
    const right = make("section", { class: "bc-right", "aria-label": "Tree" }, this.jumpBar(), this.icicle.element, this.list.element, legend(this.tree));
    element.replaceChildren(make("div", { class: "bc-layout" }, this.header(), left, right));
    element.addEventListener("keydown", (event) => this.key(event));
  }

  header() {
    const { about } = this.tree;
    this.nodes = make("p", { text: this.summary() });
    const theme = make("button", {
      type: "button", class: "bc-plain bc-theme", title: "Light or dark", "aria-label": "Switch between light and dark",
      onclick: () => this.switchTheme(),
    }, icon("theme"));
    const cut = about.complete ? [] : [make("p", { class: "bc-cut-short", text: "not complete: the record was full, or the search did not end" })];
    return make("header", { class: "bc-header" }, make("h1", {}, ...(about.title ?? about.algorithm).split(/(?<=_)/).flatMap((part) => [part, make("wbr")])), this.nodes, ...cut, this.tools(), theme);
  }

  /** The switches of what is shown, and what saves it. */
  tools() {
    const button = (text, title, action) => make("button", { type: "button", class: "bc-plain", text, title, onclick: action });
    const toggle = (text, title, pressed, action) => {
      const made = button(text, title, () => {
        const on = action(made.getAttribute("aria-pressed") !== "true");
        made.setAttribute("aria-pressed", String(on));
      });
      made.setAttribute("aria-pressed", String(pressed));
      return made;
    };
    return make("div", { class: "bc-tools", role: "group", "aria-label": "View" },
      toggle("Minimal tree", "Mark the smallest part that proves the value", false, (on) => this.showMinimal(on)),
      toggle("Zoom", "Let the strip show what is below the current node", false, (on) => {
        this.icicle.show(!on);
        return on;
      }),
      ...(this.code ? [this.codeButton = toggle("Pseudocode", "Show the search in a few lines", true, (on) => this.showCode(on))] : []),
      toggle("Projector", "Large type", false, (on) => {
        this.element.classList.toggle("bc-projector", on);
        this.show();
        return on;
      }),
      button("SVG", "Save what is seen as SVG", () => this.save("svg")),
      button("PNG", "Save what is seen as PNG", () => this.save("png")));
  }

  /** Show the pseudocode, or do so no more; tell which. */
  showCode(on) {
    this.code.element.hidden = !on;
    this.codeButton.setAttribute("aria-pressed", String(on));
    return on;
  }

  /** Mark the minimal tree, or do so no more; tell whether it is marked. */
  showMinimal(on) {
    this.marks = on && this.node >= 0 ? minimalTree(this.tree) : null;
    if (this.marks) {
      const needed = this.marks.reduce((sum, mark) => sum + mark, 0);
      this.say(`${nodesText(needed)} of ${grouped(this.tree.count)} prove the value of the root: the minimal tree of what was recorded.`, { calm: true });
    } else this.say(on ? "What was recorded does not prove the value of the root." : "");
    this.list.paint();
    this.icicle.paint();
    return this.marks !== null;
  }

  /** Save what is seen as a file. */
  async save(format) {
    const url = URL.createObjectURL(await snapshot(this, format));
    make("a", { href: url, download: `${this.tree.about.algorithm}.${format}` }).click();
    setTimeout(() => URL.revokeObjectURL(url), 10000);
  }

  summary() {
    const { about, count, roots, total: size } = this.tree;
    const facts = [`depth ${about.depth}`, `order ${about.order}`, about.evaluation, nodesText(count)];
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
        ...(this.tree.rules.isChess ? [button("turn", "Turn the board", "f", () => this.flip())] : [])),
      this.slider, this.counter);
  }

  jumpBar() {
    const value = this.tree.inPawns ? "=0.40" : "=40";
    this.field = make("input", {
      type: "text", class: "bc-jump", placeholder: this.tree.rules.isChess ? `e4 e5 Nf3,  ${value}  or  #1234` : "a line,  =6  or  #12", spellcheck: "false", autocomplete: "off",
      "aria-label": `Go to a line, to a value (${value}) or to a step (#1234)`,
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
      this.board.replaceChildren(tree.rules.draw(tree.start, NO_MOVE, this.flipped));
      return;
    }
    this.board.replaceChildren(tree.rules.draw(tree.position(node), tree.move[node], this.flipped));
    this.counter.textContent = `step ${grouped(node + 1)} of ${grouped(tree.count)}`;
    this.slider.value = node;
    const isWithin = this.facts.contains(this.element.getRootNode().activeElement);
    this.facts.replaceChildren(...this.factsOf(node));
    if (isWithin) (this.facts.querySelector("[aria-current]") ?? this.list.element).focus();
    this.code?.show(node);
    this.list.reveal(node);
    this.icicle.paint();
  }

  factsOf(node) {
    const { tree } = this;
    const crumbs = make("nav", { class: "bc-line", "aria-label": "Line" }, ...tree.path(node).map((place) => make("button", {
      type: "button", class: "bc-plain", text: this.list.name(place), onclick: () => this.select(place),
      "aria-current": place === node ? "true" : undefined,
    })));
    const isKnown = this.knows(node);
    const pairs = [
      ["value", isKnown ? valueText(tree, node) : "?"],
      ["window", windowText(tree, node)],
      ...(tree.rules.isChess ? [["static score", scoreText(tree, node, tree.static[node])]] : []),
      ["depth left", String(tree.depth[node]).replace("-", "\u2212")],
      ...(isKnown ? [["subtree", nodesText(tree.size[node])]] : []),
    ];
    const list = make("dl", {}, ...pairs.flatMap(([name, value]) => [make("dt", { text: name }), make("dd", { text: value })]));
    return [crumbs, make("p", { class: "bc-why", text: isKnown ? explain(tree, node) : "" }), this.scale(node), list];
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
      const { style } = scale.appendChild(make("span", { class: kind }));
      style.left = `${left}%`;
      if (width !== undefined) style.width = `${Math.max(width, 0)}%`;
    };
    part("bc-range", at(alpha), at(beta) - at(alpha));
    part("bc-zero", at(0));
    if (value !== NO_VALUE && this.knows(node)) part(`bc-mark bc-${tree.kindOf(node).style}`, at(value));
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
    this.playButton.title = `${on ? "Pause" : "Play"} (space)`;
  }

  flip() {
    this.flipped = !this.flipped;
    this.show();
  }

  say(words, { calm = false } = {}) {
    this.status.textContent = words;
    this.status.classList.toggle("bc-calm", calm);
  }

  /** Go to a line, a value or a step. */
  jump(input) {
    const wanted = input.trim().replaceAll("\u2212", "-");
    const value = wanted.match(/^=\s*([+-]?\d+(?:\.\d+)?)$/), place = wanted.match(/^#\s*([\d,]+)$/);
    if (value) return this.jumpToValue(Math.round(Number(value[1]) * (this.tree.inPawns ? 100 : 1)));
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
      if (value[node] === score) return this.select(node);
    }
    return this.say(`No node has the value ${signed(this.tree, score)}.`);
  }

  jumpToLine(words) {
    const { tree } = this;
    const codes = [], names = [];
    let position = tree.start;
    for (const word of words) {
      const code = tree.rules.read(position, word);
      if (code === undefined) return this.say(`\u201c${word}\u201d is no legal move after ${names.join(" ") || "the root"}.`);
      codes.push(code);
      names.push(tree.rules.san(position, code));
      position = tree.rules.play(position, code);
      const { node, done, reached } = tree.follow(codes);
      if (!reached && done < codes.length - 1) break;
      if (!reached && codes.length > tree.ply[tree.root]) {
        this.select(node);
        const there = tree.replies(node).map((child) => tree.san(child));
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
    if (event.target.matches("input[type=text], select")) {
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
    if (!this.options.deeper || this.busy || !(tree.flags[node] & Flag.UNRECORDED)) return false;
    let done = false;
    this.busy = true;
    this.select(node, options);
    this.say("Searching again\u2026");
    try {
      const packed = await this.options.deeper(tree.line(node).map(tree.rules.uci), node);
      if (packed) await this.graft(node, packed);
      this.say("");
      done = true;
    } catch (error) {
      this.say(error.message);
    }
    this.busy = false;
    return done;
  }

  /** Put what another record of the search has below a node there; return how many nodes that adds. */
  async graft(node, packed) {
    const { tree } = this, line = tree.line(node).join(), visit = tree.visit(node);
    const other = await readTree(packed);
    const found = other.roots.filter((root) => other.line(root).join() === line);
    if (visit >= found.length) throw new Error("the search did not come there this time");
    const count = tree.graft(node, other, found[visit]);
    if (this.node > node) this.node += count;
    if (this.marks) this.marks = minimalTree(tree);
    this.list.shift(node, count);
    this.slider.max = Math.max(tree.count - 1, 0);
    this.nodes.textContent = this.summary();
    this.show();
    return count;
  }

  /** Tell whether the search has come back from a node; it always has, unless a veil hides what comes. */
  knows(node) {
    const { tree, isVeiled } = this;
    if (!isVeiled) return true;
    const isHere = node === this.node && !(tree.flags[node] & Flag.UNRECORDED);
    return node + tree.span[node] <= this.node + (isHere ? 1 : 0);
  }

  /** Hide what the search does not know yet at the current node, or show it again. */
  veil(on) {
    if (on === this.isVeiled) return;
    this.isVeiled = on;
    this.element.classList.toggle("bc-veiled", on);
    this.show();
  }

  /** Go along a line (moves in UCI notation), and have recorded on the way what was not. */
  async goAlong(words) {
    const codes = [];
    const { rules } = this.tree;
    let position = this.tree.start;
    for (const word of words) {
      const code = rules.read(position, word);
      if (code === undefined) return;
      codes.push(code);
      position = rules.play(position, code);
    }
    for (let more = codes.length; more >= 0; more--) {
      const { node, reached } = this.tree.follow(codes);
      this.select(node, { quiet: true });
      if (reached || !(await this.deepen(node, { quiet: true }))) return;
    }
  }

  /** Go as far along a line as this tree goes; say so if that is not to its end. */
  followLine(codes) {
    const { rules } = this.tree;
    const { node, done, reached } = this.tree.follow(codes);
    this.select(node, { quiet: true });
    if (!reached) this.say(`${rules.san(codes.slice(0, done).reduce(rules.play, this.tree.start), codes[done])} was never searched here.`);
    return reached;
  }

  destroy() {
    this.playing(false);
    this.element.replaceChildren();
  }
}

function legend(tree) {
  const item = (kind, name, words) =>
    make("span", {}, make("span", { class: `bc-kind bc-${kind}`, text: name }), document.createTextNode(` ${words}`));
  return make("footer", { class: "bc-legend" },
    ...(tree.hasWindows ? [
      item("pv", "PV", "inside the window"), item("cut", "CUT", "fails high for the side to move"), item("all", "ALL", "fails low for it"),
      make("span", { text: tree.rules.isChess ? "\u25b2 White, MAX; \u25bc Black, MIN" : "\u25b2 MAX, \u25bc MIN" }),
    ] : [item("pv", "MAX", "the greatest value counts"), item("cut", "MIN", "the least")]),
    item("table", "TT", "answered by the table"),
    make("span", {}, make("span", { class: "bc-note bc-pruned", text: "+9" }), document.createTextNode(" never searched")),
    make("span", { class: "bc-keys", text: "arrows: tree \u00b7 n, p: next and previous step \u00b7 space: play \u00b7 /: go to" }));
}

/**
 * Show a tree.
 *
 * @param element where to: its children are replaced
 * @param data what `pack` made; its payload is base64, an ArrayBuffer or a DataView
 * @param options theme: "light" or "dark"; without it, as what surrounds the explorer, or the reader's system, has it;
 *   deeper(line, node): called with moves in UCI notation, for what lies below; it returns a promise of what `pack` makes
 *   of a tree recorded below that line, or of nothing if it was put there by `graft`; pawns: whether values are shown in
 *   pawns rather than centipawns; those of the other programs stay in the unit of each
 * @returns the explorer: select(place), step(by), jump(text), onSelect(listener), followLine(codes), goAlong(words),
 *   graft(node, data), veil(on), destroy()
 */
export async function mount(element, data, options = {}) {
  return new Explorer(element, await readTree(data), options);
}

/** Show two trees of one position side by side: a line is followed in both. The second may have options of its own. */
export async function mountPair(element, first, second, options = {}, secondOptions = options) {
  const sides = [make("div"), make("div")];
  element.classList.add("bc-pair");
  element.replaceChildren(...sides);
  const [a, b] = await Promise.all([mount(sides[0], first, options), mount(sides[1], second, secondOptions)]);
  // One scale: as wide as the larger tree.
  for (const one of [a, b]) {
    if (one.code) one.showCode(false);
    one.icicle.scale = Math.max(a.tree.total, b.tree.total);
    one.icicle.paint();
  }
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

/** Show a tree. Traits: `data` and `payload`, what `pack` made; `live`: Python can look deeper; `line`, to the current node. */
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
    const line = model.get("line"), here = explorer.tree.line(explorer.node).map(explorer.tree.rules.uci);
    if (line.join() !== here.join()) explorer.jump(line.join(" "));
  };
  model.on("msg:custom", answered);
  const unfollow = followHost(element, () => explorer?.icicle.paint());
  const options = model.get("live") ? { deeper } : {};
  mount(element, { ...model.get("data"), payload: model.get("payload") }, options).then((made) => {
    explorer = made;
    if (ended) return made.destroy();
    made.onSelect(() => {
      model.set("line", made.tree.line(made.node).map(made.tree.rules.uci));
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
