package page_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/google/go-cmp/cmp"
)

// hurried makes a page play without waiting.
const hurried = `setTimeout = ((f) => (g) => f(g, 0))(setTimeout)`

// chips are the texts of ranks 0 to 11 on the hardware.
const chips = `Array.from({length: 12}, (_, r) => document.querySelector('#hardware [data-act="rank:' + r + '"] b').textContent).join(" ")`

// The steps of Example 7.5 one after the other, with every control and key. Level 1 of Figure 7.3 is the racks,
// level 2 is the NUMA nodes of one rack and the CPUs of the other. A letter is the same communicator in all
// levels.
func TestChromiumTime(t *testing.T) {
	t.Parallel()
	b := open(t, embedded(t, "example-7.5"), "", 1280, 800)
	now := func(step, letters string) {
		t.Helper()
		b.holds("#now", "step "+step+" of 21")
		if got, ok := b.shows(chips, func(got string) bool { return got == letters }); !ok {
			t.Errorf("step %s shows %s, not %s", step, got, letters)
		}
	}
	beginning := "A0 A1 A2 A3 A4 A5 A6 A7 A8 A9 A10 A11" // hwcomm[0] is MPI_COMM_WORLD
	racks := "B0 B1 B2 B3 B4 B5 B6 B7 C0 C1 C2 C3"
	nodes := "D0 D1 D2 D3 E0 E1 E2 E3 F0 F1 G0 G1"
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
	// Rank 7 gets MPI_COMM_NULL at the fifth level, and so makes no call for the sixth.
	if got := b.text("#ranks tbody tr:nth-child(8)"); !strings.HasPrefix(strings.Join(strings.Fields(got), " "), "7 A 7 B 7 E 3 K 1 ○ …") {
		t.Errorf("rank 7 is at %q", got)
	}
	b.quiet()
}

// A cell of a new communicator begins where its rank is in the communicator that made the call, and the key has done its work before.
// Whoever wants no motion sees none.
func TestChromiumMotion(t *testing.T) {
	t.Parallel()
	b := open(t, embedded(t, "example-7.5"), "", 1280, 800)
	const on = `(() => {
		document.body.dispatchEvent(new KeyboardEvent("keydown", {key: "]", bubbles: true}));
		const moving = document.getAnimations(), now = document.querySelector("#now").textContent;
		const at = (comm, rank) => {
			const {x, y} = document.querySelector('#comms .comm[data-id="' + comm + '"] [data-act="rank:' + rank + '"]').getBoundingClientRect();
			return Math.round(x) + "," + Math.round(y);
		};
		for (const a of moving) { a.pause(); a.currentTime = 0; }
		const same = [...Array(4).keys()].map((r) => at(3, 8 + r) === at(0, 8 + r));
		for (const a of moving) a.finish();
		return now + ": " + (moving.length > 0) + " " + same + " " + (at(3, 8) === at(0, 8));
	})()`
	if got, want := eval[string](b, on), "step 1 of 21: true true,true,true,true false"; got != want {
		t.Errorf("a step is %q, want %q", got, want)
	}
	b.keys("[")
	call(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: "reduce"}}})
	if got, want := eval[string](b, on), "step 1 of 21: false false,false,false,false false"; got != want {
		t.Errorf("without motion it is %q, want %q", got, want)
	}
	b.quiet()
}

// Cells of a lane whose order is reversed never meet in its middle: half way, six cells have six places. The cells of both
// groups of an intercommunicator come from the communicators that the groups were before.
func TestChromiumCellsPassEachOther(t *testing.T) {
	t.Parallel()
	b := open(t, exported(t, "pass", "# commsplit: -n 12 --topo figure-7.3\nhalf = split world color=rank%2 key=-rank\n"+
		"inter = intercomm_create half remote_leader=11-world.rank%2\n"), "", 1280, 800)
	at := func(time string) string {
		return `(() => {
			document.body.dispatchEvent(new KeyboardEvent("keydown", {key: "]", bubbles: true}));
			for (const a of document.getAnimations()) { a.pause(); a.currentTime = ` + time + `; }
			const at = (comm) => [...document.querySelectorAll('#comms .comm[data-id="' + comm + '"] [data-act^="rank:"]')].map((e) => [e.dataset.act, e.getBoundingClientRect()]);
			const wide = (list) => list.every(([, a], i) => list.every(([, b], k) => i === k || Math.hypot(a.x - b.x, a.y - b.y) > a.width / 2));
			const before = new Map([...at(2), ...at(3)].map(([act, {x, y}]) => [act, x + "," + y]));
			return [document.querySelector("#now").textContent, at(2).length, wide(at(2)), at(4).filter(([act, {x, y}]) => before.get(act) === x + "," + y).length].join(" ");
		})()`
	}
	for _, c := range [][2]string{{"200", "step 1 of 2 6 true 0"}, {"0", "step 2 of 2 6 true 12"}} {
		if got := eval[string](b, at(c[0])); got != c[1] {
			t.Errorf("after %s ms: %q, want %q", c[0], got, c[1])
		}
	}
	b.quiet()
}

// Playing continues by itself to the end, and stops there.
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

// A question stops time until it is answered; the answer shows the steps behind the question.
func TestChromiumQuestion(t *testing.T) {
	t.Parallel()
	b := open(t, embedded(t, "lesson-01-color-and-key"), "", 1280, 800)
	b.keys("}")
	b.holds("#now", "step 0 of 2")
	b.keys("6", kb.Enter)
	b.holds("#now", "step 1 of 2")
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

const asking = `# commsplit: -n 6 --topo "core:6"
ask "one" world.size answer=6
ask "two" [2,3,4,5]==[2,3,4,5]
ask "three" world.rank
@0 ask "four" [2,3,4,5] answer=[2,3,4,5]
@0 ask "five" [2,3,4,5] answer=[2,3,4,5]
@0 ask "six" (0-7) answer=(0-7)
a = split world color=0
`

// Predictions are judged leniently, as in the terminal. A question that follows at once comes behind the result of
// the question before, with an empty field.
func TestChromiumPredictions(t *testing.T) {
	t.Parallel()
	b := open(t, exported(t, "asking.mpi", asking), "", 1280, 800)
	for _, c := range []struct{ said, verdict string }{
		{"Six ranks", "Right: 6."},
		{"Y", "Right: yes."},
		{"3", "You said 3. Compare: Answer: 0 on rank 0, 1 on rank 1,"},
		{"ranks 2-5", "Right: [2, 3, 4, 5]."},
		{"2-4", "You said 2-4. Answer: [2, 3, 4, 5]."},
		{"7", "You said 7. Answer: -7."},
	} {
		b.keys("}")
		if typed := eval[string](b, `document.getElementById("prediction").value`); typed != "" {
			t.Errorf("the field holds %q before anything is typed", typed)
		}
		b.keys(c.said, kb.Enter)
		b.holds("#why", c.verdict)
		if live := b.text("#live"); !strings.HasPrefix(live, c.verdict) {
			t.Errorf("%s is announced as %q", c.said, live)
		}
	}
	b.keys("}")
	b.holds("#now", "step 1 of 1")
	b.quiet()
}

// A deadlock that is taken back has a moment of its own: the ranks are blocked in all panes, and the explanation
// comes after it. Nothing of it shows before the question is answered; a link leads to it.
func TestChromiumDeadlockStands(t *testing.T) {
	t.Parallel()
	html := embedded(t, "lesson-04-undefined")
	b := open(t, html, "", 1280, 800)
	b.keys("}")
	b.holds("#now", "step 0 of 1")
	if all := b.text("main"); strings.Contains(all, "DEADLOCK") || strings.Contains(all, "team = world.Split(0, 0)") {
		t.Error("the answer shows before the prediction")
	}
	b.keys("it hangs", kb.Enter)
	b.holds("#why", "Right: no. @0-3 team = world.Split(0, 0)")
	b.keys("]")
	b.holds("#now", "step 0 of 1, deadlock")
	b.holds("#why", "DEADLOCK ranks 0-3 wait in MPI_Comm_split on world")
	b.holds("#ranks tbody", "3! waits in MPI_Comm_split on world 4 Core L#4")
	if got := eval[string](b, `[...document.querySelectorAll("#hardware .stuck b")].map((e) => e.textContent).join(" ")`); got != "0! 1! 2! 3!" {
		t.Errorf("blocked on the hardware: %s", got)
	}
	link := eval[string](b, "location.hash")
	b.keys("]")
	b.holds("#now", "step 0 of 1")
	b.holds("#why", "team = world.Split(0 if world.rank < 4 else MPI.UNDEFINED, 0) ? What does rank 4 hold now")
	if got := b.text("#why"); strings.Contains(got, "DEADLOCK") || !strings.Contains(got, "MPI_Comm_split is collective") {
		t.Errorf("behind the deadlock, why says %q", got)
	}
	b.keys("[", "[")
	b.holds("#now", "step 0 of 1")
	b.click("#trace .lock")
	b.holds("#now", "step 0 of 1, deadlock")
	b.quiet()
	c := open(t, html, link, 1280, 800)
	c.holds("#now", "step 0 of 1, deadlock")
	c.quiet()
}

// A script that only prints has a page without steps.
func TestChromiumNoStep(t *testing.T) {
	t.Parallel()
	b := open(t, exported(t, "print.mpi", "# commsplit: -n 2 --topo \"core:2\"\nprint(\"hello\")\n"), "", 1280, 800)
	b.click("#on")
	b.keys("p", "]", "}")
	b.holds("#now", "step 0 of 0")
	b.holds("#why", "No MPI call was made. [0-1] hello")
	b.quiet()
}

// MPI_COMM_NULL on all ranks shows at the step that returned it.
func TestChromiumNulls(t *testing.T) {
	t.Parallel()
	b := open(t, exported(t, "nulls.mpi", "# commsplit: -n 2 --topo \"core:2\"\na = split world color=UNDEFINED\nb = split world color=0\nc = split b color=UNDEFINED\n"), "#step=1", 1280, 800)
	b.holds("#why", "variable a ○ MPI_COMM_NULL ranks 0,1")
	b.holds("#ranks thead", "rank color key a where")
	b.keys("]")
	b.holds("#ranks thead", "rank color key a b where")
	b.keys("]")
	b.holds("#why", "variable c ○ MPI_COMM_NULL ranks 0,1")
	b.holds("#ranks tbody", "0 MPI_UNDEFINED 0 ○ A 0 ○ Core L#0")
	b.quiet()
}

// A button and its key show the lines of the current call in each language, or the reason where a language cannot
// express them. Lines that answer an open question do not show.
func TestChromiumSay(t *testing.T) {
	t.Parallel()
	const head = "# commsplit: -n 4 --topo \"core:4\"\n"
	b := open(t, exported(t, "said.mpi", head+"half = split world color=rank%2 key=-rank\nfor i in range(1):\n    s = \"<b>&amp;\"; world.Barrier()\n"+
		"note \"Now look.\"\nbarrier half\nask \"how many\" half.size answer=2\n"), "", 1280, 800)
	hidden := func() {
		t.Helper()
		if n := b.count("#why .spelled"); n != 0 {
			t.Error("the lines show")
		}
	}
	hidden()
	b.keys("S")
	b.holds("#why .spelled", "No call was made yet.")
	b.keys("]")
	b.holds("#why .spelled", "C int rank; MPI_Comm_rank(MPI_COMM_WORLD, &rank); MPI_Comm half; MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);")
	b.holds("#why .spelled", "call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), -rank, half)")
	b.holds("#why .spelled", "mpi4py half = world.Split(world.rank%2, -world.rank) command half = split world color=rank%2 key=-rank")
	b.keys("S")
	hidden()
	b.click("#say")
	b.holds("#live", "The lines of this call: C int rank;")
	b.keys("}")
	b.holds("#now", "step 2 of 4")
	b.keys(kb.Escape, "x")
	b.holds("#why .spelled", "C This cannot be translated: only calls, assignments and if can be translated to C and Fortran")
	b.holds("#why .spelled", `s = "<b>&amp;"; world.Barrier()`)
	if got := b.text("#why .spelled"); strings.Contains(got, "half") {
		t.Errorf("the lines tell the answer: %s", got)
	}
	b.do(chromedp.Focus(chromedp.CSS("#prediction")))
	b.keys("2", kb.Enter)
	b.holds("#now", "step 4 of 4")
	b.holds("#why .spelled", "command barrier half")
	eval[bool](b, `document.querySelector('#ranks [data-act="rank:2"]').click(), true`)
	b.holds("#why .spelled", "command barrier half")
	call(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
	if eval[bool](b, `document.getElementById("say").checkVisibility()`) {
		t.Error("the button is printed")
	}
	b.quiet()

	c := open(t, exported(t, "inside.mpi", head+"if True:\n    half = world.Split(world.rank % 2)\n    note(\"Now look.\")\n    half.Barrier()\n"+
		"ask \"how many\" half.size answer=2\n"), "#step=1", 1024, 600)
	c.keys("S")
	c.until(`(([b, h]) => h.top >= b.top && h.bottom <= b.bottom)(["#why .body", "#why .spelled h3"].map((e) => document.querySelector(e).getBoundingClientRect()))`)
	c.holds("#now", "step 1 of 3")
	c.holds("#why .spelled", "These lines would give away the answer to the open question.")
	c.quiet()
}

// whole is the panes as text: elements with their attributes by name, their style, their width, and their content.
// It reads the style from the element, as the policy may forbid a style attribute.
const whole = `(function text(n) {
	if (n.nodeType !== Node.ELEMENT_NODE) return n.data;
	const attributes = [...n.attributes].map((a) => a.name + "=" + (a.name === "style" ? n.style.cssText : a.value)).sort();
	const width = Math.round(n.getBoundingClientRect().width);
	return "\n<" + [n.tagName, width, ...attributes].join(" ") + ">" + [...n.childNodes].map(text).join("");
})(document.getElementById("panes"))`

// twice lists the letters that mark several communicators in the panes, with their colors.
const twice = `(() => {
	const seen = new Map(), bad = [];
	for (const e of document.querySelectorAll('#panes [data-act^="comm:"]')) {
		const b = e.matches(".share") ? e : e.querySelector(".badge");
		if (!b) continue;
		const mark = b.textContent.replace(/×.*|'/g, "") + " " + [...b.classList].find((c) => /^p\d/.test(c));
		const id = e.dataset.act.split(":")[1];
		if (seen.has(mark) && seen.get(mark) !== id) bad.push(mark + " is #" + seen.get(mark) + " and #" + id);
		seen.set(mark, id);
	}
	return bad.join(", ");
})()`

// deep makes communicators from communicators, four levels of them, so that each step adds a level.
const deep = "# commsplit: -n 8 --topo \"core:8\"\na = split world color=rank%2\nb = split a color=rank%2\nc = split b color=rank%2\nd = dup c\nb.Free()\n"

// After each step, forward and back, the page is the same as when it is opened at that step: it draws only what
// changed, and nothing of the step before remains. A letter is the same communicator in all panes.
func TestChromiumStepsAsOpened(t *testing.T) {
	t.Parallel()
	for name, html := range map[string][]byte{
		"deep": exported(t, "deep.mpi", deep), "7.5": embedded(t, "example-7.5"), "first split": embedded(t, "first-split"), "9.1": embedded(t, "example-9.1"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := open(t, html, "", 1280, 800)
			fresh := open(t, html, "", 1280, 800)
			last := eval[int](b, `Number(document.getElementById("time").max)`)
			opened := make([]string, last+1)
			for k := range opened {
				at := strconv.Itoa(k)
				fresh.do(chromedp.Navigate(fresh.URL + "?" + at + "#step=" + at))
				fresh.holds("#now", "step "+at+" of ")
				opened[k] = eval[string](fresh, whole)
				if bad := eval[string](fresh, twice); bad != "" {
					t.Errorf("step %d: %s", k, bad)
				}
			}
			check := func(k int, key string) {
				t.Helper()
				b.keys(key)
				b.holds("#now", "step "+strconv.Itoa(k)+" of ")
				if got, ok := b.shows(whole, func(got string) bool { return got == opened[k] }); !ok {
					t.Fatalf("%s to step %d:\n%s", key, k, cmp.Diff(strings.Split(opened[k], "\n"), strings.Split(got, "\n")))
				}
			}
			for k := 1; k <= last; k++ {
				check(k, "]")
			}
			for k := last - 1; k >= 0; k-- {
				check(k, "[")
			}
			b.quiet()
			fresh.quiet()
		})
	}
}
