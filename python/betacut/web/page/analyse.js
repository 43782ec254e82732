// Analyse: a position by the exact search and by the engine; the position editor; the review of a game.

import { Steps } from "./keys.js";
import { afterMoves, fill, valueTable } from "./lines.js";
import { board, button, busyText, evaluationBar, exchange, labelled, make, moveList, news, roomLinks, select, setAble, setHidden, setHtml, setText, setValue, statusLine, stepButtons, toggle } from "./parts.js";

export function analyseRoom(main, page) {
  const act = page.act;
  let shown = null, pointed = null, edit = { number: 0, fen: "" }; // the last edit that was sent
  const squares = board((event) => {
    if (event.type === "move") return act({ do: "move", move: event.move });
    edit = { number: Math.max(edit.number, shown.edits) + 1, fen: event.fen };
    act({ do: "edit", ...edit });
  });
  const status = statusLine();
  const bar = evaluationBar(), value = make("strong", { class: "bw-value" });
  const flip = () => act({ do: "flip" });
  const steps = new Steps((to) => act({ do: "go", ply: to }));
  steps.wheel(squares.element, () => !shown.editing);
  const moves = moveList((node) => shown.editing || act({ do: "go", node }), ["No moves yet: make one on the board, or load a PGN below. Another move at an earlier place begins a variation."]);
  const promote = button("Promote", () => act({ do: "promote" }), { title: "Put this variation before the one that it departs from" });
  const remove = button("Delete from here", () => act({ do: "delete" }));
  const analyse = toggle("Analyse", (on) => act({ do: on ? "analyse" : "stop" }));
  analyse.element.classList.add("bw-switch");
  const lines = select([1, 2, 3, 4, 5, 6, 7, 8].map((count) => [count, `${count} line${count > 1 ? "s" : ""}`]), (count) => act({ do: "lines", lines: count }));
  lines.setAttribute("aria-label", "Lines");
  const controls = stepButtons(steps);
  controls.append(button("Flip", flip));
  const links = roomLinks(page, { inside: "Look inside this position", play: "Play from here" });
  const setUp = toggle("Set up a position", (on) => {
    if (!on && shown.edits < edit.number) act({ do: "edit", ...edit }); // it may have been lost with its connection
    act({ do: "editor", on });
  });
  const wrong = make("p", { class: "bw-wrong", role: "status" });
  const editor = make("div", { class: "bw-editor", hidden: true },
    make("div", { class: "bw-buttons" }, button("Cancel", () => act({ do: "cancel" }))), wrong);
  const picture = () => squares.show(pointed ? afterMoves(shown.board, pointed) : shown.board);
  const values = valueTable((moves) => {
    if (pointed === moves || shown.editing) return;
    pointed = moves;
    picture();
  }, (moves) => {
    pointed = null;
    act({ do: "line", moves });
  });
  const depths = make("tbody");
  const heads = ["exact", "engine", "expected line"].map(heading);
  const valued = table("The moves, valued by both", [heads], values.body, "bw-values", "Switch Analyse on: each move gets its exact value, the engine's, and the line that is expected.");
  const groups = ["Exact search", "Engine"].map((text) => make("th", { scope: "colgroup", colspan: 3, text }));
  const under = ["depth", "value", "best moves", "depth", "value", "line"].map(heading);
  const text = exchange(page);
  const review = reviewPart(page, (to) => act({ do: "go", ply: to, reviewed: true }));
  const remark = make("p", { class: "bw-remark", role: "status" });
  const title = make("p", { class: "bw-detail bw-title" });

  main.replaceChildren(
    make("section", { class: "bw-left", "aria-label": "Board" }, make("div", { class: "bw-seat" }, bar.element, squares.element), controls, make("div", { class: "bw-buttons" }, setUp.element), editor, links.element),
    make("section", { class: "bw-right", "aria-label": "Analysis" },
      make("h1", { class: "bw-hidden", text: "Analyse" }),
      make("div", { class: "bw-buttons" }, analyse.element, lines), make("div", { class: "bw-headline" }, status, value), remark,
      valued, title, moves.element, make("div", { class: "bw-buttons" }, promote, remove),
      table("Depth by depth", [groups, under], depths, "bw-depths", "A row for each depth that is reached: how values and best moves change as the searches look further."), review.element, text.element));

  return {
    flip,
    get steps() {
      return shown?.editing ? undefined : steps;
    },
    show(view) {
      if (shown?.board.fen !== view.board.fen) pointed = null;
      if (!view.editing) edit = { number: view.edits, fen: "" };
      // The answer to an edit before the last one does not undo the last one.
      shown = view.editing && view.edits < edit.number ? { ...view, board: { ...view.board, fen: edit.fen } } : view;
      picture();
      bar.show(view.bar, view.board.orientation);
      setText(value, view.bar?.text ?? "");
      steps.show(view.ply, view.moves.length);
      analyse.set(view.live);
      links.show(view.links);
      setText(status, statusOf(view));
      setValue(lines, view.lines);
      setUp.set(view.editing);
      setText(setUp.element, view.editing ? "Take this position" : "Set up a position");
      setHidden(editor, !view.editing, setUp.element);
      setText(wrong, view.wrong);
      const none = (by) => (view.reached[by] ? NOT_VALUED : undefined);
      main.classList.toggle("bw-unknown", !view.depths.length);
      valued.style.setProperty("--bw-lines", view.lines);
      values.show(view.values.slice(0, view.lines + 2), view.lines + 2, view.first + view.ply, none);
      [["exact", "exact"], ["playing", "engine"]].forEach(([by, name], i) =>
        setText(heads[i], `${name}\n${view.reached[by] ? `depth ${view.reached[by]}` : "\u2007"}`));
      // The engine goes three times as deep: each has its own depths, the latest at the top.
      const [exact, playing] = ["exact", "playing"].map((by) => view.depths.filter((row) => row[by]).reverse());
      fill(depths, Math.max(exact.length, playing.length), 6, (i) =>
        [exact[i]?.depth, exact[i]?.exact.score, exact[i]?.exact.line, playing[i]?.depth, playing[i]?.playing.score, playing[i]?.playing.line]);
      showRemark(remark, view.remark);
      setText(title, view.title);
      title.hidden = !view.title;
      moves.show(view.tree, view.at, view.marks);
      setAble(promote, !view.editing && view.varies);
      setAble(remove, !view.editing && view.at);
      controls.hidden = view.editing;
      review.show(view);
    },
    receive(message) {
      if (message.kind === "export") text.receive(message);
      else if (message.kind === "refused") edit.number = 0; // refused: what the server shows is what there is
    },
    destroy() {
      steps.destroy();
      squares.destroy();
    },
  };
}

/** What is worth saying of the move that led here: a verdict, and its reason. */
function showRemark(element, remark) {
  const words = remark?.text ? ` ${remark.text} ${remark.reason}` : "";
  if (element.textContent === (words && remark.name + words)) return;
  element.replaceChildren(...(words ? [make("strong", { class: `bw-${remark.verdict || "remark"}`, text: remark.name }), words] : []));
}

function statusOf(view) {
  if (view.editing) return view.wrong ? "" : "Any piece anywhere; take the position when it is as you want it.";
  if (view.loading) return "Reading the game …";
  if (view.over) return `The game is over: ${view.over}.`;
  if (view.running) return busyText(`Searching for up to ${view.seconds} s …`, view.waiting);
  return view.depths.length ? "Done." : "Both searches at once: exact values, and the engine's.";
}

/** A table that scrolls; `hint` stands in it as long as it is empty. */
function table(caption, heads, body, kind, hint) {
  return make("div", { class: `bw-scroll ${kind}`, tabindex: "0", role: "region", "aria-label": caption }, make("table", { class: "bw-table" },
    make("caption", { text: caption }), make("colgroup", {}, ...heads.at(-1).map(() => make("col"))), make("thead", {}, ...heads.map((row) => make("tr", {}, ...row))), body), make("p", { class: "bw-hint", text: hint }));
}

const heading = (text) => make("th", { scope: "col", text });

// What stands where a search has not valued a move.
const NOT_VALUED = { text: "–", title: "not among the moves that this search has valued: ask for more lines" };

function reviewPart(page, go) {
  const { act, about } = page, most = about.caps.seconds / 4;
  const times = [0.05, 0.1, 0.25, 0.5].filter((time) => time <= most);
  const judge = select([["engine", "engine"], ["search,quiescence=yes", "exact search"]]);
  const seconds = select((times.length ? times : [most]).map((time) => [time, `${time} s`]));
  if (times.includes(0.1)) seconds.value = 0.1;
  const status = make("p", { class: "bw-detail", role: "status" });
  const bar = make("progress", { max: 1, value: 0, "aria-label": "Moves judged" });
  const resume = button("Go on", () => act({ do: "resume" }), { hidden: true });
  const graph = make("figure", { class: "bw-graph", onclick: (event) => {
    const link = event.target.closest("a");
    if (!link) return;
    event.preventDefault();
    go(Number(link.getAttribute("href").replace("#ply-", "")));
  } });
  const mistakes = make("ol", { class: "bw-mistakes" });
  const element = make("details", { class: "bw-folded" }, make("summary", { text: "Review of the game" }),
    make("div", { class: "bw-row" }, labelled("Judge", judge), labelled("Time a move", seconds)),
    make("div", { class: "bw-buttons" }, button("Review", () => act({ do: "review", player: judge.value, seconds: seconds.value })), resume), bar, status, graph, mistakes);
  const isNew = news(), isOther = news();
  return {
    element,
    show({ review }) {
      [bar, graph, mistakes].forEach((part) => { part.hidden = !review; });
      bar.classList.toggle("bw-done", Boolean(review?.done));
      resume.hidden = !review?.paused || review.done;
      setHtml(graph, review?.report?.graph ?? "");
      if (isNew(review?.mistakes)) {
        const items = (review?.mistakes ?? []).map((one) => make("li", {},
          make("button", { type: "button", class: "bw-link", text: one.name, onclick: () => go(one.ply) }), " ",
          make("span", { class: `bw-${one.verdict || "remark"}`, text: one.text }), ` ${one.reason}`));
        // Those that stay keep the focus.
        let kept = 0;
        while (kept < items.length && mistakes.children[kept]?.isEqualNode(items[kept])) kept++;
        [...mistakes.children].slice(kept).forEach((item) => item.remove());
        mistakes.append(...items.slice(kept));
      }
      if (isOther(!review) && review) element.open = true;
      if (!review) return setText(status, "");
      bar.max = review.plies;
      bar.value = review.judged;
      const { report } = review;
      const other = review.other ? " This is another game than the one above; its marks lead back to it." : "";
      setText(status, (report ? `White: ${report.white}. Black: ${report.black}.` : `${review.judged} of ${review.plies} moves judged${review.paused ? "; paused." : " …"}`) + other);
    },
  };
}
