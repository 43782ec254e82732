// The board of a notebook: what `board.js` has, and below it a line that says how things stand, and some buttons.

import { DEFAULTS, mount } from "./board.js";
import { make } from "../pieces.js";
import { followHost } from "../theme.js";

const STATE = Object.keys(DEFAULTS);

/**
 * Show the board of a notebook. Traits: the state of the board; `caption` (how things stand), `actions` (pairs of a
 * name and what stands on the button), `moves` (the moves so far, in words). Events are sent as messages: those of the
 * board, and { type: "action", name }.
 */
export function render({ model, el }) {
  const place = make("div");
  const caption = make("p", { class: "bcb-caption" });
  const moves = make("p", { class: "bcb-moves" });
  const buttons = make("div", { class: "bcb-texts", role: "group", "aria-label": "Game" });
  const element = make("div", { class: "bcb-widget", "data-lm-suppress-shortcuts": "true" }, place, buttons, caption, moves);
  el.append(element);
  const state = () => Object.fromEntries(STATE.map((name) => [name, model.get(name)]));
  const board = mount(place, state(), (event) => model.send(event));
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
  // Traits that change together are told one by one.
  let due = false;
  const soon = () => {
    if (!due) queueMicrotask(() => {
      due = false;
      board.update(state());
      words();
    });
    due = true;
  };
  const names = [...STATE, "caption", "moves", "actions"].map((name) => `change:${name}`).concat("msg:custom");
  names.forEach((name) => model.on(name, soon));
  words();
  const unfollow = followHost(element);
  return () => {
    unfollow();
    names.forEach((name) => model.off(name, soon));
    board.destroy();
  };
}

export default { render };
