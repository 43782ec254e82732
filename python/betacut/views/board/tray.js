// The tray below a board on which a position is set up: men to put on it, the bin, rights to castle, whole positions.

import { parseFen } from "../chess.js";
import { draw, inWords, make, picture, pieceImage } from "../pieces.js";

export const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const EMPTY = "8/8/8/8/8/8/8/8 w - - 0 1";
const NOTHING = 0, BIN = 7; // what is taken from the tray, beside the men
const BIN_SHAPE = "M9 12h27M18 12V8h9v4M12 12l2 26h17l2-26M19 18l.7 14M26 18l-.7 14";

export class Tray {
  constructor(board) {
    this.board = board;
    this.brush = NOTHING;
    this.element = make("div", { class: "bcb-tray", hidden: true });
  }

  /** Whether a click puts or takes away a man. */
  get isInUse() {
    return this.brush !== NOTHING;
  }

  /** The man that a click puts on a square; 0 for the bin. */
  get man() {
    return this.brush === BIN ? 0 : this.brush;
  }

  /** Lay everything out, or take it away. */
  fill(isWanted) {
    const { board } = this;
    this.brush = NOTHING;
    this.element.hidden = !isWanted;
    if (!isWanted) return this.element.replaceChildren();
    const button = (piece, label, image) => make("button", {
      type: "button", class: "bcb-tool", "aria-label": label, title: label, "data-piece": piece,
      onpointerdown: (event) => { if (piece !== BIN) board.drag.press(event, null, piece); },
      onclick: () => {
        if (!board.drag.wasDragged) this.take(piece);
        board.drag.wasDragged = false;
      },
    }, image);
    const tools = [];
    for (const side of [1, -1]) {
      for (const role of [6, 5, 4, 3, 2, 1]) tools.push(button(role * side, inWords(role * side), pieceImage(role * side)));
      if (side === 1) tools.push(button(BIN, "bin", picture("bcb-bin", draw("path", { d: BIN_SHAPE }))));
    }
    const words = (text, action) => make("button", { type: "button", class: "bcb-text", text, onclick: action });
    this.turnButton = words("", () => board.edited({ ...board.position, turn: -board.position.turn }));
    this.castling = ["White O-O", "White O-O-O", "Black O-O", "Black O-O-O"].map((label, index) =>
      make("input", { type: "checkbox", "aria-label": label, onchange: () =>
        board.edited({ ...board.position, rights: board.position.rights ^ (1 << index) }) }));
    const castling = this.castling.map((box) => make("label", {}, box, document.createTextNode(box.getAttribute("aria-label"))));
    this.element.replaceChildren(
      make("div", { class: "bcb-tools", role: "toolbar", "aria-label": "Pieces to put on the board" }, ...tools),
      make("div", { class: "bcb-castling", role: "group", "aria-label": "Castling" }, ...castling),
      make("div", { class: "bcb-texts" }, this.turnButton,
        words("Starting position", () => board.edited(parseFen(START))), words("Empty board", () => board.edited(parseFen(EMPTY)))));
  }

  /** Take a piece, the bin, or nothing. */
  take(piece = NOTHING) {
    this.brush = this.brush === piece ? NOTHING : piece;
    this.board.picked = null;
    this.board.show();
    this.board.say(this.brush === NOTHING ? "" : this.brush === BIN ? "Choose what to take away." : `Choose where to put a ${inWords(piece)}.`);
  }

  show() {
    const { element, state, position } = this.board;
    element.classList.toggle("bcb-brush", this.isInUse);
    if (!state.edit) return;
    for (const tool of this.element.querySelectorAll(".bcb-tool")) {
      tool.setAttribute("aria-pressed", String(Number(tool.dataset.piece) === this.brush));
    }
    this.turnButton.textContent = position.turn > 0 ? "White to move" : "Black to move";
    const possible = possibleRights(position.board) | position.rights;
    this.castling.forEach((box, index) => {
      box.checked = Boolean(position.rights & (1 << index));
      box.disabled = !(possible & (1 << index));
    });
  }
}

/** The rights to castle that kings and rooks at home allow. */
export function possibleRights(board) {
  const home = (king, rook, side) => board[king] === 6 * side && board[rook] === 4 * side;
  return [home(4, 7, 1), home(4, 0, 1), home(60, 63, -1), home(60, 56, -1)]
    .reduce((rights, possible, index) => rights | (possible ? 1 << index : 0), 0);
}

/** The rights of a position that are left on another board: those whose king and rook, as in Chess960, stand where they stood. */
export function rightsLeft({ board, rights, rooks }, after) {
  return rooks.reduce((left, rook, right) => {
    const side = right < 2 ? 1 : -1, king = board.indexOf(6 * side);
    const isLeft = after[king] === 6 * side && after[rook] === 4 * side && king >> 3 === rook >> 3;
    return isLeft ? left | (rights & (1 << right)) : left;
  }, 0);
}
