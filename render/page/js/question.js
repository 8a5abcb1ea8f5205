// question.js: questions wait for a prediction; what answers one does not show before.

/** All questions in order, with the moment after which each stands. */
const questions = doc.moments.flatMap((m, at) => m.said.filter((l) => l.kind === "ask").map((l) => ({ line: l, at, from: l.from })));

/** The first question that is not answered; null when none is left. */
function gate() {
  return questions.find((q) => !state.answered.has(q.line)) ?? null;
}

/** The last step that may show. */
const latest = () => gate()?.from ?? lastStep;

/** Questions before a step that a link leads to are passed. */
function passQuestions(step) {
  for (const q of questions) if (q.from < step) state.answered.set(q.line, "");
}

/** What came of a prediction. */
function verdictOf(l) {
  const said = state.answered.get(l);
  return (said ? `You said ${said}. ` : "") + text(l.verdict);
}

/** The question that is open at the present step. */
function questionHere() {
  const q = gate();
  if (q === null || state.step < q.from) return null;
  const input = attrs(el("input"), { id: "prediction", type: "text", autocomplete: "off", "aria-describedby": "prediction-hint" });
  const form = el("form", "question", attrs(el("label", "", "? " + text(q.line.text)), { for: "prediction" }),
    el("div", "", input, attrs(el("button", "", "Answer"), { type: "submit" })),
    attrs(el("p", "quiet", "Type what you expect; Enter alone tells the answer."), { id: "prediction-hint" }));
  form.addEventListener("submit", (e) => {
    e.preventDefault();
    state.answered.set(q.line, input.value.trim());
    change({ step: Math.max(state.step, q.at), kind: "", what: null });
    announce(verdictOf(q.line));
    $("why").querySelector(".body").focus({ preventScroll: true });
  });
  return form;
}
