// The explorers of one tree or of two, and what is asked about them.

import { mount, mountPair } from "../../views/explorer/explorer.js";
import { Requests } from "../../views/explorer/requests.js";
import { uci } from "../../views/chess.js";
import { make } from "./parts.js";

export const UNANSWERED = "The server was asked for too much at once, or the connection was lost.";

export class Trees {
  constructor(page) {
    this.page = page;
    this.trees = make("div", { class: "bw-trees" });
    this.explorers = [];
    this.requests = new Requests();
  }

  /** Fetch trees that the server has laid out. */
  fetch(names) {
    return Promise.all(names.map((name) => this.page.fetch(name)));
  }

  /** Show one tree or two; `options(side)` are those of each. */
  async mount(packed, options = () => ({})) {
    const frame = make("div", { class: "bw-tree" });
    this.trees.replaceChildren(frame);
    this.explorers = packed.length > 1
      ? await mountPair(frame, ...packed, options(0), options(1))
      : [await mount(frame, packed[0], options(0))];
  }

  /** The moves to the current node. */
  line(explorer) {
    return explorer.tree.line(explorer.node).map(uci);
  }

  /** Have recorded what lies below a node. */
  deeper(question) {
    return this.requests.ask((request) => this.page.act({ do: "deeper", ...question, request }));
  }

  theme() {
    this.explorers.forEach((explorer) => explorer.icicle.paint());
  }

  clear() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.requests.refuse("The tree has gone.");
    this.explorers.forEach((explorer) => explorer.destroy());
    this.explorers = [];
    this.trees.replaceChildren();
  }
}
