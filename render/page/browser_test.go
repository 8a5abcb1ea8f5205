package page_test

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"commsplit/hw/judge"
)

// browser starts one Chromium for all tests. A machine that is busy may be too slow for it
// once; a page that is broken is never the reason.
func browser(t testing.TB) (context.Context, error) {
	t.Helper()
	path := judge.Ask(t, "chromium", "chromium-browser", "google-chrome", "chrome")
	starting.Do(func() {
		if started, startErr = startBrowser(path); startErr != nil {
			stopBrowser()
			started, startErr = startBrowser(path)
		}
	})
	return started, startErr
}

func startBrowser(path string) (context.Context, error) {
	dir, err := os.MkdirTemp("", "commsplit-chromium")
	if err != nil {
		return nil, err
	}
	profiles = append(profiles, dir)
	ctx, cancel := chromedp.NewExecAllocator(context.Background(), chromedp.ExecPath(path), chromedp.UserDataDir(dir),
		chromedp.Headless, chromedp.NoSandbox, chromedp.DisableGPU, chromedp.NoFirstRun,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true))
	ctx, stop := chromedp.NewContext(ctx)
	stopBrowser = func() { stop(); cancel() }
	return ctx, chromedp.Do(ctx)
}

var (
	starting    sync.Once
	started     context.Context
	startErr    error
	stopBrowser = func() {}
	profiles    []string
)

func TestMain(m *testing.M) {
	code := m.Run()
	stopBrowser()
	for _, dir := range profiles {
		os.RemoveAll(dir)
	}
	os.Exit(code)
}

// tab is a page that is open in a browser.
type tab struct {
	testing.TB
	ctx  context.Context
	url  string
	mu   sync.Mutex
	said []string // by the console, exceptions, and the policy
	got  []string // from the network
}

// open shows a page in a window of that size.
func open(t testing.TB, html []byte, fragment string, width, height int64) *tab {
	t.Helper()
	parent, err := browser(t)
	if err != nil {
		t.Skipf("Chromium does not start: %v", err)
	}
	file := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(file, html, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := chromedp.NewContext(parent)
	t.Cleanup(cancel)
	ctx, late := context.WithTimeout(ctx, 120*time.Second)
	t.Cleanup(late)
	b := &tab{TB: t, ctx: ctx, url: "file://" + file}
	if err := chromedp.Listen(ctx, b.heard); err != nil {
		t.Fatal(err)
	}
	call(b, network.Enable, network.EnableParams{})
	b.do(chromedp.EmulateViewport(width, height), chromedp.Navigate(b.url+fragment))
	return b
}

// heard notes what should not be.
func (b *tab) heard(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		for _, a := range e.Args {
			b.said = append(b.said, string(a.Value)+a.Description)
		}
	case *runtime.EventExceptionThrown:
		b.said = append(b.said, e.ExceptionDetails.Text+" "+e.ExceptionDetails.Exception.Description)
	case *network.EventRequestWillBeSent:
		b.got = append(b.got, e.Request.URL)
	}
}

// quiet fails the test if the page said something in the console, or asked for more than itself.
func (b *tab) quiet() {
	b.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.said) > 0 {
		b.Errorf("the console says %q", b.said)
	}
	for _, url := range b.got {
		if url[:min(len(url), len(b.url))] != b.url {
			b.Errorf("the page asks for %s", url)
		}
	}
}

func (b *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	b.Helper()
	if err := chromedp.Do(b.ctx, actions...); err != nil {
		b.Fatal(err)
	}
}

// eval is the value of an expression in the page.
func eval[T any](b *tab, expression string) T {
	b.Helper()
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		b.Fatalf("%s: %v", expression, err)
	}
	return v
}

// until waits until an expression is true.
func (b *tab) until(expression string) {
	b.Helper()
	for !eval[bool](b, expression) { // until the time of the tab is over
		time.Sleep(20 * time.Millisecond)
	}
}

// call sends a command to the browser.
func call[P, R any](b *tab, command cdp.Command[P, R], params P) R {
	b.Helper()
	r, err := chromedp.Call(b.ctx, command, params)
	if err != nil {
		b.Fatal(err)
	}
	return r
}

// keys presses keys, one after the other. As at a keyboard, a key that the page takes types nothing.
func (b *tab) keys(list ...string) {
	b.Helper()
	for _, key := range list {
		for _, r := range key {
			events := kb.Encode(r)
			if len(events) == 3 { // down, the character, up
				events[0].Text = events[1].Text
				events = append(events[:1], events[2])
			}
			for _, e := range events {
				call(b, input.DispatchKeyEvent, *e)
			}
		}
	}
}

// text is what an element shows.
func (b *tab) text(selector string) string {
	b.Helper()
	return eval[string](b, `document.querySelector(`+quoted(selector)+`).innerText`)
}

// count is how many elements there are.
func (b *tab) count(selector string) int {
	b.Helper()
	return eval[int](b, `document.querySelectorAll(`+quoted(selector)+`).length`)
}

// click clicks on the first element.
func (b *tab) click(selector string) {
	b.Helper()
	b.do(chromedp.Click(chromedp.CSS(selector)))
}
