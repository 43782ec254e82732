// The lines that searches expect: moves that one can point at, and click.

import { codeOf, inCheck, parseFen, play, squareName, toFen } from "../../views/chess.js";
import { make, setText } from "./parts.js";

/** What a board shows after the first moves of a line. */
export function afterMoves(state, moves) {
  const position = moves.reduce((before, move) => play(before, codeOf(move)), parseFen(state.fen));
  const check = inCheck(position) ? squareName(position.board.indexOf(6 * position.turn)) : null;
  return { ...state, fen: toFen(position), last: moves.at(-1), check, legal: {}, arrows: [] };
}

/** Make a list of `{ text, number }` whose moves are buttons, with what stands there already: the focus stays. */
function write(cell, sans, first) {
  while (cell.children.length > sans.length) cell.lastChild.remove();
  sans.forEach((san, index) => {
    const ply = first + index + 1, count = Math.ceil(ply / 2);
    const number = ply % 2 ? `${count}. ` : index ? "" : `${count}… `;
    const part = cell.children[index] ?? cell.appendChild(make("span", {}, make("span", { class: "bw-number" }),
      make("button", { type: "button", class: "bw-move", "data-place": index }), " "));
    setText(part.children[0], number);
    setText(part.children[1], san);
  });
}

/** Fill the rows of a table in place, `count` of them; the first of its columns are `cells(row)`: texts, or `{ text, title }`. */
export function fill(body, count, columns, cells) {
  while (body.rows.length > count) body.lastChild.remove();
  for (let i = 0; i < count; i++) {
    const row = body.rows[i] ?? body.appendChild(make("tr", {}, ...Array.from({ length: columns }, () => make("td"))));
    cells(i).forEach((content, place) => {
      setText(row.cells[place], String(content?.text ?? content ?? "\u2007"));
      row.cells[place].title = content?.title ?? "";
    });
  }
}

/** The table of the moves with their values; `point(moves)` is called for what is pointed at (null for nothing), `choose(moves)` for what is clicked. */
export function valueTable(point, choose) {
  const body = make("tbody");
  let rows = [];
  const movesAt = (target) => {
    const button = target?.closest?.("button.bw-move");
    return button && (rows[button.closest("tr").rowIndex - 1]?.moves.slice(0, Number(button.dataset.place) + 1) ?? null);
  };
  for (const name of ["pointerover", "focusin"]) body.addEventListener(name, ({ target, pointerType }) => pointerType !== "touch" && point(movesAt(target)));
  for (const name of ["pointerleave", "focusout"]) body.addEventListener(name, () => point(null));
  body.addEventListener("click", ({ target }) => {
    const moves = movesAt(target);
    if (moves) choose(moves);
  });
  return {
    body,
    /** Show rows, at least so many; `first` is how many plies were played before, `none` what stands for a value that is missing. */
    show(shown, least, first, none) {
      rows = shown;
      fill(body, Math.max(rows.length, least), 3, (i) => ["exact", "playing"].map((by) => (rows[i] && (rows[i][by] ?? none(by))) ?? ""));
      for (const [i, row] of [...body.rows].entries()) {
        row.cells[2].className = "bw-line";
        write(row.cells[2], rows[i]?.san ?? [], first);
      }
    },
  };
}
