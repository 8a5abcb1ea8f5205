package confirm

import (
	"maps"
	"slices"

	"codeberg.org/commsplit/commsplit/engine/deviation"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/render/source"
	"codeberg.org/commsplit/commsplit/repl/recording"
)

// Recorded compares the replay of a recording with the communicators that the library gave the recorded program: size,
// leader and rank of each process. It judges as [Run] does.
func Recorded(v *render.View, r *recording.Recording) *Report {
	s := v.Snapshot
	j := &job{view: v, coverage: &source.Coverage{}, report: &Report{Ranks: s.Size, Library: Library{r.Library, r.Std}}}
	if r.Library.Known != deviation.None {
		j.all = deviation.Each(r.Library.Known, r.Library.Number, s, v.Errors, nil) // no library finds deadlocks
	}
	in := make([]seat, s.Size)
	free := map[int]string{} // by step
	r.Follow(s, func(c *recording.Calls) { j.compareStep(c, in, free) })
	for i := range j.report.Findings {
		j.setFree(&j.report.Findings[i], free)
	}
	j.gather()
	return j.report
}

// seat is the place of a process in a communicator that a step made.
type seat struct {
	step int
	recording.Seat
}

// compareStep compares the communicators that the processes got in a step. It keeps nothing of an equal step, as most
// are.
func (j *job) compareStep(c *recording.Calls, in []seat, free map[int]string) {
	n := c.Step.Number
	for _, id := range c.Step.Made {
		k := j.view.Snapshot.Comm(id)
		for i, w := range k.Group {
			in[w] = seat{n, seatIn(k.Group, k.Remote, i)}
		}
		for i, w := range k.Remote {
			in[w] = seat{n, seatIn(k.Remote, k.Group, i)}
		}
	}
	equal, told := true, false
	i := 0
	for w := range c.Step.Ranks.All {
		a := &c.Answers[i]
		i++
		if !a.Told {
			continue
		}
		told = true
		here := in[w].step == n
		equal = equal && here != a.Null && (a.Null || in[w] == seat{n, a.Seat})
		if a.Free != "" {
			free[n] = a.Free
		}
	}
	if told {
		j.report.Calls++
	}
	if told && !equal {
		j.compareResult(j.recordedResult(c))
	}
}

// recordedResult returns the communicators of a step, as the engine and as the library made them.
func (j *job) recordedResult(c *recording.Calls) result {
	s := j.view.Snapshot
	got := map[int]held{}
	e := result{steps: []int{c.Step.Number}, want: map[int]int32{}, told: func(r int) held { return got[r] }, membersOnly: true}
	i := 0
	for w := range c.Step.Ranks.All {
		a := &c.Answers[i]
		i++
		if a.Told {
			e.want[w] = -1
			got[w] = held{Seat: a.Seat}
		}
	}
	for _, id := range c.Step.Made {
		k := s.Comm(id)
		for _, w := range slices.Concat(k.Group, k.Remote) {
			if _, told := e.want[int(w)]; told {
				e.want[int(w)] = int32(id)
			}
		}
	}
	return e
}

// setFree marks a finding as free where the standard leaves to the library the result of the call, or of a call that
// made an ancestor of its communicator. The oldest such call counts.
func (j *job) setFree(f *Finding, free map[int]string) {
	if f.Kind != Different {
		return
	}
	steps := map[int]bool{}
	j.lineage(steps, f.Step)
	for _, n := range slices.Sorted(maps.Keys(steps)) {
		if why := free[n]; why != "" {
			f.Kind, f.Rule, f.reason = Free, why, n
			if st := &j.view.Snapshot.Steps[n-1]; n != f.Step {
				f.Rule = "It descends from " + at(st.Call, st.Site()) + ". " + why
			}
			return
		}
	}
}
