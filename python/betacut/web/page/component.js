// What NiceGUI puts on the page: it brings messages here, and ours to the server. The page itself is page.js.
//
// Messages come as a property: the latest view, and what else was said lately, each with its number. What is known
// already is passed over. (NiceGUI's own way to call a method would evaluate a string, which the policy forbids.)

export default {
  props: { source: String, inbox: Object },
  emits: ["ready", "act"],
  render() {
    return globalThis.Vue.h("div", { class: "bw" });
  },
  data: () => ({ page: null, read: 0 }),
  watch: {
    inbox() {
      this.receive();
    },
  },
  async mounted() {
    const prefix = window.path_prefix ?? "";
    const { mount } = await import(prefix + this.source);
    this.page = globalThis.Vue.markRaw(mount(this.$el, (message) => this.$emit("act", message), prefix));
    document.addEventListener("securitypolicyviolation", this.violated);
    this.$emit("ready", location.pathname.slice(prefix.length) + location.search);
  },
  unmounted() {
    document.removeEventListener("securitypolicyviolation", this.violated);
    this.page?.destroy();
  },
  methods: {
    receive() {
      if (!this.page || !this.inbox) return;
      const { messages } = globalThis.Vue.toRaw(this.inbox);
      for (const { number, message } of messages) {
        if (number <= this.read) continue;
        this.read = number;
        this.page.receive(message);
      }
    },
    /** A server that cannot say what was missed wants the page to be loaded again, by a string that is not run. */
    violated(event) {
      const last = Number(sessionStorage.getItem("betacut-reload") ?? 0);
      if (event.blockedURI !== "eval" || Date.now() - last < 10000) return;
      sessionStorage.setItem("betacut-reload", String(Date.now()));
      location.reload();
    },
  },
};
