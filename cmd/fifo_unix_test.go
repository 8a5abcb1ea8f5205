//go:build unix

package cmd_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"codeberg.org/commsplit/commsplit/cmd"
)

// Wherever a file is read that a person names, a FIFO without a writer and a device without an end are refused at
// once, in a line.
func TestNoFIFO(t *testing.T) {
	t.Parallel()
	fifo := filepath.Join(t.TempDir(), "fifo.xml")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Skip(err)
	}
	// A name that ends in .xml leads to the device, too.
	zero := filepath.Join(t.TempDir(), "zero.xml")
	if err := os.Symlink("/dev/zero", zero); err != nil {
		t.Fatal(err)
	}
	// The text of a DUMPI trace's rank 0 lies beside the file that a person names.
	trace := filepath.Join(t.TempDir(), "trace.meta")
	text := strings.TrimSuffix(trace, ".meta") + "-0000.txt"
	err := errors.Join(os.WriteFile(trace, []byte("numprocs=1\nfileprefix=trace\n"), 0o600), syscall.Mkfifo(text, 0o600))
	if err != nil {
		t.Fatal(err)
	}
	if got := run(t, "", "replay", trace); got.code != cmd.IO || got.out != "" || !strings.Contains(got.err, text+": this is a FIFO: want an ordinary file") {
		t.Errorf("%+v", got)
	}
	for _, file := range []string{fifo, zero} {
		for _, line := range []string{
			"run FILE", "run FILE --update", "check FILE", "export FILE --to svg", "confirm FILE", "replay FILE",
			"practice FILE", "practice evens-and-odds --answer FILE",
			"-n 2 --topo core:4 --rankfile FILE dup world", "hw map -n 2 --topo core:4 --rankfile FILE",
			"hw show --topo FILE", "hw show --topo fsroot:FILE", "hw show --topo job:FILE", "hw verify --topo fsroot:FILE",
		} {
			got := run(t, "", strings.Fields(strings.ReplaceAll(line, "FILE", file))...)
			if got.code != cmd.IO || got.out != "" || strings.Count(got.err, "\n") != 1 || !strings.Contains(got.err, file) {
				t.Errorf("%s, %s: %+v", line, filepath.Base(file), got)
			}
		}
	}
}
