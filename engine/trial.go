package engine

import "slices"

// The engine suggests a fix only after a trial, on a copy of what the ranks of a deadlock have posted: calls, requests
// and messages. In the copy some ranks do something else. As any world does, the copy decides which calls meet, but it
// makes no results. The blocked world does not change.

// trial is a copy of what a deadlock's ranks have posted.
type trial struct {
	w        *World
	tables   *World         // for rendezvousOf and meetingOf
	calls    [][]post       // by rank, its calls in order; mostly the last one is the call in which it waits
	joined   []bool         // by rank, whether it has come to the gathering of its first call
	over     []bool         // by rank, whether all its calls have returned
	ready    []int32        // ranks that may be able to go on
	boxes    map[int32]*box // by rank; many ranks have none
	done     map[*Request]bool
	instead  map[*Request]*Request // by receive that was changed: what it asks for now
	met      map[any]*gathering    // by gathering.key
	gathered []*gathering          // in order of their beginnings
	freed    map[*core]bool
}

// box has the communication of a rank that has not ended.
type box struct {
	inbox             []*message
	receives, started []*Request
}

// gathering is a collective call with the processes that have come to it.
type gathering struct {
	post   // of the first process
	key    any
	needed []int32
	who    []int32
	half   *half // what the leader asks for
	over   bool
}

// change makes ranks of a trial do something else.
type change func(*trial)

// try runs a trial with changes. stuck are the ranks of the deadlock whose calls still do not return. alone reports
// whether the changes alone let the other ranks return. Otherwise released ranks also made the calls for which other
// ranks wait: they would come to these calls in any case.
func (d *diagnosis) try(changes ...change) (stuck Ranks, alone bool) {
	t := d.copied()
	for _, f := range append(slices.Clip(d.settled), changes...) {
		f(t)
	}
	for _, r := range d.ranksWithMail() {
		t.begin(r)
	}
	for r := range t.calls {
		if len(t.calls[r]) > 0 {
			t.ready = append(t.ready, int32(r))
		}
	}
	for rounds := 0; ; rounds++ {
		t.run()
		if stuck = t.stuck(d.ranks()); len(stuck) == 0 || rounds == mostWaits || !t.follow(stuck, rounds%2 == 1) {
			return stuck, rounds == 0
		}
	}
}

// copied returns a trial in which no rank has gone on yet.
func (d *diagnosis) copied() *trial {
	n := d.w.size
	t := &trial{w: d.w, tables: &World{partial: map[signature][]*rendezvous{}}, calls: make([][]post, n), joined: make([]bool, n), over: make([]bool, n),
		boxes: map[int32]*box{}, done: map[*Request]bool{}, instead: map[*Request]*Request{}, met: map[any]*gathering{}, freed: map[*core]bool{}}
	ranks := d.ranks()
	pending := make([]post, 0, ranks.Len())
	for r := range ranks.All {
		pending = append(pending, d.w.procs[r].current)
		t.calls[r] = slices.Clip(pending[len(pending)-1:])
	}
	for _, r := range d.ranksWithMail() {
		m := d.w.procs[r].mail
		t.boxes[r] = &box{slices.Clone(m.inbox), slices.Clone(m.pending), slices.Clone(m.building)}
	}
	return t
}

func (t *trial) box(r int32) *box {
	if t.boxes[r] == nil {
		t.boxes[r] = &box{}
	}
	return t.boxes[r]
}

// begin takes up what a rank posted before its call: nonblocking calls, and receives, which changes may have altered.
func (t *trial) begin(r int32) {
	b := t.box(r)
	for _, q := range slices.Clone(b.receives) {
		t.receive(q)
	}
	for i, q := range b.started {
		if t.startedOn(r, q.comm.core) == b.started[i] {
			t.arrive(r, post{call: q.build.call, comm: q.comm, x: q})
		}
	}
}

// run lets ranks go on until no rank can.
func (t *trial) run() {
	for len(t.ready) > 0 {
		r := t.ready[0]
		for t.ready = t.ready[1:]; len(t.calls[r]) > 0 && t.returns(r, t.calls[r][0]); {
			t.next(r)
		}
	}
}

// next removes a rank's first call, which has returned.
func (t *trial) next(r int32) {
	t.calls[r] = t.calls[r][1:]
	t.over[r] = t.over[r] || len(t.calls[r]) == 0
}

// returns reports whether the first call of rank r returns at once. A collective call never does: it returns when its
// gathering ends.
func (t *trial) returns(r int32, c post) bool {
	switch x := c.x.(type) {
	case *message:
		b := t.box(x.dest)
		b.inbox = append(b.inbox, x)
		for _, q := range slices.Clone(b.receives) {
			t.receive(q)
		}
		t.ready = append(t.ready, x.dest)
		return true
	case *Request:
		return t.requestReturns(r, c, x)
	case *waitSet:
		if x.any {
			return slices.ContainsFunc(x.list, func(q *Request) bool { return q != nil && !t.open(q) })
		}
		return !slices.ContainsFunc(x.list, t.open)
	}
	if !t.joined[r] && !t.freed[c.on()] && t.startedOn(r, c.on()) == nil {
		t.joined[r] = true
		t.arrive(r, c)
	}
	return false
}

// requestReturns reports whether the first call of rank r, which is about a request, returns at once.
func (t *trial) requestReturns(r int32, c post, q *Request) bool {
	if !c.call.Nonblocking() {
		if q.build == nil && !q.outgoing && t.open(q) {
			t.receive(q)
		}
		return !t.open(q)
	}
	if b := t.box(r); !slices.Contains(b.started, q) {
		b.started = append(b.started, q)
	}
	if t.startedOn(r, q.comm.core) == q {
		t.arrive(r, post{call: c.call, comm: q.comm, x: q})
	}
	return true
}

// open reports whether a request has not completed.
func (t *trial) open(q *Request) bool { return q != nil && !q.done && !t.done[q] }

// awaited returns the first request that rank r waits for; nil when it waits for something else.
func (t *trial) awaited(r int32) *Request {
	if len(t.calls[r]) == 0 {
		return nil
	}
	switch x := t.calls[r][0].x.(type) {
	case *Request:
		return x
	case *waitSet:
		if i := slices.IndexFunc(x.list, t.open); i >= 0 {
			return x.list[i]
		}
	}
	return nil
}

func (t *trial) startedOn(r int32, k *core) *Request {
	if b := t.boxes[r]; b != nil && k != nil {
		if i := slices.IndexFunc(b.started, func(q *Request) bool { return q.comm.core == k }); i >= 0 {
			return b.started[i]
		}
	}
	return nil
}

// receive completes a receive or probe whose message has arrived. Otherwise a receive stays posted.
func (t *trial) receive(q *Request) {
	b, asks := t.box(q.p.rank), q
	if t.instead[q] != nil {
		asks = t.instead[q]
	}
	i := slices.IndexFunc(b.inbox, asks.matches)
	switch {
	case i >= 0:
		if s := b.inbox[i].sync; s != nil {
			t.done[s] = true
			t.ready = append(t.ready, s.p.rank)
		}
		t.done[q] = true
		remove(&b.receives, q)
		b.inbox = slices.Delete(b.inbox, i, i+1)
		t.ready = append(t.ready, q.p.rank)
	case q.call != CallProbe && q.call != CallMprobe && !slices.Contains(b.receives, q):
		b.receives = append(b.receives, q)
	}
}

// arrive adds a rank to the gathering of its collective call.
func (t *trial) arrive(r int32, c post) {
	g := t.gathering(c)
	g.who = append(g.who, r)
	if h := c.leads(); h != nil {
		g.half = h
	}
	if len(g.who) == len(g.needed) {
		t.complete(g)
	}
}

// leads returns the half that a leader asks for; nil when c is not a leader's call.
func (c *post) leads() *half {
	switch x := c.x.(type) {
	case *half:
		return x
	case *invitation:
		return x.half
	}
	return nil
}

// gathering returns the gathering of a call; the first call of a gathering begins it.
func (t *trial) gathering(c post) *gathering {
	g := &gathering{post: c}
	if c.call.overGroups() {
		meeting := t.tables.meetingOf(&c)
		g.key, g.needed = meeting, meeting.group.members
	} else {
		g.key, g.needed = meetsOn{c.call, c.on()}, c.on().all
	}
	if t.met[g.key] == nil {
		t.met[g.key] = g
		t.gathered = append(t.gathered, g)
	}
	return t.met[g.key]
}

type meetsOn struct {
	call Call
	core *core
}

// complete ends a gathering to which all its processes have come, unless it waits for another group, or for
// communication to end.
func (t *trial) complete(g *gathering) {
	if g.call == CallDisconnect {
		for _, r := range g.needed {
			if b := t.boxes[r]; b != nil && slices.ContainsFunc(b.receives, func(q *Request) bool { return q.comm.core == g.on() }) {
				return
			}
		}
	}
	if g.call == CallIntercommCreate || g.call == CallIntercommCreateFromGroups {
		i := slices.IndexFunc(t.gathered, func(o *gathering) bool { return o != g && !o.over && len(o.who) == len(o.needed) && g.pairs(o) })
		switch {
		case i >= 0:
			t.end(t.gathered[i])
		case g.half != nil:
			return
		} // a leader that came only in the trial fits any half
	}
	t.end(g)
}

// pairs reports whether the calls of two groups belong together. A leader that came only in the trial counts as naming
// the leader that names it.
func (g *gathering) pairs(o *gathering) bool {
	switch {
	case g.call != o.call || g.half == nil && o.half == nil:
		return false
	case g.half == nil:
		return slices.Contains(g.who, o.half.remote)
	case o.half == nil:
		return slices.Contains(o.who, g.half.remote)
	}
	return g.half.fits(o.half)
}

// end ends a gathering and lets its ranks go on.
func (t *trial) end(g *gathering) {
	delete(t.met, g.key)
	g.over = true
	if g.call == CallFree || g.call == CallDisconnect {
		t.freed[g.on()] = true
	}
	for _, r := range g.who {
		t.ready = append(t.ready, r)
		if !g.call.Nonblocking() {
			t.joined[r] = false
			t.next(r)
			continue
		}
		q := t.startedOn(r, g.on())
		t.done[q] = true
		remove(&t.boxes[r].started, q)
		if q = t.startedOn(r, g.on()); q != nil {
			t.arrive(r, post{call: q.build.call, comm: q.comm, x: q})
		}
	}
}

// stuck returns those of the ranks whose calls have not returned.
func (t *trial) stuck(ranks Ranks) (list Ranks) {
	for r := range ranks.All {
		if !t.over[r] {
			list.Append(int32(r))
		}
	}
	return list
}

// follow lets released ranks make their part of calls for which only such ranks are missing, and reports whether any
// did. Chains of receives run up or down the ranks, so the direction alternates from round to round.
func (t *trial) follow(stuck Ranks, backwards bool) (moved bool) {
	free := func(r int32) bool { return t.over[r] && len(t.calls[r]) == 0 && t.w.procs[r].state == blocked }
	for _, g := range slices.Clone(t.gathered) {
		missing := RanksOf(g.needed...).minus(RanksOf(g.who...)).List()
		if g.over || slices.ContainsFunc(missing, func(r int32) bool { return !free(r) }) {
			continue
		}
		for _, r := range missing {
			t.does(r, t.part(g.post, r, nil)...)
		}
		if len(missing) == 0 {
			t.complete(g)
		}
		moved = moved || g.over || len(missing) > 0
	}
	list := stuck.List()
	if backwards {
		slices.Reverse(list)
	}
	for _, r := range list {
		moved = t.serve(r, free) || moved
	}
	return moved
}

// serve lets a free rank send the message for which rank r waits, or receive the message that r sends. It reports
// whether there was such a rank.
func (t *trial) serve(r int32, free func(int32) bool) bool {
	q := t.awaited(r)
	if q == nil || q.build != nil {
		return false
	}
	peers := q.comm.peers().members
	if q.source >= 0 {
		peers = peers[q.source : q.source+1]
	}
	i := slices.IndexFunc(peers, free)
	if i < 0 {
		return false
	}
	t.does(peers[i], t.part(post{x: q}, peers[i], RanksOf(r))...)
	t.run()
	return true
}

// does appends calls to the calls of a rank.
func (t *trial) does(r int32, calls ...post) {
	t.calls[r] = append(t.calls[r], calls...)
	t.ready = append(t.ready, r)
}

// part returns the calls of rank r that let the call c of waiting ranks return: r makes the same call, sends the
// message that they receive, or receives the message that they send.
func (t *trial) part(c post, r int32, waiting Ranks) []post {
	q := c.awaited()
	switch {
	case q == nil:
		if c.leads() != nil && c.call == CallIntercommCreate {
			c.x = nil
		}
		return []post{c}
	case q.build != nil:
		return []post{{call: q.build.call, x: &Request{p: &t.w.procs[r], comm: q.comm, build: q.build}}}
	case q.outgoing:
		return []post{{call: CallRecv, x: &Request{p: &t.w.procs[r], comm: &Comm{core: q.sent.core}, source: q.sent.source, tag: q.sent.tag}}}
	}
	var list []post
	source := int32(q.comm.peers().rankOf(r))
	for to := range waiting.All {
		list = append(list, post{call: CallSend, x: &message{core: q.comm.core, source: source, dest: int32(to), tag: max(q.tag, 0)}})
	}
	return list
}
