// sites.js: the pane with the places of the program that made or freed communicators until the step shown.

/** The index of the last change of a place up to a step; -1 before its first call. */
const changeOf = once((i, step) => {
  const at = placeOf(i).at;
  let low = 0;
  for (let high = at.length; low < high; ) {
    const mid = (low + high) >> 1;
    if (at[mid] <= step) low = mid + 1;
    else high = mid;
  }
  return low - 1;
});

/** A place with its lists written out. */
const placeOf = once((i) => {
  const r = doc.sites.rows[i];
  return { at: unpack(r.at), cells: r.cells.map(unpack), leaks: unpack(r.leaks), comms: unpack(r.comms), ranks: unpack(r.ranks) };
});

/** A place: the button selects what it made until now, or the ranks that call there. */
function siteRow(i, change) {
  const r = placeOf(i);
  const made = r.comms.filter((id) => exists(id, state.step));
  const ids = made.length > doc.sites.most ? [] : made;
  const what = ids.length === 0 ? "ranks:" + r.ranks : (ids.length > 1 ? "comms:" : "comm:") + ids;
  const chosen = `${state.kind}:${state.what}` === what;
  const [place, ...cells] = r.cells.map((column) => text(column[change]));
  const button = attrs(act(ids.length === 0 ? `${what}:${i}` : what, "name", place), { "aria-pressed": `${chosen}` });
  return el("tr", `${chosen ? "lit" : ""}${r.leaks[change] ? " alarm" : ""}`, attrs(el("th", "", button), { scope: "row" }), ...cells.map((c) => el("td", "", c)));
}

function drawSites() {
  const pane = $("sites");
  pane.hidden = !doc.sites;
  if (pane.hidden) return;
  const { note, head } = doc.sites;
  const rows = [];
  let leaks = false;
  for (let i = 0; i < doc.sites.rows.length; i++) {
    const change = changeOf(i, state.step);
    if (change < 0) continue;
    leaks ||= placeOf(i).leaks[change] === 1;
    rows.push(siteRow(i, change));
  }
  const said = attrs($("sites-note"), { class: leaks ? "alarm" : null });
  said.textContent = text(since(note, state.step).text);
  const heads = head.map((w) => attrs(el("th", "", text(w)), { scope: "col" }));
  const table = el("table", "", el("thead", "", el("tr", "", ...heads)), el("tbody", "", ...rows));
  renew(pane.querySelector(".body"), [attrs(table, { "aria-labelledby": "sites-name" })]);
}
drawers.push(drawSites);
