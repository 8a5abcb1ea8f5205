package repl

import (
	"regexp"
	"slices"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/repl/lang"
)

// chronicle is the list of what a session ran: its entries, and how far back they can be taken.
type chronicle struct {
	entries []Entry
	began   int     // index of the entry that began the present world
	pending []Entry // entries that run now, or are to run again, and are not in entries yet
	redo    []Entry
	blocked int // number of entries before the oldest entry that left ranks blocked; -1: no rank is blocked
}

// Entry is a step of the session's story: a chunk that it ran, or a fresh world that it began.
type Entry struct {
	Chunk  *lang.Chunk   // nil for a fresh world
	At     engine.Moment // the moment before the chunk ran
	Hidden []string      // names in the chunk that a variable hides
	Void   bool          // an expect_deadlock took the chunk back; only Entries tells it

	Question string // of ask: the question; "" for other chunks
	Answer   string // of ask: the right answer, "" when ranks differ
	Why      string // of ask: the reason for those who predict wrongly

	config *Config             // what a fresh world is made from, when chunk is nil
	before render.Expectations // of a fresh world: what the worlds before it expected
	plan   *worldPlan
	effect
	gone    []render.Event // of expect_deadlock: the events that it took back
	stuck   *render.View   // of the session after the chunk, where it left ranks blocked; nil: it did not
	shown   []shown        // what lines that follow this entry, and only look at the session, drew
	verdict string         // of ask: the sentence that tells the answer
}

// effect is the part of a chunk's result that its text does not tell.
type effect struct {
	clears int          // of expect_deadlock: the first entry that it took back; -1 for no entry
	result string       // variable that got the result of a command, also when the line names none
	groups bool         // the group argument of a command is a group object, not a list of ranks
	bare   engine.Ranks // of a command that some ranks issue: the ranks that keep no older value of result; empty when no rank keeps one
}

// stuck lists the moments at which lines of the present world left ranks blocked, in order. Of several moments after the
// same step, the last counts: it has most ranks blocked.
func (r *chronicle) stuck() []render.Stuck {
	var list []render.Stuck
	for i, e := range r.entries {
		if i <= r.began || e.stuck == nil {
			continue
		}
		now := render.Stuck{Step: len(e.stuck.Snapshot.Steps), View: e.stuck}
		if takenBack(r.entries)[i] { // the trace no longer has the steps that led there
			now.Step = e.At.Steps
		}
		if n := len(list); n > 0 && list[n-1].Step == now.Step {
			list = list[:n-1]
		}
		list = append(list, now)
	}
	return list
}

// Mark is the entries of a session at some time, and the entries that Redo could run again.
type Mark struct{ entries, redo []Entry }

// Mark returns where the session stands, for ReturnTo.
func (r *chronicle) Mark() Mark { return Mark{slices.Clip(r.entries), slices.Clone(r.redo)} }

// Chunks lists the chunks of the session on its present world, in order.
func (r *chronicle) Chunks() []*lang.Chunk {
	var list []*lang.Chunk
	for _, e := range r.entries[r.began+1:] {
		list = append(list, e.Chunk)
	}
	return list
}

// Entries lists what the session ran on its present world, in order.
func (r *chronicle) Entries() []Entry {
	first, void := r.began+1, takenBack(r.entries)
	list := slices.Clone(r.entries[first:])
	for i := range list {
		list[i].Void = void[first+i]
	}
	return list
}

// Pending lists the chunks that run now, or are to run again, and are not among Entries yet.
func (r *chronicle) Pending() []Entry { return slices.Clone(r.pending) }

// source returns the text of a line of the session; "" when the session has no such line.
func (r *chronicle) source(at engine.Site) string {
	_, text := r.lineAt(at)
	return text
}

// lineAt returns the text of a line of the session, and the chunk that has it.
func (r *chronicle) lineAt(at engine.Site) (*lang.Chunk, string) {
	for _, e := range r.entries {
		if e.Chunk != nil && e.Chunk.File == at.File {
			if text := strings.TrimSpace(e.Chunk.LineText(int(at.Line))); text != "" {
				return e.Chunk, text
			}
		}
	}
	return nil, ""
}

// Quoted returns the text of a line of the session; "" when it has no such line, and for a line that asks: the line has the answer, and readers
// of the session should see only the question.
func (r *chronicle) Quoted(at engine.Site) string {
	c, text := r.lineAt(at)
	if c != nil && Issues(c, "ask") {
		return ""
	}
	return text
}

// Unexplained lists the lines that ran between the last note or question and the present question, which is
// about these lines.
func (r *chronicle) Unexplained() []string {
	var list []string
	for i, e := range slices.Backward(r.entries) {
		if e.Chunk == nil || e.clears >= 0 {
			break
		}
		switch verb := e.Chunk.Verb.Text; {
		case verb == "ask" && i == len(r.entries)-1:
		case verb == "ask" || verb == "note":
			slices.Reverse(list)
			return list
		case !Checks(e.Chunk):
			list = append(list, strings.TrimRight(e.Chunk.Text, "\n"))
		}
	}
	slices.Reverse(list)
	return list
}

// Showing keeps the picture that a line drew, as plain text, for readers of the session.
func (r *chronicle) Showing(c *lang.Chunk, drawn string) {
	lines := strings.Split(strings.TrimRight(inks.ReplaceAllString(drawn, ""), "\n"), "\n")
	if len(lines) > mostDrawn {
		lines = append(lines[:mostDrawn], "...")
	}
	e := &r.entries[len(r.entries)-1]
	e.shown = append(e.shown, shown{strings.TrimSpace(c.Text), strings.Join(lines, "\n")})
}

// Began returns the configuration of the present world: the same pointer as long as that world is the present one, also
// when it was made again.
func (r *chronicle) Began() *Config { return r.entries[r.began].config }

// Last returns the chunk that the session ran last on its present world; nil for none.
func (r *chronicle) Last() *lang.Chunk { return r.entries[len(r.entries)-1].Chunk }

// takenBack returns, for each entry, whether an expect_deadlock took it back.
func takenBack(entries []Entry) []bool {
	void := make([]bool, len(entries))
	for i, e := range entries {
		if e.clears >= 0 {
			for j := e.clears; j < i; j++ {
				void[j] = true
			}
		}
	}
	return void
}

// shown is a line that shows a part of the session, and the drawing that it printed.
type shown struct{ typed, drawn string }

// mostDrawn is how many lines of a drawing are kept at most.
const mostDrawn = 400

// inks matches the control sequences that color a text at a terminal.
var inks = regexp.MustCompile("\x1b\\[[0-9;]*m")
