// Play: a game against a player.

import { board, button, busyText, exchange, form, labelled, make, moveList, news, plainRows, playerBar, playerFields, roomLinks, select, setAble, setOption, setText, statusLine, toggle } from "./parts.js";

const CLOCKS = [["", "no clock"], ["1+0", "1 min"], ["3+2", "3 min + 2 s"], ["5+3", "5 min + 3 s"], ["10+5", "10 min + 5 s"], ["30+20", "30 min + 20 s"]];

const EMPTY = [
  "No moves yet: drag a man, or type a move such as e4 on the board.",
  "The opponents are the searches of the textbooks and of three published programs, and an engine; choose one below.",
  "What is found here can be checked: Analyse has exact values, all best moves, and reasons that are proved; Look inside shows the tree of any search, node by node.",
];

export function playRoom(main, page) {
  const act = page.act;
  const squares = board((event) => event.type === "move" && act({ do: "move", move: event.move }));
  const bars = [playerBar(), playerBar()];
  const status = statusLine(), detail = make("p", { class: "bw-detail" });
  const moves = moveList(undefined, EMPTY);
  const arrows = toggle("Best moves", (on) => act({ do: "arrows", on }));
  const undo = button("Take back", () => act({ do: "undo" }));
  const hint = button("Hint", () => act({ do: "hint" }));
  const draw = button("Offer draw", () => act({ do: "draw" }));
  const resign = button("Resign", () => act({ do: "resign" }));
  const against = playerFields(page.about, "Against");
  const side = select([["white", "White"], ["black", "Black"], ["random", "either"]]);
  const clock = select(CLOCKS);
  const text = exchange(page);
  const links = roomLinks(page, { analyse: "Analyse this game", inside: "Look inside this position" });
  let fen = "";
  const fromHere = make("input", { type: "checkbox", id: "bw-from-here" });
  const start = form("bw-form", () => {
    act({ do: "new", vs: against.value(), side: side.value, clock: clock.value, fen: fromHere.checked ? fen : "" });
    fromHere.checked = false;
  },
  make("h2", { text: "New game" }), against.element,
  make("div", { class: "bw-row" }, labelled("Your side", side), labelled("Clock", clock)),
  make("label", { class: "bw-check", for: "bw-from-here" }, fromHere, "from the position on the board"),
  make("button", { class: "bw-primary", text: "Start" }));

  main.replaceChildren(
    make("section", { class: "bw-left", "aria-label": "Board" }, bars[0].element, squares.element, bars[1].element, links.element),
    make("section", { class: "bw-right", "aria-label": "Game" },
      make("h1", { class: "bw-hidden", text: "Play" }), status, detail, moves.element,
      make("div", { class: "bw-buttons" }, undo, hint, arrows.element, button("Flip", () => act({ do: "flip" })), draw, resign),
      start, text.element));

  const isNew = news();
  return {
    show(view) {
      squares.show(view.board);
      fen = view.board.fen;
      links.show(view.links);
      const colors = view.board.orientation === "black" ? ["white", "black"] : ["black", "white"];
      bars.forEach((bar, place) => {
        const color = colors[place], own = color === view.side;
        const ahead = color === "white" ? view.captured.ahead : -view.captured.ahead;
        bar.show(own ? "You" : view.opponent, view.captured[color], ahead, color === "white");
        bar.clock(view.clock ? view.clock[color] : null, view.clock?.running === color);
      });
      setText(status, statusOf(view));
      setText(detail, detailOf(view));
      moves.show(plainRows(view.moves, view.first));
      arrows.set(view.arrows);
      const isRead = view.thinking !== "load";
      setAble(undo, view.undoable && isRead);
      setAble(hint, view.yours && view.thinking !== "hint");
      setText(draw, view.offered ? "Accept draw" : "Offer draw");
      for (const one of [draw, resign]) setAble(one, !view.end && isRead);
      if (!isNew(view.vs, view.side, view.time)) return;
      against.set(view.vs);
      side.value = view.side;
      setOption(clock, view.time);
    },
    receive: (message) => message.kind === "export" && text.receive(message),
    destroy() {
      squares.destroy();
      bars.forEach((bar) => bar.destroy());
    },
  };
}

function statusOf(view) {
  if (view.end) return view.end.text;
  if (view.thinking === "load") return "Reading the game …";
  if (view.thinking === "hint") return busyText("Looking for a hint …", view.waiting);
  if (view.said) return view.said;
  if (view.thinking === "player") return busyText(`${view.opponent} thinks …`, view.waiting);
  if (!view.yours) return "";
  return view.board.check ? "Check! Your move." : "Your move.";
}

function detailOf({ last }) {
  if (!last?.score) return "";
  const parts = [`It thought: ${last.score.text}`];
  if (last.reached) parts.push(last.reached);
  if (last.nodes !== null) parts.push(`${last.nodes.toLocaleString("en-US")} nodes`);
  return parts.join(" · ");
}
