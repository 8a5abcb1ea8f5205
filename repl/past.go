package repl

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"sort"
	"strings"
	"sync"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/engine/reason"
	"codeberg.org/commsplit/commsplit/render"
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
		c = &column{columnKey: k, now: cells{ids: slices.Repeat([]int32{render.Unset}, p.size)}}
		p.at[k] = c
		i, _ := slices.BinarySearchFunc(p.columns, k, func(o *column, k columnKey) int {
			return cmp.Or(cmp.Compare(p.position(o.name), p.position(k.name)), cmp.Compare(o.name, k.name), cmp.Compare(o.element, k.element))
		})
		p.columns = slices.Insert(p.columns, i, c)
	}
	return c
}

// batch is the new values of ranks in one column after one step, in order of the ranks.
type batch struct {
	columnKey
	version
}

// add notes the value of a rank in a world of size ranks. Ranks come in ascending order; of several values of a rank the
// last counts.
func (b *batch) add(rank, id int32, came *reason.Held, size int) {
	n := len(b.ids)
	if n > 0 && b.ranks[n-1] == rank {
		b.set(n-1, id, came)
		return
	}
	if n == cap(b.ids) {
		// Room doubles, but once the batch has an eighth of the world, it grows to the size expected if the remaining ranks
		// join as often as the ranks so far: append grows a long list only by a quarter each time, and leaves the old copy
		// as garbage.
		room := n + 1
		if left := size - int(rank); n >= max(size/8, 1) {
			room = min(max(n*left/int(rank-b.ranks[0]), n/8, 1), left)
		}
		b.ids, b.ranks = slices.Grow(b.ids, room), slices.Grow(b.ranks, room)
	}
	b.ids, b.ranks = append(b.ids, id), append(b.ranks, rank)
	if b.came != nil {
		b.came = append(b.came, nil)
	}
	b.set(n, id, came)
}

// change makes a version of a batch, which it takes for itself, without the ranks that held the same before.
func (c *column) change(b *batch) {
	n := 0
	for i, r := range b.ranks {
		id, came := b.get(i)
		if came == nil && c.now.ids[r] == id {
			continue
		}
		if c.lent {
			c.now, c.lent = cells{slices.Clone(c.now.ids), slices.Clone(c.now.came)}, false
		}
		if id != render.Unset {
			c.holding++
		}
		if c.now.ids[r] != render.Unset {
			c.holding--
		}
		c.now.set(int(r), id, came)
		b.ranks[n] = r
		b.set(n, id, came)
		n++
	}
	if n == 0 {
		return
	}
	v := b.version
	if c.loose += n; c.loose >= len(c.now.ids) {
		v.ranks, v.cells = nil, c.now
		c.lent, c.loose = true, 0
	} else if n < len(v.ranks) {
		v.ranks, v.ids, v.came = slices.Clone(v.ranks[:n]), slices.Clone(v.ids[:n]), slices.Clone(v.came[:min(n, len(v.came))])
	}
	c.versions = append(c.versions, v)
}

// free sets the variables that hold a freed communicator to MPI_COMM_NULL.
func (p *past) free(f engine.Freed) {
	null := &reason.Held{Comm: f.Comm.ID}
	for _, c := range p.columns {
		b := &batch{c.columnKey, version{step: f.Step}}
		for _, group := range [][]int32{f.Comm.Group, f.Comm.Remote} {
			for _, r := range group {
				if c.now.ids[r] == int32(f.Comm.ID) {
					b.ranks = append(b.ranks, r)
				}
			}
		}
		slices.Sort(b.ranks)
		b.cells = cells{make([]int32, len(b.ranks)), make([]*reason.Held, len(b.ranks))}
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
		at.ids = slices.Repeat([]int32{render.Unset}, size)
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
	p := s.past
	list := gather(s)
	freed := s.world.FreedSince(p.steps)
	p.steps = s.world.Now().Steps
	for _, b := range list {
		for len(freed) > 0 && freed[0].Step <= b.step {
			p.free(freed[0])
			freed = freed[1:]
		}
		p.called.note(b)
		p.column(b.columnKey).change(b)
	}
	for _, f := range freed {
		p.free(f)
	}
}

// gather merges the changes of all ranks, in order of the steps, and notes which variables the ranks have.
func gather(s *Session) []*batch {
	type key struct {
		columnKey
		step int
	}
	var list []*batch
	known := map[key]*batch{}
	var like []*batch // the batches of the changes of the rank before: most ranks change the same
	var fresh []string
	var changes []program.Change
	for i, r := range s.Ranks {
		fresh, changes = r.Changes(changes[:0])
		for _, name := range fresh {
			s.names[name] = true
		}
		for n, x := range changes {
			k := key{columnKey{x.Name, x.Index}, r.P.StepOf(x.Behind)}
			if n == len(like) {
				like = append(like, nil)
			}
			if b := like[n]; b == nil || b.columnKey != k.columnKey || b.step != k.step {
				if b = known[k]; b == nil {
					b = &batch{k.columnKey, version{step: k.step}}
					known[k], list = b, append(list, b)
				}
				like[n] = b
			}
			like[n].add(int32(i), x.ID, x.Came, len(s.ranks))
		}
	}
	slices.SortStableFunc(list, func(a, b *batch) int { return cmp.Compare(a.step, b.step) })
	return list
}
