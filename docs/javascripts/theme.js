// The explorer on the front page is light or dark as the page around it.
document$.subscribe(() => {
  const frame = document.querySelector("iframe.explorer");
  if (!frame) return;
  const follow = () => {
    const page = frame.contentDocument?.documentElement;
    if (page) page.dataset.theme = document.body.dataset.mdColorScheme === "slate" ? "dark" : "light";
  };
  frame.addEventListener("load", follow);
  new MutationObserver(follow).observe(document.body, { attributes: true, attributeFilter: ["data-md-color-scheme"] });
  follow();
});
