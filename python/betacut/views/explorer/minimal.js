// The minimal tree: the smallest part of a recorded tree that proves the value of its root (Knuth and Moore 1975).

import { End, Flag } from "./tree.js";

const AT_LEAST = 0, AT_MOST = 1, EXACTLY = 2;

/** Mark the nodes of the minimal tree, 1 or 0 each; null if what was recorded proves nothing. */
export function minimalTree(tree) {
  const { root, span, depth, end, bound, value, pruned, flags } = tree;
  if (root < 0 || bound[root] !== 0) return null;
  const goal = value[root], stop = root + span[root];
  const costs = [0, 1, 2].map(() => new Float64Array(stop - root).fill(Infinity));
  // A move that was searched again counts once, by its cheaper visit.
  const groups = (node) => {
    const children = tree.children(node);
    if (!children.some((child) => tree.isAgain(child))) return children.map((child) => [child]);
    const byMove = new Map();
    for (const child of children) {
      const key = tree.move[child];
      byMove.set(key, [...(byMove.get(key) ?? []), child]);
    }
    return [...byMove.values()];
  };
  const cheapest = (visits, kind) => visits.reduce((best, node) => (costs[kind][node - root] < costs[kind][best - root] ? node : best));
  const isEnd = (node) => span[node] === 1 || depth[node] <= 0 || end[node] === End.TABLE;
  const kinds = (node) => (tree.isMax(node) ? [AT_LEAST, AT_MOST] : [AT_MOST, AT_LEAST]);
  const isWhole = (node) => !pruned[node] && !(flags[node] & Flag.UNRECORDED);

  // 1. From the last node to the first: what it costs to prove "at least", "at most" and "exactly" the value here.
  for (let node = stop - 1; node >= root; node--) {
    const at = node - root;
    if (bound[node] === 3) continue;
    if (isEnd(node)) {
      if (bound[node] !== 1 && value[node] >= goal) costs[AT_LEAST][at] = 1;
      if (bound[node] !== 2 && value[node] <= goal) costs[AT_MOST][at] = 1;
      costs[EXACTLY][at] = Math.max(costs[AT_LEAST][at], costs[AT_MOST][at]);
      continue;
    }
    const [one, every] = kinds(node), moves = groups(node);
    const cost = (visits, kind) => costs[kind][cheapest(visits, kind) - root];
    costs[one][at] = 1 + Math.min(...moves.map((visits) => cost(visits, one)));
    if (!isWhole(node)) continue;
    const all = moves.reduce((sum, visits) => sum + cost(visits, every), 0);
    costs[every][at] = 1 + all;
    if (Number.isFinite(all)) costs[EXACTLY][at] = 1 + all + Math.min(...moves.map((visits) => cost(visits, EXACTLY) - cost(visits, every)));
  }
  if (!Number.isFinite(costs[EXACTLY][0])) return null;

  // 2. From the root: go where it costs least.
  const marks = new Uint8Array(tree.count), stack = [[root, EXACTLY]];
  while (stack.length) {
    const [node, kind] = stack.pop();
    marks[node] = 1;
    if (isEnd(node)) continue;
    const [one, every] = kinds(node), moves = groups(node);
    if (kind === every) {
      moves.forEach((visits) => stack.push([cheapest(visits, every), every]));
      continue;
    }
    const extra = (visits) => costs[kind][cheapest(visits, kind) - root] - (kind === EXACTLY ? costs[every][cheapest(visits, every) - root] : 0);
    const best = moves.reduce((found, visits) => (extra(visits) < extra(found) ? visits : found));
    stack.push([cheapest(best, kind), kind]);
    if (kind === EXACTLY) moves.filter((visits) => visits !== best).forEach((visits) => stack.push([cheapest(visits, every), every]));
  }
  return marks;
}
