package tui

import (
	"strconv"

	"commsplit/engine"
	"commsplit/render"
	"commsplit/render/paint"
	"commsplit/tui/scene"
)

// commView is the pane with the communicators by descent.
type commView struct {
	rowPane
	tree []scene.CommRow
	of   *scene.Moment // that the rows of the tree were made for
}

func (v *commView) update(m *Model) {
	if v.of != m.moment {
		v.tree, v.of = m.moment.CommRows(&v.folds), m.moment
		v.to(v.at, len(v.tree))
	}
}

func (v *commView) rows(m *Model) (*list, int) {
	v.update(m)
	return &v.list, len(v.tree)
}

func (v *commView) hidden(height int) string { return v.shown(len(v.tree), height) }

// text is the name and the call.
func (v *commView) text(m *Model, row int) string {
	r := &v.tree[row]
	return m.moment.RowName(r) + " " + m.moment.Made(r.Comms[0], 80)
}

func (v *commView) named() bool { return true }

func (v *commView) lines(m *Model, width, height int) []paint.Line {
	v.update(m)
	from, to := v.window(len(v.tree), height)
	column := 0
	for i := from; i < to; i++ {
		column = max(column, paint.Width(v.tree[i].Branch)+5+paint.Width(m.moment.RowName(&v.tree[i])))
	}
	column = min(column, width-12)
	var out []paint.Line
	for i := from; i < to; i++ {
		out = append(out, v.line(m, i, column, width))
	}
	return out
}

func (v *commView) line(m *Model, i, column, width int) paint.Line {
	r := &v.tree[i]
	here := i == v.at && m.focus == commPane && !m.typing
	var l paint.Line
	l.Add(mark(here), paint.Accent)
	l.Add(r.Branch+foldSign(r.Fold), paint.Faint)
	letter, ink := v.letter(m, r)
	l.Add(letter, ink)
	chosen := here || sameComms(m.sel.Comms, r.Comms)
	where, lit := v.selected(m, r)
	name := m.moment.RowName(r)
	l.Add(paint.Cut(name, max(column-l.Width(), 6)), litIf(paint.Bold, chosen || lit))
	l.Pad(column)
	l.Add(" ", paint.Plain)
	sizes := render.Sizes(r.Comms)
	if n := len(r.Comms); n > 1 {
		sizes = strconv.Itoa(n) + " × " + sizes
	}
	l.Add(sizes+" ", paint.Plain)
	if state := m.moment.State(r.Comms); state != "" {
		l.Add(state+" ", paint.Alarm)
	}
	if where != "" {
		l.Add(where+" ", paint.Accent)
	}
	if left := width - l.Width() - 1; left > 10 {
		l.Add(m.moment.Made(r.Comms[0], left), paint.Faint)
	}
	return l
}

// letter is the letter of the communicator in the cells of the present variable, or of any variable that
// shows.
func (v *commView) letter(m *Model, r *scene.CommRow) (string, paint.Ink) {
	handle := m.handle
	if m.all {
		handle = m.moment.Holder(r.Comms[0].ID, handle)
	}
	if handle <= 0 {
		return "", paint.Plain
	}
	k := m.moment.Part(handle, r.Comms[0].ID)
	if k < 0 {
		return "", paint.Plain
	}
	text := m.moment.Parting(handle).Letter(k)
	if n := len(r.Comms); n > 1 {
		if last := m.moment.Part(handle, r.Comms[n-1].ID); last >= 0 {
			text += "-" + m.moment.Parting(handle).Letter(last)
		}
	}
	return text + " ", m.partInk(k)
}

// selected tells how much of the selection a communicator has: the rank there of a selected process, or
// the number of lit ranks.
func (v *commView) selected(m *Model, r *scene.CommRow) (string, bool) {
	if m.sel.Empty() || len(m.sel.Comms) > 0 {
		return "", false
	}
	if rank := m.sel.Rank(); rank >= 0 {
		for _, c := range r.Comms {
			if k, _, ok := placeIn(c, rank); ok {
				return "◂ rank " + strconv.Itoa(k), true
			}
		}
		return "", false
	}
	n := 0
	for _, c := range r.Comms {
		for _, group := range [][]int32{c.Group, c.Remote} {
			for _, w := range group {
				if m.lit.Has(int(w)) {
					n++
				}
			}
		}
	}
	if n == 0 {
		return "", false
	}
	return "◂ " + strconv.Itoa(n) + " lit", false
}

// placeIn is the rank of a process in its group of a communicator.
func placeIn(c *engine.CommInfo, world int) (rank int, right, ok bool) {
	for side, group := range [][]int32{c.Group, c.Remote} {
		for k, w := range group {
			if int(w) == world {
				return k, side == 1, true
			}
		}
	}
	return 0, false, false
}

func sameComms(ids []int, comms []*engine.CommInfo) bool {
	return len(ids) == len(comms) && len(ids) > 0 && ids[0] == comms[0].ID && ids[len(ids)-1] == comms[len(comms)-1].ID
}

// moved selects the communicators of the line with the cursor, and the variable that holds them.
func (v *commView) moved(m *Model) {
	v.update(m)
	r := &v.tree[v.at]
	ids := make([]int, len(r.Comms))
	for i, c := range r.Comms {
		ids[i] = c.ID
	}
	if h := m.moment.Holder(ids[0], m.handle); h >= 0 {
		m.handle = h
	}
	m.choose(scene.Selection{Comms: ids})
}

func (v *commView) fold(m *Model) bool {
	_, n := v.rows(m)
	if n == 0 || v.tree[v.at].Fold == scene.Bare {
		return false
	}
	v.folds.Toggle(v.tree[v.at].Key)
	v.of = nil
	v.update(m)
	return true
}

// click goes to a line; a line that is clicked again opens or closes.
func (v *commView) click(m *Model, _ rect, line, _ int) {
	i := v.top + line
	if i >= len(v.tree) {
		return
	}
	again := i == v.at && !m.sel.Empty()
	v.at = i
	v.moved(m)
	if again {
		v.fold(m)
	}
}

func (v *commView) sideways(m *Model, step int) {
	v.update(m)
	r := &v.tree[v.at]
	if step > 0 && r.Fold == scene.Closed || step < 0 && r.Fold == scene.Open {
		v.fold(m)
	}
}

// reveal moves the cursor to the selected communicator, or to the communicator that the selected rank
// holds in the present variable.
func (v *commView) reveal(m *Model, r rect) {
	v.update(m)
	id := m.sel.Comm()
	if rank := m.sel.Rank(); rank >= 0 {
		if k, _, _ := m.moment.Parting(m.handle).Place(rank); k >= 0 {
			id = m.moment.Parting(m.handle).Comm(k)
		}
	}
	for i := range v.tree {
		c := v.tree[i].Comms
		if id >= c[0].ID && id <= c[len(c)-1].ID && (len(c) > 1 || c[0].ID == id) {
			v.center(i, r.h-1)
			return
		}
	}
}
