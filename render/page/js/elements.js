// elements.js: making elements. Text is always set as text, never read as HTML.

const $ = (id) => document.getElementById(id);

/**
 * Makes an element: el("b", "some classes", "text", el("i", ...), ...). What is null is left out.
 */
function el(tag, classes, ...kids) {
  const e = document.createElement(tag);
  if (classes) e.className = classes;
  e.append(...kids.filter((k) => k !== null && k !== undefined && k !== ""));
  return e;
}

/**
 * Gives an element other children. What stays as it is keeps its elements, so that the browser lays out only what
 * changed, and the focus and those who hear the page are not torn away. A form is made anew: it knows its question.
 */
function renew(e, kids) {
  const have = [...e.childNodes];
  const most = Math.min(have.length, kids.length);
  let first = 0, last = 0; // how many are the same at the beginning and at the end
  while (first < most && have[first].isEqualNode(kids[first])) first++;
  while (last < most - first && have.at(-1 - last).isEqualNode(kids.at(-1 - last))) last++;
  const behind = have[have.length - last] ?? null;
  const old = have.slice(first, have.length - last);
  const now = kids.slice(first, kids.length - last);
  now.forEach((kid, i) => (i < old.length ? become(old[i], kid) : e.insertBefore(kid, behind)));
  for (const gone of old.slice(now.length)) gone.remove();
}

/** Makes a child of an element equal to another element. */
function become(old, now) {
  if (old.nodeType !== Node.ELEMENT_NODE || old.tagName !== now.tagName || now.tagName === "FORM") return old.replaceWith(now);
  for (const { name } of [...old.attributes]) if (!now.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of now.attributes) {
    if (old.getAttribute(name) === value) continue;
    if (name === "style") old.style.cssText = value; // the policy of the page lets no attribute set it
    else old.setAttribute(name, value);
  }
  renew(old, [...now.childNodes]);
}

/** Sets attributes; false and null take them away. */
function attrs(e, list) {
  for (const [name, value] of Object.entries(list)) {
    if (value === null || value === false || value === undefined) e.removeAttribute(name);
    else e.setAttribute(name, value === true ? "" : value);
  }
  return e;
}

/**
 * A button that does something: act is "rank:5", "comm:3", "object:7", "handle:2", "step:4", "stop:5",
 * "fold:...". Arrow keys lead from one to the next in a pane, so that Tab leads to the next pane. What selects something tells
 * whether that is selected.
 */
function act(what, classes, ...kids) {
  const pressed = /^(rank|comm|object|handle)/.test(what) ? `${chosen(what)}` : null;
  return attrs(el("button", classes, ...kids), { type: "button", "data-act": what, tabindex: -1, "aria-pressed": pressed });
}

/** Whether what a button selects is selected: "comm:3:1" is communicator 3. */
const chosen = (what) => what.split(":").slice(0, 2).join(":") === `${state.kind}:${state.what}`;

/** The button of a rank, with its classes, its meaning in words, its text, and the text below. */
function rankButton(rank, classes, says, upper, lower) {
  const lit = isLit(rank);
  const b = act("rank:" + rank, `chip ${classes}${lit ? " lit" : ""}`, el("b", "", upper), lower ? el("small", "", lower) : null);
  return attrs(b, { "aria-label": [`world rank ${rank}`, says, lit && "in the selection"].filter(Boolean).join(", ") });
}

/** The class of a communicator's color. */
const color = (slot) => (slot < 0 ? "none" : "p" + slot);

/** The classes of a cell of a communicator: without a color it is a place; the right group has a hatch. */
const fill = (slot, right) => (slot < 0 ? "place" : color(slot)) + (right ? " right" : "");

/** "rank 3" or "ranks 0-3,7" of a sorted list. */
function rankNoun(list) {
  if (list.length === 1) return "rank " + list[0];
  const runs = [];
  for (let i = 0; i < list.length; ) {
    let n = 1;
    while (i + n < list.length && list[i + n] === list[i] + n) n++;
    runs.push(n === 1 ? `${list[i]}` : n === 2 ? `${list[i]},${list[i] + 1}` : `${list[i]}-${list[i] + n - 1}`);
    i += n;
  }
  if (runs.length <= 12) return "ranks " + runs.join();
  return `${list.length} ranks ${runs.slice(0, 8).join()},…`;
}

/** The badge of a communicator: its letters in its color. */
const badge = (name, slot) => el("span", "badge " + color(slot), name);
