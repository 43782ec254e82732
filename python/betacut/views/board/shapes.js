// What a person draws on a board with the right mouse button: arrows and circles, in four colours.

const COLOURS = ["green", "red", "blue", "yellow"];

/** Shift or Ctrl is red, Alt or Meta blue, both yellow. */
const colourOf = (event) => COLOURS[Number(event.shiftKey || event.ctrlKey) + 2 * Number(event.altKey || event.metaKey)];

export class Shapes {
  constructor(board) {
    this.board = board;
    this.known = new Map(); // colours, by the squares from and to: the same ones for a circle
    this.drawing = null;
    this.isPressed = false; // whether the last press was the right button's: its menu does not open
  }

  /** What is to be seen. */
  get all() {
    const { drawing } = this;
    const drawn = drawing?.to ? [{ move: drawing.from + drawing.to, kind: `drawn-${drawing.colour}` }] : [];
    return [...Array.from(this.known, ([move, colour]) => ({ move, kind: `drawn-${colour}` })), ...drawn];
  }

  /** A press on a square: with the right button it begins to draw, with the left one it clears everything. */
  press(event, from) {
    this.isPressed = event.button === 2;
    if (event.button === 0) return this.clear();
    if (!this.isPressed || from === null || this.board.drag.current) return;
    const page = this.board.element.ownerDocument, ended = new AbortController();
    const listen = (name, handler) => page.addEventListener(name, (moved) => {
      if (moved.pointerId === event.pointerId) handler(moved);
    }, { signal: ended.signal });
    const follow = (moved) => {
      this.drawing = { from, to: this.board.squareAt(moved.clientX, moved.clientY), colour: colourOf(moved) };
      this.board.showArrows();
    };
    const end = () => {
      ended.abort();
      this.drawing = null;
      this.board.showArrows();
    };
    listen("pointermove", follow);
    listen("pointerup", (moved) => {
      follow(moved);
      this.toggle(this.drawing);
      end();
    });
    listen("pointercancel", end);
    follow(event);
  }

  /** Keep what was drawn; what is there in that colour goes. */
  toggle({ from, to, colour }) {
    if (!to) return;
    if (this.known.get(from + to) === colour) this.known.delete(from + to);
    else this.known.set(from + to, colour);
  }

  clear() {
    if (!this.known.size) return;
    this.known.clear();
    this.board.showArrows();
  }
}
