// hardware.js: the pane with boxes in boxes, as lstopo draws them, and the ranks on them.

const mostEven = 8; // boxes in a row that are made equally high
const mostChips = 4; // ranks in a leaf that are shown one by one

let drawn = { step: 0, handle: 0 }; // the moment and the variable that are drawn: the present ones, or those before

/** A rank: its place in the variable that shows, and its number in the world. */
function chip(rank) {
  const c = cellOf(drawn.handle, rank, drawn.step);
  const world = drawn.handle === 0;
  const stuck = drawn.step === state.step && waitOf(rank) !== undefined;
  const b = act("rank:" + rank, `chip ${world ? "place" : color(c.slot)}${isLit(rank) ? " lit" : ""}${stuck ? " stuck" : ""}`,
    el("b", "", (c.id < 0 ? c.name : c.name + c.rank) + (stuck ? "!" : "")), world ? null : el("small", "", `${rank}`));
  const place = world ? "" : c.id < 0 ? (c.id === unsetID ? ", " + unsetWords : ", MPI_COMM_NULL") : `, rank ${c.rank} of ${c.name}`;
  return attrs(b, {
    "aria-label": `world rank ${rank}${place}${stuck ? ", blocked" : ""}${isLit(rank) ? ", in the selection" : ""}`,
    "aria-pressed": `${state.kind === "rank" && state.what === rank}`,
  });
}

/** How many of some ranks each communicator has. */
function shares(ranks) {
  if (drawn.handle === 0) return [el("span", "count", ranks.length === doc.size ? `${ranks.length} ranks` : rankNoun(ranks))];
  const count = new Map();
  for (const r of ranks) {
    const c = cellOf(drawn.handle, r, drawn.step);
    const key = c.id < 0 ? 1e9 - c.id : c.id * 2 + (c.right ? 1 : 0);
    const s = count.get(key);
    if (s) s.n++;
    else count.set(key, { ...c, n: 1 });
  }
  const list = [...count].sort((a, b) => a[0] - b[0]).map(([, s]) => s);
  const most = 6;
  const out = list.slice(0, list.length > most ? most - 1 : most).map((s) =>
    s.id <= 1 ? el("span", "chip share " + color(s.slot), `${s.name}×${s.n}`)
      : act("comm:" + s.id, "chip share " + color(s.slot), `${s.name}×${s.n}`));
  if (list.length > most) out.push(el("span", "count", `… ${list.length} comms`));
  return out;
}

/** Ranks on a box: one by one while they are few, otherwise counted. */
function riders(ranks, few) {
  if (!ranks.length) return null;
  const n = countLit(ranks);
  if (ranks.length <= few) return el("span", "riders", ...ranks.map(chip));
  return el("span", "riders", ...shares(ranks), n ? el("b", "count", `[${n} selected]`) : null);
}

/** The label of a box, which selects it, and the button that opens and closes it. */
function boxHead(i, open) {
  const o = doc.objects[i];
  const label = o.leaf ? [text(o.label[0]).replace(/ \(.*/, "")] : o.label.map(text);
  const head = act("object:" + i, "label", ...label.flatMap((t, k) => (k ? [el("br"), t] : [t])));
  attrs(head, { "aria-pressed": `${state.kind === "object" && state.what === i}` });
  if (o.leaf || !children(i).length) return [head];
  return [foldButton("box" + i, open, o.label.map(text)[0]), head];
}

/** The button that opens and closes what is below something. */
function foldButton(key, open, what) {
  const b = act("fold:" + key, "fold", open ? "▾" : "▸");
  return attrs(b, { "aria-expanded": `${open}`, "aria-label": (open ? "close " : "open ") + what });
}

/** Whether the selected rank is one of some. */
const holdsChosen = (ranks) => state.kind === "rank" && ranks.includes(state.what);

/** A box of the tree. */
function box(i, depth) {
  const o = doc.objects[i];
  if (o.fold) return siblingsBox(i, depth);
  const seats = seated(groundAt(drawn.step).from);
  const kids = o.leaf ? [] : children(i);
  const open = kids.length > 0 && isOpen("box" + i, depth < doc.depth || holdsChosen(seats.below[i]));
  const chosen = state.kind === "object" && state.what === i;
  const b = el("div", `box ${o.class}${o.leaf ? " leaf" : ""}${o.bar ? " bar" : ""}${chosen ? " lit" : ""}`);
  attrs(b, { role: "group", "aria-label": o.label.map(text).join(" + ") });
  if (!o.bar) b.style.setProperty("--wide", `var(--${o.leaf ? "leaf" : (open ? "open" : "closed") + kinds()[i]})`);
  b.append(el("div", "head", ...boxHead(i, open)));
  if (o.leaf || !open) {
    const r = riders(seats.below[i], o.leaf ? mostChips : 0);
    if (r) b.append(r);
    else if (o.leaf && !o.bar) b.append(el("span", "riders free", "·"));
    return b;
  }
  for (const s of seats.own[i]) {
    if (s.pus) b.append(el("small", "pus", `on PUs ${s.pus}:`));
    b.append(riders(s.ranks, 8));
  }
  for (const k of kids.filter((k) => doc.objects[k].bar)) b.append(box(k, depth + 1));
  b.append(row(kids.filter((k) => !doc.objects[k].bar), depth + 1));
  return b;
}

/** By box: a number, the same for boxes of equal hardware. */
const kinds = once(() => {
  const known = new Map();
  const below = doc.objects.map(() => []);
  const list = [];
  for (let i = doc.objects.length - 1; i >= 0; i--) { // each is behind its parent
    const types = doc.objects[i].label.map((w) => text(w).replace(/ (L#|\().*/, ""));
    const key = JSON.stringify([types, below[i].reverse()]);
    if (!known.has(key)) known.set(key, known.size);
    list[i] = known.get(key);
    below[doc.objects[i].parent]?.push(list[i]);
  }
  return list;
});

/** Boxes side by side. */
function row(list, depth) {
  const leaves = list.every((i) => doc.objects[i].leaf) ? " leaves" : "";
  return el("div", "row" + leaves + (list.length > mostEven ? " many" : ""), ...list.map((i) => box(i, depth)));
}

/** Many siblings in one box, which opens to show them. */
function siblingsBox(i, depth) {
  const ranks = seated(groundAt(drawn.step).from).below[i];
  const name = text(doc.objects[i].label[0]);
  const open = isOpen("box" + i, holdsChosen(ranks));
  const b = attrs(el("div", "box folded"), { role: "group", "aria-label": name });
  b.append(el("div", "head", foldButton("box" + i, open, name), el("span", "label", name)));
  b.append((open ? row(children(i), depth) : riders(ranks, 0)) ?? "");
  return b;
}

/** The variable on whose communicators the call of a step was made, as before that step. */
function calledOn(step) {
  const id = doc.steps[step - 1].comm;
  return id > 0 ? Math.max(0, holder(id, shown(), step - 1)) : 0;
}

/** One of two pictures side by side. */
function half(when, step, handle) {
  drawn = { step, handle };
  const label = `${when}: ${handle === 0 ? "world ranks" : doc.handles[handle].name}`;
  return attrs(el("div", "half", el("div", "when", label), ground()), { role: "group", "aria-label": label });
}

/** The hardware with its ranks, or the ranks in a row. */
function ground() {
  if (doc.objects) return box(0, 0);
  const all = Array.from({ length: doc.size }, (_, r) => r);
  return el("div", "box plain", el("div", "head", el("span", "label", "ranks")), riders(all, 512));
}

function drawHardware() {
  const body = document.querySelector("#hardware .body");
  heading();
  const both = state.both && state.step > 0;
  const before = both ? half("before", state.step - 1, calledOn(state.step)) : null;
  const after = both ? half("after", state.step, shown()) : null;
  drawn = { step: state.step, handle: shown() };
  renew(body, [both ? el("div", "pair", before, after) : ground()]);
}

let fitted = ""; // the room and the hardware that the size of the boxes was chosen for

/** Makes the boxes as large as the pane can show them without scrolling, and those of equal hardware equally wide. */
function fit() {
  const body = document.querySelector("#hardware .body");
  const now = `${$("panes").clientWidth} ${$("panes").clientHeight} ${state.both} ${doc.objects?.length} ${doc.size}`;
  if (now === fitted) return even(body);
  fitted = now;
  for (const size of body.querySelectorAll(".leaf").length ? ["few", "some", "", "tight", "tiny"] : [""]) {
    body.className = "body " + size;
    even(body);
    if (body.scrollHeight <= body.clientHeight && body.clientHeight < innerHeight) return;
  }
}

const mostGrown = 640; // boxes whose leaves take the room that is free
let grown = { key: "", leaf: 0 }; // what the width of the leaves was chosen for, and that width

/**
 * Gives the boxes of equal hardware one width, wherever they stand: they are as wide as the widest of them wants to be,
 * or as the one with the least room can be. The pane holds these widths, in pixels, as properties for its boxes.
 */
function even(body) {
  const sets = new Map(); // boxes by their property
  for (const b of body.querySelectorAll(".box[style]")) {
    const name = b.style.getPropertyValue("--wide").slice(4, -1);
    if (!sets.has(name)) sets.set(name, []);
    sets.get(name).push(b);
  }
  body.removeAttribute("style");
  const leaves = sets.get("--leaf") ?? [];
  sets.delete("--leaf");
  const leaf = Math.max(0, ...leaves.map(wide));
  const key = [body.className, body.clientWidth, leaf, ...[...sets].map(([name, list]) => name + list.length)].join();
  if (leaf && key !== grown.key) grown = { key, leaf: leaves.length > mostGrown ? leaf : widest(body, sets, leaf) };
  level(body, sets, leaf && grown.leaf);
}

const wide = (box) => Math.ceil(box.getBoundingClientRect().width);

/** The greatest width of leaves with which the boxes need no more height than with the least one. */
function widest(body, sets, least) {
  const height = (leaf) => {
    level(body, sets, leaf);
    return body.firstChild.getBoundingClientRect().height;
  };
  const enough = height(least);
  let most = 16 * parseFloat(getComputedStyle(body).fontSize); // wider ones are empty
  while (most - least > .25) {
    const half = (least + most) / 2;
    if (height(half) <= enough) least = half;
    else most = half;
  }
  return least;
}

/**
 * Sets the width of leaves, and gives the boxes of each set one width: that of the widest of them, or, where one has not
 * so much room, the width of that one.
 */
function level(body, sets, leaf) {
  body.removeAttribute("style");
  if (leaf) body.style.setProperty("--leaf", leaf + "px");
  let of = Math.max;
  for (let round = 0; round < 4; round++, of = Math.min) {
    const uneven = [...sets].map(([name, list]) => [name, list.map(wide)]).filter(([, list]) => list.some((w) => w !== list[0]));
    if (!uneven.length && round) return;
    for (const [name, list] of uneven) body.style.setProperty(name, of(...list) + "px");
  }
}

/** Which variable the letters are of, and how to read them: by one that is there. */
function heading() {
  const h = shown();
  const stuck = lock() ? [", ! is blocked"] : [];
  if (h === 0) return $("which").replaceChildren("world ranks", ...stuck);
  const ids = [...parts(h, state.step)];
  const read = [];
  if (ids.length) {
    const rank = ids[0] === 1 ? 0 : groups(ids[0])[0].length - 1;
    const { name } = marked(ids[0]);
    read.push(`${name}${rank} is rank ${rank} of communicator ${name}`, "below it the world rank");
    if (commAt.get(ids[0])?.remote) read.push(name + "' its other group");
  }
  if (heldAt(h, state.step).includes(nullID)) read.push(hollow + " MPI_COMM_NULL");
  if (heldAt(h, state.step).includes(unsetID)) read.push(notYet + " " + unsetWords);
  $("which").replaceChildren(el("b", "", doc.handles[h].name), ": " + read.join(", "), ...stuck);
}
drawers.push(drawHardware);
settlers.push(fit);
