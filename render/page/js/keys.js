// keys.js: everything with the keyboard. The keys are those of the terminal.

const panes = ["hardware", "comms", "ranks", "why", "trace", "sites"];

/** Puts the focus into a pane: on the selection there, or on the first button. */
function focusPane(name) {
  const pane = $(name);
  if (pane.closest("#panes")) showTab(name);
  if (name === "sites") pane.open = true;
  pane.scrollIntoView({ block: "nearest" });
  const body = pane.querySelector(".body");
  (pane.querySelector("[data-act][tabindex='0']") ?? body).focus();
}

/** Moves the focus in a pane. */
function moveFocus(pane, by) {
  const list = [...pane.querySelectorAll("[data-act]")];
  const at = list.indexOf(document.activeElement);
  moveTo(pane, list[Math.max(0, Math.min(list.length - 1, at + by))]);
}

function moveTo(pane, to) {
  if (!to) return;
  for (const e of pane.querySelectorAll("[data-act]")) e.tabIndex = e === to ? 0 : -1;
  to.focus();
}

/** The button nearest to the focus in a picture, above it (by -1) or below it. */
function nearest(pane, by) {
  const middle = (e) => (({ left, right, top, bottom }) => [(left + right) / 2, (top + bottom) / 2])(e.getBoundingClientRect());
  const [x, y] = middle(document.activeElement);
  const far = (e) => (([ex, ey]) => ((ey - y) * by > 2 ? (ey - y) * by + Math.abs(ex - x) / 4 : Infinity))(middle(e));
  const list = [...pane.querySelectorAll("[data-act]")].map((e) => [far(e), e]).filter(([d]) => d < Infinity);
  return list.sort((a, b) => a[0] - b[0])[0]?.[1];
}

/** Moves the focus up or down: in a table to the row before or after, from lane to lane of the communicators. */
function upDown(pane, by) {
  if (pane.id === "hardware" && Math.abs(by) === 1) return moveTo(pane, nearest(pane, by));
  const row = document.activeElement.closest("tr, .comm, .state");
  if (!row) return moveFocus(pane, by);
  const rows = [...row.closest("table, [role=list]").querySelectorAll("tr, .comm, .state")].filter((r) => r.querySelector("[data-act]"));
  const acts = (r) => [...r.querySelectorAll("[data-act]")];
  const next = rows[Math.max(0, Math.min(rows.length - 1, rows.indexOf(row) + by))];
  const to = acts(next);
  const all = [...pane.querySelectorAll("[data-act]")];
  const column = acts(row).indexOf(document.activeElement);
  const name = document.activeElement.closest(".lane, tr") ? null : next.querySelector(".name");
  moveFocus(pane, all.indexOf(name ?? to[Math.min(column, to.length - 1)]) - all.indexOf(document.activeElement));
}

/** Opens or closes the row with the focus; if that does not open or close, moves the focus. */
function sideways(pane, by) {
  const here = document.activeElement;
  const alone = by > 0 && here.matches(".name") && here.closest(".label")?.querySelector(".fold");
  if (alone) return does(alone.dataset.act);
  const fold = here.closest(".comm, th")?.querySelector(".fold[aria-expanded]");
  const open = fold?.getAttribute("aria-expanded") === "true";
  if (fold && open === by < 0) return toggle(fold);
  moveFocus(pane, by);
}

/** Opens a row that is closed, and closes one that is open. */
function toggle(button) {
  const open = button.getAttribute("aria-expanded") === "true";
  state.folds.set(button.dataset.act.slice("fold:".length), !open);
  change({});
}

const always = {
  "[": () => goTo(state.stop - 1), "]": () => goTo(state.stop + 1), "{": () => goTo(0), "}": () => goTo(lastStop),
  p: playOrPause, f: () => faster(1), s: () => faster(-1), v: () => turnHandle(1), V: () => turnHandle(-1),
  a: () => change({ both: !state.both }), S: turnSpelled, x: () => focusPane("why"), "?": () => $("help").showModal(), "/": () => ($("find").focus(), $("find").select()),
  Escape: () => (stop(), change({ kind: "", what: null })),
};
panes.slice(0, 5).forEach((p, i) => (always[i + 1] = () => focusPane(p)));

/** Unless the page scrolls: a presenter's remote control sends these. */
const leaf = (by) => (document.scrollingElement.scrollHeight <= innerHeight ? () => goTo(state.stop + by) : undefined);
const outside = {
  ArrowLeft: always["["], ArrowRight: always["]"], Home: always["{"], End: always["}"],
  get PageUp() { return leaf(-1); }, get PageDown() { return leaf(1); },
};
const inside = {
  ArrowUp: (p) => upDown(p, -1), ArrowDown: (p) => upDown(p, 1), ArrowLeft: (p) => sideways(p, -1), ArrowRight: (p) => sideways(p, 1),
  Home: (p) => upDown(p, -1e9), End: (p) => upDown(p, 1e9), PageUp: (p) => upDown(p, -10), PageDown: (p) => upDown(p, 10),
};

function onKey(e) {
  if (!doc) return;
  const at = e.target;
  const composed = e.altKey && "[]{}".includes(e.key); // many keyboards have them only with Alt or AltGr
  if ((e.ctrlKey || e.altKey || e.metaKey) && !composed || document.querySelector("dialog[open]")) return;
  const typing = at.matches("input[type=text], textarea") || at.matches("select") && !"[]{}".includes(e.key);
  if (typing && e.key !== "Escape" || at.matches("input[type=range]") && !(e.key in always)) return;
  if (typing) focusWhy();
  const pane = at.closest(".pane");
  const does = at.dataset?.act && pane ? inside[e.key] ?? always[e.key] : always[e.key] ?? (pane ? undefined : outside[e.key]);
  if (!does) return;
  e.preventDefault();
  does(pane);
}
