package recording

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw/spell"
)

// force closes a meeting that some process left although others did not come: they have no record, or stopped
// recording. Where no such meeting is open, the processes in the open meetings wait forever. Before force closes a
// meeting to which a process may still come, it lets a thread overtake others.
func (a *assembly) force() (more bool, err error) {
	for a.first < len(a.order) && a.order[a.first].closed {
		a.first++
	}
	left := make([]bool, len(a.Processes)) // processes that have calls left
	for _, s := range a.streams {
		left[s.p.Rank] = left[s.p.Rank] || s.more()
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

// leaveOut notes which processes did not come.
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

// finish closes the meetings in which processes wait, and orders all meetings so that they can be replayed.
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
		waiting += len(s.calls) - s.next
	}
	if waiting > 0 {
		a.notes = append(a.notes, fmt.Sprintf("not replayed: %s, behind one on a communicator that no other thread made", spell.Plural(waiting, "call")))
	}
}

// giveUp leaves out the meetings in which processes wait for a process that died, or for a process that waits for
// such a process: they are no deadlock. Processes that wait for each other remain.
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
			m.op.Name, a.siteOf(m), waiting.Noun(), engine.RanksOf(m.absent...).Noun()))
	}
}

// tellStray notes the calls on communicators that are not followed.
func (a *assembly) tellStray() {
	n, names := 0, map[string]bool{}
	for _, p := range a.Processes {
		for i := range p.calls {
			c := &p.calls[i]
			on, gave := p.comms[c.comm], p.comms[c.result.id]
			if c.op.kind == foreign && c.result.kind != gotNull || on != nil && on.kind == foreigner ||
				c.result.kind == gotComm && gave != nil && gave.kind == foreigner {
				n++
				names[c.op.Name] = true
			}
		}
	}
	if n > 0 {
		a.notes = append(a.notes, fmt.Sprintf("not replayed: %s on communicators with processes of another world, or of unknown origin: %s",
			spell.Plural(n, "call"), strings.Join(slices.Sorted(maps.Keys(names)), ", ")))
	}
}
