package tui

import (
	"commsplit/engine"
	"commsplit/tui/scene"
)

// sync makes the rows for where the pane shows.
func (v *hwView) sync(m *Model) {
	if r, ok := m.layout.of(hwPane); ok {
		v.update(m, r.w)
	}
}

// moved selects what the cursor is on now.
func (v *hwView) moved(m *Model) {
	v.sync(m)
	if len(v.rows) == 0 {
		return
	}
	r := &v.rows[v.at]
	v.col = min(v.col, len(r.Cells)-1)
	if v.col >= 0 {
		m.choose(cellSelection(m, r.Cells[v.col]))
		return
	}
	switch {
	case r.Object != nil:
		m.choose(scene.Selection{Object: r.Object})
	default:
		m.choose(scene.Selection{Ranks: engine.RanksOf(m.moment.Ground.Ranks(r.All)...)})
	}
}

// cellSelection is a rank that is alone on its core, or the core.
func cellSelection(m *Model, c scene.Cell) scene.Selection {
	if c.Ranks.Len() == 1 || c.Object == nil {
		return scene.Selection{Ranks: engine.RanksOf(m.moment.Ground.Ranks(c.Ranks)...)}
	}
	return scene.Selection{Object: c.Object}
}

// sideways moves among the cells of a line; it closes and opens lines that have none.
func (v *hwView) sideways(m *Model, step int) {
	v.sync(m)
	if v.at >= len(v.rows) {
		return
	}
	r := &v.rows[v.at]
	if len(r.Cells) > 0 {
		v.col = max(-1, min(v.col+step, len(r.Cells)-1))
		v.moved(m)
		return
	}
	if step > 0 && r.Fold == scene.Closed || step < 0 && r.Fold == scene.Open {
		v.fold(m)
	}
}

// fold opens or closes the line with the cursor.
func (v *hwView) fold(m *Model) {
	v.sync(m)
	if v.at < len(v.rows) && v.rows[v.at].Fold != scene.Bare {
		v.folds.Toggle(v.rows[v.at].Key)
		v.refold()
	}
}

// reveal moves the cursor to the first line that shows a lit rank.
func (v *hwView) reveal(m *Model, height int) {
	if m.lit.Len() == 0 {
		return
	}
	for i := range v.rows {
		r := &v.rows[i]
		if r.Object != nil && r.Object == m.sel.Object {
			v.center(i, height)
			v.col = -1
			return
		}
	}
	for i := range v.rows {
		r := &v.rows[i]
		if m.lit.Count(r.Own) > 0 {
			v.center(i, height)
			v.col = -1
			return
		}
		for k, c := range r.Cells {
			if m.lit.Count(c.Ranks) > 0 {
				v.center(i, height)
				v.col = k
				return
			}
		}
	}
}
