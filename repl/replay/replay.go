// Package replay reports on the replay of a recording: whether the library gave the recorded program the same
// communicators as the engine, and for each call site of the program how many communicators it made and left, of which
// size, and which hardware they span, also where the ranks are placed otherwise.
package replay

import (
	"context"
	"slices"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw/source"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/confirm"
	"codeberg.org/commsplit/commsplit/repl/recording"
)

// Report is the result of a replay.
type Report struct {
	Recording *recording.Recording
	Held      *confirm.Report // nil where the ranks are placed otherwise than in the run, and results may differ, and for a trace
	Sites     []*Site         // the most important first
	Hardware  bool            // it is known where the ranks ran
	Deadlock  *engine.Deadlock
	Contexts  int      // context ids of a process that the replay needs, where each communicator takes the lowest free one
	Stopped   bool     // the replay ends early, because its communicators differ from those of the library
	Notes     []string // about calls that are not replayed, or replayed differently
}

// Site is a call site of the recorded program.
type Site struct {
	*recording.Use
	Spans render.Spans  // of its communicators, where the program ran; the zero value when the hosts are not known
	After *render.Spans // of its communicators in the replay; nil when the ranks are placed as in the run
}

// New makes the report on a session that replayed a recording. moved says that the session places the ranks otherwise
// than in the run.
func New(ctx context.Context, s *repl.Session, rec *recording.Recording, moved bool) (*Report, error) {
	v := s.ViewByHandle()
	r := &Report{Recording: rec, Deadlock: v.Deadlock, Notes: rec.Notes()}
	ran, err := where(ctx, rec, v.Snapshot, moved)
	if err != nil {
		return nil, err
	}
	r.Hardware = ran != nil
	for _, c := range v.Snapshot.Comms {
		r.Contexts = max(r.Contexts, c.Context, c.Context2)
	}
	if !moved && rec.Trace == "" {
		r.Held = confirm.Recorded(v, rec)
		r.stops(v)
	}
	bySite := map[useKey]*Site{}
	for _, u := range rec.Uses() {
		at := &Site{Use: u}
		if ran != nil {
			for _, g := range u.Groups {
				at.Spans.Add(ran, g)
			}
		}
		r.Sites = append(r.Sites, at)
		for _, s := range append([]*recording.Site{u.Site}, u.Also...) {
			bySite[useKey{s, u.Call}] = at
		}
	}
	if moved {
		r.span(v.Snapshot, bySite)
	}
	return r, nil
}

// stops sets Stopped where the replay ends early because its communicators differ from the library's, so that calls
// deadlock or fail which did neither in the run.
func (r *Report) stops(v *render.View) {
	why := ""
	switch {
	case len(r.Held.Findings) == 0 || r.Recording.Waits():
		return
	case v.Deadlock != nil:
		why = v.Deadlock.Error()
	case len(v.Errors) > 0:
		why = v.Errors[len(v.Errors)-1].Error()
	default:
		return
	}
	r.Stopped = true
	why, _, _ = strings.Cut(strings.ReplaceAll(why, "\n", " "), ". ")
	r.Notes = append(slices.Clip(r.Notes), "not compared: the calls behind, in which the replay stops because its communicators are others "+
		"than those of the library: "+why)
}

type useKey struct {
	site *recording.Site
	call string
}

// span adds the communicators of the replay to the spans of the sites.
func (r *Report) span(s *engine.Snapshot, sites map[useKey]*Site) {
	now := render.NewSeats(s.Topology, s.Bindings)
	r.Recording.Follow(s, func(c *recording.Calls) {
		at := sites[useKey{c.Site, c.Call}]
		if at == nil {
			return
		}
		if at.After == nil {
			at.After = &render.Spans{}
		}
		for _, id := range c.Step.Made {
			k := s.Comm(id)
			at.After.Add(now, append(k.Group[:len(k.Group):len(k.Group)], k.Remote...))
		}
	})
}

// where returns the seats of the ranks in the run, which are those of the replay unless moved; nil when the recording
// has no hosts.
func where(ctx context.Context, rec *recording.Recording, s *engine.Snapshot, moved bool) (*render.Seats, error) {
	if !rec.Hosts {
		return nil, nil
	}
	if !moved {
		return render.NewSeats(s.Topology, s.Bindings), nil
	}
	t, err := source.Load(ctx, rec.Topo())
	if err != nil {
		return nil, &repl.InputError{Err: err}
	}
	return render.NewSeats(t, t.Ranks), nil
}

// Verdict returns the worst finding of the comparison, or "not compared".
func (r *Report) Verdict() string {
	if r.Held == nil {
		return "not compared"
	}
	return r.Held.Verdict()
}
