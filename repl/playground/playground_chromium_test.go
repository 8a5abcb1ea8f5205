package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"codeberg.org/commsplit/commsplit/hw/judge"
	"codeberg.org/commsplit/commsplit/render/page/chromium"
)

func TestMain(m *testing.M) {
	code := chromium.Main(m)
	if folder != "" {
		os.RemoveAll(folder)
	}
	os.Exit(code)
}

var (
	building sync.Once
	folder   string
	buildErr error
)

// served returns the address of the folder on a plain web server, below a path.
func served(t *testing.T) string {
	t.Helper()
	judge.Ask(t, "chromium", "chromium-browser", "google-chrome", "chrome")
	building.Do(func() {
		if folder, buildErr = os.MkdirTemp("", "playground"); buildErr == nil {
			buildErr = write(folder)
		}
	})
	if buildErr != nil {
		t.Fatal(buildErr)
	}
	s := httptest.NewServer(http.StripPrefix("/courses/mpi/", http.FileServer(http.Dir(folder))))
	t.Cleanup(s.Close)
	return s.URL + "/courses/mpi/"
}

// opened opens the playground with a link, and waits until it has a prompt.
func opened(t *testing.T, link string) *chromium.Tab {
	t.Helper()
	b := chromium.Open(t, served(t), link, 1280, 800)
	b.Until(`document.getElementById("tools").hidden === false`)
	return b
}

// parts is JavaScript for the letters of ranks 0 to 5 on the hardware.
const parts = `Array.from({length: 6}, (_, r) => document.querySelector('#hardware [data-act="rank:' + r + '"] b').textContent).join(" ")`

func letters(b *chromium.Tab, want string) {
	b.Helper()
	if got, ok := b.Shows(parts, func(got string) bool { return got == want }); !ok {
		b.Errorf("the hardware shows %s, not %s", got, want)
	}
}

// choose opens the first script of a list.
func choose(b *chromium.Tab, list, first string) {
	b.Helper()
	b.Click(list)
	b.Holds("#choose", first)
	b.Click("#choose section:not([hidden]) li:first-child button")
}

// A line is typed, completed, wrong, and taken back; the panes follow, and the address opens the same session again.
// While half has the letters A and B, rows has C and D.
func TestChromiumPrompt(t *testing.T) {
	b := opened(t, "#n=6&topo=core:6")
	b.Keys("half = split wor\t")
	b.Until(`document.getElementById("line").value === "half = split world "`)
	b.Keys("colour=rank%2 ")
	b.Holds("#hint", `^ split has no parameter "colour"`)
	b.Keys(kb.Enter)
	b.Holds("#log .bad", `did you mean color`)
	b.Keys(kb.ArrowUp)
	b.Until(`document.getElementById("line").value === "half = split world colour=rank%2 "`)
	b.Keys(strings.Repeat(kb.Backspace, len("colour=rank%2 ")) + "color=rank%2" + kb.Enter)
	letters(b, "A0 B0 A1 B1 A2 B2")
	b.Holds("#log", "half = ranks 0-5 each call MPI_Comm_split(world, color=rank%2, key=0)")
	b.Keys("MPI_Comm_split(MPI_COMM_WORLD, rank / 3, -rank, &rows);" + kb.Enter)
	letters(b, "C2 C1 C0 D2 D1 D0")
	b.Holds("#trace", "rows")
	link := chromium.Eval[string](b, "location.hash")
	b.Click("#undo")
	letters(b, "A0 B0 A1 B1 A2 B2")
	b.Click("#redo")
	letters(b, "C2 C1 C0 D2 D1 D0")
	b.Keys(kb.Escape + "[")
	letters(b, "A0 B0 A1 B1 A2 B2")
	b.Quiet()
	c := opened(t, link+"&rank=4")
	letters(c, "C2 C1 C0 D2 D1 D0")
	c.Holds("#why", "world rank 4 is rank 1 of 3 in rows")
	c.Quiet()
}

// A whole program of C, and then one of mpi4py, that a person pastes runs with Enter; the hint below says what is wrong with
// one, at its first line only.
func TestChromiumPaste(t *testing.T) {
	b := opened(t, "#n=6&topo=core:6")
	paste := func(text string) {
		chromium.Eval[bool](b, `document.getElementById("line").focus() || document.execCommand("insertText", false, `+strconv.Quote(text)+`)`)
		b.Keys(kb.Enter)
	}
	paste("// Halves.\n#include <mpi.h>\n#include <stdio.h>\n\nint main(int argc, char **argv)\n{\n    int rank, n;\n    MPI_Comm half;\n    MPI_Init(&argc, &argv);\n" +
		"    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n\n    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);\n    MPI_Comm_size(half, &n);\n" +
		"    printf(\"%d of %d\\n\", rank, n);\n    MPI_Finalize();\n    return 0;\n}\n")
	b.Holds("#log", "5 of 3")
	letters(b, "A0 B0 A1 B1 A2 B2")
	b.Holds("#trace", "MPI_Comm_split")
	paste("from mpi4py import MPI\n\ncomm = MPI.COMM_WORLD\n\ndef third(r):\n    return r % 3\n\nif comm.rank > 0:\n    row = comm.Split(third(comm.rank))\n\n" +
		"else:\n    row = comm.Split(0)\n\nprint(f\"{comm.rank}: {row.size}\")\n")
	b.Holds("#log", "5: 2")
	letters(b, "D0 E0 F0 D1 E1 F1") // C is comm
	b.Quiet()
}

// The folder is small enough for a class that opens it at the same moment.
func TestChromiumSize(t *testing.T) {
	served(t)
	const most = 5_000_000 // bytes
	info, err := os.Stat(filepath.Join(folder, engine))
	if err != nil || info.Size() > most {
		t.Errorf("the engine has %d bytes, more than %d: %v", info.Size(), most, err)
	}
}

// A line that makes communicators several times has a table of sites; there was none before.
func TestChromiumSites(t *testing.T) {
	b := opened(t, "#n=6&topo=core:6&run=half = split world color=rank%252")
	letters(b, "A0 B0 A1 B1 A2 B2")
	b.Until(`!document.getElementById("sites").checkVisibility()`)
	b.Keys("for i in range(3): world.Dup()" + kb.Enter)
	b.Holds("#sites", "Sites what each line made")
	b.Click("#sites summary")
	b.Holds("#sites tbody tr:first-child", "Comm_dup 3 3 3 3 6")
	b.Quiet()
}

// The button stops a line that does not end, and the session is as before the line.
func TestChromiumStop(t *testing.T) {
	b := opened(t, "#n=6&topo=core:6&run=half = split world color=rank%252")
	b.Keys("while True: pass" + kb.Enter)
	b.Until(`document.getElementById("stop").hidden === false`)
	b.Click("#stop")
	b.Holds("#log", "world[6]> while True: pass interrupted: the session is as it was before this line")
	b.Keys("rows = split world color=rank//3" + kb.Enter)
	b.Holds("#log", "rows = ranks 0-5 each call MPI_Comm_split(world, color=rank//3, key=0)")
	letters(b, "C0 C1 C2 D0 D1 D2")
	b.Quiet()
}

// A lesson waits for predictions; a line at the prompt waits for predictions, too.
func TestChromiumLesson(t *testing.T) {
	b := opened(t, "")
	choose(b, "#lessons", "1 The color decides with whom, the key in which order")
	b.Holds("h1", "The color decides with whom")
	b.Holds("#now", "step 0 of")
	b.Keys("}")
	b.Until(`document.activeElement.id === "prediction"`)
	for _, size := range [][2]int64{{1000, 650}, {390, 844}, {1280, 800}} { // it stands below what it is about
		b.Do(chromedp.EmulateViewport(size[0], size[1]))
		if got, ok := b.Shows(inSight+`(document.querySelectorAll(".question, .question label, #prediction")) + ((story, asked) =>
			story.bottom <= asked.top + 1 && story.height >= 80 ? " below" : JSON.stringify([story, asked]))(...["#why .body", "#asked"].map((e) => document.querySelector(e).getBoundingClientRect()))`,
			func(got string) bool { return got == "3 below" }); !ok {
			t.Errorf("%dx%d: the question: %s", size[0], size[1], got)
		}
	}
	if bad := chromium.Violations(b); bad != "" {
		t.Errorf("a question: %s", bad)
	}
	b.Keys(kb.Escape + ":x = dup world" + kb.Enter)
	b.Holds("#log", "A question is open in the pane Why")
	for chromium.Eval[bool](b, `(document.querySelector("#prediction") ?? 0) !== 0`) {
		before := chromium.Eval[string](b, `document.querySelector("#prediction").dataset.at`)
		b.Click(".question button")
		b.Keys("}")
		b.Until(`document.querySelector("#prediction")?.dataset.at !== ` + strconv.Quote(before))
	}
	b.Keys(":x = dup world" + kb.Enter)
	b.Holds("#log", "x = ranks")
	b.Until(`location.hash.startsWith("#open=lesson-01-color-and-key&run=x")`)
	b.Quiet()
}

// A call that is typed while an earlier step of a lesson shows is tried at that step, and the lesson goes on there. The
// language of translations stays, also in another lesson and another page.
func TestChromiumTry(t *testing.T) {
	b := opened(t, "#open=lesson-03&step=1")
	b.Holds("#now", "step 1 of")
	last := b.Text("#now")
	b.Keys(":mine = dup world" + kb.Enter)
	b.Holds("#log", "This line is tried at step 1")
	b.Holds("#log", "mine = ranks")
	b.Holds("#now", "step 2 of 2")
	b.Until(`location.hash.includes("&until=1&run=mine")`)
	b.Click("#lesson")
	b.Until(`document.getElementById("now").textContent === ` + strconv.Quote(last))
	b.Until(`!location.hash.includes("until=") && document.getElementById("lesson").hidden`)
	chromium.Eval[bool](b, `(() => { const s = document.getElementById("tongue"); s.value = "c"; s.dispatchEvent(new Event("change")); return true; })()`)
	b.Holds("#why", "The lines of this call")
	b.Click("#on")
	b.Holds("#why .spelled", "MPI_Comm_")
	if text := b.Text("#why .spelled"); strings.Contains(text, "Fortran") {
		t.Errorf("besides C there is %s", text)
	}
	c := chromium.Open(t, b.URL, "#n=4&topo=core:4", 1280, 800)
	c.Until(`document.getElementById("tools").hidden === false`)
	c.Until(`document.getElementById("tongue").value === "c"`)
	c.Keys("half = split world color=rank%2" + kb.Enter)
	c.Holds("#log", "C: MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);")
	chromium.Eval[bool](c, `(localStorage.clear(), true)`)
	b.Quiet()
	c.Quiet()
}

// An exercise is chosen, answered wrongly, and solved; the list marks it as solved. The goal and what came of the line stand side
// by side, or one above the other, whole and in sight in windows of three sizes, with » at the ranks that differ: with color=0
// every rank is with all others, where two teams are the goal. What is told of the line is in sight, and the log covers no pane.
func TestChromiumPractice(t *testing.T) {
	b := opened(t, "")
	choose(b, "#practice", "1 Evens and odds")
	b.Holds("#why", "Two teams: the ranks with an even number are together")
	sides := func(want string) {
		t.Helper()
		if got, ok := b.Shows(`[...document.querySelectorAll("#hardware .half")].map((h) => h.querySelector(".when").textContent + ": "
			+ [...h.querySelectorAll(".chip b")].map((c) => c.textContent).join(" ")).join(" | ")`, func(got string) bool { return got == want }); !ok {
			t.Errorf("the hardware shows %s, not %s", got, want)
		}
	}
	sides("the goal: half: A0 B0 A1 B1 A2 B2 | yours: none yet: 0 1 2 3 4 5")
	b.Keys("half = split world color=0" + kb.Enter)
	sides("the goal: half: A0 B0 A1 B1 A2 B2 | yours: half: »A0 »A1 »A2 »A3 »A4 »A5")
	for _, size := range [][2]int64{{1000, 650}, {390, 844}, {1280, 800}} {
		b.Do(chromedp.EmulateViewport(size[0], size[1]))
		for what, want := range map[string]string{".half .chip": "12", ".half .moved": "6", "#why .fresh": "1", "#line": "1"} {
			if got, ok := b.Shows("String("+inSight+"(document.querySelectorAll('"+what+"')))", func(got string) bool { return got == want }); !ok {
				t.Errorf("%dx%d: of %s %s are in sight, not %s", size[0], size[1], what, got, want)
			}
		}
		b.Until(`document.getElementById("log").getBoundingClientRect().top >= document.getElementById("panes").getBoundingClientRect().bottom - 1`)
	}
	b.Holds("#why .fresh", "wrong with 6 ranks:")
	b.Holds("#why .told", "world rank 0 is rank 0 of 6 in half#2")
	b.Click("#check")
	b.Holds("#log", "world[6]> check wrong with 6 ranks")
	b.Click("#hints")
	b.Holds("#why .fresh", "Hint 1 of")
	if bad := chromium.Violations(b); bad != "" {
		t.Errorf("an exercise: %s", bad)
	}
	b.Click("#solution")
	b.Holds("#log", "Ask for the solution once more")
	b.Click("#solution")
	b.Holds("#log", "One of several right answers: half = split world color=rank%2")
	b.Click("#undo")
	b.Until(`!location.hash.includes("run=")`)
	b.Do(chromedp.Focus(chromedp.CSS("#line")))
	b.Keys("half = split world color=rank%2" + kb.Enter)
	b.Until(`location.hash.includes("run=")`)
	b.Holds("#log", "right with 6, 9 and 12 ranks")
	sides("the goal: half: A0 B0 A1 B1 A2 B2 | yours: half: A0 B0 A1 B1 A2 B2")
	b.Keys(kb.Escape + "[")
	b.Until(`!document.querySelector("#hardware .half")`) // the step before has no result
	b.Keys("]")
	b.Until(`document.querySelectorAll("#hardware .half").length === 2`)
	b.Click("#practice")
	b.Holds("#choose section:not([hidden]) li:first-child", "✓ solved")
	b.Quiet()
}

// Exports are downloaded. The test asks the page for the names of the files, because a browser without a window saves
// nothing.
func TestChromiumExport(t *testing.T) {
	b := opened(t, "#n=6&topo=core:6&run=half = split world color=rank%252")
	chromium.Eval[bool](b, `window.saved = [], HTMLAnchorElement.prototype.click = function () { const name = this.download; fetch(this.href).catch(() => 0); window.saved.push(name); }, true`)
	chromium.Eval[bool](b, `((save) => { HTMLCanvasElement.prototype.toBlob = function (...args) {
		const dots = new Uint32Array(this.getContext("2d").getImageData(0, 0, this.width, this.height).data.buffer);
		window.inks = new Set(dots).size;
		return save.apply(this, args);
	}; })(HTMLCanvasElement.prototype.toBlob), true`)
	for _, format := range []string{"svg", "png", "html", "c", "csv", "script"} {
		b.Click("#export")
		b.Until(`document.getElementById("choose").open`)
		chromium.Eval[bool](b, `(() => { const s = document.querySelector("#format"); s.value = `+strconv.Quote(format)+`; s.dispatchEvent(new Event("change")); return true; })()`)
		b.Click("#save button[type=submit]")
		b.Until(`!document.getElementById("choose").open`)
	}
	b.Until(`window.inks > 5`) // colors of the PNG
	b.Until(`window.saved.join() === "session.svg,session.png,session.html,session.c,session.csv,session.mpi"`)
}

// A link with a mistake opens the page, with the error below the wrong line, and the line at the prompt.
func TestChromiumBadLink(t *testing.T) {
	b := opened(t, "#n=4&topo=core:4&run=a = dup world&run=b = splt a&run=c = dup b")
	b.Holds("#log", `world[4]> b = splt a error: <input>:2:5: unknown verb "splt" (did you mean split?) b = splt a ^ note: 1 line of the link behind this one did not run`)
	b.Until(`document.getElementById("line").value === "b = splt a"`)
	b.Until(`performance.getEntriesByName("prompt").length === 1`) // from then on the page follows its address
	chromium.Eval[string](b, `location.hash = "#topo=nowhere"`)
	b.Holds("#log", `hardware "nowhere" is unknown`)
	b.Holds("#about", "12 ranks on figure-7.3")
	b.Quiet()
}

// On a phone nothing is wider than the window, and every control has a name; axe-core finds nothing, in light and in dark.
func TestChromiumPhone(t *testing.T) {
	b := chromium.Open(t, served(t), "#n=12&topo=figure-7.3&run=half = split world color=rank%252&run=x = splt", 390, 844)
	b.Until(`document.getElementById("tools").hidden === false`)
	for _, look := range []string{"light", "dark"} {
		chromium.Call(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: look}}})
		for _, open := range []string{"", "#lessons", "#practice", "#world", "#export"} {
			if open != "" {
				b.Click(open)
				b.Until(`document.getElementById("choose").open`)
			}
			if wide := chromium.Eval[string](b, `[document.scrollingElement, ...document.querySelectorAll("#session, #log, #tools, #choose")].filter((e) => e.scrollWidth > e.clientWidth + 1).map((e) => e.id || e.tagName).join()`); wide != "" {
				t.Errorf("%s %s: too wide: %s", look, open, wide)
			}
			if bad := chromium.Violations(b); bad != "" {
				t.Errorf("%s %s: axe-core: %s", look, open, bad)
			}
			if _, bad := chromium.Roles(b); len(bad) > 0 {
				t.Errorf("%s %s: without a name: %s", look, open, bad)
			}
			if open != "" {
				b.Keys(kb.Escape)
				b.Until(`!document.getElementById("choose").open`)
			}
		}
	}
	b.Quiet()
}
