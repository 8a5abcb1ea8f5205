package recording

import (
	"errors"
	"fmt"
	"slices"
)

// stream is the calls of one thread of a process, in their order.
type stream struct {
	p     *Process
	calls []int32 // indexes; nil: all
	next  int
	hasty bool // its next call is taken before calls of other threads that returned earlier
}

func (s *stream) length() int {
	if s.calls == nil {
		return len(s.p.calls)
	}
	return len(s.calls)
}

func (s *stream) index() int32 {
	if s.calls == nil {
		return int32(s.next)
	}
	return s.calls[s.next]
}

// streamsOf are the threads of a process.
func streamsOf(p *Process) []*stream {
	if !slices.ContainsFunc(p.calls, func(c call) bool { return c.thread != 0 }) {
		return []*stream{{p: p}}
	}
	byThread := map[int32]*stream{}
	var list []*stream
	for i := range p.calls {
		t := p.calls[i].thread
		if byThread[t] == nil {
			byThread[t] = &stream{p: p, calls: []int32{}}
			list = append(list, byThread[t])
		}
		byThread[t].calls = append(byThread[t].calls, int32(i))
	}
	return list
}

// at names a call in the archive.
func at(p *Process, c *call) string { return fmt.Sprintf("%s/%d.txt:%d", callsFolder, p.Rank, c.line) }

// located is an error with the line that it is about.
type located struct {
	at  string
	err error
}

// Error is "calls/3.txt:12: message".
func (e *located) Error() string { return e.at + ": " + e.err.Error() }

// advance takes a stream as far as it can go alone.
func (a *assembly) advance(s *stream) error {
	for s.next < s.length() {
		c := &s.p.calls[s.index()]
		parent, known := s.p.comms[c.comm]
		if len(s.p.later) > 0 && s.p.isLater(c) || !s.hasty && s.isEarly(c) {
			a.parked = append(a.parked, s)
			return nil
		}
		if !known && c.comm > selfID {
			if len(s.p.comms) > 0 && s.calls != nil {
				a.parked = append(a.parked, s)
				return nil
			}
			// Nobody told how it came to be: calls on it belong to nothing that can be followed.
			parent = &comm{kind: foreigner}
			s.p.comms[c.comm] = parent
		}
		wait, err := a.take(s, c, parent)
		if _, told := errors.AsType[*located](err); err != nil && !told {
			err = &located{at(s.p, c), err}
		}
		if err != nil {
			return err
		}
		if wait {
			return nil
		}
		s.pass()
		a.moved = true
	}
	return nil
}

// pass goes to the next call of the stream.
func (s *stream) pass() { s.next, s.hasty = s.next+1, false }

// isEarly reports whether another thread of the process has a call that is not taken yet, and returned before this one
// began: a communicator is made before another thread uses it, and used before another thread frees it.
func (s *stream) isEarly(c *call) bool {
	for _, o := range s.p.streams {
		if o == s || o.next == o.length() {
			continue
		}
		if k := &o.p.calls[o.index()]; k.took >= 0 && k.begin+k.took <= c.begin {
			return true
		}
	}
	return false
}

// isLater reports whether a call names a communicator whose maker returned at once, and is not met yet.
func (p *Process) isLater(c *call) bool {
	peer, ok := int32(0), false
	if c.op.kind == joining {
		peer, ok = c.number("peer")
	}
	return p.later[c.comm] || ok && p.later[peer]
}

// overtake lets the thread whose next call began first go on before calls that returned earlier. Calls that do not wait
// for all of their processes can return on one process in an order that no program of whole meetings has.
func (a *assembly) overtake() bool {
	var first *stream
	for _, s := range a.parked {
		if !s.hasty && s.isEarly(&s.p.calls[s.index()]) && (first == nil || s.p.calls[s.index()].begin < first.p.calls[first.index()].begin) {
			first = s
		}
	}
	if first == nil {
		return false
	}
	first.hasty = true
	a.ready, a.parked = a.parked, nil
	return true
}
