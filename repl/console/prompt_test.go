package console_test

import (
	"testing"

	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/internal/sessions"
)

// Words of other prompts work here, too: exit and help work without the dot and as functions of Python, and NAME? is
// IPython's help. In a longer line these words have their usual meaning.
func TestWordsOfOtherPrompts(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"exit": ".quit", " quit ": ".quit", "exit()": ".quit", "quit()": ".quit", "help": ".help", "?": ".help", "help()": ".help",
		"half.Split?": ".help half.Split", "split-type ?": ".help split-type", ".save?": ".help .save", "print(exit)": "print(exit)",
	} {
		chunks, err := repl.NewInput("test").Feed(line, true)
		if err != nil || len(chunks) != 1 || chunks[0].Text != want {
			t.Errorf("%q is %+v, %v, want %q", line, chunks, err, want)
		}
	}
	c, out, _ := sessions.Console(t)
	sessions.Tell(t, c, ".help half.Split_type")
	if got, want := out.String(), "MPI.Comm.Split_type("; len(got) < len(want) || got[:len(want)] != want {
		t.Errorf(".help half.Split_type tells %q", got)
	}
}
