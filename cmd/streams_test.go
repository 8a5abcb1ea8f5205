package cmd

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
)

// Results that cannot be written are an input/output failure (exit code 5), wherever it happens.
func TestOutputThatFails(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"hw", "show", "--topo", "core:2"}, {"split", "world", "color=0", "--topo", "core:2"}, {"--help"}} {
		var errs bytes.Buffer
		s := Streams{In: strings.NewReader(""), Out: fullDisk{}, Err: &errs, Getenv: func(string) string { return "" }}
		if code := Run(context.Background(), s, args); code != IO || !strings.Contains(errs.String(), "disk full") {
			t.Errorf("%v: code %d, %q", args, code, errs.String())
		}
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("disk full") }
