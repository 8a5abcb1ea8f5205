package tui

import (
	"strconv"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/render/lanes"
	"codeberg.org/commsplit/commsplit/render/paint"
	"codeberg.org/commsplit/commsplit/render/scene"
	"codeberg.org/commsplit/commsplit/tui/moment"
)

// commView is the pane with the communicators by descent, a lane for each. Ranks that have no communicator in the
// present variable have a lane for each of their states.
type commView struct {
	rowPane
	tree   []laneRow
	of     laneKey
	width  int // that the pane had last
	height int
	detail bool
	cell   int // 1 + the cell with the cursor on its lane; 0: the lane has it

	shown *moment.Moment // that was seen last
	since int            // communicators of later steps are new

	starts  []int        // of the rows that show: their first lines
	picture *scene.Scene // of these rows
	rooms   lanes.Pair   // of the lanes of the present variable, and of others
	chosen  roomKey      // what these were chosen for
}

// laneKey identifies the rows of the pane: they depend on nothing else.
type laneKey struct {
	moment *moment.Moment
	handle int
	all    bool
	room   int
}

// roomKey identifies the rooms of lanes: they depend on nothing else.
type roomKey struct {
	rows          laneKey
	n             int
	width, height int
}

// laneRow is a lane of the pane.
type laneRow struct {
	render.Kin // without communicators: the lane is of ranks in a state
	lane       *lanes.Lane
	viewer     int // that the lane was made for, of an intercommunicator

	lit    *moment.Lit // that the following was found for
	remark string      // how much of the selection it has
	marked bool
}

func (v *commView) update(m *Model) {
	key := laneKey{m.moment, m.handle, m.all, v.height}
	if v.of == key && v.tree != nil {
		return
	}
	if v.of.moment != m.moment {
		v.news(m)
	}
	v.of, v.tree = key, nil
	for _, r := range m.moment.CommRows(&v.folds, v.height) {
		v.tree = append(v.tree, laneRow{Kin: r})
	}
	var p *render.Parting
	if m.handle > 0 {
		p = m.moment.Parting(m.handle)
	}
	for _, l := range v.source(m).Last(p) {
		v.tree = append(v.tree, laneRow{lane: l})
	}
	v.to(v.at, len(v.tree))
}

// news finds out which communicators are new: at present, those of the last lines; in the past, those of the step.
func (v *commView) news(m *Model) {
	switch before := v.shown; {
	case before == nil:
		v.since = m.moment.Last
	case before.Present == m.moment.Present || m.moment.Past():
		v.since = m.moment.Step - 1
	default:
		v.since = min(before.Last, m.moment.Last)
	}
	v.shown = m.moment
}

// renew also forgets what was seen: in a world that is shown for the first time, nothing is new.
func (v *commView) renew() {
	v.rowPane.renew()
	v.shown = nil
}

// isNew reports whether a row was just made.
func (v *commView) isNew(r *laneRow) bool {
	return len(r.Comms) > 0 && r.Comms[len(r.Comms)-1].Step > max(v.since, 0)
}

func (v *commView) source(m *Model) *lanes.Source {
	return &lanes.Source{Snapshot: m.moment.View.Snapshot, Words: m.moment.Words, Made: m.moment.Made, Parting: func(id int) *render.Parting {
		handle := m.handle
		if m.all {
			handle = m.moment.Holder(id, handle)
		}
		if handle <= 0 {
			return nil
		}
		return m.moment.Parting(handle)
	}}
}

// lane returns the lane of a row, which is made when it first shows.
func (v *commView) lane(m *Model, i int) *lanes.Lane {
	r := &v.tree[i]
	if r.lane == nil || len(r.Comms) > 0 && len(r.lane.Sides) == 2 && r.viewer != m.viewer {
		r.lane, r.viewer = v.source(m).Lane(r.Comms, m.viewer), m.viewer
	}
	return r.lane
}

func (v *commView) rows(m *Model) (*list, int) {
	v.update(m)
	return &v.list, len(v.tree)
}

func (v *commView) hidden(height int) string {
	if len(v.starts) == len(v.tree) {
		return ""
	}
	return rowsShown(v.top, height, len(v.tree))
}

// text returns the name of a row and its call.
func (v *commView) text(m *Model, row int) string {
	r := &v.tree[row]
	if len(r.Comms) == 0 {
		return r.lane.Name
	}
	return m.moment.RowName(&r.Kin) + " " + m.moment.Made(r.Comms[0], 80)
}

func (v *commView) note(*Model) string {
	switch {
	case v.rooms[0].Tall:
		return "members in rank order: rank, world rank"
	case len(v.starts) > 0:
		return "world ranks in rank order"
	}
	return ""
}

func (v *commView) lines(m *Model, width, height int) []paint.Line {
	v.width, v.height = width, height
	v.update(m)
	v.choose(m, width-1, height)
	from, to := 0, len(v.tree)
	if v.rooms[1].Dense && v.rooms[0].Dense {
		from, to = v.window(len(v.tree), height)
	}
	look := v.look(m, width-1)
	if m.lit.Len() > 0 {
		look.Lit, look.Rank = m.lit.Has, m.sel.Rank()
	}
	v.starts, v.picture = v.starts[:0], &scene.Scene{Width: width}
	look.Column = v.column(m, from, to, width-1)
	for i := from; i < to; i++ {
		here, y := i == v.at && m.focus == commPane && !m.typing, v.picture.Height
		v.starts = append(v.starts, y)
		v.picture.Join(v.draw(m, i, here, look), 1, y)
		for ; here && y < v.picture.Height; y++ {
			v.picture.Put(0, y, mark(here), paint.Accent)
		}
	}
	if at, ok := m.player.at(); ok {
		v.picture = at.Scene(v.picture)
	}
	return v.picture.Draw()[:min(v.picture.Height, height)]
}

// look returns how lanes are drawn, without the selection.
func (v *commView) look(m *Model, width int) lanes.Look {
	return lanes.Look{Width: width, Rank: -1, Context: v.detail, Most: m.moment.Size(), Size: m.moment.Size()}
}

// column returns the column where the sizes of dense lanes begin.
func (v *commView) column(m *Model, from, to, width int) int {
	column := 0
	for i := from; i < to; i++ {
		column = max(column, v.lane(m, i).LeadWidth(v.setting(m, i, false)))
	}
	return min(column, width*3/5)
}

func (v *commView) draw(m *Model, i int, here bool, look lanes.Look) *scene.Scene {
	look.Room = v.rooms[v.kind(m, i)]
	return v.lane(m, i).Scene(v.setting(m, i, here), look)
}

// kind returns 0 for lanes of the present variable, which get room first, and 1 for others.
func (v *commView) kind(m *Model, i int) int {
	if l := v.lane(m, i); l.Letter != "" || l.State != paint.Holds || m.handle == 0 {
		return 0
	}
	return 1
}

// setting returns the surroundings of a lane.
func (v *commView) setting(m *Model, i int, here bool) lanes.Setting {
	r := &v.tree[i]
	if len(r.Comms) == 0 {
		lit := len(m.sel.Ranks) > 1 && m.sel.Ranks.Len() == len(r.lane.Sides[0].Group) && m.sel.Ranks.First() == int(r.lane.Sides[0].Group[0])
		return lanes.Setting{Fold: "  ", Indent: 3, Name: here || lit}
	}
	if r.lit != m.lit {
		r.lit = m.lit
		r.remark, r.marked = v.selected(m, &r.Kin)
	}
	at := lanes.Around(&r.Kin, true)
	at.Name, at.Remark, at.New = here || r.marked || sameComms(m.sel.Comms, r.Comms), r.remark, v.isNew(r)
	return at
}

// choose chooses the rooms of lanes. Those of the present variable get as much as there is; the others get as much,
// or a row of cells, or one line.
func (v *commView) choose(m *Model, width, height int) {
	key := roomKey{v.of, len(v.tree), width, height}
	if v.chosen == key {
		return
	}
	v.chosen, v.rooms = key, lanes.Pair{}
	kinds := make([]int, min(len(v.tree), height+1))
	for i := range kinds {
		kinds[i] = v.kind(m, i)
	}
	look := v.look(m, width)
	v.rooms = lanes.Choose(append([]lanes.Room{lanes.Poster}, lanes.Rooms...), kinds, height, func(i int, r lanes.Room) int {
		v.rooms[kinds[i]] = r
		return v.draw(m, i, false, look).Height
	})
}

// selected returns what the selection has to do with communicators: the rank of a selected process, or the number
// of selected ranks.
func (v *commView) selected(m *Model, r *render.Kin) (string, bool) {
	if m.sel.Empty() || len(m.sel.Comms) > 0 {
		return "", false
	}
	if rank := m.sel.Rank(); rank >= 0 {
		for _, c := range r.Comms {
			if k, _, ok := m.moment.PlaceIn(c, rank); ok {
				return "◂ rank " + strconv.Itoa(k), true
			}
		}
		return "", false
	}
	n := 0
	for _, c := range r.Comms {
		n += m.lit.Members(c)
	}
	if n == 0 {
		return "", false
	}
	return "◂ " + strconv.Itoa(n) + " selected", false
}

func sameComms(ids []int, comms []*engine.CommInfo) bool {
	return len(ids) == len(comms) && len(ids) > 0 && ids[0] == comms[0].ID && ids[len(ids)-1] == comms[len(comms)-1].ID
}

// moved selects the communicators of the lane with the cursor, and makes the variable that holds them the present
// one. For a lane of ranks in a state, it selects these ranks.
func (v *commView) moved(m *Model) {
	v.update(m)
	v.cell = 0
	r := &v.tree[v.at]
	if len(r.Comms) == 0 {
		m.choose(moment.Selection{Ranks: engine.RanksOf(r.lane.Sides[0].Group...)})
		return
	}
	ids := make([]int, len(r.Comms))
	for i, c := range r.Comms {
		ids[i] = c.ID
	}
	v.hold(m, ids[0])
	m.choose(moment.Selection{Comms: ids})
}

// hold makes the variable that holds a communicator the present variable. The cursor stays on its lane.
func (v *commView) hold(m *Model, id int) {
	h := m.moment.Holder(id, m.handle)
	if h < 0 || h == m.handle {
		return
	}
	key := v.tree[v.at].Key()
	m.handle = h
	v.update(m)
	for i := range v.tree {
		if v.tree[i].Key() == key {
			v.at = i
		}
	}
}

func (v *commView) fold(m *Model) bool {
	_, n := v.rows(m)
	if n == 0 || v.tree[v.at].Fold == render.Bare {
		return false
	}
	v.folds.Toggle(v.tree[v.at].Key())
	v.tree = nil
	v.update(m)
	return true
}

// click moves the cursor to a lane; on a cell, it selects the cell's rank or communicator. A second click on a lane
// opens or closes it.
func (v *commView) click(m *Model, r rect, line, x int) {
	if r.x > 0 { // the border comes before
		x--
	}
	from := 0
	if len(v.starts) < len(v.tree) {
		from = v.top
	}
	at := -1
	for i, start := range v.starts {
		if start <= line {
			at = i
		}
	}
	if at < 0 || from+at >= len(v.tree) || line >= v.picture.Height {
		return
	}
	again := from+at == v.at && !m.sel.Empty()
	v.at = from + at
	if t := v.picture.At(x, line); t != nil {
		v.into(m, t.Of)
		return
	}
	v.moved(m)
	if again {
		v.fold(m)
	}
}

// into selects the ranks or the communicator of a cell.
func (v *commView) into(m *Model, of scene.Ref) {
	if of.Kind == scene.Communicator {
		m.choose(moment.Selection{Comms: []int{of.First}})
		return
	}
	if c := v.tree[v.at].Comms; len(c) == 1 {
		v.hold(m, c[0].ID)
	}
	list := make([]int32, of.N)
	for i := range list {
		list[i] = int32(of.First + i*of.Step)
	}
	m.choose(moment.Selection{Ranks: engine.RanksOf(list...)})
}

// sideways opens a closed lane, then moves from cell to cell. To the left it moves back, and closes the lane behind
// the first cell.
func (v *commView) sideways(m *Model, step int) {
	v.update(m)
	r := &v.tree[v.at]
	if v.cell == 0 && (step > 0 && r.Fold == render.Closed || step < 0 && r.Fold == render.Open) {
		v.fold(m)
		return
	}
	v.choose(m, v.width-1, v.height)
	cells := v.draw(m, v.at, true, v.look(m, v.width-1)).Of() // the lane may not have been drawn yet
	next := max(0, min(v.cell+step, len(cells)))
	if next == 0 {
		v.moved(m)
		return
	}
	v.cell = next
	v.into(m, cells[next-1].Of)
}

// reveal moves the cursor to new communicators. If something is selected, it moves the cursor to the selected
// communicator, or to the communicator that the selected rank holds in the present variable.
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
		if len(c) > 0 && id >= c[0].ID && id <= c[len(c)-1].ID && (len(c) > 1 || c[0].ID == id) {
			v.center(i, r.h-1)
			return
		}
	}
	if m.sel.Empty() {
		v.revealNew(r.h - 1)
	}
}

// revealNew scrolls to the new communicators, to as many as have room.
func (v *commView) revealNew(height int) {
	first, last := -1, -1
	for i := range v.tree {
		if v.isNew(&v.tree[i]) {
			if last = i; first < 0 {
				first = i
			}
		}
	}
	if first < 0 {
		return
	}
	v.at = first
	if last >= v.top+height {
		v.top = last - height + 1
	}
	v.top = min(v.top, max(first-1, 0)) // below what it was made from
}

// toggleDetail shows or hides context ids, and where the calls stand.
func (v *commView) toggleDetail() {
	v.detail = !v.detail
	v.chosen = roomKey{}
}
