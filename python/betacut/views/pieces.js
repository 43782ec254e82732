// What the views draw with: elements of HTML and SVG, and the pieces, with their names.

const SVG = "http://www.w3.org/2000/svg";

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "text") element.textContent = value;
    else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children);
  return element;
}

/** Make an element: `text` is what it says, `on…` are listeners, an attribute that is false is left out. */
export const make = (tag, attributes = {}, ...children) => filled(document.createElement(tag), attributes, children);

/** Make an element of SVG, likewise. */
export const draw = (tag, attributes = {}, ...children) => filled(document.createElementNS(SVG, tag), attributes, children);

// The signs on the buttons, in a square of 16 by 16.
const ICONS = {
  first: "M3 3h2v10H3zM13 3v10L6 8z", back: "M11.5 3v10L4.500 8z", play: "M4 2.500v11L13 8z", pause: "M4 3h3v10H4zM9 3h3v10H9z",
  forward: "M4.500 3v10l7-5z", last: "M11 3h2v10h-2zM3 3v10l7-5z",
  turn: "M5 2 1.500 6H4v8h2V6h2.500zM11 14l3.500-4H12V2h-2v8H7.500z",
  theme: "M8 1.500a6.500 6.500 0 1 0 0 13 6.500 6.500 0 0 0 0-13zm0 1.500a5 5 0 0 1 0 10z",
};

export const icon = (name, kind = "bc-icon") =>
  draw("svg", { viewBox: "0 0 16 16", class: kind, "aria-hidden": "true" }, draw("path", { d: ICONS[name] }));

// The pieces, in a square of 45 by 45: silhouettes, and lines upon them.
const BASE = "M10 39.5h25v-3.2c0-1.6-1.6-2.6-3.4-2.8h-18.2c-1.8.2-3.4 1.2-3.4 2.8z";
const PIECES = {
  1: ["M22.5 9a5.6 5.6 0 0 0-3.6 9.9c-2.6 1-4.2 2.6-4.2 4.4h4.6c-.3 4.400-2.300 7.700-5.900 10.200h18.200c-3.600-2.500-5.600-5.800-5.900-10.200h4.600c0-1.800-1.600-3.400-4.200-4.400A5.600 5.600 0 0 0 22.500 9z" + BASE, ""],
  2: ["M13.800 33.500c-.6-6.800 2.300-10.300 6-13.400.6-.5.2-1.200-.6-.9-1.800.8-3 2.600-4.800 3.400-2 .9-4.400-1.200-3.800-3.300.9-2.900 4.100-4.500 5-8.300.3-1.100 1-2 2-2.600l.4-3.400 3.300 2.300c7.600.3 12.900 6.300 12.900 14.900 0 4.200-1 7.800-2.300 11.300z" + BASE, "M18.300 13.200h.9"],
  3: ["M22.500 5.500a2.500 2.500 0 0 0-1.500 4.500c-4.300 2.800-7.200 7-7.200 11 0 3 1.700 5.300 4.200 6.400-.5 2.500-2 4.500-4.200 6.100h17.400c-2.200-1.600-3.700-3.600-4.200-6.100 2.500-1.100 4.200-3.400 4.200-6.400 0-4-2.900-8.200-7.200-11a2.500 2.500 0 0 0-1.500-4.500z" + BASE, "M22.500 15v8M18.700 18.800h7.600"],
  4: ["M12.500 8v7.500l3.300 2.700-1 12.300-2 3h19.400l-2-3-1-12.300 3.300-2.700V8h-4.800v3h-2.700V8h-5v3h-2.700V8z" + BASE, "M15.800 18.200h13.400M14.800 30.500h15.400"],
  5: ["M22.500 6.500a2.300 2.300 0 0 0-1.200 4.300l-3.300 9.700-6.500-8a2.200 2.200 0 1 0-2.200.9l4.300 17.100 1.200 3h15.400l1.200-3 4.300-17.100a2.200 2.200 0 1 0-2.200-.9l-6.500 8-3.300-9.700a2.300 2.300 0 0 0-1.200-4.300z" + BASE, "M13.600 30.500h17.800"],
  6: ["M21.200 4.500v2.700h-2.900v2.600h2.900v3.500c-2.500.7-3.500 2.600-3.500 4.500-4.600-2.300-10.200-.4-10.200 4.700 0 4 3.800 6.500 5.600 11h18.800c1.800-4.500 5.600-7 5.600-11 0-5.100-5.600-7-10.200-4.700 0-1.900-1-3.800-3.500-4.500V9.800h2.900V7.200h-2.900V4.500z" + BASE, "M22.500 33v-8c0-3-2-5.200-4.800-7.200M22.500 25c0-3 2-5.200 4.800-7.200"],
};

/** What the pieces are called, by their number. */
export const NAMES = ["", "pawn", "knight", "bishop", "rook", "queen", "king"];

/** Draw a piece (1 to 6, negative for Black), 45 by 45. */
export function drawPiece(piece, attributes = {}) {
  const [shape, lines] = PIECES[Math.abs(piece)];
  return draw("g", { ...attributes, class: piece > 0 ? "bc-white" : "bc-black" },
    draw("path", { d: shape }), draw("path", { d: lines, class: "bc-lines" }));
}

export const inWords = (piece) => `${piece > 0 ? "white" : "black"} ${NAMES[Math.abs(piece)]}`;

/** A man, or what else is drawn, as a picture of its own. */
export const picture = (kind, drawn) => draw("svg", { viewBox: "0 0 45 45", class: kind, "aria-hidden": "true" }, drawn);
export const pieceImage = (piece) => picture("bcb-piece", drawPiece(piece));
