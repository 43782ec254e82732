// Light or dark as what surrounds an element is: for notebooks, which have themes of their own.

/** Return the colour behind an element: red, green and blue, 0 to 255; null if nothing there is painted. */
function groundOf(element) {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 1;
  const context = canvas.getContext("2d", { willReadFrequently: true });
  for (let node = element; node; node = node.parentElement ?? node.getRootNode().host) {
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = getComputedStyle(node).backgroundColor;
    context.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = context.getImageData(0, 0, 1, 1).data;
    if (alpha > 127) return [red, green, blue];
  }
  return null;
}

/** Give an element the theme of what it stands on, now and whenever that changes (`changed`); return what ends it. */
export function followHost(element, changed = () => {}) {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const look = () => {
    if (!element.isConnected) return;
    const ground = groundOf(element.parentElement ?? element.getRootNode().host);
    const dark = ground ? 0.299 * ground[0] + 0.587 * ground[1] + 0.114 * ground[2] < 128 : system.matches;
    const theme = dark ? "dark" : "light";
    if (element.dataset.theme === theme) return;
    element.dataset.theme = theme;
    changed();
  };
  // Style sheets of the host may come a little later than what it says about itself.
  const later = () => [0, 300].forEach((wait) => setTimeout(look, wait));
  const attributes = new MutationObserver(later);
  for (const node of [document.documentElement, document.body]) attributes.observe(node, { attributes: true });
  const size = new ResizeObserver(look);
  size.observe(element);
  system.addEventListener("change", later);
  later();
  return () => {
    attributes.disconnect();
    size.disconnect();
    system.removeEventListener("change", later);
  };
}

/** Put an element into a notebook; `redraw` it once for events of these names that come together. Return what ends it. */
export function inNotebook({ model, el }, element, names, redraw) {
  element.setAttribute("data-lm-suppress-shortcuts", "true");
  el.append(element);
  let due = false;
  const soon = () => {
    if (!due) queueMicrotask(() => { due = false; redraw(); });
    due = true;
  };
  names.forEach((name) => model.on(name, soon));
  const unfollow = followHost(element);
  return () => {
    unfollow();
    names.forEach((name) => model.off(name, soon));
    element.remove();
  };
}
