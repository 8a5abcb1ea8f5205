package page_test

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// lit fails the test unless exactly these ranks are lit on the hardware.
func (b *tab) lit(ranks string) {
	b.Helper()
	const lit = `[...document.querySelectorAll("#hardware .chip.lit")].map((e) => e.dataset.act.slice(5)).join()`
	if got, ok := b.shows(lit, func(got string) bool { return got == ranks }); !ok {
		b.Errorf("ranks %s are lit, not %s", got, ranks)
	}
}

func (b *tab) link(want string) {
	b.Helper()
	if got, ok := b.shows("location.hash", func(got string) bool { return got == want }); !ok {
		b.Errorf("the link is %s, not %s", got, want)
	}
}

// follow goes to a link in the open page, and returns when the page shows it.
func (b *tab) follow(link string) {
	b.Helper()
	eval[string](b, `window.followed = ""; { const before = location.hash; addEventListener("hashchange", () => setTimeout(() => { window.followed = "yes" }), {once: true}); location.hash = `+quoted(link)+`; if (location.hash === before) window.followed = "yes" }; window.followed`)
	b.until(`window.followed === "yes"`)
}

// A selection lights in all panes; selecting the same again, or Esc, clears it. Rank 5 is rank 1 of half#3: its
// color is 1, and the keys -7, -5, -3, -1 put rank 7 before it.
func TestChromiumSelect(t *testing.T) {
	t.Parallel()
	b := open(t, embedded(t, "first-split"), "#step=1", 1280, 800)
	b.click(`#hardware [data-act="rank:5"]`)
	b.lit("5")
	b.holds("#why", "world rank 5 is rank 1 of 4 in half#3")
	b.holds("#why tr.focus", "▸ 1 -5 5 5")
	b.holds("#comms", "half#3 4 ranks ◂ rank 1")
	b.holds("#ranks tr.lit", "5 B 1")
	b.holds("#live", "world rank 5 is rank 1 of 4 in half#3")
	b.link("#step=1&rank=5&pane=hardware")
	b.click(`#ranks [data-act="rank:5"]`)
	b.lit("")
	b.click(`#comms [data-act="comm:2"]`)
	b.lit("0,2,4,6")
	b.holds("#why", "half#2: 4 ranks, ctx 1")
	b.link("#step=1&comm=2&handle=half&pane=comms")
	b.keys(kb.Escape)
	b.lit("")
	b.click(`#hardware .label [aria-label^="Package L#0"]`)
	b.lit("0,1,2,3")
	b.holds("#why", "ranks 0-3 are restricted to it")
	b.click(`#ranks [data-act="handle:1"]`)
	b.lit("0,1,2,3,4,5,6,7")
	b.holds("#why", "variable half A half#2 4 ranks split color=0")
	b.click("#clear")
	b.lit("")
	b.quiet()
}

// A key shows the step before beside the current step: the variable on which the call was made, and the variable
// that it made. Rank 5, which calls on world as rank 5, is B1 of half; a selection lights on both sides. In Figure
// 7.3, the second splitting is called on hwcomm[1] and makes hwcomm[2]; rank 8 is C0 of hwcomm[1], as A is
// hwcomm[0], the world.
func TestChromiumBeforeAndAfter(t *testing.T) {
	t.Parallel()
	b := open(t, embedded(t, "first-split"), "#step=1", 1280, 800)
	b.keys("a")
	b.holds("#hardware .half:first-child .when", "before: world ranks")
	b.holds("#hardware .half:last-child .when", "after: half")
	b.holds(`#hardware .half:first-child [data-act="rank:5"]`, "5")
	b.holds(`#hardware .half:last-child [data-act="rank:5"]`, "B1")
	b.click(`#hardware .half:first-child [data-act="rank:5"]`)
	b.holds("#hardware .half:last-child .chip.lit", "B1")
	b.keys("a")
	b.until(`!document.querySelector("#hardware .half")`)
	b.quiet()
	b = open(t, embedded(t, "example-7.5"), "#step=3", 1280, 800)
	b.keys("a")
	b.holds("#hardware .half:first-child .when", "before: hwcomm[1]")
	b.holds("#hardware .half:last-child .when", "after: hwcomm[2]")
	b.holds(`#hardware .half:first-child [data-act="rank:8"]`, "C0")
	b.quiet()
}

// Each communicator is a lane with its members in rank order: the keys -7, -5, -3, -1 give the odd ranks the order
// 7, 5, 3, 1. A member is a button that selects its rank; ranks without a communicator have a lane, too. Of an
// intercommunicator, the group of the selected rank is the local group.
func TestChromiumLanes(t *testing.T) {
	t.Parallel()
	b := open(t, embedded(t, "first-split"), "#step=1", 1280, 800)
	b.holds("#comms", "half#2 4 ranks split color=0 key=[-6,-4,-2,0] new A0 6 A1 4 A2 2 A3 0")
	b.holds("#comms", "B0 7 B1 5 B2 3 B3 1")
	b.click(`#comms .lane [data-act="rank:3"]`)
	b.lit("3")
	if n := b.count("#comms .chip.lit"); n != 2 { // in world and in half#3
		t.Errorf("rank 3 is lit on %d lanes, not 2", n)
	}
	b.follow("#step=3&rank=6&handle=low")
	b.holds("#comms .state", "○ MPI_COMM_NULL")
	b.quiet()

	b = open(t, embedded(t, "lesson-12-two-groups"), "#step=3&rank=4", 1280, 800)
	b.holds("#comms", "local")
	b.holds("#comms", "remote C0")
	b.quiet()
}

// Ranks side by side are in communicators 24 letters apart, and nevertheless have different colors.
func TestChromiumColors(t *testing.T) {
	t.Parallel()
	b := open(t, exported(t, "colorful.mpi", colorful), "#step=1", 1280, 800)
	b.holds(`#hardware [data-act="rank:1"]`, "Y0")
	b.until(`(() => { const of = (r) => getComputedStyle(document.querySelector("#hardware [data-act='rank:" + r + "']")).backgroundColor; return of(0) !== of(1) && of(1) !== of(2); })()`)
	b.quiet()
}

// A link leads to a moment and a selection, even in a page that is open already.
func TestChromiumLink(t *testing.T) {
	t.Parallel()
	b := open(t, embedded(t, "first-split"), "#step=3&rank=6&handle=low", 1280, 800)
	b.holds("#now", "step 3 of 5")
	b.holds("#why", "world rank 6 holds MPI_COMM_NULL")
	b.lit("6")
	b.follow("#step=1&comm=3")
	b.holds("#now", "step 1 of 5")
	b.lit("1,3,5,7")
	for _, wrong := range []string{"#step=99&rank=99&comm=x&object=-1&handle=nobody", "#step=&rank=", "#%%%", "#step=2e9"} {
		b.follow(wrong)
		b.lit("")
	}
	b.quiet()
}

// An address carries the pane: in a wide window it has the focus, in a narrow one its tab shows. The address follows the person to
// another pane, with a key and with a tab; a pane that does not exist is left out.
func TestChromiumPane(t *testing.T) {
	t.Parallel()
	focused := `document.activeElement.closest(".pane")?.id ?? ""`
	showing := `[...document.querySelectorAll("#panes .pane:not(#hardware)")].filter((p) => p.checkVisibility()).map((p) => p.id).join()`
	for _, c := range []struct {
		width, height int64
		what          string // of the page, that names the pane
		to            func(b *tab, pane string)
	}{
		{1280, 800, focused, func(b *tab, pane string) { b.keys(map[string]string{"comms": "2", "trace": "5"}[pane]) }},
		{390, 844, showing, func(b *tab, pane string) { b.click(`#tabs [data-act="tab:` + pane + `"]`) }},
	} {
		b := open(t, embedded(t, "first-split"), "#step=3&handle=low&pane=why", c.width, c.height)
		shows := func(want string) {
			t.Helper()
			if got, ok := b.shows(c.what, func(got string) bool { return got == want }); !ok {
				t.Errorf("%dx%d: the pane %q, not %q", c.width, c.height, got, want)
			}
		}
		shows("why")
		b.link("#step=3&handle=low&pane=why")
		c.to(b, "trace")
		shows("trace")
		b.link("#step=3&handle=low&pane=trace")
		b.follow("#step=1&pane=ranks")
		shows("ranks")
		b.holds("#now", "step 1 of 5")
		c.to(b, "comms")
		b.link("#step=1&pane=comms")
		b.follow("#pane=ranks") // the moment stays
		shows("ranks")
		b.link("#step=1&pane=ranks")
		b.follow("#step=2&pane=cellar")
		b.holds("#now", "step 2 of 5")
		b.quiet()
	}
}

// Everything can be reached with the keyboard.
func TestChromiumKeys(t *testing.T) {
	t.Parallel()
	b := open(t, embedded(t, "first-split"), "#step=5", 1280, 800)
	focus := func(want string) {
		t.Helper()
		if got, ok := b.shows(`(document.activeElement.closest(".pane, dialog")?.id ?? "") + " " + (document.activeElement.dataset.act ?? document.activeElement.id)`, func(got string) bool { return got == want }); !ok {
			t.Errorf("the focus is on %q, not %q", got, want)
		}
	}
	b.keys("3")
	focus("ranks handle:1")
	b.keys(kb.End, kb.Enter)
	focus("ranks rank:7")
	b.lit("7")
	b.keys("v") // behind the last variable comes the first again
	b.holds("#which", "world ranks")
	b.keys("V")
	b.holds("#which", "pack")
	b.keys("2", kb.Home, kb.ArrowLeft)
	if n := b.count("#comms .comm"); n != 1 {
		t.Errorf("%d lines when world is closed", n)
	}
	b.keys(kb.ArrowRight, kb.ArrowDown, kb.Enter) // from lane to lane
	b.holds("#why", "half#2")
	b.keys("1")
	b.keys(kb.Home, kb.Enter)
	b.holds("#why h3", "Machine")
	b.keys(kb.ArrowDown, kb.Enter) // what is below it in the picture
	b.holds("#why h3", "Package L#0")
	b.keys("5", kb.Home, kb.Enter)
	b.holds("#now", "step 0 of 5")
	b.keys("x")
	focus("why ")
	b.keys("/", "4", kb.Enter)
	b.lit("4")
	b.keys(kb.Escape, "?")
	b.holds("dialog[open]", "clear the selection")
	b.keys(kb.Escape)
	if n := b.count("dialog[open]"); n != 0 {
		t.Error("Esc does not close the keys")
	}
	b.quiet()
}

// The focus stays where a person works: on the "on" button at the end, in the pane that has changed, at the
// explanation of a rank that was found.
func TestChromiumFocus(t *testing.T) {
	t.Parallel()
	b := open(t, embedded(t, "first-split"), "#step=4", 1280, 800)
	focus := func(want string) {
		t.Helper()
		if got, ok := b.shows(`(document.activeElement.closest(".pane") ?? document.activeElement).id`, func(got string) bool { return got == want }); !ok {
			t.Errorf("the focus is on %q, not on %q", got, want)
		}
	}
	b.do(chromedp.Focus(chromedp.CSS("#on")))
	b.keys(kb.Enter, kb.Enter)
	focus("on")
	b.holds("#now", "step 5 of 5")
	b.keys("[", "4")
	b.do(chromedp.Focus(chromedp.CSS(`#why [data-act^="comm:"]`)))
	b.keys(kb.Enter)
	focus("why")
	b.keys("/", "99", kb.Enter)
	if wrong := eval[string](b, `document.getElementById("find").validationMessage`); wrong != "there is no rank 99: 0 to 7" {
		t.Errorf("of rank 99 it is said %q", wrong)
	}
	b.keys(kb.Backspace, kb.Backspace, "3", kb.Enter)
	focus("why")
	b.lit("3")
	b.keys("]")
	b.holds("#now", "step 5 of 5")
	b.do(chromedp.Focus(chromedp.CSS("#clear")))
	b.keys(kb.Enter)
	b.lit("")
	focus("clear")
	b.quiet()
}

// Where [ and ] are on a third level of the keyboard, they come with Alt or AltGr; keys with Ctrl alone belong to
// the browser. A focused list of variables leaves the keys of time to the page.
func TestChromiumOtherKeyboards(t *testing.T) {
	t.Parallel()
	b := open(t, embedded(t, "first-split"), "#step=2", 1280, 800)
	press := func(keys, want string) {
		t.Helper()
		eval[bool](b, `document.activeElement.dispatchEvent(new KeyboardEvent("keydown", {bubbles: true, cancelable: true, `+keys+`})), true`)
		b.holds("#now", "step "+want+" of 5")
	}
	press(`key: "]", altKey: true`, "3")
	press(`key: "[", altKey: true, ctrlKey: true`, "2")
	press(`key: "]", ctrlKey: true`, "2")
	press(`key: "p", altKey: true`, "2")
	eval[bool](b, `document.activeElement.blur(), true`)
	press(`key: "PageDown"`, "3")
	press(`key: "PageUp"`, "2")
	b.do(chromedp.Focus(chromedp.CSS("#variable")))
	press(`key: "]"`, "3")
	press(`key: "p"`, "3")
	if got := b.text("#play"); got != "play" {
		t.Errorf("a letter in the list of variables leads to %s", got)
	}
	b.quiet()
}

// Tab leads through the bar and then from pane to pane, with one stop each.
func TestChromiumTab(t *testing.T) {
	t.Parallel()
	b := open(t, embedded(t, "first-split"), "#step=2&rank=3", 1280, 800)
	eval[bool](b, `document.activeElement.blur(), true`)
	var stops []string
	for range 16 {
		b.keys(kb.Tab)
		stops = append(stops, eval[string](b, `document.activeElement.closest(".pane")?.id ?? document.activeElement.id`))
	}
	want := "play first back on last time variable find clear say keys hardware comms ranks why trace"
	if got := strings.Join(stops, " "); !strings.HasPrefix(got, want) {
		t.Errorf("Tab stops at %s, not %s", got, want)
	}
}

// The page shows who waits for whom, and marks blocked ranks.
func TestChromiumDeadlock(t *testing.T) {
	t.Parallel()
	b := open(t, exported(t, "dead.mpi", deadlock), "#step=9", 1280, 800)
	b.holds("#why", "DEADLOCK rank 0 ─▶ ranks 2,4 ─▶ rank 0")
	b.holds("#why", "rank 0 waits in MPI_Barrier on world dead.mpi:4 0! └▶ for ranks 1-5, which made no such call")
	if got := eval[string](b, `[...document.querySelectorAll("#hardware .chip.stuck b")].map((e) => e.textContent).join(" ")`); got != "A0! A1! A2!" {
		t.Errorf("blocked are %s", got)
	}
	b.click(`#ranks [data-act="rank:2"]`)
	b.holds("#why", "ranks 2,4 wait in MPI_Barrier on half#2")
	b.holds("#trace", "DEADLOCK on")
	b.quiet()
}

// The two groups of an intercommunicator face each other, with the selected rank's group on the left. The right group has a hatch
// of the communicator's color, in each pane.
func TestChromiumTwoGroups(t *testing.T) {
	t.Parallel()
	b := open(t, embedded(t, "lesson-12-two-groups"), "#step=2&comm=4", 1280, 800)
	b.holds("#why .lane", "left C0 0 C1 1 C2 2 right C'0 3")
	for _, pane := range []string{"hardware", "comms", "why"} {
		hatched := `[...document.querySelectorAll("#` + pane + ` .chip")].filter((c) => getComputedStyle(c).backgroundImage.includes("repeating")).map((c) => c.querySelector("b").textContent).join(" ")`
		if got := eval[string](b, hatched); got != "C'0 C'1 C'2" {
			t.Errorf("%s: a hatch on %s", pane, got)
		}
	}
	b.keys(kb.Escape)
	b.click(`#hardware [data-act="rank:4"]`)
	b.click(`#comms [data-act="comm:4"]`)
	b.holds("#why .lane", "local C'0 3 C'1 4 C'2 5 remote C0 0")
	if got := eval[string](b, `document.querySelector('#hardware [data-act="rank:4"] b').textContent`); got != "C'1" { // A and B are the halves
		t.Errorf("rank 4 is %s", got)
	}
	b.quiet()
}

// The call sites are a table that opens with the keyboard, and counts up to the step that shows. A row selects
// what its line made until then: for the twelve duplicates of world, 12 communicators of 4 ranks each.
func TestChromiumSites(t *testing.T) {
	t.Parallel()
	b := open(t, exported(t, "sites.mpi", leaking), "#step=13", 1280, 800)
	b.holds("#sites summary", "Sites ! 1 leak")
	b.do(chromedp.Focus(chromedp.CSS("#sites summary")))
	b.keys(kb.Enter)
	b.until(`document.querySelector("#sites table").checkVisibility()`)
	b.holds("#sites tr.alarm", "! sites.mpi:4 Comm_dup 12 12 12 12 4 1 2 2")
	if n := b.count(`#sites thead th[scope=col], #sites tbody th[scope=row]`); n != 12 {
		t.Errorf("%d heads of columns and rows, not 10 and 2", n)
	}
	names(b)
	b.click("#sites tr.alarm td:last-child")
	b.holds("#why h3", "12 communicators that MPI_Comm_dup made, of 48 ranks in all")
	b.until(`document.querySelectorAll("#comms .comm.lit").length === 12`)
	b.lit("0,1,2,3")
	b.click("#sites tr.alarm button")
	b.lit("")
	b.keys(kb.ArrowDown, kb.Enter)
	b.holds("#why h3", "2 communicators that MPI_Comm_split made, of 4 ranks in all")
	b.until(`document.activeElement.closest("#sites tr.lit") !== null`)
	b.keys("{")
	b.holds("#now", "step 0 of 13")
	b.lit("")
	b.holds("#sites summary", "Sites no call has made a communicator yet")
	if n := b.count("#sites tbody tr"); n != 0 {
		t.Errorf("%d places before the first call", n)
	}
	b.keys(kb.ArrowRight, kb.ArrowRight, kb.ArrowRight)
	b.holds("#sites tbody tr", "sites.mpi:4 Comm_dup 2 2 2 2 4 1 2 2")
	b.click("#sites tbody td")
	b.holds("#why h3", "2 communicators that MPI_Comm_dup made, of 8 ranks in all")
	if wide := eval[string](b, overflow); wide != "" {
		t.Errorf("too wide: %s", wide)
	}
	b.quiet()
	const hidden = `!document.querySelector("#sites").checkVisibility()`
	b = open(t, embedded(t, "first-split"), "#step=1", 1280, 800)
	b.until(hidden)
	b.quiet()
	b = open(t, exported(t, "ask.mpi", leaking+`@0 ask "How many members has half?" half.size answer=2`+"\n"), "", 1280, 800)
	b.until(`document.getElementById("prediction") !== null`)
	b.holds("#now", "step 0 of 13")
	if n := b.count("#sites tbody tr"); n != 0 {
		t.Error("the table answers the question")
	}
	b.quiet()
}
