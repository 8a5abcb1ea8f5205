package deviation

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw"
)

// scene is the run at which the rows look, with the state of each communicator at the present step.
type scene struct {
	*engine.Snapshot
	library Library
	freed   map[int]bool // communicators
	machine *machine
	asked   *request // of the present step, if it is a hardware split; else nil
	gives   *answer  // the library's answer to asked

	failed *engine.Step // the latest step that failed

	attrs    map[int]*attributes // by communicator
	handler  map[int]string      // by communicator: the error handler that the program set
	topology map[int]bool        // communicators with a virtual topology
}

func newScene(l Library, s *engine.Snapshot) *scene {
	return &scene{
		Snapshot: s, library: l, freed: map[int]bool{}, machine: &machine{s.Topology, s.Bindings, map[hw.Type][][]*hw.Object{}},
		attrs: map[int]*attributes{}, handler: map[int]string{}, topology: map[int]bool{},
	}
}

// isInter reports whether a communicator is an intercommunicator.
func (s *scene) isInter(id int) bool {
	c := s.Comm(id)
	return c != nil && c.Remote != nil
}

// enter prepares what the rows ask about a step.
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

// leave notes what a step changed.
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

// inherit gives a new communicator what it inherits from its parent by the standard.
func (s *scene) inherit(st *engine.Step, id int) {
	if h := s.handler[st.Comm]; h != "" {
		s.handler[id] = h
	}
	switch {
	case st.Call.Duplicates():
		s.topology[id] = s.topology[st.Comm]
		if a := s.attrs[st.Comm]; a != nil {
			s.attrs[id] = &attributes{slices.Clone(a.mpich), byKeyval(a.openmpi), slices.Clone(a.here)}
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

// column returns an argument of a step by name; nil when the step has none.
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

// callers lists the callers of a step whose integer argument meets a condition.
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

// attributes has the keyvals of the values cached on a communicator, in the order of each library. A value that is set
// again keeps its place in MPICH; in Open MPI and here it becomes the newest.
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

// byKeyval sorts keyvals by number, the order in which they were created.
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

// attributeRows are about the order of callbacks, which the standard leaves open (§7.7.2).
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

// copyOrder and deleteOrder return rules about a library's order of callbacks. Here values are copied in the order in
// which they were set, and deleted in the reverse order.
func copyOrder(there func(*attributes) []string) stepRule {
	return callbackOrder("copy", func(a *attributes) []string { return a.here }, there)
}

func deleteOrder(there func(*attributes) []string) stepRule {
	return callbackOrder("delete", func(a *attributes) []string { return reversed(a.here) }, there)
}

// callbackOrder returns a rule that tells the library's order where it differs from the order here.
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
