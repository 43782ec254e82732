// What a class hands in: the form and the report of a student, and the lecturer's board of who passed.

import { button, folded, form, labelled, make, news, setText, statusLine, store } from "./parts.js";
import { Trees } from "./trees.js";

/** The form, and what came of it. */
export function handInForm(page) {
  const name = make("input", { type: "text", maxlength: 40, autocomplete: "off", placeholder: "for the board, if you like", value: store.get("name") ?? "" });
  const text = make("textarea", { rows: 6, spellcheck: "false", placeholder: "def minimax(board, depth): …" });
  const file = make("input", { type: "file", accept: ".py,text/x-python", hidden: true, onchange: async () => {
    const [given] = file.files;
    if (given) await read(given).catch(() => page.complain(`${given.name} is not written in UTF-8.`));
    file.value = "";
  } });
  const status = statusLine(), report = make("pre", { class: "bw-report" });
  const details = folded("Report", report);
  const look = button("Show where it goes wrong", () => replay().catch((error) => page.complain(error.message))), shown = new Trees(page), frame = shown.trees;
  const isNew = news();
  let longest = 0, mine = null, sent = null, isWaiting = false;

  /** Of a file that is too long no more is read than shows it. */
  const read = async (given) => {
    const most = 4 * (longest + 1), bytes = await given.slice(0, most).arrayBuffer();
    text.value = new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: given.size > most }).slice(0, longest + 1);
  };

  const send = () => {
    if (text.value.length > longest) return page.complain(`The file has more than ${longest.toLocaleString("en-US")} characters.`);
    // A double click hands in once.
    if (text.value === sent && (isWaiting || mine?.ok === null)) return;
    [sent, isWaiting] = [text.value, true];
    store.set("name", name.value.trim());
    return page.act({ do: "hand_in", name: name.value, text: text.value });
  };

  const clear = () => {
    shown.clear();
    frame.hidden = true;
  };

  async function replay() {
    clear();
    const packed = await shown.fetch(mine.trees);
    frame.hidden = false;
    await shown.mount(packed);
    if (mine.line) shown.explorers[0].jump(mine.line);
    frame.scrollIntoView({ block: "nearest" });
  }

  const element = make("section", { class: "bw-hand-in", "aria-label": "Hand in" },
    make("h2", { text: "Hand in a search" }),
    form("bw-form", send, labelled("Name", name, { class: "bw-field bw-inline" }), labelled("A function of a board and a depth, in Python", text, { class: "bw-field bw-grow" }),
      make("div", { class: "bw-row" }, button("Choose a file", () => file.click()), make("button", { class: "bw-primary", text: "Hand in" })), file),
    status, make("div", { class: "bw-buttons" }, look), details, frame);
  return {
    element,
    show(handIn) {
      element.hidden = !handIn;
      if (!handIn) return;
      ({ mine, longest } = handIn);
      isWaiting = false;
      setText(status, mine ? outcome(mine) : "");
      status.classList.toggle("bw-passed", mine?.ok === true);
      details.hidden = !mine?.text;
      look.hidden = !mine?.trees.length;
      setText(report, mine?.text ?? "");
      if (isNew(mine?.trees)) clear();
    },
    theme: () => shown.theme(),
    destroy: clear,
  };
}

function outcome({ ok, cause, points, most }) {
  if (ok === null) return "It is being checked …";
  const of = most > 1 ? ` ${points} of ${most} are right.` : "";
  return ok ? "Passed." : `Not yet.${of} ${cause}`;
}

/** The board of who passed. */
export function passedBoard(page) {
  const count = make("span", { class: "bw-count", role: "status" }), rows = make("tbody");
  const clear = button("Clear", () => page.act({ do: "clear" }));
  const table = make("table", { class: "bw-table" },
    make("thead", {}, make("tr", {}, ...["Name", "Result", "Why not"].map((text) => make("th", { scope: "col", text })))), rows);
  const none = make("p", { class: "bw-caption", text: "What the class hands in will be here." });
  const element = make("section", { class: "bw-passed-board", "aria-label": "Who passed" },
    make("div", { class: "bw-buttons" }, make("h2", { text: "Who passed" }), count, clear), none, make("div", { class: "bw-scroll" }, table));
  const isNew = news();
  return {
    element,
    show(handIn) {
      element.hidden = !handIn;
      if (!handIn || !isNew(handIn.board)) return;
      const { board } = handIn;
      setText(count, board.length ? `${board.filter((one) => one.ok).length} of ${board.length}` : "");
      none.hidden = board.length > 0;
      table.hidden = clear.hidden = !board.length;
      rows.replaceChildren(...board.map(rowOf));
    },
  };
}

function rowOf({ name, ok, points, most, cause, tries }) {
  const mark = ok === null ? "…" : ok ? "✓ passed" : most > 1 ? `${points} of ${most}` : "not yet";
  const style = ok === null ? "bw-checking" : ok ? "bw-passed" : "bw-failed";
  const title = [name, tries > 1 ? `${tries} times` : ""].filter(Boolean).join(", ");
  return make("tr", { class: style }, make("th", { scope: "row", text: name || "no name", title }),
    make("td", { text: mark }), make("td", { class: "bw-cause", text: ok === null ? "is being checked" : cause ?? "" }));
}
