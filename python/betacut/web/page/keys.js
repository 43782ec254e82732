// Going through the moves of a game by keys, by the wheel and by buttons, and the help that says so.

import { make } from "./parts.js";

const PAUSE = 70; // between two requests: a key that is held, or a wheel, would ask for more than a tab may
const PATIENCE = 600; // so long the server may take to be where the person is already
const NOTCH = 40; // how far a wheel turns for a move; a notch of a mouse is more, a touchpad comes in small pieces

const HELP = [
  ["← →", "one move back, one move forward"],
  ["↑ ↓", "the first position, the last one"],
  ["wheel over the board", "back and forward"],
  ["f, on the board F", "turn the board, on Analyse and in a class"],
  ["right button", "draw an arrow or a circle: green; Shift or Ctrl red, Alt blue, both yellow. A left click clears them"],
  ["a move of an expected line", "point at it: see the position; click: play the line so far"],
  ["?", "this help"],
  ["Tab to the board, arrow keys, Enter", "go over the squares, pick a man up, put it down"],
  ["Nf3, e7e8q …", "on any square of the board: make that move"],
];

/** Where the person is in a game, however slow the server is: `go(ply, isLast)` is asked for the last of quick steps. */
export class Steps {
  constructor(go) {
    this.go = go;
    this.ply = this.plies = 0;
    this.asked = null;
    this.isLast = false; // it went to the last ply: there may be more by now
    this.timer = this.patience = this.turned = 0;
  }

  /** Take note of what the server shows. */
  show(ply, plies) {
    this.plies = plies;
    const isThere = this.asked === ply || (this.isLast && ply === plies);
    if (this.timer || (this.asked !== null && !isThere)) return;
    this.ply = ply;
    this.asked = null;
  }

  to(ply) {
    const aim = Math.min(Math.max(ply, 0), this.plies);
    if (aim === this.ply) return;
    this.ply = aim;
    this.isLast = aim === this.plies;
    this.timer ||= setTimeout(() => this.send(), performance.now() - this.sent < PAUSE ? PAUSE : 0);
  }

  by(moves) {
    this.to(this.ply + moves);
  }

  send() {
    this.timer = 0;
    this.sent = performance.now();
    this.asked = this.ply;
    clearTimeout(this.patience);
    this.patience = setTimeout(() => { this.asked = null; }, PATIENCE);
    this.go(this.ply, this.isLast);
  }

  /** A wheel over an element goes through the moves, if one may; the page scrolls where there are none. */
  wheel(element, may = () => true) {
    element.addEventListener("wheel", (event) => {
      if (event.ctrlKey || !event.deltaY || !this.plies || !may()) return;
      event.preventDefault();
      const pixels = event.deltaMode ? event.deltaY * NOTCH : event.deltaY;
      this.turned = Math.sign(pixels) === Math.sign(this.turned) ? this.turned + pixels : pixels;
      if (Math.abs(this.turned) < NOTCH) return;
      this.turned = 0;
      this.by(Math.sign(pixels));
    }, { passive: false });
  }

  destroy() {
    clearTimeout(this.timer);
    clearTimeout(this.patience);
  }
}

/** Listen to the keys of a page: `room()` has `steps` and `flip` if it has moves to go through. */
export function listenToKeys(room, help) {
  let byKeys = false; // a man who came to the board with Tab goes over its squares; one who clicked does not
  window.addEventListener("pointerdown", () => { byKeys = false; }, true);
  window.addEventListener("keydown", (event) => {
    if (event.key === "Tab") byKeys = true;
    if (event.ctrlKey || event.metaKey || event.altKey || isTaken(event, byKeys)) return;
    const action = actions(room() ?? {}, help)[event.key];
    if (!action) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  }, true);
}

function actions({ steps, flip }, help) {
  const moves = steps && {
    ArrowLeft: () => steps.by(-1), ArrowRight: () => steps.by(1), ArrowUp: () => steps.to(0), ArrowDown: () => steps.to(Infinity),
  };
  return { ...moves, ...(flip && { f: flip, F: flip }), "?": help };
}

/** Whether a key belongs to what has the focus: a field, something that scrolls, a tree, an open dialog, a board on which one types. */
function isTaken({ target, key }, byKeys) {
  const board = target.closest?.(".bcb");
  return Boolean(target.closest?.("input:not([type=checkbox]), select, textarea, .bw-scroll, .bc, dialog, .bcb-promotion")
    || (board && key !== "F" && (byKeys || key === "f" || board.querySelector(".bcb-typed").textContent)));
}

/** The help, as a dialog. */
export function helpDialog() {
  const rows = HELP.map(([keys, what]) => make("tr", {}, make("th", { scope: "row", text: keys }), make("td", { text: what })));
  const close = make("button", { type: "button", class: "bw-primary", text: "Close", onclick: () => dialog.close() });
  const dialog = make("dialog", { class: "bw-help-dialog", "aria-label": "Keys and mouse", onclick: (event) => { if (event.target === dialog) dialog.close(); } },
    make("div", {}, make("h2", { text: "Keys and mouse" }), make("table", {}, make("tbody", {}, ...rows)), close));
  return dialog;
}
