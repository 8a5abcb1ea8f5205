package confirm

import (
	"context"
	"io"
	"strings"

	"commsplit/engine"
	"commsplit/render/source"
)

// deadlock tries the calls that processes wait in at the end. That they hang under the library, too, is
// what the engine says.
func (j *job) deadlock(ctx context.Context) error {
	d := j.view.Deadlock
	if d == nil {
		return nil
	}
	if !d.Told {
		j.report.gap("the deadlock", "the trace does not have all that the waiting calls were passed")
		return nil
	}
	a := source.Attempt{Calls: d.Calls, After: len(j.view.Snapshot.Steps), Skip: j.skip}
	probe, err := source.Check(io.Discard, j.view, a, 1)
	if err != nil {
		return err
	}
	if probe.Tried == 0 || j.lacks(probe.Tried) {
		j.report.gap("the deadlock", "not all of its calls can be made: "+probe.Why)
		return nil
	}
	_, out, err := j.run(ctx, a, "deadlock", func(o *outcome) bool { return o.silent(j.patience) })
	if err != nil {
		return err
	}
	var passed, failed, absent []int
	for _, st := range d.Calls {
		for r := range st.Ranks.All {
			switch p := out.ranks[r]; {
			case p.class != "":
				failed = append(failed, r)
			case p.passed:
				passed = append(passed, r)
			case p.at <= len(j.view.Snapshot.Steps):
				absent = append(absent, r)
			}
		}
	}
	if len(passed)+len(failed)+len(absent) == 0 && out.err == nil {
		j.report.Deadlock = d
		return nil
	}
	f := Finding{Kind: Free, Expected: "deadlock: " + waiting(d), Ranks: engine.RanksOf(passed...),
		Rule: "MPI does not say what becomes of calls that do not match [MPI-5.0 §6.1]"}
	switch {
	case len(passed) > 0:
		f.Found = "the calls of " + f.Ranks.Noun() + " return"
	case out.err != nil || len(failed) > 0:
		f.Ranks, f.Found = engine.AllRanks(j.report.Ranks), "the program ends"
	default:
		f.Kind, f.Ranks, f.Found, f.Rule = Different, engine.RanksOf(absent...), "they do not come to these calls", ""
	}
	j.report.Findings = append(j.report.Findings, f)
	return nil
}

// waiting is "ranks 1-3 wait in MPI_Barrier, rank 0 waits in MPI_Comm_split".
func waiting(d *engine.Deadlock) string {
	var list []string
	for _, w := range d.Waiting {
		verb := " wait in "
		if w.Ranks.Len() == 1 {
			verb = " waits in "
		}
		list = append(list, w.Ranks.Noun()+verb+w.Call.String())
	}
	return strings.Join(list, ", ")
}
