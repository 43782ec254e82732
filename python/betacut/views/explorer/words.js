// What the explorer says of a node: scores, windows, and a sentence or two.

import { End, ENDS } from "./tree.js";

export const NO_VALUE = -(2 ** 31);
export const MATE = 100000;
const OPEN = 200000;

export const grouped = (number) => number.toLocaleString("en-US");
/** A number with its sign: centipawns, or pawns if the tree says so (`inPawns`). */
export function signed(tree, number) {
  if (tree.inPawns) return (number < 0 ? "\u2212" : "+") + (Math.abs(number) / 100).toFixed(2);
  return (number > 0 ? "+" : number < 0 ? "\u2212" : "") + Math.abs(number);
}
export const short = (number) =>
  number < 10000 ? grouped(number) : number < 1e6 ? `${Math.round(number / 1000)}k` : `${(number / 1e6).toFixed(1)}M`;

export const nodesText = (number) => `${grouped(number)} node${number === 1 ? "" : "s"}`;

function windowEnd(tree, score) {
  if (Math.abs(score) >= OPEN) return score < 0 ? "\u2212\u221e" : "+\u221e";
  return Math.abs(score) >= MATE ? (score < 0 ? "\u2212" : "+") + "mate" : signed(tree, score);
}

export const windowText = (tree, node, between = " \u2026 ") => windowEnd(tree, tree.alpha[node]) + between + windowEnd(tree, tree.beta[node]);

/** A score as shown: as `signed` has it, or the moves to a mate as in "#3", "#" if they are not known. */
export function scoreText(tree, node, score) {
  if (score === NO_VALUE) return "\u2013";
  if (Math.abs(score) < MATE) return signed(tree, score);
  if (tree.end[node] === End.CHECKMATE && score === tree.value[node]) return (score < 0 ? "\u2212" : "+") + "mate";
  const mate = score < 0 ? "#\u2212" : "#", depth = tree.depth[node], plies = depth - (Math.abs(score) - MATE);
  if (Math.abs(score) > MATE + 1000) return windowEnd(tree, score);
  // These scores do not tell the distance.
  if (depth <= 0 || tree.about.algorithm === "iterative_deepening") return mate;
  return plies < 0 ? windowEnd(tree, score) : mate + Math.ceil(plies / 2);
}

const BOUND_SIGNS = ["", "\u2264\u2009", "\u2265\u2009", ""];

export function valueText(tree, node) {
  return BOUND_SIGNS[tree.bound[node]] + scoreText(tree, node, tree.value[node]);
}

/** Say in a sentence or two what happened at a node. */
export function explain(tree, node) {
  const white = tree.isMax(node), end = tree.end[node], kind = tree.kind[node];
  const [first, second] = tree.rules.players;
  const side = white ? first : second, other = white ? second : first;
  const value = scoreText(tree, node, tree.value[node]);
  const [own, near, far] = white ? ["\u03b1", tree.alpha[node], tree.beta[node]] : ["\u03b2", tree.beta[node], tree.alpha[node]];
  const farName = white ? "\u03b2" : "\u03b1";
  const parts = [];
  if (end === End.UNFINISHED) return "The record was full, or the search was left, before this node was finished.";
  if (end === End.TABLE) parts.push(`The table answered ${valueText(tree, node)}.`);
  else if (end === End.LEAF) parts.push(tree.rules.isChess ? `A leaf: no depth left, the static score counts.` : `A leaf: what it is worth counts.`);
  else if (end > End.LEAF && end < End.TABLE) parts.push(`The game is over: ${ENDS[end]}.`);
  else if (end === End.STAND_PAT) parts.push(`${side} stands pat: the static score is enough.`);
  else if (end === End.CUTOFF) {
    parts.push(`Cutoff: ${value} ${white ? "\u2265" : "\u2264"} ${farName} (${windowEnd(tree, far)}), so ${other} will not let the game come here.`);
  } else if (end === End.SEARCHED && kind === 2) {
    parts.push(`No move of ${side} is better than what it has elsewhere (${own} = ${windowEnd(tree, near)}).`);
  } else if (end === End.SEARCHED) parts.push(`The best move of ${side} is worth ${value}.`);
  else parts.push(`Quiescence ends at its last depth.`);
  if (tree.pruned[node]) {
    const moves = tree.pruned[node] === 1 ? "1 legal move was" : `${tree.pruned[node]} legal moves were`;
    parts.push(`${moves} never searched.`);
  }
  return parts.join(" ");
}
