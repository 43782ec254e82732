// Class: the lecturer's board, followed live, and votes about it; the lecturer's page is the projector's.

import { Steps } from "./keys.js";
import { board, button, exchange, make, moveList, news, roomLinks, setHtml, setText, statusLine, stepButtons } from "./parts.js";

export function classRoom(main, page) {
  const act = page.act, { address = "", qr = "" } = page.about.class ?? {};
  const squares = board((event) => event.type === "move" && act({ do: "move", move: event.move }));
  const steps = new Steps((ply) => act({ do: "go", ply }));
  const flip = () => act({ do: "flip" });
  const controls = stepButtons(steps), turn = button("Flip", flip);
  const moves = moveList((node) => leads && act({ do: "go", node }), ["The lecturer's moves will be here."]);
  const links = roomLinks(page, { analyse: "Analyse this game", inside: "Look inside this position" });
  const status = statusLine(), detail = make("p", { class: "bw-detail" });
  const text = exchange(page);
  const asks = make("div", { class: "bw-buttons" }, button("Ask: which move?", () => act({ do: "ask", kind: "move" })), button("Ask: cut or not?", () => act({ do: "ask", kind: "cut" })));
  const reveal = button("Show the votes", () => act({ do: "reveal" }), { class: "bw-primary" }), end = button("End the vote", () => act({ do: "end" }));
  const choices = make("div", { class: "bw-buttons bw-choices" }, button("Cut", () => act({ do: "answer", answer: "cut" })), button("No cut", () => act({ do: "answer", answer: "not" })));
  const counts = make("dl", { class: "bw-votes", "aria-label": "Votes" });
  const code = make("div", { class: "bw-qr", role: "img", "aria-label": `QR code of ${address}` });
  const entry = make("figure", { class: "bw-entry" }, code, make("figcaption", { text: address }));
  setHtml(code, qr);
  const isNew = news();
  let leads = false;

  main.replaceChildren(
    make("section", { class: "bw-left", "aria-label": "Board" }, status, detail, squares.element, choices, make("div", { class: "bw-buttons" }, controls, turn), links.element),
    make("section", { class: "bw-right", "aria-label": "Class" },
      make("h1", { class: "bw-hidden", text: "Class" }), entry, asks, make("div", { class: "bw-buttons bw-verdict" }, reveal, end), counts, moves.element, text.element));

  const room = {
    flip,
    show(view) {
      ({ leads } = view);
      const { vote } = view;
      room.steps = leads ? steps : undefined;
      squares.show(view.board);
      steps.show(view.ply, view.plies);
      links.show(view.links);
      moves.show(view.tree, view.at);
      for (const part of [controls, asks, entry, text.element]) part.hidden = !leads;
      reveal.hidden = !leads || !vote || vote.shown;
      end.hidden = !leads || !vote;
      choices.hidden = leads || vote?.kind !== "cut" || vote.shown;
      [...choices.children].forEach((one) => one.setAttribute("aria-pressed", String(one.textContent.toLowerCase() === vote?.mine)));
      setText(status, statusOf(view));
      setText(detail, detailOf(view));
      const answers = vote?.answers ?? [];
      if (isNew(answers)) showCounts(counts, answers);
    },
    receive: (message) => message.kind === "export" && page.fetch(message.data).then(text.receive),
    destroy() {
      steps.destroy();
      squares.destroy();
    },
  };
  steps.wheel(squares.element, () => leads);
  return room;
}

function statusOf({ vote, leads, loading }) {
  if (loading) return "Reading the game …";
  if (vote) return vote.question;
  return leads ? "You lead: what you do on the board is seen by all." : "You follow the lecturer's board.";
}

function detailOf({ vote, leads, people }) {
  const followers = `${people} ${people === 1 ? "follows" : "follow"}`;
  if (!vote) return followers;
  const answered = `${vote.answered} of ${people} answered`;
  if (leads || vote.shown) return answered;
  if (vote.mine) return `Your answer: ${vote.mine}. It may be changed until the votes are shown.`;
  return vote.kind === "move" ? "Make the move on the board." : "Choose:";
}

function showCounts(element, answers) {
  const most = Math.max(...answers.map((one) => one.count), 1);
  element.replaceChildren(...answers.flatMap(({ text, count }) => {
    const bar = make("span", { class: "bw-share" });
    bar.style.width = `${(100 * count) / most}%`;
    return [make("dt", { text }), make("dd", {}, bar, make("b", { text: String(count) }))];
  }));
}
