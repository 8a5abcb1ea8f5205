// peek.js: on a small window, what was chosen in a line at the bottom while its explanation is out of
// sight; it leads there.

let whyInSight = true;

function drawPeek() {
  const head = document.querySelector("#why h3");
  $("peek").hidden = state.kind === "" || whyInSight || !head;
  if (head) $("peek").replaceChildren(el("span", "", head.textContent), el("b", "", " why?"));
}
drawers.push(drawPeek);

new IntersectionObserver(([why]) => {
  whyInSight = why.isIntersecting;
  drawPeek();
}).observe($("why"));

$("peek").addEventListener("click", () => {
  focusWhy();
  $("why").scrollIntoView();
});
