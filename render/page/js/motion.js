// motion.js: cells go to their places when another step shows. Which cell comes from where is as in scene.Moves: the same rank in the
// same communicator, or else in the communicator that this one was made from.

const still = matchMedia("(prefers-reduced-motion: reduce)");
const [mostMoving, motionTime] = [600, 400]; // cells, milliseconds

/** The cells of ranks, each with its key, and with the key of the cell that it comes from if it is new. */
function cells() {
  const list = [...document.querySelectorAll(":is(#hardware, #comms) .scene > [data-act^='rank:']")];
  return list.length > mostMoving ? [] : list.map((e) => {
    const c = commAt.get(Number(e.closest(".comm")?.dataset.id));
    return [e, `${e.dataset.act} ${c?.id}`, `${e.dataset.act} ${c?.parent}`];
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
  const list = cells().map(([e, what, from]) => [e, e.getBoundingClientRect(), was.get(what) ?? was.get(from)]);
  const done = list.filter(([, to, from]) => from && Math.hypot(from.x - to.x, from.y - to.y) > 1).map(([e, to, from]) =>
    e.animate({ transform: [`translate(${from.x - to.x}px, ${from.y - to.y}px)`, "none"] }, { duration: motionTime, easing: "ease-in-out" }).finished);
  Promise.all(done).then(() => $("comms").classList.remove("moves"), () => {}); // those that were cut off have others behind them
}
