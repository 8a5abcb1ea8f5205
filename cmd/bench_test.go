package cmd_test

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/cmd"
)

// BenchmarkOutputs runs a program of a thousand steps in each form of the output: what counts is the
// ratio of a form to the others.
func BenchmarkOutputs(b *testing.B) {
	const program = "for i in range(500):\n    c = MPI.COMM_WORLD.Split(MPI.COMM_WORLD.rank % 2)\n    c.Free()\n"
	for _, output := range []string{"text", "json", "jsonl"} {
		b.Run(output, func(b *testing.B) {
			for b.Loop() {
				var errs bytes.Buffer
				s := cmd.Streams{In: strings.NewReader(""), Out: io.Discard, Err: &errs, Getenv: func(string) string { return "" }}
				if code := cmd.Run(b.Context(), s, []string{"-n", "16", "--topo", "core:16", "-o", output, "-c", program}); code != cmd.OK {
					b.Fatal(errs.String())
				}
			}
		})
	}
}
