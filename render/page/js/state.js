// state.js: which moment shows, what is selected, and the link that leads there.

/**
 * stop: where time stands; step: of the trace, 0 the beginning. kind and what: what is selected, "rank" and its number, "ranks"
 * and a list, "comm" and an id, "comms" and ids, "object" and a box, "handle" and its index; "" for
 * nothing. alone: the parts of the hardware that were shown alone, each in the one before. handle: the variable that was chosen, -1 for the one made last. answered: predictions, by the key of the
 * question. pane: the one that has, or had, the focus. told: the key of the question that was answered last. spelled: whether the lines of the present call show in each language,
 * tongue: the only language in which they do, "" for each.
 */
const state = { stop: 0, step: 0, kind: "", what: null, handle: -1, answered: new Map(), told: null, folds: new Map(), alone: [], pane: "", playing: false, both: false, spelled: false, tongue: "" };

/** Functions that draw parts of the page anew when the state has changed. */
const drawers = [];

/** Functions that measure and scroll after the drawers, so that the browser lays out once for all of them. */
const settlers = [];

const shownAt = once((handle, step) => {
  const list = handlesAt(step);
  if (handle === 0 || list.includes(handle)) return handle;
  return list.filter((h) => parts(h, step).size).reduce((best, h) => (best === 0 || heldSince(h, step) >= heldSince(best, step) ? h : best), 0);
});

/** The variable that shows: the one chosen, or the one made last. */
const shown = () => shownAt(state.handle, state.step);

/** Changes the state, and draws. */
function change(patch) {
  Object.assign(state, patch);
  state.step = stops[state.stop].step;
  if ((state.kind === "comm" && !exists(state.what, state.step)) ||
      (state.kind === "comms" && !state.what.every((id) => exists(id, state.step)))) {
    state.kind = "";
  }
  draw();
  writeLink();
}

/** The present deadlock: an expected one, or the one at the end; null for none. */
const lock = () => stops[state.stop].lock;

/** The present wait of a rank; undefined for a rank that is not blocked. */
const waitOf = (rank) => waitsIn(state.stop).get(rank);

/** Draws everything, and gives the focus back. */
function draw() {
  const here = document.activeElement;
  const pane = here?.closest(".pane");
  const key = here?.dataset.act;
  moving(() => {
    for (const d of drawers) d();
    for (const s of settlers) s();
  });
  reveal(pane?.id);
  if (pane && key && (!document.contains(here) || here.dataset.act !== key)) {
    const again = [...pane.querySelectorAll("[data-act]")].find((e) => e.dataset.act === key);
    (again ?? pane.querySelector("[data-act]") ?? pane.querySelector(".body")).focus({ preventScroll: true });
  }
  for (const p of document.querySelectorAll(".pane")) {
    const first = p.querySelector("[data-act][aria-pressed=true], [data-act]");
    if (first && !p.querySelector("[data-act][tabindex='0']")) first.tabIndex = 0;
  }
}

let revealed = ""; // the selection that panes were scrolled to

/** Scrolls the panes to the selection, once for each selection; the pane with the focus stays. */
function reveal(focused) {
  const now = state.kind + state.what;
  if (now === revealed) return;
  revealed = now;
  for (const [pane, what] of [["hardware", ".lit"], ["comms", ".comm.lit, .comm .where"], ["ranks", "tr.lit"]]) {
    if (pane !== focused) intoSight(document.querySelector(`#${pane} .body`), document.querySelector(`#${pane} :is(${what})`));
  }
}

/** Scrolls a pane, and nothing else, so that something in it shows. */
function intoSight(body, e) {
  if (!e || body.scrollHeight <= body.clientHeight) return;
  const [b, r] = [body.getBoundingClientRect(), e.getBoundingClientRect()];
  if (r.top < b.top + 24 || r.bottom > b.bottom) body.scrollTop += r.top - b.top - b.height / 3;
}

/** Selects something; selected again, it is no longer selected. */
function select(kind, what) {
  if (state.kind === kind && `${state.what}` === `${what}`) return change({ kind: "", what: null });
  const patch = { kind, what };
  if (kind === "handle") patch.handle = what;
  if (kind === "comm" || kind === "comms") {
    const h = holder(kind === "comm" ? what : what[0], shown(), state.step);
    if (h >= 0) patch.handle = h;
  }
  change(patch);
}

/** The keys of an address that are for the moment, the selection and the pane. */
const momentKeys = ["step", "then", "rank", "ranks", "comm", "object", "handle", "pane"];

let inAddress = ""; // what the address says of the session, before moment and selection: for a session that goes on

/** Writes the moment, the selection and the pane into the address, so that it can be sent. */
function writeLink() {
  const link = new URLSearchParams({ step: state.step });
  if (state.stop > stopOf(state.step)) link.set("then", state.stop - stopOf(state.step));
  if (["rank", "comm", "object"].includes(state.kind)) link.set(state.kind, state.what);
  if (state.kind === "ranks") link.set("ranks", state.what.join());
  if (state.handle >= 0) link.set("handle", doc.handles[state.handle].name);
  const pane = $("tabs").checkVisibility() ? $("panes").dataset.tab : state.pane;
  if (pane) link.set("pane", pane);
  const all = "#" + [inAddress, link].filter(String).join("&");
  if (location.hash !== all) history.replaceState(null, "", all);
}

/** Reads the address, and ignores names in it that do not exist. */
function readLink() {
  const link = new URLSearchParams(location.hash.slice(1));
  const numbers = (name, end = Infinity) => (link.get(name) ?? "").split(",").filter((t) => /^\d+$/.test(t)).map(Number).filter((n) => n < end);
  const step = link.has("step") ? Math.min(lastStep, numbers("step")[0] ?? 0) : state.step;
  const then = stopOf(step) + (numbers("then")[0] ?? 0);
  const patch = { step, stop: stops[then]?.step === step ? then : stopOf(step), kind: "", what: null, handle: -1, pane: "" };
  patch.handle = doc.handles.findIndex((h) => h.name === link.get("handle"));
  for (const [kind, end] of [["ranks", doc.size], ["object", doc.grounds?.[0].said.length ?? 0], ["comm"], ["rank", doc.size]]) {
    const list = numbers(kind, end);
    if (list.length) Object.assign(patch, { kind, what: kind === "ranks" ? list : list[0] });
  }
  if (patch.kind === "comm" && patch.handle < 0 && exists(patch.what, patch.step)) patch.handle = holder(patch.what, -1, patch.step);
  passQuestions(patch.stop);
  change(patch);
  if (panes.includes(link.get("pane")) && !$(link.get("pane")).hidden) focusPane(link.get("pane"));
}

/** Whether a row is open. */
const isOpen = (key, byDefault) => state.folds.get(key) ?? byDefault;
