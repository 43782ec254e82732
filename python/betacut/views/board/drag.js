// Dragging men over a board with a mouse or a finger: from a square, or from the tray.

import { make, pieceImage } from "../pieces.js";

const DRAG = 5; // pixels until a press is a drag
const GLIDE = { duration: 160, easing: "ease-out" };

/** Let something glide from one place to another, if the reader likes that; tell what comes when it has arrived. */
export function glide(element, from, to, options = {}) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return null;
  const animation = element.animate([{ transform: from }, { transform: to }], { ...GLIDE, ...options });
  return animation.finished.catch(() => {});
}

/** What is dragged over a board. */
export class Drag {
  constructor(board) {
    this.board = board;
    this.current = null;
    this.wasDragged = false; // the click that follows a drag is none
  }

  /** Whether something has left its square. */
  get isLifted() {
    return Boolean(this.current?.ghost);
  }

  /** A press that may become a drag: of the piece on a square, or of one from the tray. */
  press(event, from, piece = null) {
    const { board } = this;
    this.wasDragged = false;
    if (event.button !== 0 || this.current) return;
    if (piece === null && (from === null || !board.movable().has(from) || board.tray.isInUse)) return;
    const page = board.element.ownerDocument, ended = new AbortController();
    const listen = (name, handler) => page.addEventListener(name, (moved) => {
      if (moved.pointerId === event.pointerId) handler(moved);
    }, { signal: ended.signal });
    this.current = { from, piece: piece ?? board.pieceOn(from), x: event.clientX, y: event.clientY, ghost: null, ended };
    listen("pointermove", (moved) => this.move(moved));
    listen("pointerup", (moved) => this.drop(moved));
    listen("pointercancel", () => this.end(true));
  }

  move(event) {
    const { board, current: drag } = this;
    if (!drag.ghost) {
      if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < DRAG) return;
      board.type("");
      board.picked = drag.from;
      board.show();
      drag.ghost = make("div", { class: "bcb-ghost" }, pieceImage(drag.piece));
      drag.size = board.grid.getBoundingClientRect().width / 8;
      drag.ghost.style.width = drag.ghost.style.height = `${drag.size}px`;
      board.element.append(drag.ghost);
      if (drag.from) board.squares.get(drag.from).button.classList.add("bcb-lifted");
    }
    event.preventDefault();
    this.place(event.clientX, event.clientY);
    const over = board.squareAt(event.clientX, event.clientY);
    for (const [name, { button }] of board.squares) button.classList.toggle("bcb-over", name === over);
  }

  /** Put what is dragged to a point of the window. */
  place(x, y) {
    const { left, top } = this.board.element.getBoundingClientRect(), { ghost, size } = this.current;
    ghost.style.transform = `translate(${x - left - size / 2}px, ${y - top - size / 2}px)`;
  }

  drop(event) {
    const { board, current: drag } = this, to = board.squareAt(event.clientX, event.clientY);
    if (!drag.ghost) return this.end(false);
    this.wasDragged = true;
    setTimeout(() => { this.wasDragged = false; }); // the click that follows comes before
    if (drag.from === null) {
      this.end(false);
      if (to) board.put(to, drag.piece);
    } else if (to === drag.from) {
      this.end(false);
      board.letGo();
    } else if (to === null) {
      this.end(!board.state.edit);
      if (board.state.edit) board.put(drag.from, 0);
      else board.letGo();
    } else this.end(!board.attempt(drag.from, to));
  }

  /** End a drag; a piece that may not go there glides back. */
  end(goesBack) {
    const { board, current: drag } = this;
    if (!drag) return; // the host's answer to it has ended it
    this.current = null;
    drag.ended.abort();
    if (!drag.ghost) return;
    const home = drag.from && board.squares.get(drag.from).button;
    const root = board.element.getBoundingClientRect(), place = home?.getBoundingClientRect();
    const back = goesBack && home
      ? glide(drag.ghost, drag.ghost.style.transform, `translate(${place.left - root.left}px, ${place.top - root.top}px)`, { fill: "forwards" })
      : null;
    if (back) board.picked = null;
    board.show();
    if (!back) return drag.ghost.remove();
    home.classList.add("bcb-lifted");
    back.then(() => {
      drag.ghost.remove();
      home.classList.remove("bcb-lifted");
    });
  }
}
