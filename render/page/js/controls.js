// controls.js: the bar with time and the variable, and playing.

const delays = [4000, 2500, 1500, 800]; // milliseconds from one step to the next
let speed = 1;
let turn = 0; // tells a play from the ones before

/** Goes to a stop, or to the question before it. told: the control announces the step itself. */
function goTo(place, told) {
  const to = Math.max(0, Math.min(place, latest()));
  const asked = place > to && gate() !== null;
  change(asked ? { stop: to, kind: "", what: null } : { stop: to });
  if (!told) announceStep();
  if (asked) {
    stop();
    showTab("why");
    $("prediction")?.focus();
  }
}

function stop() {
  turn++;
  if (state.playing) change({ playing: false });
}

/** Pauses, or plays from here; at the end, from the beginning. */
function playOrPause() {
  if (state.playing) return stop();
  if (lastStop === 0) return;
  const mine = ++turn;
  change({ playing: true, stop: state.stop >= lastStop ? 0 : state.stop });
  const next = () => {
    if (turn !== mine) return;
    if (state.stop >= lastStop) return stop();
    goTo(state.stop + 1);
    setTimeout(next, delays[speed]);
  };
  setTimeout(next, delays[speed]);
}

const speedText = () => `speed ${speed + 1} of ${delays.length}`;

function faster(by) {
  speed = Math.max(0, Math.min(delays.length - 1, speed + by));
  announce(speedText());
  change({});
}

/** Shows the next variable, or the one before. */
function turnHandle(by) {
  const list = [0, ...handlesAt(state.step)];
  const at = list.indexOf(shown());
  change({ handle: list[(at + by + list.length) % list.length] });
  announce("variable " + doc.handles[shown()].name);
}

/** Shows or hides the lines of the present call in each language. */
function turnSpelled() {
  change({ spelled: !state.spelled });
  const shows = document.querySelector("#why .spelled");
  if (shows) intoSight(document.querySelector("#why .body"), shows);
  announce(shows ? [...shows.children].map((e) => e.innerText).join(": ") : "the lines of the call are hidden");
}

/** Tells something to people who do not see the page. */
const announce = (what) => ($("live").textContent = what);

/** A step in a sentence. */
const stepText = () => `step ${state.step} of ${lastStep}: ${state.step ? text(doc.steps[state.step - 1].text) : "the beginning"}${lock() ? ", DEADLOCK" : ""}`;

const announceStep = () => announce(asks() ? stepText() + ", then a question" : stepText());
const announceChoice = () => announce(document.querySelector("#why h3")?.textContent ?? "");

/** Shows a pane in a window that is too narrow for all of them. */
function showTab(name) {
  if (name !== "hardware") $("panes").dataset.tab = name;
  for (const b of $("tabs").children) attrs(b, { "aria-pressed": `${b.dataset.act === "tab:" + $("panes").dataset.tab}` });
  if (doc) writeLink();
}

/** Puts the focus on the explanation, where the keys of time work. */
function focusWhy() {
  showTab("why");
  document.querySelector("#why .body").focus({ preventScroll: true });
}

/** Makes a button do nothing. It keeps the focus, which it would lose if it were disabled. */
const idle = (id, is) => attrs($(id), { "aria-disabled": is ? "true" : null });

$("time").addEventListener("input", () => goTo(Number($("time").value), true));
$("variable").addEventListener("change", () => change({ handle: Number($("variable").value) }));

/** Selects the rank whose number was typed. */
function find() {
  const [input, r] = [$("find"), Number($("find").value)];
  if (!Number.isInteger(r) || r < 0 || r >= doc.size) {
    input.setCustomValidity(`there is no rank ${input.value}: ${doc.size > 1 ? `0 to ${doc.size - 1}` : "0 is the only rank"}`);
    return input.reportValidity();
  }
  input.value = "";
  change({ kind: "rank", what: r });
  announceChoice();
  focusWhy();
}
$("find").addEventListener("input", () => $("find").setCustomValidity(""));
$("find").addEventListener("keydown", (e) => e.key === "Enter" && $("find").value.trim() && find());

function drawControls() {
  const end = latest();
  attrs($("time"), { max: lastStop, "aria-valuetext": stepText() }).value = state.stop;
  $("find").placeholder = doc.size > 1 ? `0-${doc.size - 1}` : "0";
  $("now").textContent = $("moment").textContent = `step ${state.step} of ${lastStep}` + (lock() ? ", deadlock" : "") + (state.playing ? ", " + speedText() : "");
  for (const id of ["first", "back"]) idle(id, state.stop === 0);
  for (const id of ["on", "last"]) idle(id, state.stop === lastStop && end === lastStop);
  idle("play", lastStop === 0);
  $("play").textContent = state.playing ? "pause" : "play";
  idle("clear", state.kind === "");
  attrs($("say"), { "aria-pressed": `${state.spelled}` });
  renew($("variable"), [0, ...handlesAt(state.step)].map((h) => attrs(el("option", "", doc.handles[h].name), { value: h })));
  $("variable").value = shown();
}
drawers.push(drawControls);
