// choose.js: the bar of the session, and what stands in front: lists to choose from, the world, exports.

/** Opens the session of a link of a list. */
async function openChosen(link) {
  $("choose").close();
  await openLink(link);
  if (session.script && !session.exercise) {
    goTo(0);
    focusWhy();
  } else line.focus();
}

$("tools").addEventListener("click", ({ target: { id, dataset } }) => {
  if (session.busy) return;
  if (dataset.front) front(dataset.front);
  else if (dataset.line) runLine(dataset.line);
  else if (id === "copy") copyLink();
  else if (id === "lesson") backToLesson();
});
document.addEventListener("click", ({ target }) => {
  const b = target.closest("[data-link]");
  if (b && !session.busy) openChosen(b.dataset.link);
});

function makeTools() {
  $("say").after($("tongues"));
  for (const id of ["tools", "session", "tongues"]) $(id).hidden = false;
  $("tongue").value = memory("tongue") ?? "";
  if ($("tongue").value) speak();
}

/** Shows what only an exercise, or only a lesson that was left, has. */
function fitTools() {
  for (const id of ["check", "hints", "solution"]) $(id).hidden = !session.exercise;
  $("lesson").hidden = session.until === null;
}

/** Has each line said in the chosen language, too: in the log, and each call in the pane Why. The choice stays. */
function speak() {
  session.say = $("tongue").value;
  change({ spelled: Boolean(session.say), tongue: session.say && $("tongue").selectedOptions[0].text });
}

$("tongue").addEventListener("change", () => {
  memory("tongue", $("tongue").value);
  speak();
  announce(session.say ? "lines are also translated to " + state.tongue : "lines are shown as typed");
});

/** Shows a part of the dialog in front. */
function front(name) {
  $("choose-name").textContent = name;
  for (const part of $("choose").querySelectorAll("section")) part.hidden = part.dataset.of !== name;
  for (const b of $("choose").querySelectorAll("[data-link]")) {
    const script = b.dataset.link.split("=")[1];
    b.classList.toggle("lit", script === session.script);
    b.lastElementChild.textContent = solved().includes(script) ? "✓ solved" : "";
  }
  [$("ranks-wanted").value, $("topo-wanted").value] = [session.size, session.topology];
  $("of-handle").replaceChildren(option("", "the last one"), ...session.handles.map((h) => option(h, h)));
  fitExport();
  $("choose").showModal();
}

const option = (value, name) => attrs(el("option", "", name), { value });

/** What this browser remembers of the playground; a value is remembered from now on. A page in a frame may be given no memory. */
function memory(what, value) {
  try {
    if (value !== undefined) localStorage.setItem("commsplit " + what, JSON.stringify(value));
    return JSON.parse(localStorage.getItem("commsplit " + what));
  } catch {
    return null;
  }
}

/** The exercises that were solved in this browser. */
const solved = () => memory("solved") ?? [];

$("fresh").addEventListener("submit", async (e) => {
  e.preventDefault();
  $("choose").close();
  takeAnswer(await ask({ verb: "world", ranks: Number($("ranks-wanted").value), text: $("topo-wanted").value }));
  line.focus();
});

/** Shows the fields that the chosen format has. */
function fitExport() {
  const format = $("format").selectedOptions[0].dataset;
  for (const field of $("save").querySelectorAll("[data-of]")) field.hidden = !format[field.dataset.of];
  $("unsaved").textContent = "";
  return format;
}

$("format").addEventListener("change", fitExport);
$("save").addEventListener("submit", async (e) => {
  e.preventDefault();
  const { handle, picture, from } = fitExport();
  const of = (has, what) => (has ? $("of-" + what).value : "");
  const answer = await ask({ verb: "export", to: from ?? $("format").value, handle: of(handle, "handle"), picture: of(picture, "picture"), theme: of(picture, "theme") });
  if (answer.error) return void ($("unsaved").textContent = answer.error);
  if (from) for (const file of answer.files) await rasterize(file);
  for (const file of answer.files) download(file);
  $("choose").close();
  announce("downloaded " + answer.files.map((f) => f.name).join(" and "));
});

/** Makes a file of a picture in SVG one in PNG, with two pixels for each of its own. */
async function rasterize(file) {
  const image = new Image();
  image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(file.text);
  await image.decode();
  const canvas = attrs(el("canvas"), { width: 2 * image.width, height: 2 * image.height });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  file.text = await new Promise((done) => canvas.toBlob(done, "image/png"));
  [file.type, file.name] = ["image/png", file.name.replace(/\.svg$/, ".png")];
}

function download(file) {
  const address = URL.createObjectURL(new Blob([file.text], { type: file.type }));
  attrs(el("a"), { href: address, download: file.name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60000);
}

/** Copies the address of the present session and moment; where that is not allowed, shows it to be copied. */
async function copyLink() {
  writeLink();
  try {
    await navigator.clipboard.writeText(location.href);
    announce("the link is copied");
    $("copy").textContent = "copied";
    setTimeout(() => ($("copy").textContent = "copy link"), 2000);
  } catch {
    front("Link");
    $("address").value = location.href;
    $("address").select();
  }
}
