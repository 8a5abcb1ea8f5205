package engine

// blockedCalls are the calls that the processes wait in, as steps that did not end, numbered behind
// the trace. known reports whether each has all that was passed: what takes part in groups, requests and
// objects of other kinds is not told.
func (w *World) blockedCalls(waiting []Wait) (steps []Step, known bool) {
	known = true
	for _, v := range waiting {
		s := Step{Number: len(w.steps) + len(steps) + 1, Call: v.Call, Comm: v.Comm, Ranks: v.Ranks, Where: v.Where}
		var a, b []int32
		var braces []string
		for r := range v.Ranks.All {
			c := &w.procs[r].current
			a, b = append(a, c.a), append(b, c.b)
			if g, ok := c.x.(*Group); ok && v.Call == CallCreate {
				braces = append(braces, g.base().braces())
			}
		}
		ints := func(name string, list []int32) { s.Args = append(s.Args, Column{Name: name, Ints: list}) }
		switch v.Call {
		case CallDup, CallBarrier, CallAllgather, CallAlltoall:
		case CallSplit:
			ints("color", a)
			ints("key", b)
		case CallMerge:
			ints("high", a)
		case CallBcast, CallGather, CallScatter:
			ints("root", a)
		case CallRecv:
			ints("source", a)
			ints("tag", b)
		case CallCreate:
			s.Args = []Column{{Name: "group", Texts: braces}}
			known = known && len(braces) == v.Ranks.Len()
		default:
			known = false
		}
		steps = append(steps, s)
	}
	return steps, known
}
