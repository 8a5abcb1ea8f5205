package stories

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw/source"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/lang"
	"codeberg.org/commsplit/commsplit/repl/program"
	"codeberg.org/commsplit/commsplit/repl/python"
)

// header returns the imports with which a program with that body runs unchanged under a real MPI with mpi4py: only the
// names that the body uses, because a real MPI does not have all of them.
func header(body string) string {
	head := "from mpi4py import MPI\n"
	if used := program.Uses(body, python.Importable); len(used) > 0 {
		head += "from commsplit import " + strings.Join(used, ", ") + "\n"
	}
	return head + "\n"
}

// recordedHead explains the mark to the reader of a file.
const recordedHead = "# Lines marked as recorded hold the results of the saved session.\n"

// Text writes the session as a script: the lines as they were typed, and the flags that its world needs.
func Text(s *repl.Session) string { return TextWith(s, nil) }

// TextWith does as Text, with the recorded expectations after each entry.
func TextWith(s *repl.Session, recorded Recorded) string {
	var b strings.Builder
	for i, e := range s.Entries() {
		c := e.Chunk
		if len(c.Places) > 0 && c.Places[0] != (engine.Site{File: c.File, Line: int32(c.Line)}) {
			b.WriteString(placeMark + c.Places[0].String() + "\n")
		}
		b.WriteString(withoutHead(c.Text))
		b.WriteByte('\n')
		for _, e := range recorded[i] {
			b.WriteString(e.Chunk.Text + recordedMark + "\n")
		}
	}
	return headOf(s, b.String()) + b.String()
}

// Program writes the session as a program that every rank runs. Lines that an expect_deadlock took back are comments.
func Program(s *repl.Session) string { return forOthers(s, ProgramWith(s, nil)) }

// forOthers returns a program for other people: in its flags, a job's archive has its name without the path.
func forOthers(s *repl.Session, text string) string {
	topo := func(spec string) string { return JoinFlags([]string{"--topo", spec}) }
	return strings.Replace(text, topo(s.Config().Topo), topo(source.Title(s.Config().Topo)), 1)
}

// ProgramWith does as Program, with the recorded expectations after each entry.
func ProgramWith(s *repl.Session, recorded Recorded) string { return programEnding(s, recorded, "") }

// programEnding does as ProgramWith, with more statements at the end.
func programEnding(s *repl.Session, recorded Recorded, tail string) string {
	var b strings.Builder
	list := s.Entries()
	for i, e := range list {
		if e.Void {
			if i == 0 || !list[i-1].Void {
				b.WriteString("# Taken back after the deadlock that was expected:\n")
			}
			b.WriteString(e.Chunk.Comment())
		} else if e.Chunk.Kind == lang.Program {
			b.WriteString(program.WithoutImports(withoutHead(e.Program())))
		} else {
			b.WriteString(e.Program())
		}
		for _, e := range recorded[i] {
			b.WriteString(strings.TrimSuffix(e.Program(), "\n") + recordedMark + "\n")
		}
	}
	b.WriteString(tail)
	return headOf(s, b.String()) + header(b.String()) + b.String()
}

// headOf returns the beginning of a saved file: the flags, and the meaning of the mark when the text has it.
func headOf(s *repl.Session, text string) string {
	if strings.Contains(text, recordedMark+"\n") {
		return flagsLine(s) + recordedHead
	}
	return flagsLine(s)
}

// longestFlags is how many characters the flags of a world may have to stand in one line. If they have more, the
// hardware gets lines of its own.
const longestFlags = 90

// flagsLine returns the "# commsplit:" line of the world, and below it the hardware where that takes lines of its own.
func flagsLine(s *repl.Session) string {
	words := s.Flags()
	block := ""
	at := slices.Index(words, "--topo")
	if at >= 0 && !source.Outside(words[at+1]) && (isDocument(words[at+1]) || len(JoinFlags(words)) > longestFlags) {
		block = topologyBlock(words[at+1])
		words = slices.Delete(words, at, at+2)
	}
	return flagsMark + " " + JoinFlags(words) + "\n" + block
}

// Recorded has, by entry of the session, the expectations that stand behind it in a saved session.
type Recorded map[int][]repl.Entry

// Count returns how many expectations there are.
func (r Recorded) Count() int {
	n := 0
	for _, list := range r {
		n += len(list)
	}
	return n
}

// MostRecorded is the largest world whose results are recorded: every rank reads all parts.
const MostRecorded = 1024

// recordedMark ends a line that .save added: the line expects the result that came, right or wrong.
const recordedMark = "  # recorded"

// Record returns, for each entry of the present world in order, the expectations that hold after it: which communicators
// each handle holds that the entry changed, and at the end that ranks are blocked. The entries run again on a world of
// their own.
func Record(ctx context.Context, s *repl.Session) (Recorded, error) {
	list, entries := Recorded{}, s.Entries()
	before := map[string][]heldPart{}
	same := func(a, b heldPart) bool { return a.some == b.some && a.id == b.id }
	err := s.Walk(ctx, func(now *repl.Session, i int) {
		if len(now.Waiting()) > 0 {
			if i == len(entries)-1 {
				list[i] = append(list[i], expectation("", "expect_deadlock")...)
			}
			return
		}
		holds := holdings(now)
		for _, name := range heldIn(now, holds) {
			if !slices.EqualFunc(holds[name], before[name], same) && !expectsNext(entries[i+1:], name) {
				list[i] = append(list[i], expectation(name, partLines(name, holds[name])...)...)
			}
		}
		before = holds
	})
	return list, err
}

// expectation makes entries of lines that expect something of a variable. In them its name always means the
// variable, which holds communicators, and not a number of the same name.
func expectation(name string, lines ...string) []repl.Entry {
	variable, _, _ := strings.Cut(name, "[")
	list := make([]repl.Entry, 0, len(lines))
	for _, line := range lines {
		chunks, err := lang.Split("", line, repl.IsVerb)
		if err != nil {
			panic(err) // the lines are ours
		}
		list = append(list, repl.Entry{Chunk: chunks[0], Hidden: []string{variable}})
	}
	return list
}

// expectsNext reports whether the next lines hold an expectation about that handle already.
func expectsNext(entries []repl.Entry, name string) bool {
	for _, e := range entries {
		if !repl.Checks(e.Chunk) {
			return false
		}
		if repl.Issues(e.Chunk, "expect_parts") && len(e.Chunk.Args) > 0 && e.Chunk.Args[0].Text == name {
			return true
		}
	}
	return false
}

// heldPart is what one rank holds in a handle.
type heldPart struct {
	some bool // a communicator or COMM_NULL, and not nothing
	id   int32
	part string // its world ranks, as expect_parts takes them; "" for COMM_NULL
	all  []int32
}

// heldIn lists the names of handles in order of their first place in the text, the elements of a list in order.
func heldIn(s *repl.Session, now map[string][]heldPart) []string {
	var names []string
	for _, name := range s.Order() {
		if now[name] != nil {
			names = append(names, name)
		}
		for k := range longestOf(s, name) {
			if at := fmt.Sprintf("%s[%d]", name, k); now[at] != nil {
				names = append(names, at)
			}
		}
	}
	return names
}

// longestOf returns the length of the longest list that a variable holds on a rank.
func longestOf(s *repl.Session, name string) int {
	n := 0
	for _, r := range s.Ranks {
		if isSequence(r.Vars.Get(name)) {
			n = max(n, starlark.Len(r.Vars.Get(name)))
		}
	}
	return n
}

// holder notes what every rank holds, by handle.
type holder struct {
	snapshot *engine.Snapshot
	texts    map[int32]string // the world ranks of communicators, as expect_parts takes them
	all      map[string][]heldPart
}

// holdings tells what every rank holds, by handle: a variable, or an element of a list.
func holdings(s *repl.Session) map[string][]heldPart {
	h := holder{s.World().Snapshot(), map[int32]string{}, map[string][]heldPart{}}
	for rank, r := range s.Ranks {
		for name, v := range r.Vars.All() {
			h.note(rank, name, v)
			if list, ok := v.(starlark.Indexable); ok && isSequence(v) {
				for k := range list.Len() {
					h.note(rank, fmt.Sprintf("%s[%d]", name, k), list.Index(k))
				}
			}
		}
	}
	return h.all
}

// note notes a value that a rank holds, if the value is a communicator or COMM_NULL.
func (n *holder) note(rank int, name string, v starlark.Value) {
	ids, isList, ok := program.Held(v)
	if !ok || isList || program.Pending(v) {
		return
	}
	if n.all[name] == nil {
		n.all[name] = make([]heldPart, n.snapshot.Size)
	}
	h := heldPart{some: true, id: ids[0]}
	switch info := n.snapshot.Comm(int(h.id)); {
	case h.id < 0:
	case info == nil: // MPI_COMM_SELF
		h.part, h.all = fmt.Sprintf("[%d]", rank), []int32{int32(rank)}
	default:
		if n.texts[h.id] == "" {
			n.texts[h.id] = program.PartText(info.Group, info.Remote)
		}
		h.part, h.all = n.texts[h.id], slices.Concat(info.Group, info.Remote)
	}
	n.all[name][rank] = h
}

func isSequence(v starlark.Value) bool {
	switch v.(type) {
	case *starlark.List, starlark.Tuple:
		return true
	}
	return false
}

// parted returns the communicators that ranks hold, in the order of the lowest rank, and the ranks that hold each of
// them; "" is COMM_NULL. together reports whether every rank of each communicator holds that communicator, so that one
// list of parts describes all.
func parted(held []heldPart) (parts []string, who map[string]engine.Ranks, together bool) {
	who = map[string]engine.Ranks{}
	of := map[int32]string{} // by rank, the part that it is in
	together = true
	for r, h := range held {
		if !h.some {
			continue
		}
		if len(who[h.part]) == 0 && h.part != "" {
			parts = append(parts, h.part)
			for _, member := range h.all {
				together = together && of[member] == ""
				of[member] = h.part
			}
		}
		ranks := who[h.part]
		ranks.Append(int32(r))
		who[h.part] = ranks
	}
	for r, h := range held {
		together = together && (!h.some || of[int32(r)] == h.part)
	}
	return parts, who, together
}

// partLines writes the lines that expect what ranks hold: one line, or a line for each communicator where ranks of one
// communicator hold different ones.
func partLines(name string, held []heldPart) []string {
	parts, who, together := parted(held)
	line := func(ranks engine.Ranks, parts ...string) string {
		text := "expect_parts " + name + " [" + strings.Join(parts, ",") + "]"
		if ranks.Len() < len(held) {
			text = "@" + ranks.String() + " " + text
		}
		return text
	}
	if together {
		var some engine.Ranks
		for r, h := range held {
			if h.some {
				some.Append(int32(r))
			}
		}
		return []string{line(some, parts...)}
	}
	var list []string
	for _, p := range parts {
		list = append(list, line(who[p], p))
	}
	if null := who[""]; null.Len() > 0 {
		list = append(list, line(null))
	}
	return list
}

// Keep copies the lines of a session that crashed, and the lines that were still to run, whatever the state of the
// session; s may be nil.
func Keep(c *repl.Crash, s *repl.Session) {
	defer func() {
		if recover() != nil {
			c.Kept = ""
		}
	}()
	if s == nil {
		return
	}
	c.Kept = Text(s)
	for i, e := range s.Pending() {
		if i == 0 { // only a comment, or the script would crash again
			c.Kept += "# This line was running:\n" + e.Chunk.Comment()
		} else {
			c.Kept += e.Chunk.Text + "\n"
		}
	}
}
