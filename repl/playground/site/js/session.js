// session.js: the session of the page: what was typed and what came, and the link that opens it again.

const session = { link: "", script: "", title: "", size: 0, topology: "", handles: ["world"], busy: 0, menu: null, say: "" };
const embedded = /(^#|&)embed=1(&|$)/.test(location.hash) ? "embed=1&" : ""; // in a frame that shows no prompt
const older = { list: [], at: 0, draft: "" };

let measured = { width: 0, columns: 0 };

/** How many characters a line of the log has room for. */
function columns() {
  const room = $("log").clientWidth;
  if (measured.width === room) return measured.columns;
  const probe = el("span", "", "0".repeat(100));
  $("log").append(probe);
  const n = Math.floor((($("log").clientWidth - 24) / probe.getBoundingClientRect().width) * 100);
  probe.remove();
  measured = { width: room, columns: n };
  return n;
}

let arrangedFor = ""; // the area for which the engine arranged the hardware last

/**
 * The columns and lines that the pane of the hardware has room for, as JSON; null before it shows. In a narrow window they are
 * small, and some are left to the other panes.
 */
function area() {
  const column = Math.max(smallest, Math.min(7.5, room.wide / 64));
  const lines = room.high / column / 2 * (column < 7.5 ? .8 : 1);
  return JSON.stringify(room.wide > 1 && doc ? { columns: Math.floor(room.wide / column), lines: Math.floor(lines) } : null);
}

/** Has the hardware arranged for the window, once that has changed. Nobody waits for it: a line that is typed meanwhile comes behind it. */
async function arrange() {
  const now = area();
  if (session.busy || now === arrangedFor || now === "null") return;
  arrangedFor = now;
  const { page } = await engine.ask({ verb: "arrange", room: JSON.parse(now), has: doc.number }).catch(() => ({}));
  if (!page) return;
  take(page);
  change({});
}
settlers.push(() => setTimeout(arrange, 50));

/** Asks the engine. While it works for long, it can be stopped. */
async function ask(request) {
  const slow = setTimeout(() => works(true), 250);
  session.busy++;
  try {
    if (["open", "line", "world"].includes(request.verb)) arrangedFor = area();
    const answer = await engine.ask({ columns: columns(), room: JSON.parse(area()), has: doc?.number, say: session.say, ...request });
    if (answer.lost && request.verb !== "open") {
      await reopen();
      if (!answer.error) return ask(request); // the request has not ended it
    }
    return answer;
  } finally {
    clearTimeout(slow);
    if (--session.busy === 0) works(false);
  }
}

/** Shows whether a line runs. */
function works(is) {
  $("stop").hidden = !is;
  $("run").hidden = is;
  $("session").classList.toggle("busy", is);
}

/** Opens the session of a link; true when the engine has it. */
async function openLink(link) {
  const answer = await ask({ verb: "open", text: link });
  if (answer.error) throw new Error(answer.error);
  $("log").replaceChildren();
  state.answered.clear();
  state.folds.clear();
  state.alone = [];
  Object.assign(state, { kind: "", what: null, handle: -1, told: null });
  takeAnswer(answer);
  if (answer.again) setLine(answer.again);
}

/** Gives an engine that was stopped, or has lost the session, the lines again that had run. */
async function reopen() {
  const answer = await engine.ask({ verb: "open", text: session.link });
  if (answer.error) throw new Error(answer.error);
  takeAnswer({ ...answer, said: [] });
}

/** Shows what came of a line. */
function takeAnswer(a) {
  for (const s of a.said ?? []) log(s);
  $("session").classList.toggle("tall", (a.said ?? []).some((s) => s.kind !== "line" && s.text.split("\n").length > 3));
  if (a.error) log({ kind: "bad", text: a.error });
  keepLines(a.kept ?? []);
  if (a.prompt !== undefined) setSign(a.prompt, a.pending);
  if (!a.session) return;
  Object.assign(session, a.session, { script: a.session.script ?? "", until: a.session.until });
  session.exercise = Boolean(a.session.exercise);
  if (session.exercise) showTab("why");
  if (a.solved && !solved().includes(a.solved)) remember("solved", [...solved(), a.solved]);
  if ($("check")) fitTools();
  inAddress = embedded + session.link;
  document.querySelector("h1").textContent = session.title;
  document.title = session.title + " · commsplit playground";
  if (a.page) showPage(a.page);
  else writeAddress();
}

/** Shows a document: its last moment, up to a question that is open. */
function showPage(page) {
  const before = doc;
  take(page);
  const kept = state.handle > 0 && before ? doc.handles.findIndex((h) => h.name === before.handles[state.handle]?.name) : state.handle;
  change({ kind: "", what: null, handle: kept, stop: latest(), playing: false });
}

/** Writes the address of a session whose panes show nothing. */
function writeAddress() {
  history.replaceState(null, "", "#" + embedded + session.link);
}

/** Adds what was said to the log, which is read out. */
function log(s) {
  const row = s.kind === "line"
    ? el("pre", "typed", el("span", "quiet", s.prompt), el("b", "", s.text))
    : el("pre", s.kind, s.text.replace(/\n$/, ""));
  $("log").append(row);
  while ($("log").childElementCount > 500) $("log").firstChild.remove();
  if (!unseen) setTimeout(seeLog); // unless panes are drawn before
  unseen = true;
}

let unseen = false; // whether the log has what it was not scrolled to

/** Scrolls the log to its end, once the panes are drawn: the browser lays out once for all of them. */
function seeLog() {
  if (unseen) $("log").scrollTop = $("log").scrollHeight;
  unseen = false;
}
settlers.push(seeLog);

/** Keeps entries for the arrow keys. */
function keepLines(list) {
  for (const entry of list) if (entry.trim() && entry !== older.list.at(-1)) older.list.push(entry.replace(/\n+$/, ""));
  older.at = older.list.length;
}

/** Runs a line. A question that is open comes first. */
async function runLine(text) {
  if (gate() !== null && state.stop >= latest()) {
    log({ kind: "bad", text: "A question is open in the pane Why: answer it first. Enter alone shows the answer." });
    Object.assign(state, { kind: "", what: null });
    goTo(lastStop);
    return;
  }
  try {
    await leaveLesson(text);
  } catch (e) {
    return ended(e, text);
  }
  const start = performance.now();
  try {
    const answer = await ask({ verb: "line", text });
    performance.measure("engine", { start });
    takeAnswer(answer);
    performance.measure("line", { start }); // with the panes
  } catch (e) {
    await ended(e, text);
  }
}

/**
 * A call that is typed while an earlier step of a lesson shows is tried there: the session is the lesson up to that step
 * until the person goes back.
 */
async function leaveLesson(text) {
  if (!session.script || session.exercise || session.until !== undefined || state.stop >= lastStop || /^\s*\./.test(text)) return;
  const { step, answered } = state;
  const known = new Map(answered);
  const rows = [...$("log").childNodes];
  await openLink(`open=${encodeURIComponent(session.script)}&until=${step}`);
  state.answered = known;
  change({ stop: latest() });
  $("log").replaceChildren(...rows);
  log({ kind: "out", text: `This line is tried at step ${step}; the rest of the lesson has not run. "back to the lesson" goes on with it.` });
}

/** Opens the whole lesson again, at the step at which it was left. */
async function backToLesson() {
  const { until, script } = session;
  const answered = new Map(state.answered);
  await openLink("open=" + encodeURIComponent(script));
  state.answered = answered;
  goTo(stopOf(Math.min(until, lastStop)));
  focusWhy();
}

/** After a line that was stopped, or that ended the engine, the session is as before that line. */
async function ended(e, text) {
  if (text) log({ kind: "line", prompt: $("sign").textContent, text });
  log({ kind: "bad", text: e instanceof Ended ? "interrupted: the session is as it was before this line" : `error: ${e.message}` });
  keepLines([text]);
  try {
    await reopen();
  } catch (again) {
    log({ kind: "bad", text: `error: ${again.message}` });
  }
}
