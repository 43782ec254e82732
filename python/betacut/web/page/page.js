// The page: its rooms, of which one is open. Their logic is on the server; a room here draws what the server says
// (`show(view)`) and tells it what the person does (`act({ do: … })`).

import { helpDialog, listenToKeys } from "./keys.js";
import { make, button, setText, store, tabStore } from "./parts.js";
import { playRoom } from "./play.js";
import { watchRoom } from "./watch.js";
import { analyseRoom } from "./analyse.js";
import { insideRoom } from "./inside.js";
import { classRoom } from "./class.js";

const ROOMS = {
  play: { title: "Play", make: playRoom },
  watch: { title: "Watch", make: watchRoom },
  analyse: { title: "Analyse", make: analyseRoom },
  inside: { title: "Look inside", make: insideRoom },
  class: { title: "Class", make: classRoom },
};

const WRITES = 30, WRITES_A_SECOND = 2, DUE = "betacut-due";

// The address in the address bar. Browsers let a page write it so often and no oftener (Safari: 100 times in 30 seconds);
// what comes faster is written a little later. A page that is loaded again before that has been asked for by its old
// address already: it finds the new one in the store of the tab.
class Address {
  constructor() {
    this.wanted = null;
    this.left = WRITES;
    this.last = performance.now();
    this.timer = 0;
    window.addEventListener("pagehide", () => this.leave());
    this.arrive();
  }

  /** What is in the address bar. */
  get written() {
    return location.pathname + location.search;
  }

  /** What is in the address bar or will be. */
  get current() {
    return this.wanted ?? this.written;
  }

  /** Keep what is still to be written for the page that comes next in this tab. */
  leave() {
    if (this.wanted === null || this.wanted === this.written) return;
    try {
      sessionStorage.setItem(DUE, JSON.stringify([this.written, this.wanted]));
    } catch { /* no store: the last moves are lost */ }
    this.write();
  }

  /** Write what the page before could not, if this is the same address. */
  arrive() {
    try {
      const [written, wanted] = JSON.parse(sessionStorage.getItem(DUE) ?? "[]");
      sessionStorage.removeItem(DUE);
      if (written === this.written) history.replaceState(null, "", wanted);
    } catch { /* no store, or not ours */ }
  }

  set(address) {
    if (address === this.current) return;
    this.wanted = address;
    if (this.timer) return;
    const now = performance.now();
    this.left = Math.min(WRITES, this.left + ((now - this.last) * WRITES_A_SECOND) / 1000);
    this.last = now;
    if (this.left >= 1) this.write();
    else this.timer = setTimeout(() => this.write(), 1000 / WRITES_A_SECOND);
  }

  /** Write it now. */
  write() {
    const { wanted } = this;
    this.forget();
    if (wanted === null || this.written === wanted) return;
    this.left -= 1;
    try {
      history.replaceState(null, "", wanted);
    } catch { /* too often for this browser, after all: the next one will do */ }
  }

  forget() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.wanted = null;
  }
}

const SYSTEM_DARK = matchMedia("(prefers-color-scheme: dark)");
const LOST = "The connection to the server is lost; trying again …";

/** The page in an element; `send`, which takes messages to the server, is given to it later. */
export class Page {
  constructor(element) {
    this.element = element;
    this.send = null;
    this.act = (message) => {
      this.said = "";
      this.send(message);
    };
    this.said = this.noticed = "";
    this.isLost = false;
    this.address = new Address();
    this.room = null;
    this.name = "";
    this.about = null;
    this.build();
    listenToKeys(() => this.room, () => this.help.showModal());
    this.theme(store.get("theme"));
    SYSTEM_DARK.addEventListener("change", () => this.room?.theme?.(this.isDark()));
    window.addEventListener("popstate", () => {
      this.address.forget();
      this.act({ do: "open", address: this.address.written });
    });
  }

  build() {
    this.links = Object.entries(ROOMS).map(([name, room]) =>
      make("a", { href: `/${name}`, text: room.title, onclick: (event) =>
        name === this.name ? event.preventDefault() : this.follow(event, event.currentTarget.getAttribute("href")) }));
    const nav = make("nav", { class: "bw-nav", "aria-label": "Rooms" }, ...this.links);
    this.notice = make("p", { class: "bw-notice", role: "alert" });
    this.main = make("main", { class: "bw-main", id: "main", tabindex: "-1" });
    this.help = helpDialog();
    const keys = button("?", () => this.help.showModal(), { class: "bw-plain", "aria-label": "Keys and mouse", title: "Keys and mouse" });
    const theme = button("Light or dark", () => this.switchTheme(), { class: "bw-plain" });
    const share = button("Copy link", () => this.share(share), { class: "bw-plain" });
    this.element.replaceChildren(
      make("a", { class: "bw-skip", href: "#main", text: "Skip to the room", onclick: (event) => {
        event.preventDefault();
        this.main.focus();
      } }),
      make("header", { class: "bw-header" },
        make("strong", { class: "bw-mark", text: "betacut" }), nav, make("div", { class: "bw-tools" }, share, theme, keys)),
      this.notice, this.main, this.help);
  }

  /** Go to an address in this tab, unless the click asks for another one. */
  follow(event, address) {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    this.goTo(address);
  }

  /** Go to an address in this tab. */
  goTo(address) {
    this.address.write();
    history.pushState(null, "", address);
    this.act({ do: "open", address });
  }

  /** The key of the class that this tab leads; empty if it leads none. */
  get lead() {
    return this.about?.class ? tabStore.get("lead") ?? "" : "";
  }

  set lead(key) {
    tabStore.set("lead", key);
    this.classLink();
  }

  get leading() {
    return this.lead ? `/class?lead=${encodeURIComponent(this.lead)}` : "/class";
  }

  /** The way back to the class leads to the lecturer's place, if this is the lecturer's tab. */
  classLink() {
    const link = this.links[Object.keys(ROOMS).indexOf("class")];
    link.hidden = !this.about.class;
    link.setAttribute("href", this.leading);
  }

  async share(element) {
    const say = (words) => {
      element.textContent = words;
      setTimeout(() => { element.textContent = "Copy link"; }, 1600);
    };
    this.address.write();
    const link = new URL(location.href);
    link.searchParams.delete("lead"); // the lecturer's place is not given away
    try {
      await navigator.clipboard.writeText(link.href);
      say("Copied");
    } catch {
      say("Copy the address above");
    }
  }

  theme(name) {
    if (name) document.documentElement.dataset.theme = name;
    else delete document.documentElement.dataset.theme;
    this.room?.theme?.(this.isDark());
  }

  isDark() {
    const chosen = document.documentElement.dataset.theme;
    return chosen ? chosen === "dark" : SYSTEM_DARK.matches;
  }

  switchTheme() {
    const next = this.isDark() ? "light" : "dark";
    store.set("theme", next);
    this.theme(next);
  }

  /** Take what the server says. */
  receive(message) {
    if (message.kind === "about") this.begin(message);
    else if (message.kind === "view") this.show(message);
    else if (message.room === this.name) this.room?.receive?.(message);
  }

  /** The server knows nothing of this tab yet, or nothing any more. */
  begin(about) {
    const isOld = !import.meta.url.includes(`${about.home}/`); // such as a page that was gone back to
    if (isOld && tabStore.get("home") !== about.home) {
      tabStore.set("home", about.home); // once: what stands in between may keep the page
      return location.reload();
    }
    this.about = about;
    this.classLink();
    this.room?.receive?.({ kind: "refused" });
  }

  show({ room, address, notice, view }) {
    if (room !== this.name) this.open(room);
    this.noticed = notice;
    this.notify();
    this.room.show(view);
    this.address.set(address);
  }

  /** Say something that the server does not know, until the person does something else. */
  complain(words) {
    this.said = words;
    this.noticed = "";
    this.notify();
  }

  /** A connection has ended: what was just sent by it may be lost. */
  cut() {
    this.room?.receive?.({ kind: "cut" });
  }

  /** The connection is lost for a while, or it is back. */
  lost(isLost) {
    this.isLost = isLost;
    this.notify();
  }

  notify() {
    setText(this.notice, this.isLost ? LOST : this.noticed || this.said);
  }

  open(name) {
    this.room?.destroy?.();
    this.name = name;
    for (const link of this.links) link.removeAttribute("aria-current");
    this.links[Object.keys(ROOMS).indexOf(name)].setAttribute("aria-current", "page");
    document.title = `${ROOMS[name].title} · betacut`;
    this.main.className = `bw-main bw-room-${name}`;
    this.main.replaceChildren();
    this.room = ROOMS[name].make(this.main, this);
  }

  /** Fetch something large that the server has laid out. */
  async fetch(name) {
    const answer = await fetch(`/betacut/data/${encodeURIComponent(name)}`);
    if (!answer.ok) throw Object.assign(new Error(`The server has no such data any more (${answer.status}).`), { status: answer.status });
    return answer.json();
  }
}
