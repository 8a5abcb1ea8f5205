// told.js: explanations, as Go put them into words, laid out. No text is made here.

const orderRows = 16; // of a sorted table; longer ones are folded around the rank they are about

/** An explanation. rank: the world rank that it explains, -1 for several; place: the rank in the communicator. */
function told(id, rank, place, step, rule = true) {
  const t = doc.tellings[id];
  const head = text(t.head).replace("{w}", rank).replace("{r}", place);
  const list = el("dl");
  for (let i = 0; i < t.facts.length; i += 2) list.append(el("dt", "", text(t.facts[i])), el("dd", "", text(t.facts[i + 1])));
  const tried = t.tried ?? [];
  if (tried.length) {
    const rows = el("ul", "tried");
    for (let i = 0; i < tried.length; i += 2) rows.append(el("li", "", el("span", "quiet", text(tried[i])), "  " + text(tried[i + 1])));
    list.append(el("dt", "", "tried"), el("dd", "", rows));
  }
  if (t.order) list.append(el("dt", "", "order"), el("dd", "", orderTable(doc.orders[t.order], rank)));
  if (rule && t.rule) list.append(el("dt", "", "rule"), el("dd", "rule", text(t.rule)));
  const out = el("div", "told", el("h3", "", head), list);
  if (t.of) out.append(told(t.of, rank, place, step));
  return out;
}

/** Which of n rows show: all, or the first ones, the last one and those around the focus. */
function around(n, focus) {
  const list = [];
  for (let i = 0; i < n; i++) {
    const near = focus < 0 ? i < orderRows - 3 : Math.abs(i - focus) <= 3;
    if (n <= orderRows || i < 2 || i === n - 1 || near) list.push(i);
  }
  return list;
}

/** The ranks of a communicator sorted by key and old rank; "tie" marks where the old rank decides. */
function orderTable(o, rank) {
  const [key, old, world] = [unpack(o.key), unpack(o.old), unpack(o.world)];
  const body = el("tbody");
  const focus = rank < 0 ? -1 : world.indexOf(rank);
  let before = -1;
  for (const i of around(world.length, focus)) {
    if (i > before + 1) body.append(el("tr", "", el("td"), attrs(el("td", "quiet", `⋮ ${i - before - 1} more`), { colspan: 5 })));
    before = i;
    const tie = key[i] === key[i - 1] || key[i] === key[i + 1];
    body.append(el("tr", i === focus ? "focus" : "", el("td", "", i === focus ? "▸" : ""), el("td", "", `${i}`),
      el("td", "", `${key[i]}`), el("td", "", `${old[i]}`), el("td", "", `${world[i]}`), el("td", "quiet", tie ? "tie" : "")));
  }
  const head = ["", "new", "key", "old", "world", ""].map((t) => (t ? attrs(el("th", "", t), { scope: "col" }) : el("td")));
  return el("table", "order", el("thead", "", el("tr", "", ...head)), body);
}
