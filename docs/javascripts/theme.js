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

// The copy button of an example takes what one types, without prompts and answers.
function typed(text) {
  const lines = text.split("\n"), python = lines.some((line) => line.startsWith(">>> "));
  const prompt = python ? ">>> " : "$ ", found = [];
  let within = false; // a statement or command that the next line may continue
  for (const line of lines) {
    const starts = line.startsWith(prompt), continues = within && (!python || /^\.\.\.( |$)/.test(line));
    // After an indented line the interpreter wants an empty one before the next statement.
    if (starts && python && /^\s/.test(found.at(-1) ?? "")) found.push("");
    if (starts || continues) found.push(starts ? line.slice(prompt.length) : line.slice(python ? 4 : 0));
    within = (starts || continues) && (python || line.endsWith("\\"));
  }
  if (python && /^\s/.test(found.at(-1))) found.push("");
  return found.length ? `${found.join("\n")}\n` : text;
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-clipboard-target]");
  const code = button && document.querySelector(button.dataset.clipboardTarget);
  if (code) button.dataset.clipboardText = typed(code.innerText);
}, true);
