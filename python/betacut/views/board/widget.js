// The board of a notebook: that of `board.js`, and below it a line that says how things stand, and some buttons.

import { make } from "../pieces.js";
import { inNotebook } from "../theme.js";
import { DEFAULTS, mount } from "./board.js";

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
  const state = () => Object.fromEntries(Object.keys(DEFAULTS).map((name) => [name, model.get(name)]));
  const names = [...Object.keys(DEFAULTS), "caption", "moves", "actions"].map((name) => `change:${name}`).concat("msg:custom");
  const end = inNotebook({ model, el }, element, names, () => {
    board.update(state());
    words();
  });
  const board = mount(place, state(), (event) => model.send(event));
  words();
  return () => {
    end();
    board.destroy();
  };
}

export default { render };
