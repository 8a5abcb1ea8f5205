package tui

import (
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/render/boxes"
	"codeberg.org/commsplit/commsplit/render/outline"
	"codeberg.org/commsplit/commsplit/render/paint"
	"codeberg.org/commsplit/commsplit/render/scene"
	"codeberg.org/commsplit/commsplit/repl/practice"
	"codeberg.org/commsplit/commsplit/tui/moment"
)

// hwView is the pane with the hardware and the ranks on it. Its rows are the lines of the plan where a cursor can
// stand; list.top is the first line that shows.
type hwView struct {
	rowPane
	x       int                        // the column where the cursor stands
	root    *hw.Object                 // that the pane shows alone; nil: all hardware
	plans   kept[planKey, *boxes.Plan] // for the sizes and variables that a person goes through
	widths  kept[cellKey, int]         // of the texts of cells
	tiles   kept[cellKey, *boxes.Tally]
	shows   int    // how many lines show,
	all     int    // and how many there are
	sizes   [2]int // columns and lines of the pane when it was drawn last
	abreast int    // how many variables show side by side
	paired  bool   // the step before shows beside the present one
	pairs   later[pairKey, *pair]
}

// planKey identifies a plan: it depends on nothing else.
type planKey struct {
	board *boxes.Board
	root  *hw.Object
	size  boxes.Size
}

// kept are results that were computed before.
type kept[K comparable, V any] map[K]V

// mostKept is the most results that are kept.
const mostKept = 16

// of returns the result for a key, which is computed if it was not before.
func (k *kept[K, V]) of(key K, compute func() V) V {
	v, ok := (*k)[key]
	if !ok {
		if len(*k) >= mostKept || *k == nil {
			*k = kept[K, V]{}
		}
		v = compute()
		(*k)[key] = v
	}
	return v
}

// plan returns the plan of the pane.
func (v *hwView) plan(board *boxes.Board, root *hw.Object, size boxes.Size) *boxes.Plan {
	return v.plans.of(planKey{board, root, size}, func() *boxes.Plan { return board.Plan(board.NodeOf(root), size) })
}

// sight is one of the pictures that the pane shows side by side.
type sight struct {
	head   string
	moment *moment.Moment
	handle int
	moved  []bool          // by world rank; nil: none
	as     *render.Parting // of a goal, in letters that fit the rest of the screen; nil: of the moment
	draft  bool            // of a line that is still typed
	held   *render.Held
	plan   *boxes.Plan
	x, w   int
}

// bigWidth is the columns of a pane from which on cells have big letters where they have room.
const bigWidth = 90

// mostSights is how many variables are shown side by side.
const mostSights = 4

// sights returns the pictures for an area: the present variable alone; with as many others around it as have room,
// if a person asked for all; or the step before and the present step.
func (v *hwView) sights(m *Model, width, height int) []sight {
	list := []sight{{moment: m.moment, handle: m.handle}}
	switch {
	case v.paired:
		list = m.pairSights()
	case m.beside():
		list = m.goalSights()
	case m.ghost() != nil:
		list = []sight{{moment: m.ghost().moment, handle: m.ghost().handle, draft: true}}
	case m.all:
		list = m.variables(width)
		v.abreast = len(list)
	}
	if len(list) > 1 {
		height--
	}
	gap := 2
	each := (width - gap*(len(list)-1)) / len(list)
	text := 0
	for _, s := range list {
		text = max(text, m.cellWidth(s.moment, s.handle))
	}
	if m.beside() {
		text++ // for the marks
	}
	for i := range list {
		s := &list[i]
		s.x, s.w = i*(each+gap), each
		if s.held = m.holding(s.moment, s.handle); s.as != nil {
			s.held.Parting = s.as
		}
		size := boxes.Size{Width: each, Height: height, Text: text, Fill: boxes.High}
		if len(list) == 1 && m.roomy(each) {
			size.Fill = boxes.Large
		}
		s.plan = v.plan(s.moment.Ground.Board, v.root, size)
	}
	return list
}

// variables returns the pictures of the present variable and of as many others around it as have room.
func (m *Model) variables(width int) []sight {
	var list []sight
	at := 0
	for k := 1; k < len(m.moment.Handles); k++ {
		if p := m.moment.Parting(k); p.Len() == 1 && p.Comm(0) == 0 {
			continue // as world
		}
		if k <= m.handle {
			at = len(list)
		}
		list = append(list, sight{head: m.moment.Handles[k].Name, moment: m.moment, handle: k})
	}
	if len(list) == 0 {
		return []sight{{moment: m.moment, handle: m.handle}}
	}
	const least = 24 // columns
	n := max(1, min(mostSights, width/least, len(list)))
	from := max(0, min(at-n/2, len(list)-n))
	return list[from : from+n]
}

func (v *hwView) lines(m *Model, width, height int) []paint.Line {
	if m.moment.Size() == 0 && m.moment.Ground.Topology == nil {
		return nil
	}
	v.sizes = [2]int{width, height}
	list := v.sights(m, width, height)
	out := make([]paint.Line, 0, height)
	if len(list) > 1 {
		out = append(out, heads(m, list))
		height--
	}
	v.window(list[0].plan, height)
	v.all, v.shows = list[0].plan.Height, min(height, list[0].plan.Height)
	body := make([]paint.Line, height)
	for _, s := range list {
		for y, l := range s.plan.Scene(v.top, height, m.look(&s)).Draw() {
			body[y].Pad(s.x)
			body[y] = append(body[y], l...)
		}
	}
	return append(out, body...)
}

// heads names the pictures that are side by side.
func heads(m *Model, list []sight) paint.Line {
	var l paint.Line
	for _, s := range list {
		ink := paint.Bold
		if s.handle == m.handle && s.moment == m.moment {
			ink = paint.Accent
		}
		l.Pad(s.x)
		l.Add(tail(s.head, s.w-1), ink)
	}
	return l
}

// tail cuts the beginning of a name, down to so many columns: elements of a list differ at the end.
func tail(name string, width int) string {
	if extra := paint.Width(name) - width; extra > 0 {
		return ansi.TruncateLeft(name, extra+1, "…")
	}
	return name
}

// window scrolls the pane to the cursor.
func (v *hwView) window(p *boxes.Plan, height int) {
	stops := p.Stops()
	v.to(v.at, len(stops))
	if len(stops) == 0 {
		v.top = 0
		return
	}
	y, end := stops[v.at], p.Height
	if v.at+1 < len(stops) {
		end = stops[v.at+1]
	}
	switch {
	case y < v.top:
		v.top = y
	case end > v.top+height:
		v.top = min(y, end-height)
	}
	v.top = max(0, min(v.top, p.Height-height))
}

func litIf(k paint.Ink, lit bool) paint.Ink {
	if lit {
		return k.Lit()
	}
	return k
}

// mark returns the text before each line: a bar before the line with the cursor.
func mark(here bool) string {
	if here {
		return "▌"
	}
	return " "
}

// look returns how ranks and objects look in a picture.
func (m *Model) look(s *sight) *boxes.Look {
	look := &boxes.Look{
		Cell:  func(rank int32) paint.Cell { return m.cell(s, rank) },
		Share: func(rank int32) paint.Cell { return m.share(s, rank) },
		Lit: func(ranks outline.Span) int {
			if s.moment.Ground != m.moment.Ground {
				return 0
			}
			return m.lit.Count(ranks)
		},
		Chosen: func(o *hw.Object) bool { return o == m.sel.Object },
	}
	if m.player.motion == nil {
		look.Tally = m.hw.tiles.of(cellKey{moment: s.moment, handle: s.handle}, func() *boxes.Tally { return &boxes.Tally{} })
	}
	if s.handle > 0 && !m.world || m.player.motion != nil {
		look.Under = func(rank int32) string { return strconv.Itoa(int(rank)) }
	}
	return look
}

// cell returns the cell of a rank: "A2", or "3A" when cells name world ranks; in a phase of a call, its part in the
// call.
func (m *Model) cell(s *sight, rank int32) paint.Cell {
	c, ok := m.staged(s, rank)
	if !ok {
		c = s.held.Cell(rank)
	}
	c.Lit = m.lit.Has(int(rank))
	c.Moved = s.moved != nil && s.moved[rank]
	c.Draft = s.draft
	return c
}

// share returns the cell of a rank without the rank's number, for tiles: "A".
func (m *Model) share(s *sight, rank int32) paint.Cell {
	c, ok := m.staged(s, rank)
	switch {
	case !ok:
		c = s.held.Share(rank)
		c.Draft = s.draft
		return c
	case c.Slot != paint.NoSlot:
		c.Text = strings.TrimRight(c.Text, "0123456789")
	}
	return c
}

// holding returns what the ranks of a moment hold in a variable.
func (m *Model) holding(moment *moment.Moment, handle int) *render.Held {
	h := &render.Held{Waiting: moment.Waiting, Worlds: m.world}
	if handle > 0 {
		h.Parting = moment.Parting(handle)
	}
	return h
}

// staged returns the cell of a rank in the phase that shows; ok is false where no phase shows.
func (m *Model) staged(s *sight, rank int32) (c paint.Cell, ok bool) {
	at, moves := m.player.at()
	if !moves || s.moment != m.moment {
		return c, false
	}
	if c, ok = at.Cell(int(rank)); !ok && s.handle == 0 {
		return paint.Cell{State: paint.NotYet, Slot: paint.NoSlot}, true // it has no part in the call
	}
	return c, ok
}

// cellKey identifies the width of cells: it depends on nothing else.
type cellKey struct {
	moment *moment.Moment
	handle int
	world  bool
	motion *moment.Motion
}

// leastCell is the least columns of cells: "A0". World ranks below ten have as many, so that the first split does not
// arrange the hardware anew.
const leastCell = 2

// cellWidth returns the columns of the widest cell of a variable.
func (m *Model) cellWidth(moment *moment.Moment, handle int) int {
	return m.hw.widths.of(cellKey{moment, handle, m.world, m.player.motion}, func() int {
		switch {
		case m.player.phase > 0 && handle == 0:
			return max(m.player.wide, leastCell)
		case m.player.phase > 0:
			return max(m.holding(moment, handle).Width(moment.Size()), m.player.wide)
		}
		return max(m.holding(moment, handle).Width(moment.Size()), leastCell)
	})
}

func (v *hwView) note(m *Model) string {
	note := "cells: " + paint.CutMiddle(m.moment.Handles[m.handle].Name, mostVariable)
	switch {
	case m.player.phase > 0:
		note = m.player.note()
	case v.paired && m.moment.Step > 0 && v.pair(m) == nil:
		note = m.lookingAt().Plain()
	case v.paired:
		note = "before | after; » marks who moved"
	case m.beside():
		note = practice.BesideNote
	case m.ghost() != nil:
		note = "the result of Enter"
	case m.all && v.abreast > 1 && v.abreast < len(m.moment.Handles)-1:
		note = "cells: " + strconv.Itoa(v.abreast) + " of " + strconv.Itoa(len(m.moment.Handles)-1) + " variables; v for others"
	case m.handle == 0:
		note = "world ranks"
	}
	if v.root != nil {
		note = outline.Kind(m.moment.Ground.Topology, v.root) + " alone; Enter on its name goes back  " + note
	}
	return note
}

// here returns the picture of the present moment.
func (v *hwView) here(m *Model) sight {
	if r, ok := m.layout.of(hwPane); ok {
		v.sizes = [2]int{r.inner(), r.h - 1}
	}
	if v.sizes[0] <= 0 {
		v.sizes = [2]int{80, 24}
	}
	list := v.sights(m, v.sizes[0], v.sizes[1])
	for _, s := range list {
		if s.moment == m.moment && s.handle == m.handle {
			return s
		}
	}
	return list[0]
}

func (v *hwView) hidden(int) string { return rowsShown(v.top, v.shows, v.all) }

// rows returns the lines where the cursor can stand.
func (v *hwView) rows(m *Model) (*list, int) {
	s := v.here(m)
	return &v.list, len(s.plan.Stops())
}

// findObject selects the next object whose name has a text, behind the selected one (step 1) or before it (-1).
func (v *hwView) findObject(m *Model, text string, step int) bool {
	t := m.moment.Ground.Topology
	if t == nil {
		return false
	}
	list := slices.Collect(t.Root.All())
	at := slices.Index(list, m.sel.Object)
	if at < 0 && step < 0 {
		at = 0
	}
	i := nextWith(len(list), at, step, text, func(i int) string { return outline.Name(t, list[i]) })
	if i < 0 {
		return false
	}
	m.choose(moment.Selection{Object: list[i]})
	v.reveal(m, rect{})
	return true
}

// things returns the things that begin on the line with the cursor, from left to right.
func (v *hwView) things(m *Model) []*scene.Thing {
	s := v.here(m)
	stops := s.plan.Stops()
	if len(stops) == 0 {
		return nil
	}
	v.to(v.at, len(stops))
	var list []*scene.Thing
	for _, p := range s.plan.Scene(stops[v.at], 1, m.look(&s)).Of() {
		if p.Y == 0 {
			list = append(list, p)
		}
	}
	slices.SortStableFunc(list, func(a, b *scene.Thing) int { return a.X - b.X })
	return list
}

// nearest returns the index of the thing nearest to the column of the cursor; -1 for none.
func (v *hwView) nearest(list []*scene.Thing) int {
	best, least := -1, 0
	for i, p := range list {
		if d := max(p.X-v.x, v.x-(p.X+p.W-1), 0); best < 0 || d < least {
			best, least = i, d
		}
	}
	return best
}

// moved selects what is under the cursor.
func (v *hwView) moved(m *Model) {
	list := v.things(m)
	if i := v.nearest(list); i >= 0 {
		m.choose(selected(list[i].Of))
	}
}

// selected returns the selection of what a thing stands for: its rank, otherwise its object.
func selected(of scene.Ref) moment.Selection {
	if r := of.Rank(); r >= 0 {
		return moment.Selection{Ranks: engine.RanksOf(int32(r))}
	}
	return moment.Selection{Object: of.Object}
}

// sideways moves to the thing beside the cursor.
func (v *hwView) sideways(m *Model, step int) {
	list := v.things(m)
	i := v.nearest(list)
	if i < 0 {
		return
	}
	i = max(0, min(i+step, len(list)-1))
	v.x = list[i].X + list[i].W/2
	m.choose(selected(list[i].Of))
}

// fold shows the object at the cursor alone. If it is alone already, fold shows the object around it.
func (v *hwView) fold(m *Model) bool {
	list := v.things(m)
	i := v.nearest(list)
	if i < 0 || list[i].Of.Rank() >= 0 {
		return false
	}
	return v.open(m, list[i].Of.Object)
}

func (v *hwView) open(m *Model, o *hw.Object) bool {
	b := m.moment.Ground.Board
	n := b.NodeOf(o)
	switch {
	case n == nil || n.Leaf:
		return false
	case v.root != nil && b.NodeOf(v.root) == n:
		v.root = nil
		if up := b.Parent(n); up != nil && up != b.Root {
			v.root = up.First()
		}
	case n == b.Root:
		return false
	default:
		v.root = n.First()
	}
	v.at, v.top = 0, 0
	v.reveal(m, rect{})
	return true
}

func (v *hwView) renew() { v.root, v.at, v.top, v.x, v.paired = nil, 0, 0, 0, false }

// reveal moves the cursor to the selected object, or to the first cell of a lit rank.
func (v *hwView) reveal(m *Model, _ rect) {
	if m.sel.Empty() {
		return
	}
	s := v.here(m)
	first := m.lit.First()
	y := -1
	if o := m.sel.Object; o != nil {
		if n := m.moment.Ground.NodeOf(o); n != nil {
			y = s.plan.Line(n)
		}
	}
	if y < 0 && first >= 0 {
		y = s.plan.Find(first)
	}
	if y < 0 && v.root != nil {
		v.root = nil
		v.reveal(m, rect{})
		return
	}
	if y < 0 {
		return
	}
	i, _ := slices.BinarySearch(s.plan.Stops(), y)
	v.to(i, len(s.plan.Stops()))
	list, board, o := v.things(m), m.moment.Ground.Board, m.sel.Object
	at := slices.IndexFunc(list, func(p *scene.Thing) bool {
		return first >= 0 && p.Of.Rank() == first || o != nil && p.Of.Object == o
	})
	if at < 0 && o != nil {
		at = slices.IndexFunc(list, func(p *scene.Thing) bool { return board.NodeOf(p.Of.Object) == board.NodeOf(o) })
	}
	if at >= 0 {
		v.x = list[at].X + list[at].W/2
	}
}

// click selects the thing at a place. A second click on an object shows it alone.
func (v *hwView) click(m *Model, r rect, row, x int) {
	list := v.sights(m, r.inner(), r.h-1)
	if len(list) > 1 {
		row--
	}
	for _, s := range list {
		if x < s.x || x >= s.x+s.w || row < 0 {
			continue
		}
		at := s.plan.Scene(v.top, r.h-1, m.look(&s)).At(x-s.x, row)
		if at == nil {
			return
		}
		again := at.Of.Rank() < 0 && at.Of.Object == m.sel.Object
		v.x = x - s.x
		if i, found := slices.BinarySearch(s.plan.Stops(), v.top+row); found {
			v.at = i
		} else {
			v.at = max(i-1, 0)
		}
		m.choose(selected(at.Of))
		if again {
			v.open(m, at.Of.Object)
		}
		return
	}
}
