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
  return n ? `◂ ${n} lit` : "";
}

/** The sizes of some communicators: "6 ranks", "1-6 ranks". */
function sizes(comms) {
  if (comms.length === 1 || comms.every((c) => c.size === comms[0].size)) return text(comms[0].size);
  const all = comms.map((c) => groups(c.id).flat().length);
  return `${Math.min(...all)}-${Math.max(...all)} ranks`;
}

function commRow(r) {
  const [c, last] = [r.comms[0], r.comms[r.comms.length - 1]];
  const several = r.comms.length > 1;
  const said = saying(c.id, state.step);
  const chosen = state.kind === "comm" ? !several && state.what === c.id
    : state.kind === "comms" && state.what[0] === c.id && state.what.length === r.comms.length;
  const h = holder(c.id, shown(), state.step);
  const part = h > 0 ? parts(h, state.step).get(c.id) : -1;
  const here = h === shown() && part >= 0;
  const where = selectedIn(r.comms);
  const name = text(said.name) + (several ? "-" + last.id : "");
  const button = act(several ? "comms:" + r.comms.map((x) => x.id) : "comm:" + c.id, "name",
    here ? badge(several ? `${letter(part)}-${letter(parts(h, state.step).get(last.id) ?? part)}` : letter(part), part) : null, el("b", "", name));
  attrs(button, { "aria-pressed": `${chosen}`, title: name });
  const line = el("div", `comm${chosen ? " lit" : ""}${here ? "" : " other"}`,
    r.kids ? foldButton(r.key, r.open, name) : el("span", "fold"), button,
    el("span", "size", (several ? r.comms.length + " × " : "") + sizes(r.comms)),
    where ? el("b", "where", where) : null,
    several || !said.state ? null : el("b", "alarm", text(said.state)),
    attrs(el("span", "made", text(said.short)), { title: text(said.short) }));
  line.style.setProperty("--depth", r.depth);
  return attrs(line, { role: "listitem", "aria-level": r.depth + 1 });
}

function drawComms() {
  const list = attrs(el("div", "", ...commRows().map(commRow)), { role: "list" });
  document.querySelector("#comms .body").replaceChildren(list);
}
drawers.push(drawComms);
