package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"commsplit/hw/judge"
	"commsplit/render/page/chromium"
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

// served is the address of the folder behind a plain web server, below a path.
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

// opened is the playground with a link, when it has a prompt.
func opened(t *testing.T, link string) *chromium.Tab {
	t.Helper()
	b := chromium.Open(t, served(t), link, 1280, 800)
	b.Until(`document.getElementById("tools").hidden === false`)
	return b
}

// parts are the letters of the ranks 0 to 5 on the hardware.
const parts = `Array.from({length: 6}, (_, r) => document.querySelector('#hardware [data-act="rank:' + r + '"] b').textContent).join(" ")`

func letters(b *chromium.Tab, want string) {
	b.Helper()
	if got, ok := b.Shows(parts, func(got string) bool { return got == want }); !ok {
		b.Errorf("the hardware shows %s, not %s", got, want)
	}
}

// A line is typed, completed, wrong, taken back; the panes follow, and the address opens the same again.
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
	letters(b, "A2 A1 A0 B2 B1 B0")
	b.Holds("#trace", "rows")
	link := chromium.Eval[string](b, "location.hash")
	b.Click("#undo")
	letters(b, "A0 B0 A1 B1 A2 B2")
	b.Click("#redo")
	letters(b, "A2 A1 A0 B2 B1 B0")
	b.Keys(kb.Escape + "[")
	letters(b, "A0 B0 A1 B1 A2 B2")
	b.Quiet()
	c := opened(t, link+"&rank=4")
	letters(c, "A2 A1 A0 B2 B1 B0")
	c.Holds("#why", "world rank 4 is rank 1 of 3 in rows")
	c.Quiet()
}
