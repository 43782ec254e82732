// The board of a position as a picture (SVG), and in words.

import { NO_MOVE, NULL_MOVE, squareName } from "../chess.js";
import { draw, drawPiece, NAMES } from "../pieces.js";

export function drawBoard(position, code, flipped) {
  const svg = draw("svg", { viewBox: "0 0 360 360", role: "img", "aria-label": describe(position), class: "bc-board" });
  const marked = code === NO_MOVE || code === NULL_MOVE ? [] : [code & 63, (code >> 6) & 63];
  for (let square = 0; square < 64; square++) {
    const column = flipped ? 7 - (square & 7) : square & 7, row = flipped ? square >> 3 : 7 - (square >> 3);
    const dark = ((square & 7) + (square >> 3)) % 2 === 0;
    const place = { x: 45 * column, y: 45 * row, width: 45, height: 45 };
    svg.append(draw("rect", { ...place, class: dark ? "bc-dark-square" : "bc-light-square" }));
    if (marked.includes(square)) svg.append(draw("rect", { ...place, class: "bc-marked" }));
    const label = { class: dark ? "bc-on-dark" : "bc-on-light" };
    if (row === 7) svg.append(draw("text", { x: 45 * column + 42, y: 357, text: "abcdefgh"[square & 7], ...label, "text-anchor": "end" }));
    if (column === 0) svg.append(draw("text", { x: 2.5, y: 45 * row + 10, text: (square >> 3) + 1, ...label }));
    const piece = position.board[square];
    if (piece) svg.append(drawPiece(piece, { transform: `translate(${45 * column} ${45 * row})` }));
  }
  return svg;
}

function describe(position) {
  const of = (side) =>
    [6, 5, 4, 3, 2, 1].flatMap((role) => {
      const squares = [...position.board.keys()].filter((square) => position.board[square] === role * side);
      return squares.length ? [`${NAMES[role]} ${squares.map(squareName).join(" ")}`] : [];
    }).join(", ");
  return `White: ${of(1)}. Black: ${of(-1)}. ${position.turn > 0 ? "White" : "Black"} to move.`;
}
