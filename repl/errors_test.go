package repl_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"go.starlark.net/starlark"

	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/console"
	"codeberg.org/commsplit/commsplit/repl/lang"
	"codeberg.org/commsplit/commsplit/repl/stories"
)

// defective is a value with a defect: its String panics.
type defective struct{ starlark.NoneType }

func (defective) String() string { panic("defect of a value") }

// breaking is an output with a defect: its Write panics on output of ranks while all of them wait, and on results.
type breaking struct{ text bytes.Buffer }

func (b *breaking) Write(p []byte) (int, error) {
	for _, part := range []string{"defect of print", "MPI_Comm_dup(world", "step  call"} {
		if strings.Contains(string(p), part) {
			panic("defect of output")
		}
	}
	return b.text.Write(p)
}

// crashes are lines that panic: on all ranks, on one rank while others wait for it, where all ranks wait, where results
// are shown, and in a meta command.
var crashes = map[string]string{
	"on ranks":               "print(x)",
	"on one of them":         "world.Barrier() if world.rank else print(x)",
	"where all of them wait": "print('defect of print')",
	"in a result":            "q = dup world",
	"in a meta command":      ".show trace",
}

func chunkOf(t *testing.T, line string) *lang.Chunk {
	t.Helper()
	list, err := repl.ParseLines("<input>", []string{line})
	if err != nil {
		t.Fatal(err)
	}
	return list[0]
}

// A panic at a prompt, wherever it is, fails the line with one sentence, and the session goes on as before the line:
// its variables and its past are those from before the line.
func TestCrashFailsTheLine(t *testing.T) {
	t.Parallel()
	for name, line := range crashes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out := &breaking{}
			c, err := console.NewConsole(context.Background(), repl.Config{Topo: "core:4", Size: 4}, out, out, render.Style{Width: 80})
			if err != nil {
				t.Fatal(err)
			}
			defer c.Session.Close()
			c.Prompt = true
			do := func(line string) error { return c.Do(context.Background(), chunkOf(t, line)) }
			if err := do("half = split world color=rank%2"); err != nil {
				t.Fatal(err)
			}
			if err := do("x = 1"); err != nil {
				t.Fatal(err)
			}
			c.Session.SetVariable("x", defective{})
			err = do(line)
			var crash *repl.Crash
			if !errors.As(err, &crash) {
				t.Fatalf("%v is not a crash", err)
			}
			out.text.Reset()
			repl.WriteError(out, err)
			if text := out.text.String(); !strings.HasPrefix(text, "error: a bug in commsplit: defect of ") ||
				!strings.Contains(text, ", in errors_test.go:") || strings.Count(text, "\n") != 1 {
				t.Errorf("told %q", text)
			}
			if got := stories.Text(c.Session); !strings.Contains(got, "half = split world color=rank%2\nx = 1\n") || strings.Contains(got, line) {
				t.Errorf("the session is now %q", got)
			}
			for _, next := range []string{"print(x, half.size)", "quarter = split half color=rank//2"} {
				if err := do(next); err != nil {
					t.Errorf("%s: %v", next, err)
				}
			}
			if !strings.Contains(out.text.String(), "[0-3] 1 2\n") {
				t.Errorf("printed %q", out.text.String())
			}
		})
	}
}

// A panic in a script ends the script with an error.
func TestCrashEndsAScript(t *testing.T) {
	t.Parallel()
	out := &breaking{}
	c, err := console.NewConsole(context.Background(), repl.Config{Topo: "core:2", Size: 2}, out, out, render.Style{Width: 80})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Session.Close()
	for line, want := range map[string]bool{"print(1)": false, "print('defect of print')": true} {
		err := c.Do(context.Background(), chunkOf(t, line))
		if crash := (*repl.Crash)(nil); errors.As(err, &crash) != want || want && crash.Stack == "" {
			t.Errorf("%s: %v", line, err)
		}
	}
}
