// Look inside: the trees of one search or two, deeper where one clicks, and a comparison.

import { button, busyText, form, labelled, make, news, numberField, roomLinks, select, setHtml, setOption, setText, setValue, statusLine } from "./parts.js";
import { Trees, UNANSWERED } from "./trees.js";

export function insideRoom(main, page) {
  const act = page.act;
  const searches = page.about.algorithms.map((name) => [name, name, name.includes(".") ? "Other programs" : "Textbook searches"]);
  const a = select(searches), b = select([["", "none"], ...searches]);
  const depth = numberField({ min: 1, max: 12, step: 1 }), ply = numberField({ min: 1, max: 12, step: 1 });
  const order = select(page.about.orders.map((name) => [name, name.replaceAll("_", " ")]));
  const position = make("input", { type: "text", spellcheck: "false", autocomplete: "off", placeholder: "a FEN, or a name such as P5, kiwipete, italian", maxlength: 200 });
  const status = statusLine();
  const stop = button("Stop", () => act({ do: "stop" }), { hidden: true });
  const search = form("bw-form bw-wide-form", () => {
    clearTimeout(shown.timer); // the node in view is one of the tree that goes
    act({ do: "record", fen: position.value, a: a.value, b: b.value, depth: depth.value, ply: ply.value, order: order.value });
  },
  labelled("Position", position, { class: "bw-field bw-grow" }), labelled("Search", a), labelled("Beside it", b), labelled("Depth", depth),
  labelled("Kept to ply", ply), labelled("Move order", order),
  make("button", { class: "bw-primary", text: "Search" }));
  const shown = new RecordedTrees(page);
  const links = roomLinks(page, { analyse: "Analyse the position in the tree" });
  const share = button("Show the class", () => act({ do: "share", lead: page.lead }));
  const compared = comparison(page, () => ({ fen: position.value, order: order.value }));
  main.replaceChildren(make("section", { class: "bw-whole", "aria-label": "Trees" },
    make("h1", { class: "bw-hidden", text: "Look inside" }), search, make("div", { class: "bw-now bw-buttons" }, status, stop, share, links.element), shown.trees, compared.element));
  const known = new Map();
  return {
    show(view) {
      // Only what has changed: the rest may have been set by the person, who has not asked for it yet.
      const fields = [[a, view.algorithms[0]], [b, view.algorithms[1]], [depth, view.depth], [ply, view.ply]];
      for (const [field, value] of fields) if (known.get(field) !== value) field.value = value;
      if (known.get(order) !== view.order) setOption(order, view.order);
      if (known.get(position) !== view.fen) setValue(position, view.fen);
      for (const [field, value] of [...fields, [order, view.order], [position, view.fen]]) known.set(field, value);
      links.show(view.links);
      share.hidden = !page.lead || !view.trees.length;
      stop.hidden = !["tree", "deeper"].includes(view.busy);
      setText(status, statusOf(view));
      compared.show(view);
      shown.show(view).catch((error) => shown.lost(error));
    },
    receive(message) {
      if (message.kind === "shared") page.goTo(page.leading);
      else if (message.kind === "subtree") shown.receive(message);
      else if (["refused", "cut"].includes(message.kind)) shown.requests.refuse(UNANSWERED);
    },
    theme(isDark) {
      shown.theme();
      compared.theme(isDark);
    },
    destroy: () => shown.clear(),
  };
}

function statusOf(view) {
  if (view.busy === "tree") return busyText("Searching and recording …", view.waiting);
  if (view.busy === "deeper") return busyText("Searching again, to see more …", view.waiting);
  return "";
}

/** The explorers, and what lies deeper. */
class RecordedTrees extends Trees {
  constructor(page) {
    super(page);
    this.names = this.failed = "";
  }

  /** The trees cannot be fetched: those that are gone are recorded again, once. */
  lost(error) {
    if (error.status === 404 && !this.failed) {
      this.failed = this.names;
      this.page.act({ do: "again" });
    } else {
      this.names = ""; // the next view has them fetched again
      this.page.complain(String(error.message ?? error));
    }
  }

  async show(view) {
    const names = view.busy === "tree" ? this.names : view.trees.map((tree) => tree.data).join(" ");
    if (names === this.names) return;
    this.clear();
    this.names = names;
    const packed = await this.fetch(view.trees.map((tree) => tree.data));
    if (names !== this.names || !packed.length) return;
    this.failed = "";
    let isStopped = false;
    const deeper = (side) => (line) => this.deeper({ side, line }).catch((error) => {
      isStopped = true;
      throw error;
    });
    await this.mount(packed, (side) => ({ deeper: deeper(side), pawns: true }));
    for (const explorer of this.explorers) {
      // What was not recorded on the way is opened, unless something else was asked for meanwhile.
      if (view.at.length && !isStopped && names === this.names) await explorer.goAlong(view.at);
    }
    if (names === this.names) this.explorers.forEach((explorer) => explorer.onSelect(() => this.selected(explorer)));
  }

  clear() {
    super.clear();
    this.names = "";
  }

  selected(explorer) {
    const line = this.line(explorer);
    clearTimeout(this.timer);
    // The first at once: a link may be followed that needs it. Of many at a time the last.
    this.timer = setTimeout(() => {
      this.told = performance.now();
      this.page.act({ do: "select", line });
    }, Math.max((this.told ?? -400) + 400 - performance.now(), 0));
  }

  async receive({ request, data, failed }) {
    const waiting = this.requests.take(request);
    if (!waiting) return;
    if (failed) waiting.reject(new Error(failed));
    else this.page.fetch(data).then(waiting.resolve, waiting.reject);
  }
}

/** The comparison of several searches; `question()` is the position and the order of the moves. */
function comparison(page, question) {
  const { act } = page;
  const names = ["search", ...page.about.algorithms.filter((name) => !name.includes("."))];
  const usual = ["search", "minimax", "alpha_beta_pruning", "negascout", "mtd_f"];
  const boxes = names.map((name) => make("input", { type: "checkbox", value: name, id: `bw-compare-${name}`, checked: usual.includes(name) }));
  const depth = numberField({ min: 1, max: 12, step: 1, value: 4 });
  const table = make("div", { class: "bw-scroll bw-comparison" });
  const plot = make("img", { class: "bw-plot", alt: "Nodes of each search over the depth", hidden: true });
  const status = statusLine();
  const stop = button("Stop", () => act({ do: "stop" }), { hidden: true });
  const compare = form("bw-form", () =>
    act({ do: "compare", ...question(), names: boxes.filter((box) => box.checked).map((box) => box.value), depth: depth.value }),
  make("fieldset", { class: "bw-boxes" }, make("legend", { text: "Searches" }),
    ...boxes.map((box) => make("label", { for: box.id }, box, box.value === "search" ? "search (exact)" : box.value))),
  make("div", { class: "bw-row" }, labelled("To depth", depth), make("button", { class: "bw-primary", text: "Compare" })),
  make("div", { class: "bw-now bw-buttons" }, status, stop));
  const isNew = news();
  let fetched = "", plots = null;
  const draw = (isDark) => {
    plot.hidden = !plots;
    if (plots) plot.src = pictureAddress(plots[isDark ? "dark" : "light"]);
  };
  return {
    element: make("section", { class: "bw-compare", "aria-label": "Comparison" }, make("h2", { text: "Comparison" }), compare, table, plot),
    theme: draw,
    async show(view) {
      if (isNew(view.compared, view.compared_depth) && view.compared.length) {
        for (const box of boxes) box.checked = view.compared.includes(box.value);
        setValue(depth, view.compared_depth);
      }
      stop.hidden = view.busy !== "compare";
      setText(status, comparedText(view));
      setHtml(table, view.comparison?.table ?? "");
      const name = view.comparison?.plots ?? "";
      if (name === fetched) return;
      fetched = name;
      const found = name ? await page.fetch(name).catch(() => null) : null;
      if (name !== fetched) return;
      plots = found;
      draw(page.isDark());
    },
  };
}

function comparedText(view) {
  if (view.busy === "compare") return busyText(`Comparing … ${view.rows} done`, view.waiting);
  return view.comparison?.cut ? "The time was over: this is as far as it came." : "";
}

const pictureAddress = (svg) => `data:image/svg+xml;base64,${btoa(String.fromCharCode(...new TextEncoder().encode(svg)))}`;
