package deviation

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
)

// scene is the run that the rows look at, with what the trace says of each communicator up to the
// step at hand.
type scene struct {
	*engine.Snapshot
	library Library
	freed   map[int]bool // communicators
	machine *machine
	asked   *request // the hardware split at hand, nil for other steps
	gives   *answer  // what the library makes of it

	failed *engine.Step // the latest step that failed

	attrs    map[int]*attributes // by communicator: what is cached on it
	handler  map[int]string      // by communicator: the error handler that the program set
	topology map[int]bool        // communicators with a virtual topology
}

func newScene(l Library, s *engine.Snapshot) *scene {
	return &scene{
		Snapshot: s, library: l, freed: map[int]bool{}, machine: newMachine(s),
		attrs: map[int]*attributes{}, handler: map[int]string{}, topology: map[int]bool{},
	}
}

// isInter reports whether a communicator is an intercommunicator.
func (s *scene) isInter(id int) bool {
	c := s.Comm(id)
	return c != nil && c.Remote != nil
}

// enter prepares for the rows what they need to know of a step.
func (s *scene) enter(st *engine.Step) {
	s.asked, s.gives = nil, nil
	if st.Call != engine.CallSplitType {
		return
	}
	if s.asked = newRequest(s, st); s.asked == nil {
		return
	}
	s.machine.bindings = s.BindingsAt(st.Number)
	if s.library == MPICH {
		s.gives = s.machine.mpich(s.asked)
	} else {
		s.gives = s.machine.openMPI(s.asked)
	}
}

// leave takes in what a step changed.
func (s *scene) leave(st *engine.Step) {
	if st.Err != nil {
		s.failed = st
	}
	switch st.Call {
	case engine.CallSetAttr:
		if key := text(st, "comm_keyval", 0); key != "" {
			s.cache(st.Comm).set(key)
		}
	case engine.CallDeleteAttr:
		s.cache(st.Comm).drop(text(st, "comm_keyval", 0))
	case engine.CallFree, engine.CallDisconnect:
		s.freed[st.Comm] = true
	case engine.CallSetErrhandler:
		s.handler[st.Comm] = text(st, "errhandler", 0)
	}
	for _, id := range st.Made {
		s.inherit(st, id)
	}
}

// inherit gives a new communicator what the standard lets it have of its parent's.
func (s *scene) inherit(st *engine.Step, id int) {
	if h := s.handler[st.Comm]; h != "" {
		s.handler[id] = h
	}
	switch {
	case st.Call.Duplicates():
		s.topology[id] = s.topology[st.Comm]
		if a := s.attrs[st.Comm]; a != nil {
			s.attrs[id] = a.duplicate()
		}
	case st.Call.MakesTopology():
		s.topology[id] = true
	}
}

func (s *scene) cache(comm int) *attributes {
	if s.attrs[comm] == nil {
		s.attrs[comm] = &attributes{}
	}
	return s.attrs[comm]
}

// column finds an argument of a step by name; nil when it has none.
func column(st *engine.Step, name string) *engine.Column {
	i := slices.IndexFunc(st.Args, func(c engine.Column) bool { return c.Name == name })
	if i < 0 {
		return nil
	}
	return &st.Args[i]
}

// text returns an argument of the i-th caller of a step as text; "" when the trace does not have it.
func text(st *engine.Step, name string, i int) string {
	c := column(st, name)
	switch {
	case c == nil:
	case i < len(c.Texts):
		return c.Texts[i]
	case i < len(c.Ints):
		return strconv.Itoa(int(c.Ints[i]))
	}
	return ""
}

// callers lists the callers of a step that passed what meets a condition for an integer argument.
func callers(st *engine.Step, name string, holds func(v int) bool) engine.Ranks {
	c := column(st, name)
	if c == nil {
		return nil
	}
	var list engine.Ranks
	i := 0
	for r := range st.Ranks.All {
		if i < len(c.Ints) && holds(int(c.Ints[i])) {
			list.Append(int32(r))
		}
		i++
	}
	return list
}

// attributes are the keyvals of what is cached on a communicator, in the order that each keeps. An
// attribute that is set again keeps its place in MPICH; in Open MPI and here it becomes the newest.
type attributes struct{ mpich, openmpi, here []string }

func (a *attributes) set(key string) {
	if !slices.Contains(a.mpich, key) {
		a.mpich = append(a.mpich, key)
	}
	a.openmpi = append(without(a.openmpi, key), key)
	a.here = append(without(a.here, key), key)
}

func (a *attributes) drop(key string) {
	a.mpich, a.openmpi, a.here = without(a.mpich, key), without(a.openmpi, key), without(a.here, key)
}

func without(list []string, key string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(k string) bool { return k == key })
}

// duplicate returns the attributes of a duplicate: Open MPI copies in the order of the keyvals.
func (a *attributes) duplicate() *attributes {
	return &attributes{slices.Clone(a.mpich), byKeyval(a.openmpi), slices.Clone(a.here)}
}

// byKeyval sorts keyvals in the order in which they were created: by number.
func byKeyval(keys []string) []string {
	number := func(k string) int { n, _ := strconv.Atoi(k); return n }
	return slices.SortedFunc(slices.Values(keys), func(a, b string) int {
		return cmp.Or(cmp.Compare(number(a), number(b)), cmp.Compare(a, b))
	})
}

func reversed(keys []string) []string {
	list := slices.Clone(keys)
	slices.Reverse(list)
	return list
}

var dups = slices.DeleteFunc(engine.Calls(), func(c engine.Call) bool { return !c.Duplicates() })

var frees = []engine.Call{engine.CallFree, engine.CallDisconnect}

// attributeRows are the orders of callbacks, which the standard leaves open (§7.7.2).
var attributeRows = []Deviation{
	{Name: "copy-order", Beside: true, Library: MPICH, Calls: dups, Source: "MPICH 4.0 and 4.2",
		Rule: "copy functions are called in the reverse order of setting; the standard leaves the order open",
		step: copyOrder(func(a *attributes) []string { return reversed(a.mpich) })},
	{Name: "copy-order", Beside: true, Library: OpenMPI, Calls: dups, Source: "Open MPI 4.1 and 5.0",
		Rule: "copy functions are called in keyval order; the standard leaves the order open",
		step: copyOrder(func(a *attributes) []string { return byKeyval(a.openmpi) })},
	{Name: "delete-order", Beside: true, Library: MPICH, Calls: frees, Source: "MPICH 4.0 and 4.2",
		Rule: "an attribute that is set again keeps its place in the order; the standard leaves the order open",
		step: deleteOrder(func(a *attributes) []string { return reversed(a.mpich) })},
	{Name: "delete-order", Beside: true, Library: OpenMPI, Calls: frees, Source: "Open MPI 4.1 and 5.0",
		Rule: "a duplicate has its attributes in keyval order; the standard leaves the order open",
		step: deleteOrder(func(a *attributes) []string { return reversed(a.openmpi) })},
}

// copyOrder and deleteOrder tell a library's order of callbacks where it is another than here: copies
// as the attributes were set, deletions the other way round.
func copyOrder(there func(*attributes) []string) stepRule {
	return callbackOrder("copy", func(a *attributes) []string { return a.here }, there)
}

func deleteOrder(there func(*attributes) []string) stepRule {
	return callbackOrder("delete", func(a *attributes) []string { return reversed(a.here) }, there)
}

// callbackOrder tells an order of callbacks that differs.
func callbackOrder(what string, here, there func(*attributes) []string) stepRule {
	return func(s *scene, st *engine.Step) []finding {
		a := s.attrs[st.Comm]
		if a == nil || slices.Equal(here(a), there(a)) {
			return nil
		}
		order, ours := strings.Join(there(a), ", "), strings.Join(here(a), ", ")
		return []finding{{st.Ranks, what + " functions in the order of keyvals " + order + " (here " + ours + ")"}}
	}
}
