// controls.js: the bar with time and the variable, and playing.

const delays = [4000, 2500, 1500, 800]; // milliseconds from one step to the next
let speed = 1;
let turn = 0; // tells a play from the ones before

/** Goes to a step, or to the question that stands before it. */
function goTo(step) {
  const to = Math.max(0, Math.min(step, latest()));
  const asked = step > to && gate() !== null;
  change(asked ? { step: to, kind: "", what: null } : { step: to });
  announceStep();
  if (asked) {
    stop();
    $("prediction")?.focus();
  }
}

function stop() {
  turn++;
  if (state.playing) change({ playing: false });
}

/** Plays from here, from the end at the beginning; or pauses. */
function playOrPause() {
  if (state.playing) return stop();
  if (lastStep === 0) return announce("There is nothing to play.");
  const mine = ++turn;
  change({ playing: true, step: state.step >= lastStep ? 0 : state.step });
  const next = () => {
    if (turn !== mine) return;
    if (state.step >= lastStep) return stop();
    goTo(state.step + 1);
    setTimeout(next, delays[speed]);
  };
  setTimeout(next, delays[speed]);
}

function faster(by) {
  speed = Math.max(0, Math.min(delays.length - 1, speed + by));
  announce(`speed ${speed + 1} of ${delays.length}`);
}

/** Shows the next variable, or the one before. */
function turnHandle(by) {
  const list = [0, ...handlesAt(state.step)];
  const at = list.indexOf(shown());
  change({ handle: list[(at + by + list.length) % list.length] });
  announce("variable " + doc.handles[shown()].name);
}

/** Tells those who do not see the page. */
function announce(what) {
  $("live").textContent = what;
}

function announceStep() {
  const s = doc.steps[state.step - 1];
  const notes = doc.moments[state.step].said.filter((l) => l.kind === "note").map((l) => text(l.text));
  announce(`step ${state.step} of ${lastStep}: ${[s ? text(s.text) : "the beginning", ...notes].join(". ")}`);
}

const buttons = [
  ["first", "|◀", "first step", () => goTo(0)],
  ["back", "◀", "step back", () => goTo(state.step - 1)],
  ["play", "play", "play", playOrPause],
  ["on", "▶", "step on", () => goTo(state.step + 1)],
  ["last", "▶|", "last step", () => goTo(lastStep)],
];

/** Makes the bar, once. */
function makeControls() {
  const bar = $("controls");
  for (const [id, sign, name, does] of buttons) {
    const b = attrs(el("button", "", sign), { type: "button", id, "aria-label": name, title: name });
    b.addEventListener("click", () => does());
    bar.append(b);
  }
  const slider = attrs(el("input"), { type: "range", id: "time", min: 0, max: lastStep, value: 0, "aria-label": "step" });
  slider.addEventListener("input", () => goTo(Number(slider.value)));
  bar.append(slider, attrs(el("output"), { id: "now", for: "time" }));
  const pick = attrs(el("select"), { id: "variable" });
  pick.addEventListener("change", () => change({ handle: Number(pick.value) }));
  const choices = $("choices");
  choices.append(el("label", "pick", "variable ", pick), finder());
  const clear = attrs(el("button", "", "Esc"), { type: "button", id: "clear", "aria-label": "select nothing", title: "select nothing" });
  clear.addEventListener("click", () => change({ kind: "", what: null }));
  const help = attrs(el("button", "", "?"), { type: "button", id: "keys", "aria-label": "keys", title: "keys" });
  help.addEventListener("click", showHelp);
  choices.append(clear, help);
  $("bars").hidden = false;
}

/** The field that takes a rank, and selects it. */
function finder() {
  const input = attrs(el("input"), { id: "find", type: "text", inputmode: "numeric", autocomplete: "off", size: 5, placeholder: `0-${doc.size - 1}` });
  input.addEventListener("keydown", (e) => {
    if (e.key !== "Enter" || input.value.trim() === "") return;
    const r = Number(input.value);
    if (!Number.isInteger(r) || r < 0 || r >= doc.size) return announce(`there is no rank ${input.value}: 0 to ${doc.size - 1}`);
    change({ kind: "rank", what: r });
  });
  return el("label", "pick", "rank ", input);
}

function drawControls() {
  const end = latest();
  attrs($("time"), { "aria-valuetext": `step ${state.step} of ${lastStep}` }).value = state.step;
  $("now").textContent = $("moment").textContent = `step ${state.step} of ${lastStep}`;
  $("first").disabled = $("back").disabled = state.step === 0;
  $("on").disabled = $("last").disabled = state.step === lastStep && end === lastStep;
  $("play").textContent = state.playing ? "pause" : "play";
  attrs($("play"), { "aria-label": state.playing ? "pause" : "play", title: state.playing ? "pause" : "play" });
  $("clear").disabled = state.kind === "";
  $("variable").replaceChildren(...[0, ...handlesAt(state.step)].map((h) => attrs(el("option", "", doc.handles[h].name), { value: h })));
  $("variable").value = shown();
}
drawers.push(drawControls);
