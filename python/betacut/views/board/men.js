// The men of a board: what they are called, and their pictures.

import { draw, drawPiece, NAMES } from "../pieces.js";

export const inWords = (piece) => `${piece > 0 ? "white" : "black"} ${NAMES[Math.abs(piece)]}`;

export function pieceImage(piece) {
  return draw("svg", { viewBox: "0 0 45 45", class: "bcb-piece", "aria-hidden": "true" }, drawPiece(piece));
}

export function binImage() {
  const shape = "M9 12h27M18 12V8h9v4M12 12l2 26h17l2-26M19 18l.7 14M26 18l-.7 14";
  return draw("svg", { viewBox: "0 0 45 45", class: "bcb-bin", "aria-hidden": "true" }, draw("path", { d: shape }));
}
