// A board to play on, or to set a position up: `mount(element, state, on)`.
//
// The rules of chess are the host's: it says which moves are legal, is told which one was made, and answers with the
// next state. Until then the board shows the move as if it had been accepted. All of it can be done with a mouse, by
// touch, and with the keyboard alone; what changes is said in words too.

import { codeOf, NO_MOVE, parseFen, play, san, squareName, squareOf, toFen } from "../chess.js";
import { draw, inWords, make, NAMES, pieceImage } from "../pieces.js";
import { drawArrows, drawShapes, KINDS, keysOf } from "./arrows.js";
import { Drag, glide } from "./drag.js";
import { Shapes } from "./shapes.js";
import { possibleRights, rightsLeft, START, Tray } from "./tray.js";

const SIDES = ["white", "black"];
const PROMOTIONS = { q: 5, r: 4, b: 3, n: 2 };
const LETTERS = " PNBRQK";

/** The state that is shown where nothing else is said. */
export const DEFAULTS = { fen: START, orientation: "white", legal: {}, last: null, check: null, arrows: [], edit: false };

/** Make sure that a state is one; say what is wrong if not. */
function checked(state) {
  const refuse = (name, wanted, value) => {
    throw new TypeError(`${name} must be ${wanted}, not ${JSON.stringify(value)}`);
  };
  for (const name of Object.keys(state)) if (!(name in DEFAULTS)) refuse("state", Object.keys(DEFAULTS).join(", "), name);
  if (typeof state.fen !== "string" || !/^[1-8pnbrqkPNBRQK/]+ [wb]( |$)/.test(state.fen)) refuse("fen", "a FEN", state.fen);
  if (!SIDES.includes(state.orientation)) refuse("orientation", '"white" or "black"', state.orientation);
  if (typeof state.legal !== "object" || state.legal === null) refuse("legal", "an object of moves", state.legal);
  if (!Array.isArray(state.arrows)) refuse("arrows", "an array", state.arrows);
  for (const { kind } of state.arrows) if (!KINDS.includes(kind)) refuse("arrows[].kind", KINDS.join(", "), kind);
  return state;
}

/** The name of the square that is seen at a column and a row, or the other way round. */
const squareAt = (column, row, flipped) => squareName(flipped ? 8 * row + 7 - column : 8 * (7 - row) + column);

/** The square that an element belongs to. */
const nameOf = (element) => element?.closest?.(".bcb-square")?.dataset.square ?? null;

/** Write a move so that "Nxe4+", "Ne4" and "0-0", "O-O" are the same. */
const plain = (move) => move.replace(/[-x+#=!?:\s]/g, "").replace(/0/g, "O");

class Board {
  constructor(element, state, on) {
    this.element = element;
    this.on = on;
    this.state = { ...DEFAULTS };
    this.cursor = "e1";
    this.picked = null;
    this.typed = "";
    this.drag = new Drag(this);
    this.shapes = new Shapes(this);
    this.tray = new Tray(this);
    this.waiting = false;
    this.listeners = new AbortController();
    this.build();
    this.update(state);
    this.say("");
  }

  // What is on the page.

  build() {
    this.squares = new Map();
    for (let square = 0; square < 64; square++) {
      const name = squareName(square), dark = ((square & 7) + (square >> 3)) % 2 === 0;
      const button = make("button", {
        type: "button", class: `bcb-square ${dark ? "bcb-dark" : "bcb-light"}`, "data-square": name, tabindex: "-1",
      });
      this.squares.set(name, { button, piece: 0 });
    }
    this.grid = make("div", { class: "bcb-grid", role: "grid", "aria-label": "Chess board" });
    this.arrows = draw("svg", { class: "bcb-arrows", viewBox: "0 0 360 360", "aria-hidden": "true" });
    this.frame = make("div", { class: "bcb-frame" }, this.grid, this.arrows);
    this.status = make("p", { class: "bcb-status", role: "status", "aria-live": "polite" });
    this.typing = make("output", { class: "bcb-typed", "aria-label": "Typed so far", "aria-live": "off" });
    this.legend = make("p", { class: "bcb-hidden" });
    this.keys = make("span", { class: "bcb-keys", "aria-hidden": "true" });
    this.element.classList.add("bcb");
    this.element.replaceChildren(
      this.frame, this.legend, make("div", { class: "bcb-words" }, this.status, this.typing, this.keys), this.tray.element);
    const listen = (target, name, handler) =>
      target.addEventListener(name, handler, { signal: this.listeners.signal });
    listen(this.grid, "keydown", (event) => this.key(event));
    listen(this.grid, "click", (event) => this.clicked(event));
    listen(this.grid, "pointerdown", (event) => {
      this.shapes.press(event, nameOf(event.target));
      this.drag.press(event, nameOf(event.target));
    });
    listen(this.grid, "focusin", (event) => this.moveCursor(event.target.dataset.square, false));
    listen(this.grid, "contextmenu", (event) => { if (this.drag.current || this.shapes.isPressed) event.preventDefault(); });
  }

  /** Put the squares in the order in which they are seen, a row of eight at a time. */
  arrange() {
    const flipped = this.state.orientation === "black", active = this.activeSquare();
    const line = [0, 1, 2, 3, 4, 5, 6, 7];
    const cell = (column, row) => {
      const name = squareAt(column, row, flipped), { button } = this.squares.get(name);
      button.dataset.file = row === 7 ? name[0] : "";
      button.dataset.rank = column === 0 ? name[1] : "";
      return make("div", { role: "gridcell", class: "bcb-cell" }, button);
    };
    this.grid.replaceChildren(...line.map((row) =>
      make("div", { role: "row", class: "bcb-row" }, ...line.map((column) => cell(column, row)))));
    this.arranged = this.state.orientation;
    if (active) this.squares.get(active).button.focus();
  }

  activeSquare() {
    return nameOf(this.element.getRootNode().activeElement);
  }

  /** Show another state; what is left out stays as it is. */
  update(state) {
    const before = this.state, shown = this.position;
    const next = checked({ ...before, ...state });
    this.state = next;
    this.position = parseFen(next.fen);
    const isMove = next.last && (next.last !== before.last || next.fen !== before.fen);
    const wasOurs = this.waiting && this.made === next.last;
    this.waiting = false;
    if (next.edit !== before.edit) this.tray.fill(next.edit);
    if (!this.movable().has(this.picked)) this.picked = null;
    if (next.fen !== before.fen) this.shapes.clear();
    // Values that stream in do not take the choice away.
    if (["fen", "edit", "orientation"].some((name) => next[name] !== before[name])) {
      this.endPromotion();
      this.drag.end(false);
    }
    this.show();
    if (isMove && shown) {
      if (!next.edit) this.say(this.moveInWords(parseFen(before.fen), next.last));
      if (!wasOurs) this.slide(next.last);
    }
  }

  show() {
    if (this.arranged !== this.state.orientation) this.arrange();
    const targets = this.targets(), movable = this.movable();
    const last = this.waiting ? this.made : this.state.last;
    for (const [name, square] of this.squares) {
      const piece = this.position.board[squareOf(name)];
      if (piece !== square.piece || (piece && !square.button.firstChild)) {
        square.button.replaceChildren(...(piece ? [pieceImage(piece)] : []));
        square.piece = piece;
      }
      const { classList } = square.button;
      const isTarget = targets.has(name), inCheck = this.state.check === name && !this.waiting;
      const marks = {
        last: last?.slice(0, 2) === name || last?.slice(2, 4) === name, check: inCheck, picked: this.picked === name,
        target: isTarget, taken: isTarget && piece !== 0, movable: movable.has(name),
      };
      for (const [mark, is] of Object.entries(marks)) classList.toggle(`bcb-${mark}`, is);
      if (!this.drag.isLifted) classList.remove("bcb-lifted", "bcb-over");
      const words = [name];
      if (piece) words.push(inWords(piece));
      if (inCheck) words.push("in check");
      if (this.picked === name) words.push("picked up");
      else if (isTarget) words.push("a legal target");
      square.button.setAttribute("aria-label", words.join(", "));
      square.button.setAttribute("tabindex", name === this.cursor ? "0" : "-1");
    }
    this.showArrows();
    this.tray.show();
  }

  /** The squares from which something can be moved. */
  movable() {
    if (this.waiting) return new Set();
    if (this.state.edit) return new Set([...this.squares.keys()].filter((name) => this.pieceOn(name)));
    return new Set(Object.keys(this.state.legal).map((move) => move.slice(0, 2)));
  }

  /** The squares to which the piece in hand can go. */
  targets() {
    if (this.picked === null || this.state.edit || this.waiting) return new Set();
    return new Set(Object.keys(this.state.legal).filter((move) => move.startsWith(this.picked)).map((move) => move.slice(2, 4)));
  }

  pieceOn(name) {
    return this.position.board[squareOf(name)];
  }

  say(words) {
    this.status.textContent = words;
  }

  /** "White: Nf3", or the squares if the move does not fit to the position before. */
  moveInWords(before, move) {
    const code = codeOf(move);
    const same = (a, b) => a.board.every((piece, square) => piece === b.board[square]);
    if (code !== NO_MOVE && same(play(before, code), this.position)) {
      return `${before.turn > 0 ? "White" : "Black"}: ${san(before, code)}`;
    }
    const side = this.position.turn > 0 ? "Black" : "White";
    if (move === "0000") return `${side} passes.`;
    return `${side}: ${move.slice(0, 2)} to ${move.slice(2, 4)}`;
  }

  /** Let the piece that was moved glide to where it stands. */
  slide(move) {
    const to = this.squares.get(move.slice(2, 4)), from = this.squares.get(move.slice(0, 2));
    const image = to?.button.firstChild;
    if (!image || !from) return;
    const start = from.button.getBoundingClientRect(), end = to.button.getBoundingClientRect();
    const way = `translate(${start.left - end.left}px, ${start.top - end.top}px)`;
    const arrival = glide(image, way, "none");
    if (!arrival) return;
    to.button.classList.add("bcb-moving");
    arrival.then(() => to.button.classList.remove("bcb-moving"));
  }

  // Making moves.

  pick(name) {
    this.picked = name;
    this.show();
    this.say(`${name}, ${inWords(this.pieceOn(name))}, picked up.`);
  }

  letGo(words = "") {
    this.picked = null;
    this.show();
    this.say(words);
  }

  /** A square is clicked, or chosen with the keyboard. */
  choose(name) {
    if (this.waiting) return;
    if (this.state.edit && this.tray.isInUse) return this.put(name, this.tray.man);
    if (this.picked === null) {
      if (this.movable().has(name)) this.pick(name);
      else if (this.pieceOn(name) && Object.keys(this.state.legal).length) this.say(`${inWords(this.pieceOn(name))} on ${name} cannot move.`);
    } else if (this.picked === name) this.letGo();
    else if (!this.state.edit && !this.targets().has(name) && this.movable().has(name)) this.pick(name);
    else this.attempt(this.picked, name);
  }

  /** Make a move, ask what a pawn becomes, or say that it is not legal; tell whether it was. */
  attempt(from, to) {
    if (this.state.edit) {
      this.carry(from, to);
      return true;
    }
    const moves = Object.keys(this.state.legal).filter((move) => move.slice(0, 4) === from + to);
    if (!moves.length) {
      this.letGo(`${from} to ${to} is not a legal move.`);
      return false;
    }
    if (moves.some((move) => move.length > 4)) this.askPromotion(moves);
    else this.make(moves[0]);
    return true;
  }

  make(move) {
    const code = codeOf(move), before = this.position;
    const name = this.state.legal[move];
    // Castling may be written as the king taking its own rook: then the host draws it.
    const takesOwn = code !== NO_MOVE && before.board[(code >> 6) & 63] * before.board[code & 63] > 0;
    if (code !== NO_MOVE && !takesOwn) this.position = play(before, code);
    this.waiting = true;
    this.made = move;
    this.picked = null;
    this.type("");
    this.moveCursor(move.slice(2, 4), this.activeSquare() !== null);
    this.show();
    this.say(`${before.turn > 0 ? "White" : "Black"}: ${name}`);
    this.on({ type: "move", move });
  }

  // A pawn on its last square.

  askPromotion(moves) {
    const to = moves[0].slice(2, 4), side = this.position.turn, [column, row] = this.placeOf(to);
    this.picked = moves[0].slice(0, 2);
    this.show();
    const buttons = Object.entries(PROMOTIONS).flatMap(([letter, role]) => {
      const move = moves.find((one) => one[4] === letter);
      if (!move) return [];
      return [make("button", {
        type: "button", class: "bcb-choice", "data-letter": letter, "aria-label": NAMES[role], title: NAMES[role],
        onclick: () => { this.endPromotion(); this.make(move); },
      }, pieceImage(role * side))];
    });
    this.promotion = make("div", {
      class: "bcb-promotion", role: "dialog", "aria-modal": "true", "aria-label": "Promote the pawn to",
      onclick: (event) => { if (event.target === this.promotion) this.cancelPromotion(); },
      onkeydown: (event) => this.promotionKey(event, buttons),
    }, make("div", { class: "bcb-choices" }, ...buttons));
    const choices = this.promotion.firstChild;
    choices.style.gridColumn = `${column + 1}`;
    if (row > 3) choices.classList.add("bcb-upwards");
    this.frame.append(this.promotion);
    buttons[0].focus();
    this.say("Promote to queen, rook, bishop or knight?");
  }

  promotionKey(event, buttons) {
    const place = buttons.indexOf(event.target);
    const go = (by) => buttons.at((place + by) % buttons.length).focus();
    const letter = buttons.find((button) => button.dataset.letter === event.key.toLowerCase());
    event.stopPropagation();
    if (event.key === "Escape") this.cancelPromotion();
    else if (["ArrowDown", "ArrowRight"].includes(event.key) || (event.key === "Tab" && !event.shiftKey)) go(1);
    else if (["ArrowUp", "ArrowLeft", "Tab"].includes(event.key)) go(-1);
    else if (letter) letter.click();
    else return;
    event.preventDefault();
  }

  cancelPromotion() {
    const from = this.picked;
    this.endPromotion();
    this.letGo("No move was made.");
    this.moveCursor(from, true);
  }

  endPromotion() {
    const hadFocus = this.promotion?.contains(this.element.getRootNode().activeElement);
    this.promotion?.remove();
    this.promotion = null;
    if (hadFocus) this.squares.get(this.cursor).button.focus();
  }

  /** The column and the row at which a square is seen. */
  placeOf(name) {
    const square = squareOf(name), file = square & 7, rank = square >> 3;
    return this.state.orientation === "black" ? [7 - file, rank] : [file, 7 - rank];
  }

  // The keyboard.

  /** Make a square the one that Tab leads to. */
  moveCursor(name, focus = true) {
    if (!this.squares.has(name)) return;
    this.squares.get(this.cursor).button.setAttribute("tabindex", "-1");
    this.cursor = name;
    const { button } = this.squares.get(name);
    button.setAttribute("tabindex", "0");
    if (focus) button.focus();
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const name = this.cursor, { key } = event;
    const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1], Home: [-8, 0], End: [8, 0] };
    if (ways[key]) this.step(...ways[key]);
    else if (key === "Enter" || key === " ") {
      if (this.typed) this.commit();
      else this.choose(name);
    } else if (key === "Escape") {
      if (this.typed) this.type("");
      else if (this.picked !== null) this.letGo("Let go.");
      else if (this.tray.isInUse) this.tray.take();
      else return;
    } else if (this.state.edit) {
      const role = LETTERS.indexOf(key.toUpperCase());
      if (key === "Delete" || key === "Backspace") this.put(name, 0);
      else if (key.length === 1 && role > 0) this.put(name, key === key.toUpperCase() ? role : -role);
      else return;
    } else if (key === "Backspace") this.type(this.typed.slice(0, -1));
    else if (/^[a-h1-8nrqko0]$/i.test(key)) this.type(this.typed + key);
    else if (/^[x=+#-]$/.test(key)) {
      if (this.typed) this.type(this.typed + key); // after the move that it belongs to it means nothing
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  step(columns, rows) {
    const by = [columns, rows];
    const [column, row] = this.placeOf(this.cursor).map((at, i) => Math.min(Math.max(at + by[i], 0), 7));
    this.moveCursor(squareAt(column, row, this.state.orientation === "black"));
  }

  /** Take note of what was typed; make the move as soon as it can be no other. */
  type(letters) {
    this.typed = letters;
    this.typing.textContent = letters;
    if (!letters) return;
    const found = this.meant(letters);
    if (!found.length) {
      this.typed = this.typing.textContent = "";
      const none = Object.keys(this.state.legal).length ? `No legal move begins with “${letters}”.` : "There is nothing to move now.";
      this.say(this.waiting ? "The last move has not been answered yet." : none);
    } else if (found.length === 1 && found[0].whole) this.make(found[0].move);
  }

  /** The legal moves that begin with these letters, and whether they are all of it. */
  meant(letters) {
    if (this.waiting) return [];
    const spellings = Object.entries(this.state.legal).flatMap(([move, name]) => [[move, move], [move, plain(name)]]);
    const find = (fold) => {
      const begun = fold(plain(letters));
      const moves = new Map();
      for (const [move, spelling] of spellings) {
        if (fold(spelling).startsWith(begun)) moves.set(move, moves.get(move) || fold(spelling) === begun);
      }
      return [...moves].map(([move, whole]) => ({ move, whole }));
    };
    const exact = find((text) => text);
    return exact.length ? exact : find((text) => text.toLowerCase());
  }

  commit() {
    const letters = this.typed, found = this.meant(letters), whole = found.filter((one) => one.whole);
    this.type("");
    if (whole.length === 1) this.make(whole[0].move);
    else if (found.length === 1) this.make(found[0].move);
    else this.say(`“${letters}” could be ${found.map((one) => this.state.legal[one.move]).join(", ")}.`);
  }

  // Mouse and touch.

  /** The square at a point of the window. */
  squareAt(x, y) {
    const { left, top, width } = this.grid.getBoundingClientRect();
    const column = Math.floor(((x - left) / width) * 8), row = Math.floor(((y - top) / width) * 8);
    if (column < 0 || column > 7 || row < 0 || row > 7) return null;
    return squareAt(column, row, this.state.orientation === "black");
  }

  clicked(event) {
    const name = nameOf(event.target);
    if (name && !this.drag.wasDragged) this.choose(name);
    this.drag.wasDragged = false;
  }

  // Arrows.

  showArrows() {
    const known = this.waiting ? [] : this.state.arrows.filter(({ move }) => codeOf(move) !== NO_MOVE && move.slice(0, 2) !== move.slice(2, 4));
    const middle = (name) => this.placeOf(name).map((at) => 45 * at + 22.5), shapes = this.shapes.all;
    this.arrows.replaceChildren(...drawArrows(known, middle), ...drawShapes(shapes, middle));
    this.keys.replaceChildren(...keysOf(known));
    const words = known.map(({ move, kind, label }) =>
      `${move.slice(0, 2)} to ${move.slice(2, 4)}, ${kind}${label ? `, ${label}` : ""}`);
    words.push(...shapes.map(({ move, kind }) => `${[...new Set([move.slice(0, 2), move.slice(2)])].join(" to ")}, ${kind.replace("-", " ")}`));
    this.legend.textContent = words.length ? `Arrows: ${words.join("; ")}.` : "";
  }

  // Setting a position up.

  /** Put a piece on a square, or nothing. */
  put(name, piece) {
    const board = this.position.board.slice();
    board[squareOf(name)] = piece;
    this.say(piece ? `${inWords(piece)} on ${name}.` : `${name} is empty.`);
    this.edited({ ...this.position, board });
  }

  carry(from, to) {
    const board = this.position.board.slice(), piece = board[squareOf(from)];
    board[squareOf(to)] = piece;
    board[squareOf(from)] = 0;
    this.say(`${inWords(piece)} from ${from} to ${to}.`);
    this.edited({ ...this.position, board });
  }

  /** Take over a position that was changed; rights to castle that cannot be are lost. */
  edited(position) {
    const fen = toFen({ ...position, ep: -1, rights: position.rights & (possibleRights(position.board) | rightsLeft(this.position, position.board)) });
    this.picked = null;
    this.state = { ...this.state, fen, last: null, check: null, arrows: [], legal: {} };
    this.position = parseFen(fen);
    this.show();
    this.on({ type: "edit", fen });
  }

  destroy() {
    this.drag.current?.ended.abort();
    this.listeners.abort();
    this.element.classList.remove("bcb", "bcb-brush");
    this.element.replaceChildren();
  }
}

/**
 * Show a board.
 *
 * @param element where to: its children are replaced
 * @param state what to show; what is left out is the starting position, from White's side, with nothing to move:
 *   fen; orientation ("white" or "black"); legal (moves in UCI notation to their names, of the side to move); last (a
 *   move) and check (a square), or null; arrows (move, kind: "best", "other", "line" or "played", label); edit
 * @param on is called with { type: "move", move } and { type: "edit", fen }
 * @returns update(state), which takes what has changed, and is the answer to a move that is refused too; destroy()
 */
export function mount(element, state = {}, on = () => {}) {
  const board = new Board(element, state, on);
  return { update: (next) => board.update(next), destroy: () => board.destroy() };
}
