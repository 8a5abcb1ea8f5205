package moment

import (
	"cmp"
	"slices"
	"strconv"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/repl"
)

// Moment is the session after a step of its trace.
type Moment struct {
	View    *render.View    // after the step
	Present *render.View    // after the last step
	Step    int             // of the trace; 0: the beginning
	Last    int             // the last step of the trace
	Stuck   int             // not the whole moment after the step, but ranks are blocked then: index in Present.Stuck, from 1; 0: no
	Handles []render.Handle // world first, then the variables
	Ground  *Ground
	Words   *render.Words
	Waiting []bool // by world rank: it waits in a call; nil: no rank does

	told      map[madeKey]string // texts of Made
	parts     []*render.Parting
	table     *render.Translation
	arguments map[int]*Arguments // by handle
	descent   *render.Descent
	holders   map[int]int // by communicator: the last handle that holds it
}

// NewMoment returns the moment of a session after a step; -1 is the last step. It reuses the ground and the
// partitions of another moment, before, that are still the same; before may be nil.
func NewMoment(present *render.View, step int, before *Moment) *Moment {
	last := len(present.Snapshot.Steps)
	if step < 0 || step > last {
		step = last
	}
	return newMoment(&Moment{View: repl.PastView(present, step), Present: present, Step: step, Last: last}, before)
}

// newMoment finishes a moment whose views and steps are set.
func newMoment(m, before *Moment) *Moment {
	present := m.Present
	var ground *Ground
	if before != nil {
		ground = before.Ground
	}
	m.Ground = NewGround(m.View.Snapshot, ground) // ranks may have moved since
	world := render.Handle{Name: "world", IDs: make([]int32, present.Snapshot.Size)}
	m.Handles = append([]render.Handle{world}, m.View.Handles...)
	m.part(before)
	m.Words, m.told = render.NewWords(m.View), map[madeKey]string{}
	m.descent = render.DescentOf(m.View.Snapshot)
	m.Waiting = render.Blocked(m.View.Snapshot)
	return m
}

// part finds the partitions of all handles. As that looks at every rank, it happens where moments are made, in the
// background. It reuses partitions of before that are still the same.
func (m *Moment) part(before *Moment) {
	m.parts = make([]*render.Parting, len(m.Handles))
	for k := range m.Handles {
		h := &m.Handles[k]
		if before != nil {
			if i := before.Handle(h.Name); i >= 0 && before.parts[i].Still(m.View.Snapshot, h) {
				m.parts[k] = before.parts[i]
				continue
			}
		}
		m.parts[k] = render.PartingOf(m.View.Snapshot, h)
	}
	m.letter(nil)
}

// letter gives the communicators of all variables their letters and colors. If the moment shows beside another
// moment, the other's variables come first, so that a letter means the same communicator on the whole screen. World
// has no letters.
func (m *Moment) letter(beside *Moment) {
	var list []*render.Parting
	if beside != nil {
		list = append(list, beside.parts[1:]...)
	}
	list = render.Together(append(list, m.parts[1:]...)...)
	copy(m.parts[1:], list[len(list)-len(m.parts)+1:])
	m.parts[0] = m.parts[0].Unlettered(list)
	for _, p := range list {
		if p.Len() > 0 {
			p.Slot(0) // finds the slots of all
			return
		}
	}
}

// Before returns the moment of the step before, with the letters of m.
func (m *Moment) Before() *Moment {
	before := m.At(m.Step - 1)
	if m.Stuck > 0 {
		before = m.At(m.Step)
	}
	before.letter(m)
	return before
}

// Prepared makes everything in m that looks at every rank, so that no key waits for it, and returns m.
func (m *Moment) Prepared() *Moment {
	m.Table()
	m.Holder(0, -1)
	return m
}

// Place is a stop on the way through the session: after a step, or where ranks were blocked after that step (see
// Moment.Stuck).
type Place struct{ Step, Stuck int }

// Place returns where the moment is.
func (m *Moment) Place() Place { return Place{m.Step, m.Stuck} }

// Beside returns the next stop after a place (by 1), or the stop before it (-1). ok is false at the ends.
func (m *Moment) Beside(p Place, by int) (next Place, ok bool) {
	list := m.Present.Stuck
	if m.Present.Deadlock != nil && len(list) > 0 {
		list = list[:len(list)-1] // that is the present
	}
	switch {
	case by > 0:
		for i, s := range list {
			if s.Step == p.Step && i+1 > p.Stuck {
				return Place{p.Step, i + 1}, true
			}
		}
		return Place{p.Step + 1, 0}, p.Step < m.Last
	case p.Stuck > 0:
		return Place{p.Step, 0}, true
	}
	for i, s := range list {
		if s.Step == p.Step-1 {
			return Place{s.Step, i + 1}, true
		}
	}
	return Place{p.Step - 1, 0}, p.Step > 0
}

// To returns the same session at another place.
func (m *Moment) To(p Place) *Moment {
	if p.Stuck == 0 {
		return m.At(p.Step)
	}
	return newMoment(&Moment{View: m.Present.Stuck[p.Stuck-1].View, Present: m.Present, Step: p.Step, Stuck: p.Stuck, Last: m.Last}, m)
}

// At returns the same session after another step.
func (m *Moment) At(step int) *Moment { return NewMoment(m.Present, step, m) }

// Size returns the number of ranks.
func (m *Moment) Size() int { return m.View.Snapshot.Size }

// Past reports whether the moment is before the last step.
func (m *Moment) Past() bool { return m.Step < m.Last || m.Stuck > 0 }

// Parting returns the partition of the k-th handle.
func (m *Moment) Parting(k int) *render.Parting { return m.parts[k] }

// Table returns the translation table: where the ranks are in every handle.
func (m *Moment) Table() *render.Translation {
	if m.table == nil {
		m.table = render.TranslationOf(m.View, m.parts[1:])
	}
	return m.table
}

// Made returns the call that made a communicator, in at most width columns.
func (m *Moment) Made(c *engine.CommInfo, width int) string {
	k := madeKey{c.ID, width}
	text, ok := m.told[k]
	if !ok {
		text = m.Words.Made(c, width)
		m.told[k] = text
	}
	return text
}

// madeKey identifies a text of Made: a communicator and a width.
type madeKey struct{ id, width int }

// Blocked reports whether a rank waits in a call.
func (m *Moment) Blocked(rank int) bool { return m.Waiting != nil && m.Waiting[rank] }

// Handle finds a handle by name; -1 when there is none.
func (m *Moment) Handle(name string) int {
	return slices.IndexFunc(m.Handles, func(h render.Handle) bool { return h.Name == name })
}

// Holder returns a handle that holds a communicator on some rank: preferred if it does, otherwise the last handle
// that does; -1 for none.
func (m *Moment) Holder(id, preferred int) int {
	if preferred >= 0 && preferred < len(m.Handles) && m.Part(preferred, id) >= 0 {
		return preferred
	}
	if m.holders == nil {
		m.holders = map[int]int{}
		for k := range m.Handles {
			p := m.Parting(k)
			for i := range p.Len() {
				m.holders[p.Comm(i)] = k
			}
		}
	}
	if k, ok := m.holders[id]; ok {
		return k
	}
	return -1
}

// Part returns the index of a communicator in the partition of a handle; -1 when no rank holds it there.
func (m *Moment) Part(handle, id int) int {
	return m.Parting(handle).Find(id)
}

// PlaceIn returns the rank of a process in its group of a communicator, and whether that is the right group; ok is
// false for a process that is not a member. If all members hold the communicator in one variable, it does not search
// the groups.
func (m *Moment) PlaceIn(c *engine.CommInfo, world int) (rank int, right, ok bool) {
	if h := m.Holder(c.ID, -1); h >= 0 {
		p := m.Parting(h)
		k := p.Find(c.ID)
		if at, rank, right := p.Place(world); at == k {
			return rank, right, true
		}
		if p.Held(k) == len(c.Group)+len(c.Remote) {
			return 0, false, false
		}
	}
	for side, group := range [][]int32{c.Group, c.Remote} {
		if k := slices.Index(group, int32(world)); k >= 0 {
			return k, side == 1, true
		}
	}
	return 0, false, false
}

// Said returns the lines and notes of ranks between the step and the next step.
func (m *Moment) Said() []engine.Line {
	all := m.Present.Snapshot.Output // in order of the steps
	behind := func(step int) int {
		n, _ := slices.BinarySearchFunc(all, step, func(l engine.Line, step int) int { return cmp.Compare(l.Step, step) })
		return n
	}
	return all[behind(m.Step):behind(m.Step+1)]
}

// Folds remembers which rows a person opened and closed, by the key of a row: an object, or a chunk of siblings.
// With the zero value, every row is in its default state.
type Folds struct{ changed map[any]bool }

// Toggle opens a row that is closed by default, and closes a row that is open by default; called again, it
// restores the default.
func (f *Folds) Toggle(key any) {
	if f.changed == nil {
		f.changed = map[any]bool{}
	}
	if f.changed[key] = !f.changed[key]; !f.changed[key] {
		delete(f.changed, key)
	}
}

// Open reports whether a row is open; byDefault is its default state.
func (f *Folds) Open(key any, byDefault bool) bool { return byDefault != f.changed[key] }

// RowName returns "half#2", or "half#2-65" for several communicators.
func (m *Moment) RowName(r *render.Kin) string {
	name := m.Words.Name(r.Comms[0].ID)
	if n := len(r.Comms); n > 1 {
		name += "-" + strconv.Itoa(r.Comms[n-1].ID)
	}
	return name
}

// CommRows returns the rows of lineage that are unfolded where there is room for so many lines.
func (m *Moment) CommRows(f *Folds, room int) []render.Kin {
	unfold := render.InRoom(room)
	unfold.Open = func(k *render.Kin, byDefault bool) bool { return f.Open(k.Key(), byDefault) }
	return m.descent.Rows(unfold)
}
