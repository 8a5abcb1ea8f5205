package recording

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/engine/deviation"
	"codeberg.org/commsplit/commsplit/hw/spell"
	"codeberg.org/commsplit/commsplit/render"
)

// Use tells what a place of the program did with communicators. Ranks are those of the recorded run.
type Use struct {
	Site  *Site   // nil: the places that the recorder did not keep
	Also  []*Site // where other ranks make the same calls, and get no communicator whose rank 0 they are
	Call  string
	Ranks engine.Ranks // that called there

	// Of the rank that has most of each.
	Calls, Made, Alive, Peak int64
	Took                     int64 // nanoseconds in the library
	Most                     int   // the rank that has most alive at the end, or had most at once; the lowest of several

	Growth []Point // how the communicators that are alive grow on that rank

	// Of the calls that were kept, over all ranks.
	Comms    int // communicators
	Equal    int // of them, those with the members of one that was there already, in the same order
	Parents  int // of them, those that others were made from
	Unused   int // of them, where messages are known, those that carried none, and that no other or group was made from
	Smallest int // members
	Largest  int

	// The call that waited longest for a rank to come.
	Wait  int64 // nanoseconds between the first and the last
	First int
	Last  int

	Freers map[*Site]int64 // where communicators of the place are freed, and how many of all ranks

	Groups [][]int32 // the members of each communicator, of both groups for an intercommunicator; -1 is a process without a record

	mostPeak int64 // of the rank Most
}

// Makes reports whether the place makes communicators.
func (u *Use) Makes() bool { o := ops[u.Call]; return o == nil || o.makes() || o.kind == grouping }

// TakesContexts reports whether what the place makes takes context ids: communicators, windows and files do, groups
// do not.
func (u *Use) TakesContexts() bool { o := ops[u.Call]; return o == nil || o.kind != grouping }

// Trend returns whether the communicators of the place grow in number, on the rank that has most of them. In a trace
// without times they do not.
func (u *Use) Trend() render.Trend {
	if n := len(u.Growth); n > 0 && u.Growth[0].At == u.Growth[n-1].At {
		return render.Steady
	}
	alive := make([]int64, len(u.Growth))
	for i, p := range u.Growth {
		alive[i] = p.Alive
	}
	return render.TrendOf(alive, u.Peak, u.Alive)
}

// Every returns the time between two communicators, in nanoseconds; 0 where that is not known.
func (u *Use) Every() int64 {
	if len(u.Growth) < 2 {
		return 0
	}
	first, last := u.Growth[0], u.Growth[len(u.Growth)-1]
	if more := last.Alive - first.Alive; more > 0 && last.At > first.At {
		return (last.At - first.At) / more
	}
	return 0
}

// Outlook tells how fast the communicators grow in number, and when a process of MPICH has no context id left if the
// place goes on like this; "" where that is not known.
func (u *Use) Outlook() string {
	every := u.Every()
	if every == 0 {
		return ""
	}
	text := "one more every " + render.Duration(every)
	if room := Rooms[deviation.MPICH]; room > u.Peak && u.TakesContexts() {
		left := room - u.Peak
		text += fmt.Sprintf("; MPICH has %s: reached after %s more, in %s", spell.Number(room), spell.Number(left), render.Duration(left*every))
	}
	return text
}

// manyGroups is how many groups a place must have at once to be reported although all are freed at the end.
const manyGroups = 10

type useKey struct {
	site *Site
	call string
}

// useTable has the uses of all places. Calls of one kind that ranks make at several places are the use of one of
// these, their home.
type useTable struct {
	uses  map[useKey]*Use
	homes map[useKey]*Site
}

// of returns the use of a place by a call.
func (t *useTable) of(s *Site, name string) *Use {
	k := useKey{s, name}
	if home, ok := t.homes[k]; ok {
		k.site = home
	}
	u := t.uses[k]
	if u == nil {
		u = &Use{Site: k.site, Call: name}
		t.uses[k] = u
	}
	if k.site != s && !slices.Contains(u.Also, s) {
		u.Also = append(u.Also, s)
	}
	return u
}

// count adds what a process counted.
func (t *useTable) count(p *Process) {
	for i := range p.counts {
		c := &p.counts[i]
		if c.op.kind == grouping && c.alive == 0 && c.peak < manyGroups || c.op.kind == beside {
			continue
		}
		u := t.of(c.site, c.op.Name)
		u.Ranks.Append(int32(p.Rank))
		u.count(p, c)
		for at, n := range p.freers[countKey{c.site, c.op}] {
			if u.Freers == nil {
				u.Freers = map[*Site]int64{}
			}
			u.Freers[at] += n
		}
	}
}

// Uses lists what each place did: leaks first, then those that grow, then those with most communicators.
func (r *Recording) Uses() []*Use {
	t := &useTable{map[useKey]*Use{}, r.homes()}
	for _, p := range r.Processes {
		t.count(p)
	}
	for _, m := range r.meetings {
		c := r.callOf(m.callers[0])
		t.of(c.site, c.op.Name).arrivals(r, m)
		for _, child := range m.children {
			c := r.maker(m, child)
			u := t.of(c.site, c.op.Name)
			if u.member(child); r.unused(child) && !apart(c) {
				u.Unused++
			}
		}
	}
	r.equals(t)
	return slices.SortedFunc(maps.Values(t.uses), func(a, b *Use) int {
		return cmp.Or(cmp.Compare(b.alarm(), a.alarm()), -cmp.Compare(a.Alive, b.Alive), -cmp.Compare(a.Comms, b.Comms), -cmp.Compare(a.Calls, b.Calls),
			cmp.Compare(a.index(), b.index()), cmp.Compare(a.Call, b.Call))
	})
}

// homes returns the homes of places where no communicator begins: the place where the communicators of their calls
// begin, because ranks may make one collective call in different lines. A place has no home where some rank calls at
// both.
func (r *Recording) homes() map[useKey]*Site {
	homes, begins := map[useKey]*Site{}, map[useKey]bool{}
	for _, m := range r.meetings {
		for _, child := range m.children {
			k := r.maker(m, child)
			begins[useKey{k.site, k.op.Name}] = true
		}
	}
	apart := map[useKey]bool{} // from each other place
	for _, m := range r.meetings {
		if len(m.children) == 0 {
			continue
		}
		home := r.maker(m, m.children[0]).site
		for _, c := range m.callers {
			k := useKey{r.callOf(c).site, m.op.Name}
			if known, there := homes[k]; begins[k] || there && known != home {
				apart[k] = true
			}
			homes[k] = home
		}
	}
	for _, p := range r.Processes {
		own := map[useKey]bool{}
		for i := range p.counts {
			own[useKey{p.counts[i].site, p.counts[i].op.Name}] = true
		}
		for k := range own {
			apart[k] = apart[k] || own[useKey{homes[k], k.call}]
		}
	}
	maps.DeleteFunc(homes, func(k useKey, _ *Site) bool { return apart[k] })
	return homes
}

// alarm returns 2 for a leak, 1 for communicators that grow, 0 otherwise.
func (u *Use) alarm() int {
	return slices.Index([]render.Trend{render.Steady, render.Grows, render.Leaking}, u.Trend())
}

func (u *Use) index() int {
	if u.Site == nil {
		return -1
	}
	return u.Site.index
}

// count adds what a process counted.
func (u *Use) count(p *Process, c *count) {
	if c.alive > u.Alive || c.alive == u.Alive && c.peak > u.mostPeak || u.Calls == 0 {
		u.mostPeak = c.peak
		u.Most, u.Growth = p.Rank, nil
		for i := range p.growth {
			if g := &p.growth[i]; g.site == c.site && g.op == c.op {
				u.Growth = g.points
			}
		}
	}
	u.Calls, u.Made, u.Alive = max(u.Calls, c.calls), max(u.Made, c.made), max(u.Alive, c.alive)
	u.Peak, u.Took = max(u.Peak, c.peak), max(u.Took, c.took)
}

// arrivals finds out who came first and last to a meeting.
func (u *Use) arrivals(r *Recording, m *meeting) {
	begun := func(a, b caller) int { return cmp.Compare(r.callOf(a).begin, r.callOf(b).begin) }
	first, last := slices.MinFunc(m.callers, begun), slices.MaxFunc(m.callers, begun)
	if wait := r.callOf(last).begin - r.callOf(first).begin; wait > u.Wait {
		u.Wait, u.First, u.Last = wait, int(first.rank), int(last.rank)
	}
}

// maker returns the call by which rank 0 of a communicator made it, because ranks may call from different places;
// where rank 0 has no record, the call of the lowest rank that has one.
func (r *Recording) maker(m *meeting, c *comm) *call {
	for _, k := range m.callers {
		if len(c.members) > 0 && k.rank == c.members[0] {
			return r.callOf(k)
		}
	}
	return r.callOf(m.callers[0])
}

// member adds a communicator that was made.
func (u *Use) member(c *comm) {
	group := c.members
	if c.remote != nil {
		group = slices.Concat(c.members, c.remote)
	}
	if u.Comms == 0 || len(group) < u.Smallest {
		u.Smallest = len(group)
	}
	u.Largest = max(u.Largest, len(group))
	u.Comms++
	if c.heirs > 0 {
		u.Parents++
	}
	u.Groups = append(u.Groups, group)
}

// unused reports whether all members of a communicator are known not to have used it.
func (r *Recording) unused(c *comm) bool {
	return r.Messages && c.heirs == 0 && !c.carried && !slices.ContainsFunc(slices.Concat(c.members, c.remote), func(m int32) bool {
		return m < 0 || r.Processes[m].Missing
	})
}

// equals counts communicators that have the same members as a communicator that exists when they are made.
// MPI_COMM_WORLD always exists.
func (r *Recording) equals(t *useTable) {
	list := slices.Clone(r.meetings)
	slices.SortStableFunc(list, func(a, b *meeting) int { return cmp.Compare(a.level, b.level) })
	alive := map[string][]*comm{textOf(r.comms[0].members): {r.comms[0]}}
	texts := map[*int32]string{} // duplicates share their members
	for _, m := range list {
		for _, c := range m.children {
			if c.remote != nil || len(c.members) == 1 {
				continue
			}
			key, known := texts[&c.members[0]]
			if !known {
				key = textOf(c.members)
				texts[&c.members[0]] = key
			}
			there := slices.DeleteFunc(alive[key], func(o *comm) bool { return o.freed != nil && o.freed.level <= m.level })
			if len(there) > 0 {
				if k := r.maker(m, c); !apart(k) {
					t.of(k.site, k.op.Name).Equal++
				}
				there = there[:min(len(there), 8)] // any of them will do
			}
			alive[key] = append(there, c)
		}
	}
}

// apart reports whether a call makes a communicator that differs from its equals on purpose: it has a virtual
// topology, or is a library's, whose messages must not meet those of the program.
func apart(c *call) bool {
	return c.site != nil && c.site.layered || strings.HasPrefix(c.op.Name, "MPI_Cart_") || strings.HasPrefix(c.op.Name, "MPI_Graph_") ||
		strings.HasPrefix(c.op.Name, "MPI_Dist_graph_")
}

// textOf returns members as a key of a map.
func textOf(members []int32) string {
	b := make([]byte, 0, 4*len(members))
	for _, m := range members {
		b = binary.LittleEndian.AppendUint32(b, uint32(m))
	}
	return string(b)
}

// Peak returns the most communicators that one rank had at once, besides MPI_COMM_WORLD and MPI_COMM_SELF, and the
// lowest rank that had them.
func (r *Recording) Peak() (n int64, rank int) {
	for _, p := range r.Processes {
		if p.peak > n {
			n, rank = p.peak, p.Rank
		}
	}
	return n, rank
}

// CallCount returns how many calls all ranks made on communicators, with calls that were only counted.
func (r *Recording) CallCount() (n int64) {
	for _, p := range r.Processes {
		counted := int64(0)
		for i := range p.counts {
			if k := p.counts[i].op.kind; k != grouping && k != beside && k != holding {
				counted += p.counts[i].calls
			}
		}
		kept := int64(0)
		for i := range p.calls {
			if k := p.calls[i].op.kind; k != grouping && k != beside {
				kept++
			}
		}
		n += max(counted, kept)
	}
	return n
}

// CommCount returns how many communicators the recorded calls made.
func (r *Recording) CommCount() int { return len(r.comms) - 1 }

// Notes returns notes about calls that are not replayed, or replayed differently.
func (r *Recording) Notes() []string {
	_, notes := r.Script()
	return notes
}
