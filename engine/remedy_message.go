package engine

import (
	"fmt"
	"slices"
)

// These functions propose remedies for a rank that waits for a message, or for the receiver of its message.

// receiving proposes remedies for a receive that no message comes for.
func (d *diagnosis) receiving(v Wait) []proposal {
	list := d.circling(d.unread(v), ruleReceive, "let one of these ranks send before it receives, or use MPI_Sendrecv")
	missing := d.absent(v)
	for _, o := range d.waiting {
		if both := missing.common(o.Ranks); o.together && len(both) > 0 {
			who := both.Noun()
			if both.Len() > 1 {
				who = "one of " + who
			}
			list = append(list, proposal{ruleReceive, fmt.Sprintf("let %s send that message before %s, or leave the receive out", who, o.Call),
				[]change{d.let(RanksOf(both.First()), before, v), d.leave(v.Ranks)}, false})
		}
	}
	send := d.let(RanksOf(max(missing.First(), v.wanted.First())), before, v)
	last := proposal{ruleReceive, "send that message, or check source, tag and communicator", []change{send}, false}
	if r := d.message(v); r.source >= 0 {
		if took := d.first(v).tookFromAny(r); took != nil {
			last.fix = fmt.Sprintf("a receive from any rank took the message of %s%s: let %s send another message, or leave a receive out",
				v.wanted.Noun(), took.inBrackets(), v.wanted.Noun())
			last.ways = append(last.ways, d.leave(v.Ranks))
		}
	}
	return append(list, last)
}

// sending proposes remedies for a synchronous send that no process receives.
func (d *diagnosis) sending(v Wait) []proposal {
	list := d.circling(nil, ruleSend, "let one of these ranks receive before it sends, or use MPI_Sendrecv")
	missing := v.Missing()
	receive := d.let(missing, before, v)
	for _, o := range d.waiting {
		both := missing.common(o.Ranks)
		if len(both) == 0 {
			continue
		}
		if q := d.message(o); q != nil && !q.outgoing {
			list = append(list, d.unread(o)...)
		}
		list = append(list, proposal{ruleSend, fmt.Sprintf("let %s receive that message before %s, or use MPI_Send, which may return before", both.Noun(), o.Call),
			[]change{receive, d.leave(v.Ranks)}, false})
	}
	return append(list, proposal{ruleSend, "let " + missing.Noun() + " receive that message", []change{receive}, false})
}

// circling adds a proposal when all ranks of a circle wait for messages, or all for receivers: one of them does its
// part before, or each rank sends and receives at once.
func (d *diagnosis) circling(list []proposal, rule, fix string) []proposal {
	ring := d.ring()
	var each []change
	for _, v := range ring {
		r, when := d.message(v), before
		if r == nil || r.outgoing != (rule == ruleSend) {
			return list
		}
		if r.outgoing {
			when = instead // its own send is under way
		}
		each = append(each, d.let(v.wanted, when, v))
	}
	if ring == nil {
		return list
	}
	return append(list, proposal{rule, fix, []change{d.let(ring[0].wanted, before, ring[0]), all(each...)}, false})
}

// sender returns the world rank of the process that sent the message.
func (m *message) sender() int32 {
	if k := m.core; k.remote != nil && k.group.has(m.dest) {
		return k.remote.members[m.source]
	}
	return m.core.group.members[m.source]
}

// How a message differs from what a receive asks for.
const (
	inTag = iota
	inSource
	inComm
	inMore
)

// differs returns how message m differs from what receive r asks for: in tag, source, communicator, or more than one of
// them. On another communicator, the source counts as equal when it is the same process or has the same rank.
func (r *Request) differs(m *message) int {
	k := r.comm.core
	from := r.source == AnySource || m.source == r.source || m.core != k && m.sender() == r.comm.peers().members[r.source]
	tagged := r.tag == AnyTag || m.tag == r.tag
	switch {
	case m.core == k && from:
		return inTag
	case m.core == k && tagged:
		return inSource
	case m.core != k && from && tagged:
		return inComm
	}
	return inMore
}

// unread proposes that ranks receive a message that lies unread and differs in one thing from the message that they
// wait for: its tag, source, communicator or receiver.
func (d *diagnosis) unread(v Wait) (list []proposal) {
	r, p := d.message(v), d.first(v)
	for kind := range inMore {
		if p.mail == nil {
			break
		}
		if i := slices.IndexFunc(p.mail.inbox, func(m *message) bool { return r.differs(m) == kind }); i >= 0 {
			list = append(list, d.nearMiss(v, kind, p.mail.inbox[i]))
		}
	}
	for _, at := range d.ranksWithMail() {
		for _, m := range d.w.procs[at].mail.inbox {
			lost := r.source >= 0 || d.w.procs[at].state != blocked || m.sender() == at
			if at != p.rank && lost && r.matches(m) {
				moved := func(t *trial) {
					t.does(m.sender(), post{call: CallSend, x: &message{core: m.core, source: m.source, dest: p.rank, tag: m.tag}})
				}
				fix := fmt.Sprintf("%s at rank %d: rank %d receives it. Let rank %d send it there", m.lies(), at, p.rank, m.sender())
				return append(list, proposal{ruleReceive, fix, []change{moved}, false})
			}
		}
	}
	return list
}

// lies writes that the message lies unread.
func (m *message) lies() string {
	return fmt.Sprintf("rank %d's message with tag %d lies unread", m.sender(), m.tag)
}

// nearMiss proposes how ranks receive a message that differs in the way kind.
func (d *diagnosis) nearMiss(v Wait, kind int, m *message) proposal {
	r, p := d.message(v), d.first(v)
	fix, ways := m.lies(), []change{d.takes(v, kind)}
	switch kind {
	case inTag:
		fix += fmt.Sprintf(": rank %d receives tag %d. Let both use one tag", p.rank, r.tag)
	case inSource:
		source := r.comm.peers().members[r.source]
		fix += fmt.Sprintf(": rank %d receives from rank %d", p.rank, source)
		if took := p.tookFromAny(r); took != nil {
			// Naming rank m.sender() here instead would leave the race: the other receive could take that message, too.
			fix += fmt.Sprintf(", whose message a receive from any rank took%s. Let that receive name rank %d", took.inBrackets(), m.sender())
			ways = []change{func(t *trial) { // that receive takes m, and leaves the message that it took
				i := slices.Index(t.box(p.rank).inbox, m)
				t.box(p.rank).inbox[i] = &message{core: m.core, source: r.source, dest: p.rank, tag: max(r.tag, 0), sync: m.sync}
			}}
		} else {
			fix += fmt.Sprintf(". Let rank %d send it, or receive it from rank %d", source, m.sender())
			ways = append(ways, d.let(RanksOf(source), before, v))
		}
	case inComm:
		fix += fmt.Sprintf(" on %s: rank %d receives on %s. Let both use one communicator", d.name(m.core.info.ID), p.rank, d.name(r.comm.core.info.ID))
	}
	return proposal{ruleReceive, fix, ways, false}
}

// takes returns the change that each receive asks for the first message that differs in the way kind.
func (d *diagnosis) takes(v Wait, kind int) change {
	return func(t *trial) {
		for rank := range v.Ranks.All {
			p := &d.w.procs[rank]
			r := p.current.awaited()
			for _, m := range t.box(p.rank).inbox {
				if r.differs(m) == kind {
					t.instead[r] = &Request{comm: &Comm{core: m.core}, source: m.source, tag: m.tag}
					break
				}
			}
		}
	}
}
