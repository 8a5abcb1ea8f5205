package engine

import (
	"cmp"
	"math"
	"slices"
)

// Moment is a place in the order of what happens on a world: behind so many steps of the trace and lines
// of output. Turn and Own order what happens in one place: the superstep, and how far the process had come
// with errors in it: 2n behind n of them, 2n+1 where it raises the next.
type Moment struct{ Steps, Lines, Turn, Own int }

// Compare orders moments.
func (m Moment) Compare(o Moment) int {
	return cmp.Or(cmp.Compare(m.Steps, o.Steps), cmp.Compare(m.Lines, o.Lines), cmp.Compare(m.Turn, o.Turn), cmp.Compare(m.Own, o.Own))
}

// Now is behind all that has happened so far. The world must be quiet.
func (w *World) Now() Moment { return Moment{len(w.steps), len(w.lines), w.turns, math.MaxInt} }

// Moment is where the process is now. late is nil, unless the process has said or done something that has
// no place yet: then late will be right when the world is quiet.
func (p *Process) Moment() (now Moment, late *Moment) {
	now = Moment{len(p.w.steps), len(p.w.lines), p.w.turns + 1, 0} // nobody adds to them while a process runs
	if t := p.mail; t == nil || len(t.events)+len(t.lines)+len(t.errors) == 0 {
		return now, nil
	}
	late = &Moment{}
	p.mail.marks = append(p.mail.marks, p.mail.mark(nil, late))
	return now, late
}

// mark is something that a process did in a superstep: what it had done before, and where that was.
type mark struct {
	events, lines, own int
	err                *Error  // it raised this
	at                 *Moment // or asks for the moment
}

func (t *traffic) mark(err *Error, at *Moment) mark {
	own := 2 * len(t.errors)
	if err != nil {
		own++
	}
	return mark{len(t.events), len(t.lines), own, err, at}
}

// stepBehind is the number of steps of the trace behind so many local calls of a process in this
// superstep.
func (w *World) stepBehind(p *Process, events int) int {
	if events == 0 || len(p.mail.steps) == p.mail.earlier {
		return w.steady
	}
	return int(p.mail.steps[p.mail.earlier+events-1])
}

// moment is where a mark is, once the steps and lines of the superstep have their places.
func (w *World) moment(p *Process, m mark) Moment {
	at := Moment{w.stepBehind(p, m.events), len(w.lines), w.turns, m.own}
	switch said := p.mail.said; {
	case !w.trace:
	case m.lines > 0:
		at.Lines = said[m.lines-1]
	case len(said) > 0:
		at.Lines = said[0] - 1
	}
	if at.Lines > 0 && at.Lines <= len(w.lines) {
		at.Steps = max(at.Steps, w.lines[at.Lines-1].Step)
	}
	return at
}

// takeMarks tells those that asked where they were.
func (w *World) takeMarks() {
	for _, p := range w.talked {
		for _, m := range p.mail.marks {
			*m.at = w.moment(p, m)
		}
		p.mail.marks = nil
	}
}

// Raised is an error as MPI handed it to an error handler, whether or not the program caught it.
type Raised struct {
	Step int // steps of the trace before it
	At   Moment
	*Error
}

// noteRaised keeps an error for diagnoses and, in a world with a trace, for its snapshots.
func (p *Process) noteRaised(err *Error) {
	t := p.traffic()
	t.raised = err
	if p.w.trace {
		t.errors = append(t.errors, t.mark(err, nil))
	}
}

// takeRaised moves the errors of this superstep into the record of the world, in the order in which they
// were raised.
func (w *World) takeRaised() {
	first := len(w.raised)
	for _, p := range w.talked {
		for _, m := range p.mail.errors {
			at := w.moment(p, m)
			w.raised = append(w.raised, Raised{at.Steps, at, m.err})
		}
		p.mail.errors = nil
	}
	slices.SortStableFunc(w.raised[first:], func(a, b Raised) int { return a.At.Compare(b.At) })
}

// MergeRaised joins what several processes raised in one turn, when it differs only in what each passed. It
// stands where the last of them raised it. The list is in order, and stays so.
func MergeRaised(list []Raised) []Raised {
	type turn struct{ turn, own int }
	at := map[turn][]Raised{}
	for _, r := range list {
		k := turn{r.At.Turn, r.At.Own}
		at[k] = append(at[k], r)
	}
	var merged []Raised
	for _, r := range list {
		k := turn{r.At.Turn, r.At.Own}
		same := at[k]
		if len(same) == 0 {
			continue
		}
		delete(at, k)
		errors := make([]*Error, len(same))
		for i := range same {
			errors[i] = same[i].Error
		}
		last := same[len(same)-1].At
		for _, e := range MergeErrors(errors) {
			merged = append(merged, Raised{last.Steps, last, e})
		}
	}
	slices.SortStableFunc(merged, func(a, b Raised) int { return a.At.Compare(b.At) })
	return merged
}

// Errors lists the errors that processes raised, caught ones too, in order of the trace. Those of
// several processes at one point of it that differ only in what each passed are one.
func (s *Snapshot) Errors() []Raised {
	var list []Raised
	for i := 0; i < len(s.Raised); {
		at := s.Raised[i].At
		var same []*Error
		for ; i < len(s.Raised) && s.Raised[i].Step == at.Steps; i++ {
			same = append(same, s.Raised[i].Error)
		}
		for _, e := range MergeErrors(same) {
			list = append(list, Raised{at.Steps, at, e})
		}
	}
	return list
}
