package recording

import (
	"cmp"
	"errors"
	"fmt"
	"hash/maphash"
	"slices"
	"strconv"
	"strings"

	"commsplit/engine"
	"commsplit/hw/spell"
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

	leader, remoteLeader int32 // as the library told
	guessed              bool  // which of several processes that told nothing has which place is not known

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

// meetingKey tells meetings apart. Calls on a communicator have no text.
type meetingKey struct {
	parent *comm
	nth    int32
	op     string
	text   string
}

// assembly goes through the calls of all processes, each in its order, and lets those meet that belong together.
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

// mostPlaces bounds the members of all communicators and groups together.
const mostPlaces = 1 << 27

// holds counts members of a communicator or group; the error says that they are too many.
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

// take takes in the next call of a stream, and reports whether the stream waits there for others.
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

// meetingOf finds the meeting of a call; nil for one that is local to its process.
func (a *assembly) meetingOf(s *stream, c *call, parent *comm) (*meeting, error) {
	k := meetingKey{parent: parent, nth: c.nth, op: c.op.name}
	expected := 0
	var invited []int32
	if c.op.kind == byGroup || c.op.kind == joining && parent == nil {
		members, text, err := a.invitation(s.p, c)
		if err != nil || !slices.Contains(members, int32(s.p.Rank)) || slices.Contains(members, -1) {
			return nil, err
		}
		s.p.times[text]++
		k.nth, k.text, expected, invited = int32(s.p.times[text]), text, len(members), members
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

// invitation is who takes part in a call that the members of a group make, and a text that tells it apart from
// others of the process.
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
		for _, r := range side {
			h.WriteByte(byte(r))
			h.WriteByte(byte(r >> 8))
			h.WriteByte(byte(r >> 16))
			h.WriteByte(byte(r >> 24))
		}
		h.WriteByte('|')
	}
	tag, _ := c.arg("tag")
	name, _ := c.arg("stringtag")
	return members, strings.Join([]string{c.op.name, strconv.Itoa(int(c.comm)), tag, name, strconv.FormatUint(h.Sum64(), 36)}, "\t"), nil
}

// local notes a local call that has an effect.
func (a *assembly) local(s *stream, c *call, on *comm) {
	name, _ := c.arg("name")
	if on.name == "" && on.kind == ours {
		on.name = unquoted(name)
	}
	on.used = max(on.used, s.p.level)
	m := &meeting{op: c.op, parent: on, callers: []caller{{int32(s.p.Rank), s.index(), s}}, expected: 1, level: s.p.level, closed: true}
	a.locals = append(a.locals, m)
}

// close ends a meeting to which everybody came who will. Of MPI_Intercomm_create it waits for the other side.
func (a *assembly) close(m *meeting) error {
	if m.op.call == engine.CallIntercommCreate && m.other == nil {
		whole, err := a.join(m)
		if err != nil || !whole {
			return err
		}
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
		if k.result.kind != pending && s.next < s.length() && s.index() == c.call {
			s.pass()
			a.ready = append(a.ready, s)
		}
	}
	a.ready, a.parked = append(a.ready, a.parked...), nil
	return nil
}

// join brings the two sides of an MPI_Intercomm_create together: the leaders name each other. It reports false
// for the side that comes first.
func (a *assembly) join(m *meeting) (bool, error) {
	mine, theirs, tag, ok := m.leaders()
	if !ok {
		return true, nil // nobody says with whom: it stays alone
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
			return true, nil
		}
	}
	a.halves[k] = append(a.halves[k], m)
	return false, nil
}

// leaders are the world ranks of a side's leader and of the other side's, as the leader names it.
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

// childKey tells the communicators that one call made apart: by the leaders of their groups.
type childKey struct{ low, high int32 }

// born makes the communicators that a meeting gave its processes.
func (a *assembly) born(m *meeting) error {
	made := map[childKey]*comm{}
	answers, refusals := 0, 0
	for _, c := range m.callers {
		p := c.stream.p
		k := &p.calls[c.call]
		switch k.result.kind {
		case pending:
			continue
		case failed:
			refusals++
			continue
		}
		answers++
		if k.result.kind != gotComm {
			continue
		}
		if err := a.member(m, made, p, k); err != nil {
			return &located{at(p, k), err}
		}
	}
	m.fill()
	m.blocked, m.refused = answers+refusals == 0, answers == 0 && refusals > 0
	for _, k := range m.children {
		if p := m.parent; p != nil && k.remote == nil && slices.Equal(k.members, p.members) {
			k.members = p.members // a duplicate
		}
	}
	a.comms = append(a.comms, m.children...)
	return nil
}

// fill finds members that told nothing: those of a duplicate, a single one, or as many as there are places.
func (m *meeting) fill() {
	var holes []*int32
	for _, k := range m.children {
		k.members[0] = k.leader
		if k.remote != nil {
			k.remote[0] = k.remoteLeader
		}
		for _, group := range [][]int32{k.members, k.remote} {
			for i := range group {
				if i > 0 && group[i] < 0 {
					holes = append(holes, &group[i])
				}
			}
		}
		if m.op.call == engine.CallDup && len(k.members) == len(m.parent.members) && len(k.remote) == len(m.parent.remote) {
			copy(k.members, m.parent.members)
			copy(k.remote, m.parent.remote)
			return
		}
	}
	var left []int32 // processes that told nothing, and have no place yet
	for _, w := range m.absent {
		if !slices.ContainsFunc(m.children, func(k *comm) bool { return slices.Contains(k.members, w) || slices.Contains(k.remote, w) }) {
			left = append(left, w)
		}
	}
	if len(holes) != len(left) {
		return
	}
	for i, h := range holes {
		*h = left[i]
	}
	for _, k := range m.children {
		k.guessed = len(holes) > 1
	}
}

// member takes a process into the communicator that a call gave it.
func (a *assembly) member(m *meeting, made map[childKey]*comm, p *Process, k *call) error {
	r := &k.result
	key := childKey{r.leader, r.leader}
	swapped := false
	if r.remote > 0 {
		key = childKey{min(r.leader, r.remoteLeader), max(r.leader, r.remoteLeader)}
		swapped = r.leader > r.remoteLeader
	}
	alone := m.op.call == engine.CallIntercommCreate && (m.other == nil || m.other.kind == foreigner)
	if r.leader < 0 || r.remote > 0 && r.remoteLeader < 0 || alone {
		p.comms[r.id] = &comm{kind: foreigner, maker: m}
		return nil
	}
	if int(max(r.leader, r.remoteLeader)) >= len(a.Processes) {
		return fmt.Errorf("there is no rank %d: the run had %d ranks", max(r.leader, r.remoteLeader), len(a.Processes))
	}
	n := max(m.expected, len(m.callers)+len(m.absent))
	left, right := r.size, r.remote
	if swapped {
		left, right = right, left
	}
	if int(r.size)+int(max(r.remote, 0)) > n {
		return fmt.Errorf("a communicator of %d processes cannot come from a call of %d", int(r.size)+int(max(r.remote, 0)), n)
	}
	child := made[key]
	if child == nil {
		if err := a.holds(int(left + max(right, 0))); err != nil {
			return err
		}
		child = &comm{maker: m, members: unknown(left), leader: key.low, remoteLeader: key.high}
		if right > 0 {
			child.remote = unknown(right)
		}
		made[key] = child
		m.children = append(m.children, child)
	}
	group := child.members
	if swapped {
		group = child.remote
	}
	if len(child.members) != int(left) || len(child.remote) != int(max(right, 0)) || group[r.rank] >= 0 ||
		r.rank == 0 && int(r.leader) != p.Rank {
		return fmt.Errorf("the process is rank %d of %d in a communicator led by %d, and another process says otherwise",
			r.rank, r.size, r.leader)
	}
	if p.comms[r.id] != nil {
		return fmt.Errorf("communicator %d is there already", r.id)
	}
	group[r.rank] = int32(p.Rank)
	p.comms[r.id] = child
	return nil
}

func unknown(n int32) []int32 {
	list := make([]int32, n)
	for i := range list {
		list[i] = -1
	}
	return list
}

// force closes a meeting that some process left, although others did not come to it: these wrote nothing, or
// stopped to keep their calls. When there is none, those that are open have nobody who got an answer. Before it closes
// one to which a process may still come, it lets a thread overtake others.
func (a *assembly) force() (more bool, err error) {
	for a.first < len(a.order) && a.order[a.first].closed {
		a.first++
	}
	left := make([]bool, len(a.Processes)) // processes that have calls left
	for _, s := range a.streams {
		left[s.p.Rank] = left[s.p.Rank] || s.next < s.length()
	}
	var choice *meeting
	for _, m := range a.order[a.first:] {
		if m.closed || !slices.ContainsFunc(m.callers, func(c caller) bool { return c.stream.p.calls[c.call].result.kind != pending }) {
			continue
		}
		m.leaveOut()
		if !slices.ContainsFunc(m.absent, func(r int32) bool { return left[r] }) {
			choice = m
			break
		}
		if choice == nil {
			choice = m
		}
		m.absent = nil
	}
	if (choice == nil || choice.absent == nil) && a.overtake() {
		return true, nil
	}
	if choice == nil {
		return false, nil
	}
	choice.leaveOut()
	if choice.op.call == engine.CallIntercommCreate && choice.other == nil {
		choice.other = &comm{kind: foreigner}
	}
	return true, a.close(choice)
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

// leaveOut notes who did not come.
func (m *meeting) leaveOut() {
	m.absent = nil
	came := map[int32]bool{}
	for _, c := range m.callers {
		came[c.rank] = true
	}
	all := m.invited
	for _, p := range []*comm{m.parent, m.other} {
		if p != nil && m.invited == nil {
			all = slices.Concat(all, p.members, p.remote)
		}
	}
	for _, r := range all {
		if r >= 0 && !came[r] {
			m.absent = append(m.absent, r)
		}
	}
}

// finish closes the meetings in which processes wait, and keeps all in an order in which they can be made.
func (a *assembly) finish() {
	for _, m := range a.order {
		if m.closed {
			continue
		}
		m.blocked, m.closed = true, true
		m.leaveOut()
		for _, c := range m.callers {
			m.level = max(m.level, c.stream.p.level+1)
		}
		slices.SortFunc(m.callers, func(x, y caller) int { return cmp.Compare(x.rank, y.rank) })
		if m.parent != nil {
			m.parent.used = max(m.parent.used, m.level)
		}
	}
	a.giveUp()
	list := slices.DeleteFunc(a.order, func(m *meeting) bool { return len(m.callers) == 0 || m.hopeless })
	a.meetings = append(list, a.locals...)
	a.tellStray()
	waiting := 0
	for _, s := range a.parked {
		waiting += s.length() - s.next
	}
	if waiting > 0 {
		a.notes = append(a.notes, fmt.Sprintf("not replayed: %s, behind one on a communicator that no other thread made", spell.Plural(waiting, "call")))
	}
}

// giveUp leaves out the meetings in which processes wait for one that died, or for one that waits for it: these are no
// deadlock. Processes that wait for each other remain.
func (a *assembly) giveUp() {
	lost := make([]bool, len(a.Processes))
	for i, p := range a.Processes {
		lost[i] = p.died() && !slices.ContainsFunc(p.calls, func(c call) bool { return c.result.kind == pending })
	}
	for more := true; more; {
		more = false
		for _, m := range a.order {
			if !m.blocked || m.hopeless || !slices.ContainsFunc(m.absent, func(r int32) bool { return lost[r] }) {
				continue
			}
			m.hopeless, more = true, true
			for _, c := range m.callers {
				lost[c.rank] = true
			}
		}
	}
	list := slices.DeleteFunc(slices.Clone(a.order), func(m *meeting) bool { return !m.hopeless })
	slices.SortFunc(list, func(x, y *meeting) int { return cmp.Compare(x.callers[0].rank, y.callers[0].rank) })
	for _, m := range list {
		var waiting engine.Ranks
		for _, c := range m.callers {
			waiting.Append(c.rank)
		}
		a.notes = append(a.notes, fmt.Sprintf("not replayed: %s at %s, where %s waited for %s when the program ended",
			m.op.name, a.siteOf(m), waiting.Noun(), engine.RanksOf(m.absent...).Noun()))
	}
}

// tellStray notes what is not followed.
func (a *assembly) tellStray() {
	n, names := 0, map[string]bool{}
	for _, p := range a.Processes {
		for i := range p.calls {
			c := &p.calls[i]
			on, gave := p.comms[c.comm], p.comms[c.result.id]
			if c.op.kind == foreign && c.result.kind != gotNull || on != nil && on.kind == foreigner ||
				c.result.kind == gotComm && gave != nil && gave.kind == foreigner {
				n++
				names[c.op.name] = true
			}
		}
	}
	if n > 0 {
		var list []string
		for name := range names {
			list = append(list, name)
		}
		slices.Sort(list)
		a.notes = append(a.notes, fmt.Sprintf("not replayed: %s on communicators with processes of another world, or of unknown origin: %s",
			spell.Plural(n, "call"), strings.Join(list, ", ")))
	}
}
