// why.js: the pane that explains what is selected, or the present step.

/** The explanations of a variable after a step. */
function whyHeld(h) {
  const at = since(doc.handles[h].why, state.step);
  at.list ??= unpack(at.ranks);
  return at;
}

/** Why ranks hold what they hold in the variable that shows: the reason for one rank, or all reasons. */
function aboutRanks(ranks) {
  const h = shown();
  const why = whyHeld(h);
  if (ranks.length === 1) {
    const r = ranks[0];
    return [waitOf(r) && waitRow(waitOf(r)), told(why.list[r], r, cellOf(h, r, state.step).rank, state.step), passedBy(r)];
  }
  const wanted = new Set(ranks);
  const found = why.reasons.filter((id) => unpack(doc.tellings[id].ranks).some((r) => wanted.has(r)));
  const some = found.slice(0, 12);
  const out = some.map((id, i) => told(id, -1, -1, state.step, !some.slice(i + 1).some((o) => doc.tellings[o].rule === doc.tellings[id].rule)));
  if (found.length > some.length) out.push(el("p", "quiet", `… and ${found.length - some.length} more reasons; choose some of the ranks`));
  else if (why.rest) out.push(el("p", "quiet", text(why.rest)));
  return out;
}

/** What a rank passed to the present call. */
function passedBy(rank) {
  const list = passedIn(state.step).filter((c) => c.at(rank)).map((c) => `${c.name}=${c.at(rank)}`);
  return list.length ? el("p", "quiet", `to the call of step ${state.step} it passed `, el("b", "", list.join("  "))) : null;
}

/** Some ranks that wait, and for whom. */
function waitRow(w) {
  return el("div", "wait", el("p", "", el("b", "alarm", text(w.who)), ` ${text(w.what)}  `, el("span", "quiet", text(w.site))),
    el("p", "", attrs(el("span", "arrow", "└▶ "), { "aria-hidden": "true" }), "for ", el("b", "", text(w.whom)), text(w.doing)));
}

/** Who waits for whom now, then the diagnosis. */
function aboutDeadlock() {
  const { picture, text: diagnosis } = lock();
  return [el("h3", "alarm", "DEADLOCK"), scene(picture, whyColumn(picture.w), {}), el("p", "", text(diagnosis))];
}

/** The rank from whose side intercommunicators are seen: the one selected last. */
let viewer = -1;

function aboutComm(id) {
  const row = { ...doc.rows.find((r) => r.comms[0] === id && r.comms.length === 3 && r.comms[2] === 1), comms: [commAt.get(id)] };
  const said = saying(id, state.step);
  const h = holder(id, shown(), state.step);
  const m = h > 0 ? marked(id) : none;
  const stale = !said.stale ? null : el("p", "alarm", text(said.stale));
  const head = el("h3", "", ...(m.name ? [badge(m.name, m.slot), " "] : []), text(said.head));
  return [head, el("p", "", text(said.made)), stale, lane(row, h, Math.floor((document.querySelector("#why .body").clientWidth - 24) / laneColumn()), viewer)];
}

/** Several communicators of one call, a line each. */
function aboutComms(ids) {
  const most = 100;
  const h = shown();
  const rows = ids.slice(0, most).map((id) => {
    const m = h > 0 && parts(h, state.step).has(id) ? marked(id) : none;
    const c = commAt.get(id);
    return el("li", "", m.name ? badge(m.name, m.slot) : null, act("comm:" + id, "cell", commName(id, state.step)), " ",
      text(c.size), "  ", el("span", "quiet", groups(id).map((g) => rankNoun([...g].sort((a, b) => a - b))).join(" | ")));
  });
  const n = ids.reduce((sum, id) => sum + groups(id).flat().length, 0);
  return [el("h3", "", `${ids.length} communicators that ${text(commAt.get(ids[0]).op)} made, of ${n} ranks in all`), el("ul", "", ...rows),
    ids.length > most ? el("p", "quiet", `… and ${ids.length - most} more`) : null];
}

function aboutObject(i) {
  const g = groundAt(state.step);
  const [label, also, ...lines] = g.said[i].map(text);
  const worse = !g.worse[i] ? null : el("p", "alarm", text(g.worse[i]));
  return [el("h3", "", label, el("span", "quiet", also)), ...lines.map((t) => el("p", "", t)), worse];
}

/** A variable: its communicators, and why ranks hold what they hold. */
function aboutHandle(h) {
  const all = Array.from({ length: doc.size }, (_, r) => r);
  return [el("h3", "", "variable ", el("b", "", doc.handles[h].name)), legend(h), ...aboutRanks(all)];
}

/** The communicators of a variable, a line each. */
function legend(h) {
  const list = [...parts(h, state.step)];
  const most = 20;
  const rows = list.slice(0, list.length > most ? most - 1 : most).map((id) => el("li", "",
    badge(marked(id).name, marked(id).slot), id === 1 ? "self" : act(`comm:${id}:${h}`, "cell", commName(id, state.step)),
    el("span", "", id === 1 ? "each rank alone in its own MPI_COMM_SELF" : text(commAt.get(id).size)),
    id === 1 ? null : el("span", "quiet", [text(saying(id, state.step).short), text(saying(id, state.step).state)].filter(Boolean).join("  "))));
  for (const { sign, words, ranks } of without(h, state.step)) rows.push(el("li", "", el("span", "badge none", sign), words, el("span", "", rankNoun(ranks))));
  if (list.length > most) rows.push(el("li", "quiet", `… and ${list.length - most + 1} more communicators`));
  return attrs(el("ul", "legend", ...rows), { "aria-label": "communicators of " + doc.handles[h].name });
}

/** The pixels of a column, for a picture of so many columns in this pane. */
function whyColumn(columns) {
  const body = document.querySelector("#why .body");
  return Math.max(5, Math.min(.5 * parseFloat(getComputedStyle(body).fontSize), (body.clientWidth - 24) / columns));
}

/** The present step: the call, its result, and the lines after it. */
function aboutStep() {
  const s = doc.steps[state.step - 1];
  const out = [];
  if (s) {
    out.push(el("h3", "", text(s.text)));
    out.push(...s.source.map((w) => el("pre", "source", text(w))), state.spelled && state.tongue ? spellings() : null);
    if (s.args) out.push(el("p", "args", text(s.args)));
    if (s.error) out.push(el("p", "alarm", text(s.error)));
    if (s.picture) out.push(scene(s.picture, whyColumn(s.picture.w), {}));
  } else if (state.stop === 0) out.push(el("h3", "", lastStop ? "Start: no call yet." : "No MPI call was made."));
  const { start, end, lock } = stops[state.stop];
  out.push(...(lock?.line ? saidAt(state.step, 0, start) : saidAt(state.step, start, end)));
  if (state.stop === 0 && lastStop && gate() === null) out.push(el("p", "quiet", "▶ goes a step forward. Choose a rank, a communicator, a variable or a part of the hardware, and this pane explains it."));
  const nulls = handlesAt(state.step).filter((h) => h !== shown() && heldSince(h, state.step) === state.step && !parts(h, state.step).size);
  for (const h of nulls) out.push(el("p", "", "variable ", el("b", "", doc.handles[h].name)), legend(h));
  if (shown() > 0) out.push(legend(shown()));
  return out;
}

/** How it ended, at the last step. */
function aboutEnd() {
  if (state.stop < lastStop || gate() !== null) return [];
  return [...(lock()?.text ? aboutDeadlock() : doc.end.length ? [el("pre", "alarm end", doc.end.join("\n"))] : []),
    el("p", "quiet", doc.verdict.join("; "))];
}

/** The lines of the present call in each language. While a question is open, lines that also made calls of the answer do not show. */
function spellings() {
  const s = doc.steps[state.step - 1];
  const head = attrs(el("h3", "", "The lines of this call"), { id: "spelled-name" });
  const out = (...kids) => attrs(el("section", "spelled", head, ...kids), { "aria-labelledby": "spelled-name" });
  if (!s) return out(el("p", "quiet", "No call was made yet."));
  if (!s.spelled) return out(el("p", "quiet", "The lines of this call are not available."));
  if (gate() !== null && s.until > gate().from) return out(el("p", "quiet", "These lines would give away the answer to the open question."));
  return out(el("dl", "", ...doc.spelled[s.spelled].filter((x) => !state.tongue || text(x.in) === state.tongue).flatMap((x) => [el("dt", "", text(x.in)),
    el("dd", "", x.unsaid ? el("p", "quiet", text(x.text)) : el("pre", "source", text(x.text)))])));
}

/** The exercise as it stands, as Go put it into words, while nothing later shows. */
function exercise() {
  if (!doc.exercise || state.stop < lastStop) return [];
  return doc.exercise.rows.map(([look, words, telling, rank]) => (telling ? told(telling, rank, -1)
    : el(/title/.test(text(look)) ? "h3" : /source/.test(text(look)) ? "pre" : "p", text(look), text(words))));
}

let read = ""; // what was told last of the exercise, and was scrolled to

settlers.push(() => {
  const last = document.querySelector("#why .fresh");
  if (last && last.textContent !== read) intoSight(document.querySelector("#why .body"), last);
  read = last?.textContent ?? read;
});

function explanation() {
  switch (state.kind) {
    case "rank": case "ranks": return aboutRanks([state.what].flat());
    case "comm": return aboutComm(state.what);
    case "comms": return aboutComms(state.what);
    case "object": return aboutObject(state.what);
    case "handle": return aboutHandle(state.what);
  }
  if (asks()) return [toldHere(), ...aboutStep()];
  if (doc.exercise && lastStop === 0) return exercise();
  if (state.stop === lastStop) return [...exercise(), ...(lock()?.text ? [...aboutEnd(), ...aboutStep()] : [...aboutStep(), ...aboutEnd()])];
  return lock() ? [...aboutDeadlock(), ...aboutStep()] : aboutStep();
}

function drawWhy() {
  if (state.kind === "rank") viewer = state.what;
  const before = $("prediction");
  renew(document.querySelector("#why .body"), [...explanation().filter(Boolean), ...(state.spelled && !(state.tongue && state.kind === "") ? [spellings()] : [])]);
  renew($("asked"), state.kind === "" && asks() ? [question()] : []);
  const now = $("prediction");
  if (before && now?.dataset.at === before.dataset.at) now.value = before.value;
}
drawers.push(drawWhy);
