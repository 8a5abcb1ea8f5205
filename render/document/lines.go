package document

import (
	"io"
	"iter"
	"math"

	"commsplit/engine"
	"commsplit/render"
)

// Lines writes what happens on a world while it happens: a JSON object a line. Each has a "type", and
// the properties that the same thing has in the document of JSON, which can be made from the lines.
//
//	world          a fresh world begins; what was written before it is void
//	rank           where a rank runs; again when it was bound anew
//	output, step   as in the document, in the order in which they happened
//	raised         an error, in the same order, that the program may have caught
//	communicator   one was made, by the step before it; MPI_COMM_WORLD and MPI_COMM_SELF by none
//	named, freed   what became of a communicator, by the step before it
//	variable, failure, error, deadlock, unfinished, leak, as
//	               how it ended, in this order; a deadlock that a script expects is reported
//	               when it stands, and a world follows
//	end            the last line: the exit code, and how many there are of everything
//
// What a superstep did is written before the ranks go on. Nothing is kept but the names of
// communicators and which were freed.
type Lines struct {
	document
	broken func()
	fates  *engine.Fates
	self   bool // MPI_COMM_SELF was told
	count  endDoc
}

// worldLine is the line that begins a world.
type worldLine struct {
	Version int `json:"version"`
	worldDoc
}

type namedDoc struct {
	Comm int    `json:"comm"`
	Name string `json:"name"`
}

type freedDoc struct {
	Comm int `json:"comm"`
}

type variableDoc struct {
	Name string `json:"name"`
	Held []any  `json:"held"`
}

type endDoc struct {
	Exit          int  `json:"exit"`
	Communicators int  `json:"communicators"`
	Variables     int  `json:"variables"`
	Output        int  `json:"output"`
	Passed        int  `json:"passed"`
	Failed        int  `json:"failed"`
	Errors        int  `json:"errors"`
	Steps         int  `json:"steps"`
	Unfinished    int  `json:"unfinished"`
	Leaks         *int `json:"leaks"`
}

// NewLines writes to w. When that fails for the first time it calls broken, since nobody will see
// what goes on; End returns the error.
func NewLines(w io.Writer, broken func()) *Lines {
	return &Lines{document: document{newJSONStream(w), nil, map[string][]byte{}}, broken: broken}
}

// Begin tells of a fresh world, as v shows it.
func (l *Lines) Begin(v *render.View) {
	clear(l.infos)
	l.view, l.fates, l.self, l.count = v, engine.NewFates(), false, endDoc{}
	l.line("world", worldLine{1, l.world()})
	l.all("rank", l.ranks())
	for _, c := range v.Snapshot.Comms {
		l.made(c)
	}
	l.finish()
}

// Tell writes what a superstep did, step by step.
func (l *Lines) Tell(n *engine.News) {
	output, left, comms, moves, raised := n.Output, n.Forgot, n.Comms, n.Moves, engine.MergeRaised(n.Raised)
	l.count.Output += left
	until := func(step int) {
		for {
			switch {
			case len(raised) > 0 && raised[0].At.Steps < step && raised[0].At.Lines <= l.count.Output:
				l.line("raised", errorOf(raised[0].Error))
				raised = raised[1:]
			case len(output) > 0 && output[0].Step < step:
				l.count.Output++
				l.line("output", outputOf(&output[0], left))
				output, left = output[1:], 0
			default:
				return
			}
		}
	}
	for i := range n.Steps {
		s := &n.Steps[i]
		until(s.Number)
		l.called(s)
		for ; len(moves) > 0 && moves[0].Step == s.Number; moves = moves[1:] {
			place := l.place(moves[0].To)
			l.line("rank", rankDoc{int(moves[0].Rank), &place})
		}
		for ; len(comms) > 0 && comms[0].Step <= s.Number; comms = comms[1:] {
			l.made(comms[0])
		}
		l.fate(s)
	}
	until(math.MaxInt)
	l.finish()
}

// Blocked tells of ranks that are blocked, as v shows them: a fresh world follows, on which they are not.
func (l *Lines) Blocked(v *render.View) {
	l.view = v
	l.line("deadlock", l.deadlock())
	l.finish()
}

// End tells how it ended: v is the world then.
func (l *Lines) End(v *render.View, exit int) error {
	l.view = v
	if !l.self && l.mentionsSelf() {
		l.made(self)
	}
	for i := range v.Handles {
		l.line("variable", variableDoc{v.Handles[i].Name, l.held(&v.Handles[i])})
	}
	e := l.expectations()
	for _, f := range e.Failures {
		l.line("failure", f)
	}
	l.all("error", l.errors())
	if lock := l.deadlock(); lock != nil {
		l.line("deadlock", lock)
	}
	l.all("unfinished", l.unfinished())
	if v.Leaks != nil {
		l.all("leak", l.leaks())
		n := len(v.Leaks)
		l.count.Leaks = &n
	}
	if v.As != nil {
		l.line("as", l.as())
	}
	l.count.Exit, l.count.Variables, l.count.Errors = exit, len(v.Handles), len(v.Errors)
	l.count.Unfinished = len(v.Unfinished)
	l.count.Passed, l.count.Failed = e.Passed, e.Failed
	l.line("end", l.count)
	l.finish()
	return l.err
}

// called tells of a call. MPI_COMM_SELF comes up with the first one on it.
func (l *Lines) called(s *engine.Step) {
	if s.Comm == engine.SelfID && !l.self {
		l.made(self)
	}
	l.count.Steps++
	l.line("step", stepOf(s))
}

// made tells of a communicator as it is when it is made: without a name of its own.
func (l *Lines) made(c *engine.CommInfo) {
	l.self = l.self || c.ID == engine.SelfID
	l.count.Communicators++
	l.line("communicator", communicator(c, l.fates.Names[c.ID], false))
}

// fate tells what became of the communicator that a step acted on.
func (l *Lines) fate(s *engine.Step) {
	named, freed := l.fates.Follow(s)
	if named {
		l.line("named", namedDoc{s.Comm, l.fates.Names[s.Comm]})
	}
	if freed {
		l.line("freed", freedDoc{s.Comm})
	}
}

func (l *Lines) all(kind string, docs iter.Seq[any]) {
	for doc := range docs {
		l.line(kind, doc)
	}
}

// line writes the properties of doc behind its type.
func (l *Lines) line(kind string, doc any) {
	if l.err != nil {
		return
	}
	b, err := encode(doc)
	if err != nil {
		l.err = err
		return
	}
	l.text(`{"type": "` + kind + `", `)
	l.out.Write(airy(b[1:]))
	l.text("\n")
}

// finish hands on what was written.
func (l *Lines) finish() {
	if l.err != nil {
		return
	}
	if l.err = l.flush(); l.err != nil {
		l.broken()
	}
}
