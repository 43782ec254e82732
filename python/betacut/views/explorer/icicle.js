// The icicle: the sizes of the subtrees, as widths. It shows the whole tree, or what is below the current node.

import { make } from "../pieces.js";
import { grouped } from "./words.js";

const ABOVE = 3, DEEPEST = 6, GUTTER = 34, WIDE = 420;

export class Icicle {
  constructor(explorer) {
    this.explorer = explorer;
    this.cells = [];
    this.isWhole = true;
    this.scale = 0; // the nodes that the whole width stands for; 0: those of the tree
    this.element = make("canvas", {
      class: "bc-icicle", role: "img", "aria-label": "Sizes of the subtrees; the tree says the same in words",
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
    const x = event.clientX - left, level = Math.floor((event.clientY - top) / this.height);
    return this.cells.findLast((cell) => cell.level === level && x >= cell.x && x < cell.x + cell.width);
  }

  paint() {
    const { tree, node } = this.explorer;
    const width = this.element.clientWidth, height = this.element.clientHeight, scale = window.devicePixelRatio || 1;
    if (!width || node < 0) return;
    this.lay(width, height);
    const style = getComputedStyle(this.explorer.element), font = parseFloat(style.fontSize), known = new Map();
    const colour = (name) => {
      if (!known.has(name)) known.set(name, style.getPropertyValue(`--bc-${name}`));
      return known.get(name);
    };
    // What does not change from step to step is painted once.
    const drawn = [this.known, scale, font, colour("paper")].join();
    if (drawn !== this.drawn || this.explorer.marks !== this.drawnMarks) {
      this.drawn = drawn;
      this.drawnMarks = this.explorer.marks;
      this.ground = make("canvas", { width: width * scale, height: height * scale });
      this.draw(this.ground.getContext("2d"), scale, this.cellShapes(colour, font), style.fontFamily);
    }
    this.element.width = width * scale;
    this.element.height = height * scale;
    const context = this.element.getContext("2d");
    context.drawImage(this.ground, 0, 0);
    this.draw(context, scale, this.wayShapes(colour), style.fontFamily);
  }

  draw(context, scale, shapes, family) {
    context.scale(scale, scale);
    context.textBaseline = "middle";
    for (const shape of shapes) {
      context.globalAlpha = shape.opacity ?? 1;
      context.fillStyle = shape.fill;
      if (shape.text === undefined) context.fillRect(shape.x, shape.y, shape.width, shape.height);
      else {
        context.font = `${shape.size}px ${family}`;
        this.write(context, shape);
      }
      if (!shape.stroke) continue;
      context.globalAlpha = 1;
      context.strokeStyle = shape.stroke;
      context.lineWidth = 2;
      context.strokeRect(shape.x + 1, shape.y + 1, Math.max(shape.width - 2, 1), shape.height - 2);
    }
  }

  write(context, { text, x, y, room, height }) {
    context.save();
    context.beginPath();
    context.rect(x, y - height / 2, room, height);
    context.clip();
    context.fillText(text, x, y);
    context.restore();
  }

  /** Work out the cells, unless they are known. */
  lay(width, height) {
    const { tree, node } = this.explorer;
    const focus = tree.span[node] > 1 || tree.parent[node] < 0 ? node : tree.parent[node];
    const known = [width, height, tree.count, this.scale, this.isWhole || focus].join();
    if (known === this.known) return;
    this.known = known;
    this.cells = [];
    this.left = width > WIDE ? GUTTER : 0;
    const room = width - this.left;
    if (this.isWhole) {
      this.first = 0;
      this.levels = Math.max(tree.levels, 2);
      this.height = Math.min(height / this.levels, height / 4);
      let place = this.left;
      for (const root of tree.roots) {
        const share = (tree.size[root] / (this.scale || tree.total)) * room;
        this.layBelow(root, tree.level[root], place, share);
        place += share;
      }
      return;
    }
    const above = tree.path(focus).slice(0, -1).slice(-ABOVE);
    this.levels = DEEPEST;
    this.height = height / DEEPEST;
    this.first = tree.level[focus] - above.length;
    above.forEach((place, level) => this.cells.push({ node: place, level, x: this.left, width: room, isAbove: true }));
    this.layBelow(focus, above.length, this.left, room);
  }

  /** Lay out a node and what is below it, as long as it can be seen. */
  layBelow(node, level, x, width) {
    const { tree } = this.explorer;
    this.cells.push({ node, level, x, width });
    if (level + 1 >= this.levels || tree.span[node] < 2) return;
    // What is too small to be seen leaves its ground.
    this.cells.push({ node, level: level + 1, x, width, isGround: true });
    let place = x;
    for (const child of tree.children(node)) {
      const share = (tree.size[child] / Math.max(tree.size[node] - 1, 1)) * width;
      if (share >= 0.6) this.layBelow(child, level + 1, place, share);
      place += share;
    }
  }

  /** The rectangles and the words of the picture; `colour` tells what a name of the palette is, `font` the size of type. */
  shapes(colour, font = 15) {
    return [...this.cellShapes(colour, font), ...this.wayShapes(colour)];
  }

  cellShapes(colour, font) {
    const { tree, marks } = this.explorer;
    const { height } = this, size = Math.min(0.8 * font, height - 4), found = [];
    const add = (cell, more) => found.push({ x: cell.x, y: cell.level * height, width: cell.width, height: height - 1, ...more });
    for (const cell of this.cells) {
      if (cell.isGround) {
        add(cell, { fill: colour("edge") });
        continue;
      }
      const gap = cell.width > 3 ? 1 : 0, { style } = tree.kindOf(cell.node);
      const isFaint = cell.isAbove || (marks && !marks[cell.node]);
      add({ ...cell, width: cell.width - gap }, { fill: colour(style), opacity: isFaint ? 0.35 : 0.82 });
      if (cell.width > 1.6 * font && height >= 12) {
        const place = { text: tree.san(cell.node), x: cell.x + 5, y: (cell.level + 0.5) * height, room: cell.width - 9, height, size };
        found.push({ ...place, fill: colour(isFaint ? "ink" : "paper") });
      }
    }
    if (this.left && height >= 12) {
      const rows = this.isWhole ? tree.levels : this.levels;
      for (let row = 0; row < rows; row++) {
        const sides = tree.sides[row + this.first];
        if (sides !== 1 && sides !== 2) continue; // nodes of both sides, or none
        const isMax = tree.start.turn * (sides === 1 ? 1 : -1) > 0;
        found.push({ text: isMax ? "MAX" : "MIN", x: 2, y: (row + 0.5) * height, room: GUTTER, height, size: Math.min(11, size), fill: colour("quiet") });
      }
    }
    return found;
  }

  /** The way to the current node, seen however small it is. */
  wayShapes(colour) {
    const { tree, node } = this.explorer, { height } = this;
    return [...this.way(new Set(tree.path(node)))].flatMap((cell) => {
      const isCurrent = cell.node === node, place = { y: cell.level * height, height: height - 1 };
      if (cell.width < 4) return [{ ...place, x: Math.max(cell.x - 1, this.left), width: 3, fill: colour("ink"), opacity: isCurrent ? 1 : 0.5 }];
      return isCurrent ? [{ ...place, x: cell.x, width: cell.width - 1, fill: "transparent", stroke: colour("ink") }] : [];
    });
  }

  /** The cells of a path, those too that are too small to be laid out. */
  way(path) {
    const { tree } = this.explorer;
    const known = new Map();
    for (const cell of this.cells) if (!cell.isGround && path.has(cell.node)) known.set(cell.node, cell);
    let last = null;
    for (const node of path) {
      const cell = known.get(node) ?? (last && last.level + 1 < this.levels ? { node, level: last.level + 1, x: this.placeOf(node, last), width: 0.5 } : null);
      if (!cell) continue;
      known.set(node, cell);
      last = cell;
    }
    return known.values();
  }

  placeOf(node, above) {
    const { tree } = this.explorer;
    let before = 0;
    for (const child of tree.children(above.node)) {
      if (child === node) break;
      before += tree.size[child];
    }
    return above.x + (above.width * before) / Math.max(tree.size[above.node] - 1, 1);
  }

  /** Show the whole tree, or what is below the current node. */
  show(isWhole) {
    this.isWhole = isWhole;
    this.paint();
  }
}
