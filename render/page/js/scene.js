// scene.js: draws pictures that Go has arranged: see drawing in drawn.go. A column is half as wide as a line is high.

const [frameKind, textKind, cellsKind, barKind, blockKind, ownKind] = [0, 1, 2, 3, 4, 5];
const [ranksOf, objectOf, barred, taken] = [1, 3, -1, -2]; // what things stand for
const blocked = 3; // a state of cells
const lineHigh = 16 / 13; // in the size of type

/** Puts an element at a place of a picture. */
function put(e, d, x, y, w, h) {
  const share = (n, of) => `${Math.round((n / of) * 1e5) / 1e3}%`;
  Object.assign(e.style, { left: share(x, d.w), top: share(y, d.h), width: share(w, d.w), height: share(h, d.h) });
  return e;
}

/** The class of a look: plain, quiet, bold, alarm, or the color of a communicator. */
const lookOf = (look) => ["", "quiet", "bold", "alarm"][look ?? 0] ?? color(look - 4);

const label = (words, object, look) => el("span", "label " + look, words);

const [vacant, rightCell, movedCell] = [4, 16, 32]; // states of cells

/** A cell with content of its own; it selects its rank. */
function own([, slot, status, ...cells], at) {
  const [upper, lower, says, rank] = cells.slice(at - 3);
  if (status === vacant) return el("span", "free", text(upper));
  const standing = status & 15;
  const classes = (slot < 0 && standing ? "none" : fill(slot, status & rightCell)) + (slot < 0 && standing === blocked ? " stuck" : "") + (status & movedCell ? " moved" : "");
  if (rank < 0) return el("span", "chip " + classes, el("b", "", text(upper)), lower ? el("small", "", text(lower)) : null);
  return rankButton(rank, classes, text(says), text(upper), lower && text(lower));
}

/** The size of type in which a cell, so many pixels wide, shows its text; 1 is that of the picture, so many pixels high. */
function typeOf(cell, wide, pixels) {
  const flat = cell.classList.contains("flat");
  const upper = cell.querySelector("b")?.textContent.length ?? 1.2 * cell.textContent.length; // letters alone
  const beside = flat ? cell.querySelector("small")?.textContent.length ?? 0 : 0;
  const ems = .7 * upper + (beside && .25 + .48 * beside); // as wide as bold digits, a gap, and small digits
  return ems ? Math.max(.6, (wide - 4) / (ems * pixels)) : Infinity; // besides margins and border
}

/**
 * A picture, with so many pixels for a column. How things look is up to draws: label(text, object, look), cell(kind, number, columns),
 * block(upper, lower, ranks) and bar(object, ranks, columns) make elements.
 */
function scene(d, column, draws) {
  const pixels = (2 * column) / lineHigh;
  const types = {}; // by the size of cells, whose type is equal
  const out = el("div", "scene", ...d.things.flatMap(([kind, x, y, w, h, ...of]) => {
    switch (kind) {
      case frameKind: return [put(attrs(el("div", "frame"), { "aria-hidden": "true" }), d, x + .5, y + .5, w - 1, h - 1)];
      case textKind: {
        const e = put((draws.label ?? label)(text(of[0]), of[1] === objectOf ? of[2] : -1, lookOf(of[3])), d, x, y, w + 1, h); // a blank follows
        Object.assign(e.style, { maxWidth: e.style.width, width: "auto" });
        return [e];
      }
      case blockKind: return [put(draws.block(text(of[0]), text(of[1]), unpack(of.slice(2))), d, x, y, w, h)];
      case barKind: return [put(draws.bar(of[0], unpack(of.slice(1)), w), d, x, y, w, h)];
    }
    const [step, what, first, change, n] = of;
    return Array.from({ length: kind === ownKind ? (of.length - 3) / 4 : n }, (_, i) => {
      const c = put(kind === ownKind ? own(of, 3 + 4 * i) : draws.cell(what, first + i * change, w), d, x + i * step, y, w, h);
      if (h === 1) c.classList.add("flat");
      const alike = types[[w, h]] ??= { type: Math.max(1, Math.min(1.8, h / 2.4, w / 4.5)), cells: [] };
      alike.type = Math.min(alike.type, typeOf(c, w * column, pixels));
      alike.cells.push(c);
      return c;
    });
  }));
  for (const { type, cells } of Object.values(types)) for (const c of type === 1 ? [] : cells) c.style.fontSize = `${type.toFixed(2)}em`;
  Object.assign(out.style, { width: `${column * d.w}px`, height: `${2 * column * d.h}px`, fontSize: `${pixels}px` });
  return out;
}

const [largest, smallest] = [10, 5.5]; // pixels of a column

/**
 * The lowest of some pictures that show about as large as any of them in a room, and how large: pixels of a column. Those with
 * cells of several lines come first. In a room that is too low, one scrolls.
 */
function fitting(list, wide, high) {
  const size = (d) => Math.min(largest, wide / d.w, high / d.h / 2);
  const tall = list.filter((d) => !d.things.some(([kind, , , , h]) => kind === cellsKind && h === 1) && size(d) >= smallest);
  if (tall.length) list = tall;
  const enough = .85 * Math.max(...list.map(size));
  const lowest = list.filter((d) => size(d) >= enough).reduce((a, b) => (size(b) * b.h < size(a) * a.h ? b : a));
  return { d: lowest, column: Math.min(wide / lowest.w, Math.max(smallest, size(lowest))) };
}
