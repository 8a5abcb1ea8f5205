package confirm

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"commsplit/engine"
	"commsplit/engine/deviation"
	"commsplit/render/source"
)

// A run is taken to hang where it should, or may, when nothing came for this long, and for as long again
// as it took to come there.
const patience = 3 * time.Second

// silent reports whether nothing has come for long.
func (o *outcome) silent() bool {
	return time.Since(o.last) > patience+o.last.Sub(o.started)
}

// errors tries each call that is erroneous here, in a run of its own up to it.
func (j *job) errors(ctx context.Context) error {
	s := j.view.Snapshot
	tried := map[int]bool{}
	for i := range s.Steps {
		st := &s.Steps[i]
		if st.Err == nil || tried[st.Number] {
			continue
		}
		steps, err := j.attempt(ctx, st)
		if err != nil {
			return err
		}
		for _, n := range steps {
			tried[n] = true
		}
	}
	alone := 0
	for _, e := range s.Errors() {
		if !slices.ContainsFunc(s.Steps, func(st engine.Step) bool {
			return st.Err != nil && st.Call == e.Call && st.Comm == e.Comm && st.Err.Class == e.Class
		}) {
			alone++
		}
	}
	if alone > 0 {
		j.report.gap(count(alone, "error"), "found before the call begins: the trace does not have what was passed")
	}
	return nil
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// attempt tries an erroneous call, with what was called at the same place. It returns their steps.
func (j *job) attempt(ctx context.Context, st *engine.Step) ([]int, error) {
	name := words(st.Call.String(), st.Site())
	if strings.Contains(st.Err.Text, "too many communicators") {
		j.report.gap(name, "each library has a limit of its own")
		return nil, nil
	}
	a := source.Attempt{Step: st.Number, Skip: j.skip}
	probe, err := source.Check(discard{}, j.view, a, 1)
	if err != nil {
		return nil, err
	}
	switch {
	case probe.Tried == 0:
		j.report.gap(name, probe.Why)
		return probe.Steps, nil
	case j.lacks(probe.Tried):
		j.report.gap(name, j.tooOld(probe.Tried))
		return probe.Steps, nil
	}
	var who engine.Ranks
	for _, n := range probe.Steps {
		who = engine.RanksOf(append(who.Slice(), j.view.Snapshot.Steps[n-1].Ranks.Slice()...)...)
	}
	all := func(o *outcome) bool {
		answered := true
		for r := range who.All {
			answered = answered && o.ranks[r].passed
		}
		return answered || !o.last.IsZero() && o.silent()
	}
	_, out, err := j.run(ctx, a, fmt.Sprintf("error-%d", st.Number), all)
	if err != nil {
		return nil, err
	}
	j.judgeError(st, probe.Steps[0], who, out)
	return probe.Steps, nil
}

// discard takes what nobody reads.
type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }

// judgeError compares what the library makes of an erroneous call.
func (j *job) judgeError(st *engine.Step, at int, who engine.Ranks, out *outcome) {
	want := st.Err.Class.String()
	var others []int
	answers := map[string][]int{}
	for r := range who.All {
		text := answer(out, out.ranks[r], at)
		if text != want {
			others = append(others, r)
			answers[text] = append(answers[text], r)
		}
	}
	if len(others) == 0 {
		j.report.Errors++
		return
	}
	f := Finding{Kind: Different, Ranks: engine.RanksOf(others...), Step: st.Number, Call: st.Call, Where: st.Site(), Expected: want,
		Found: tellAnswers(answers)}
	silent := true
	for text := range answers {
		silent = silent && !strings.HasPrefix(text, "MPI_ERR_")
	}
	for _, n := range j.notes {
		if n.Call == st.Call && n.Where == st.Site() && n.Step >= st.Number-1 {
			f.Kind, f.Why = Known, []deviation.Note{n}
			break
		}
	}
	if f.Kind == Different && silent {
		f.Kind, f.Rule = Free, "MPI does not say what becomes of an erroneous call: a library may find it or not [MPI-5.0 §9.3]"
	}
	j.report.Findings = append(j.report.Findings, f)
}

// answer is what a process got of an erroneous call.
func answer(out *outcome, p progress, at int) string {
	switch {
	case p.class != "":
		return p.class
	case p.passed:
		return "no error"
	case p.at < at:
		return "it does not come to the call"
	case out.err != nil:
		return "the program ends"
	}
	return "hangs"
}

// tellAnswers is "no error on ranks 0-2, hangs on rank 3".
func tellAnswers(answers map[string][]int) string {
	var list []string
	for text, ranks := range answers {
		list = append(list, text+" on "+engine.RanksOf(ranks...).Noun())
	}
	slices.Sort(list)
	return strings.Join(list, ", ")
}

// words joins what is not empty with blanks.
func words(list ...string) string {
	return strings.Join(slices.DeleteFunc(list, func(w string) bool { return w == "" }), " ")
}

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
	a := source.Attempt{Waiting: d.Calls, Skip: j.skip}
	probe, err := source.Check(discard{}, j.view, a, 1)
	if err != nil {
		return err
	}
	if probe.Tried == 0 || j.lacks(probe.Tried) {
		j.report.gap("the deadlock", "not all of its calls can be made: "+probe.Why)
		return nil
	}
	_, out, err := j.run(ctx, a, "deadlock", func(o *outcome) bool { return !o.last.IsZero() && o.silent() })
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
