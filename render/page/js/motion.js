// motion.js: cells go to their places when another step shows. Which cell comes from where is as in scene.Moves: the same rank in the
// same communicator, or else in the one that its group comes from. As in scene.Between, cells of a lane whose order changes pass one
// neighbor after the other.

const still = matchMedia("(prefers-reduced-motion: reduce)");
const [mostMoving, motionTime, mostFrames] = [600, 400, 24]; // cells, milliseconds, places on a way

/** The cells of ranks, each with its key, with the keys of the cells that it may come from if it is new, and with its lane. */
function cells() {
  const list = [...document.querySelectorAll(":is(#hardware, #comms) .scene > [data-act^='rank:']")];
  return list.length > mostMoving ? [] : list.map((e) => {
    const c = commAt.get(Number(e.closest(".comm")?.dataset.id));
    return [e, ...[c?.id, c?.parent, c?.other].map((id) => `${e.dataset.act} ${id}`), c];
  });
}

let stepDrawn = null;

/** Draws the page anew; then cells go from their old places to their new places. */
function moving(draws) {
  if (still.matches || state.step === stepDrawn) return draws();
  stepDrawn = state.step;
  const was = new Map(cells().map(([e, what]) => [what, e.getBoundingClientRect()]));
  draws();
  for (const a of document.getAnimations()) a.cancel();
  $("comms").classList.add("moves"); // a cell may leave its row
  const list = cells().map(([e, what, from, other, lane]) =>
    ({ e, lane, to: e.getBoundingClientRect(), from: was.get(what) ?? was.get(from) ?? (lane?.remote && was.get(other)) })).filter((c) => c.from);
  const done = Map.groupBy(list, (c) => c.lane ?? c).values().flatMap(ways).filter(([, way]) => way.some(([x, y]) => Math.hypot(x, y) > 1)).map(([e, way]) =>
    e.animate({ transform: way.map(([x, y]) => `translate(${x}px, ${y}px)`) }, { duration: motionTime, easing: "ease-in-out" }).finished);
  Promise.all(done).then(() => $("comms").classList.remove("moves"), () => {}); // those that were cut off have others behind them
}

/** The ways of a lane's cells, each as the distances from its place that it has at equal times. */
function ways(lane) {
  const sorted = (place) => lane.toSorted((a, b) => a[place].y - b[place].y || a[place].x - b[place].x);
  const [first, last] = [sorted("from"), sorted("to")], goal = new Map(last.map((c, k) => [c, k]));
  const orders = [first]; // in each round, every second pair of neighbors changes places if that is their order in the end
  for (let now = first; now.some((c, k) => c !== last[k]); orders.push(now)) {
    now = [...now];
    for (let k = (orders.length - 1) % 2; k + 1 < now.length; k += 2) if (goal.get(now[k]) > goal.get(now[k + 1])) [now[k], now[k + 1]] = [now[k + 1], now[k]];
  }
  const frames = Math.min(Math.max(orders.length - 1, 1), mostFrames), way = new Map(lane.map((c) => [c, []]));
  for (let frame = 0; frame <= frames; frame++) {
    const now = orders[Math.floor((frame / frames) * (orders.length - 1))];
    const along = (k, axis) => first[k].from[axis] + ((last[k].to[axis] - first[k].from[axis]) * frame) / frames - now[k].to[axis];
    now.forEach((c, k) => way.get(c).push([along(k, "x"), along(k, "y")]));
  }
  return lane.map((c) => [c.e, way.get(c)]);
}
