package engine

import (
	"fmt"
	"math/bits"
	"slices"
)

// Which of several messages a receive from MPI_ANY_SOURCE takes is not determined (§3.5): messages of different senders
// keep no order. A world always takes the same one; Config.Orders makes it take another.

// Choice is a receive or probe from any source that could take messages from several senders.
type Choice struct {
	Rank    int   // the process that receives, as a rank of the world
	Call    Call  // the receive or probe
	Comm    int   // its communicator
	Where   Site  // of the call
	Senders []int // ranks of the communicator, in order
	Taken   int   // index of the sender whose message was taken
}

// String returns "rank 0 in MPI_Recv (race.py:7) takes the message of rank 1, and could take that of rank 2".
func (c Choice) String() string {
	var others Ranks
	for i, s := range c.Senders {
		if i != c.Taken {
			others.Append(int32(s))
		}
	}
	return fmt.Sprintf("rank %d in %s (%s) takes the message of rank %d, and could take that of %s",
		c.Rank, c.Call, c.Where, c.Senders[c.Taken], others.Noun())
}

// Choices lists, in order, the receives and probes from any source that could take messages of several senders. The
// world must be quiet.
func (w *World) Choices() []Choice { return slices.Clone(w.choices) }

// waitsToChoose reports whether a receive or probe waits until no rank can go on before it takes a message.
func (r *Request) waitsToChoose() bool { return r.source == AnySource && r.p.w.taking != nil }

// candidates lists the messages of the inbox that a receive may take: the first matching one of each sender, since
// messages of one sender do not overtake each other.
func (t *traffic) candidates(r *Request) []*message {
	var list []*message
	for _, m := range t.inbox {
		if r.matches(m) && !slices.ContainsFunc(list, func(o *message) bool { return o.source == m.source }) {
			list = append(list, m)
		}
	}
	if r.source == AnySource {
		slices.SortStableFunc(list, func(a, b *message) int { return int(a.source) - int(b.source) })
	}
	return list
}

// note records the choice of a receive or probe that could take several messages, and took list[taken].
func (w *World) note(r *Request, call Call, list []*message, taken int) {
	if len(list) < 2 {
		return
	}
	c := Choice{Rank: int(r.p.rank), Call: call, Comm: r.comm.core.id(), Where: r.site, Taken: taken}
	for _, m := range list {
		c.Senders = append(c.Senders, int(m.source))
	}
	w.choices = append(w.choices, c)
}

// choose lets one receive or probe that waits to choose take a message, that of the lowest rank. It reports whether
// there was one.
func (w *World) choose() bool {
	for i := range w.procs {
		if p := &w.procs[i]; p.mail != nil && (p.chooseReceive() || p.chooseProbe()) {
			return true
		}
	}
	return false
}

// chooseReceive lets the first receive that waits to choose take a message.
func (p *Process) chooseReceive() bool {
	t := p.mail
	for k, r := range t.pending {
		if list := t.candidates(r); r.source == AnySource && len(list) > 0 {
			m := list[p.w.decide(r, r.call, list)]
			t.pending = without(t.pending, k)
			r.comm.core.underway--
			remove(&t.inbox, m)
			m.core.arrived--
			m.receivedBy(r)
			r.complete()
			p.rematch()
			return true
		}
	}
	return false
}

// chooseProbe lets the probe in which the process waits to choose find a message.
func (p *Process) chooseProbe() bool {
	c := &p.current
	r, ok := c.x.(*Request)
	if !ok || p.state != blocked || r.done || r.source != AnySource || !c.call.probes() {
		return false
	}
	list := p.mail.candidates(r)
	if len(list) == 0 {
		return false
	}
	r.msg, r.done = list[p.w.decide(r, c.call, list)], true
	if c.call == CallMprobe {
		remove(&p.mail.inbox, r.msg)
		r.msg.core.arrived--
	}
	p.w.release(p.rank)
	return true
}

// probes reports whether the call waits for a message without receiving it.
func (c Call) probes() bool { return c == CallProbe || c == CallMprobe }

// decide returns the index of the message in list that a receive or probe takes, by Config.Orders.
func (w *World) decide(r *Request, call Call, list []*message) int {
	taken := 0
	if n := len(w.choices); len(list) > 1 && n < len(w.taking) {
		taken = min(w.taking[n], len(list)-1)
	}
	w.note(r, call, list, taken)
	return taken
}

// rematch gives messages in the inbox to receives that waited behind a receive from any source.
func (p *Process) rematch() {
	for _, r := range slices.Clone(p.mail.pending) {
		if r.source == AnySource {
			continue
		}
		if p.mail.take(r) {
			remove(&p.mail.pending, r)
			r.comm.core.underway--
			r.complete()
		}
	}
}

// polling reports whether all ranks that went on in this superstep only asked whether something has arrived: they would
// ask forever if a choice waited for them to rest.
func (w *World) polling() bool {
	for _, s := range w.arrived {
		for went := s.went; went != 0; went &= went - 1 {
			if !w.procs[int(s.base)+bits.TrailingZeros64(went)].current.call.polls() {
				return false
			}
		}
	}
	return len(w.arrived) > 0
}
