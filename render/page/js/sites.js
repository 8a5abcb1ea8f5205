// sites.js: the pane with the places of the program that made or freed communicators until the step shown.

/** The index of the last change of a place up to a step; -1 before its first call. */
const changeOf = once((i, step) => placeOf(i).at.findLastIndex((s) => s <= step));

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
  const [place, ...cells] = r.cells.map((column) => text(column[change]));
  const button = act(ids.length === 0 ? `${what}:${i}` : what, "name", place);
  return el("tr", `${chosen(what) ? "lit" : ""}${r.leaks[change] ? " alarm" : ""}`, attrs(el("th", "", button), { scope: "row" }), ...cells.map((c) => el("td", "", c)));
}

function drawSites() {
  const pane = $("sites");
  pane.hidden = !doc.sites;
  if (pane.hidden) return;
  const { note, head } = doc.sites;
  const now = doc.sites.rows.map((_, i) => [i, changeOf(i, state.step)]).filter(([, change]) => change >= 0);
  const leaks = now.some(([i, change]) => placeOf(i).leaks[change] === 1);
  const said = attrs($("sites-note"), { class: leaks ? "alarm" : null });
  said.textContent = text(since(note, state.step).text);
  const heads = head.map((w) => attrs(el("th", "", text(w)), { scope: "col" }));
  const table = el("table", "", el("thead", "", el("tr", "", ...heads)), el("tbody", "", ...now.map((x) => siteRow(...x))));
  renew(pane.querySelector(".body"), [attrs(table, { "aria-labelledby": "sites-name" })]);
}
drawers.push(drawSites);
