package engine

import (
	"fmt"
	"math/bits"
	"slices"
)

// Which of several messages a receive from MPI_ANY_SOURCE takes is not determined (§3.5): messages of different senders do
// not keep an order. A world takes one of them, always the same; Config.Orders takes others.

// Choice is a receive or probe from any source that could take messages from several senders.
type Choice struct {
	Rank    int   // the process that receives, as a rank of the world
	Call    Call  // the receive or probe
	Comm    int   // its communicator
	Where   Site  // of the call
	Senders []int // ranks of the communicator, in order
	Taken   int   // index of the sender whose message was taken
}

// String is "rank 0 in MPI_Recv (race.py:7) takes the message of rank 1, and could take that of rank 2".
func (c Choice) String() string {
	var others Ranks
	for i, s := range c.Senders {
		if i != c.Taken {
			others.Append(int32(s))
		}
	}
	return fmt.Sprintf("rank %d in %s (%s) takes the message of rank %d, and could take that of %s",
		c.Rank, c.Call, c.Where, c.Senders[c.Taken], others.named())
}

// named is "rank 3", or "ranks 1-2".
func (r Ranks) named() string {
	if r.Len() == 1 {
		return "rank " + r.String()
	}
	return "ranks " + r.String()
}

// Choices lists the receives and probes from any source that had messages of several senders to take, in order. The world
// must be quiet.
func (w *World) Choices() []Choice { return slices.Clone(w.choices) }

// waitsToChoose reports whether a receive or probe is one that waits until no rank can go on.
func (r *Request) waitsToChoose() bool { return r.source == AnySource && r.p.w.taking != nil }

// candidates are the messages of the inbox that a receive may take: of each sender the first that it matches, as messages
// of one sender do not overtake each other.
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

// note keeps that a receive or probe had several messages to take, and took that of list[taken].
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

// choose lets the first receive or probe that waits for that, by rank, take a message. It reports whether there was one.
func (w *World) choose() bool {
	for i := range w.procs {
		p := &w.procs[i]
		if p.mail == nil {
			continue
		}
		for k, r := range p.mail.pending {
			if list := p.mail.candidates(r); r.source == AnySource && len(list) > 0 {
				m := list[w.decide(r, r.call, list)]
				p.mail.pending = without(p.mail.pending, k)
				r.comm.core.underway--
				remove(&p.mail.inbox, m)
				m.core.arrived--
				m.receivedBy(r)
				r.complete()
				w.rematch(p)
				return true
			}
		}
		if r, ok := p.current.x.(*Request); ok && p.state == blocked && !r.done && r.source == AnySource && p.current.call.probes() {
			if list := p.mail.candidates(r); len(list) > 0 {
				m := list[w.decide(r, p.current.call, list)]
				r.msg, r.done = m, true
				if p.current.call == CallMprobe {
					remove(&p.mail.inbox, m)
					m.core.arrived--
				}
				w.release(p.rank)
				return true
			}
		}
	}
	return false
}

// probes reports whether a call waits for a message without receiving it.
func (c Call) probes() bool { return c == CallProbe || c == CallMprobe }

// decide is the choice of the next receive or probe that has one.
func (w *World) decide(r *Request, call Call, list []*message) int {
	taken := 0
	if n := len(w.choices); len(list) > 1 && n < len(w.taking) {
		taken = min(w.taking[n], len(list)-1)
	}
	w.note(r, call, list, taken)
	return taken
}

// rematch gives messages that are there to receives which waited behind one from any source.
func (w *World) rematch(p *Process) {
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

// polling reports whether all ranks that went on in this superstep asked only whether something is there: they would do
// so forever if a choice waited for them to rest.
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
