// ranks.js: the pane with the table of the ranks: where each is in every variable.

const mostRows = 256; // more rows are shown in chunks

/** The rows after a step: {ranks, cells}; cells are texts of rows of several ranks. */
const rankRows = once((step) => {
  const at = doc.moments[step].table;
  const { rows, cells } = at ? doc.tables[at] : { rows: heldAt(0, step).flatMap((_, r) => [r, 0, 1]) };
  let several = 0;
  return Array.from({ length: rows.length / 3 }, (_, i) => {
    const ranks = unpack(rows.slice(3 * i, 3 * i + 3));
    const [label, ...shown] = ranks.length === 1 ? [`${ranks[0]}`] : cells[several++].map(text);
    return { ranks, label, cells: shown };
  });
});

/** The rows that show: rows of several ranks may be opened, and very many rows are in chunks. */
function openRows() {
  let rows = rankRows(state.step).flatMap((r) => {
    if (r.ranks.length === 1) return [r];
    const key = "rows" + r.label;
    const open = isOpen(key, false);
    return [{ ...r, key, open }, ...(open ? r.ranks.map((w) => ({ ranks: [w], label: `${w}`, deep: true })) : [])];
  });
  if (rows.length <= mostRows) return rows;
  const size = 64;
  const out = [];
  for (let lo = 0; lo < rows.length; lo += size) {
    const some = rows.slice(lo, lo + size);
    const key = `chunk${lo}`;
    const open = isOpen(key, false) || some.some((r) => r.ranks.length === 1 && state.kind === "rank" && r.ranks[0] === state.what);
    const ranks = some.flatMap((r) => r.ranks);
    out.push({ ranks, label: `${some[0].label} … ${some[some.length - 1].label}`, key, open, chunk: true });
    if (open) out.push(...some.map((r) => ({ ...r, deep: true })));
  }
  return out;
}

/** The cell of a row for a variable: the communicator, and the rank there. */
function rankCell(r, h, i) {
  const c = cellOf(h, r.ranks[0], state.step);
  if (r.chunk) return el("td");
  if (c.id < 0) return el("td", "", r.ranks.length > 1 ? r.cells[i] : c.name);
  const name = r.ranks.length > 1 ? r.cells[i] : `${c.name} ${c.rank}`;
  const cut = name.indexOf(" ");
  const kids = [el("span", "badge " + color(c.slot), name.slice(0, cut)), name.slice(cut)];
  const stale = c.id > 1 && saying(c.id, state.step).stale ? el("b", "alarm", " stale") : null;
  const lit = h === shown() && r.ranks.some(isLit);
  return el("td", lit ? "lit" : "", c.id > 1 ? act(`comm:${c.id}:${h}`, "cell", ...kids) : el("span", "cell", ...kids), stale);
}

/** Where a rank runs, or in which call it waits. */
function whereIs(rank) {
  const w = waitOf(rank);
  if (w) return text(w.what).replace(/^wait /, "waits ");
  return doc.grounds ? text((groundAt(state.step).places ??= unpack(groundAt(state.step).where))[rank]) : "";
}

/** What ranks passed to the call of a step: {name, at}, a column for each argument; at tells the value of a rank, "" for none. */
const passedIn = once((step) => {
  const s = doc.steps[step - 1];
  const row = new Map(s ? unpack(s.ranks).map((r, i) => [r, i]) : []);
  return (s?.passed ?? []).map((c) => {
    const words = unpack(c.words);
    return { name: text(c.name), at: (rank) => (row.has(rank) ? text(words[row.get(rank)]) : "") };
  });
});

/** What the ranks of a row passed; an ellipsis where they differ. */
function passedCell(r, c) {
  const first = c.at(r.ranks[0]);
  return el("td", "passed", r.ranks.every((w) => c.at(w) === first) ? first : "…");
}

function rankRow(r, list, passed, placed) {
  const one = r.ranks.length === 1;
  const rank = r.ranks[0];
  const place = one ? whereIs(rank) : "";
  const stuck = one && waitOf(rank) !== undefined;
  const head = act(one ? "rank:" + rank : "ranks:" + r.ranks, "name", r.label + (stuck ? "!" : ""));
  attrs(head, { "aria-label": (one ? "rank " : "ranks ") + r.label + (stuck ? ", blocked" : "") });
  const th = attrs(el("th", r.deep ? "deep" : "", r.key ? foldButton(r.key, r.open, "ranks " + r.label) : null, head), { scope: "row" });
  return el("tr", r.ranks.some(isLit) ? "lit" : "", th, ...passed.map((c) => passedCell(r, c)), ...list.map((h, i) => rankCell(r, h, i)),
    placed ? attrs(el("td", "where", place), { title: place || null }) : null);
}

function drawRanks() {
  const list = handlesAt(state.step);
  const passed = passedIn(state.step);
  const rows = openRows();
  const placed = rows.some((r) => r.ranks.length === 1); // a row of several ranks has no place
  const args = passed.map((c) => attrs(el("th", "passed", c.name), { scope: "col", title: "passed to the call of this step" }));
  const head = list.map((h) => {
    const { name } = doc.handles[h];
    const b = attrs(act("handle:" + h, "name", name), { "aria-label": "variable " + name, title: name });
    return attrs(el("th", h === shown() ? "shown" : "", b), { scope: "col" });
  });
  const table = el("table", "", el("thead", "", el("tr", "", attrs(el("th", "", "rank"), { scope: "col" }), ...args, ...head,
    placed ? attrs(el("th", "where", "where"), { scope: "col" }) : null)), el("tbody", "", ...rows.map((r) => rankRow(r, list, passed, placed))));
  renew(document.querySelector("#ranks .body"), [table]);
}
drawers.push(drawRanks);

/** Scrolls the table sideways until the column of the variable that shows is visible behind the first column, and whole before that of places, which both stay. */
function showColumn() {
  const body = document.querySelector("#ranks .body");
  const column = body.querySelector("th.shown");
  if (!column || body.scrollWidth <= body.clientWidth) return;
  const table = body.firstChild;
  [body.scrollLeft, table.style.marginRight] = [0, ""];
  const [first, ...heads] = [...body.querySelectorAll("thead th")].map((th) => th.getBoundingClientRect());
  const shows = column.getBoundingClientRect();
  const end = shows.right - (body.querySelector("thead .where") ? heads.pop().left : body.getBoundingClientRect().left + body.clientWidth);
  const left = body.getBoundingClientRect().left + first.width; // of what shows, once the table is scrolled
  const to = [0, ...heads.map((r) => r.left - left)].find((x) => x >= end) ?? shows.left - left;
  table.style.marginRight = `${Math.max(0, to + body.clientWidth - body.scrollWidth)}px`;
  body.scrollLeft = to;
}
settlers.push(showColumn);
