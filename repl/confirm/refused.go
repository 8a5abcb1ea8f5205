package confirm

import (
	"context"
	"regexp"
	"slices"

	"commsplit/engine"
	"commsplit/render/source"
)

// refusedArgument is what the engine says of the argument for which it refused a call.
var refusedArgument = regexp.MustCompile(`^(color|root) (-?\d{1,10})$`)

// refused tries the calls that processes were refused before these began, which the trace does not have:
// those with a bad color or root, where all processes of the communicator made that mistake. The others
// are counted.
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
		j.report.gap(count(others, "error"), "the trace does not have all that was passed to calls that are refused at once")
	}
	return nil
}

// refusedStep is an error's call as a step behind the trace.
func (j *job) refusedStep(e engine.Raised) (st engine.Step, ok bool) {
	s := j.view.Snapshot
	k := s.Comm(e.Comm)
	if e.Comm < 0 || k == nil || e.Comm == 1 || e.Ranks.Len() != len(k.Group)+len(k.Remote) {
		return st, false
	}
	passed := map[int]int32{}
	name := ""
	for _, one := range s.Raised {
		m := refusedArgument.FindStringSubmatch(one.Got)
		if one.Step != e.Step || one.Call != e.Call || one.Comm != e.Comm || one.Where != e.Where || m == nil {
			continue
		}
		name = m[1]
		for r := range one.Ranks.All {
			passed[r] = int32(number(m[2]))
			if m[2][0] == '-' {
				passed[r] = -int32(number(m[2][1:]))
			}
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
