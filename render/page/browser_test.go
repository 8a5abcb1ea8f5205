package page_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/chromedp"

	"codeberg.org/commsplit/commsplit/render/page/chromium"
)

func TestMain(m *testing.M) { os.Exit(chromium.Main(m)) }

// tab is a page that is open in a browser.
type tab struct {
	*chromium.Tab
	ctx context.Context
}

// open shows a page in a window of that size, at a link.
func open(t testing.TB, html []byte, fragment string, width, height int64) *tab {
	t.Helper()
	file := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(file, html, 0o600); err != nil {
		t.Fatal(err)
	}
	b := chromium.Open(t, "file://"+file, fragment, width, height)
	return &tab{b, b.Ctx}
}

func (b *tab) do(actions ...chromedp.Action[chromedp.Void]) { b.Helper(); b.Do(actions...) }
func (b *tab) until(expression string)                      { b.Helper(); b.Until(expression) }
func (b *tab) keys(list ...string)                          { b.Helper(); b.Keys(list...) }
func (b *tab) text(selector string) string                  { b.Helper(); return b.Text(selector) }
func (b *tab) count(selector string) int                    { b.Helper(); return b.Count(selector) }
func (b *tab) click(selector string)                        { b.Helper(); b.Click(selector) }
func (b *tab) holds(selector, text string)                  { b.Helper(); b.Holds(selector, text) }
func (b *tab) quiet()                                       { b.Helper(); b.Quiet() }

func (b *tab) shows(expression string, accepted func(got string) bool) (got string, ok bool) {
	b.Helper()
	return b.Shows(expression, accepted)
}

// eval returns the value of an expression in the page.
func eval[T any](b *tab, expression string) T {
	b.Helper()
	return chromium.Eval[T](b.Tab, expression)
}

// call sends a command to the browser.
func call[P, R any](b *tab, command cdp.Command[P, R], params P) R {
	b.Helper()
	return chromium.Call(b.Tab, command, params)
}
