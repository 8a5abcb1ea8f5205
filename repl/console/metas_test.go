package console_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/internal/sessions"
)

// The table of verbs describes every verb in full: help, completion and the manual are made from the table.
func TestVerbsAreDescribed(t *testing.T) {
	t.Parallel()
	for _, v := range repl.Verbs {
		if v.Short == "" || v.Long == "" || v.Example == "" {
			t.Errorf("%s: short %q, long %q, example %q", v.Name, v.Short, v.Long, v.Example)
		}
		if strings.ContainsAny(v.Short, "\n.") || !strings.HasSuffix(v.Long, ".") {
			t.Errorf("%s: the short help is a phrase, the long one sentences: %q, %q", v.Name, v.Short, v.Long)
		}
		for _, p := range v.Params {
			if p.Help == "" {
				t.Errorf("%s: parameter %s is not described", v.Name, p.Name)
			}
		}
		if repl.FindVerb(v.Name) != v || repl.FindVerb(strings.ReplaceAll(v.Name, "_", "-")) != v {
			t.Errorf("%s is not found by its name", v.Name)
		}
	}
}

// Every verb's example works on 8 ranks as it stands, and meets its own expectations.
func TestVerbExamplesRun(t *testing.T) {
	t.Parallel()
	for _, v := range repl.Verbs {
		t.Run(v.Name, func(t *testing.T) {
			t.Parallel()
			lines := []string{sessions.Prelude}
			switch v.Name {
			case "expect_parts": // its parts are in the order of another key
				lines = []string{"half = split world color=rank%2 key=-rank"}
			case "expect_deadlock":
				lines = append(lines, "@0 barrier world")
			case "expect_no_leaks":
				lines = append(lines, "free half")
			}
			if v.After != "" {
				lines = append(lines, v.After)
			}
			s := sessions.New(t, 8, lines...)
			o := sessions.Must(t, s, v.Example)
			if o.Verb != v {
				t.Errorf("%s is not an example of %s", v.Example, v.Name)
			}
			e := s.View().Expectations
			if expects := strings.HasPrefix(v.Name, "expect") || v.Name == "ask"; e.Failed > 0 || expects && e.Passed != 1 {
				t.Errorf("%s: %+v", v.Example, e)
			}
			if len(s.Waiting()) > 0 {
				t.Errorf("%s blocks", v.Example)
			}
		})
	}
}

// narrow checks that no line is wider than columns or ends with a blank.
func narrow(t *testing.T, columns int, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if n := utf8.RuneCountInString(line); n > columns || strings.HasSuffix(line, " ") {
			t.Errorf("%d columns: %q", n, line)
		}
	}
}

// .help of each verb has the signature, the arguments, an example and the section of the standard; no line is wider
// than 80 columns.
func TestHelp(t *testing.T) {
	t.Parallel()
	c, out, _ := sessions.Console(t)
	sessions.Tell(t, c, ".help")
	narrow(t, 80, out.String())
	for _, v := range repl.Verbs {
		if !strings.Contains(out.String(), "\n  "+v.Name) {
			t.Errorf(".help does not list %s", v.Name)
		}
	}
	for _, v := range repl.Verbs {
		out.Reset()
		sessions.Tell(t, c, ".help "+v.Name)
		for _, part := range []string{v.Signature(), v.Example} {
			if !strings.Contains(out.String(), part) {
				t.Errorf(".help %s does not show %s:\n%s", v.Name, part, out)
			}
		}
		if v.Call != 0 && !strings.Contains(out.String(), v.Call.String()+" ["+v.Call.Rule()+"]") {
			t.Errorf(".help %s does not tell its call:\n%s", v.Name, out)
		}
		narrow(t, 80, out.String())
	}
	for _, m := range repl.MetaCommands {
		out.Reset()
		sessions.Tell(t, c, ".help ."+m.Name)
		if !strings.Contains(out.String(), m.Signature()+"\n") || !strings.Contains(out.String(), m.Short) {
			t.Errorf(".help .%s shows %q", m.Name, out)
		}
		narrow(t, 80, out.String())
	}
}

// In a narrow terminal .help and the first lines of a prompt break between words.
func TestNarrowHelp(t *testing.T) {
	t.Parallel()
	c, out, _ := sessions.Console(t)
	c.Style.Width = 44
	c.Welcome()
	sessions.Tell(t, c, ".help", ".help split", ".help .show", ".help Create_group", ".world 6")
	narrow(t, 44, out.String())
}

// .help also knows the names of programs: by the full name, or by its end.
func TestHelpOnProgramNames(t *testing.T) {
	t.Parallel()
	c, out, _ := sessions.Console(t)
	sessions.Tell(t, c, ".help Create_group")
	for _, part := range []string{"MPI.Comm.Create_group(group, tag=0)", "MPI_Comm_create_group [MPI-5.0 §7.4.2]"} {
		if !strings.Contains(out.String(), part) {
			t.Errorf(".help Create_group does not show %s:\n%s", part, out)
		}
	}
}
