// main.js: what a page does with clicks and keys.

/** What a click on something with data-act does. */
function does(what) {
  const [kind, value, handle] = what.split(":");
  switch (kind) {
    case "tab": return showTab(value);
    case "alone": return change({ alone: [...state.alone, Number(value)] });
    case "whole": return change({ alone: state.alone.slice(0, -1) });
    case "step": case "stop":
      stop();
      return goTo(kind === "stop" ? Number(value) : stopOf(Number(value)));
  }
  if (kind === "comm" && handle !== undefined) state.handle = Number(handle);
  select(kind, ["ranks", "comms"].includes(kind) ? value.split(",").map(Number) : Number(value));
}

readers.push(() => {
  $("about").textContent = doc.about;
  $("panes").hidden = $("bars").hidden = false;
});
showTab("comms");
$("bars").addEventListener("click", ({ target: b }) => b.dataset.key && b.getAttribute("aria-disabled") !== "true" && always[b.dataset.key]());
document.addEventListener("click", (e) => {
  const b = e.target.closest("[data-act]") ?? e.target.closest("#sites tbody tr")?.querySelector("[data-act]");
  if (!b) return;
  if (b.dataset.act.startsWith("fold:")) toggle(b);
  else does(b.dataset.act);
  if (state.kind !== "" && !/^(fold|tab|alone|whole)/.test(b.dataset.act)) announceChoice();
});
document.addEventListener("keydown", onKey);
document.addEventListener("focusin", ({ target }) => {
  const pane = target.closest("#panes .pane")?.id;
  if (!doc || !pane || pane === state.pane) return;
  state.pane = pane;
  writeLink();
});
addEventListener("resize", () => doc && draw());
