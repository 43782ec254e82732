// What is seen, as a picture: the position, the overview, the rows in view; as SVG, or drawn on a canvas for PNG.

import { windowText, valueText } from "./words.js";

const WIDTH = 1100, LEFT = 300, GAP = 24, ROW = 26, FONT = "Inter, system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif";

const escaped = (text) => String(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

/** Split a colour as CSS has it into one that every reader of SVG knows, and its opacity. */
function colourOf(css) {
  const parts = css.match(/^rgba?\(([^)]*)\)$/)?.[1].split(/[ ,/]+/).map(Number);
  if (!parts) return { colour: css.trim() || "none", opacity: 1 };
  const hex = parts.slice(0, 3).map((part) => Math.round(part).toString(16).padStart(2, "0")).join("");
  return { colour: `#${hex}`, opacity: parts[3] ?? 1 };
}

/** Write shapes as SVG. */
function toSvg(shapes, width, height, title) {
  const parts = shapes.map((shape) => {
    const place = shape.x === undefined ? "" : ` x="${shape.x.toFixed(1)}" y="${shape.y.toFixed(1)}"`;
    const paint = (name, css) => {
      if (!css || css === "transparent") return name === "fill" ? ' fill="none"' : "";
      const { colour, opacity } = colourOf(css), through = opacity * (shape.opacity ?? 1);
      return ` ${name}="${colour}"` + (through < 1 ? ` ${name}-opacity="${through.toFixed(2)}"` : "");
    };
    const look = paint("fill", shape.fill) + paint("stroke", shape.stroke) + (shape.stroke ? ` stroke-width="${shape.line ?? 2}"` : "");
    if (shape.d) return `<path d="${shape.d}" transform="translate(${shape.left} ${shape.top}) scale(${shape.scale})"${look} stroke-linecap="round"/>`;
    if (shape.text === undefined) {
      return `<rect${place} width="${Math.max(shape.width, 0).toFixed(1)}" height="${shape.height.toFixed(1)}" rx="${shape.radius ?? 0}"${look}/>`;
    }
    const font = ` font-size="${shape.size}"` + (shape.bold ? ' font-weight="650"' : "") + (shape.mono ? ' font-family="monospace"' : "");
    return `<text${place}${font} text-anchor="${shape.anchor ?? "start"}" dominant-baseline="central" xml:space="preserve"${look}>${escaped(fitted(shape))}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${FONT}">` +
    `<title>${escaped(title)}</title>${parts.join("\n")}</svg>\n`;
}

const measure = document.createElement("canvas").getContext("2d");

/** Cut a text that is too long for its room. */
function fitted({ text, size, room, bold, mono }) {
  if (!room) return text;
  measure.font = `${bold ? "650 " : ""}${size}px ${mono ? "monospace" : FONT}`;
  let words = String(text);
  while (words.length > 1 && measure.measureText(words).width > room) words = `${words.slice(0, -2)}\u2026`;
  return words === "\u2026" ? "" : words;
}

/** Draw the same shapes on a canvas. */
function toCanvas(shapes, width, height, scale) {
  const canvas = document.createElement("canvas");
  canvas.width = width * scale;
  canvas.height = height * scale;
  const context = canvas.getContext("2d");
  context.scale(scale, scale);
  context.textBaseline = "middle";
  for (const shape of shapes) {
    context.save();
    context.globalAlpha = shape.opacity ?? 1;
    context.fillStyle = shape.fill ?? "transparent";
    context.strokeStyle = shape.stroke ?? "transparent";
    context.lineWidth = shape.line ?? 2;
    context.lineCap = "round";
    if (shape.d) {
      context.translate(shape.left, shape.top);
      context.scale(shape.scale, shape.scale);
      const path = new Path2D(shape.d);
      context.fill(path);
      if (shape.stroke) context.stroke(path);
    } else if (shape.text === undefined) {
      context.beginPath();
      context.roundRect(shape.x, shape.y, Math.max(shape.width, 0), shape.height, shape.radius ?? 0);
      context.fill();
      if (shape.stroke) context.stroke();
    } else {
      context.font = `${shape.bold ? "650 " : ""}${shape.size}px ${shape.mono ? "monospace" : FONT}`;
      context.textAlign = { middle: "center", end: "right" }[shape.anchor] ?? "left";
      context.fillText(fitted(shape), shape.x, shape.y);
    }
    context.restore();
  }
  return canvas;
}

/** The shapes of a drawing on the page, moved to a place. */
function shapesOf(svg, left, top, width) {
  const scale = width / svg.viewBox.baseVal.width;
  return [...svg.querySelectorAll("rect, text, path")].flatMap((element) => {
    const style = getComputedStyle(element), number = (name) => Number(element.getAttribute(name));
    const fill = style.fill === "none" ? "transparent" : style.fill;
    const stroke = style.stroke === "none" ? undefined : style.stroke, line = parseFloat(style.strokeWidth);
    if (element.tagName === "rect") {
      return [{ x: left + number("x") * scale, y: top + number("y") * scale, width: number("width") * scale, height: number("height") * scale, fill }];
    }
    if (element.tagName === "text") {
      const anchor = element.getAttribute("text-anchor") ?? "start";
      return [{ text: element.textContent, x: left + number("x") * scale, y: top + (number("y") - 3) * scale, size: 9 * scale, anchor, fill }];
    }
    const d = element.getAttribute("d"), moved = element.parentNode.getAttribute("transform")?.match(/[\d.]+/g) ?? [0, 0];
    return d ? [{ d, left: left + moved[0] * scale, top: top + moved[1] * scale, scale, fill, stroke, line }] : [];
  });
}

/** Break a text into lines of a width. */
function lines(text, size, room) {
  measure.font = `${size}px ${FONT}`;
  const found = [""];
  for (const word of text.split(" ")) {
    const longer = found.at(-1) ? `${found.at(-1)} ${word}` : word;
    if (measure.measureText(longer).width <= room) found[found.length - 1] = longer;
    else found.push(word);
  }
  return found;
}

function position(explorer, colour, add, top) {
  const { tree, node } = explorer, svg = explorer.board.querySelector("svg"), text = explorer.board.textContent;
  let y = top;
  const write = (words, more = {}) => lines(words, more.size ?? 13, LEFT).forEach((line) => {
    add({ text: line, x: GAP, y: y + 10, size: 13, fill: colour("ink"), ...more });
    y += 20;
  });
  if (svg) {
    shapesOf(svg, GAP, y, LEFT).forEach(add);
    y += LEFT + 14;
  } else {
    for (const line of text.split("\n")) {
      add({ text: line, x: GAP, y: y + 14, size: 18, mono: true, fill: colour("ink"), room: LEFT });
      y += 26;
    }
    y += 10;
  }
  write(tree.lineSan(node).join(" ") || "root", { bold: true });
  write(`value ${valueText(tree, node)}   window ${windowText(tree, node)}`);
  write(explorer.facts.querySelector(".bc-why")?.textContent ?? "", { fill: colour("quiet") });
  return y;
}

function row(explorer, node, level, isGhost, colour, add, x, y) {
  const { tree } = explorer, list = explorer.list, right = WIDTH - GAP, middle = y + ROW / 2;
  const name = x + 8 + 16 * Math.min(level, 20);
  const text = (words, place, more = {}) => add({ text: words, x: place, y: middle, size: 13, fill: colour("ink"), ...more });
  if (isGhost) {
    text(`\u2702 ${list.ghostWords(node)}  ${tree.neverSearched(node).join(" ")}`, name, { size: 12, fill: colour("quiet"), room: right - name });
    return;
  }
  if (node === explorer.node) add({ x, y, width: right - x, height: ROW, fill: colour("current") });
  const faint = explorer.marks && !explorer.marks[node] ? { opacity: 0.4 } : {};
  const { name: kind, style } = tree.kindOf(node);
  add({ x: name, y: y + 4, width: 34, height: ROW - 8, radius: 3, fill: colour(style), ...faint });
  text(kind, name + 17, { size: 10, bold: true, anchor: "middle", fill: colour("paper"), ...faint });
  text(list.sideOf(node) + list.name(node), name + 42, { bold: node === explorer.node, room: x + 270 - name - 42, ...faint });
  text(valueText(tree, node), x + 340, { anchor: "end", ...faint });
  text(windowText(tree, node), x + 352, { size: 12, fill: colour("quiet"), ...faint });
  text(list.notesOf(node).map(({ words, more = "" }) => words + more).join("  "), x + 470, { size: 12, fill: colour("quiet"), room: right - x - 540, ...faint });
  text(tree.size[node].toLocaleString("en-US"), right - 6, { size: 12, anchor: "end", fill: colour("quiet"), ...faint });
}

/** Put together what is seen. */
function shapesSeen(explorer) {
  const { tree } = explorer, style = getComputedStyle(explorer.element), shapes = [];
  const colour = (name) => style.getPropertyValue(`--bc-${name}`).trim();
  const add = (shape) => shapes.push(shape);
  const x = GAP + LEFT + GAP, top = 62;
  add({ text: tree.about.title ?? tree.about.algorithm, x: GAP, y: 24, size: 18, bold: true, fill: colour("ink") });
  add({ text: explorer.summary(), x: GAP, y: 46, size: 12, fill: colour("quiet") });
  const bottom = position(explorer, colour, add, top);
  const { icicle } = explorer, width = icicle.element.clientWidth, scale = (WIDTH - GAP - x) / width;
  icicle.shapes(colour).forEach((shape) => add({ ...shape, x: x + shape.x * scale, y: top + shape.y, width: shape.width * scale, room: shape.room * scale }));
  let y = top + icicle.element.clientHeight + 12;
  for (const [entry, level] of explorer.list.inView()) {
    row(explorer, entry >= 0 ? entry : ~entry, level, entry < 0, colour, add, x, y);
    y += ROW;
  }
  const height = Math.ceil(Math.max(bottom, y) + 16);
  shapes.unshift({ x: 0, y: 0, width: WIDTH, height, fill: colour("paper") });
  return { shapes, width: WIDTH, height };
}

/** Make a picture of what is seen: a promise of a Blob, "svg" or "png". */
export function snapshot(explorer, format) {
  const { shapes, width, height } = shapesSeen(explorer);
  if (format === "png") return new Promise((done) => toCanvas(shapes, width, height, 2).toBlob(done, "image/png"));
  return Promise.resolve(new Blob([toSvg(shapes, width, height, explorer.tree.about.algorithm)], { type: "image/svg+xml" }));
}
