// A comparison of searches in a notebook: the rows of one position as a table that can be sorted, and their nodes over
// the depth. `render({ model, el })`; see there for the traits.

import { draw, make } from "../pieces.js";
import { inNotebook } from "../theme.js";

const WIDE = 440, HEIGHT = 300, LEFT = 56, TOP = 12, BOTTOM = 34;
const DASHES = ["", "6 3", "2 3", "8 3 2 3"];
const HUES = 7;

/** Compare cells as numbers where both are some, and as text where not, up or down; empty ones come last. */
function inOrder(a, b, down) {
  if (a === "" || b === "") return (a === "") - (b === "");
  if (down) return inOrder(b, a, false);
  const [x, y] = [a, b].map((cell) => Number(cell.replace(/[,%*~]|\s?m?s$/g, "")) * (/ ms$/.test(cell) ? 0.001 : 1));
  return Number.isNaN(x) || Number.isNaN(y) ? a.localeCompare(b) : x - y;
}

class View {
  constructor(element, model) {
    this.element = element;
    this.model = model;
    this.data = model.get("data");
    this.sorted = { column: -1, down: false };
    this.build();
    this.show();
  }

  build() {
    const { positions } = this.data;
    this.choice = make("select", { "aria-label": "Position", onchange: () => this.set("position", Number(this.choice.value)) },
      ...positions.map(({ name }, place) => make("option", { value: place, text: name })));
    const label = make("label", { class: "bcc-choice", hidden: positions.length < 2 }, document.createTextNode("Position "), this.choice);
    this.table = make("table", { class: "bcc-table" });
    this.plot = draw("svg", { class: "bcc-plot", role: "img", "aria-label": "Nodes over depth; the table has the same numbers" });
    const remarks = this.data.remarks.map((text) => make("p", { class: "bcc-remark", text }));
    this.element.replaceChildren(label, make("div", { class: "bcc-scroll" }, this.table), ...remarks, make("div", { class: "bcc-scroll" }, this.plot));
  }

  set(name, value) {
    this.model.set(name, value);
    this.model.save_changes();
    this.show();
  }

  /** The rows of the position that is chosen, with their places among all rows. */
  rows() {
    const position = this.model.get("position"), { column, down } = this.sorted;
    const rows = this.data.rows.map((row, place) => ({ ...row, place })).filter((row) => row.position === position);
    if (column < 0) return rows;
    return rows.sort((a, b) => inOrder(a.cells[column], b.cells[column], down));
  }

  show() {
    const selected = this.model.get("selected"), { columns } = this.data, { column, down } = this.sorted;
    this.choice.value = this.model.get("position");
    const heading = make("tr", {}, ...columns.map(({ name, text }, place) => make("th", {
      scope: "col", class: text ? "bcc-text" : "", "aria-sort": place === column ? (down ? "descending" : "ascending") : "none",
    }, make("button", { type: "button", text: name, title: `Sort by ${name}`, "data-column": place, onclick: () => this.sort(place) }))));
    const rows = this.rows().map((row) => make("tr", {
      class: (row.place === selected ? "bcc-selected " : "") + (row.marked ? "bcc-marked" : ""), tabindex: "0", "data-row": row.place,
      "aria-selected": String(row.place === selected), onclick: () => this.select(row.place),
      onkeydown: (event) => this.key(event, row.place),
    }, ...row.cells.map((cell, place) => make("td", { class: columns[place].text ? "bcc-text" : "", text: cell }))));
    const { row: focused, column: sorting } = this.element.getRootNode().activeElement?.dataset ?? {};
    this.table.replaceChildren(make("thead", {}, heading), make("tbody", {}, ...rows));
    if (sorting !== undefined) this.table.querySelector(`[data-column="${sorting}"]`)?.focus();
    if (focused !== undefined) this.table.querySelector(`[data-row="${focused}"]`)?.focus();
    this.drawPlot(selected < 0 ? null : this.data.rows[selected]);
  }

  select(place) {
    this.set("selected", this.model.get("selected") === place ? -1 : place);
  }

  key(event, place) {
    const row = event.currentTarget;
    if (event.key === "Enter" || event.key === " ") this.select(place);
    else if (event.key === "ArrowDown") row.nextElementSibling?.focus();
    else if (event.key === "ArrowUp") row.previousElementSibling?.focus();
    else return;
    event.preventDefault();
  }

  sort(column) {
    this.sorted = { column, down: this.sorted.column === column && !this.sorted.down };
    this.show();
  }

  /** The nodes of every search over the depth, on a logarithmic scale. */
  drawPlot(selected) {
    const lines = new Map();
    const rows = this.data.rows.filter((row) => row.position === this.model.get("position") && row.nodes);
    for (const row of rows) lines.set(row.line, [...(lines.get(row.line) ?? []), row]);
    const parts = [];
    if (rows.length) {
      const depths = [...new Set(rows.map((row) => row.depth))].sort((a, b) => a - b);
      const most = Math.max(Math.ceil(Math.log10(Math.max(...rows.map((row) => row.nodes)))), 1);
      const y = (nodes) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - Math.log10(Math.max(nodes, 1)) / most);
      const x = (depth) => LEFT + WIDE * (depths.length > 1 ? (depth - depths[0]) / (depths.at(-1) - depths[0]) : 1 / 2);
      for (let power = 0; power <= most; power++) parts.push(...this.level(10 ** power, y(10 ** power)));
      for (const depth of depths) parts.push(text(x(depth), HEIGHT - 16, depth, "middle"));
      parts.push(text(LEFT + WIDE / 2, HEIGHT - 2, "depth", "middle"));
      parts.push(draw("text", { transform: `translate(11 ${(TOP + HEIGHT - BOTTOM) / 2}) rotate(-90)`, text: "nodes", "text-anchor": "middle" }));
      const ends = [...lines].map(([name, points], place) => ({ name, place, points: points.sort((a, b) => a.depth - b.depth) }));
      parts.push(...ends.flatMap((line) => this.line(line, x, y, selected)));
      parts.push(...this.names(ends, x, y, selected));
    }
    const longest = Math.max(...[...lines.keys()].map((name) => name.length), 0);
    this.plot.setAttribute("viewBox", `0 0 ${LEFT + WIDE + 18 + 8 * longest} ${HEIGHT}`);
    this.plot.replaceChildren(...parts);
  }

  level(nodes, y) {
    return [
      draw("line", { class: "bcc-level", x1: LEFT, x2: LEFT + WIDE, y1: y, y2: y }),
      text(LEFT - 6, y + 4, nodes.toLocaleString("en-US", { notation: "compact" }), "end"),
    ];
  }

  line({ place, name, points }, x, y, selected) {
    const style = { class: `bcc-line bcc-hue-${place % HUES}${selected?.line === name ? " bcc-strong" : ""}` };
    const way = points.map((row) => `${x(row.depth)},${y(row.nodes)}`).join(" ");
    const marks = points.map((row) => draw("circle", { ...style, cx: x(row.depth), cy: y(row.nodes), r: selected === row ? 5 : 3 }));
    return [draw("polyline", { ...style, points: way, "stroke-dasharray": DASHES[Math.floor(place / HUES) % DASHES.length] }), ...marks];
  }

  /** The names of the lines at their ends, moved apart where they would overlap. */
  names(lines, x, y, selected) {
    const placed = lines.map((line) => ({ ...line, at: y(line.points.at(-1).nodes) })).sort((a, b) => a.at - b.at);
    let above = -Infinity;
    for (const one of placed) above = one.at = Math.max(one.at, above + 14);
    const over = Math.max(0, above - (HEIGHT - BOTTOM));
    return placed.map(({ name, place, at, points }) => {
      const label = text(x(points.at(-1).depth) + 9, at - over + 4, name, "start");
      label.setAttribute("class", `bcc-name bcc-hue-${place % HUES}${selected?.line === name ? " bcc-strong" : ""}`);
      return label;
    });
  }
}

const text = (x, y, words, anchor) => draw("text", { x, y, text: words, "text-anchor": anchor });

/** Show a comparison. Traits: `data`; `position` and `selected` (a row, or -1), set by the reader or by Python. */
export function render({ model, el }) {
  const element = make("div", { class: "bcc" });
  const end = inNotebook({ model, el }, element, ["change:position", "change:selected"], () => view.show());
  const view = new View(element, model);
  return end;
}

export default { render };
