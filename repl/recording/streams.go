package recording

import (
	"errors"
	"fmt"
)

// stream has the calls of one thread of a process, in their order.
type stream struct {
	p     *Process
	calls []int32 // indexes
	next  int
	hasty bool // its next call is taken before calls of other threads that returned earlier
}

// more reports whether the stream has calls that are not taken yet.
func (s *stream) more() bool { return s.next < len(s.calls) }

// index returns the index of the next call.
func (s *stream) index() int32 { return s.calls[s.next] }

// call returns the next call.
func (s *stream) call() *call { return &s.p.calls[s.index()] }

// streamsOf returns the threads of a process.
func streamsOf(p *Process) (list []*stream) {
	byThread := map[int32]*stream{}
	for i := range p.calls {
		s := byThread[p.calls[i].thread]
		if s == nil {
			s = &stream{p: p}
			byThread[p.calls[i].thread] = s
			list = append(list, s)
		}
		s.calls = append(s.calls, int32(i))
	}
	return list
}

// at returns the file and line of a call in the archive.
func at(p *Process, c *call) string { return fmt.Sprintf("%s/%d.txt:%d", callsFolder, p.Rank, c.line) }

// located is an error with its place in the archive.
type located struct {
	at  string
	err error
}

// Error returns "calls/3.txt:12: message".
func (e *located) Error() string { return e.at + ": " + e.err.Error() }

// advance takes the calls of a stream up to the first that must wait for others.
func (a *assembly) advance(s *stream) error {
	for s.more() {
		c := s.call()
		parent, known := s.p.comms[c.comm]
		if len(s.p.later) > 0 && s.p.isLater(c) || !s.hasty && s.isEarly(c) {
			a.parked = append(a.parked, s)
			return nil
		}
		if !known && c.comm > selfID {
			if len(s.p.comms) > 0 && len(s.p.streams) > 1 {
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

// isEarly reports whether a call must wait for another thread of its process, whose next call had returned before
// this one began: a communicator is made before another thread uses it, and used before another thread frees it.
func (s *stream) isEarly(c *call) bool {
	for _, o := range s.p.streams {
		if o == s || !o.more() {
			continue
		}
		if k := o.call(); k.took >= 0 && k.begin+k.took <= c.begin {
			return true
		}
	}
	return false
}

// isLater reports whether a call names a communicator from a nonblocking call whose meeting is not complete yet.
func (p *Process) isLater(c *call) bool {
	peer, ok := int32(0), false
	if c.op.kind == joining {
		peer, ok = c.number("peer")
	}
	return p.later[c.comm] || ok && p.later[peer]
}

// overtake lets the thread with the earliest next call go on before calls that returned earlier. Calls that do not
// wait for all processes can return on one process in an order that no program of whole meetings has.
func (a *assembly) overtake() bool {
	var first *stream
	for _, s := range a.parked {
		if !s.hasty && s.isEarly(s.call()) && (first == nil || s.call().begin < first.call().begin) {
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
