package program

import (
	"encoding/binary"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync/atomic"

	"go.starlark.net/starlark"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/engine/reason"
	"codeberg.org/commsplit/commsplit/render"
)

// Vars are the variables of a rank, in the order in which they first got a value.
type Vars struct {
	names  *names
	values []starlark.Value // by index in names
}

// names are the names of a rank's variables. Ranks that got the same few variables in the same order share the
// struct; a rank with many variables has its own.
type names struct {
	list []string
	at   map[string]int // index in list, once there are many

	more, beside atomic.Pointer[names] // shared: the first with one name more; the next with another last name
}

// Up to fewVars variables, a search in a list is faster than in a map.
const fewVars = 8

// index returns the place of a name in list; -1 for an unknown name.
func (n *names) index(name string) int {
	if n.at != nil {
		if i, ok := n.at[name]; ok {
			return i
		}
		return -1
	}
	for i := range n.list {
		if n.list[i] == name {
			return i
		}
	}
	return -1
}

// sharing returns the names with one more at the end, for few names: ranks share the result, and may call it in parallel.
func (n *names) sharing(name string) *names {
	var made *names
	for at := &n.more; ; {
		next := at.Load()
		if next == nil {
			if made == nil {
				made = &names{list: append(slices.Clip(n.list), name)}
			}
			if at.CompareAndSwap(nil, made) {
				return made
			}
			next = at.Load()
		}
		if next.list[len(next.list)-1] == name {
			return next
		}
		at = &next.beside
	}
}

// Get returns the value of a variable; nil when it has none.
func (v *Vars) Get(name string) starlark.Value {
	if i := v.names.index(name); i >= 0 {
		return v.values[i]
	}
	return nil
}

// Set gives a variable a value.
func (v *Vars) Set(name string, value starlark.Value) {
	if i := v.names.index(name); i >= 0 {
		v.values[i] = value
		return
	}
	v.values = append(v.values, value)
	if len(v.names.list) < fewVars {
		v.names = v.names.sharing(name)
		return
	}
	n := v.names
	if n.at == nil {
		n = &names{list: slices.Clone(n.list), at: map[string]int{}}
		for i, name := range n.list {
			n.at[name] = i
		}
		v.names = n
	}
	n.at[name] = len(n.list)
	n.list = append(n.list, name)
}

// Drop removes the value of a variable.
func (v *Vars) Drop(name string) {
	if i := v.names.index(name); i >= 0 {
		v.values[i] = nil
	}
}

// All yields the variables that have a value, and their values.
func (v *Vars) All() iter.Seq2[string, starlark.Value] {
	return func(yield func(string, starlark.Value) bool) {
		for i, name := range v.names.list {
			if v.values[i] != nil && !yield(name, v.values[i]) {
				return
			}
		}
	}
}

// Change says that a variable of a rank got another communicator, or no longer holds a communicator.
type Change struct {
	Name   string
	Index  int           // of the element of a list; -1: the variable itself
	Behind engine.Behind // how far the rank had come
	ID     int32         // -1: COMM_NULL; or render.Unset
	Came   *reason.Held  // the origin of a value that is not a communicator, when it is known
}

// changes is a rank's list of changes, a few bytes for each: programs of a large world make more changes than anything
// else. A change is, in the variable-length integers of encoding/binary: a head, which is the variable's place shifted
// by two, a bit that says that an index follows and a bit that says that came has its origin; the index; how far the
// rank had come; and the id.
type changes struct {
	few  [15]byte // the first bytes: for most ranks, all bytes
	n    uint8    // how many bytes few has
	more *moreChanges
}

type moreChanges struct {
	bytes []byte  // the bytes that follow few
	came  *origin // the origins of the changes that have one, the latest first
}

// others returns more, which it makes first if it is nil.
func (l *changes) others() *moreChanges {
	if l.more == nil {
		l.more = &moreChanges{}
	}
	return l.more
}

type origin struct {
	of     *reason.Held
	before *origin
}

const (
	withCame = 1 << iota
	withIndex
	withBits = iota
)

// add appends a change. variable is the place of the variable, as the method keeps returns it.
func (l *changes) add(variable, index int, behind engine.Behind, id int32, came *reason.Held) {
	head := int64(variable) << withBits
	if came != nil {
		head |= withCame
		more := l.others()
		more.came = &origin{came, more.came}
	}
	if index >= 0 {
		head |= withIndex
	}
	var room [4 * binary.MaxVarintLen64]byte
	b := binary.AppendVarint(room[:0], head)
	if index >= 0 {
		b = binary.AppendVarint(b, int64(index))
	}
	b = binary.AppendVarint(binary.AppendVarint(b, int64(behind)), int64(id))
	n := copy(l.few[l.n:], b)
	if l.n += uint8(n); n < len(b) {
		more := l.others()
		more.bytes = append(more.bytes, b[n:]...)
	}
}

// all yields the changes without their names, with the place of each variable, in order.
func (l *changes) all(yield func(variable int, x Change) bool) {
	var came []*reason.Held
	b := l.few[:l.n]
	if l.more != nil {
		for o := l.more.came; o != nil; o = o.before {
			came = append(came, o.of)
		}
		b = append(b[:l.n:l.n], l.more.bytes...)
	}
	next := func() int64 {
		v, n := binary.Varint(b)
		b = b[n:]
		return v
	}
	for len(b) > 0 {
		head := next()
		x := Change{Index: -1}
		if head&withIndex != 0 {
			x.Index = int(next())
		}
		x.Behind, x.ID = engine.Behind(next()), int32(next())
		if head&withCame != 0 {
			x.Came, came = came[len(came)-1], came[:len(came)-1]
		}
		if !yield(int(head>>withBits), x) {
			return
		}
	}
}

// making stands for the id of a communicator that a call is still making.
const making = render.Unset - 1

// listed is a list of communicators in a variable. A program changes lists in place, so every list is read again
// before each call.
type listed struct {
	name string
	list starlark.Indexable
	ids  []int32
	done bool // the list is a tuple whose communicators are all made
}

// unmade is a communicator in a variable that a call without waiting is still making.
type unmade struct {
	name string
	c    *Comm
}

// Now is the moment that the rank has come to.
const Now engine.Behind = -1

// Assign gives a variable of the session a value on this rank, and notes which communicators the variable then holds. The
// variable has the value from the moment at on.
func (r *Rank) Assign(name string, v starlark.Value, at engine.Behind) {
	if len(r.making) > 0 {
		r.followMaking()
	}
	r.Vars.Set(name, v)
	if !r.P.Traced() {
		return
	}
	list, ok := v.(starlark.Indexable)
	if ok && isList(v) {
		r.note(name, -1, nil, at)
		r.enlist(name, list, at)
		return
	}
	r.note(name, -1, v, at)
	if len(r.lists) > 0 {
		r.unlist(name, at)
	}
}

// note adds a change, but not for a variable that never held a communicator.
func (r *Rank) note(name string, index int, v starlark.Value, at engine.Behind) {
	c, ok := v.(*Comm)
	variable, keeps := r.keeps(name, ok && index < 0)
	if index < 0 && !keeps {
		return
	}
	if at == Now {
		at = r.P.Behind()
	}
	id, came := int32(render.Unset), (*reason.Held)(nil)
	if ok {
		id = c.held()
	}
	if ok && id == -1 || !ok && v != nil && v != starlark.None {
		held := HeldBy(v)
		came = &held
	}
	r.changes.add(variable, index, at, id, came)
	if index < 0 && (len(r.making) > 0 || ok && c.c.Pending()) {
		r.noteMaking(name, c)
	}
}

// noteMaking notes whether a call is still making the communicator c that a variable now holds; c is nil for no
// communicator.
func (r *Rank) noteMaking(name string, c *Comm) {
	r.rarely().making = slices.DeleteFunc(r.making, func(u unmade) bool { return u.name == name })
	if c != nil && c.c.Pending() {
		r.making = append(r.making, unmade{name, c})
	}
}

// keeps reports whether a variable holds a communicator (holds), or held one before, and returns its place: its index
// among the names of the session; for a variable of a function, ^ its index in kept.
func (r *Rank) keeps(name string, holds bool) (place int, keeps bool) {
	i := r.Vars.names.index(name)
	switch {
	case i < 0:
		return r.keepsLocal(name, holds)
	case i >= 32:
		return i, r.keepsLate(int32(i), holds)
	case holds:
		r.held |= 1 << i
	}
	return i, r.held>>i&1 != 0
}

// keepsLate does as keeps for a variable behind the first 32.
func (r *Rank) keepsLate(i int32, holds bool) bool {
	at, held := slices.BinarySearch(r.rare.held, i)
	if holds && !held {
		r.rarely().held = slices.Insert(r.rare.held, at, i)
	}
	return holds || held
}

// keepsLocal does as keeps for a variable of a function.
func (r *Rank) keepsLocal(name string, holds bool) (place int, keeps bool) {
	i := slices.Index(r.kept, name)
	if holds && i < 0 {
		i = len(r.kept)
		r.rarely().kept = append(r.kept, name)
	}
	return ^i, i >= 0
}

// followMaking notes which communicators were completed since the last call of followMaking.
func (r *Rank) followMaking() {
	for _, u := range slices.Clone(r.making) {
		if !u.c.c.Pending() {
			r.note(u.name, -1, u.c, Now)
		}
	}
}

// enlist begins to follow the list that a variable now holds.
func (r *Rank) enlist(name string, list starlark.Indexable, at engine.Behind) {
	i := r.listAt(name)
	if i < 0 {
		i = len(r.lists)
		r.rarely().lists = append(r.lists, listed{name: name})
	}
	r.lists[i].list, r.lists[i].done = list, false
	r.follow(&r.lists[i], at)
}

// unlist stops following the list of a variable, which now holds another value.
func (r *Rank) unlist(name string, at engine.Behind) {
	if i := r.listAt(name); i >= 0 {
		r.lists[i].list = starlark.Tuple{}
		r.follow(&r.lists[i], at)
		r.lists = slices.Delete(r.lists, i, i+1)
	}
}

// listAt returns the index in lists of a variable; -1 when no list of the variable is followed.
func (r *Rank) listAt(name string) int {
	return slices.IndexFunc(r.lists, func(l listed) bool { return l.name == name })
}

// followAll notes the changes since the last call of followAll that need no assignment: of lists, of communicators
// in the making, and of variables of functions that have returned.
func (r *Rank) followAll() {
	if len(r.making) > 0 {
		r.followMaking()
	}
	if len(r.inside) > 0 {
		r.leaveFunctions()
	}
	for i := range r.lists {
		if !r.lists[i].done {
			r.follow(&r.lists[i], Now)
		}
	}
}

// follow notes which elements of a list hold other communicators than before. It leaves out values that are no
// communicators, as Held does. For a list without communicators it notes only that its former elements are gone.
func (r *Rank) follow(l *listed, at engine.Behind) {
	some := false
	for i := 0; i < l.list.Len() && !some; i++ {
		_, some = l.list.Index(i).(*Comm)
	}
	_, l.done = l.list.(starlark.Tuple)
	k := 0
	for i := 0; some && i < l.list.Len(); i++ {
		v := l.list.Index(i)
		c, ok := v.(*Comm)
		if !ok && v != starlark.None {
			continue
		}
		id := int32(render.Unset)
		switch {
		case ok && c.c.Pending():
			id, l.done = making, false
		case ok:
			id = int32(c.c.ID()) // also of a freed communicator: freeing is not a change of the list
		}
		if k == len(l.ids) {
			l.ids = append(l.ids, render.Unset)
		}
		if id != l.ids[k] {
			r.note(l.name, k, v, at)
			l.ids[k] = id
		}
		k++
	}
	for ; k < len(l.ids); k++ {
		if l.ids[k] != render.Unset {
			r.note(l.name, k, nil, at)
			l.ids[k] = render.Unset
		}
	}
}

// Changes returns the variables that this rank has set since the last call of Changes, and appends to list the changes
// that were noted since then. A caller may reuse the list for the next rank. The world must be quiet.
func (r *Rank) Changes(list []Change) (fresh []string, changed []Change) {
	r.followAll()
	for variable, x := range r.changes.all {
		if variable >= 0 {
			x.Name = r.Vars.names.list[variable]
		} else {
			x.Name = r.kept[^variable]
		}
		list = append(list, x)
	}
	r.changes = changes{}
	fresh = r.Vars.names.list[r.told:]
	r.told += int32(len(fresh))
	return fresh, list
}

// Held returns the ids of the communicators that a variable holds: one id, or the ids of a list or tuple in order,
// without other values. The id of COMM_NULL, also of a freed handle, is -1. The id of a communicator in the
// making is render.Unset. So is the id of None in a list, which stands for an element that is not set yet. ok is
// false when v holds no communicator.
func Held(v starlark.Value) (ids []int32, isList, ok bool) {
	switch v := v.(type) {
	case *Comm:
		return []int32{v.held()}, false, true
	case *starlark.List, starlark.Tuple:
		seq := v.(starlark.Indexable)
		for i := range seq.Len() {
			switch e := seq.Index(i).(type) {
			case *Comm:
				ids, ok = append(ids, e.held()), true
			case starlark.NoneType:
				ids = append(ids, render.Unset)
			}
		}
		return ids, true, ok
	}
	return nil, false, false
}

// Pending reports whether v is a communicator that a call without waiting is still making.
func Pending(v starlark.Value) bool {
	c, ok := v.(*Comm)
	return ok && c.c.Pending()
}

func (v *Comm) held() int32 {
	if v.c.Pending() {
		return render.Unset
	}
	if info := v.c.Info(); info != nil {
		return int32(info.ID)
	}
	return -1
}

// remember gives the result of a constructor its origin when it is COMM_NULL.
func (r *Rank) remember(v *Comm) *Comm {
	if v.c == nil {
		v.own().came = &reason.Held{Comm: -1, Origin: r.P.Origin()}
	}
	return v
}

// SkippedNull makes the COMM_NULL of a rank that makes no call in a line of a session. where is the place of the line,
// handle the name of the communicator that the line acts on, and of its value on this rank; of is nil when the line is
// not for this rank.
func SkippedNull(where, handle string, of starlark.Value) starlark.Value {
	k := &reason.Skipped{Where: where, Handle: handle}
	if of != nil {
		held := HeldBy(of)
		k.Of = &held
	}
	return &Comm{apart: &apart{came: &reason.Held{Comm: -1, Skipped: k}}}
}

// HeldBy returns which communicator a value is, or where its COMM_NULL came from, for .explain.
func HeldBy(v starlark.Value) reason.Held {
	c, ok := v.(*Comm)
	switch {
	case v == nil:
		return reason.Held{Comm: -1, Unset: "none: the line that assigns the variable has not run on this rank"}
	case !ok && isList(v):
		return reason.Held{Comm: -1, Unset: fmt.Sprintf("a %s of %d; ask for one of them: NAME[0]", v.Type(), starlark.Len(v))}
	case !ok:
		return reason.Held{Comm: -1, Unset: describe(v) + ", which is not a communicator"}
	case c.c == nil && c.apart != nil && c.apart.came != nil:
		return *c.apart.came
	}
	return reason.Held{Comm: c.c.ID()}
}

// local is a variable of a function that runs. The past shows its communicator until the function returns.
type local struct {
	name  string // "descend.comm"
	depth int    // of calls at the function, its own call counted
	value starlark.Value
}

// localName returns the name under which a function's variable is noted; no variable of the session has a dot.
func localName(def, name string) string { return def + "." + name }

func isLocal(name string) bool { return strings.Contains(name, ".") }

// local notes the value of a variable of the running function.
func (r *Rank) local(name string, v starlark.Value) {
	if !r.P.Traced() {
		return
	}
	depth := r.depth()
	i := slices.IndexFunc(r.inside, func(l local) bool { return l.name == name && l.depth == depth })
	switch _, ok := v.(*Comm); {
	case i >= 0:
		r.inside[i].value = v
	case !ok:
		return
	default:
		r.rarely().inside = append(r.inside, local{name, depth, v})
	}
	r.note(name, -1, v, Now)
}

// leaveFunctions notes the end of the variables of functions that have returned.
func (r *Rank) leaveFunctions() {
	for len(r.inside) > 0 {
		l := r.inside[len(r.inside)-1]
		def, _, _ := strings.Cut(l.name, ".")
		above := r.depth() - l.depth
		if above >= 0 && r.interpreter().thread.CallFrame(above).Name == def {
			return
		}
		r.endLocals(l.depth)
	}
}

// endLocals notes the end of the variables of functions at this depth and deeper. In a recursion, the variables of
// the caller, which have the same names, show again.
func (r *Rank) endLocals(depth int) {
	for len(r.inside) > 0 && r.inside[len(r.inside)-1].depth >= depth {
		last := r.inside[len(r.inside)-1]
		r.inside = r.inside[:len(r.inside)-1]
		var before starlark.Value
		for _, l := range r.inside {
			if l.name == last.name {
				before = l.value
			}
		}
		r.note(last.name, -1, before, Now)
	}
}
