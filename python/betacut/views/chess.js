// Chess: as much as is needed to show positions and to name moves. Squares are a1 = 0 … h8 = 63; pieces are 1 (pawn)
// to 6 (king), negative for Black; a move is from | to << 6 | promotion << 12, castling as a king move of two squares, or,
// in Chess960, of the king onto its rook.

export const NO_MOVE = 0xffff;
export const NULL_MOVE = 0xfffe;

const KNIGHT_STEPS = [[1, 2], [2, 1], [2, -1], [1, -2], [-1, -2], [-2, -1], [-2, 1], [-1, 2]];
const DIAGONALS = [[1, 1], [1, -1], [-1, -1], [-1, 1]];
const LINES = [[1, 0], [0, 1], [-1, 0], [0, -1]];
const ALL_WAYS = [...DIAGONALS, ...LINES];
const STEPS = [, , KNIGHT_STEPS, DIAGONALS, LINES, ALL_WAYS, ALL_WAYS];
const LETTERS = " PNBRQK";
const RIGHTS = { K: 1, Q: 2, k: 4, q: 8 };
const CORNERS = [7, 0, 63, 56]; // where the rooks of the four rights stand in standard chess

export const squareName = (square) => "abcdefgh"[square & 7] + ((square >> 3) + 1);
export const uci = (code) =>
  code === NULL_MOVE ? "0000" : squareName(code & 63) + squareName((code >> 6) & 63) + " _nbrq"[code >> 12].trim();

/** Read the position of a FEN. */
export function parseFen(fen) {
  const [placement, turn, castling, passant] = fen.split(" ");
  const board = new Int8Array(64);
  placement.split("/").forEach((row, index) => {
    let square = 56 - 8 * index;
    for (const letter of row) {
      if (letter >= "1" && letter <= "8") square += Number(letter);
      else {
        const piece = LETTERS.indexOf(letter.toUpperCase());
        board[square++] = letter === letter.toUpperCase() ? piece : -piece;
      }
    }
  });
  const { rights, rooks } = readRights(board, castling ?? "-");
  const file = "abcdefgh".indexOf((passant ?? "-")[0]);
  const ep = file < 0 ? -1 : file + 8 * (Number(passant[1]) - 1);
  return { board, turn: turn === "b" ? -1 : 1, rights, rooks, ep };
}

/** Read the rights to castle, and where the rooks stand: a file for a rook that is not the outermost one. */
function readRights(board, castling) {
  const rooks = [...CORNERS];
  let rights = 0;
  for (const letter of castling) {
    const side = letter === letter.toUpperCase() ? 1 : -1, home = side > 0 ? 0 : 56;
    const king = board.indexOf(6 * side), name = letter.toUpperCase();
    const files = [...Array(8).keys()].filter((file) => board[home + file] === 4 * side);
    let rook;
    if (name === "K") rook = files.findLast((file) => home + file > king);
    else if (name === "Q") rook = files.find((file) => home + file < king);
    else rook = files.find((file) => file === "ABCDEFGH".indexOf(name));
    const right = (side > 0 ? 0 : 2) + (name === "Q" || (name !== "K" && home + rook < king) ? 1 : 0);
    if (!"KQABCDEFGH".includes(name) || (rook === undefined && !"KQ".includes(name))) continue;
    rights |= 1 << right;
    if (rook !== undefined && king >> 3 === home >> 3) rooks[right] = home + rook;
  }
  return { rights, rooks };
}

/** Tell whether the rights to castle are those of Chess960: a king or a rook is not where it stands in standard chess. */
function isChess960({ board, rights, rooks }) {
  return rooks.some((rook, right) => rights & (1 << right) && (rook !== CORNERS[right] || Math.abs(board[right < 2 ? 4 : 60]) !== 6));
}

/** Tell where king and rook come from and go to if a king's move castles; null if it does not. */
function castlingOf({ board, turn }, from, to) {
  if (board[from] !== 6 * turn) return null;
  const ontoRook = board[to] === 4 * turn;
  if (!ontoRook && Math.abs(to - from) !== 2) return null;
  const short = to > from, home = from & 56;
  return { rook: ontoRook ? to : home + (short ? 7 : 0), king: home + (short ? 6 : 2), beside: home + (short ? 5 : 3), short };
}

/** Make a move; the position itself stays as it is. */
export function play(position, code) {
  const board = position.board.slice();
  const after = { board, turn: -position.turn, rights: position.rights, rooks: position.rooks, ep: -1 };
  if (code === NULL_MOVE) return after;
  const from = code & 63, to = (code >> 6) & 63, promotion = code >> 12;
  const piece = board[from], role = Math.abs(piece), castling = castlingOf(position, from, to);
  if (role === 1 && to === position.ep) board[to - 8 * position.turn] = 0;
  if (role === 1 && Math.abs(to - from) === 16) after.ep = (from + to) / 2;
  board[from] = 0;
  if (castling) {
    board[castling.rook] = 0;
    board[castling.king] = piece;
    board[castling.beside] = 4 * position.turn;
  } else board[to] = promotion ? promotion * position.turn : piece;
  if (role === 6) after.rights &= position.turn > 0 ? 12 : 3;
  after.rooks.forEach((rook, right) => {
    if (rook === from || rook === to) after.rights &= ~(1 << right);
  });
  return after;
}

function step(square, file, rank) {
  const f = (square & 7) + file, r = (square >> 3) + rank;
  return f >= 0 && f < 8 && r >= 0 && r < 8 ? f + 8 * r : -1;
}

/** Tell whether a side attacks a square. */
function isAttacked(board, square, side) {
  for (const file of [-1, 1]) {
    const from = step(square, file, -side);
    if (from >= 0 && board[from] === side) return true;
  }
  for (const [file, rank] of KNIGHT_STEPS) {
    const from = step(square, file, rank);
    if (from >= 0 && board[from] === 2 * side) return true;
  }
  for (const [file, rank] of ALL_WAYS) {
    const slider = file && rank ? 3 : 4;
    let from = step(square, file, rank);
    if (from >= 0 && board[from] === 6 * side) return true;
    while (from >= 0 && board[from] === 0) from = step(from, file, rank);
    if (from >= 0 && (board[from] === slider * side || board[from] === 5 * side)) return true;
  }
  return false;
}

/** Tell whether the side to move is in check. */
export const inCheck = (position) => isAttacked(position.board, position.board.indexOf(6 * position.turn), -position.turn);

function pawnMoves(position, from, add) {
  const { board, turn, ep } = position;
  const last = turn > 0 ? 7 : 0, second = turn > 0 ? 1 : 6;
  const to = (target) => {
    if (target >> 3 === last) for (const promotion of [5, 4, 3, 2]) add(from, target, promotion);
    else add(from, target);
  };
  const ahead = step(from, 0, turn);
  if (ahead >= 0 && board[ahead] === 0) {
    to(ahead);
    const further = step(from, 0, 2 * turn);
    if (from >> 3 === second && board[further] === 0) to(further);
  }
  for (const file of [-1, 1]) {
    const target = step(from, file, turn);
    if (target >= 0 && (board[target] * turn < 0 || target === ep)) to(target);
  }
}

function castlingMoves(position, from, add) {
  const { board, turn, rights, rooks } = position, first = turn > 0 ? 0 : 2, home = turn > 0 ? 0 : 56;
  if (!(rights & (3 << first)) || from >> 3 !== home >> 3) return;
  const onto = isChess960(position), bare = board.slice();
  bare[from] = 0;
  const between = (one, other) => Array.from({ length: Math.abs(other - one) + 1 }, (_, i) => Math.min(one, other) + i);
  for (const right of [first, first + 1]) {
    const rook = rooks[right], short = right === first, king = home + (short ? 6 : 2), beside = home + (short ? 5 : 3);
    if (!(rights & (1 << right)) || board[rook] !== 4 * turn || (!onto && from !== home + 4)) continue;
    const isFree = [...between(from, king), ...between(rook, beside)].every((at) => at === from || at === rook || board[at] === 0);
    const isSafe = between(from, king).every((at) => at === king && at !== from ? true : !isAttacked(bare, at, -turn));
    if (isFree && isSafe) add(from, onto ? rook : king);
  }
}

/** List the legal moves. */
export function legalMoves(position) {
  const { board, turn } = position;
  const found = [];
  const add = (from, to, promotion = 0) => {
    const code = from | (to << 6) | (promotion << 12);
    const after = play(position, code);
    if (!isAttacked(after.board, after.board.indexOf(6 * turn), -turn)) found.push(code);
  };
  for (let from = 0; from < 64; from++) {
    const role = board[from] * turn;
    if (role <= 0) continue;
    if (role === 1) {
      pawnMoves(position, from, add);
      continue;
    }
    for (const [file, rank] of STEPS[role]) {
      let to = step(from, file, rank);
      while (to >= 0 && board[to] * turn <= 0) {
        add(from, to);
        if (board[to] !== 0 || role === 2 || role === 6) break;
        to = step(to, file, rank);
      }
    }
    if (role === 6) castlingMoves(position, from, add);
  }
  return found;
}

/** Write a move in standard algebraic notation. */
export function san(position, code) {
  if (code === NULL_MOVE) return "--";
  const from = code & 63, to = (code >> 6) & 63, promotion = code >> 12;
  const role = Math.abs(position.board[from]);
  if (!role) return uci(code);
  const after = play(position, code);
  let name;
  const castling = castlingOf(position, from, to);
  if (castling) name = castling.short ? "O-O" : "O-O-O";
  else {
    const takes = position.board[to] !== 0 || (role === 1 && (from & 7) !== (to & 7));
    name = role === 1 ? (takes ? squareName(from)[0] : "") : LETTERS[role] + whichOne(position, code, role);
    name += (takes ? "x" : "") + squareName(to) + (promotion ? "=" + LETTERS[promotion] : "");
  }
  if (inCheck(after)) name += legalMoves(after).length ? "+" : "#";
  return name;
}

/** Say which of several like pieces moves. */
function whichOne(position, code, role) {
  const from = code & 63, to = (code >> 6) & 63;
  const twins = (other) =>
    ((other >> 6) & 63) === to && (other & 63) !== from && Math.abs(position.board[other & 63]) === role;
  // Most pieces have no twin at all, and the list of the moves is long.
  if (!position.board.some((piece, square) => piece === role * position.turn && square !== from)) return "";
  const others = role === 6 ? [] : legalMoves(position).filter(twins).map((other) => other & 63);
  if (!others.length) return "";
  const name = squareName(from);
  if (!others.some((other) => (other & 7) === (from & 7))) return name[0];
  return others.some((other) => other >> 3 === from >> 3) ? name : name[1];
}

/** Write a position as a FEN; the counters begin anew. */
export function toFen({ board, turn, rights, rooks = CORNERS, ep }) {
  const rows = [];
  for (let rank = 7; rank >= 0; rank--) {
    const letters = Array.from(board.subarray(8 * rank, 8 * rank + 8), (piece) =>
      piece === 0 ? "1" : piece > 0 ? LETTERS[piece] : LETTERS[-piece].toLowerCase());
    rows.push(letters.join("").replace(/1+/g, (gap) => gap.length));
  }
  const castling = Object.keys(RIGHTS).filter((letter) => rights & RIGHTS[letter]).map((letter) => {
    // A rook that is not the outermost one is told by its file.
    const rook = rooks["KQkq".indexOf(letter)], side = letter === letter.toUpperCase() ? 1 : -1, home = rook & 56;
    const further = letter.toUpperCase() === "K" ? (file) => home + file > rook : (file) => home + file < rook;
    const isOuter = ![...Array(8).keys()].some((file) => further(file) && board[home + file] === 4 * side);
    const name = isOuter ? letter : squareName(rook)[0];
    return side > 0 ? name.toUpperCase() : name;
  }).join("") || "-";
  return `${rows.join("/")} ${turn > 0 ? "w" : "b"} ${castling} ${ep < 0 ? "-" : squareName(ep)} 0 1`;
}

/** Return the place of a square by its name, such as "e4"; -1 if it is none. */
export const squareOf = (name) =>
  /^[a-h][1-8]$/.test(name) ? "abcdefgh".indexOf(name[0]) + 8 * (Number(name[1]) - 1) : -1;

/** Return the code of a move in UCI notation; NO_MOVE if it is none that goes from square to square. */
export function codeOf(name) {
  const from = squareOf(name.slice(0, 2)), to = squareOf(name.slice(2, 4));
  const promotion = name.length > 4 ? "  nbrq".indexOf(name[4]) : 0;
  return from < 0 || to < 0 || promotion < 0 || name.length > 5 ? NO_MOVE : from | (to << 6) | (promotion << 12);
}
