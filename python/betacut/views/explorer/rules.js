// What a tree is of: chess, whose rules are known here, or another game, whose positions the host sends along.

import { legalMoves, NO_MOVE, NULL_MOVE, parseFen, play, san, uci } from "../chess.js";
import { make } from "../pieces.js";
import { drawBoard } from "./diagram.js";

function readMove(position, word) {
  const plain = word.replace(/^\d+\.+/, "").replace(/[+#!?]+$/, "").replace(/^0-0-0$/, "O-O-O").replace(/^0-0$/, "O-O");
  if (plain === "--" || plain === "0000") return NULL_MOVE;
  return legalMoves(position).find((move) => uci(move) === plain || san(position, move).replace(/[+#]$/, "") === plain);
}

/** The rules of chess. */
const CHESS = { players: ["White", "Black"], isChess: true, parse: parseFen, legalMoves, play, san, uci, read: readMove, draw: drawBoard };

/** The rules of another game: its positions, and what the moves are called; what follows what is found in the tree. */
class Game {
  constructor({ states, labels }) {
    this.players = ["Max", "Min"];
    this.isChess = false;
    this.labels = labels;
    this.states = states.map((state) => ({ ...state, next: new Map() }));
    this.uci = (code) => this.san(null, code);
    this.play = (position, code) => position.next.get(code) ?? { text: "", turn: -position.turn, moves: [], next: new Map() };
  }

  /** Note where a move leads. */
  link(from, code, to) {
    if (code !== NO_MOVE) this.states[from].next.set(code, this.states[to]);
  }

  legalMoves(position) {
    return position.moves;
  }

  san(position, code) {
    return this.labels[code] ?? "?";
  }

  read(position, word) {
    return position.moves.find((code) => this.labels[code] === word);
  }

  draw(position) {
    return make("pre", { class: "bc-state", text: position.text || "\u00b7" });
  }
}

export const rulesOf = (about) => (about.game ? new Game(about.game) : CHESS);
