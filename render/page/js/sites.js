// sites.js: the pane with the places of the program that made or freed communicators, by the end of the session.

/** A place: the button selects what it made until now, or the ranks that called there. */
function siteRow(r, i) {
  const ids = unpack(r.comms).filter((id) => exists(id, state.step));
  const what = ids.length === 0 ? "ranks:" + unpack(r.ranks) : (ids.length > 1 ? "comms:" : "comm:") + ids;
  const chosen = `${state.kind}:${state.what}` === what;
  const [place, ...cells] = r.cells.map(text);
  const button = attrs(act(ids.length === 0 ? `${what}:${i}` : what, "name", place), { "aria-pressed": `${chosen}` });
  const row = el("tr", `${chosen ? "lit" : ""}${r.leaks ? " alarm" : ""}`, attrs(el("th", "", button), { scope: "row" }), ...cells.map((c) => el("td", "", c)));
  row.addEventListener("click", (e) => e.target.closest("button") ?? button.click());
  return row;
}

/** What the end shows would answer a question that is open. */
function drawSites() {
  const pane = $("sites");
  pane.hidden = !doc.sites || gate() !== null;
  if (pane.hidden) return;
  const { note, head, rows } = doc.sites;
  const said = attrs($("sites-note"), { class: rows[0].leaks ? "alarm" : null });
  said.textContent = text(note);
  const heads = head.map((w) => attrs(el("th", "", text(w)), { scope: "col" }));
  const table = el("table", "", el("thead", "", el("tr", "", ...heads)), el("tbody", "", ...rows.map(siteRow)));
  pane.querySelector(".body").replaceChildren(attrs(table, { "aria-labelledby": "sites-name" }));
}
drawers.push(drawSites);
