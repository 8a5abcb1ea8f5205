// main.js: what a page does with clicks and keys.

/** What a click on something with data-act does. */
function does(what) {
  const [kind, value, handle] = what.split(":");
  switch (kind) {
    case "rank": return select("rank", Number(value));
    case "ranks": return select("ranks", value.split(",").map(Number));
    case "comm":
      if (handle !== undefined) state.handle = Number(handle);
      return select("comm", Number(value));
    case "comms": return select("comms", value.split(",").map(Number));
    case "tab": return showTab(value);
    case "alone": return change({ alone: [...state.alone, Number(value)] });
    case "whole": return change({ alone: state.alone.slice(0, -1) });
    case "object": return select("object", Number(value));
    case "handle": return select("handle", Number(value));
    case "step":
      stop();
      return goTo(stopOf(Number(value)));
    case "stop":
      stop();
      return goTo(Number(value));
  }
}

readers.push(() => {
  $("about").textContent = doc.about;
  $("panes").hidden = $("bars").hidden = false;
});
makeControls();
showTab("comms");
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
