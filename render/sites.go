package render

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/spell"
)

// Site is a place in the program, a line of a script or of a recorded application, and its counts of communicators
// up to a step. Each count is that of the rank with the most, because context ids run out on a single rank; only
// the count "made" in tables is of all ranks together.
type Site struct {
	Where string // "grid.c:120"; "" when the place is unknown
	Call  engine.Call
	Ranks engine.Ranks // that called there

	Calls, Made, Left, Peak int32
	Comms                   []int // ids of the communicators that were made there, in order
	Size                    Range // of the communicators in Comms
	Spans                   Spans
	growth                  Growth // of the communicators alive on the rank with the most
}

// SiteKey identifies a site of a session.
type SiteKey struct {
	Where string
	Call  engine.Call
}

// Key returns what identifies the site.
func (s *Site) Key() SiteKey { return SiteKey{s.Where, s.Call} }

// Leaks reports whether the site looks like a leak: a rank has more and more of its communicators.
func (s *Site) Leaks() bool { return s.growth.Trend(int64(s.Left)) == Leaking }

// SitesOf lists the sites that made or freed communicators: leaks first, then those with the most communicators
// left.
func SitesOf(s *engine.Snapshot) []*Site {
	list := SitesThrough(s, nil)
	slices.SortStableFunc(list, func(a, b *Site) int {
		return cmp.Or(cmp.Compare(b.alarm(), a.alarm()), cmp.Compare(b.Left, a.Left), cmp.Compare(b.Made, a.Made))
	})
	return list
}

// SitesThrough goes through all steps, site by site. After each step that changes a site's counts or what its
// communicators span, it calls visit with the site as it is then. It returns the sites in the order of their first
// calls.
func SitesThrough(s *engine.Snapshot, visit func(at *Site, step int)) []*Site {
	places := map[SiteKey]*Site{}
	steps := map[*Site][]*engine.Step{}
	freedAt := map[int]int{}
	var list []*Site
	for i := range s.Steps {
		step := &s.Steps[i]
		if step.Frees() {
			freedAt[step.Comm] = step.Number
		} else if len(step.Made) == 0 {
			continue
		}
		k := SiteKey{step.Site(), step.Call}
		at := places[k]
		if at == nil {
			at = &Site{Where: k.Where, Call: k.Call}
			places[k], list = at, append(list, at)
		}
		steps[at] = append(steps[at], step)
	}
	n := &tally{s: s, grounds: []ground{{0, NewSeats(s.Topology, s.Bindings)}}, visit: visit}
	if visit != nil {
		n.grounds = groundsOf(s)
	}
	n.calls, n.made, n.live = make([]int32, s.Size), make([]int32, s.Size), make([]int32, s.Size)
	for _, at := range list {
		n.count(at, steps[at], freedAt)
	}
	return list
}

// ground is where the ranks run from a step on.
type ground struct {
	from  int
	seats *Seats
}

// groundsOf returns where the ranks run: at first, and after each move.
func groundsOf(s *engine.Snapshot) []ground {
	here := s.BindingsAt(0)
	list := []ground{{0, NewSeats(s.Topology, here)}}
	if s.Rebound(0).Len() == 0 {
		return list
	}
	for k := 1; k <= len(s.Steps); k++ {
		if next := s.BindingsAt(k); !slices.Equal(here, next) {
			here = next
			list = append(list, ground{k, NewSeats(s.Topology, here)})
		}
	}
	return list
}

// SiteHead names the columns of sites in tables, behind the place.
var SiteHead = []string{"call", "calls", "made", "left", "peak", "size", "hosts", "packages", "NUMA"}

// Cells returns the texts of the site for the columns of SiteHead; "" for counts of made communicators at a site
// that only frees.
func (s *Site) Cells() []string {
	cells := []string{strings.TrimPrefix(s.Call.String(), "MPI_"), strconv.Itoa(int(s.Calls))}
	if s.Made == 0 {
		return append(cells, make([]string, len(SiteHead)-len(cells))...)
	}
	for _, n := range []int{len(s.Comms), int(s.Left), int(s.Peak)} {
		cells = append(cells, strconv.Itoa(n))
	}
	for _, r := range []Range{s.Size, s.Spans.Hosts, s.Spans.Packages, s.Spans.NUMA} {
		text := ""
		if r.High > 0 {
			text = r.String()
		}
		cells = append(cells, text)
	}
	return cells
}

// Place returns the place of the site; "!" before a leak shows leaks without color.
func (s *Site) Place() string {
	text := s.Where
	if text == "" {
		text = "?"
	}
	if s.Leaks() {
		return "! " + text
	}
	return text
}

// MostChosen is the most communicators of a site that are selected with it.
const MostChosen = 64

// Chosen returns what is selected with the site: the communicators that were made there; if there are none, or
// more than MostChosen, the ranks that called there.
func (s *Site) Chosen() (comms []int, ranks engine.Ranks) {
	if n := len(s.Comms); n == 0 || n > MostChosen {
		return nil, s.Ranks
	}
	return s.Comms, nil
}

// NoSites replaces an empty list of sites.
const NoSites = "no call has made a communicator yet"

// SitesNote returns in a few words whether sites look like leaks; list has leaks first.
func SitesNote(list []*Site) string { return LeakNote(leaks(list)) }

// LeakNote returns the same for n leaks.
func LeakNote(n int) string {
	if n > 0 {
		return "! " + spell.Plural(n, "leak")
	}
	return "what each line made"
}

// leaks returns how many sites look like leaks; list has leaks first.
func leaks(list []*Site) int {
	n := slices.IndexFunc(list, func(s *Site) bool { return !s.Leaks() })
	if n < 0 {
		return len(list)
	}
	return n
}

// siteLines is the most sites of a picture.
const siteLines = 40

// Sites prints the sites of the program that made or freed communicators, with their counts.
func Sites(w io.Writer, v *View, st Style) error {
	p := newPage(st)
	list := SitesOf(v.Snapshot)
	if len(list) == 0 {
		p.line(plain(NoSites))
		return p.writeTo(w)
	}
	columns := []column{{flexible: true}}
	heads := []cell{head("place")}
	for i, name := range SiteHead {
		columns, heads = append(columns, column{right: i > 0}), append(heads, head(name))
	}
	g := &grid{columns: columns}
	g.row(heads...)
	rest := max(0, len(list)-p.limit(siteLines))
	for _, s := range list[:len(list)-rest] {
		row := []cell{text(s.Place())}
		for _, c := range s.Cells() {
			row = append(row, text(c))
		}
		g.row(row...)
	}
	g.drawTo(p)
	p.more("  ", rest, "line")
	if n := leaks(list); n > 0 {
		p.line(plain(spell.Plural(n, "leak") + ": a rank has more and more communicators of this place"))
	}
	return p.writeTo(w)
}

// alarm returns 1 for a leak, 0 otherwise.
func (s *Site) alarm() int {
	if s.Leaks() {
		return 1
	}
	return 0
}

// members returns the world ranks of a communicator, of both groups.
func members(c *engine.CommInfo) []int32 {
	if len(c.Remote) == 0 {
		return c.Group
	}
	return slices.Concat(c.Group, c.Remote)
}

// tally counts by world rank; all counts are 0 before the next site.
type tally struct {
	calls, made, live []int32
	with              []int32 // by number of communicators: how many ranks have that many

	s       *engine.Snapshot
	grounds []ground
	visit   func(at *Site, step int) // nil: only the end is needed
}

// change is what a step does to the counts of a site: a call there, or making or freeing a communicator of the
// site.
type change struct {
	step int
	call *engine.Step
	comm int
	by   int32
}

// count follows how many of a site's communicators each rank has.
func (n *tally) count(at *Site, steps []*engine.Step, freedAt map[int]int) {
	var changes []change
	for _, step := range steps {
		changes = append(changes, change{step: step.Number, call: step})
		for _, id := range step.Made {
			changes = append(changes, change{step: step.Number, comm: id, by: 1})
			if end := freedAt[id]; end > 0 {
				changes = append(changes, change{step: end, comm: id, by: -1})
			}
		}
	}
	slices.SortStableFunc(changes, func(a, b change) int { return a.step - b.step })
	n.with = append(n.with[:0], int32(n.s.Size))
	grounds := n.grounds
	for i, c := range changes {
		for len(grounds) > 1 && grounds[1].from <= c.step {
			grounds = grounds[1:]
			n.measure(at, grounds[0])
		}
		n.apply(at, c, grounds[0].seats)
		if n.visit != nil && (i+1 == len(changes) || changes[i+1].step > c.step) {
			n.visit(at, c.step)
		}
	}
	for _, g := range grounds[1:] {
		n.measure(at, g)
	}
	for r, k := range n.calls {
		if k > 0 {
			at.Ranks.Append(int32(r))
		}
	}
	clear(n.calls)
	clear(n.made)
	clear(n.live)
}

// measure finds what the communicators of a site span after ranks have moved.
func (n *tally) measure(at *Site, g ground) {
	at.Spans = Spans{}
	for _, id := range at.Comms {
		at.Spans.Add(g.seats, members(n.s.Comm(id)))
	}
	if len(at.Comms) > 0 {
		n.visit(at, g.from)
	}
}

// apply applies a change to the counts of a site.
func (n *tally) apply(at *Site, c change, seats *Seats) {
	if c.call != nil {
		for r := range c.call.Ranks.All {
			n.calls[r]++
			at.Calls = max(at.Calls, n.calls[r])
		}
		return
	}
	of := members(n.s.Comm(c.comm))
	if c.by > 0 {
		at.Comms = append(at.Comms, c.comm)
		at.Size.Add(len(of))
		at.Spans.Add(seats, of)
	}
	for _, r := range of {
		n.with[n.live[r]]--
		n.live[r] += c.by
		n.made[r] += max(c.by, 0)
		if int(n.live[r]) == len(n.with) {
			n.with = append(n.with, 0)
		}
		n.with[n.live[r]]++
		at.Left, at.Made = max(at.Left, n.live[r]), max(at.Made, n.made[r])
	}
	for at.Left > 0 && n.with[at.Left] == 0 {
		at.Left--
	}
	at.Peak = max(at.Peak, at.Left)
	if c.by > 0 {
		at.growth.Add(int64(at.Left))
	}
}

// Range is the smallest and the largest of some numbers; the zero value is a range without numbers.
type Range struct{ Low, High int }

// String returns "2", or "1-4".
func (r Range) String() string {
	if r.Low == r.High {
		return fmt.Sprint(r.Low)
	}
	return fmt.Sprintf("%d-%d", r.Low, r.High)
}

// Add extends the range by a number, which is at least 1.
func (r *Range) Add(n int) {
	if r.High == 0 || n < r.Low {
		r.Low = n
	}
	r.High = max(r.High, n)
}

// Spans is how many objects the members of a communicator run on; for several communicators, the fewest and the
// most.
type Spans struct{ Hosts, Packages, NUMA Range }

// Seats holds the objects that each rank may use.
type Seats struct {
	of    []*seat // by rank; ranks with the same binding share a seat
	kinds [3]marks
}

// seat is the objects of a binding: their indexes among all hosts, packages and NUMA nodes.
type seat struct{ objects [3][]int }

// marks counts distinct objects. A new stamp voids all marks of the count before.
type marks struct {
	at    []int
	stamp int
}

// NewSeats finds the objects of ranks by their bindings. Without hardware, no rank has objects.
func NewSeats(t *hw.Topology, bindings []*hw.Binding) *Seats {
	s := &Seats{}
	if t == nil {
		return s
	}
	known := map[*hw.Binding]*seat{}
	kinds := [][]*hw.Object{t.Hosts, t.Objects(hw.Package), t.Objects(hw.NUMANode)}
	byHost := make([][][]int, len(kinds)) // indexes of the objects of each host
	for i, list := range kinds {
		s.kinds[i].at = make([]int, len(list))
		byHost[i] = make([][]int, len(t.Hosts))
		for k, o := range list {
			h := k
			if i > 0 {
				h = t.HostIndex(o)
			}
			byHost[i][h] = append(byHost[i][h], k)
		}
	}
	for _, b := range bindings {
		if known[b] == nil {
			known[b] = &seat{}
			for i, list := range kinds {
				for _, k := range byHost[i][b.Host] {
					if i == 0 || list[k].CPUSet.Intersects(b.CPUSet) {
						known[b].objects[i] = append(known[b].objects[i], k)
					}
				}
			}
		}
		s.of = append(s.of, known[b])
	}
	return s
}

// Add adds a communicator, by its members. It skips ranks without a seat.
func (p *Spans) Add(s *Seats, members []int32) {
	for i, r := range []*Range{&p.Hosts, &p.Packages, &p.NUMA} {
		m := &s.kinds[i]
		m.stamp++
		n := 0
		for _, w := range members {
			if w < 0 || int(w) >= len(s.of) {
				continue
			}
			for _, k := range s.of[w].objects[i] {
				if m.at[k] != m.stamp {
					m.at[k] = m.stamp
					n++
				}
			}
		}
		r.Add(n)
	}
}

// Trend is the development of the number of a call site's communicators.
type Trend string

// The trends.
const (
	Steady  Trend = ""
	Grows   Trend = "grows" // a rank has more and more of them at once, but few at the end
	Leaking Trend = "leak"  // a rank has more and more of them, and many at the end
)

// leastMany is the least number of communicators of one call site on a rank that counts as a leak or growth: a
// program may make some for each dimension of its grid, and keep them.
const leastMany = 10

// TrendOf judges a call site. alive is how many of its communicators a rank had each time the site made one, or
// the fewest in each run of such times; peak is the most at once, left how many there are at the end. As programs
// also make communicators that they free soon, TrendOf compares the fewest in each quarter of the run: if each
// quarter has more than the quarter before, the number grows.
func TrendOf(alive []int64, peak, left int64) Trend {
	n := len(alive)
	if n < leastMany || peak < leastMany {
		return Steady
	}
	floor := int64(0)
	for i := range 4 {
		low := slices.Min(alive[i*n/4 : (i+1)*n/4])
		if low <= floor && i > 0 {
			return Steady
		}
		floor = low
	}
	if left < leastMany {
		return Grows
	}
	return Leaking
}

// mostPoints is the most points that a Growth keeps.
const mostPoints = 64

// Growth holds how many communicators of a call site a rank has, each time the site makes one. After many times, a
// point is the fewest of several times.
type Growth struct {
	points []int64
	every  int // times per point
	in     int // times in the last point
	peak   int64
}

// Add records how many communicators there are now.
func (g *Growth) Add(alive int64) {
	g.peak, g.every = max(g.peak, alive), max(g.every, 1)
	if n := len(g.points); n > 0 && g.in < g.every {
		g.points[n-1], g.in = min(g.points[n-1], alive), g.in+1
		return
	}
	if len(g.points) == mostPoints { // two points become one
		for i := range mostPoints / 2 {
			g.points[i] = min(g.points[2*i], g.points[2*i+1])
		}
		g.points, g.every = g.points[:mostPoints/2], 2*g.every
	}
	g.points, g.in = append(g.points, alive), 1
}

// Trend judges the growth; left is how many communicators there are at the end.
func (g *Growth) Trend(left int64) Trend { return TrendOf(g.points, g.peak, left) }
