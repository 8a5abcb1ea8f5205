// trace.js: the pane with the calls in order, and what was said between them.

/** A line about an event between the calls. */
function saidLine(l, answered) {
  switch (l.kind) {
    case "note": return el("p", "note", "· " + text(l.text));
    case "typed": return el("pre", "source", text(l.text));
    case "called": return el("p", "", text(l.text));
    case "drawn": return el("div", "drawn", el("code", "quiet", text(l.who)), attrs(el("pre", "", text(l.text)), { tabindex: "0" }));
    case "lock": return attrs(act("stop:" + stops.findIndex((s) => s.lock?.line === l), "lock", el("span", "alarm", text(l.text))),
      { "aria-current": lock()?.line === l ? "step" : null });
    case "ask": return el("p", "note ask", "? " + text(l.text), answered ? el("b", "verdict", verdictOf(l)) : null);
    case "bad": return el("p", "bad", el("b", "alarm", text(l.text)), l.who ? el("span", "quiet", "  " + text(l.who)) : null,
      l.verdict ? el("code", "", text(l.verdict)) : null);
  }
  return el("p", "out", el("span", "quiet", `[${text(l.who)}] `), text(l.text));
}

/** Some of the lines after a step, up to a question that is not answered yet. */
function saidAt(step, start = 0, end = Infinity) {
  const out = [];
  for (const l of doc.moments[step].said.slice(start, end)) {
    if (l.kind === "ask" && !state.answered.has(l.key)) break;
    if (out.length === 40) {
      out.push(el("p", "quiet", "... and more"));
      break;
    }
    out.push(saidLine(l, true));
  }
  return out;
}

/** A step: a button that leads there. */
function stepRow(k) {
  const s = doc.steps[k - 1];
  const here = state.step === k;
  const b = act("step:" + k, "step", el("span", "number", `${k}`), el("span", "call",
    k === 0 ? "The beginning" : el("span", "", text(s.text)), ...(s ? s.source.slice(0, 2).map((w) => el("code", "", text(w).split("\n")[0])) : []),
    s && s.args ? el("span", "quiet args", text(s.args)) : null, s && s.error ? el("span", "alarm", text(s.error)) : null));
  return attrs(b, { "aria-current": here ? "step" : null });
}

/** Whether a call has to do with the selection. */
function concerns(k) {
  const s = doc.steps[k - 1];
  if (!s || litRanks === null) return false;
  if (state.kind === "comm") return s.comm === state.what || unpack(s.made).includes(state.what);
  return state.kind === "rank" && unpack(s.ranks).includes(state.what);
}

function drawTrace() {
  const list = el("ol");
  const end = gate();
  for (let k = 0; k <= lastStep; k++) {
    if (end !== null && k > end.from) {
      list.append(el("li", "quiet", "the next step answers the question"));
      break;
    }
    list.append(el("li", `${k === state.step ? "here" : ""}${k > state.step ? " later" : ""}${concerns(k) ? " lit" : ""}`, stepRow(k), ...saidAt(k)));
  }
  if (end === null && (doc.deadlock || doc.end.length)) {
    list.append(el("li", "bad" + (state.step < lastStep ? " later" : ""), doc.deadlock ? el("b", "alarm", text(doc.deadlock)) : el("pre", "alarm end", doc.end.join("\n"))));
  }
  if (end === null) list.append(el("li", "quiet", doc.verdict.join("; ")));
  renew(document.querySelector("#trace .body"), [list]);
}
drawers.push(drawTrace);
settlers.push(() => intoSight(document.querySelector("#trace .body"), document.querySelector("#trace .here")));
