package edit

import (
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"
)

// Plain input comes line by line, without prompts, up to a last line without a newline; a line may
// be long.
func TestPlain(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 200_000)
	r := Plain(strings.NewReader("one\n\n" + long + "\nlast"))
	for _, want := range []string{"one", "", long, "last"} {
		got, err := r.Line("prompt> ")
		if err != nil || got != want {
			t.Fatalf("got %.20q, %v; want %.20q", got, err, want)
		}
	}
	if _, err := r.Line(""); err != io.EOF {
		t.Errorf("at the end: %v, want io.EOF", err)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
}

// An error of reading is told as it is, not as the end.
func TestPlainError(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	r := Plain(io.MultiReader(strings.NewReader("one\n"), failing{broken}))
	if _, err := r.Line(""); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Line(""); !errors.Is(err, broken) {
		t.Errorf("got %v, want the reader's error", err)
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// The history lies below XDG_STATE_HOME, or below ~/.local/state.
func TestHistoryFile(t *testing.T) {
	t.Setenv("HOME", "/home/ada")
	t.Setenv("XDG_STATE_HOME", "/state")
	if got, want := HistoryFile(), filepath.FromSlash("/state/commsplit/history"); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	t.Setenv("XDG_STATE_HOME", "")
	if got, want := HistoryFile(), filepath.FromSlash("/home/ada/.local/state/commsplit/history"); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
