// The board of a notebook: what `board.js` has, and below it a line that says how things stand, and some buttons.

import { renderBoard } from "./board.js";
import { make } from "../pieces.js";

/** Show the board. Traits: its state, `caption`, `actions` (name and text of each button), `moves`; { type: "action" } is sent. */
export function render({ model, el }) {
  const place = make("div");
  const caption = make("p", { class: "bcb-caption" });
  const moves = make("p", { class: "bcb-moves" });
  const buttons = make("div", { class: "bcb-texts", role: "group", "aria-label": "Game" });
  const element = make("div", { class: "bcb-widget" }, place, buttons, caption, moves);
  let shown = "";
  const words = () => {
    caption.textContent = model.get("caption");
    moves.textContent = model.get("moves");
    const actions = model.get("actions");
    if (JSON.stringify(actions) === shown) return;
    shown = JSON.stringify(actions);
    buttons.replaceChildren(...actions.map(([name, label]) =>
      make("button", { type: "button", class: "bcb-text", text: label, onclick: () => model.send({ type: "action", name }) })));
  };
  return renderBoard({ model, el }, place, element, ["caption", "moves", "actions"], words);
}

export default { render };
