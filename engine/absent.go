package engine

import "fmt"

// Those that ranks wait for may have made the call and failed, or have nothing left to do. Many waits
// need the same processes, a set that they share: each set is looked at once.

// callOver is a call by name and communicator.
type callOver struct {
	call Call
	comm int
}

// failedCalls tells which missing ranks made the call that others wait in, but got an error from it,
// which they caught.
func (w *World) failedCalls(waiting []Wait) (failed map[int32]bool, clauses []string) {
	type question struct {
		callOver
		of *Range
	}
	failed = map[int32]bool{}
	raised := w.raisedIn()
	seen := map[question]bool{}
	for _, v := range waiting {
		on := callOver{v.Call, v.Comm}
		who := v.wanted.common(raised[on])
		if len(who) == 0 || seen[question{on, &v.wanted[0]}] {
			continue
		}
		seen[question{on, &v.wanted[0]}] = true
		clauses = append(clauses, w.howFailed(who, failed)...)
	}
	return failed, clauses
}

// raisedIn is the ranks whose latest error came from a call, by that call. Those that wait in it made
// it again.
func (w *World) raisedIn() map[callOver]Ranks {
	by := map[callOver]Ranks{}
	for i := range w.procs {
		p := &w.procs[i]
		if p.mail == nil || p.mail.raised == nil {
			continue
		}
		on := callOver{p.mail.raised.Call, p.mail.raised.Comm}
		if p.state == blocked && p.current.call == on.call && w.keyOf(p).core.id() == on.comm {
			continue
		}
		set := by[on]
		set.Append(p.rank)
		by[on] = set
	}
	return by
}

// howFailed is "the call of rank 2 failed with MPI_ERR_ARG (demo.py:7)" for those of who that are not
// known to have failed, and notes them.
func (w *World) howFailed(who Ranks, failed map[int32]bool) []string {
	byText := map[string]*Ranks{}
	var order []string
	for m := range who.All {
		if failed[int32(m)] {
			continue
		}
		failed[int32(m)] = true
		e := w.procs[m].mail.raised
		text := fmt.Sprintf("failed with %s", e.Class)
		if e.Where != "" {
			text += " (" + e.Where + ")"
		}
		if byText[text] == nil {
			order = append(order, text)
			byText[text] = &Ranks{}
		}
		byText[text].Append(int32(m))
	}
	var clauses []string
	for _, text := range order {
		clauses = append(clauses, fmt.Sprintf("the call of %s %s", byText[text].Noun(), text))
	}
	return clauses
}

// idle lists the ranks that somebody waits for and that have nothing left to do.
func (w *World) idle(waiting []Wait, failed map[int32]bool) Ranks {
	var over Ranks
	for i := range w.procs {
		if s := w.procs[i].state; (s == idle || s == gone) && !failed[int32(i)] {
			over.Append(int32(i))
		}
	}
	var list Ranks
	seen := map[*Range]bool{}
	for _, v := range waiting {
		if len(v.wanted) > 0 && !seen[&v.wanted[0]] {
			seen[&v.wanted[0]] = true
			list = append(list, v.wanted.common(over)...)
		}
	}
	return list.merged()
}
