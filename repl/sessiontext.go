package repl

import (
	"fmt"
	"slices"
	"strings"

	"commsplit/repl/lang"
	"commsplit/repl/program"
)

// header makes a program with that body run unchanged under a real MPI with mpi4py. It imports only
// what the body uses: a real MPI cannot tell what here does.
func header(body string) string {
	head := "from mpi4py import MPI\n"
	if used := program.Uses(body, program.Importable); len(used) > 0 {
		head += "from commsplit import " + strings.Join(used, ", ") + "\n"
	}
	return head + "\n"
}

// Text is the session as it was typed, with the flags that its world needs: a script.
func (s *Session) Text() string {
	var b strings.Builder
	b.WriteString(s.flagsLine())
	for _, c := range s.Chunks() {
		b.WriteString(c.Text)
		b.WriteByte('\n')
	}
	return b.String()
}

// Program is the session as a program that every rank runs. What expect_deadlock took back is only
// a comment.
func (s *Session) Program() string { return s.programWith("") }

// programWith is the program with more at its end.
func (s *Session) programWith(tail string) string {
	var b strings.Builder
	void := takenBack(s.entries)
	for i := s.beginning() + 1; i < len(s.entries); i++ {
		if e := s.entries[i]; void[i] {
			b.WriteString(comment(e.chunk))
		} else {
			b.WriteString(e.program())
		}
	}
	b.WriteString(tail)
	return s.flagsLine() + header(b.String()) + b.String()
}

// comment is a chunk as lines that do nothing.
func comment(c *lang.Chunk) string {
	return "# " + strings.ReplaceAll(strings.TrimRight(c.Text, "\n"), "\n", "\n# ") + "\n"
}

// flagsLine is the "# commsplit:" line of the world.
func (s *Session) flagsLine() string { return "# commsplit: " + joinFlags(s.flags()) + "\n" }

// joinFlags puts words with blanks into quotes, as flagWords takes them.
func joinFlags(words []string) string {
	quoted := slices.Clone(words)
	for i, w := range words {
		if strings.ContainsAny(w, " \t") {
			quoted[i] = `"` + w + `"`
		}
	}
	return strings.Join(quoted, " ")
}

// flags are the flags that make the session's world.
func (s *Session) flags() []string {
	c := s.config
	words := []string{"-n", fmt.Sprint(s.Size())}
	add := func(flag, value string) {
		if value != "" {
			words = append(words, flag, value)
		}
	}
	add("--topo", c.Topo)
	add("--map-by", c.Policy.MapBy)
	add("--rank-by", c.Policy.RankBy)
	add("--bind-to", c.Policy.BindTo)
	add("--bind", c.Policy.List)
	add("--rankfile", c.Policy.Rankfile)
	add("--std", c.Std)
	if c.Contexts > 0 {
		add("--max-contexts", fmt.Sprint(c.Contexts))
	}
	for _, p := range c.Psets {
		add("--pset", p)
	}
	return words
}
