// Parts that several rooms have: buttons, fields, the list of moves, clocks, the men that were taken.

import { mount as mountBoard } from "../../views/board/board.js";
import { draw, drawPiece, icon, make, NAMES } from "../../views/pieces.js";

export { make };

export function button(text, onclick, attributes = {}) {
  const clicked = (event) => event.currentTarget.getAttribute("aria-disabled") !== "true" && onclick(event);
  return make("button", { type: "button", text, onclick: clicked, ...attributes });
}

/** Say whether a button does anything now; it keeps the focus, unlike one with `disabled`. */
export const setAble = (element, able) => element.setAttribute("aria-disabled", String(!able));

/** A button with a sign in place of words. */
const iconButton = (name, label, onclick) =>
  make("button", { type: "button", "aria-label": label, title: label, onclick }, icon(name, "bw-icon"));

/** The buttons that go through the moves of a game (`steps`); `middle` stands between them. */
export function stepButtons(steps, middle = []) {
  return make("div", { class: "bw-buttons bw-steps", role: "group", "aria-label": "Moves" },
    iconButton("first", "First position", () => steps.to(0)), iconButton("back", "One move back", () => steps.by(-1)), ...middle,
    iconButton("forward", "One move forward", () => steps.by(1)), iconButton("last", "Last position", () => steps.to(Infinity)));
}

const memory = (kind) => ({
  get(name) {
    try {
      return window[kind].getItem(`betacut-${name}`);
    } catch {
      return null;
    }
  },
  set(name, value) {
    try {
      window[kind].setItem(`betacut-${name}`, value);
    } catch { /* then not */ }
  },
});

/** What the browser remembers, and what it remembers for this tab; it may forbid that. */
export const store = memory("localStorage"), tabStore = memory("sessionStorage");

/** Set a text, only if it is another: nothing is announced or drawn twice. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Hide or show a part; the focus goes from what is hidden to what takes its place. */
export function setHidden(part, hidden, next) {
  const isWithin = part.contains(document.activeElement);
  part.hidden = hidden;
  if (hidden && isWithin) next.focus();
}

/** Set the value of a field, unless the user is writing in it. */
export function setValue(field, value) {
  if (document.activeElement !== field && field.value !== String(value)) field.value = value;
}

let labels = 0;

/** A field with its label. */
export function labelled(text, field, attributes = {}) {
  field.id ||= `bw-field-${++labels}`;
  return make("div", { class: "bw-field", ...attributes }, make("label", { for: field.id, text }), field);
}

/** A choice of options: [value, text] or [value, text, group]. */
export function select(options, onchange = () => {}) {
  const element = make("select", { onchange: () => onchange(element.value) });
  const groups = new Map();
  for (const [value, text, group] of options) {
    let home = element;
    if (group) {
      if (!groups.has(group)) groups.set(group, element.appendChild(make("optgroup", { label: group })));
      home = groups.get(group);
    }
    home.append(make("option", { value, text }));
  }
  return element;
}

/** Choose a value, which becomes an option if it is none. */
export function setOption(field, value, text = value) {
  if (![...field.options].some((option) => option.value === value)) field.append(make("option", { value, text }));
  field.value = value;
}

/** A form: `send` is called in place of the browser's own sending. */
export const form = (kind, send, ...children) => make("form", { class: kind, onsubmit: (event) => {
  event.preventDefault();
  send();
} }, ...children);

/** The line that says how things stand. */
export const statusLine = () => make("p", { class: "bw-status", role: "status", "aria-live": "polite" });

/** Tell whether something is another than the last time. */
export function news() {
  let known = "";
  return (...values) => known !== (known = JSON.stringify(values));
}

export const numberField = (attributes) => make("input", { type: "number", inputmode: "decimal", ...attributes });

/** A button that is pressed or not. */
export function toggle(text, onchange) {
  const element = button(text, () => onchange(element.getAttribute("aria-pressed") !== "true"), { "aria-pressed": "false", class: "bw-toggle" });
  return { element, set: (on) => element.setAttribute("aria-pressed", String(Boolean(on))) };
}

/** A part that can be folded. */
export const folded = (title, ...children) => make("details", { class: "bw-folded" }, make("summary", { text: title }), ...children);

/** Links that take the position, or the game, to other rooms: `texts` by the name of the room. */
export function roomLinks(page, texts) {
  const links = Object.entries(texts).map(([name, text]) => [name, make("a", { text, onclick: (event) => page.follow(event, link(name).getAttribute("href")) })]);
  const link = (wanted) => links.find(([name]) => name === wanted)[1];
  return {
    element: make("nav", { class: "bw-links", "aria-label": "Elsewhere" }, ...links.map(([, element]) => element)),
    show: (addresses) => links.forEach(([name, element]) => element.setAttribute("href", addresses[name])),
  };
}

/** The board in its frame; `on` takes its events. */
export function board(on) {
  const element = make("div", { class: "bw-board" });
  const isNew = news();
  let mounted = null, asked = false;
  const tell = (event) => {
    asked = true; // the board waits for an answer, even if that is what it shows
    on(event);
  };
  return {
    element,
    show(state) {
      if (!isNew(state) && !asked) return;
      asked = false;
      if (mounted) mounted.update(state);
      else mounted = mountBoard(element, state, tell);
    },
    destroy: () => mounted?.destroy(),
  };
}

/** The bar beside a board: White's expected score, from below if White sits there. */
export function evaluationBar() {
  const white = make("div", { class: "bw-bar-white" });
  const element = make("div", { class: "bw-bar", role: "meter", "aria-label": "White's expected score", "aria-valuemin": 0, "aria-valuemax": 100 }, white);
  return {
    element,
    show(bar, orientation) {
      const percent = Math.round(100 * (bar?.expected ?? 0.5));
      element.classList.toggle("bw-bar-none", !bar);
      element.classList.toggle("bw-turned", orientation === "black");
      element.setAttribute("aria-valuenow", percent);
      element.setAttribute("aria-valuetext", bar ? `${percent} %, ${bar.text}` : "not known yet");
      white.style.height = `${percent}%`;
    },
  };
}

/** A player's line beside the board: the name, what it has taken, its clock. */
export function playerBar() {
  const name = make("span", { class: "bw-name" });
  const taken = make("span", { class: "bw-taken" });
  const clock = make("time", { class: "bw-clock", hidden: true });
  const isNew = news();
  let running = null;
  return {
    element: make("div", { class: "bw-player" }, name, taken, clock),
    show(title, letters, ahead, white) {
      setText(name, title);
      if (!isNew(letters, ahead, white)) return;
      const men = [...letters].map((letter) => piece(letter, white));
      taken.replaceChildren(...men, ...(ahead > 0 ? [make("span", { text: `+${ahead}` })] : []));
      taken.setAttribute("aria-label", letters ? `has taken ${spoken(letters)}` : "has taken nothing");
      taken.setAttribute("role", "img");
    },
    clock(seconds, isRunning) {
      clearInterval(running);
      clock.hidden = seconds === null;
      if (seconds === null) return;
      const since = performance.now();
      const tick = () => {
        const left = seconds - (performance.now() - since) / 1000;
        setText(clock, clockText(left));
        clock.classList.toggle("bw-late", left < 20);
      };
      clock.classList.toggle("bw-running", isRunning);
      tick();
      if (isRunning) running = setInterval(tick, 100);
    },
    destroy: () => clearInterval(running),
  };
}

const ROLES = { p: 1, n: 2, b: 3, r: 4, q: 5 };

/** A small man; those that White has taken are black. */
const piece = (letter, white) => draw("svg", { viewBox: "6 4 33 37" }, drawPiece(white ? -ROLES[letter] : ROLES[letter]));

function spoken(letters) {
  const counts = new Map();
  for (const letter of letters) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  return [...counts].map(([letter, count]) => `${count} ${NAMES[ROLES[letter]]}${count > 1 ? "s" : ""}`).join(", ");
}

function clockText(seconds) {
  const left = Math.max(seconds, 0);
  if (left < 10) return `0:0${(Math.floor(left * 10) / 10).toFixed(1)}`;
  const whole = Math.ceil(left);
  const two = (number) => String(number).padStart(2, "0");
  const hours = Math.floor(whole / 3600), minutes = Math.floor(whole / 60) % 60;
  return hours ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

const GLYPHS = { inaccuracy: "?!", mistake: "?", blunder: "??" };

/** The rows of a game without variations, as `moveList` takes them. */
export const plainRows = (moves, first) => moves.map((san, index) => ({ san, ply: first + index + 1, level: 0 }));

/**
 * The moves of a game in the order of PGN, each with `san`, `ply`, `level` (0 for the game) and whether it `begins` a
 * variation; `at` is the number of the current one, `marks` are verdicts by number. `go(number)` is called when one is
 * chosen; without moves the paragraphs of `empty` are seen.
 */
export function moveList(go, empty) {
  const element = make("ol", { class: "bw-moves", "aria-label": "Moves", tabindex: "0" });
  const isNew = news();
  return {
    element,
    show(rows, at = rows.length, marks = {}) {
      if (!isNew(rows, at, marks)) return;
      const items = itemsOf(rows, (row, number) => moveOf(row.san, number, number === at, marks[number], go));
      if (!items.length) items.push(...empty.map((text) => make("li", { class: "bw-none", text })));
      const isWithin = element !== document.activeElement && element.contains(document.activeElement);
      element.replaceChildren(...items);
      const current = element.querySelector("[aria-current]");
      if (isWithin) (current ?? element).focus();
      if (current) element.scrollTop = current.offsetTop - element.clientHeight / 2;
    },
  };
}

function moveOf(san, number, isCurrent, verdict, go) {
  const mark = GLYPHS[verdict] ? [make("b", { class: `bw-${verdict}`, text: GLYPHS[verdict], title: verdict })] : [];
  const attributes = { class: "bw-move", "aria-current": isCurrent ? "true" : undefined, id: `ply-${number}` };
  return go
    ? make("button", { type: "button", ...attributes, onclick: () => go(number) }, san, ...mark)
    : make("span", attributes, san, ...mark);
}

/** Lay moves out: two of the game in a line, a variation in a paragraph, those within it in brackets. */
function itemsOf(rows, moveAt) {
  const items = [];
  let pair = null, variation = null, deep = 0;
  const number = (text) => make("span", { class: "bw-number", text });
  const close = (level) => {
    for (; deep > level; deep--) if (deep > 1) variation.append(number(")"), " ");
  };
  rows.forEach(({ ply, level, begins, ...row }, index) => {
    const count = Math.ceil(ply / 2), isWhite = ply % 2 === 1, isApart = begins || level !== deep;
    close(begins ? level - 1 : level);
    if (!level) {
      if (!pair || isWhite || variation) items.push(pair = make("li", {}, number(`${count}.`), ...(isWhite ? [] : [make("span", { class: "bw-move", text: "…" })])));
      pair.append(moveAt(row, index + 1));
      variation = null;
    } else {
      if (begins && level === 1) items.push(variation = make("li", { class: "bw-variation" }, make("span", { class: "bw-hidden", text: "variation: " })));
      else if (begins) variation.append(number("("), " ");
      if (isWhite || isApart) variation.append(number(isWhite ? `${count}.` : `${count}…`), " ");
      variation.append(moveAt(row, index + 1), " ");
    }
    deep = level;
  });
  close(0);
  return items;
}

/** Fields that choose a player: its name, its depth or its strength. */
export function playerFields(about, title) {
  const name = select(about.players.map((player) => [player.name, player.name, player.group]), () => show(""));
  const depth = numberField({ min: 1, max: 100, step: 1, placeholder: "as it likes" });
  const elo = select([["", "full strength"], ...[500, 700, 900, 1100, 1350, 1500, 1700, 1900, 2100, 2300, 2500, 2700, 2850].map((rating) => [rating, `Elo ${rating}`])]);
  const help = make("p", { class: "bw-help" });
  const depthField = labelled("Depth", depth), eloField = labelled("Strength", elo);
  let others = "";

  const chosen = () => about.players.find((player) => player.name === name.value) ?? { depth: "", elo: false, help: "" };

  function show(more) {
    others = more;
    const player = chosen();
    depthField.hidden = !player.depth || player.elo;
    eloField.hidden = !player.elo;
    setText(help, player.help + (others ? ` With ${others}.` : ""));
  }

  show("");
  return {
    element: make("div", { class: "bw-chooser" }, labelled(title, name), depthField, eloField, help),
    value() {
      const player = chosen();
      const parts = [player.name];
      if (player.depth && !player.elo && depth.value) parts.push(`${player.depth}=${depth.value}`);
      if (player.elo && elo.value) parts.push(`UCI_Elo=${elo.value}`);
      return parts.join(",") + (others ? `,${others}` : "");
    },
    set(text) {
      const [head, ...settings] = text.split(",");
      name.value = head;
      const player = chosen();
      depth.value = elo.value = "";
      const rest = [];
      for (const setting of settings) {
        const [key, value] = setting.split("=");
        if (key === player.depth && !player.elo) depth.value = value;
        else if (key === "UCI_Elo") setOption(elo, value, `Elo ${value}`);
        else rest.push(setting);
      }
      show(rest.join(","));
    },
  };
}

/** The text of a PGN: each line is in UTF-8, or else in Latin-1. */
function decoded(bytes) {
  const utf8 = new TextDecoder("utf-8", { fatal: true }), latin1 = new TextDecoder("latin1"), lines = [];
  for (let start = 0, end; start < bytes.length; start = end) {
    end = bytes.indexOf(10, start) + 1 || bytes.length;
    const line = bytes.subarray(start, end);
    try {
      lines.push(utf8.decode(line));
    } catch {
      lines.push(latin1.decode(line));
    }
  }
  return lines.join("");
}

/** The first games of a long PGN, as many as fit; null if not even one does. */
function firstGames(text, longest) {
  const begin = text.slice(0, longest), ends = [...begin.matchAll(/\n\s*\n(?=\[)/g)];
  return ends.length ? begin.slice(0, ends.at(-1).index) : null;
}

/** A field for PGN and FEN, in and out. */
export function exchange(page) {
  const { act } = page, { longest } = page.about;
  const load = (text) => {
    if (text.length <= longest) act({ do: "load", text });
    else page.complain(`The text has ${text.length.toLocaleString("en-US")} characters; up to ${longest.toLocaleString("en-US")} can be read.`);
  };
  /** Only the first game of a file counts; of a long file the rest is not even sent. */
  const open = async (given) => {
    const text = decoded(new Uint8Array(await given.slice(0, 4 * longest).arrayBuffer()));
    const games = text.length > longest ? firstGames(text, longest) : text;
    field.value = games ?? "";
    if (games === null) page.complain(`${given.name} is too long: a game may have up to ${longest.toLocaleString("en-US")} characters.`);
    else load(games);
  };
  const field = make("textarea", { rows: 5, spellcheck: "false", placeholder: "Paste a PGN, a FEN or the name of a position, such as kiwipete" });
  const file = make("input", { type: "file", accept: ".pgn,.fen,.epd,.txt", hidden: true, onchange: async () => {
    if (file.files[0]) await open(file.files[0]);
    file.value = "";
  } });
  let wanted = "";
  const ask = (text, what) => button(text, () => {
    wanted = what;
    act({ do: "export" });
  });
  const element = folded("PGN and FEN",
    labelled("Game or position", field),
    make("div", { class: "bw-buttons" },
      button("Load", () => load(field.value)),
      button("Open a file", () => file.click()),
      ask("Show PGN", "pgn"), ask("Show FEN", "fen"), ask("Save PGN", "save")),
    file);
  const handOut = ({ pgn, fen }) => {
    if (wanted === "save") {
      const link = make("a", { href: URL.createObjectURL(new Blob([`${pgn}\n`], { type: "application/x-chess-pgn" })), download: "game.pgn" });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 1000);
      return;
    }
    field.value = wanted === "fen" ? fen : pgn;
    field.focus();
    field.select();
  };
  return { element, receive: ({ data }) => page.fetch(data).then(handOut, (error) => page.complain(error.message)) };
}

/** What stands where a search waits or runs. */
export const busyText = (words, waiting) => (waiting ? `${words} (${waiting} before you)` : words);

/** Put HTML of the server's own making into an element, if it is new; styles one by one, as the page's policy wants it. */
export function setHtml(element, html) {
  if (element.bwHtml === html) return;
  element.bwHtml = html;
  element.innerHTML = html.replaceAll(' style="', ' data-style="');
  for (const part of element.querySelectorAll("[data-style]")) part.style.cssText = part.dataset.style;
}
