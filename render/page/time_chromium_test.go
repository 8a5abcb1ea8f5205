package page_test

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// hurried is how a page is told to wait for nothing when it plays.
const hurried = `setTimeout = ((f) => (g) => f(g, 0))(setTimeout)`

// chips are the letters of the ranks 0 to 11 on the hardware.
const chips = `Array.from({length: 12}, (_, r) => document.querySelector('#hardware [data-act="rank:' + r + '"] b').textContent).join(" ")`

// The steps of Example 7.5 one after the other, with every control and key. The letters are those of
// Figure 7.3: level 1 holds the racks, level 2 the NUMA nodes of one and the CPUs of the other.
func TestChromiumTime(t *testing.T) {
	t.Parallel()
	b := open(t, embedded(t, "example-7.5"), "", 1280, 800)
	now := func(step, letters string) {
		t.Helper()
		if got := b.text("#now"); got != "step "+step+" of 21" {
			t.Errorf("it is %s, not step %s", got, step)
		}
		if got := eval[string](b, chips); got != letters {
			t.Errorf("step %s shows %s, not %s", step, got, letters)
		}
	}
	beginning := "A0 A1 A2 A3 A4 A5 A6 A7 A8 A9 A10 A11" // hwcomm[0] is MPI_COMM_WORLD
	racks := "A0 A1 A2 A3 A4 A5 A6 A7 B0 B1 B2 B3"
	nodes := "A0 A1 A2 A3 B0 B1 B2 B3 C0 C1 D0 D1"
	now("0", beginning)
	b.keys("]")
	now("1", racks)
	b.keys("]", "]")
	now("3", nodes)
	if live := b.text("#live"); !strings.HasPrefix(live, "step 3 of 21: ranks 8-11 each call MPI_Comm_split_type") {
		t.Errorf("the live region says %q", live)
	}
	b.keys("[", "[")
	now("1", racks)
	b.click("#on")
	b.click("#on")
	now("3", nodes)
	b.click("#back")
	b.click("#back")
	now("1", racks)
	b.click("#first")
	now("0", beginning)
	b.click(`#trace [data-act="step:3"]`)
	now("3", nodes)
	b.keys("{")
	now("0", beginning)
	b.do(chromedp.Focus(chromedp.CSS("#time")))
	b.keys(kb.ArrowRight)
	now("1", racks)
	b.keys("}")
	if got := b.text("#now"); got != "step 21 of 21" {
		t.Errorf("} leads to %s", got)
	}
	if got := b.text("#ranks tbody tr:nth-child(8)"); !strings.HasPrefix(strings.Join(strings.Fields(got), " "), "7 A 7 A 7 B 3 D 1 ○ ○") {
		t.Errorf("rank 7 is at %q", got)
	}
	b.quiet()
}

// Playing goes on by itself to the end, and stops.
func TestChromiumPlay(t *testing.T) {
	t.Parallel()
	b := open(t, embedded(t, "first-split"), "", 1280, 800)
	eval[bool](b, hurried+`, true`)
	b.keys("p")
	b.until(`document.getElementById("now").textContent === "step 5 of 5" && document.getElementById("play").textContent === "play"`)
	b.click("#play")
	b.until(`document.getElementById("now").textContent === "step 5 of 5"`)
	b.quiet()
}

// A question holds time until it is answered; the answer shows what came.
func TestChromiumQuestion(t *testing.T) {
	t.Parallel()
	b := open(t, embedded(t, "lesson-01-color-and-key"), "", 1280, 800)
	b.keys("}")
	if got := b.text("#now"); got != "step 1 of 2" {
		t.Errorf("} leads past the question: %s", got)
	}
	if got := eval[string](b, `document.activeElement.id`); got != "prediction" {
		t.Errorf("the focus is on %q, not on the prediction", got)
	}
	if all := b.text("main"); strings.Contains(all, "Answer: 0") || strings.Contains(all, "team") && strings.Contains(b.text("#trace"), "team =") {
		t.Error("the answer shows before the prediction")
	}
	b.keys("2", kb.Enter)
	if got := b.text("#now"); got != "step 2 of 2" {
		t.Errorf("the answer leads to %s", got)
	}
	if got := b.text("#why"); !strings.Contains(got, "You said 2. Answer: 0.") {
		t.Errorf("why says %q", got)
	}
	b.quiet()
}
