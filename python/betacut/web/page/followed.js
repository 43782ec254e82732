// The trees that a class sees: the lecturer's page steps them, all others follow; each may leave, and come back.

import { button, make } from "./parts.js";
import { Trees } from "./trees.js";

const PAUSE = 200; // between two steps that are told: a search that plays makes more than all pages need
const AGAIN = 1000; // after so long what could not be fetched is fetched again

export class Followed extends Trees {
  constructor(page) {
    super(page);
    this.id = String(crypto.getRandomValues(new Uint32Array(1))[0]);
    this.names = "";
    this.wanted = this.turn = null;
    this.back = make("div", { class: "bw-buttons bw-away", hidden: true }, make("p", { text: "You step on your own." }),
      button("Follow the lecturer", () => this.follow(), { class: "bw-primary" }));
    this.element = make("section", { class: "bw-whole bw-followed", "aria-label": "Tree", hidden: true }, this.back, this.trees);
  }

  /** Show what the server says; what comes meanwhile is shown after it. */
  show(view) {
    this.wanted = view;
    this.element.hidden = !view.trees;
    this.turn ??= this.run().finally(() => { this.turn = null; });
  }

  async run() {
    let failed = "";
    while (this.wanted) {
      const view = this.wanted;
      this.wanted = null;
      try {
        await this.take(view);
        if (failed) this.page.complain(failed = "");
      } catch (error) {
        this.page.complain(failed = error.message);
        if (error.status === 404) continue; // the class sees something else by now
        await new Promise((resolve) => setTimeout(resolve, AGAIN));
        if (this.element.isConnected) this.wanted ??= view;
      }
    }
  }

  async take({ trees, leads, vote }) {
    const names = trees?.data.join() ?? "";
    if (names !== this.names) await this.open(names, trees, leads);
    if (!trees || !this.explorers.length) return;
    for (const { side, node, data, request } of trees.grafts.slice(this.grown.length)) {
      const packed = await this.page.fetch(data), asked = this.requests.take(request);
      let count = 0;
      try {
        count = await this.explorers[side].graft(node, packed);
        asked?.resolve(null);
      } catch (error) {
        if (!asked) throw error;
        asked.reject(error);
      } finally {
        this.grown.push({ side, node, count });
      }
    }
    // The page that steps may have gone there before it had the last of the grafts: they have moved the place.
    this.at = trees.at.map((at, tree) => this.grown.slice(trees.grafted)
      .reduce((place, { side, node, count }) => (side === tree && place > node ? place + count : place), at));
    const isVeiled = Boolean(vote && !vote.shown);
    for (const explorer of this.explorers) explorer.veil(isVeiled);
    this.isVeiled = isVeiled;
    // The page that steps is ahead of what the server has heard of.
    if (trees.by !== this.id && (leads || this.isFollowing || isVeiled)) this.follow();
  }

  async open(names, trees, leads) {
    const packed = await this.fetch(trees?.data ?? []);
    this.clear();
    this.names = names;
    this.grown = []; // how many nodes each graft has added, and where
    this.isFollowing = true;
    if (!trees) return;
    const deeper = (side) => (line, node) => this.deeper({ data: trees.data, side, node, line });
    await this.mount(packed, (side) => ({ pawns: true, deeper: leads ? deeper(side) : undefined }));
    for (const explorer of this.explorers) explorer.onSelect(() => (leads ? this.lead(explorer) : this.leave()));
  }

  /** Go where the lecturer is. */
  follow() {
    this.isFollowing = true;
    this.back.hidden = true;
    this.at.forEach((node, side) => {
      const explorer = this.explorers[side];
      if (node >= 0 && explorer.node !== node) explorer.select(node, { quiet: true });
    });
  }

  /** Step on one's own; not while something is asked. */
  leave() {
    if (this.isVeiled) return this.follow();
    this.isFollowing = false;
    this.back.hidden = false;
    return undefined;
  }

  /** Tell all where the lecturer is. */
  lead(explorer) {
    this.last = explorer;
    this.timer ||= setTimeout(() => this.tell(), PAUSE);
  }

  /** Tell it now, if it is still to be told: what is asked next is about that node. */
  tell() {
    if (!this.timer) return;
    clearTimeout(this.timer);
    this.timer = 0;
    const at = this.explorers.map((one) => one.node), line = this.line(this.last);
    this.page.act({ do: "step", data: this.names.split(","), at, grafted: this.grown.length, line, by: this.id });
  }

  refused({ request, failed }) {
    this.requests.take(request)?.reject(new Error(failed));
  }

  clear() {
    super.clear();
    this.back.hidden = true;
  }
}
