package cmd_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"commsplit/cmd"
)

// endless is a program that never ends by itself.
const endless = "while True:\n    c = MPI.COMM_WORLD.Dup()\n    c.Free()\n"

// lineWriter gives each line to a function, which may refuse it.
type lineWriter struct {
	line func(string) error
	all  bytes.Buffer
}

func (w *lineWriter) Write(p []byte) (int, error) {
	for line := range strings.Lines(string(p)) {
		if err := w.line(line); err != nil {
			return 0, err
		}
	}
	return w.all.Write(p)
}

// streams runs an endless program whose lines go to a function.
func streams(ctx context.Context, line func(string) error) (w *lineWriter, code cmd.Code, errs string) {
	w = &lineWriter{line: line}
	var b bytes.Buffer
	s := cmd.Streams{In: strings.NewReader(""), Out: w, Err: &b, Getenv: func(string) string { return "" }}
	code = cmd.Run(ctx, s, []string{"-n", "3", "--topo", "core:3", "-o", "jsonl", "-c", endless})
	return w, code, b.String()
}

// Lines come while the program runs: one that never ends is seen, and interrupted after a while, which
// the last line tells.
func TestLinesComeAtOnce(t *testing.T) {
	t.Parallel()
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	w, code, errs := streams(ctx, func(line string) error {
		if strings.HasPrefix(line, `{"type": "step", "step": 100,`) {
			interrupt()
		}
		return nil
	})
	if code != cmd.Interrupted || errs != "interrupted\n" {
		t.Errorf("code %d, %q", code, errs)
	}
	lines := strings.Split(strings.TrimSpace(w.all.String()), "\n")
	for _, line := range lines {
		valid(t, "run-line", line)
	}
	if last := lines[len(lines)-1]; !strings.HasPrefix(last, `{"type": "end", "exit": 130, `) {
		t.Errorf("the last line is %s", last)
	}
}

// A program whose lines nobody can read any more is ended: exit code 5, and no last line.
func TestLinesNobodyReads(t *testing.T) {
	t.Parallel()
	full := errors.New("no space left on device")
	for _, at := range []string{`{"type": "world"`, `{"type": "step", "step": 50,`} {
		w, code, errs := streams(t.Context(), func(line string) error {
			if strings.HasPrefix(line, at) {
				return full
			}
			return nil
		})
		if code != cmd.IO || errs != "error: standard output: no space left on device\n" {
			t.Errorf("code %d, %q", code, errs)
		}
		if strings.Contains(w.all.String(), `"end"`) {
			t.Error("something was written behind the gap")
		}
	}
}

// Lines come in the order of what they tell; a world that is left, and lines of the script that are taken
// back, are told by the line of a fresh world; before it, who was blocked.
func TestLinesInOrder(t *testing.T) {
	t.Parallel()
	types := func(args ...string) string {
		var list []string
		for line := range strings.Lines(run(t, "", append([]string{"-n", "1", "--topo", "core:1", "-o", "jsonl"}, args...)...).out) {
			list = append(list, parsed(t, line).(map[string]any)["type"].(string))
		}
		return strings.Join(list, " ")
	}
	const begin, dup, end = "world rank communicator", " step communicator ", " end"
	for _, c := range []struct {
		want string
		args []string
	}{
		{begin + dup + "variable" + end, []string{"-c", "x = dup world"}},
		{begin + dup + "deadlock " + begin + dup + "output variable" + end, []string{"-c", "x = dup world", "-c", "world.recv()", "-c", "expect_deadlock", "-c", "print(1)"}},
		{begin + dup + "step freed " + begin + dup + "variable" + end, []string{"-c", "x = dup world", "-c", "free x", "-c", ".undo"}},
		{begin + dup + begin + end, []string{"-c", "x = dup world", "-c", ".world 1"}},
		{begin + dup + begin + end, []string{"-c", "x = dup world", "-c", ".undo"}},
		{begin + " output step output" + end, []string{"-c", "print(1)\nworld.Barrier()\nprint(2)"}},
		{begin + dup + "step rank step named communicator step output variable" + end, []string{
			"-c", "x = dup world", "-c", "bind 0 0", "-c", "name x \"x\"", "-c", "MPI.COMM_SELF.Barrier()", "-c", "print(1)"}},
		{begin + dup + begin + " " + begin + dup + "variable" + end, []string{"-c", "x = dup world", "-c", ".undo", "-c", ".redo"}},
	} {
		if got := types(c.args...); got != c.want {
			t.Errorf("%q: %s, not %s", c.args, got, c.want)
		}
	}
}
