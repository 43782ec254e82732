// Class: the lecturer's board or trees, followed live, votes about them, and what is handed in; the lecturer's page is
// the projector's.

import { Followed } from "./followed.js";
import { handInForm, passedBoard } from "./hand_in.js";
import { Steps } from "./keys.js";
import { board, button, exchange, make, moveList, news, roomLinks, setHidden, setHtml, setText, statusLine, stepButtons, tabStore } from "./parts.js";
import { UNANSWERED } from "./trees.js";

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
  const code = make("div", { class: "bw-qr", role: "img", "aria-label": `QR code of ${address}` });
  const entry = make("figure", { class: "bw-entry" }, code, make("figcaption", { text: address }));
  setHtml(code, qr);
  const followed = new Followed(page), form = handInForm(page), passed = passedBoard(page);
  const votes = votesOf(act, followed);
  const present = () => act({ do: "present", ticket: ticket() });
  let leads = false;

  const left = make("section", { class: "bw-left", "aria-label": "Board" }, status, detail, squares.element, votes.choices,
    make("div", { class: "bw-buttons" }, controls, turn), links.element);
  const right = make("section", { class: "bw-right", "aria-label": "Class" }, make("h1", { class: "bw-hidden", text: "Class" }), entry, moves.element, text.element);
  main.replaceChildren(left, right, followed.element, form.element);
  /** What is asked stands above a tree, and who passed below it. */
  const arrange = (hasTree) => {
    main.classList.toggle("bw-with-tree", hasTree);
    if (hasTree) {
      left.append(...votes.parts);
      followed.element.after(passed.element);
    } else entry.after(...votes.parts, passed.element);
  };
  const isArranged = news();
  present();

  const room = {
    flip,
    show(view) {
      ({ leads } = view);
      const hasTree = Boolean(view.trees), asksMove = view.vote?.kind === "move";
      if (isArranged(hasTree)) arrange(hasTree);
      if (page.lead !== view.key) page.lead = view.key;
      room.steps = leads && !hasTree ? steps : undefined;
      steps.show(view.ply, view.plies);
      links.show(view.links);
      moves.show(view.tree, view.at);
      entry.hidden = !leads;
      for (const part of [controls, text.element]) part.hidden = !leads || hasTree;
      for (const part of [squares.element, turn]) part.hidden = hasTree && !asksMove;
      if (!squares.element.hidden) squares.show(view.board);
      for (const part of [moves.element, links.element]) part.hidden = hasTree;
      votes.show(view);
      followed.show(view);
      passed.show(leads ? view.handIn : null);
      form.show(leads ? null : view.handIn);
      setText(status, statusOf(view));
      setText(detail, detailOf(view));
    },
    receive(message) {
      if (message.kind === "export") text.receive(message);
      else if (message.kind === "subtree") followed.refused(message);
      else followed.requests.refuse(UNANSWERED);
      if (message.kind === "refused") present(); // it may be another session, which knows nothing of this page
    },
    theme() {
      followed.theme();
      form.theme();
    },
    destroy() {
      steps.destroy();
      squares.destroy();
      followed.clear();
      form.destroy();
    },
  };
  steps.wheel(squares.element, () => Boolean(room.steps));
  return room;
}

/** What is asked and answered: the lecturer's buttons and the counts (`parts`), and the students' `choices`. */
function votesOf(act, followed) {
  const ask = (kind) => {
    followed.tell();
    act({ do: "ask", kind });
  };
  const close = button("Back to the board", () => act({ do: "close" }));
  const asks = make("div", { class: "bw-buttons" }, button("Ask: which move?", () => ask("move")), button("Ask: cut or not?", () => ask("cut")), close);
  const reveal = button("Show the votes", () => act({ do: "reveal" }), { class: "bw-primary" }), end = button("End the vote", () => act({ do: "end" }));
  const verdict = make("div", { class: "bw-buttons bw-verdict" }, reveal, end);
  const counts = make("dl", { class: "bw-votes", "aria-label": "Votes" });
  const choices = make("div", { class: "bw-buttons bw-choices" }, button("Cut", () => act({ do: "answer", answer: "cut" })), button("No cut", () => act({ do: "answer", answer: "not" })));
  const isNew = news();
  return {
    parts: [asks, verdict, counts],
    choices,
    show({ leads, vote, trees }) {
      asks.hidden = verdict.hidden = !leads;
      close.hidden = !trees;
      end.hidden = !vote;
      setHidden(reveal, !vote || vote.shown, end);
      choices.hidden = leads || vote?.kind !== "cut" || vote.shown;
      [...choices.children].forEach((one) => one.setAttribute("aria-pressed", String(one.textContent.toLowerCase() === vote?.mine)));
      const answers = vote?.answers ?? [];
      if (isNew(answers)) showCounts(counts, answers);
    },
  };
}

/** The number by which the server knows this browser, though its connection may be lost. */
function ticket() {
  const known = tabStore.get("ticket") ?? [...crypto.getRandomValues(new Uint32Array(4))].join("-");
  tabStore.set("ticket", known);
  return known;
}

function statusOf({ vote, leads, loading, trees }) {
  if (loading) return "Reading the game …";
  if (vote) return vote.question;
  const what = trees ? "tree" : "board";
  return leads ? `You lead: what you do on the ${what} is seen by all.` : `You follow the lecturer's ${what}.`;
}

function detailOf({ vote, leads, people }) {
  const followers = `${people} ${people === 1 ? "follows" : "follow"}`;
  if (!vote) return followers;
  // Who goes after the votes are shown is still counted there.
  const answered = vote.shown ? `${vote.answered} answered` : `${vote.answered} of ${people} answered`;
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
