package repl_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/render/paint"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/console"
)

// BenchmarkCommand measures a command at the prompt from the line to the printed picture.
func BenchmarkCommand(b *testing.B) {
	for _, n := range []int{64, 4096} {
		b.Run(fmt.Sprintf("ranks=%d", n), func(b *testing.B) {
			var out bytes.Buffer
			cfg := repl.Config{Size: n, Topo: "pack:2 numa:2 core:64 pu:1"}
			c, err := console.NewConsole(context.Background(), cfg, &out, &out, render.Style{Width: 200, Colors: paint.Colors256, Dark: true})
			if err != nil {
				b.Fatal(err)
			}
			defer c.Session.Close()
			chunks, err := repl.ParseLines("<input>", []string{"half = split world color=rank%2 key=-rank"})
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				out.Reset()
				if err := c.Do(context.Background(), chunks[0]); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkUnnamed measures long sessions whose results get no name: four times as many lines should take four
// times as long.
func BenchmarkUnnamed(b *testing.B) {
	for _, kind := range []struct{ name, line string }{{"kept", "dup world"}, {"freed", "dup world\ndup%d.Free()"}} {
		perLine := map[int]float64{}
		for _, lines := range []int{500, 2000} {
			b.Run(fmt.Sprintf("%s/lines=%d", kind.name, lines), func(b *testing.B) {
				for b.Loop() {
					long(b, lines, kind.line)
				}
				perLine[lines] = float64(b.Elapsed().Nanoseconds()) / float64(b.N*lines)
				b.ReportMetric(perLine[lines], "ns/line")
				if perLine[500] > 0 {
					b.ReportMetric(perLine[lines]/perLine[500], "times-a-line-of-500")
				}
			})
		}
	}
}

// long runs a session of that many lines, each of which makes a communicator.
func long(tb testing.TB, lines int, line string) {
	tb.Helper()
	cfg := repl.Config{Size: 4, Topo: "pack:2 core:2"}
	c, err := console.NewConsole(context.Background(), cfg, io.Discard, io.Discard, render.Style{Width: 80})
	if err != nil {
		tb.Fatal(err)
	}
	defer c.Session.Close()
	for k := range lines {
		text := line
		if strings.Contains(line, "%") {
			text = fmt.Sprintf(line, k+1)
		}
		chunks, err := repl.ParseLines("<input>", []string{text})
		if err != nil {
			tb.Fatal(err)
		}
		for _, chunk := range chunks {
			if err := c.Do(context.Background(), chunk); err != nil {
				tb.Fatal(err)
			}
		}
	}
}

// A line costs as much after eight hundred lines as after a hundred: its allocations, which show how much it
// reads, do not grow with the variables and the expectations of the session.
func TestUnnamedIsLinear(t *testing.T) {
	for _, line := range []string{"dup world", "expect world.size==4"} {
		isLinear(t, line)
	}
}

// isLinear reports an error if a line allocates more things after seven hundred lines than at first.
func isLinear(t *testing.T, line string) {
	t.Helper()
	cfg := repl.Config{Size: 4, Topo: "pack:2 core:2"}
	c, err := console.NewConsole(context.Background(), cfg, io.Discard, io.Discard, render.Style{Width: 80})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Session.Close()
	chunks, err := repl.ParseLines("<input>", []string{line})
	if err != nil {
		t.Fatal(err)
	}
	more := func(lines int) float64 {
		return testing.AllocsPerRun(lines, func() {
			if err := c.Do(context.Background(), chunks[0]); err != nil {
				t.Fatal(err)
			}
		})
	}
	if early, _, late := more(100), more(600), more(100); late > 2*early {
		t.Errorf("%s allocates %v things at first, %v after 700 lines", line, early, late)
	}
}
