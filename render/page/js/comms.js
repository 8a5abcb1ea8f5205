// comms.js: the pane with the communicators by descent.

/** The rows that are open. */
function commRows() {
  const rows = [];
  let closed = Infinity; // the depth of the row that hides those below it
  doc.rows.forEach((r, i) => {
    r.list ??= unpack(r.comms).map((id) => commAt.get(id));
    if (r.depth > closed || r.list[0].step > state.step) return;
    const next = doc.rows[i + 1];
    const kids = next?.depth > r.depth && commAt.get(next.comms[0]).step <= state.step;
    const key = `comm${r.list[0].id}-${r.list.length}`;
    const open = kids && isOpen(key, r.open);
    closed = kids && !open ? r.depth : Infinity;
    rows.push({ comms: r.list, depth: r.depth, size: r.size, lanes: r.lanes, key, open, kids });
  });
  return rows;
}

/** What some communicators have of the selection: the rank of the one process, or the number of processes. */
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


/** How a lane draws the members of a communicator, or siblings. If the variable that shows holds them, they have its letters and colors. */
function laneDraws(c, h) {
  const { name: letters, slot } = h > 0 ? marked(c.id) : none;
  const name = text(saying(c.id, state.step).name);
  const named = (right) => letters + (letters && right ? "'" : "");
  return {
    cell(kind, n, columns) {
      if (kind === ranksOf) {
        const { rank, right } = placeIn(c.id, n);
        const lower = c.id ? `${n}` : ""; // in world both numbers are the same
        return rankButton(n, fill(slot, right && letters), `rank ${rank} of ${letters ? "communicator " + named(right) : name}`, named(right) + rank, lower);
      }
      const m = h > 0 && parts(h, state.step).has(n) ? marked(n) : none;
      const sign = m.name || "#" + n;
      return attrs(act("comm:" + n, `chip ${fill(m.slot)}${chosen("comm:" + n) ? " lit" : ""}`, sign.length > columns ? "" : sign), { "aria-label": sign });
    },
    block(upper, lower, ranks) {
      const n = countLit(ranks);
      const { right } = placeIn(c.id, ranks[0]);
      return el("span", `chip ${fill(slot, right && letters)}${n === ranks.length ? " lit" : ""}`,
        el("b", "", named(right) + upper), el("small", "", lower + (n && n < ranks.length ? ` [${n} selected]` : "")));
    },
  };
}

/** The members of a row, arranged in so many columns. The group of a rank comes first in an intercommunicator. */
function lane(r, h, columns, rank) {
  const c = r.comms[0];
  const at = c.remote ? placeIn(c.id, rank) : null;
  const list = r.lanes[at && r.lanes.length > 1 ? (at.right ? 2 : 1) : 0];
  return el("div", "lane", laneScene(list, columns, laneDraws(c, h)));
}

/** The widest of some arrangements that has room in so many columns; the first one is drawn smaller where it has no room. */
function laneScene(list, columns, draws) {
  const d = list.findLast((x) => x.w <= columns) ?? list[0];
  return scene(d, laneColumn() * Math.max(.7, Math.min(1, columns / d.w)), draws);
}

/** The pixels of a column of lanes. */
const laneColumn = () => .5 * parseFloat(getComputedStyle(document.querySelector("#comms .body")).fontSize);

/** How lanes draw ranks without a communicator. */
const noneDraws = {
  cell: (_, n) => rankButton(n, "none" + (waitOf(n) ? " stuck" : ""), waitOf(n) && "blocked", n + (waitOf(n) ? "!" : "")),
  block(upper, _, ranks) {
    const n = countLit(ranks);
    return el("span", "chip none" + (n === ranks.length ? " lit" : ""), el("b", "", upper + (n && n < ranks.length ? ` [${n} selected]` : "")));
  },
};

/** Lanes of ranks without a communicator in the variable that shows, and of ranks that wait. */
function noneLanes(columns) {
  const list = lock() ? lock().lanes[shown()] : since(doc.handles[shown()].held, state.step).lanes;
  return list?.length ? [attrs(el("div", "state", el("div", "lane", laneScene(list, columns, noneDraws))), { role: "listitem" })] : [];
}

/** The button that opens and closes the rows below a row. */
function foldButton(key, open, what) {
  const b = act("fold:" + key, "fold", open ? "▾" : "▸");
  return attrs(b, { "aria-expanded": `${open}`, "aria-label": (open ? "close " : "open ") + what });
}

function commRow(r, columns) {
  const [c, last] = [r.comms[0], r.comms[r.comms.length - 1]];
  const several = r.comms.length > 1;
  const said = saying(c.id, state.step);
  const what = several ? "comms:" + r.comms.map((x) => x.id) : "comm:" + c.id;
  const h = holder(c.id, shown(), state.step);
  const here = h > 0 && h === shown();
  const { name: letters, slot } = here ? marked(c.id) : none;
  const where = selectedIn(r.comms);
  const name = text(said.name) + (several ? "-" + last.id : "");
  const button = act(what, "name", here ? badge(several ? `${letters}-${marked(last.id).name || letters}` : letters, slot) : null, el("b", "", name));
  attrs(button, { title: name });
  const lit = chosen(what) || (state.kind === "comms" && r.comms.every((x) => state.what.includes(x.id)));
  const line = el("div", `comm${lit ? " lit" : ""}${here ? "" : " other"}`,
    r.kids ? foldButton(r.key, r.open, name) : el("span", "fold"), button,
    el("span", "size", text(r.size)),
    where ? el("b", "where", where) : null,
    several || !said.state ? null : el("b", "alarm", text(said.state)),
    attrs(el("span", "made", text(said.short)), { title: text(said.short) }),
    isNew(c) ? el("b", "new", "new") : null,
    lane(r, here ? h : -1, columns - r.depth * 3, state.kind === "rank" ? state.what : -1));
  line.style.setProperty("--depth", r.depth);
  return attrs(line, { role: "listitem", "aria-level": r.depth + 1, "data-id": several ? null : c.id });
}

/** Whether the step that shows made a communicator. */
const isNew = (c) => state.step > 0 && c.step === state.step;

function drawComms() {
  const columns = Math.floor(document.querySelector("#comms .body").clientWidth / laneColumn()) - 6; // besides what stands at its left
  const list = attrs(el("div", "", ...commRows().map((r) => commRow(r, columns)), ...noneLanes(columns)), { role: "list" });
  renew(document.querySelector("#comms .body"), [list]);
}
drawers.push(drawComms);
