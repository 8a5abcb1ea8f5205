package repl

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"runtime"
	"slices"
	"sort"
	"strings"
	"sync"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/engine/reason"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/repl/lang"
	"codeberg.org/commsplit/commsplit/repl/program"
	"codeberg.org/commsplit/commsplit/repl/tongue"
)

// variables are the names to which the text of a world gave a value, and what they held.
type variables struct {
	order   []string        // names that the text gives to variables, in order of their first place in it
	names   map[string]bool // variables that some rank has
	scope   tongue.Scope    // variables that lines of C and Fortran declared or set
	past    *past           // what the variables held
	numbers map[string]int  // by verb: the names with numbers up to this one are taken, see autoName
}

func newVariables(size int) variables {
	return variables{
		names: map[string]bool{}, scope: tongue.Scope{}, numbers: map[string]int{},
		past: &past{size: size, at: map[columnKey]*column{}, positions: map[string]int{}, called: &firstNames{of: map[int32]string{}}},
	}
}

// known reports whether a variable of that name exists on some rank.
func (v *variables) known(name string) bool { return v.names[name] }

// autoName returns the variable for the result of a line that names none: split1, split2, ... A name that was given
// stays taken, so the search goes on where the last one ended.
func (v *variables) autoName(verb *Verb) string {
	for n := v.numbers[verb.Name] + 1; ; n++ {
		if name := fmt.Sprintf("%s%d", verb.Name, n); !v.names[name] {
			v.numbers[verb.Name] = n - 1 // a line that fails leaves its name to the next one
			return name
		}
	}
}

// mention gives the variables that a text is about to set their place in the order.
func (v *variables) mention(names ...string) {
	for _, name := range names {
		if _, ok := v.past.positions[name]; !ok {
			v.past.positions[name] = len(v.order)
			v.order = append(v.order, name)
		}
	}
}

// Handles lists the variables that hold communicators, in the order in which the text first names them.
func (v *variables) Handles() []string {
	var list []string
	for _, c := range v.past.columns {
		if n := len(list); c.holding > 0 && !c.isLocal() && (n == 0 || list[n-1] != c.name) {
			list = append(list, c.name)
		}
	}
	return list
}

// Order lists the names that the text gives to variables, in order of their first place in it.
func (v *variables) Order() []string { return v.order }

// EverHeld lists the variables, and the elements of lists, that ever held a communicator.
func (v *variables) EverHeld() []string {
	var list []string
	for _, c := range v.past.columns {
		if len(c.versions) > 0 {
			list = append(list, c.String())
		}
	}
	return list
}

// Variables lists all variables.
func (v *variables) Variables() []string {
	return slices.Sorted(maps.Keys(v.names))
}

// declared reports whether a line of C or Fortran means a variable by a name that is otherwise the number of each rank.
func (v *variables) declared(c *lang.Chunk, name string) bool {
	return c.Foreign && isLocal(name) && v.declares(name)
}

// declares reports whether lines gave a meaning to a name of C or Fortran: rank and size keep theirs until they are set.
func (v *variables) declares(name string) bool {
	_, declared := v.scope[name]
	return v.known(name) || declared && !slices.Contains(rankNames[:3], name)
}

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
	steps     int // of the trace, as far as noteVariables has read the freed communicators
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

// noteVariables notes which variables exist after a chunk, and adds to the past the changes that ranks noted since the last
// call of noteVariables. The world must be quiet.
func (s *Session) noteVariables() {
	for _, r := range s.Ranks {
		for name := range r.TakeFresh() {
			s.names[name] = true
		}
	}
	p := s.past
	list := gather(s)
	freed := s.world.FreedSince(p.steps)
	p.steps = s.world.Steps()
	for _, b := range list {
		for len(freed) > 0 && freed[0].Step <= b.step {
			p.free(freed[0])
			freed = freed[1:]
		}
		p.column(b.columnKey).change(b)
		p.called.note(b)
	}
	for _, f := range freed {
		p.free(f)
	}
}

// gather merges the changes of all ranks, in order of the steps. It reads the ranks of a large world in parts, in
// parallel.
func gather(s *Session) []*batch {
	parts := make([][]*batch, runtime.GOMAXPROCS(0))
	s.inParts(func(k, first int, part []*program.Rank) { parts[k] = gatherPart(first, part, len(s.ranks)) })
	list := joined(parts)
	slices.SortStableFunc(list, func(a, b *batch) int { return cmp.Compare(a.step, b.step) })
	return list
}

// gatherPart merges the changes of a part of the ranks, which begins at world rank first. Batches stand in the order
// of their first change.
func gatherPart(first int, ranks []*program.Rank, world int) []*batch {
	var list []*batch
	known := map[batchKey]*batch{}
	var like []*batch // the batches of the changes of the rank before: most ranks change the same
	var changes []program.Change
	for i, r := range ranks {
		if r == nil {
			continue
		}
		changes = r.Changes(changes[:0])
		for n, x := range changes {
			k := batchKey{columnKey{x.Name, x.Index}, r.P.StepOf(x.Behind)}
			if n == len(like) {
				like = append(like, nil)
			}
			if b := like[n]; b == nil || b.columnKey != k.columnKey || b.step != k.step {
				if b = known[k]; b == nil {
					b = &batch{columnKey: k.columnKey, step: k.step}
					known[k] = b
					list = append(list, b)
				}
				like[n] = b
			}
			like[n].add(int32(first+i), x.ID, x.Came, world)
		}
	}
	return list
}

// joined joins the batches of all parts, which are in rank order: one batch for each column and step.
func joined(parts [][]*batch) []*batch {
	list := parts[0]
	known := map[batchKey]*batch{}
	for _, b := range list {
		known[batchKey{b.columnKey, b.step}] = b
	}
	for _, part := range parts[1:] {
		for _, b := range part {
			k := batchKey{b.columnKey, b.step}
			if before := known[k]; before != nil {
				before.join(b)
				continue
			}
			known[k] = b
			list = append(list, b)
		}
	}
	return list
}
