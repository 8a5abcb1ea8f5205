package confirm

import (
	"fmt"
	"slices"
	"strings"

	"commsplit/engine"
)

// broken notes how a run ended that should have come to its end. The step is that of a known deviation,
// which the next run leaves out; 0 for another end, after which nothing is compared. The error is that
// of a run that never began.
func (j *job) broken(out *outcome) (step int, err error) {
	steps := j.view.Snapshot.Steps
	arrived, who := j.firstBehind(out)
	if arrived == 0 {
		return 0, fmt.Errorf("%s did not bring all processes to their first call%s", j.at.Mpirun, out.lastWords())
	}
	f := Finding{Kind: Different, Ranks: engine.AllRanks(j.report.Ranks), Found: how(out, who)}
	if arrived <= len(steps) {
		s := &steps[arrived-1]
		f.Ranks, f.Step, f.Call, f.Where, f.Expected = s.Ranks, arrived, s.Call, s.Site(), "the call returns"
		behind := map[int]bool{}
		j.lineage(behind, arrived)
		if f.Why = j.knownIn(behind, s.Ranks.Slice()); len(f.Why) > 0 {
			f.Kind = Known
		}
	} else {
		f.Expected = "the processes tell what they hold"
	}
	j.report.Findings = append(j.report.Findings, f)
	if f.Kind != Known {
		j.report.gap("what follows", "the program did not come to its end")
		return 0, nil
	}
	j.skip[arrived] = "is a call in which this library fails"
	return arrived, nil
}

// firstBehind is the step in which a run broke, and the ranks that were in it: that of an error, or
// the earliest in which a process stayed.
func (j *job) firstBehind(out *outcome) (step int, who engine.Ranks) {
	failed, behind := 0, 0
	for _, p := range out.ranks {
		if p.class != "" && (failed == 0 || p.at < failed) {
			failed = p.at
		}
		if behind == 0 || p.at < behind {
			behind = p.at
		}
	}
	if step = failed; step == 0 {
		step = behind
	}
	for r, p := range out.ranks {
		if p.at == step {
			who.Append(int32(r))
		}
	}
	return step, who
}

// how tells the end of a run.
func how(out *outcome, who engine.Ranks) string {
	for _, r := range who.Slice() {
		if c := out.ranks[r].class; c != "" {
			return c
		}
	}
	if out.late || out.err == nil {
		return "it hangs"
	}
	return "the program ends: " + tellingLine(out)
}

// tellingLine is a line of what mpirun said that tells most: that of a signal or an error.
func tellingLine(out *outcome) string {
	lines := strings.Split(out.said, "\n")
	for _, word := range []string{"MPI_ERR_", "Fatal error", "Assertion", "signal", "SIG"} {
		if i := slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, word) }); i >= 0 {
			line := strings.Join(strings.Fields(strings.Trim(lines[i], "*- ")), " ")
			return strings.ToValidUTF8(line[:min(len(line), 120)], "")
		}
	}
	return out.err.Error()
}
