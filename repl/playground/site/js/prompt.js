// prompt.js: the line that is typed: keys, history, completion, and what the line is about.

const line = $("line");
let proposals = null; // of Tab: {before, options, at, after}
let checked = 0; // the latest request for a hint

function setSign(prompt, pending) {
  $("sign").textContent = prompt;
  $("sign").classList.toggle("pending", Boolean(pending));
}

function setLine(text, cursor = text.length) {
  line.value = text;
  line.setSelectionRange(cursor, cursor);
  typed();
}

/** After every change: the height, the hint; proposals end. */
function typed() {
  line.rows = Math.min(8, line.value.split("\n").length);
  proposals = null;
  hintLater();
}

/** What the line is about, once typing pauses: a mistake under its place, else the verb and its parameter. */
function hintLater() {
  const mine = ++checked;
  if (!line.value.trim() || line.value.includes("\n")) return void ($("hint").textContent = "");
  setTimeout(async () => {
    if (mine !== checked || session.busy) return;
    const text = line.value;
    const { mistake, hint } = await engine.ask({ verb: "check", text }).catch(() => ({}));
    if (mine !== checked) return;
    const whole = text.slice(0, text.lastIndexOf(" ") + 1).trimEnd().length; // a word that is being typed may become right
    if (mistake && mistake.at < whole) {
      $("hint").replaceChildren(el("span", "alarm", " ".repeat([...$("sign").textContent].length + mistake.at) + "^ " + mistake.text));
    } else $("hint").replaceChildren(el("span", "quiet", hint ?? ""));
  }, 120);
}

/** Completes the word before the cursor; Tab again goes from one proposal to the next. */
async function complete() {
  if (proposals) return propose((proposals.at + 1) % proposals.options.length);
  const cursor = line.selectionEnd;
  const [before, after] = [line.value.slice(0, cursor), line.value.slice(cursor)];
  const head = before.slice(before.lastIndexOf("\n") + 1);
  const answer = await ask({ verb: "complete", text: head });
  if (line.value.slice(0, cursor) !== before) return;
  const options = answer.options ?? [];
  if (!options.length) return proposed("nothing to complete");
  const above = before.slice(0, before.length - head.length);
  const now = above + (after ? answer.line.trimEnd() : answer.line);
  setLine(now + after, now.length);
  if (options.length > 1) proposals = { kept: above + [...head].slice(0, answer.start ?? 0).join(""), options, at: -1, after };
  proposed(options.join("  "));
}

function propose(at) {
  const p = proposals;
  p.at = at;
  line.value = p.kept + p.options[at] + p.after;
  const cursor = p.kept.length + p.options[at].length;
  line.setSelectionRange(cursor, cursor);
  proposed(p.options[at], p.options);
}

/** Tells proposals below the line, and to those who do not see it. */
function proposed(now, all) {
  checked++;
  $("hint").replaceChildren(...(all ? all.flatMap((o) => [el(o === now ? "b" : "span", o === now ? "" : "quiet", o), "  "]) : [el("span", "quiet", now)]));
  $("proposals").textContent = now;
}

/** Shows an older line that begins with the draft, or a newer one. */
function recall(by) {
  if (older.at === older.list.length) older.draft = line.value;
  for (let k = older.at + by; k >= 0 && k <= older.list.length; k += by) {
    const text = k === older.list.length ? older.draft : older.list[k];
    if (k < older.list.length && (!text.startsWith(older.draft) || text === line.value)) continue;
    setLine(text);
    older.at = k;
    return;
  }
}

async function enter() {
  const text = line.value;
  if (!text.trim() && !$("sign").classList.contains("pending") || session.busy) return;
  line.value = "";
  typed();
  await runLine(text);
}

const oneLine = (up) => (up ? !line.value.slice(0, line.selectionStart).includes("\n") : !line.value.slice(line.selectionEnd).includes("\n"));

line.addEventListener("input", () => {
  older.at = older.list.length;
  typed();
});
line.addEventListener("keydown", (e) => {
  if (e.isComposing) return;
  const plain = !e.shiftKey && !e.ctrlKey && !e.altKey && !e.metaKey;
  if (e.key === "Enter" && !e.shiftKey) enter();
  else if (e.key === "Tab" && plain && line.value.trim()) complete();
  else if (e.key === "ArrowUp" && plain && oneLine(true)) recall(-1);
  else if (e.key === "ArrowDown" && plain && oneLine(false)) recall(1);
  else if (e.key === "c" && e.ctrlKey && line.selectionStart === line.selectionEnd) giveUp();
  else if (e.key === "Escape" && session.busy) engine.stop();
  else return;
  e.preventDefault();
  e.stopPropagation();
});

/** Stops the line that runs, or gives up what was begun. */
async function giveUp() {
  if (session.busy) return engine.stop();
  setLine("");
  const answer = await ask({ verb: "forget" });
  setSign(answer.prompt, answer.pending);
}

$("prompt").addEventListener("submit", (e) => {
  e.preventDefault();
  enter();
});
$("stop").addEventListener("click", () => {
  engine.stop();
  line.focus();
});
