package engine

// waitKey tells apart what ranks wait for: those with the same key are told together.
type waitKey struct {
	call   Call
	core   *core
	over   *rendezvous // of a call over groups: different ones may be under way
	source int32       // of a receive, as its tag: what the rank waits for
	tag    int32
	right  bool       // of an intercommunicator, where source is a rank of the other group
	build  Call       // the nonblocking call that it waits for
	op     *operation // of that call, when others made it, too
	behind int        // how many nonblocking calls on core stand before it
	half   *half      // the side of an intercommunicator that waits for the other one
}

// anySelf stands for every MPI_COMM_SELF: processes that wait on their own ones are told together.
var anySelf = &core{info: &CommInfo{ID: SelfID}}

// waits lists who is blocked, in order of the lowest rank. Ranks that wait in one call at different places
// of the program have a row for each place.
func (w *World) waits() []Wait {
	type row struct {
		call  int // its index in calls
		ranks []int32
	}
	type placed struct {
		waitKey
		site Site
	}
	var calls [][]int32 // who waits in each call
	var rows []row
	callOf, rowOf := map[waitKey]int{}, map[placed]int{}
	var last placed
	at := -1
	for i := range w.procs {
		p := &w.procs[i]
		if p.state != blocked || p.current.call == CallNone {
			continue
		}
		if k := (placed{w.keyOf(p), p.site}); at < 0 || k != last {
			last = k
			call, ok := callOf[k.waitKey]
			if !ok {
				call = len(calls)
				callOf[k.waitKey], calls = call, append(calls, nil)
			}
			if at, ok = rowOf[k]; !ok {
				at = len(rows)
				rowOf[k], rows = at, append(rows, row{call: call})
			}
		}
		rows[at].ranks = append(rows[at].ranks, p.rank)
		calls[rows[at].call] = append(calls[rows[at].call], p.rank)
	}
	list := make([]Wait, len(rows))
	sets := rankSets{}
	for i, r := range rows {
		list[i] = w.wait(r.ranks, calls[r.call], sets)
	}
	return list
}

// wait describes processes at one place that wait in a call; with all that wait in it, wherever they are.
func (w *World) wait(ranks, all []int32, sets rankSets) Wait {
	k := w.keyOf(&w.procs[ranks[0]])
	v := Wait{Ranks: RanksOf(ranks...), Call: k.call, Comm: k.core.id(), Where: w.places(ranks),
		together: k.call <= lastCollective || k.build != CallNone}
	v.wanted, v.mutual = w.wanted(ranks, sets)
	v.with = v.Ranks
	if len(all) > len(ranks) && (v.together || k.call.overGroups()) {
		v.with = sets.of(all)
	}
	return v
}

func (w *World) keyOf(p *Process) waitKey {
	c := &p.current
	k := waitKey{call: c.call, core: c.on(), half: w.halfOf(p)}
	switch {
	case c.call.overGroups():
		k.over = w.rendezvousOf(c)
	case c.awaited() != nil:
		r := c.awaited()
		k.core = r.comm.core
		if r.build != nil {
			k.build, k.op = r.build.call, r.build.op
		} else {
			k.source, k.tag, k.right = r.source, r.tag, r.comm.right
		}
	case c.behind:
		k.behind = p.ahead(c.comm.core)
	}
	if k.core.id() == SelfID {
		k.core = anySelf
	}
	return k
}

// awaited is the request that the process waits for, the first of several; nil when it waits for
// something else.
func (c *post) awaited() *Request {
	switch x := c.x.(type) {
	case *Request:
		return x
	case *waitSet:
		return x.first()
	}
	return nil
}

// wanted is the processes that the call of waiting ranks needs, which may have made it. When all have
// called MPI_Comm_disconnect, that is those whose communication has not ended; several that wait for a
// message from any rank wait for each other, too: mutual.
func (w *World) wanted(waiting []int32, sets rankSets) (wanted Ranks, mutual bool) {
	p := &w.procs[waiting[0]]
	c := &p.current
	if w.isDisconnecting(c.on()) {
		return w.busyOn(c.on()), true
	}
	if h := w.halfOf(p); h != nil {
		return RanksOf(h.remote), false
	}
	if c.call.overGroups() {
		return sets.of(c.invitation().group.members), false
	}
	switch r := c.awaited(); {
	case r == nil:
		return sets.of(c.comm.core.all), false
	case r.build != nil:
		return sets.of(r.build.absent(r.comm.core)), false
	case r.source >= 0:
		return RanksOf(r.comm.peers().members[r.source]), false
	default:
		return sets.of(r.comm.peers().members), len(waiting) > 1 && r.comm.core.info.ID != SelfID
	}
}

// rankSets keeps the sets of lists of members, so that many calls that need the same processes share
// one. A list is known by where it begins and how long it is.
type rankSets map[listOf]Ranks

type listOf struct {
	first  *int32
	length int
}

func (s rankSets) of(members []int32) Ranks {
	if len(members) == 0 {
		return nil
	}
	k := listOf{&members[0], len(members)}
	set, ok := s[k]
	if !ok {
		set = RanksOf(members...)
		s[k] = set
	}
	return set
}

// absent lists the processes of k that have not made the nonblocking call.
func (b *building) absent(k *core) []int32 {
	if b.op == nil {
		return k.all
	}
	var list []int32
	for slot, x := range b.op.x {
		if x == nil {
			list = append(list, k.all[slot])
		}
	}
	return list
}
