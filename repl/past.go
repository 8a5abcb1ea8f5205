package repl

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"
	"sync"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/engine/reason"
	"codeberg.org/commsplit/commsplit/render"
)

// past is the communicators that variables held after each step of the trace. It only grows: a version that a view
// shows never changes.
//
// The model: a variable, and each element of a list in a variable, is a column over the ranks. A column has
// a version for each step that changed the column; the version holds the ranks that changed, or all ranks. A step
// that changed nothing leaves no version.
type past struct {
	size      int
	columns   []*column      // in order of variables and places
	positions map[string]int // of each variable among all variables
	at        map[columnKey]*column
	called    *firstNames
	steps     int // of the trace, as far as notePast has read the freed communicators
}

// columnKey is a variable, or an element of its list; element -1 is the variable itself.
type columnKey struct {
	name    string
	element int
}

// cells are the values that ranks hold: ids as in render.Handle, and the origin of a value that is not a communicator.
type cells struct {
	ids  []int32
	came []*reason.Held // nil: no value has a known origin
}

func (c *cells) set(i int, id int32, came *reason.Held) {
	c.ids[i] = id
	if c.came == nil && came != nil {
		c.came = make([]*reason.Held, len(c.ids))
	}
	if c.came != nil {
		c.came[i] = came
	}
}

func (c *cells) get(i int) (int32, *reason.Held) {
	if c.came == nil {
		return c.ids[i], nil
	}
	return c.ids[i], c.came[i]
}

// version has the values of a column from one step until the next version.
type version struct {
	step  int
	ranks []int32 // the ranks that changed, ascending; nil: all ranks
	cells
}

type column struct {
	columnKey
	versions []version
	now      cells // of all ranks
	lent     bool  // a version shares the storage of now
	holding  int   // ranks that hold a communicator or MPI_COMM_NULL now
	loose    int   // how many ranks the versions hold since the last version of all ranks
}

func newPast(size int) *past {
	return &past{size: size, at: map[columnKey]*column{}, positions: map[string]int{}, called: &firstNames{of: map[int32]string{}}}
}

// position returns the place of a variable among all variables; the variables of functions come last.
func (p *past) position(name string) int {
	if i, ok := p.positions[name]; ok {
		return i
	}
	return math.MaxInt
}

func (p *past) column(k columnKey) *column {
	c := p.at[k]
	if c == nil {
		c = &column{columnKey: k, now: cells{ids: unset(p.size)}}
		p.at[k] = c
		i, _ := slices.BinarySearchFunc(p.columns, k, func(o *column, k columnKey) int {
			return cmp.Or(cmp.Compare(p.position(o.name), p.position(k.name)), cmp.Compare(o.name, k.name), cmp.Compare(o.element, k.element))
		})
		p.columns = slices.Insert(p.columns, i, c)
	}
	return c
}

func unset(n int) []int32 {
	return slices.Repeat([]int32{render.Unset}, n)
}

// batch is the new values of ranks in one column after one step.
type batch struct {
	columnKey
	step  int
	first int32   // the lowest rank
	some  []int32 // the ranks; nil for consecutive ranks from first on
	cells
}

// add notes the value of a rank in a world of size ranks. Ranks come in ascending order; of several values of a rank the
// last counts.
func (b *batch) add(rank, id int32, came *reason.Held, size int) {
	n := len(b.ids)
	if n == 0 {
		b.first = rank
	}
	if n == 0 || b.rank(n-1) != rank {
		if n == cap(b.ids) { // append grows a long list only by a quarter each time, and leaves the old copy as garbage
			b.ids = slices.Grow(b.ids, b.growth(rank, size))
		}
		if b.some == nil && rank != b.first+int32(n) {
			b.some = make([]int32, n, cap(b.ids))
			for i := range b.some {
				b.some[i] = b.first + int32(i)
			}
		}
		if b.some != nil {
			if n == cap(b.some) {
				b.some = slices.Grow(b.some, cap(b.ids)-n)
			}
			b.some = append(b.some, rank)
		}
		b.ids = append(b.ids, id)
		if b.came != nil {
			b.came = append(b.came, nil)
		}
		n++
	}
	b.set(n-1, id, came)
}

// growth returns for how many more ranks to make room before adding the given rank: room doubles, but once the batch
// has an eighth of the world, it grows to the size expected if the remaining ranks join as often as the ranks so far.
func (b *batch) growth(rank int32, size int) int {
	n, left := len(b.ids), size-int(rank)
	if n < max(size/8, 1) {
		return n + 1
	}
	return min(max(n*left/int(rank-b.first), n/8, 1), left)
}

// join adds a batch of higher ranks.
func (b *batch) join(o *batch) {
	n := len(b.ids)
	if b.some != nil || o.some != nil || b.first+int32(n) != o.first {
		b.some = append(b.ranks(), o.ranks()...)
	}
	if b.came != nil || o.came != nil {
		came := make([]*reason.Held, n+len(o.ids))
		copy(came, b.came)
		copy(came[n:], o.came)
		b.came = came
	}
	b.ids = append(b.ids, o.ids...)
}

// rank returns the i-th rank.
func (b *batch) rank(i int) int32 {
	if b.some == nil {
		return b.first + int32(i)
	}
	return b.some[i]
}

// ranks returns all ranks of the batch.
func (b *batch) ranks() []int32 {
	if b.some != nil {
		return b.some
	}
	list := make([]int32, len(b.ids))
	for i := range list {
		list[i] = b.first + int32(i)
	}
	return list
}

// batchKey is a column after one step.
type batchKey struct {
	columnKey
	step int
}

// change makes a version of a batch, without the ranks that held the same before.
func (c *column) change(b *batch) {
	if c.replaced(b) {
		return
	}
	v := c.changed(b)
	if len(v.ranks) == 0 {
		return
	}
	if c.lent {
		c.now, c.lent = cells{slices.Clone(c.now.ids), slices.Clone(c.now.came)}, false
	}
	for i, r := range v.ranks {
		id, came := v.get(i)
		c.holding += holds(id) - holds(c.now.ids[r])
		c.now.set(int(r), id, came)
	}
	if c.loose += len(v.ranks); c.loose >= len(c.now.ids) {
		v.ranks, v.cells = nil, c.now
		c.lent, c.loose = true, 0
	}
	c.versions = append(c.versions, v)
}

// replaced makes b the version of all ranks, if each rank of the world changes; otherwise it reports false.
func (c *column) replaced(b *batch) bool {
	if len(b.ids) < len(c.now.ids) {
		return false
	}
	holding := 0
	for i, id := range b.ids {
		if c.same(b, i) {
			return false
		}
		holding += holds(id)
	}
	c.now, c.lent, c.loose, c.holding = b.cells, true, 0, holding
	c.versions = append(c.versions, version{step: b.step, cells: b.cells})
	return true
}

// same reports whether the i-th rank of b held the same before.
func (c *column) same(b *batch, i int) bool {
	id, came := b.get(i)
	return came == nil && c.now.ids[b.rank(i)] == id
}

// changed returns a version of b without the ranks that held the same before.
func (c *column) changed(b *batch) version {
	v := version{step: b.step}
	n := 0 // ranks that change before the first rank that does not
	for n < len(b.ids) && !c.same(b, n) {
		n++
	}
	if n == len(b.ids) {
		v.ranks, v.cells = b.ranks(), b.cells
		return v
	}
	for i := range b.ids {
		if i >= n && c.same(b, i) {
			continue
		}
		id, came := b.get(i)
		v.ranks, v.ids = append(v.ranks, b.rank(i)), append(v.ids, id)
		if v.came != nil {
			v.came = append(v.came, nil)
		}
		v.set(len(v.ids)-1, id, came)
	}
	return v
}

// holds returns 1 for the id of a communicator or of MPI_COMM_NULL, 0 for a rank that holds neither.
func holds(id int32) int {
	if id == render.Unset {
		return 0
	}
	return 1
}

// free sets the variables that hold a freed communicator to MPI_COMM_NULL.
func (p *past) free(f engine.Freed) {
	null := &reason.Held{Comm: f.Comm.ID}
	for _, c := range p.columns {
		b := &batch{columnKey: c.columnKey, step: f.Step}
		for _, group := range [][]int32{f.Comm.Group, f.Comm.Remote} {
			for _, r := range group {
				if c.now.ids[r] == int32(f.Comm.ID) {
					b.some = append(b.some, r)
				}
			}
		}
		slices.Sort(b.some)
		b.cells = cells{make([]int32, len(b.some)), make([]*reason.Held, len(b.some))}
		for i := range b.ids {
			b.set(i, -1, null)
		}
		c.change(b)
	}
}

// columnAt returns the values of ranks as after a step, from the versions of a column. The caller must not change them.
func columnAt(list []version, size, step int) cells {
	n := sort.Search(len(list), func(i int) bool { return list[i].step > step })
	first := n - 1 // the last version of all ranks
	for first >= 0 && list[first].ranks != nil {
		first--
	}
	var at cells
	switch {
	case first < 0:
		at.ids = unset(size)
	case first == n-1:
		return list[first].cells
	default:
		at = cells{slices.Clone(list[first].ids), slices.Clone(list[first].came)}
	}
	for _, v := range list[first+1 : n] {
		for i, r := range v.ranks {
			id, came := v.get(i)
			at.set(int(r), id, came)
		}
	}
	return at
}

// pastView is the past at the time when a view was made. Several goroutines may use it at once.
type pastView struct {
	size    int
	columns []columnView
	asked   sync.Mutex
}

// columnView is a column, and the ids that were read last: neighboring steps mostly show the same.
type columnView struct {
	columnKey
	versions []version
	since    int // how many versions went into last
	last     []int32
}

func (p *past) view() *pastView {
	v := &pastView{size: p.size, columns: make([]columnView, len(p.columns))}
	for i, c := range p.columns {
		v.columns[i] = columnView{columnKey: c.columnKey, versions: slices.Clip(c.versions)}
	}
	return v
}

// handles lists the variables that held a communicator or MPI_COMM_NULL as after a step. An element of a list has its
// own handle.
func (v *pastView) handles(step int) []render.Handle {
	v.asked.Lock()
	defer v.asked.Unlock()
	var list []render.Handle
	for i := range v.columns {
		c := &v.columns[i]
		n := sort.Search(len(c.versions), func(i int) bool { return c.versions[i].step > step })
		if n == 0 {
			continue
		}
		if n != c.since {
			c.since, c.last = n, columnAt(c.versions, v.size, step).ids
		}
		if slices.ContainsFunc(c.last, func(id int32) bool { return id != render.Unset }) {
			list = append(list, render.Handle{Name: c.String(), IDs: c.last})
		}
	}
	return list
}

// String returns "half", or "levels[1]".
func (k columnKey) String() string {
	if k.element < 0 {
		return k.name
	}
	return fmt.Sprintf("%s[%d]", k.name, k.element)
}

// isLocal reports whether the column is a variable of a function, which does not belong to the session.
func (k columnKey) isLocal() bool { return strings.Contains(k.name, ".") }

// heldAt returns a function that tells what a rank held in a variable as after a step; nil when no variable had that
// name.
func (p *past) heldAt(handle string, step int) func(rank int) reason.Held {
	i := slices.IndexFunc(p.columns, func(c *column) bool { return c.String() == handle })
	if i < 0 {
		return nil
	}
	at := columnAt(p.columns[i].versions, p.size, step)
	return func(rank int) reason.Held {
		id, came := at.get(rank)
		switch {
		case came != nil:
			return *came
		case id == render.Unset:
			return reason.Held{Comm: -1, Unset: "none yet: at this step, the rank has not come to the line that sets the variable"}
		}
		return reason.Held{Comm: int(id)}
	}
}

// firstNames maps each communicator to the variable that held it first. Views of several moments share the map.
type firstNames struct {
	sync.RWMutex
	of map[int32]string
}

func (n *firstNames) note(b *batch) {
	if b.isLocal() {
		return
	}
	n.Lock()
	defer n.Unlock()
	last := int32(render.Unset)
	for _, id := range b.ids {
		if id == last || id < 0 {
			continue
		}
		last = id
		if n.of[id] == "" {
			n.of[id] = b.String()
		}
	}
}

// name returns the variable of a communicator, "" when no variable ever held it.
func (n *firstNames) name(id int) string {
	n.RLock()
	defer n.RUnlock()
	return n.of[int32(id)]
}
