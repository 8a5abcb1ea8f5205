// begin.js: starts the playground: the keys that it adds, the engine, and the session that the address asks for.

always[6] = () => $("log").focus();
always[":"] = always.i = () => line.focus();
always.z = () => runLine(".undo");
always.Z = () => runLine(".redo");
keys.splice(keys.findIndex(([k]) => k.startsWith("1 2")), 1, ["1 2 3 4 5 6", "hardware, communicators, ranks, why, trace, session"]);
keys.unshift([":", "type a line; Esc leaves it"], ["z Z", "undo the last line, redo it"],
  ["Tab", "at the line: complete the word; on an empty line the next control"], ["↑ ↓", "at the line: older and newer lines"],
  ["Ctrl-C", "at the line: stop what runs, or discard the line"]);

/** What of an address says which session it is; the rest is for the moment that shows. */
function sessionOf(hash) {
  return hash.replace(/^#/, "").split("&").filter((p) => p && !["embed", ...momentKeys].includes(p.split("=")[0])).join("&");
}

/** Opens the session of the address, if it is another one, and shows the moment that it names. */
async function followAddress() {
  const address = location.hash;
  const link = sessionOf(address);
  const begins = !doc && !link;
  if (!doc || link !== sessionOf("#" + session.link)) await openLink(begins ? document.body.dataset.first : link);
  if (begins || session.script && !session.exercise) goTo(0);
  if (momentKeys.some((key) => address.slice(1).split("&").some((p) => p.startsWith(key + "=")))) {
    history.replaceState(null, "", address);
    readLink();
  } else if (begins) playOrPause();
}

document.body.classList.toggle("embed", embedded !== "");

/** Starts, and tells what is wrong if that fails. */
async function begin() {
  if (location.protocol === "file:") throw new Error("a page from a file gets no engine: serve this folder, for example with python3 -m http.server");
  await followAddress();
  $("opening").remove();
  $("first").remove();
  makeTools();
  fitTools();
  if (!$("log").textContent) log({ kind: "out", text: 'Try "half = split world color=rank%2", .explain half @3, .help; the panes above show what comes.' });
  draw();
  if (!matchMedia("(pointer: coarse)").matches && gate() === null && !state.pane) line.focus({ preventScroll: true });
  performance.mark("prompt");
  addEventListener("hashchange", () => followAddress().catch(failed));
}

function failed(e) {
  const at = $("opening") ?? document.querySelector("#log");
  at.append(el("p", "alarm", "error: " + e.message));
}

begin().catch(failed);
