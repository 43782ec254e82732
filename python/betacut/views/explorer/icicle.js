// The icicle: the sizes of the subtrees below the current node, as widths; above it the nodes that lead there.

import { make } from "../pieces.js";
import { End } from "./tree.js";
import { grouped } from "./words.js";

const LEVELS = 6, LEVELS_ABOVE = 3, LEVEL_HEIGHT = 20;

export class Icicle {
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
    const colours = (...names) => names.map((name) => style.getPropertyValue(`--bc-${name}`));
    const kinds = colours("pv", "cut", "all", "none"), [table, paper, ink, edge] = colours("table", "paper", "ink", "edge");
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
      context.fillStyle = tree.end[cell.node] === End.TABLE ? table : kinds[tree.kind[cell.node]];
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
    for (const child of tree.children(node)) {
      const share = (tree.size[child] / Math.max(tree.size[node] - 1, 1)) * width;
      if (share >= 0.6) this.lay(child, level + 1, place, share);
      place += share;
    }
  }
}
