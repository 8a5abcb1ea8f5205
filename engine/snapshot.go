package engine

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"codeberg.org/commsplit/commsplit/hw"
)

// Moment is a place in the order of events in a world: after so many steps of the trace and lines of output. Turn and
// Own order events at the same place: Turn is the superstep, and Own counts the errors that the process raised in it:
// 2n after n errors, 2n+1 for the next error itself.
type Moment struct{ Steps, Lines, Turn, Own int }

// Compare compares two moments by their order: -1, 0 or 1.
func (m Moment) Compare(o Moment) int {
	return cmp.Or(cmp.Compare(m.Steps, o.Steps), cmp.Compare(m.Lines, o.Lines), cmp.Compare(m.Turn, o.Turn), cmp.Compare(m.Own, o.Own))
}

// Now returns the moment after everything that has happened so far. The world must be quiet.
func (w *World) Now() Moment { return Moment{len(w.steps), w.spoken, w.turns, math.MaxInt} }

// Snapshot is an immutable view of a world up to one step of its trace: pictures and documents are made from it.
type Snapshot struct {
	Size     int
	Topology *hw.Topology  // nil when the world has none
	Bindings []*hw.Binding // where each rank runs then; nil when the world has none
	Std      Std
	Steps    []Step      // steps 1 to the snapshot's
	Comms    []*CommInfo // in order of id; MPI_COMM_WORLD first
	Output   []Line      // the latest lines
	Forgot   int         // how many lines before these are forgotten, after a flood of output
	Raised   []Raised    // caught errors, too: see Errors
	Waiting  []Wait      // blocked ranks; only in a snapshot of the present

	started []*hw.Binding // where the ranks ran at the beginning
	moves   []Move        // those of each rank in order
}

// Snapshot returns the present state of a world with a trace. The world must be quiet.
func (w *World) Snapshot() *Snapshot {
	now := w.started
	if len(w.moves) > 0 {
		now = slices.Clone(w.bindings)
	}
	return &Snapshot{
		Size: w.size, Topology: w.topology, Bindings: now, Std: w.std,
		started: w.started, moves: slices.Clip(w.moves),
		Steps: slices.Clip(w.steps), Comms: slices.Clip(w.comms), Output: slices.Clip(w.lines), Forgot: w.forgot,
		Raised:  slices.Clip(w.raised),
		Waiting: w.waits(),
	}
}

// At returns the state after a step, 0 being the beginning.
func (s *Snapshot) At(step int) *Snapshot {
	if step >= len(s.Steps) {
		return s
	}
	past := *s
	past.Bindings, past.moves = s.BindingsAt(step), movesUntil(s.moves, step)
	past.Steps = s.Steps[:step:step]
	past.Comms = s.Comms[:countFunc(s.Comms, func(c *CommInfo) bool { return c.Step <= step })]
	past.Output = s.Output[:countFunc(s.Output, func(l Line) bool { return l.Step <= step })]
	past.Raised = s.Raised[:countFunc(s.Raised, func(r Raised) bool { return r.Step <= step })]
	past.Waiting = nil
	return &past
}

// Move is a change of the PUs that a rank is bound to: see [Process.Bind].
type Move struct {
	Step int // number of the step that changed them
	Rank int32
	To   *hw.Binding
}

// BindingsAt returns the binding of each rank after the given step, 0 being the beginning; nil when the world has
// no topology. The result is shared; do not modify it.
func (s *Snapshot) BindingsAt(step int) []*hw.Binding {
	if !slices.ContainsFunc(s.moves, func(m Move) bool { return m.Step > step }) {
		return s.Bindings
	}
	at := slices.Clone(s.started)
	for _, m := range movesUntil(s.moves, step) {
		at[m.Rank] = m.To
	}
	return at
}

// Rebound returns the ranks that were bound to other PUs after a step.
func (s *Snapshot) Rebound(step int) Ranks {
	var list []int
	for _, m := range s.moves {
		if m.Step > step {
			list = append(list, int(m.Rank))
		}
	}
	return RanksOf(list...)
}

// movesUntil returns the moves up to a step.
func movesUntil(list []Move, step int) []Move {
	return slices.DeleteFunc(slices.Clone(list), func(m Move) bool { return m.Step > step })
}

// countFunc counts the elements at the beginning of a list for which f holds.
func countFunc[T any](list []T, f func(T) bool) int {
	if i := slices.IndexFunc(list, func(e T) bool { return !f(e) }); i >= 0 {
		return i
	}
	return len(list)
}

// Comm finds a communicator by id; nil when there is none.
func (s *Snapshot) Comm(id int) *CommInfo {
	i, ok := slices.BinarySearchFunc(s.Comms, id, func(c *CommInfo, id int) int { return c.ID - id })
	if !ok {
		return nil
	}
	return s.Comms[i]
}

// Fates has, up to a step of the trace, the names of communicators and which of them were freed.
type Fates struct {
	Names  map[int]string // by id: predefined names, and what the lowest rank set last
	Freed  map[int]bool
	setter map[int]int // by id: the rank that set the name
}

// FatesAfter returns the names and freed communicators after some steps.
func FatesAfter(steps []Step) *Fates {
	f := &Fates{Names: maps.Clone(predefinedNames), Freed: map[int]bool{}, setter: map[int]int{}}
	for i := range steps {
		f.Follow(&steps[i])
	}
	return f
}

// Follow takes the next step into account. It reports whether the step named its communicator, and whether it freed it.
func (f *Fates) Follow(s *Step) (named, freed bool) {
	switch {
	case s.Frees():
		f.Freed[s.Comm] = true
		return false, true
	case s.Call == CallSetName:
		low := s.Ranks.First()
		if by, ok := f.setter[s.Comm]; !ok || low <= by {
			f.setter[s.Comm], f.Names[s.Comm] = low, s.Args[0].Texts[0]
			return true, false
		}
	}
	return false, false
}

// Fates returns the fates of communicators up to the last step.
func (s *Snapshot) Fates() *Fates { return FatesAfter(s.Steps) }

// Freed lists the ids of the communicators that were freed.
func (s *Snapshot) Freed() map[int]bool { return s.Fates().Freed }

// Names returns the names of communicators by id, as Fates.Names.
func (s *Snapshot) Names() map[int]string { return s.Fates().Names }

// Freed is a communicator with the step that freed it.
type Freed struct {
	Step int
	Comm *CommInfo
}

// FreedSince lists the communicators that steps after a step freed. The world must be quiet.
func (w *World) FreedSince(step int) []Freed {
	var list []Freed
	for i := range w.steps[step:] {
		if s := &w.steps[step+i]; s.Frees() {
			at, _ := slices.BinarySearchFunc(w.comms, s.Comm, func(c *CommInfo, id int) int { return c.ID - id })
			list = append(list, Freed{s.Number, w.comms[at]})
		}
	}
	return list
}
