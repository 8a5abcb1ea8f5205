package confirm

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"commsplit/engine"
	"commsplit/engine/deviation"
	"commsplit/render/source"
)

// usualPatience is how long nothing comes from a run that is taken to hang where it should, or may; and as
// long again as it took to come there.
const usualPatience = 3 * time.Second

// silent reports whether nothing has come for long.
func (o *outcome) silent(patience time.Duration) bool {
	return !o.last.IsZero() && time.Since(o.last) > patience+o.last.Sub(o.started)
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

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if strings.HasSuffix(noun, "s") {
		noun += "e"
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// attempt tries an erroneous call, with what was called at the same place. It returns their steps.
func (j *job) attempt(ctx context.Context, st *engine.Step, e *engine.Error, a source.Attempt) ([]int, error) {
	name := at(st.Call, place(st, e))
	if e.Mistake == engine.MistakeCommLimit {
		j.report.gap(name, "each library has a limit of its own")
		return nil, nil
	}
	probe, err := source.Check(io.Discard, j.view, a, 1)
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

// judgeError compares what the library makes of an erroneous call.
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
	for _, n := range j.notes {
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
