// Package replay tells what came of the replay of a recording: whether the library gave the recorded program what the
// engine gives, and what each place in the program did with communicators: how many it made and left, of which size,
// and which hardware they span, also where the ranks are placed otherwise.
package replay

import (
	"context"
	"fmt"

	"commsplit/engine"
	"commsplit/hw"
	"commsplit/hw/source"
	"commsplit/repl"
	"commsplit/repl/confirm"
	"commsplit/repl/recording"
)

// Report is what came of a replay.
type Report struct {
	Recording *recording.Recording
	Held      *confirm.Report // nil where the ranks are placed otherwise than they ran: then calls may give something else
	Sites     []*Site         // what matters most first
	Moved     bool            // the ranks are placed otherwise than they ran
	Hardware  bool            // it is known where the ranks ran
	Deadlock  *engine.Deadlock
	Notes     []string // what is not replayed, or not as it was
}

// Site is a place in the recorded program.
type Site struct {
	*recording.Use
	Spans Spans  // of its communicators where the program ran; the zero value when that is not known
	After *Spans // where the ranks are placed in the replay; nil when that is where they ran
}

// Spans are over how many objects the members of one communicator run, of the communicators of a place the fewest
// and the most.
type Spans struct{ Hosts, Packages, NUMA Range }

// Range is the fewest and the most.
type Range struct{ Low, High int }

// String is "2", or "1-4".
func (r Range) String() string {
	if r.Low == r.High {
		return fmt.Sprint(r.Low)
	}
	return fmt.Sprintf("%d-%d", r.Low, r.High)
}

func (r *Range) add(n int) {
	if r.High == 0 || n < r.Low {
		r.Low = n
	}
	r.High = max(r.High, n)
}

// New looks at a session that replayed a recording. moved says that its ranks are placed otherwise than they ran.
func New(ctx context.Context, s *repl.Session, rec *recording.Recording, moved bool) (*Report, error) {
	v := s.ViewByHandle()
	r := &Report{Recording: rec, Moved: moved, Deadlock: v.Deadlock, Notes: rec.Notes()}
	ran, err := where(ctx, rec)
	if err != nil {
		return nil, err
	}
	r.Hardware = ran != nil
	if !moved {
		r.Held = confirm.Recorded(v, rec)
	}
	bySite := map[useKey]*Site{}
	for _, u := range rec.Uses() {
		at := &Site{Use: u}
		if ran != nil {
			for _, g := range u.Groups() {
				at.Spans.add(ran, g)
			}
		}
		r.Sites = append(r.Sites, at)
		bySite[useKey{u.Site, u.Call}] = at
	}
	if moved {
		r.span(v.Snapshot, bySite)
	}
	return r, nil
}

type useKey struct {
	site *recording.Site
	call string
}

// span measures the communicators of the replay.
func (r *Report) span(s *engine.Snapshot, sites map[useKey]*Site) {
	now := newSeats(s.Topology, s.Bindings)
	r.Recording.Follow(s, func(c *recording.Calls) {
		at := sites[useKey{c.Site, c.Call}]
		if at == nil {
			return
		}
		if at.After == nil {
			at.After = &Spans{}
		}
		for _, id := range c.Step.Made {
			k := s.Comm(id)
			at.After.add(now, append(k.Group[:len(k.Group):len(k.Group)], k.Remote...))
		}
	})
}

// where is where the ranks ran; nil when the recording has no hosts.
func where(ctx context.Context, rec *recording.Recording) (*seats, error) {
	if !rec.Hosts {
		return nil, nil
	}
	t, err := source.Load(ctx, rec.Topo())
	if err != nil {
		return nil, &repl.InputError{Err: err}
	}
	return newSeats(t, t.Ranks), nil
}

// seats are the objects that each rank may use.
type seats struct {
	of    []*seat // by rank; ranks in one place share it
	kinds [3]marks
}

// seat is the objects of a place: their numbers among all hosts, packages and NUMA nodes.
type seat struct{ objects [3][]int }

// marks count distinct objects without forgetting those of before one by one.
type marks struct {
	at    []int
	stamp int
}

func newSeats(t *hw.Topology, bindings []*hw.Binding) *seats {
	s := &seats{}
	known := map[*hw.Binding]*seat{}
	kinds := [][]*hw.Object{t.Hosts, t.Objects(hw.Package), t.Objects(hw.NUMANode)}
	for i, list := range kinds {
		s.kinds[i].at = make([]int, len(list))
	}
	byHost := make([][][]int, len(kinds)) // indexes of the objects of each host
	for i, list := range kinds {
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

// add takes in a communicator by its members.
func (p *Spans) add(s *seats, members []int32) {
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
		r.add(n)
	}
}

// Verdict is the worst of what the comparison found, or "not compared".
func (r *Report) Verdict() string {
	if r.Held == nil {
		return "not compared"
	}
	return r.Held.Verdict()
}
