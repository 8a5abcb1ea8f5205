// choose.js: the bar of the session, and the lists in front: lessons, the world, exports.

const tools = [
  ["lessons", "lessons", "", () => chooseLesson()],
  ["examples", "examples", "", () => chooseExample()],
  ["practice", "practice", "", () => choosePractice()],
  ["world", "world", "", () => chooseWorld()],
  ["undo", "undo", "z", () => runLine(".undo")],
  ["redo", "redo", "Z", () => runLine(".redo")],
  ["export", "export", "", () => chooseExport()],
  ["copy", "copy link", "", () => copyLink()],
  ["afresh", "new", "", () => openLink("")],
  ["lesson", "back to the lesson", "", () => backToLesson()],
  ["check", "check", "", () => runLine("check")],
  ["hints", "hint", "", () => runLine("hint")],
  ["solution", "solution", "", () => runLine("solution")],
];

function makeTools() {
  for (const [id, name, key, does] of tools) {
    const b = attrs(el("button", "", name), { type: "button", id, title: key ? `${name} (${key})` : null });
    b.addEventListener("click", () => !session.busy && does());
    $("tools").append(b);
  }
  $("say").after(tongues());
  $("tools").hidden = $("session").hidden = false;
}

/** Shows what only an exercise, or only a lesson that was left, has. */
function fitTools() {
  for (const id of ["check", "hints", "solution"]) $(id).hidden = !session.exercise;
  $("lesson").hidden = session.until === undefined;
}

/** The choice of a language in which each line is said, too: in the log, and each call in the pane Why. It stays. */
function tongues() {
  const pick = attrs(el("select", "", option("", "as typed")), { id: "tongue" });
  menu().then(({ tongues: list }) => {
    for (const t of list) pick.append(option(t.name, t.title));
    pick.value = remembered("tongue") ?? "";
    if (pick.value) speak(pick.value);
  });
  pick.addEventListener("change", () => {
    remember("tongue", pick.value);
    speak(pick.value);
    announce(pick.value ? "lines are also translated to " + session.menu.tongues.find((t) => t.name === pick.value).title : "lines are shown as typed");
  });
  return el("label", "pick", "also in ", pick);
}

function speak(name) {
  session.say = name;
  change({ spelled: Boolean(name), tongue: session.menu.tongues.find((t) => t.name === name)?.title ?? "" });
}

/** The lists that the engine has; asked for once. */
const menu = async () => (session.menu ??= (await engine.ask({ verb: "menu" })).menu);

/** Shows something in front. */
function front(title, ...kids) {
  const close = attrs(el("button", "", "close"), { type: "button" });
  close.addEventListener("click", () => $("choose").close());
  $("choose").replaceChildren(attrs(el("h2", "", title), { id: "choose-name" }), ...kids, close);
  $("choose").showModal();
}

/** A list of buttons, each of which opens a script or an exercise. */
const listOf = (choices, opens, done = []) => el("ol", "choices", ...choices.map((c, i) => {
  const b = attrs(el("button", c.name === session.script ? "lit" : "", `${i + 1}  ${c.title}${done.includes(c.name) ? "  ✓ solved" : ""}`), { type: "button" });
  b.addEventListener("click", () => {
    $("choose").close();
    opens(c.name);
  });
  return el("li", "", b);
}));

async function playScript(name) {
  await openLink("open=" + encodeURIComponent(name));
  goTo(0);
  focusWhy();
}

async function choosePractice() {
  const m = await menu();
  front("Practice", el("p", "quiet", "Write the calls that lead to the goal. An answer must be right at every size; a wrong one is reported rank by rank, with the reason."),
    listOf(m.practice, async (name) => {
      await openLink("practice=" + encodeURIComponent(name));
      line.focus();
    }, solved()));
}

/** What this browser remembers of the playground. A page in a frame may be given no memory. */
function remembered(what) {
  try {
    return JSON.parse(localStorage.getItem("commsplit " + what));
  } catch {
    return null;
  }
}

function remember(what, value) {
  try {
    localStorage.setItem("commsplit " + what, JSON.stringify(value));
  } catch {
    // the page is as it was
  }
}

/** The exercises that were solved in this browser. */
const solved = () => remembered("solved") ?? [];

async function chooseLesson() {
  const m = await menu();
  front("Lessons", el("p", "quiet", "A lesson is played step by step with ▶; its questions wait for your prediction. The session behind it is yours."),
    listOf(m.lessons, playScript));
}

async function chooseExample() {
  front("Examples", listOf((await menu()).examples, playScript));
}

/** A field with its label. */
function field(name, input) {
  return el("label", "field", name + " ", input);
}

const option = (value, name = value) => attrs(el("option", "", name), { value });

async function chooseWorld() {
  const m = await menu();
  const ranks = attrs(el("input"), { type: "number", min: 1, max: 16384, value: session.size, id: "ranks-wanted" });
  const topo = attrs(el("input"), { type: "text", list: "machines", value: session.topology, id: "topo-wanted", autocomplete: "off", spellcheck: "false" });
  const machines = attrs(el("datalist", "", ...m.machines.map((c) => option(c.name, `${c.name}: ${c.title}`))), { id: "machines" });
  const form = el("form", "fields", field("ranks", ranks), field("hardware", topo), machines,
    el("p", "quiet", "A machine of the list, or a description such as pack:2 core:4 pu:2."), attrs(el("button", "", "make this world"), { type: "submit" }));
  form.addEventListener("submit", async (e) => {
    e.preventDefault();
    $("choose").close();
    takeAnswer(await ask({ verb: "world", ranks: Number(ranks.value), text: topo.value }));
    line.focus();
  });
  front("A fresh world", form);
}

async function chooseExport() {
  const m = await menu();
  const format = el("select", "", ...m.formats.map((f) => option(f.name, `${f.name}: ${f.title}`)));
  const handle = el("select", "", option("", "the last one"), ...session.handles.map((h) => option(h)));
  const picture = el("select", "", option("", "the one that suits"), ...m.pictures.map((p) => option(p)));
  const theme = el("select", "", ...m.themes.map((t) => option(t)));
  theme.value = "auto";
  const wrong = attrs(el("p", "alarm"), { role: "status" });
  const some = [["handle", field("variable", handle)], ["picture", field("picture", picture)], ["picture", field("colors", theme)]];
  const fits = () => {
    const f = m.formats.find((f) => f.name === format.value);
    for (const [what, e] of some) e.hidden = !f[what];
    wrong.textContent = "";
    return f;
  };
  format.addEventListener("change", fits);
  const form = el("form", "fields", field("format", format), ...some.map(([, e]) => e), wrong, attrs(el("button", "", "download"), { type: "submit" }));
  form.addEventListener("submit", async (e) => {
    e.preventDefault();
    const f = fits();
    const answer = await ask({ verb: "export", to: f.from ?? f.name, handle: f.handle ? handle.value : "", picture: f.picture ? picture.value : "",
      theme: f.picture ? theme.value : "" });
    if (answer.error) return void (wrong.textContent = answer.error);
    if (f.from) for (const file of answer.files) await rasterize(file);
    for (const file of answer.files) download(file);
    $("choose").close();
    announce("downloaded " + answer.files.map((f) => f.name).join(" and "));
  });
  fits();
  front("Export", form);
}

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
    const text = attrs(el("textarea", "", location.href), { readonly: true, rows: 4, "aria-label": "the link of this session" });
    front("The link of this session", text);
    text.select();
  }
}
