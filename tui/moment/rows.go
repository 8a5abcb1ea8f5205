package moment

import (
	"strconv"

	"codeberg.org/commsplit/commsplit/render"
)

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
