package scene

import (
	"strconv"
	"strings"

	"commsplit/engine"
	"commsplit/hw"
	"commsplit/render/outline"
)

// Fold is whether a row stands for rows below it.
type Fold uint8

// The states of a row.
const (
	Bare   Fold = iota // nothing is below
	Open               // the rows below follow
	Closed             // it stands for the rows below
)

// Folds remembers which rows a person opened and closed. A row has a key: an object, a chunk of
// siblings. The zero value has everything as it is by default.
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

// open is the present state of a row that is open by default or not.
func (f *Folds) open(key any, byDefault bool) bool { return byDefault != f.changed[key] }

// mostSiblings is how many siblings have rows of their own; more are shown in chunks.
const mostSiblings = 32

// chunkOf is how many of n siblings one row stands for: a power of ten.
func chunkOf(n int) int {
	size := 1
	for n > size*mostSiblings {
		size *= 10
	}
	return size
}

// chunkKey is a row of siblings below a parent, known by the first of them.
type chunkKey struct {
	parent any
	lo, n  int
}

// IsOpen reports whether a row that is closed by default was opened.
func (f *Folds) IsOpen(key any) bool { return f.open(key, false) }

// HWRow is a line of the hardware.
type HWRow struct {
	Depth  int
	Object *hw.Object // nil: a chunk of siblings
	Label  string
	Fold   Fold
	Key    any
	All    Span   // the ranks on it and below
	Own    Span   // of an open row, those that sit on the object itself; of a closed row, all
	Cells  []Cell // of leaves that are drawn in this line
}

// Cell is a leaf of the hardware: a core with the ranks on it.
type Cell struct {
	Object *hw.Object
	Ranks  Span
}

// openLines is how many lines of hardware are open by default.
const openLines = 72

// HWRows lists the lines that are unfolded. beside is how many cells have room beside a label of so
// many columns, indent included.
func (g *Ground) HWRows(f *Folds, beside func(label int) int) []HWRow {
	if g.Topology == nil {
		return g.flatRows(max(1, beside(len("ranks"))))
	}
	w := hwWalk{g: g, folds: f, beside: beside}
	w.depth = w.defaultDepth()
	w.object(g.Topology.Root, 0)
	return w.rows
}

// flatRows are the ranks of a world without hardware.
func (g *Ground) flatRows(perLine int) []HWRow {
	var rows []HWRow
	for lo := 0; lo < len(g.Order); lo += perLine {
		hi := min(lo+perLine, len(g.Order))
		row := HWRow{Key: lo, All: Span{int32(lo), int32(hi)}, Label: "ranks"}
		row.Own = Span{int32(lo), int32(lo)}
		for i := lo; i < hi; i++ {
			row.Cells = append(row.Cells, Cell{Ranks: Span{int32(i), int32(i + 1)}})
		}
		rows = append(rows, row)
	}
	return rows
}

type hwWalk struct {
	g      *Ground
	folds  *Folds
	beside func(label int) int
	depth  int // objects above this depth are open by default
	rows   []HWRow
}

// defaultDepth is how deep the tree is opened without being asked, so that it stays short.
func (w *hwWalk) defaultDepth() int {
	level := []*hw.Object{w.g.Topology.Root}
	lines, perLine := 1, max(1, w.beside(len("Core L#10-20")))
	for depth := 0; ; depth++ {
		var next []*hw.Object
		for _, o := range level {
			leaves := 0
			for _, c := range below(o) {
				if isLeaf(c) {
					leaves++
				} else {
					next = append(next, c)
				}
			}
			lines += (leaves + perLine - 1) / perLine
		}
		if lines += min(len(next), mostSiblings); lines > openLines && depth > 0 {
			return depth
		}
		if len(next) == 0 {
			return depth + 1
		}
		level = next
	}
}

// below lists the objects on the lines below an object: memory, then children, of the last object of its
// chain.
func below(o *hw.Object) []*hw.Object {
	chain := outline.Chain(o)
	last := chain[len(chain)-1]
	return append(last.Memory[:len(last.Memory):len(last.Memory)], last.Children...)
}

func (w *hwWalk) object(o *hw.Object, depth int) {
	row := HWRow{Depth: depth, Object: o, Key: o, All: w.g.below[o]}
	row.Label = w.label(o)
	kids := below(o)
	if len(kids) == 0 {
		row.Own = w.g.below[o]
		w.rows = append(w.rows, row)
		return
	}
	if !w.folds.open(o, depth < w.depth) {
		row.Fold, row.Own = Closed, row.All
		w.rows = append(w.rows, row)
		return
	}
	row.Fold = Open
	row.Own = Span{row.All.Lo, row.All.Lo + int32(w.ownCount(o))}
	at := len(w.rows)
	w.rows = append(w.rows, row)
	var leaves []*hw.Object
	var others []*hw.Object
	for _, k := range kids {
		if isLeaf(k) && k.Type != hw.NUMANode && k.Type != hw.MemCache {
			leaves = append(leaves, k)
		} else {
			others = append(others, k)
		}
	}
	if len(others) == 0 && row.Own.Len() == 0 && len(leaves) <= w.beside(2*depth+len(row.Label)) {
		w.rows[at].Cells = w.cells(leaves)
		w.rows[at].Fold = Bare
		return
	}
	w.siblings(o, others, 0, len(others), depth+1)
	w.leaves(leaves, depth+1)
}

// ownCount is how many ranks sit on the objects of a line themselves.
func (w *hwWalk) ownCount(o *hw.Object) int {
	n := 0
	for _, c := range outline.Chain(o) {
		n += w.g.own[c].Len()
	}
	return n
}

// siblings adds the lines of some objects, in chunks when they are many.
func (w *hwWalk) siblings(parent any, list []*hw.Object, lo, hi, depth int) {
	size := chunkOf(hi - lo)
	if size == 1 {
		for _, o := range list[lo:hi] {
			w.object(o, depth)
		}
		return
	}
	for at := lo; at < hi; at += size {
		end := min(at+size, hi)
		key := chunkKey{parent, at, end - at}
		first, last := list[at], list[end-1]
		row := HWRow{Depth: depth, Key: key, Fold: Closed, All: Span{w.g.below[first].Lo, w.g.below[last].Hi}}
		row.Label = outline.Kind(w.g.Topology, first) + " L#" + strconv.Itoa(first.LogicalIndex) + "-" + strconv.Itoa(last.LogicalIndex)
		row.Own = row.All
		if w.folds.open(key, false) {
			row.Fold, row.Own = Open, Span{row.All.Lo, row.All.Lo}
			w.rows = append(w.rows, row)
			w.siblings(key, list, at, end, depth+1)
			continue
		}
		w.rows = append(w.rows, row)
	}
}

// leaves adds lines of cells.
func (w *hwWalk) leaves(list []*hw.Object, depth int) {
	if len(list) == 0 {
		return
	}
	final := list[len(list)-1]
	label := outline.Kind(w.g.Topology, final) + " L#" + strings.Repeat(strconv.Itoa(final.LogicalIndex), 2)
	perLine := max(1, w.beside(2*depth+len(label)+1))
	for lo := 0; lo < len(list); lo += perLine {
		part := list[lo:min(lo+perLine, len(list))]
		first, last := part[0], part[len(part)-1]
		row := HWRow{Depth: depth, Key: first, Cells: w.cells(part)}
		row.All = Span{w.g.below[first].Lo, w.g.below[last].Hi}
		row.Own = Span{row.All.Lo, row.All.Lo}
		row.Label = outline.Kind(w.g.Topology, first) + " L#" + strconv.Itoa(first.LogicalIndex)
		if len(part) > 1 {
			row.Label += "-" + strconv.Itoa(last.LogicalIndex)
		}
		w.rows = append(w.rows, row)
	}
}

func (w *hwWalk) cells(list []*hw.Object) []Cell {
	cells := make([]Cell, len(list))
	for i, o := range list {
		cells[i] = Cell{o, w.g.below[o]}
	}
	return cells
}

// label names the objects of a line: "Package L#0 + L3 L#0".
func (w *hwWalk) label(o *hw.Object) string {
	text := ""
	for i, c := range outline.Chain(o) {
		if i > 0 {
			text += " + "
		}
		text += outline.Name(w.g.Topology, c)
	}
	return text
}

// Crowd is the most ranks that share a leaf.
func (g *Ground) Crowd() int { return g.crowd }

// CommRow is a line of the communicators by descent: a communicator, or siblings that the same call made.
type CommRow struct {
	Branch string // "│  └─ "
	Under  string // before further lines of the row: "│     "
	Comms  []*engine.CommInfo
	Fold   Fold
	Key    any
}

// Name is "half#2", or "half#2-65" of several.
func (m *Moment) RowName(r *CommRow) string {
	name := m.Name(r.Comms[0].ID)
	if n := len(r.Comms); n > 1 {
		name += "-" + strconv.Itoa(r.Comms[n-1].ID)
	}
	return name
}

// alone is how many siblings of one call have a line each by default, where there is no more room.
const alone = 8

// CommRows lists the lines that are unfolded. Siblings of one call have a line each by default when they take
// at most two thirds of so many lines.
func (m *Moment) CommRows(f *Folds, room int) []CommRow {
	w := commWalk{m: m, folds: f, roomy: len(m.View.Snapshot.Comms) <= 200}
	w.alone = min(max(alone, room*2/3), mostSiblings)
	for _, c := range m.kids[-1] {
		w.add([]*engine.CommInfo{c}, "", "", 0)
	}
	return w.rows
}

type commWalk struct {
	m     *Moment
	folds *Folds
	roomy bool // everything is open by default
	alone int  // how many siblings have a line each
	rows  []CommRow
}

// family is a row of several communicators, known by the first of them and their number.
type familyKey struct{ first, n int }

func (w *commWalk) add(comms []*engine.CommInfo, lead, under string, depth int) {
	key := familyKey{comms[0].ID, len(comms)}
	row := CommRow{Branch: lead, Under: under, Comms: comms, Key: key}
	var kids [][]*engine.CommInfo
	if len(comms) > 1 {
		kids = chunks(comms)
	} else {
		kids = w.below(comms[0])
	}
	at := len(w.rows)
	w.rows = append(w.rows, row)
	if len(kids) == 0 {
		return
	}
	byDefault := w.roomy && len(comms) == 1 || depth == 0
	if !w.folds.open(key, byDefault) {
		w.rows[at].Fold = Closed
		return
	}
	w.rows[at].Fold = Open
	for i, k := range kids {
		if i == len(kids)-1 {
			w.add(k, under+"└─ ", under+"   ", depth+1)
		} else {
			w.add(k, under+"├─ ", under+"│  ", depth+1)
		}
	}
}

// below lists the communicators that were made from a communicator; many siblings of a call are together.
func (w *commWalk) below(c *engine.CommInfo) [][]*engine.CommInfo {
	kids := w.m.kids[c.ID]
	var list [][]*engine.CommInfo
	for lo := 0; lo < len(kids); {
		hi := lo + 1
		for hi < len(kids) && kids[hi].Step == kids[lo].Step && kids[hi].Op == kids[lo].Op {
			hi++
		}
		if hi-lo > w.alone {
			list = append(list, kids[lo:hi])
		} else {
			for i := lo; i < hi; i++ {
				list = append(list, kids[i:i+1])
			}
		}
		lo = hi
	}
	return list
}

// chunks cuts siblings into rows: a row for each, or for several of them when they are very many.
func chunks(comms []*engine.CommInfo) [][]*engine.CommInfo {
	size := chunkOf(len(comms))
	var list [][]*engine.CommInfo
	for lo := 0; lo < len(comms); lo += size {
		list = append(list, comms[lo:min(lo+size, len(comms))])
	}
	return list
}
