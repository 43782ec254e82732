// Watch: two players, a game or a match.

import { Steps } from "./keys.js";
import { board, button, busyText, form, labelled, make, moveList, news, numberField, plainRows, playerBar, playerFields, roomLinks, select, setAble, setHtml, setOption, setText, setValue, statusLine, stepButtons } from "./parts.js";

const SPEEDS = [["0", "at once"], ["0.5", "½ s"], ["1", "1 s"], ["2", "2 s"], ["4", "4 s"]];

export function watchRoom(main, page) {
  const act = page.act;
  const squares = board(() => {});
  const bars = [playerBar(), playerBar()];
  const status = statusLine(), detail = make("p", { class: "bw-detail" });
  const steps = new Steps((ply, isLast) => act({ do: "step", ply: isLast ? null : ply }));
  steps.wheel(squares.element);
  const moves = moveList((to) => steps.to(to), ["No moves yet: choose two players below, then Start. Each textbook search can meet any other, and the engine."]);
  let running = false;
  const pause = button("Pause", () => act({ do: running ? "pause" : "resume" }), { class: "bw-wide" });
  const controls = stepButtons(steps, [pause]);
  const links = roomLinks(page, { analyse: "Analyse this game", inside: "Look inside this position" });
  const speed = select(SPEEDS, (delay) => act({ do: "speed", delay }));
  const graph = make("div"), caption = make("figcaption", { class: "bw-caption" });
  const figure = make("figure", { class: "bw-graph" }, graph, caption);
  const table = make("tbody");
  const white = playerFields(page.about, "White"), black = playerFields(page.about, "Black");
  const games = numberField({ min: 1, max: 100, step: 1, value: 1 });
  const time = numberField({ min: 0.01, max: page.about.caps.seconds, step: 0.01, value: 1 });
  const start = form("bw-form", () =>
    act({ do: "start", white: white.value(), black: black.value(), games: games.value, time: time.value }),
  make("h2", { text: "New match" }), white.element, black.element,
  make("div", { class: "bw-row" }, labelled("Games", games), labelled("Seconds a move, at most", time)),
  make("button", { class: "bw-primary", text: "Start" }));

  main.replaceChildren(
    make("section", { class: "bw-left", "aria-label": "Board" }, bars[0].element, squares.element, bars[1].element, controls, links.element),
    make("section", { class: "bw-right", "aria-label": "Match" },
      make("h1", { class: "bw-hidden", text: "Watch" }), status, detail, moves.element,
      figure,
      make("div", { class: "bw-scroll" }, make("table", { class: "bw-table" },
        make("caption", { text: "Results" }),
        make("thead", {}, make("tr", {}, ...["player", "points", "won", "drawn", "lost", "Elo difference"].map((text) => make("th", { scope: "col", text })))), table)),
      labelled("Pause between moves", speed, { class: "bw-field bw-inline" }), start));

  const isNew = news();
  return {
    steps,
    show(view) {
      squares.show(view.board);
      ({ running } = view);
      links.show(view.links);
      steps.show(view.ply, view.moves.length);
      const sides = [view.names[view.white], view.names[1 - view.white]];
      bars[0].show(sides[1], view.captured.black, -view.captured.ahead, false);
      bars[1].show(sides[0], view.captured.white, view.captured.ahead, true);
      bars.forEach((bar) => bar.clock(null, false));
      setText(status, statusOf(view));
      setText(detail, view.value ? `The player thought: ${view.value}` : "");
      moves.show(plainRows(view.moves, view.first), view.ply);
      setText(pause, running ? "Pause" : "Go on");
      setAble(pause, !view.over);
      setOption(speed, String(view.delay), `${view.delay} s`);
      figure.classList.toggle("bw-empty", !view.valued);
      setHtml(graph, view.graph);
      setText(caption, view.valued ? "White's expected score, as the players see it." : "Here comes White's expected score, as soon as a player says what it thinks.");
      table.replaceChildren(...view.table.map((row) => make("tr", {}, make("th", { scope: "row", text: row.name }),
        ...[row.points, row.wins, row.draws, row.losses, row.elo || "–"].map((cell) => make("td", { text: String(cell) })))));
      if (!isNew(view.players, view.games, view.time)) return;
      [white, black].forEach((fields, place) => fields.set(view.players[place]));
      games.value = view.games;
      time.value = view.time;
    },
    destroy() {
      steps.destroy();
      squares.destroy();
      bars.forEach((bar) => bar.destroy());
    },
  };
}

function statusOf(view) {
  const game = view.games > 1 ? `Game ${view.number} of ${view.games}. ` : "";
  if (view.said) return view.said;
  if (view.end) return game + view.end.text;
  if (view.ply < view.moves.length) return `${game}Move ${view.ply} of ${view.moves.length}.`;
  if (view.thinking) return game + busyText("Thinking …", view.waiting);
  if (view.running) return game + "Thinking …";
  return game + (view.moves.length ? "Paused." : "Choose two players, then Start.");
}
