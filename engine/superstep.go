package engine

import (
	"cmp"
	"math/bits"
	"slices"
)

// conduct meets the contributions of all ranks. It runs on the goroutine of the rank that arrived
// last, while every other rank waits, so it needs no locks.
func (w *World) conduct() {
	w.turns++
	w.gatherShards()
	w.steady = len(w.steps)
	w.deliver()
	for _, s := range w.arrived {
		for fresh := s.fresh; fresh != 0; fresh &= fresh - 1 {
			w.meet(&w.procs[s.base+int32(bits.TrailingZeros64(fresh))])
		}
		s.fresh = 0
		w.ready = append(w.ready, s.complete...)
		s.complete = s.complete[:0]
	}
	w.arrived = w.arrived[:0]
	w.flushOutput()
	w.takeRaised()
	w.takeMarks()
	w.talked = w.talked[:0]
	clear(w.localAt)
	w.complete()
	if w.news != nil {
		w.tellNews()
	}
	if len(w.failed)+len(w.program) > 0 || !w.resume() {
		w.quiet <- struct{}{}
	}
}

// gatherShards takes the shards that arrived, in rank order.
func (w *World) gatherShards() {
	for len(w.root) > 0 {
		w.arrived = append(w.arrived, <-w.root)
	}
	slices.SortFunc(w.arrived, func(a, b *shard) int { return cmp.Compare(a.base, b.base) })
}

// meet takes up the contribution of one rank.
func (w *World) meet(p *Process) {
	switch c := p.current.call; {
	case w.locate:
		// It only told where it waits; its contribution has met before.
	case c == CallNone:
		w.meetEnd(p)
	case c <= lastCollective:
		w.meetCollective(p)
	case c.overGroups():
		w.meetGroups(p)
	default:
		w.meetMessage(p)
	}
}

// meetEnd notes that a rank has finished a task, well or not. A failed rank never goes on: its
// failure ends the program at the end of the superstep.
func (w *World) meetEnd(p *Process) {
	err := p.current.x
	if d, ok := err.(departure); ok {
		p.state = gone
		err = d.error
	}
	switch err := err.(type) {
	case nil:
		p.state = idle
		if int(p.next) < len(w.tasks) {
			w.release(p.rank)
		}
	case *Error:
		w.failed = append(w.failed, p.claim(err))
	case error:
		w.program = append(w.program, err)
		w.failedBy = append(w.failedBy, p.rank)
	}
}

// complete carries out the calls that all their processes have made, those of the lowest ranks
// first. Communicators made by one superstep get their numbers in this order.
func (w *World) complete() {
	slices.SortFunc(w.ready, func(a, b *operation) int {
		return cmp.Or(cmp.Compare(a.low(), b.low()), cmp.Compare(a.core.info.ID, b.core.info.ID), cmp.Compare(a.number, b.number))
	})
	for _, op := range w.ready {
		op.finish(w)
	}
	w.ready = w.ready[:0]
	w.reap()
}

// Line is one line of output and the ranks that printed it.
type Line struct {
	Step  int // steps of the trace before it
	Ranks Ranks
	Text  string
	Note  bool // narration: see Process.Note
}

// flushOutput merges what ranks printed in this superstep: first lines first, equal lines joined,
// in order of the lowest rank that printed each.
func (w *World) flushOutput() {
	var printed []*Process
	most := 0
	for _, p := range w.talked {
		p.mail.said = p.mail.said[:0]
		if n := len(p.mail.lines); n > 0 {
			printed = append(printed, p)
			most = max(most, n)
		}
	}
	first := len(w.lines)
	for i := range most {
		w.mergeLines(printed, i)
	}
	for _, p := range printed {
		p.mail.lines = nil
	}
	if !w.trace {
		w.lines = w.lines[:first]
	}
}

func (w *World) mergeLines(printed []*Process, i int) {
	at := map[spoken]int{}
	first := len(w.lines)
	for _, p := range printed {
		if i >= len(p.mail.lines) {
			continue
		}
		line := p.mail.lines[i]
		k, ok := at[line.spoken]
		if !ok {
			k = len(w.lines)
			at[line.spoken] = k
			step := w.stepBehind(p, line.events)
			if k > 0 {
				step = max(step, w.lines[k-1].Step)
			}
			w.lines = append(w.lines, Line{Step: step, Text: line.text, Note: line.note})
		}
		w.lines[k].Ranks.Append(p.rank)
		p.mail.said = append(p.mail.said, k+1)
	}
	if w.output != nil {
		for _, line := range w.lines[first:] {
			w.output(line)
		}
	}
}
