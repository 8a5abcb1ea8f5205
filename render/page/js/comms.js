// comms.js: the pane with the communicators by descent.

const alone = 8; // siblings of one call that have a line each by default
const mostSiblings = 32; // that have rows of their own when they are open; more are shown in chunks

/** What was made from a communicator, in lines: siblings of one call together when they are many. */
const below = once((id) => {
  const kids = doc.comms.filter((c) => c.parent === id);
  const lines = [];
  for (let lo = 0; lo < kids.length; ) {
    let hi = lo + 1;
    while (hi < kids.length && kids[hi].step === kids[lo].step && kids[hi].op === kids[lo].op) hi++;
    const some = kids.slice(lo, hi);
    lines.push(...(some.length > alone ? [some] : some.map((c) => [c])));
    lo = hi;
  }
  return lines;
});

/** The rows that are open, with their depths. */
function commRows() {
  const rows = [];
  const roomy = doc.comms.length <= 200;
  const add = (comms, depth) => {
    if (comms[0].step > state.step) return;
    const several = comms.length > 1;
    const kids = (several ? chunks(comms) : below(comms[0].id)).filter((k) => k[0].step <= state.step);
    const key = `comm${comms[0].id}-${comms.length}`;
    const open = kids.length > 0 && isOpen(key, (roomy && !several) || depth === 0);
    rows.push({ comms, depth, key, open, kids: kids.length });
    if (open) for (const k of kids) add(k, depth + 1);
  };
  for (const c of doc.comms.filter((c) => c.parent === -1)) add([c], 0);
  return rows;
}

/** Siblings in rows: one each, or several, by a power of ten, when they are very many. */
function chunks(comms) {
  let size = 1;
  while (comms.length > size * mostSiblings) size *= 10;
  const list = [];
  for (let lo = 0; lo < comms.length; lo += size) list.push(comms.slice(lo, lo + size));
  return list;
}

/** Where the selection is in some communicators: the rank of one process, or how many. */
function selectedIn(comms) {
  if (state.kind === "rank") {
    for (const c of comms) {
      const p = placeIn(c.id, state.what);
      if (p) return "◂ rank " + p.rank;
    }
    return "";
  }
  if (!["ranks", "object"].includes(state.kind)) return "";
  const n = comms.reduce((sum, c) => sum + countLit(groups(c.id).flat()), 0);
  return n ? `◂ ${n} selected` : "";
}

/** The sizes of some communicators: "6 ranks", "1-6 ranks". */
function sizes(comms) {
  if (comms.length === 1 || comms.every((c) => c.size === comms[0].size)) return text(comms[0].size);
  const all = comms.map((c) => groups(c.id).flat().length);
  return `${Math.min(...all)}-${Math.max(...all)} ranks`;
}

const mostMembers = 64; // of a lane that are shown one by one
const mostOnPage = 1500; // members and communicators that are shown one by one on all lanes together

/** A member of a communicator: its rank there, in the color of the communicator if that has letters, and its world rank. */
function member(rank, at, name, slot) {
  const b = act("rank:" + rank, `chip ${slot < 0 ? "place" : color(slot)}${isLit(rank) ? " lit" : ""}`,
    el("b", "", `${name}${at}`), el("small", "", `${rank}`));
  return attrs(b, {
    "aria-label": `rank ${at}${name ? " of " + name : ""} is world rank ${rank}${isLit(rank) ? ", in the selection" : ""}`,
    "aria-pressed": `${state.kind === "rank" && state.what === rank}`,
  });
}

/** A progression of world ranks: "0-63", "0,2,..,126". */
function progression(first, step, n) {
  const last = first + step * (n - 1);
  if (n === 1) return `${first}`;
  return step === 1 ? `${first}-${last}` : n === 2 ? `${first},${last}` : `${first},${first + step},..,${last}`;
}

/** Members that are too many: a chip for each progression of world ranks. */
function progressions(packed, name, slot) {
  const most = 24;
  const list = [];
  let at = 0;
  for (let i = 0; i < packed.length && list.length < most; i += 3) {
    const [first, step, n] = packed.slice(i, i + 3);
    const ranks = Array.from({ length: n }, (_, k) => first + k * step);
    const lit = countLit(ranks);
    list.push(el("span", `chip run ${slot < 0 ? "place" : color(slot)}${lit === n ? " lit" : ""}`,
      el("b", "", name + progression(at, 1, n)), el("small", "", progression(first, step, n) + (lit && lit < n ? ` [${lit} selected]` : ""))));
    at += n;
  }
  const all = packed.reduce((sum, n, i) => (i % 3 === 2 ? sum + n : sum), 0);
  if (at < all) list.push(el("span", "count", `… ${all - at} more`));
  return list;
}

/** The members of a group in rank order. */
function group(packed, name, slot, single) {
  const list = unpack(packed);
  if (!single || list.length > mostMembers) return progressions(packed, name, slot);
  return list.map((rank, at) => member(rank, at, name, slot));
}

/** The lane of a communicator; of an intercommunicator two groups that face each other, that of the selected rank first. */
function lane(c, name, slot, single) {
  if (!c.remote) return el("div", "lane", ...group(c.group, name, slot, single));
  const at = state.kind === "rank" ? placeIn(c.id, state.what) : null;
  const words = at ? (at.right ? ["remote", "local"] : ["local", "remote"]) : ["left", "right"];
  const sides = [[c.group, name], [c.remote, name && name + "'"]].map(([g, n], i) =>
    el("span", "group", el("span", "which", words[i]), ...group(g, n, slot, single)));
  if (at?.right) sides.reverse();
  return el("div", "lane", sides[0], el("span", "facing", "⇄"), sides[1]);
}

/** The lane of several communicators: a chip for each. */
function laneOf(comms, h, single) {
  const most = single ? mostMembers : 16;
  const list = comms.slice(0, most).map((c) => {
    const m = h > 0 && parts(h, state.step).has(c.id) ? marked(c.id) : none;
    return act("comm:" + c.id, `chip share ${m === none ? "place" : color(m.slot)}${state.kind === "comm" && state.what === c.id ? " lit" : ""}`,
      m.name || "#" + c.id);
  });
  return el("div", "lane", ...list, comms.length > most ? el("span", "count", `… ${comms.length - most} more`) : null);
}

/** Lanes of ranks that have no communicator in the variable that shows: each state has one. */
function stateLanes() {
  const lists = { null: [], unset: [], blocked: [] };
  for (let r = 0; r < doc.size; r++) {
    const id = shown() === 0 ? 0 : heldAt(shown(), state.step)[r];
    if (waitOf(r) !== undefined) lists.blocked.push(r);
    else if (id === nullID) lists.null.push(r);
    else if (id === unsetID) lists.unset.push(r);
  }
  const row = (list, sign, words, cls) => (list.length === 0 ? null : attrs(el("div", "state", el("span", "badge none", sign), el("b", "", words),
    el("span", "size", list.length === 1 ? "1 rank" : `${list.length} ranks`),
    el("div", "lane", ...(list.length > mostMembers ? [el("span", "count", rankNoun(list))] : list.map((r) => {
      const b = act("rank:" + r, `chip none ${cls}${isLit(r) ? " lit" : ""}`, el("b", "", sign), el("small", "", `${r}`));
      return attrs(b, { "aria-label": `world rank ${r}, ${words}`, "aria-pressed": `${state.kind === "rank" && state.what === r}` });
    })))), { role: "listitem" }));
  return [row(lists.null, hollow, "MPI_COMM_NULL", ""), row(lists.unset, notYet, unsetWords, ""), row(lists.blocked, "!", "blocked", "stuck")];
}

/** The button that opens and closes what is below something. */
function foldButton(key, open, what) {
  const b = act("fold:" + key, "fold", open ? "▾" : "▸");
  return attrs(b, { "aria-expanded": `${open}`, "aria-label": (open ? "close " : "open ") + what });
}

function commRow(r, single) {
  const [c, last] = [r.comms[0], r.comms[r.comms.length - 1]];
  const several = r.comms.length > 1;
  const said = saying(c.id, state.step);
  const chosen = state.kind === "comm" ? !several && state.what === c.id
    : state.kind === "comms" && state.what[0] === c.id && state.what.length === r.comms.length;
  const h = holder(c.id, shown(), state.step);
  const here = h > 0 && h === shown();
  const { name: letters, slot } = here ? marked(c.id) : none;
  const where = selectedIn(r.comms);
  const name = text(said.name) + (several ? "-" + last.id : "");
  const button = act(several ? "comms:" + r.comms.map((x) => x.id) : "comm:" + c.id, "name",
    here ? badge(several ? `${letters}-${marked(last.id).name || letters}` : letters, slot) : null, el("b", "", name));
  attrs(button, { "aria-pressed": `${chosen}`, title: name });
  const lit = chosen || (state.kind === "comms" && r.comms.every((x) => state.what.includes(x.id)));
  const line = el("div", `comm${lit ? " lit" : ""}${here ? "" : " other"}`,
    r.kids ? foldButton(r.key, r.open, name) : el("span", "fold"), button,
    el("span", "size", (several ? r.comms.length + " × " : "") + sizes(r.comms)),
    where ? el("b", "where", where) : null,
    several || !said.state ? null : el("b", "alarm", text(said.state)),
    attrs(el("span", "made", text(said.short)), { title: text(said.short) }),
    isNew(c) ? el("b", "new", "new") : null,
    several ? laneOf(r.comms, here ? h : -1, single) : lane(c, letters, slot, single));
  line.style.setProperty("--depth", r.depth);
  return attrs(line, { role: "listitem", "aria-level": r.depth + 1 });
}

/** Whether the step that shows made a communicator. */
const isNew = (c) => state.step > 0 && c.step === state.step;

function drawComms() {
  const rows = commRows();
  const shownOneByOne = rows.reduce((sum, r) => sum + (r.comms.length > 1 ? Math.min(r.comms.length, mostMembers) : groups(r.comms[0].id).flat().length), 0);
  const list = attrs(el("div", "", ...rows.map((r) => commRow(r, shownOneByOne <= mostOnPage)), ...stateLanes()), { role: "list" });
  renew(document.querySelector("#comms .body"), [list]);
}
drawers.push(drawComms);
