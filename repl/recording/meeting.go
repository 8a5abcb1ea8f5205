package recording

import (
	"cmp"
	"errors"
	"fmt"
	"hash/maphash"
	"slices"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
)

// comm is a communicator of the run.
type comm struct {
	members []int32 // world ranks by rank, of the left group of an intercommunicator; -1: nobody told
	remote  []int32 // of the right group; nil for an intracommunicator
	kind    commKind
	maker   *meeting // nil: predefined
	name    string   // of the program, "" for none
	freed   *meeting // nil: never
	heirs   int      // communicators that were made from it
	used    int      // level of the last call that names it

	leader, remoteLeader int32   // as the library told
	dims                 []int32 // of a grid, where a trace does not tell members
	carried              bool    // messages; or its group was asked for
	guessed              bool    // which of several processes that told nothing has which place is not known

	variable *variable // that holds it in the replay
}

type commKind uint8

const (
	ours commKind = iota
	predefinedWorld
	predefinedSelf
	foreigner // it has processes of another world, or nobody knows where it is from
)

// meeting is a call that processes made together, or a local call of one of them.
type meeting struct {
	op       *op
	parent   *comm // nil: it is made on none
	other    *comm // of MPI_Intercomm_create: the local communicator of the right group
	callers  []caller
	invited  []int32 // of a call that a group makes: its members
	expected int     // how many processes must come
	absent   []int32 // those that did not
	children []*comm
	level    int  // it comes behind all calls of a lower level that its processes made
	blocked  bool // nobody got an answer
	hopeless bool // nobody got an answer, because a process ended before it came
	refused  bool // the library gave nobody anything but an error
	closed   bool
}

// caller is a process in a meeting, with the index of its call.
type caller struct {
	rank, call int32
	stream     *stream
}

// meetingKey identifies a meeting. Calls on a communicator have no text.
type meetingKey struct {
	parent *comm
	nth    int32
	op     string
	text   string
}

// assembly goes through the calls of all processes, each in its order, and brings the calls that belong together into
// meetings.
type assembly struct {
	*Recording
	streams []*stream
	ready   []*stream
	parked  []*stream // wait for a communicator that another thread makes, or one that is made later, or an earlier call
	moved   bool      // a stream went on since the parked ones were looked at
	open    map[meetingKey]*meeting
	order   []*meeting // open ones and closed ones, in order of their first call
	first   int        // all before this one are closed
	halves  map[string][]*meeting
	seed    maphash.Seed
	locals  []*meeting
}

// mostPlaces bounds the number of members of all communicators and groups.
const mostPlaces = 1 << 27

// holds counts the members of a communicator or group, and refuses too many.
func (r *Recording) holds(members int) error {
	if r.places += members; r.places > mostPlaces {
		return fmt.Errorf("more than %d members of communicators and groups in all", mostPlaces)
	}
	return nil
}

// assemble finds the communicators and the meetings.
func (r *Recording) assemble() error {
	a := &assembly{Recording: r, open: map[meetingKey]*meeting{}, halves: map[string][]*meeting{}, seed: maphash.MakeSeed()}
	world := &comm{kind: predefinedWorld, members: make([]int32, len(r.Processes))}
	for i := range world.members {
		world.members[i] = int32(i)
	}
	r.comms = []*comm{world}
	for i, p := range r.Processes {
		if p.Missing {
			continue
		}
		self := &comm{kind: predefinedSelf, members: []int32{int32(i)}}
		p.comms = map[int32]*comm{worldID: world, selfID: self}
		if p.groups == nil {
			p.groups = map[int32][]int32{}
		}
		p.groups[0] = []int32{}
		p.times = map[string]int{}
		p.later = map[int32]bool{}
		p.streams = streamsOf(p)
		a.streams = append(a.streams, p.streams...)
	}
	a.ready = slices.Clone(a.streams)
	for {
		for len(a.ready) > 0 {
			s := a.ready[len(a.ready)-1]
			a.ready = a.ready[:len(a.ready)-1]
			if err := a.advance(s); err != nil {
				return err
			}
		}
		if a.moved && len(a.parked) > 0 {
			a.ready, a.parked, a.moved = a.parked, nil, false
			continue
		}
		if more, err := a.force(); !more || err != nil {
			a.finish()
			return err
		}
	}
}

// take handles the next call of a stream, and reports whether the stream waits there for other processes.
func (a *assembly) take(s *stream, c *call, parent *comm) (wait bool, err error) {
	followed := parent == nil || parent.kind != foreigner
	switch {
	case c.op.kind == grouping:
		err := s.p.group(c, parent)
		if err == nil && c.op.call != engine.CallGroup && c.op.call != engine.CallRemoteGroup {
			err = a.holds(len(s.p.groups[c.result.id]))
		}
		return false, err
	case c.op.kind == beside:
		return false, nil
	case c.op.kind == local && followed && parent != nil:
		a.local(s, c, parent)
		return false, nil
	case c.op.kind == foreign, !followed, c.comm == nullComm:
		if c.result.kind == gotComm {
			s.p.comms[c.result.id] = &comm{kind: foreigner}
		}
		return false, nil
	case c.op.kind == local:
		return false, nil
	}
	m, err := a.meetingOf(s, c, parent)
	if err != nil {
		return false, err
	}
	if m == nil || m.closed {
		if c.result.kind == gotComm {
			s.p.comms[c.result.id] = &comm{kind: foreigner}
		}
		return false, nil
	}
	m.callers = append(m.callers, caller{int32(s.p.Rank), s.index(), s})
	if len(m.callers) < m.expected {
		if !c.op.returnsAtOnce() {
			return true, nil
		}
		s.p.later[c.result.id] = c.result.kind == gotComm
		return false, nil
	}
	return true, a.close(m)
}

// meetingOf finds the meeting of a call; nil for a call that its process makes alone.
func (a *assembly) meetingOf(s *stream, c *call, parent *comm) (*meeting, error) {
	k := meetingKey{parent: parent, nth: c.nth, op: c.op.Name}
	expected := 0
	var invited []int32
	if c.op.kind == byGroup || c.op.kind == joining && parent == nil {
		members, text, err := a.invitation(s.p, c)
		if err != nil || !slices.Contains(members, int32(s.p.Rank)) || slices.Contains(members, -1) {
			return nil, err
		}
		times := strconv.Itoa(int(c.comm)) + "\t" + text // a communicator has another number in each process
		s.p.times[times]++
		k.nth, k.text, expected, invited = int32(s.p.times[times]), text, len(members), members
	} else {
		if parent == nil {
			return nil, errors.New("the call is made on no communicator")
		}
		expected = len(parent.members) + len(parent.remote)
	}
	m := a.open[k]
	if m == nil {
		m = &meeting{op: c.op, parent: parent, expected: expected, invited: invited}
		a.open[k] = m
		a.order = append(a.order, m)
	}
	return m, nil
}

// invitation returns who takes part in a call that the members of a group make, and a text that identifies the call
// among others.
func (a *assembly) invitation(p *Process, c *call) (members []int32, text string, err error) {
	members, err = p.passed(c, "group")
	if err != nil {
		return nil, "", err
	}
	var h maphash.Hash
	h.SetSeed(a.seed)
	sides := [][]int32{members}
	if c.op.call == engine.CallIntercommCreateFromGroups {
		remote, err := p.passed(c, "remotegroup")
		if err != nil {
			return nil, "", err
		}
		if sides = append(sides, remote); len(remote) > 0 && len(members) > 0 && remote[0] < members[0] {
			sides[0], sides[1] = sides[1], sides[0]
		}
		members = slices.Concat(sides...)
	}
	for _, side := range sides {
		h.WriteString(textOf(side) + "|")
	}
	tag, _ := c.arg("tag")
	name, _ := c.arg("stringtag")
	return members, strings.Join([]string{c.op.Name, tag, name, strconv.FormatUint(h.Sum64(), 36)}, "\t"), nil
}

// local notes a local call that has an effect on a communicator.
func (a *assembly) local(s *stream, c *call, on *comm) {
	name, _ := c.arg("name")
	if on.name == "" && on.kind == ours {
		on.name = unquoted(name)
	}
	on.used = max(on.used, s.p.level)
	m := &meeting{op: c.op, parent: on, callers: []caller{{int32(s.p.Rank), s.index(), s}}, expected: 1, level: s.p.level, closed: true}
	a.locals = append(a.locals, m)
}

// close ends a meeting when all have come who will. One side of MPI_Intercomm_create waits for the other side.
func (a *assembly) close(m *meeting) error {
	if m.op.call == engine.CallIntercommCreate && m.other == nil && !a.join(m) {
		return nil
	}
	m.closed = true
	slices.SortFunc(m.callers, func(x, y caller) int { return cmp.Compare(x.rank, y.rank) })
	for _, c := range m.callers {
		m.level = max(m.level, c.stream.p.level)
	}
	m.level++
	if err := a.born(m); err != nil {
		return err
	}
	for _, p := range []*comm{m.parent, m.other} {
		if p != nil {
			p.used = max(p.used, m.level)
			p.heirs += len(m.children)
			if m.op.call == engine.CallFree || m.op.call == engine.CallDisconnect {
				p.freed = m
			}
		}
	}
	for _, c := range m.callers {
		k, s := &c.stream.p.calls[c.call], c.stream
		s.p.level = max(s.p.level, m.level)
		delete(s.p.later, k.result.id)
		if k.result.kind != pending && s.more() && s.index() == c.call {
			s.pass()
			a.ready = append(a.ready, s)
		}
	}
	a.ready, a.parked = append(a.ready, a.parked...), nil
	return nil
}

// join brings the two sides of an MPI_Intercomm_create together, whose leaders name each other; false for the side
// that comes first.
func (a *assembly) join(m *meeting) bool {
	mine, theirs, tag, ok := m.leaders()
	if !ok {
		return true // nobody says with whom: it stays alone
	}
	k := fmt.Sprint(min(mine, theirs), max(mine, theirs), tag)
	for i, other := range a.halves[k] {
		if l, t, _, _ := other.leaders(); l == theirs && t == mine && !other.closed {
			a.halves[k] = slices.Delete(a.halves[k], i, i+1)
			other.closed, other.expected = true, 0
			m.other = other.parent
			if len(other.callers) > 0 && len(m.callers) > 0 && other.callers[0].rank < m.callers[0].rank {
				m.parent, m.other = m.other, m.parent
			}
			m.callers = append(m.callers, other.callers...)
			m.absent = append(m.absent, other.absent...)
			other.callers = nil
			return true
		}
	}
	a.halves[k] = append(a.halves[k], m)
	return false
}

// leaders returns the world ranks of a side's leader and of the other side's, which the leader names.
func (m *meeting) leaders() (mine, theirs int32, tag string, ok bool) {
	for _, c := range m.callers {
		k := &c.stream.p.calls[c.call]
		at, ok := k.number("leader")
		if !ok || at < 0 || int(at) >= len(m.parent.members) || m.parent.members[at] != c.rank {
			continue
		}
		peerID, ok1 := k.number("peer")
		remote, ok2 := k.number("remoteleader")
		peer := c.stream.p.comms[peerID]
		if !ok1 || !ok2 || peer == nil || remote < 0 {
			return 0, 0, "", false
		}
		group := peer.members
		if peer.remote != nil && slices.Contains(peer.members, c.rank) {
			group = peer.remote
		}
		if int(remote) >= len(group) {
			return 0, 0, "", false
		}
		tag, _ := k.arg("tag")
		return c.rank, group[remote], tag, true
	}
	return 0, 0, "", false
}
