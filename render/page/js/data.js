// data.js: the document of the page, and how to ask it. Nothing here knows what is on the screen.

/** The document, as Go wrote it: see document.go. A page of a session that goes on takes one after the other. */
let doc;
const memories = []; // what was worked out of the present document
const readers = []; // what works more out of a document as soon as it is there

/** The text of a word, "" for none. */
const text = (w) => doc.words[w ?? 0];

/** A packed list as an array: three numbers for each progression. */
function unpack(p) {
  const list = [];
  for (let i = 0; i < p.length; i += 3) {
    for (let k = 0; k < p[i + 2]; k++) list.push(p[i] + k * p[i + 1]);
  }
  return list;
}

/** Returns a function that computes its result once for each key of the present document. */
function once(f) {
  const known = new Map();
  memories.push(known);
  return (...key) => {
    const k = key.length === 1 ? key[0] : key.join();
    if (!known.has(k)) known.set(k, f(...key));
    return known.get(k);
  };
}

let lastStep;
let commAt; // by id

/** The members of a communicator, side by side. */
const groups = once((id) => {
  const c = commAt.get(id);
  return c.remote ? [unpack(c.group), unpack(c.remote)] : [unpack(c.group)];
});

/** By world rank: the place in a communicator, the right group counted behind the left one. */
const places = once((id) => {
  const at = new Map();
  let n = 0;
  for (const g of groups(id)) for (const w of g) at.set(w, n++);
  return at;
});

/** Where a rank is in a communicator: its rank there, and the side; null when it is not. */
function placeIn(id, rank) {
  if (id === 1) return { rank: 0, right: false }; // MPI_COMM_SELF
  const at = commAt.has(id) ? places(id).get(rank) : undefined;
  if (at === undefined) return null;
  const left = groups(id)[0].length;
  return at < left ? { rank: at, right: false } : { rank: at - left, right: true };
}

/** The last of some descriptions, each from a step on, that holds after a step. */
function since(list, step) {
  let found = list[0];
  for (const x of list) if (x.from <= step) found = x;
  return found;
}

const saying = (id, step) => since(commAt.get(id).said, step);

/** The name of a communicator. */
const commName = (id, step) => (id === 1 ? "self" : text(saying(id, step).name));

/** What ranks hold in a variable after a step: ids, nullID or unsetID. */
const heldAt = once((h, step) => {
  const held = since(doc.handles[h].held, step);
  return (held.list ??= unpack(held.ids));
});

/** The step since which a variable is as it is after a step. */
const heldSince = (h, step) => since(doc.handles[h].held, step).from;

const nullID = -1; // MPI_COMM_NULL
const unsetID = -2; // the rank has not come to what sets the variable

/** Whether a communicator exists after a step. */
const exists = (id, step) => id === 1 || (commAt.has(id) && commAt.get(id).step <= step);

/** The ids of the communicators that a variable holds after a step, in their order. */
const parts = once((h, step) => new Set([...new Set(heldAt(h, step))].filter((id) => id >= 0 && exists(id, step)).sort((a, b) => a - b)));

/** The letters and colors of the communicators of a moment and of the one before it, by id: one communicator has one letter, whatever shows. */
const lettering = once((step) => {
  const l = doc.letters[doc.moments[step].letters];
  const slots = l.slots && unpack(l.slots);
  return new Map(unpack(l.ids).map((id, k) => [id, { name: doc.names[k], slot: slots ? slots[k] : k }]));
});

const none = { name: "", slot: -1 };

/** The letter and the color of a communicator in the moment that shows. */
const marked = (id) => lettering(state.step).get(id) ?? none;

const hollow = "○";
const notYet = "…";
const unsetWords = "not set yet";

/** Ranks that hold no communicator in a variable after a step, by reason. */
const without = (h, step) => [[nullID, hollow, "MPI_COMM_NULL"], [unsetID, notYet, unsetWords]].map(([none, sign, words]) =>
  ({ sign, words, ranks: heldAt(h, step).flatMap((id, r) => (id === none ? [r] : [])) })).filter((w) => w.ranks.length);

/** What a rank holds in a variable after a step: its communicator, letters, color and rank. */
function cellOf(h, rank, step) {
  if (h === 0) return { id: 0, slot: -1, name: "", rank, right: false };
  const id = heldAt(h, step)[rank];
  const at = id >= 0 && exists(id, step) ? placeIn(id, rank) : null;
  if (!at) return { id: Math.min(id, nullID), slot: -1, name: id === unsetID ? notYet : hollow, rank: -1, right: false };
  const { name, slot } = marked(id);
  return { id, slot, name: name + (at.right ? "'" : ""), rank: at.rank, right: at.right };
}

/** The variables that hold something after a step: their indexes, without world. */
const handlesAt = once((step) => doc.handles.map((_, h) => h).filter((h) => h > 0 && heldAt(h, step).some((id) => id !== unsetID)));

/** Which variable holds a communicator: the one preferred, else the last one. */
function holder(id, preferred, step) {
  if (preferred > 0 && parts(preferred, step).has(id)) return preferred;
  return handlesAt(step).findLast((h) => parts(h, step).has(id)) ?? -1;
}

/** Where the ranks run after a step; null without hardware. */
const groundAt = (step) => (doc.grounds ? since(doc.grounds, step) : null);

/** The deadlock at the end; null for none. */
const endLock = () => (doc.stuck ? { ...doc.stuck, text: doc.deadlock } : null);

/**
 * Where time stops: behind each step; in each deadlock that was expected; and behind that, if something was
 * said there. Of what was said at the step, start is the first line that is new, end is behind the last.
 */
let stops;
let lastStop;

function stopsOf(moments) {
  const all = moments.flatMap(({ said }, step) => {
    const cuts = said.flatMap((l, i) => (l.kind === "lock" ? [i] : []));
    const list = [{ step, start: 0, end: cuts[0] ?? said.length, lock: null }];
    cuts.forEach((at, k) => {
      const end = cuts[k + 1] ?? said.length;
      list.push({ step, start: at, end: at + 1, lock: { ...doc.locks[said[at].lock ?? 0], text: said[at].text, line: said[at] } });
      if (end > at + 1) list.push({ step, start: at + 1, end, lock: null });
    });
    return list;
  });
  if (endLock() && all.at(-1).lock) all.push({ ...all.at(-1), start: all.at(-1).end, lock: null });
  all.at(-1).lock ??= endLock();
  return all;
}

/**
 * Takes a document; what was worked out of the one before is forgotten. Of a session that goes on, lists may lack the
 * elements with which they began before: keep says how many.
 */
function take(document) {
  for (const [name, n] of Object.entries(document.keep ?? {})) if (n) document[name] = doc[name].slice(0, n).concat(document[name]);
  doc = document;
  for (const m of memories) m.clear();
  lastStep = doc.steps.length;
  commAt = new Map(doc.comms.map((c) => [c.id, c]));
  stops = stopsOf(doc.moments);
  lastStop = stops.length - 1;
  for (const read of readers) read();
}

/** The first stop behind a step, and the one at which a line shows first. */
const stopOf = (step) => stops.findIndex((s) => s.step === step);
const stopAt = (step, line) => stops.findLastIndex((s) => s.step === step && s.start <= line);

/** The wait of each rank in a deadlock. */
const waitsIn = once((stop) => new Map((stops[stop].lock?.waits ?? []).flatMap((w) => unpack(w.ranks).map((r) => [r, w]))));
