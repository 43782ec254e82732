// The searches in a few lines, and which of them ends a call: the line that runs at a node.

import { make } from "../pieces.js";
import { End } from "./tree.js";

const TABLE = ["table", "  if the table knows: return that"], LEAF = ["leaf", "  if over or depth = 0: return the score"];
const EACH = ["each", "  for each move:"];
const WINDOWED = [
  ["cut-max", "    MAX: if v \u2265 \u03b2: return v"], ["", "    MAX: \u03b1 \u2190 max(\u03b1, v)"],
  ["cut-min", "    MIN: if v \u2264 \u03b1: return v"], ["", "    MIN: \u03b2 \u2190 min(\u03b2, v)"],
];
const SOFT = [
  ["", "    best \u2190 max(best, v)"], ["cut", "    if best \u2265 \u03b2: return best"], ["end", "  return best"],
];

const minimax = (...table) => [
  ["", "value(node, depth):"], ...table, LEAF, EACH, ["call", "    v \u2190 value(child, depth \u2212 1)"],
  ["", "    MAX: best \u2190 max(best, v)"], ["", "    MIN: best \u2190 min(best, v)"], ["end", "  return best"],
];
const alphaBeta = (...table) => [
  ["", "value(node, depth, \u03b1, \u03b2):"], ...table, LEAF, EACH, ["call", "    v \u2190 value(child, depth \u2212 1, \u03b1, \u03b2)"],
  ...WINDOWED, ["end", "  return MAX: \u03b1, MIN: \u03b2"],
];
const failSoft = (...table) => [
  ["", "value(node, depth, \u03b1, \u03b2):   of the side to move"], ...table, LEAF, EACH,
  ["call", "    v \u2190 \u2212value(child, depth \u2212 1, \u2212\u03b2, \u2212max(\u03b1, best))"], ...SOFT,
];
const driver = (lines, ...table) => [...lines.map((text) => ["", text]), ...failSoft(...table)];
const NULL_WINDOWS = ["  if v < \u03b2: at most v, else at least v", "  until both meet"];

const CODE = {
  minimax_no_memo: minimax(),
  minimax: minimax(TABLE),
  max_value: minimax(),
  min_value: minimax(),
  negamax: [
    ["", "value(node, depth):   of the side to move"], LEAF, EACH, ["call", "    v \u2190 \u2212value(child, depth \u2212 1)"],
    ["", "    best \u2190 max(best, v)"], ["end", "  return best"],
  ],
  alpha_beta_pruning_no_memo: alphaBeta(),
  alpha_beta_max: alphaBeta(),
  alpha_beta_min: alphaBeta(),
  alpha_beta_pruning: alphaBeta(TABLE),
  iterative_deepening: [["", "for depth 1, 2, 3, \u2026: value(root, depth, \u2212\u221e, +\u221e)"], ...alphaBeta(TABLE)],
  alpha_beta_fail_soft: failSoft(),
  aspiration: driver(["value(root, \u2026, guess \u2212 w, guess + w)", "outside? once more, open on that side"]),
  mtd_f: driver(["repeat: v \u2190 value(root, \u2026, \u03b2 \u2212 1, \u03b2)", ...NULL_WINDOWS], TABLE),
  sss_star: driver(["\u03b2 \u2190 +\u221e; repeat: v \u2190 value(root, \u2026, \u03b2 \u2212 1, \u03b2)", ...NULL_WINDOWS], TABLE),
  negascout: [
    ["", "value(node, depth, \u03b1, \u03b2):   of the side to move"], LEAF, EACH, ["", "    a \u2190 max(\u03b1, best)"],
    ["first", "    first move: v \u2190 \u2212value(child, \u2026, \u2212\u03b2, \u2212a)"], ["call", "    others: v \u2190 \u2212value(child, \u2026, \u2212a \u2212 1, \u2212a)"],
    ["again", "      if a < v < \u03b2: v \u2190 \u2212value(child, \u2026, \u2212\u03b2, \u2212v)"], ...SOFT,
  ],
};

/** The place of the line with which the call at a node ends, and of the one by which it was called. */
export function running(tree, node) {
  const lines = CODE[tree.about.algorithm];
  const place = (...tags) => tags.map((tag) => lines.findIndex(([name]) => name === tag)).find((at) => at >= 0) ?? -1;
  const end = tree.end[node];
  let ends = place("leaf");
  if (end === End.TABLE) ends = place("table");
  else if (end === End.CUTOFF) ends = place(tree.isMax(node) ? "cut-max" : "cut-min", "cut");
  else if (end === End.SEARCHED) ends = place("end");
  else if (end === End.UNFINISHED) ends = place("each");
  const parent = tree.parent[node];
  if (parent < 0) return { ends, called: -1 };
  return { ends, called: place(tree.isAgain(node) ? "again" : node === parent + 1 ? "first" : "call", "call") };
}

/** Make the panel, and return what shows a node in it; null for a search without pseudocode. */
export function pseudocode(tree) {
  const lines = CODE[tree.about.algorithm];
  if (!lines) return null;
  const rows = lines.map(([, text]) => make("code", { class: "bc-code-line", text }));
  const element = make("section", { class: "bc-code", "aria-label": "Pseudocode" }, ...rows,
    make("p", { class: "bc-code-key", text: "\u25b8 how this call ended, \u00b7 where it was called" }));
  const show = (node) => {
    const { ends, called } = running(tree, node);
    rows.forEach((row, at) => {
      row.classList.toggle("bc-runs", at === ends);
      row.classList.toggle("bc-called", at === called && at !== ends);
      if (at === ends) row.setAttribute("aria-current", "step");
      else row.removeAttribute("aria-current");
    });
  };
  return { element, show };
}
