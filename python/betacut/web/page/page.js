// The page: four rooms, of which one is open. Their logic is on the server; a room here draws what the server says
// (`show(view)`) and tells it what the person does (`act({ do: … })`).

import { make, button, store } from "./parts.js";
import { playRoom } from "./play.js";
import { watchRoom } from "./watch.js";
import { analyseRoom } from "./analyse.js";
import { insideRoom } from "./inside.js";

const ROOMS = {
  play: { title: "Play", make: playRoom },
  watch: { title: "Watch", make: watchRoom },
  analyse: { title: "Analyse", make: analyseRoom },
  inside: { title: "Look inside", make: insideRoom },
};

class Page {
  constructor(element, act, prefix) {
    this.element = element;
    this.prefix = prefix;
    this.act = (message) => {
      this.latest = document.activeElement;
      act(message);
    };
    this.room = null;
    this.name = "";
    this.about = { players: [], algorithms: [], orders: [], caps: {} };
    this.build();
    this.theme(store.get("theme"));
    this.popped = () => this.act({ do: "open", address: location.pathname.slice(prefix.length) + location.search });
    window.addEventListener("popstate", this.popped);
  }

  build() {
    this.links = {};
    const nav = make("nav", { class: "bw-nav", "aria-label": "Rooms" });
    for (const [name, room] of Object.entries(ROOMS)) {
      this.links[name] = make("a", { href: `${this.prefix}/${name}`, text: room.title, onclick: (event) => this.follow(event, name) });
      nav.append(this.links[name]);
    }
    this.notice = make("p", { class: "bw-notice", role: "alert" });
    this.main = make("main", { class: "bw-main", id: "main", tabindex: "-1" });
    const theme = button("Light or dark", () => this.switchTheme(), { class: "bw-plain" });
    const share = button("Copy link", () => this.share(share), { class: "bw-plain" });
    this.element.replaceChildren(
      make("a", { class: "bw-skip", href: "#main", text: "Skip to the room", onclick: (event) => {
        event.preventDefault();
        this.main.focus();
      } }),
      make("header", { class: "bw-header" },
        make("strong", { class: "bw-mark", text: "betacut" }), nav, make("div", { class: "bw-tools" }, share, theme)),
      this.notice, this.main);
  }

  follow(event, name) {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    if (name === this.name) return;
    history.pushState(null, "", `${this.prefix}/${name}`);
    this.act({ do: "open", address: `/${name}` });
  }

  async share(element) {
    const say = (words) => {
      element.textContent = words;
      setTimeout(() => { element.textContent = "Copy link"; }, 1600);
    };
    try {
      await navigator.clipboard.writeText(location.href);
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
    return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  }

  switchTheme() {
    const next = this.isDark() ? "light" : "dark";
    store.set("theme", next);
    this.theme(next);
  }

  /** Take what the server says. */
  receive(message) {
    if (message.kind === "about") this.about = message;
    else if (message.kind === "view") this.show(message);
    else if (message.room === this.name) this.room?.receive?.(message);
  }

  show({ room, address, notice, view }) {
    if (room !== this.name) this.open(room);
    this.setNotice(notice);
    const wanted = this.prefix + address;
    if (location.pathname + location.search !== wanted) history.replaceState(null, "", wanted);
    this.room.show(view);
  }

  setNotice(words) {
    if (this.notice.textContent !== words) this.notice.textContent = words;
  }

  open(name) {
    this.room?.destroy?.();
    this.name = name;
    for (const [key, link] of Object.entries(this.links)) {
      if (key === name) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    document.title = `${ROOMS[name].title} · betacut`;
    this.main.className = `bw-main bw-room-${name}`;
    this.main.replaceChildren();
    this.room = ROOMS[name].make(this.main, this);
  }

  /** Fetch something large that the server has laid out. */
  async fetch(name) {
    const answer = await fetch(`${this.prefix}/betacut/data/${encodeURIComponent(name)}`);
    if (!answer.ok) throw new Error(`the server has no such data any more (${answer.status})`);
    return answer.json();
  }

  destroy() {
    window.removeEventListener("popstate", this.popped);
    this.room?.destroy?.();
  }
}

/**
 * Show the page.
 *
 * @param element where to
 * @param act takes what the person does, for the server
 * @param prefix what stands before all paths, behind a proxy
 * @returns the page: receive(message), destroy()
 */
export function mount(element, act, prefix = "") {
  return new Page(element, act, prefix);
}
