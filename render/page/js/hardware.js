// hardware.js: the pane with the hardware and the ranks on it.

let drawn = { step: 0, handle: 0 }; // the moment and the variable that are drawn: the present ones, or those before

/** The button of a rank, in so many columns: the rank's place in the variable that shows, and its world rank. */
function chip(rank, columns) {
  const c = cellOf(drawn.handle, rank, drawn.step);
  const world = drawn.handle === 0;
  const stuck = drawn.step === state.step && waitOf(rank) !== undefined;
  const whole = (c.id < 0 ? c.name : c.name + c.rank) + (stuck ? "!" : "");
  const place = world ? "" : c.id < 0 ? (c.id === unsetID ? unsetWords : "MPI_COMM_NULL") : `rank ${c.rank} of communicator ${c.name}`;
  return rankButton(rank, (world || c.id >= 0 ? fill(c.slot, c.right) : "none") + (stuck ? " stuck" : ""), [place, stuck && "blocked"].filter(Boolean).join(", "),
    columns < whole.length ? (stuck ? "!" : c.name || whole) : whole, world ? "" : `${rank}`);
}

/** The communicators that some ranks hold, each with its number of ranks, in so many columns. */
function shares(ranks, columns) {
  if (drawn.handle === 0) return [el("span", "count", ranks.length === doc.size ? `${ranks.length} ranks` : rankNoun(ranks))];
  const count = new Map();
  for (const r of ranks) {
    const c = cellOf(drawn.handle, r, drawn.step);
    count.set(c.name, { ...c, n: (count.get(c.name)?.n ?? 0) + 1, key: c.id < 0 ? 1e9 - c.id : c.id * 2 + c.right });
  }
  const list = [...count.values()].sort((a, b) => a.key - b.key);
  const bare = Math.max(...list.map((s) => s.name.length)) * Math.min(list.length, 6) > columns; // colors without letters
  const most = bare ? 16 : 6;
  const counted = list.every((s) => `${s.name}×${s.n}`.length < columns / list.length);
  const out = list.slice(0, list.length > most ? most - 1 : most).map((s) => {
    const classes = "chip share " + (s.id < 0 ? "none" : fill(s.slot, s.right));
    const name = counted ? `${s.name}×${s.n}` : bare ? "" : s.name;
    const e = s.id <= 1 ? el("span", classes, name) : attrs(act("comm:" + s.id, classes, name), { "aria-label": `${rankNoun(ranks)}: ${s.n} in communicator ${s.name}` });
    e.style.flexGrow = s.n;
    return e;
  });
  if (list.length > most) out.push(el("span", "count", `… ${list.length} comms`));
  return out;
}

/** The full name of an object. */
const objectName = (i) => groundAt(state.step).said[i].slice(0, 2).map(text).join("");

const draws = {
  /** The name of an object, which selects it; the button before it shows the object alone. */
  label(name, i, look) {
    if (i < 0) return label(name, i, look);
    const b = attrs(act("object:" + i, "name" + (chosen("object:" + i) ? " lit" : ""), name), { "aria-label": objectName(i), title: objectName(i) });
    const opens = arranged().alone?.[i] && state.alone.at(-1) !== i;
    return el("span", "label", opens ? attrs(act("alone:" + i, "fold", "▸"), { "aria-label": "show alone " + objectName(i) }) : null, b);
  },
  /** A rank, or a place without one. */
  cell(kind, n, columns) {
    if (kind === ranksOf) return chip(n, columns);
    const [sign, says] = { [barred]: ["×", "this process may not use it"], [taken]: ["", "several ranks are bound to it and to others"] }[kind] ?? ["·", "no rank"];
    return attrs(act("object:" + n, "free" + (chosen("object:" + n) ? " lit" : ""), sign), { "aria-label": `${objectName(n)}, ${says}` });
  },
  /** Ranks that are too many, counted. */
  bar(i, ranks, columns) {
    const n = countLit(ranks);
    return el("span", "bar" + (n ? " lit" : ""), ...(ranks.length ? shares(ranks, columns) : [el("span", "count", "·")]), n ? el("b", "count", `[${n} selected]`) : null);
  },
};

/** The variable that held, before a step, the communicators on which the step's call was made. */
function calledOn(step) {
  const id = doc.steps[step - 1].comm;
  return id > 0 ? Math.max(0, holder(id, shown(), step - 1)) : 0;
}

/** The hardware where the ranks run after the step that is drawn. */
const arranged = () => doc.drawn[doc.grounds ? Math.max(0, doc.grounds.findLastIndex((g) => g.from <= drawn.step)) : 0];

/** The arrangements to choose from: of all hardware, or of the part that shows alone. */
const choices = () => (arranged().alone?.[state.alone.at(-1)] ? [arranged().alone[state.alone.at(-1)]] : arranged().rooms);

let room = { key: "", wide: 0, high: 0 }; // of the pane, and what that was measured for

function measure(body) {
  $("panes").classList.toggle("asks", asks() && state.kind === "");
  const key = [$("panes").dataset.tab, $("panes").classList, $("panes").clientWidth, $("panes").clientHeight, innerHeight, $("sites").open && !$("sites").hidden, state.alone.length > 0].join();
  if (key === room.key) return;
  body.replaceChildren(el("div", "probe"));
  const style = getComputedStyle(body);
  const [wide, high] = [["Left", "Right"], ["Top", "Bottom"]].map((sides, i) =>
    [body.clientWidth, Math.min(body.clientHeight, innerHeight)][i] - sides.reduce((sum, s) => sum + parseFloat(style["padding" + s]), 0) - 1);
  room = { key, wide: Math.max(wide, 1), high: Math.max(high - (state.alone.length ? 24 : 0), 1) };
}

function drawHardware() {
  const body = document.querySelector("#hardware .body");
  heading();
  measure(body);
  drawn = { step: state.step, handle: shown() };
  const path = !state.alone.length ? null : el("div", "path", act("whole", "", "◂ what is around"), el("span", "quiet", ` ${text(groundAt(state.step).said[state.alone.at(-1)][0])} alone`));
  const sides = halves();
  if (!sides) {
    const one = fitting(choices(), room.wide, room.high);
    return renew(body, [path, scene(one.d, one.column, draws)].filter(Boolean));
  }
  const [{ list }] = sides; // those of the other side are for the same areas
  const beside = fitting(list, Math.max(room.wide - 16, 2) / 2, Math.max(room.high - 24, 1));
  const above = fitting(list, room.wide, Math.max(room.high - 56, 2) / 2);
  const best = above.column > beside.column ? above : beside;
  renew(body, [path, el("div", "pair" + (best === above ? " above" : ""), ...sides.map((side) => {
    drawn = side;
    const picture = scene(side.list[list.indexOf(best.d)], best.column, draws);
    return attrs(el("div", "half", el("div", "when", side.label), picture), { role: "group", "aria-label": side.label });
  }))].filter(Boolean));
}

/** The comparison of the goal with the person's result: for the variable that shows, if the goal has it; null where none shows. */
function compared() {
  if (!doc.exercise?.beside.length || state.stop < lastStop || state.alone.length || state.both && state.step > 0) return null;
  return doc.exercise.beside.find((c) => c.name === doc.handles[shown()].name) ?? doc.exercise.beside[0];
}

/** The label, arrangements, moment and variable of each of two pictures side by side; null for one picture. */
function halves() {
  const goal = compared();
  if (goal) return goal.sides.map((s) => ({ label: text(s.head), list: s.rooms, step: state.step, handle: shown() }));
  if (!state.both || state.step === 0) return null;
  const half = (when, step, handle) => ({ label: `${when}: ${handle === 0 ? "world ranks" : doc.handles[handle].name}`, list: choices(), step, handle });
  return [half("before", state.step - 1, calledOn(state.step)), half("after", state.step, shown())];
}

/** Tells the variable of the letters, and how to read them, by an example from the picture. */
function heading() {
  const h = shown();
  const stuck = lock() ? [", ! is blocked"] : [];
  if (compared()) return $("which").replaceChildren(text(doc.exercise.note), ...stuck);
  if (h === 0) return $("which").replaceChildren("world ranks", ...stuck);
  const [first] = parts(h, state.step);
  const [{ name }, read] = [marked(first), []];
  if (first !== undefined) {
    const rank = first === 1 ? 0 : groups(first)[0].length - 1;
    read.push(`${name}${rank} is rank ${rank} of communicator ${name}`, "the small number is the world rank");
  }
  if (commAt.get(first)?.remote) read.push(name + "' its other group");
  read.push(...without(h, state.step).map((w) => w.sign + " " + w.words));
  $("which").replaceChildren(el("b", "", doc.handles[h].name), ": " + read.join(", "), ...stuck);
}
drawers.push(drawHardware);
