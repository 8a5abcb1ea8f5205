// Package chromium shows pages in a real browser to tests, and reports what the pages do. Only tests import it.
package chromium

import (
	"context"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"codeberg.org/commsplit/commsplit/hw/judge"
)

// browser starts one Chromium for all tests. It tries twice, since a busy machine may be too slow the first time; a
// broken page cannot be the reason.
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

// Main runs the tests of a package, for its TestMain, and then ends the browser.
func Main(m *testing.M) (code int) {
	code = m.Run()
	stopBrowser()
	for _, dir := range profiles {
		os.RemoveAll(dir)
	}
	return code
}

// Tab is a page that is open in a browser. A method fails the test if the page does not do what the method asks
// for.
type Tab struct {
	testing.TB
	Ctx  context.Context
	URL  string // of the page; all its requests must begin with it
	mu   sync.Mutex
	said []string // messages of the console, exceptions, and violations of the policy
	got  []string // URLs requested from the network
}

// Open shows the page at url + fragment in a window of a size. The test has two minutes for all that it does there.
func Open(t testing.TB, url, fragment string, width, height int64) *Tab {
	t.Helper()
	parent, err := browser(t)
	if err != nil {
		t.Skipf("Chromium does not start: %v", err)
	}
	ctx, cancel := chromedp.NewContext(parent)
	t.Cleanup(cancel)
	ctx, late := context.WithTimeout(ctx, 120*time.Second)
	t.Cleanup(late)
	b := &Tab{TB: t, Ctx: ctx, URL: url}
	if err := chromedp.Listen(ctx, b.heard); err != nil {
		t.Fatal(err)
	}
	Call(b, network.Enable, network.EnableParams{})
	Call(b, log.Enable, cdp.Empty{})
	b.Do(chromedp.EmulateViewport(width, height), chromedp.Navigate(url+fragment))
	return b
}

// heard records messages and requests of the page.
func (b *Tab) heard(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		for _, a := range e.Args {
			b.said = append(b.said, string(a.Value)+a.Description)
		}
	case *runtime.EventExceptionThrown:
		b.said = append(b.said, e.ExceptionDetails.Text+" "+e.ExceptionDetails.Exception.Description)
	case *log.EventEntryAdded: // violations of the policy appear here only
		b.said = append(b.said, e.Entry.Text)
	case *network.EventRequestWillBeSent:
		b.got = append(b.got, e.Request.URL)
	}
}

// Quiet fails the test if the page wrote to the console, or requested anything besides itself.
func (b *Tab) Quiet() {
	b.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.said) > 0 {
		b.Errorf("the console says %q", b.said)
	}
	for _, url := range b.got {
		if url[:min(len(url), len(b.URL))] != b.URL {
			b.Errorf("the page asks for %s", url)
		}
	}
}

func (b *Tab) Do(actions ...chromedp.Action[chromedp.Void]) {
	b.Helper()
	if err := chromedp.Do(b.Ctx, actions...); err != nil {
		b.Fatal(err)
	}
}

// Eval returns the value of an expression in the page.
func Eval[T any](b *Tab, expression string) T {
	b.Helper()
	v, err := chromedp.Run(b.Ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		b.Fatalf("%s: %v", expression, err)
	}
	return v
}

// Until waits until an expression is true.
func (b *Tab) Until(expression string) {
	b.Helper()
	for !Eval[bool](b, expression) { // ends with the time limit of the tab
		time.Sleep(20 * time.Millisecond)
	}
}

// Call sends a command to the browser.
func Call[P, R any](b *Tab, command cdp.Command[P, R], params P) R {
	b.Helper()
	r, err := chromedp.Call(b.Ctx, command, params)
	if err != nil {
		b.Fatal(err)
	}
	return r
}

// Keys presses keys, one after the other. As on a keyboard, a key that the page handles types nothing.
func (b *Tab) Keys(list ...string) {
	b.Helper()
	for _, key := range list {
		for _, r := range key {
			events := kb.Encode(r)
			if len(events) == 3 { // down, the character, up
				events[0].Text = events[1].Text
				events = append(events[:1], events[2])
			}
			for _, e := range events {
				Call(b, input.DispatchKeyEvent, *e)
			}
		}
	}
}

// Text returns the text that an element shows.
func (b *Tab) Text(selector string) string {
	b.Helper()
	return Eval[string](b, `document.querySelector(`+strconv.Quote(selector)+`).innerText`)
}

// Count returns how many elements match a selector.
func (b *Tab) Count(selector string) int {
	b.Helper()
	return Eval[int](b, `document.querySelectorAll(`+strconv.Quote(selector)+`).length`)
}

// Click clicks on the first element that matches a selector.
func (b *Tab) Click(selector string) {
	b.Helper()
	b.Do(chromedp.Click(chromedp.CSS(selector)))
}

// Patience is the longest time that a page may take to show something: events reach it after the call that caused
// them.
const Patience = time.Minute

// Shows waits until accepted returns true for the value of an expression in the page, and reports whether it did.
func (b *Tab) Shows(expression string, accepted func(got string) bool) (got string, ok bool) {
	b.Helper()
	for end := time.Now().Add(Patience); ; time.Sleep(20 * time.Millisecond) {
		got = Eval[string](b, expression)
		if accepted(got) {
			return got, true
		}
		if time.Now().After(end) {
			return got, false
		}
	}
}

// Holds fails the test unless an element shows a text.
func (b *Tab) Holds(selector, text string) {
	b.Helper()
	got, ok := b.Shows(`document.querySelector(`+strconv.Quote(selector)+`)?.innerText ?? ""`, func(got string) bool {
		return strings.Contains(strings.Join(strings.Fields(got), " "), text)
	})
	if !ok {
		b.Errorf("%s shows %q, without %q", selector, strings.Join(strings.Fields(got), " "), text)
	}
}
