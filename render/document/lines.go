package document

import (
	"encoding/json"
	"io"
	"iter"
	"math"
	"reflect"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/render"
)

// Lines writes what happens in a world while it happens: a JSON object a line. Each has a "type", and
// the same properties as in the document that Run writes, which can be made from the lines.
//
//	world          a fresh world begins; it replaces all lines before
//	rank           where a rank runs; again when the rank was bound to other PUs
//	output, step   as in the document, in the order in which they happened
//	raised         an error, in the same order, that the program may have caught
//	communicator   made by the step before; MPI_COMM_WORLD and MPI_COMM_SELF are made by no step
//	named, freed   what the step before did to a communicator
//	variable, failure, error, deadlock, unfinished, choice, leak, as
//	               how the session ended, in this order; a deadlock that a script expects is
//	               written when it occurs, and a world follows
//	end            the last line: the exit code, and the numbers of communicators, variables, output, ...
//
// Lines writes what a superstep did before the ranks go on. It keeps nothing but the names of
// communicators and which were freed.
type Lines struct {
	document
	broken func()
	err    error
	fates  *engine.Fates
	self   bool // the line of MPI_COMM_SELF was written
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

// NewLines returns Lines that write to w. When a write fails for the first time, it calls broken, since nobody
// will see later lines; End returns the error.
func NewLines(w io.Writer, broken func()) *Lines {
	return &Lines{document: document{newJSONStream(w), nil, map[string]json.RawMessage{}}, broken: broken}
}

// Begin writes a fresh world, as v shows it.
func (l *Lines) Begin(v *render.View) {
	clear(l.infos)
	l.view, l.fates, l.self, l.count = v, engine.FatesAfter(nil), false, endDoc{}
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

// Blocked writes the deadlock of v. A fresh world follows, in which no rank is blocked.
func (l *Lines) Blocked(v *render.View) {
	l.view = v
	l.line("deadlock", l.deadlock())
	l.finish()
}

// End writes how the session ended; v is its last world.
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
	l.all("stopped", l.stopped())
	l.all("choice", l.choices())
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

// called writes a call. The first call on MPI_COMM_SELF writes that communicator, too.
func (l *Lines) called(s *engine.Step) {
	if s.Comm == engine.SelfID && !l.self {
		l.made(self)
	}
	l.count.Steps++
	l.line("step", stepOf(s))
}

// made writes a communicator as it is when it is made: without a name given to it.
func (l *Lines) made(c *engine.CommInfo) {
	l.self = l.self || c.ID == engine.SelfID
	l.count.Communicators++
	l.line("communicator", communicator(c, l.fates.Names[c.ID], false))
}

// fate writes whether a step named or freed the communicator that it acted on.
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

// line writes kind as the type, then the properties of doc.
func (l *Lines) line(kind string, doc any) {
	if l.err != nil {
		return
	}
	l.text(`{"type": "` + kind + `"`)
	l.fields(reflect.Indirect(reflect.ValueOf(doc)), false)
	l.text("}")
	l.text("\n")
}

// finish flushes what was written.
func (l *Lines) finish() {
	if l.err != nil {
		return
	}
	if l.err = l.out.Flush(); l.err != nil {
		l.broken()
	}
}
