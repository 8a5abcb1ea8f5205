package page_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

const large = `# 4,096 ranks on 64 nodes
# commsplit: -n 4096 --topo "machine:64 pack:2 core:32"
node = split_type world HW_GUIDED resource="hwloc://Machine"
across = split world color=rank%64 key=-rank
pack = split_type node HW_GUIDED resource="hwloc://Package"
odd = split world color=(rank*7919)%13 key=rank%3
`

// longNames are long names, names in other scripts, and names of both directions.
var longNames = `# 東京 שלום 😀 </title> ` + strings.Repeat("long", 20) + `
# commsplit: -n 6 --topo "pack:2 core:3"
note "\u2028 שלום 東京 😀 ` + strings.Repeat("long", 60) + `"
a = split world color=rank%2
a.Set_name("` + strings.Repeat("x", 120) + `")
` + strings.Repeat("v", 90) + ` = split a color=0
print("` + strings.Repeat("y", 300) + `")
`

// overflow lists what is wider than the window, or than the pane that should show all of it. In a narrow window the bar of choices scrolls.
const overflow = `[document.scrollingElement, ...document.querySelectorAll("#why .body, #trace .body, #controls, #comms .body, header")]
	.filter((e) => e.scrollWidth > e.clientWidth + 1).map((e) => e.id || e.parentElement?.id || e.tagName).join()`

// Nothing is cut off at either side, whatever the window, the step and the selection.
func TestChromiumWindows(t *testing.T) {
	t.Parallel()
	for name, html := range map[string][]byte{
		"example-7.5": embedded(t, "example-7.5"), "lesson-12": embedded(t, "lesson-12-two-groups"), "lesson-01": embedded(t, "lesson-01-color-and-key"),
		"names": exported(t, "names.mpi", longNames), "deadlock": exported(t, "dead.mpi", deadlock), "failing": exported(t, "hostile.mpi", hostile),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := open(t, html, "", 1280, 800)
			for _, size := range [][2]int64{{375, 812}, {1280, 800}, {1600, 900}, {640, 400}} {
				b.do(chromedp.EmulateViewport(size[0], size[1]))
				for _, at := range []string{"#step=0", "#step=2", "#step=2&rank=2", "#step=2&comm=2", "#step=2&object=1", "#step=99"} {
					b.follow(at)
					if wide := eval[string](b, overflow); wide != "" {
						t.Errorf("%dx%d %s: too wide: %s", size[0], size[1], at, wide)
					}
					if high := eval[int](b, "document.scrollingElement.scrollHeight"); size[0] >= 1280 && high > int(size[1]) {
						t.Errorf("%dx%d %s: %d pixels high", size[0], size[1], at, high)
					}
				}
			}
			b.quiet()
		})
	}
}

// unequal lists the widths of the places of ranks if they differ, and those of idle cores.
const unequal = `["chip", "free"].map((type) => [...document.querySelectorAll("#hardware ." + type)].map((e) => e.getBoundingClientRect().width))
	.filter((l) => l.length === 0 || Math.max(...l) - Math.min(...l) >= 1).join("; ")`

// covered is whether the column of the variable that shows is covered by the column of places.
const covered = `((shown, where) => shown !== null && shown.getBoundingClientRect().right > where.getBoundingClientRect().left + 1)(
	document.querySelector("#ranks th.shown"), document.querySelector("#ranks th.where"))`

// Equal hardware has equal widths, whatever is beside it: of Figure 7.3's racks, one has two NUMA nodes with two
// packages each, the other is one node with two packages. What does not fit into a row goes to the next row, and
// nothing is cut off.
func TestChromiumEqualWidth(t *testing.T) {
	t.Parallel()
	b := open(t, embedded(t, "example-7.5"), "", 1280, 800)
	b.follow("#step=3")
	for _, size := range [][2]int64{{390, 844}, {1280, 800}, {1920, 1080}, {800, 600}} {
		b.do(chromedp.EmulateViewport(size[0], size[1]))
		b.until("!(" + covered + ")") // a window that changes its size is enough
		for _, at := range []string{"#step=0", "#step=3", "#step=21&rank=7"} {
			b.follow(at)
			if list := eval[string](b, unequal); list != "" {
				t.Errorf("%dx%d %s: %s", size[0], size[1], at, list)
			}
			if cut := eval[bool](b, `((e) => e.scrollWidth > e.clientWidth + 1)(document.querySelector("#hardware .body"))`); cut {
				t.Errorf("%dx%d %s: the hardware is wider than its pane", size[0], size[1], at)
			}
			if cut := eval[bool](b, `document.querySelector("#ranks td.where").getBoundingClientRect().right >
				document.querySelector("#ranks .body").getBoundingClientRect().right + 1`); cut {
				t.Errorf("%dx%d %s: where the ranks are is cut off", size[0], size[1], at)
			}
			if cut := eval[bool](b, covered); cut {
				t.Errorf("%dx%d %s: the variable that shows is cut off", size[0], size[1], at)
			}
		}
	}
	b.quiet()
}

// The page of thousands of ranks stays small: it is folded. Folded parts open.
func TestChromiumLarge(t *testing.T) {
	t.Parallel()
	html := exported(t, "large.mpi", large)
	if len(html) > 5<<20 {
		t.Errorf("%d bytes are too much for a mail", len(html))
	}
	b := open(t, html, "", 1280, 800)
	const most = 6000 // elements
	for _, at := range []string{"#step=0", "#step=1", "#step=2&rank=70", "#step=67&comm=5", "#step=67&object=3", "#step=67&handle=odd"} {
		b.follow(at)
		if n := b.count("*"); n > most {
			t.Errorf("%s: %d elements", at, n)
		}
	}
	b.follow("#step=2")
	b.keys("/", "70", "\r")
	b.holds("#why", "world rank 70 is rank 62 of 64 in across#72") // keys fall by 64 from 4038: 63 ranks to the last, rank 6
	b.holds("#ranks tr.lit + tr", "64 B 0 AM 62")                  // the 64 nodes have the letters before
	b.keys("\x1b")
	if n := b.count("#hardware .bar"); n != 64 {
		t.Errorf("%d of the 64 nodes have a bar", n)
	}
	b.click(`#hardware .label .fold`)
	b.holds("#hardware .path", "Machine L#0 node0 (1024MB total) alone")
	if n := b.count("#hardware .chip"); n != 64 {
		t.Errorf("%d ranks of the node alone, not its 64", n)
	}
	b.click(`#hardware [data-act="whole"]`)
	b.until(`document.querySelectorAll("#hardware .bar").length === 64`)
	b.quiet()
}

// cropped lists cells and names of hardware whose text does not fit into them, lanes that do not fit into their pane, and the
// variable that shows where it is out of sight. Rows of communicators crop what is beside them, so that nothing scrolls.
const cropped = `[...document.querySelectorAll(".scene .chip:not(.share), #hardware .name, #comms .lane .scene")].filter((e) =>
	e.checkVisibility() && (e.scrollWidth > e.clientWidth + 1 || e.matches(".lane .scene") &&
	e.getBoundingClientRect().right > document.querySelector("#comms .body").getBoundingClientRect().right))
	.map((e) => e.className + " " + e.textContent).concat(((shown, where, body) => shown.checkVisibility() && shown.getBoundingClientRect().right >
	(where ? where.getBoundingClientRect().left : body.getBoundingClientRect().right) ? "ranks" : [])
	(document.querySelector("#ranks th.shown"), document.querySelector("#ranks th.where"), document.querySelector("#ranks .body"))).join()`

// Texts fit into their cells, nested lanes into their pane, and the choices of a phone into its width. No two members of
// communicators have the same name for assistive programs.
func TestChromiumCropped(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]string{
		"nested": "# commsplit: -n 12 --topo figure-7.3\na = dup world\nb = dup a\nc = dup b\nd = dup c\ne = dup d\nf = dup e\n",
		"guided": "# commsplit: --topo frontier-56\nnuma = split_type world HW_GUIDED resource=\"hwloc://NUMANode\"\n",
		"large":  large,
		"stuck":  "# commsplit: -n 12 --topo figure-7.3\nhalf = split world color=rank%2\n@0-2 other = dup half\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := open(t, exported(t, name+".mpi", script), "#step=99", 1280, 800)
			for _, size := range [][2]int64{{1280, 800}, {1000, 650}, {390, 844}} {
				b.do(chromedp.EmulateViewport(size[0], size[1]))
				b.until(`window.innerWidth === ` + fmt.Sprint(size[0]))
				b.follow("#step=98")
				b.follow("#step=99")
				if list := eval[string](b, cropped); list != "" {
					t.Errorf("%dx%d: %s", size[0], size[1], list)
				}
				if eval[bool](b, `((e) => e.scrollWidth > e.clientWidth)(document.getElementById("choices"))`) {
					t.Errorf("%dx%d: the choices do not fit", size[0], size[1])
				}
			}
			if n := eval[int](b, `((l) => l.length - new Set(l).size)([...document.querySelectorAll('#comms .lane [data-act^="rank:"]')].map((e) => e.getAttribute("aria-label")))`); n != 0 {
				t.Errorf("%d members of communicators have the name of another", n)
			}
			b.quiet()
		})
	}
}

// On a phone, the explanation of a rank is out of sight of the rank: a line at the bottom leads to the
// explanation, and disappears there.
func TestChromiumPeek(t *testing.T) {
	t.Parallel()
	b := open(t, embedded(t, "example-7.5"), "#step=3", 375, 667)
	b.click(`#tabs [data-act="tab:ranks"]`)
	b.click(`#ranks [data-act="rank:11"]`)
	b.until(`document.getElementById("peek").checkVisibility()`)
	b.holds("#peek", "world rank 11 is rank 1 of 2 in hwcomm[2]#7 why?")
	b.click("#peek")
	b.until(`!document.getElementById("peek").checkVisibility()`)
	if top := eval[int](b, `Math.round(document.querySelector("#why h3").getBoundingClientRect().top - document.querySelector("#tabs").getBoundingClientRect().bottom)`); top < 0 || top > 60 {
		t.Errorf("the explanation is %d pixels below the tabs", top)
	}
	b.quiet()
}

// Printed, the page has no controls, and it is not empty.
func TestChromiumPrint(t *testing.T) {
	t.Parallel()
	b := open(t, embedded(t, "example-7.5"), "#step=3&rank=5", 1280, 800)
	pdf := call(b, page.PrintToPDF, page.PrintToPDFParams{PrintBackground: new(true)}).Data
	if !bytes.HasPrefix(pdf, []byte("%PDF-")) || len(pdf) < 10_000 {
		t.Errorf("printing gives %d bytes", len(pdf))
	}
	call(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
	for selector, shows := range map[string]bool{"#controls": false, "#choices": false, "#help": false, "#hardware": true, "#why": true, "#trace": true} {
		if got := eval[bool](b, `document.querySelector(`+quoted(selector)+`).checkVisibility()`); got != shows {
			t.Errorf("%s shows in print: %v", selector, got)
		}
	}
	if cut := eval[int](b, `[...document.querySelectorAll(".body")].filter((e) => e.scrollHeight > e.clientHeight + 1).length`); cut != 0 {
		t.Errorf("%d panes are cut off in print", cut)
	}
	b.quiet()
}

// Without JavaScript there is the last picture, and tables.
func TestChromiumWithoutScript(t *testing.T) {
	t.Parallel()
	b := open(t, embedded(t, "first-split"), "", 1280, 800)
	call(b, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	b.do(chromedp.Navigate(b.URL + "?plain"))
	html, err := chromedp.Run(b.ctx, chromedp.OuterHTML(chromedp.CSS("noscript")))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"<svg", "<caption>Ranks</caption>", "<caption>Calls</caption>", "6 expectations passed"} {
		if !strings.Contains(html, want) {
			t.Errorf("the page has no %s", want)
		}
	}
	box, err := chromedp.Run(b.ctx, chromedp.Dimensions(chromedp.CSS("noscript svg")))
	if err != nil || box.Width < 200 {
		t.Errorf("the picture is %v: %v", fmt.Sprint(box), err)
	}
	b.quiet()
}
