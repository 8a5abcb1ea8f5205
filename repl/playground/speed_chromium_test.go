package main

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"codeberg.org/commsplit/commsplit/render/page/chromium"
)

// Measures in milliseconds, by Chromium's clock, the time from the beginning of the navigation to the first prompt, and
// from Enter until the engine has answered and the panes are drawn. No time makes the test fail.
//
//	JUDGE=1 go test -v -run ChromiumSpeed ./repl/playground
func TestChromiumSpeed(t *testing.T) {
	for _, c := range []struct {
		link  string
		lines []string
	}{
		{"#n=12&topo=figure-7.3", []string{"half = split world color=rank%2", "node = split_type half SHARED"}},
		{"#n=64&topo=pack:2+core:32", []string{"half = split world color=rank%2", "row = split world color=rank//8", "a = split half color=rank%4", "b = dup a", "c = split world color=rank%7 key=-rank"}},
		{"#n=4096&topo=machine:64+pack:2+core:32", []string{"half = split world color=rank%2", "node = split_type world SHARED", "across = split world color=rank%64 key=-rank"}},
	} {
		b := opened(t, c.link)
		t.Logf("%s: prompt after %.0f ms, engine compiled and begun", c.link, chromium.Eval[float64](b, `performance.getEntriesByName("prompt")[0].startTime`))
		for i, line := range c.lines {
			b.Keys(line + kb.Enter)
			b.Until(fmt.Sprintf(`performance.getEntriesByName("line").length === %d`, i+1))
			t.Logf("  %-50s engine %4.0f ms, with the panes %4.0f ms", line,
				chromium.Eval[float64](b, fmt.Sprintf(`performance.getEntriesByName("engine")[%d].duration`, i)),
				chromium.Eval[float64](b, fmt.Sprintf(`performance.getEntriesByName("line")[%d].duration`, i)))
		}
	}
}
