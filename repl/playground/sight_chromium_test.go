package main

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"codeberg.org/commsplit/commsplit/render/page/chromium"
)

// inSight counts the elements of a selector that are whole inside the window and inside each pane around them.
const inSight = `((list) => [...list].filter((e) => {
	const r = e.getBoundingClientRect();
	if (!e.checkVisibility() || !r.width || r.top < -1 || r.left < -1 || r.bottom > innerHeight + 1 || r.right > innerWidth + 1) return false;
	for (let p = e.parentElement; p !== document.body; p = p.parentElement) {
		const f = p.getBoundingClientRect();
		if (getComputedStyle(p).overflowY !== "visible" && (r.top < f.top - 1 || r.bottom > f.bottom + 1 || r.left < f.left - 1 || r.right > f.right + 1)) return false;
	}
	return true;
}).length)`

// After the first split of figure-7.3 all of it is in sight, without scrolling the page or a pane: the twelve cells, world and
// both communicators with their members, and the twelve rows of ranks; in a narrow window the communicators and the ranks
// have a tab each.
func TestChromiumInSight(t *testing.T) {
	b := opened(t, "#n=12&topo=figure-7.3&run=half = split world color=rank%252")
	for _, size := range [][2]int64{{1280, 800}, {1000, 650}, {390, 844}} {
		b.Do(chromedp.EmulateViewport(size[0], size[1]))
		narrow := size[0] < 700
		for _, c := range []struct {
			tab, what string
			want      string
		}{
			{"comms", `#hardware .chip`, "12"}, {"comms", `#comms .comm`, "3"}, {"comms", `#comms .lane .chip`, "24"},
			{"ranks", `#ranks tbody th`, "12"}, {"ranks", `#ranks td.where`, "12"}, {"ranks", `#hardware .chip`, "12"}, {"ranks", "#line", "1"}, {"ranks", "#play", "1"},
		} {
			if narrow {
				b.Click(`#tabs [data-act="tab:` + c.tab + `"]`)
			}
			count := "String(" + inSight + "(document.querySelectorAll('" + c.what + "')))"
			if got, ok := b.Shows(count, func(got string) bool { return got == c.want }); !ok {
				b.Errorf("%dx%d: of %s %s are in sight, not %s", size[0], size[1], c.what, got, c.want)
			}
		}
		b.Until("document.scrollingElement.scrollHeight <= innerHeight && document.scrollingElement.scrollWidth <= innerWidth")
	}
	b.Quiet()
}

// A link to a pane opens it: in a wide window the focus is there and not at the prompt; in a narrow one its tab shows. Without a step it
// shows the last one, and what is typed then keeps the pane.
func TestChromiumPane(t *testing.T) {
	const link = "#n=12&topo=figure-7.3&run=half = split world color=rank%252&pane=ranks"
	b := opened(t, link)
	b.Until(`document.activeElement.closest(".pane").id === "ranks" && location.hash.endsWith("&step=1&pane=ranks")`)
	b.Keys(":x = dup world" + kb.Enter)
	b.Until(`location.hash.endsWith("&run=x+=+dup+world&step=2&pane=ranks")`)
	b.Keys(kb.Escape + "6")
	b.Until(`document.activeElement.id === "log"`)
	b.Quiet()
	c := chromium.Open(t, served(t), link, 390, 844)
	c.Until(`document.getElementById("tools").hidden === false && document.getElementById("ranks").checkVisibility()`)
	c.Click(`#tabs [data-act="tab:trace"]`)
	c.Until(`location.hash.endsWith("&step=1&pane=trace") && !document.getElementById("ranks").checkVisibility()`)
	c.Quiet()
}

// Without an address the page begins with a split, which plays; in a frame, embed=1 hides the prompt.
func TestChromiumFirst(t *testing.T) {
	b := opened(t, "")
	b.Holds("#now", "step 1 of 1")
	b.Holds("#why", "half = split world color=rank%2 key=-rank")
	b.Until(`document.querySelector("#controls button").id === "play"`)
	c := opened(t, "#embed=1&run=half = split world color=rank%252")
	c.Until(`!document.getElementById("line").checkVisibility() && location.hash.startsWith("#embed=1&")`)
	c.Holds("#comms", "half#2")
	c.Quiet()
}
