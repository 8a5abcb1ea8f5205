package engine

import (
	"cmp"
	"slices"
)

// locateCalls makes blocked ranks that do not know their line look it up.
func (w *World) locateCalls() {
	w.locate = true
	for i := range w.procs {
		if p := &w.procs[i]; p.state == blocked && p.site == (Site{}) {
			w.release(p.rank)
		}
	}
	if w.resume() {
		<-w.quiet
	}
	w.locate = false
}

// Deadlock is the error of a world in which ranks wait and nobody can go on.
type Deadlock struct {
	Waiting []Wait
	Message string // the whole diagnosis: who waits where, who is missing, the rule and a fix
	Calls   []Step // what they wait in, as steps that have not ended, in the order of Waiting
	Told    bool   // whether Calls has all that was passed
}

// Error is the diagnosis.
func (d *Deadlock) Error() string { return d.Message }

// Deadlock diagnoses a world in which ranks wait and nobody can go on.
func (w *World) Deadlock() *Deadlock {
	waiting := w.waits()
	if len(waiting) == 0 {
		return nil
	}
	slices.SortStableFunc(waiting, func(a, b Wait) int { return cmp.Compare(b.Ranks.Len(), a.Ranks.Len()) })
	calls, told := w.blockedCalls(waiting)
	return &Deadlock{Waiting: waiting, Message: w.diagnose(waiting), Calls: calls, Told: told}
}
