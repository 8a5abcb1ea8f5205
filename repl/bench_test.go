package repl_test

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"commsplit/render"
	"commsplit/repl"
)

// BenchmarkCommand measures a command at the prompt from the line to the printed picture.
func BenchmarkCommand(b *testing.B) {
	for _, n := range []int{64, 4096} {
		b.Run(fmt.Sprintf("ranks=%d", n), func(b *testing.B) {
			var out bytes.Buffer
			cfg := repl.Config{Size: n, Topo: "pack:2 numa:2 core:64 pu:1"}
			c, err := repl.NewConsole(context.Background(), cfg, &out, &out, render.Style{Width: 200, Color: true, Dark: true})
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
