package repl

import (
	"fmt"
	"slices"
	"strings"

	"commsplit/hw/source"
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

// recordedHead tells the reader of a file what the mark means.
const recordedHead = "# What is marked as recorded is what came when this was saved.\n"

// Text is the session as it was typed, with the flags that its world needs: a script.
func (s *Session) Text() string { return s.text(nil) }

// text is the session as lines, with what was recorded after each entry.
func (s *Session) text(recorded map[int][]entry) string {
	var b strings.Builder
	for i := s.beginning() + 1; i < len(s.entries); i++ {
		b.WriteString(withoutHead(s.entries[i].chunk.Text))
		b.WriteByte('\n')
		for _, e := range recorded[i] {
			b.WriteString(e.chunk.Text + recordedMark + "\n")
		}
	}
	return s.head(b.String()) + b.String()
}

// Program is the session as a program that every rank runs. What expect_deadlock took back is only
// a comment.
func (s *Session) Program() string { return s.program(nil) }

// program is the session as a program, with what was recorded after each entry.
func (s *Session) program(recorded map[int][]entry) string { return s.programEnding(recorded, "") }

// programEnding is a program with more statements at its end.
func (s *Session) programEnding(recorded map[int][]entry, tail string) string {
	var b strings.Builder
	void := takenBack(s.entries)
	for i := s.beginning() + 1; i < len(s.entries); i++ {
		if e := s.entries[i]; void[i] {
			if !void[i-1] {
				b.WriteString("# Taken back after the deadlock that was expected:\n")
			}
			b.WriteString(comment(e.chunk))
		} else if e.chunk.Kind == lang.Program {
			b.WriteString(program.WithoutImports(withoutHead(e.program())))
		} else {
			b.WriteString(e.program())
		}
		for _, e := range recorded[i] {
			b.WriteString(strings.TrimSuffix(e.program(), "\n") + recordedMark + "\n")
		}
	}
	b.WriteString(tail)
	return s.head(b.String()) + header(b.String()) + b.String()
}

// head is what a file begins with: its flags, and what the mark in its text means.
func (s *Session) head(text string) string {
	if strings.Contains(text, recordedMark+"\n") {
		return s.flagsLine() + recordedHead
	}
	return s.flagsLine()
}

// comment is a chunk as lines that do nothing.
func comment(c *lang.Chunk) string {
	return "# " + strings.ReplaceAll(strings.TrimRight(c.Text, "\n"), "\n", "\n# ") + "\n"
}

// longestFlags is how long the flags of a world may be for one line; the hardware then has its own.
const longestFlags = 90

// flagsLine is the "# commsplit:" line of the world, and the hardware below it where it needs lines.
func (s *Session) flagsLine() string {
	words := s.flags()
	block := ""
	at := slices.Index(words, "--topo")
	if at >= 0 && !source.Outside(words[at+1]) && (isDocument(words[at+1]) || len(joinFlags(words)) > longestFlags) {
		block = topologyBlock(words[at+1])
		words = slices.Delete(words, at, at+2)
	}
	return flagsMark + " " + joinFlags(words) + "\n" + block
}

// joinFlags puts words with blanks into quotes, as flagWords takes them. Of an hwloc file it only
// tells that there is one.
func joinFlags(words []string) string {
	quoted := slices.Clone(words)
	for i, w := range words {
		if isDocument(w) {
			quoted[i] = source.Inline
		} else if strings.ContainsAny(w, " \t") {
			quoted[i] = `"` + w + `"`
		}
	}
	return strings.Join(quoted, " ")
}

// Command is the line for a shell that opens a session on a world such as this one.
func (s *Session) Command() string { return "commsplit " + joinFlags(s.flags()) }

// flags are the flags that make the session's world.
func (s *Session) flags() []string { return s.config.flags(s.Size()) }

// flags are the flags that make a world of that size.
func (c Config) flags(size int) []string {
	words := []string{"-n", fmt.Sprint(size)}
	add := func(flag, value string) {
		if value != "" {
			words = append(words, flag, value)
		}
	}
	add("--topo", c.Topo)
	words = append(words, placementWords(c.Policy)...)
	add("--std", c.Std)
	if c.Contexts > 0 {
		add("--max-contexts", fmt.Sprint(c.Contexts))
	}
	for _, p := range c.Psets {
		add("--pset", p)
	}
	return words
}
