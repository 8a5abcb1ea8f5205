package engine

import (
	"errors"
	"slices"

	"commsplit/hw"
)

// Bind restricts the process to some PUs of its host from now on: a process "can be relocated (e.g.,
// migrated or have its hardware restrictions changed)" (§9.1.2). It is local, and no call of MPI but
// what the system or the process itself does beside it. Later splits and [Process.HWResourceInfo] go
// by the new PUs. Communicators made before stay as they are, and may no longer reflect the hardware
// that their processes utilize (§7.4.2, advice to users). The error says which PU the host lacks.
func (p *Process) Bind(set hw.Set) error {
	p.w.place()
	at := p.w.bindings[p.rank].Host
	if set.Empty() {
		return errors.New("a process must run somewhere: the set of PUs is empty")
	}
	if err := p.w.topology.Hosts[at].CheckPUs(set); err != nil {
		return err
	}
	b := &hw.Binding{Host: at, CPUSet: set.Clone()}
	p.w.bindings[p.rank] = b
	p.local(CallBind, nil, textArg("cpuset", set.String()))
	if p.w.trace {
		p.mail.events[len(p.mail.events)-1].binding = b
	}
	return nil
}

// Host is the machine that the process runs on.
func (p *Process) Host() *hw.Object {
	p.w.place()
	return p.w.topology.Hosts[p.w.bindings[p.rank].Host]
}

// Move is a rank that went to other PUs: see [Process.Bind].
type Move struct {
	Step int // number of the step that moved it
	Rank int32
	To   *hw.Binding
}

// BindingsAt tells where the ranks ran after the given step, 0 being the beginning; nil when the
// world has no topology. The result is shared; do not modify it.
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

// Rebound are the ranks that were bound to other PUs since the given step.
func (s *Snapshot) Rebound(step int) Ranks {
	var list []int
	for _, m := range s.moves {
		if m.Step > step {
			list = append(list, int(m.Rank))
		}
	}
	slices.Sort(list)
	return RanksOf(slices.Compact(list)...)
}

// movesUntil are the moves up to a step.
func movesUntil(list []Move, step int) []Move {
	return slices.DeleteFunc(slices.Clone(list), func(m Move) bool { return m.Step > step })
}
