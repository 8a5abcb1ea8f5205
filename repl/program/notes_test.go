package program

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Notes are calls of note with a constant text that are statements of their own; what is below others, or made
// by the program, is none.
func TestNotes(t *testing.T) {
	t.Parallel()
	text := `from commsplit import note
note("one")
x = note("a value")
note("""two
lines""")
note("made" + " here")
if True:
    note("below")
`
	want := []Note{{"one", 2, 1}, {"two\nlines", 4, 2}}
	if d := cmp.Diff(want, Notes(text)); d != "" {
		t.Error(d)
	}
	if got := Notes("note("); got != nil {
		t.Errorf("what cannot be read has %v", got)
	}
}
