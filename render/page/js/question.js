// question.js: questions wait for a prediction; what answers one does not show before.

/** All questions in order, with the moment after which each stands. */
let questions;
readers.push(() => {
  questions = doc.moments.flatMap((m, at) => m.said.flatMap((l, i) => (l.kind === "ask" ? [{ line: l, at, index: i, from: l.from }] : [])));
  for (const q of questions) q.line.key = `${q.at}:${q.index}:${text(q.line.text)}`; // the same in a document that goes on
});

/** The first question that is not answered; null when none is left. */
function gate() {
  return questions.find((q) => !state.answered.has(q.line.key)) ?? null;
}

/** The last stop that may show while a question is open: it tells nothing of the answer. */
const before = (q) => stops.findLastIndex((s) => s.step <= q.from && (s.step < q.at || s.start <= q.index));
const latest = () => (gate() === null ? lastStop : before(gate()));

/** Passes the questions before a stop that a link leads to. */
function passQuestions(stop) {
  for (const q of questions) if (before(q) < stop) state.answered.set(q.line.key, "");
}

/** The words of a prediction, as Go reads them: see answerWords. */
function answerWords(said) {
  const { phrases, word, span, longest, spoken } = doc.rules;
  let plain = said.toLowerCase();
  for (const [pattern, other] of phrases) plain = plain.replace(new RegExp(pattern, "gu"), other);
  plain = plain.replace(new RegExp(span, "gu"), (numbers) => {
    const [low, high] = numbers.split("-").map(Number);
    if (high < low || high - low >= longest) return numbers;
    return Array.from({ length: high - low + 1 }, (_, k) => low + k).join(" ");
  });
  const all = [...plain.matchAll(new RegExp(word, "gu"))].map(([w]) => w);
  const words = all.map((w) => (Object.hasOwn(spoken, w) ? spoken[w] : w)).filter(Boolean);
  return words.length ? words : all;
}

/** Whether a prediction is right, by the judge of its question. */
function isRight(judge, said) {
  const words = answerWords(said);
  if (judge.means) return judge.means.includes(words[0]) && !words.some((w) => judge.against.includes(w));
  if (judge.set) words.sort();
  return words.join(" ") === (judge.words ?? []).join(" ");
}

/** The verdict on a prediction. */
function verdictOf(l) {
  const said = state.answered.get(l.key);
  const answer = text(l.verdict) + (l.why ? ` ${text(l.why)}` : "");
  if (!said) return answer;
  if (!l.judge) return `You said ${said}. Compare: ${answer}`;
  if (isRight(l.judge, said)) return `Right: ${text(l.answer)}.`;
  return `You said ${said}. ${answer}`;
}

/** The verdict on the prediction before, where the next question follows at once. */
function toldHere() {
  const { step, start, end } = stops[state.stop];
  const line = doc.moments[step].said.slice(start, end).find((l) => l.key && l.key === state.told);
  return line ? saidLine(line, true) : null;
}

/** Whether a question is open at the present stop. */
const asks = () => gate() !== null && state.stop >= latest();

/** The form of the question that is open. */
function question() {
  const q = gate();
  const input = attrs(el("input"), { id: "prediction", "data-at": questions.indexOf(q), type: "text", autocomplete: "off", "aria-describedby": "prediction-hint" });
  const form = el("form", "question", ...(q.line.lines ?? []).map((w) => el("pre", "source", text(w))), attrs(el("label", "", "? " + text(q.line.text)), { for: "prediction" }),
    el("div", "", input, attrs(el("button", "", "Answer"), { type: "submit" })), attrs(el("p", "quiet", "Enter alone shows the answer."), { id: "prediction-hint" }));
  form.addEventListener("submit", (e) => {
    e.preventDefault();
    state.answered.set(q.line.key, input.value.trim());
    change({ told: q.line.key, stop: Math.max(state.stop, stopAt(q.at, q.index)), kind: "", what: null });
    announce(verdictOf(q.line));
    document.querySelector("#why .body").scrollTop = 0;
    focusWhy();
  });
  return form;
}
