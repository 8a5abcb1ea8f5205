package confirm

import (
	"context"
	"io"
	"slices"
	"strings"
	"time"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/engine/deviation"
	"codeberg.org/commsplit/commsplit/hw/spell"
	"codeberg.org/commsplit/commsplit/render/source"
)

// usualPatience is how long a run must be silent before the report says that it hangs, plus the time from the start of
// the run to its last line.
const usualPatience = 3 * time.Second

// silent reports whether the run has been silent so long that it hangs.
func (o *outcome) silent(patience time.Duration) bool {
	return !o.last.IsZero() && time.Since(o.last) > patience+o.last.Sub(o.started)
}

// errors tries each call that the engine finds erroneous. Each has its own run, with all calls before it.
func (j *job) errors(ctx context.Context) error {
	s := j.view.Snapshot
	tried := map[int]bool{}
	for i := range s.Steps {
		st := &s.Steps[i]
		if st.Err == nil || tried[st.Number] {
			continue
		}
		steps, err := j.attempt(ctx, st, st.Err, source.Attempt{Step: st.Number, Skip: j.skip})
		if err != nil {
			return err
		}
		for _, n := range steps {
			tried[n] = true
		}
	}
	return j.refused(ctx)
}

// attempt tries an erroneous call, together with the calls of other ranks at the same place. It returns their steps.
func (j *job) attempt(ctx context.Context, st *engine.Step, e *engine.Error, a source.Attempt) ([]int, error) {
	name := at(st.Call, place(st, e))
	if e.Mistake == engine.MistakeCommLimit {
		j.report.gap(name, "each library has a limit of its own")
		return nil, nil
	}
	probe, err := j.check(io.Discard, a, 1)
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
	who := st.Ranks
	for _, n := range probe.Steps {
		if n <= len(j.view.Snapshot.Steps) {
			who = engine.RanksOf(append(who.Slice(), j.view.Snapshot.Steps[n-1].Ranks.Slice()...)...)
		}
	}
	all := func(o *outcome) bool {
		answered := true
		for r := range who.All {
			answered = answered && o.ranks[r].passed
		}
		return answered || o.silent(j.patience)
	}
	_, out, err := j.run(ctx, a, "error", all)
	if err != nil {
		return nil, err
	}
	j.judgeError(st, e, probe.Steps[0], who, out)
	return probe.Steps, nil
}

// judgeError compares the answer of the library to an erroneous call with the engine's error class.
func (j *job) judgeError(st *engine.Step, e *engine.Error, at int, who engine.Ranks, out *outcome) {
	want := e.Class.String()
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
	f := Finding{Kind: Different, Ranks: engine.RanksOf(others...), Step: j.inTrace(st.Number), Call: st.Call, Where: place(st, e), Expected: want,
		Found: tellAnswers(answers)}
	silent := true
	for text := range answers {
		silent = silent && !strings.HasPrefix(text, "MPI_ERR_")
	}
	for _, n := range j.notesOf(members) {
		if n.Call == st.Call && n.Where == place(st, e) && n.Step >= j.inTrace(st.Number)-1 {
			f.Kind, f.Why = Known, []deviation.Note{n}
			break
		}
	}
	if f.Kind == Different && silent {
		f.Kind, f.Rule = Free, "MPI leaves to the library which errors it handles: it may find this one or not [MPI-5.0 §9.3]"
	}
	j.report.Findings = append(j.report.Findings, f)
}

// refused tries calls that the engine refused before they began, which are therefore not in the trace. It tries a
// call with a bad color or root where all processes of the communicator made that mistake, and counts the other
// refused calls.
func (j *job) refused(ctx context.Context) error {
	s := j.view.Snapshot
	others := 0
	for _, e := range s.Errors() {
		if slices.ContainsFunc(s.Steps, func(st engine.Step) bool {
			return st.Err != nil && st.Call == e.Call && st.Comm == e.Comm && st.Err.Class == e.Class
		}) {
			continue
		}
		st, ok := j.refusedStep(e)
		if !ok {
			others++
			continue
		}
		a := source.Attempt{Calls: []engine.Step{st}, After: e.Step, Skip: j.skip}
		if _, err := j.attempt(ctx, &st, e.Error, a); err != nil {
			return err
		}
	}
	if others > 0 {
		j.report.gap(spell.Plural(others, "error"), "the trace does not have all that was passed to calls that are refused at once")
	}
	return nil
}

// refusedStep writes the call that raised an error as a step behind the trace; ok is false for a call that cannot be
// tried.
func (j *job) refusedStep(e engine.Raised) (st engine.Step, ok bool) {
	s := j.view.Snapshot
	k := s.Comm(e.Comm)
	if e.Comm < 0 || k == nil || e.Comm == 1 || e.Ranks.Len() != len(k.Group)+len(k.Remote) {
		return st, false
	}
	passed := map[int]int32{}
	name := ""
	for _, one := range s.Raised {
		if one.Step != e.Step || one.Call != e.Call || one.Comm != e.Comm || one.Where != e.Where || one.Passed.Name == "" ||
			one.Passed.Value != int(int32(one.Passed.Value)) {
			continue
		}
		name = one.Passed.Name
		for r := range one.Ranks.All {
			passed[r] = int32(one.Passed.Value)
		}
	}
	st = engine.Step{Number: len(s.Steps) + 1, Call: e.Call, Comm: e.Comm, Ranks: e.Ranks}
	var list []int32
	for r := range e.Ranks.All {
		v, told := passed[r]
		if !told {
			return st, false
		}
		list = append(list, v)
	}
	st.Args = []engine.Column{{Name: name, Ints: list}}
	switch {
	case e.Call == engine.CallSplit && name == "color":
		st.Args = append(st.Args, engine.Column{Name: "key", Ints: make([]int32, len(list))})
	case name != "root" || e.Call != engine.CallBcast && e.Call != engine.CallGather && e.Call != engine.CallScatter:
		return st, false
	}
	return st, true
}

// deadlock tries the calls that processes wait in at the end. The engine says that these calls never return; the
// report tells whether they hang under the library, too.
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
	probe, err := j.check(io.Discard, a, 1)
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

// waiting returns "ranks 1-3 wait in MPI_Barrier, rank 0 waits in MPI_Comm_split".
func waiting(d *engine.Deadlock) string {
	var list []string
	for _, w := range d.Waiting {
		list = append(list, w.Ranks.Noun()+spell.Agreeing(w.Ranks.Len(), " waits in ", " wait in ")+w.Call.String())
	}
	return strings.Join(list, ", ")
}

// answer describes the result of an erroneous call on a process: its error class, or that the call returned, hung or
// ended the program.
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

// tellAnswers returns "no error on ranks 0-2, hangs on rank 3".
func tellAnswers(answers map[string][]int) string {
	var list []string
	for text, ranks := range answers {
		list = append(list, text+" on "+engine.RanksOf(ranks...).Noun())
	}
	slices.Sort(list)
	return strings.Join(list, ", ")
}

// at returns "MPI_Comm_split (demo.py:7)".
func at(c engine.Call, where string) string {
	if where == "" {
		return c.String()
	}
	return c.String() + " (" + where + ")"
}

// inTrace returns the number of a step; 0 for a call that the trace does not hold.
func (j *job) inTrace(number int) int {
	if number > len(j.view.Snapshot.Steps) {
		return 0
	}
	return number
}

// place returns the call site of a step; for a call that the trace does not hold, the place in its error.
func place(st *engine.Step, e *engine.Error) string {
	if site := st.Site(); site != "" {
		return site
	}
	return e.Where
}
