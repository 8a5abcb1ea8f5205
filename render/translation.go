package render

import "commsplit/engine"

// Translation is where ranks are in every handle of a view, in rows: every rank, or in a large world
// ranks in equal steps that are in the same communicators with ranks in equal steps there.
type Translation struct {
	t    *translation
	rows []tableRow
}

// NewTranslation makes the rows for the handles of v.
func NewTranslation(v *View) *Translation {
	t := newTranslation(v)
	return &Translation{t, t.rows()}
}

// Len is the number of rows.
func (t *Translation) Len() int { return len(t.rows) }

// Label is the world ranks of a row: "3", "0-63", "0,2,..,62".
func (t *Translation) Label(row int) string { return t.rows[row].String() }

// Ranks is the world ranks of a row.
func (t *Translation) Ranks(row int) engine.Ranks {
	var set engine.Ranks
	for i := range t.rows[row].n {
		set.Append(int32(t.rows[row].first + i*t.rows[row].step))
	}
	return set
}

// Run is a row as the first world rank, the step to the next one, and how many there are.
func (t *Translation) Run(row int) (first, step, n int) {
	r := t.rows[row].run
	return r.first, r.step, r.n
}

// Has reports whether a world rank is in a row.
func (t *Translation) Has(row, world int) bool {
	r := t.rows[row].run
	at := world - r.first
	return at >= 0 && at%r.step == 0 && at/r.step < r.n
}

// Cell is what a row shows of a handle: "A 2", "A 0-63", Hollow, NotYet, and the index of the
// communicator, negative for none.
func (t *Translation) Cell(row, handle int) (text string, part int) {
	return t.t.cell(handle, t.rows[row]).text, int(t.t.columns[handle].of[t.rows[row].first])
}

// One is the cell of a single rank.
func (t *Translation) One(world, handle int) (text string, part int) {
	return t.t.cell(handle, tableRow{run: run{world, 1, 1}}).text, int(t.t.columns[handle].of[world])
}
