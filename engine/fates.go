package engine

import "slices"

// Fates is what became of communicators up to a step of the trace: their names, and which were freed.
type Fates struct {
	Names  map[int]string // by id: the predefined ones, and what the lowest rank set last
	Freed  map[int]bool
	setter map[int]int // by id: the rank that set the name
}

// NewFates is the beginning of a trace.
func NewFates() *Fates {
	return &Fates{
		Names: map[int]string{0: predefinedName(0), SelfID: predefinedName(SelfID)},
		Freed: map[int]bool{}, setter: map[int]int{},
	}
}

// Follow goes one step on. It reports whether the communicator of that step got a name by it, and
// whether it was freed by it.
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

// Fates tells what became of communicators.
func (s *Snapshot) Fates() *Fates { return s.FatesSince(0) }

// FatesSince tells what became, after a step, of communicators. It knows all of those that were made in
// this step or later, for the work of the steps after it.
func (s *Snapshot) FatesSince(step int) *Fates {
	f := NewFates()
	for i := min(step, len(s.Steps)); i < len(s.Steps); i++ {
		f.Follow(&s.Steps[i])
	}
	return f
}

// Freed lists the ids of the communicators that were freed.
func (s *Snapshot) Freed() map[int]bool { return s.Fates().Freed }

// Names gives the names of communicators: the predefined ones, and what the lowest rank set last.
func (s *Snapshot) Names() map[int]string { return s.Fates().Names }

// Freed is a communicator that a step of the trace freed.
type Freed struct {
	Step int
	Comm *CommInfo
}

// FreedSince lists the communicators that steps after the given one freed. The world must be quiet.
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

// Frees reports whether the step gave its communicator up.
func (s *Step) Frees() bool { return s.Call.frees() && s.Err == nil }
