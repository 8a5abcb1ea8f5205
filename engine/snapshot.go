package engine

import (
	"slices"

	"commsplit/hw"
)

// Snapshot is an immutable view of a world up to one step of its trace: all that pictures and
// documents are made from.
type Snapshot struct {
	Size     int
	Topology *hw.Topology  // nil when the world has none
	Bindings []*hw.Binding // where each rank runs then; nil when the world has none
	Std      Std
	Steps    []Step      // steps 1 to the snapshot's
	Comms    []*CommInfo // in order of id; MPI_COMM_WORLD first
	Output   []Line
	Raised   []Raised // errors, caught ones too: see Errors
	Waiting  []Wait   // blocked ranks; only in a snapshot of the present

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
		Steps: slices.Clip(w.steps), Comms: slices.Clip(w.comms), Output: slices.Clip(w.lines),
		Raised:  slices.Clip(w.raised),
		Waiting: w.waits(),
	}
}

// At returns the state after the given step, 0 being the beginning.
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

// countFunc counts the leading elements for which f holds.
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
