package repl

import (
	"commsplit/render"
)

// showVerdicts tells a person how the expectations of a line ended that were not there before it. A
// script reports them at its end.
func (c *Console) showVerdicts(before render.Expectations) error {
	return render.Verdicts(c.Out, added(c.Session.expectations(), before), c.Style)
}

// added is what now has beyond before. It is never less than nothing: a line may take others back.
func added(now, before render.Expectations) render.Expectations {
	told := map[string]int{}
	for _, f := range before.Failures {
		told[failureKey(f)]++
	}
	e := render.Expectations{Passed: max(0, now.Passed-before.Passed)}
	for _, f := range now.Failures {
		if k := failureKey(f); told[k] > 0 {
			told[k]--
		} else {
			f.Source = "" // the line was just typed
			e.Failures = append(e.Failures, f)
		}
	}
	e.Failed = len(e.Failures)
	return e
}

func failureKey(f render.Failure) string { return f.Where + " " + f.Ranks.String() + " " + f.Message }
