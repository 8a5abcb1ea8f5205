package source

import (
	"strings"
	"testing"
)

// Names of variables become names that C and Fortran accept.
func TestIdentifier(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"half": "half", "hwcomm[12]": "hwcomm_12", "_x": "comm__x", "größe": "gr__e", "MPI_mine": "comm_MPI_mine",
		strings.Repeat("a", 80): strings.Repeat("a", 40),
	} {
		if got := identifier(name); got != want {
			t.Errorf("%s becomes %s, not %s", name, got, want)
		}
	}
}

// Texts of a script cannot end a string or a comment, and no text becomes a trigraph.
func TestQuoted(t *testing.T) {
	t.Parallel()
	const text = "a\"b\\c??/*d*/\n"
	if got, want := inC.quoted(text), `"a\"b\\c\?\?/*d*/\?"`; got != want {
		t.Errorf("C: %s, not %s", got, want)
	}
	if got, want := inFortran.quoted(text), `"a""b\c??/*d*/?"`; got != want {
		t.Errorf("Fortran: %s, not %s", got, want)
	}
	if got, want := inC.comment([]string{text}, ""), "/* a\"b\\c??/ *d* /\n */\n"; got != want {
		t.Errorf("C comment: %s, not %s", got, want)
	}
}

// Lines are broken behind commas, but not inside a text.
func TestWrap(t *testing.T) {
	t.Parallel()
	text := `call MPI_Comm_set_name(` + strings.Repeat("x", 70) + `, "a, b, c, d, e, f, g, h, i, j, k")`
	for _, l := range []*language{inC, inFortran} {
		got := l.wrap(text, 4)
		lines := strings.Split(got, "\n")
		if len(lines) != 2 || !strings.HasPrefix(strings.TrimSpace(lines[1]), `"a, b`) || strings.HasSuffix(lines[0], "&") != l.fortran {
			t.Errorf("broken into %q", lines)
		}
	}
}
