package confirm

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"commsplit/engine"
	"commsplit/engine/deviation"
	"commsplit/render"
)

// compare holds what the processes told against what the engine gave, handle by handle.
func (j *job) compare(out *outcome) {
	if len(j.view.Handles) == 0 {
		j.compareHandle(out, 0, &render.Handle{Name: "world", IDs: make([]int32, j.view.Snapshot.Size)})
	}
	for i := range j.view.Handles {
		h := &j.view.Handles[i]
		if why := j.absent(h); why != "" {
			j.report.gap(h.Name, why)
			continue
		}
		j.compareHandle(out, i, h)
	}
}

// absent says why nothing of a handle can be compared. Of one that has both, the rest is.
func (j *job) absent(h *render.Handle) string {
	why := ""
	for _, id := range h.IDs {
		if id < 0 {
			continue
		}
		if why = j.missing(int(id)); why == "" {
			return ""
		}
	}
	return why
}

// missing says why the program does not make a communicator.
func (j *job) missing(id int) string {
	switch why := j.coverage.Absent[id]; {
	case j.coverage.Hardware(id):
		return "the hardware where it runs decides"
	case why != "":
		return why
	case j.lacks(j.coverage.Since[id]):
		return fmt.Sprintf("it takes MPI-%s, and this library is of MPI-%s", j.coverage.Since[id], j.report.Library.standard)
	}
	return ""
}

// compareHandle notes the processes that hold something else.
func (j *job) compareHandle(out *outcome, index int, h *render.Handle) {
	s := j.view.Snapshot
	j.report.Handles++
	by := map[int][]int{} // differing ranks by the step that made what they should hold
	gaps := map[string][]int{}
	for r, id := range h.IDs {
		if id >= 0 {
			if why := j.missing(int(id)); why != "" {
				gaps[why] = append(gaps[why], r)
				continue
			}
		}
		if out.holds[key{index, r}] != holding(s, id, r) {
			step := j.maker(h, id)
			by[step] = append(by[step], r)
		}
	}
	for _, why := range slices.Sorted(maps.Keys(gaps)) {
		j.report.gap(fmt.Sprintf("%s on %s", h.Name, engine.RanksOf(gaps[why]...).Noun()), why)
	}
	for _, step := range slices.Sorted(maps.Keys(by)) {
		ranks := by[step]
		f := Finding{Kind: Different, Handle: h.Name, Ranks: engine.RanksOf(ranks...), Step: step}
		if step > 0 {
			f.Call, f.Where = s.Steps[step-1].Call, s.Steps[step-1].Site()
		}
		f.Expected = parts(ranks, func(r int) held { return holding(s, h.IDs[r], r) }, everyone(h, s))
		f.Found = parts(ranks, func(r int) held { return out.holds[key{index, r}] }, told(out, index, s.Size))
		if f.Why = j.explain(h, ranks); len(f.Why) > 0 {
			f.Kind = Known
		}
		j.report.Findings = append(j.report.Findings, f)
	}
	slices.SortStableFunc(j.report.Findings, func(a, b Finding) int { return cmp.Compare(a.Step, b.Step) })
}

// maker is the step that made a communicator; for none, the one that made others of the handle.
func (j *job) maker(h *render.Handle, id int32) int {
	if id < 0 {
		for _, other := range h.IDs {
			id = max(id, other)
		}
	}
	if k := j.view.Snapshot.Comm(int(id)); id >= 0 && k != nil {
		return k.Step
	}
	return 0
}

// explain lists the known deviations in the calls that made what ranks hold, or its ancestors. The
// oldest comes first: what descends from it is no second one.
func (j *job) explain(h *render.Handle, ranks []int) []deviation.Note {
	s := j.view.Snapshot
	steps := map[int]bool{}
	for _, id := range h.IDs {
		for k := s.Comm(int(id)); id >= 0 && k != nil && k.Step > 0; k = s.Comm(k.Parent) {
			steps[k.Step] = true
		}
	}
	var list []deviation.Note
	for _, n := range j.notes {
		if steps[n.Step] && slices.ContainsFunc(ranks, func(r int) bool { return j.touches(n, r) }) {
			list = append(list, n)
			break
		}
	}
	return list
}

// touches reports whether a deviation can change what a rank holds: that of one of its communicator's
// members can, too.
func (j *job) touches(n deviation.Note, rank int) bool {
	return n.Ranks.Has(rank) || n.Step > 0 && j.view.Snapshot.Steps[n.Step-1].Ranks.Has(rank)
}
