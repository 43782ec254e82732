// Arrows on a board, and the words on them. `middle(square)` is the middle of a square, in the units of the picture.

import { draw, make } from "../pieces.js";

export const KINDS = ["line", "other", "played", "best"]; // those at the end are drawn above

/** Draw arrows, each with where it goes (`move`), `kind` and `label`; an arrow along a longer one is drawn over it. */
export function drawArrows(arrows, middle) {
  const ordered = arrows.map((arrow) => ({ ...arrow, ...ends(arrow.move, middle) }))
    .sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind));
  const placed = [];
  const labels = ordered.slice().reverse().flatMap((arrow) => (arrow.label ? [drawLabel(arrow, placed)] : []));
  const short = (arrow) => ordered.some((other) => reaches(other, arrow));
  const drawn = [...ordered.filter((arrow) => !short(arrow)), ...ordered.filter(short).sort((a, b) => b.length - a.length)];
  return [...drawn.map(drawArrow), ...labels];
}

/** Where an arrow begins, how far it goes to the right and down, and its length. */
function ends(move, middle) {
  const [x, y] = middle(move.slice(0, 2)), [u, v] = middle(move.slice(2, 4));
  return { x, y, dx: u - x, dy: v - y, length: Math.hypot(u - x, v - y) };
}

/** Whether an arrow goes along another one, and further. */
function reaches(a, b) {
  const isAlong = a.x === b.x && a.y === b.y && a.dx * b.dy === a.dy * b.dx && a.dx * b.dx + a.dy * b.dy > 0;
  return isAlong && a.length > b.length;
}

/** Draw what a person has drawn: arrows, and circles on single squares. */
export const drawShapes = (shapes, middle) => shapes.map(({ move, kind }) => {
  const arrow = { move, kind, ...ends(move, middle) };
  if (arrow.length) return drawArrow(arrow);
  return draw("circle", { class: `bcb-circle bcb-arrow-${kind}`, "data-move": move, cx: arrow.x, cy: arrow.y, r: 20 });
});

const MEANINGS = { best: "best", other: "other", line: "less good", played: "played" };

/** What the colours of arrows mean. */
export const keysOf = (arrows) => KINDS.filter((kind) => arrows.some((arrow) => arrow.kind === kind)).reverse().map((kind) =>
  make("span", { class: `bcb-key bcb-label-${kind}`, text: MEANINGS[kind] }));

/** An arrow of a square or two is small, so that the men at both ends are seen. */
function drawArrow({ move, kind, x, y, dx, dy, length }) {
  const isShort = length < 70, scale = isShort ? 0.75 : 1;
  const width = scale * (kind === "best" || kind.startsWith("drawn") ? 4.5 : kind === "line" ? 2.2 : 3.4);
  const start = isShort ? 14 : 8, tip = length - (isShort ? 8 : 4), neck = tip - 15 * scale, wide = width + 5 * scale;
  const points = [[start, -width], [neck, -width], [neck, -wide], [tip, 0], [neck, wide], [neck, width], [start, width]];
  const turn = (Math.atan2(dy, dx) * 180) / Math.PI;
  return draw("polygon", {
    class: `bcb-arrow bcb-arrow-${kind}`, "data-move": move, points: points.map((point) => point.join(",")).join(" "),
    transform: `translate(${x} ${y}) rotate(${turn})`,
  });
}

/** Draw the words on an arrow, where they cover no others. */
function drawLabel({ move, kind, label, x, y, dx, dy, length }, placed) {
  const width = 6.6 * label.length + 8, height = 15;
  const within = (at, size) => Math.min(Math.max(at, size / 2 + 1), 359 - size / 2);
  const along = (share, aside) => [
    x + share * dx + (aside * dy * (width / 2 + 6)) / length,
    y + share * dy - (aside * dx * (height / 2 + 6)) / length,
  ];
  // An arrow of one square has room beside it only.
  const spots = length < 70
    ? [[0.5, 1], [0.5, -1], [0.5, 0]].map((spot) => along(...spot))
    : [0.5, 0.65, 0.38, 0.8, 0.26, 0.95].map((share) => along(share, 0));
  const moved = spots.map(([a, b]) => [within(a, width), within(b, height)]);
  const isFree = ([a, b]) => placed.every(([c, d, other]) => Math.abs(a - c) > (width + other) / 2 || Math.abs(b - d) > height);
  const fits = ([a, b], place) => isFree([a, b]) && a === spots[place][0] && b === spots[place][1];
  const [left, top] = moved.find(fits) ?? moved.find(isFree) ?? moved[0];
  placed.push([left, top, width]);
  const text = draw("text", { x: left, y: top + 4, text: label, "text-anchor": "middle" });
  const ground = draw("rect", { x: left - width / 2, y: top - height / 2, width, height, rx: 3 });
  return draw("g", { class: `bcb-label bcb-label-${kind}`, "data-move": move }, ground, text);
}
