package deviation

import (
	"slices"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw"
)

// openMPIWords are the names of resources that Open MPI knows, in the order in which it tries them. It accepts any
// value that begins with a name, in upper or lower case.
var openMPIWords = []struct {
	word     string
	typ      hw.Type
	unguided bool // an unguided split tries the name
}{
	{"cluster", hw.Machine, false}, {"cu", hw.Machine, true}, {"host", hw.Machine, true},
	{"mpi_shared_memory", hw.Machine, true}, {"board", hw.Machine, true},
	{"numanode", hw.NUMANode, true}, {"socket", hw.Package, true}, {"l3cache", hw.L3Cache, true},
	{"l2cache", hw.L2Cache, true}, {"l1cache", hw.L1Cache, true}, {"core", hw.Core, true},
	{"hwthread", hw.PU, true},
}

// openMPIWord returns the index of the name that a value begins with, or -1.
func openMPIWord(value string) int {
	for i, w := range openMPIWords {
		if len(value) >= len(w.word) && strings.EqualFold(value[:len(w.word)], w.word) {
			return i
		}
	}
	return -1
}

// met lists the objects of a type that a rank may use, by their index on its host.
func (m *machine) met(rank int32, typ hw.Type) []int32 {
	b := m.bindings[rank]
	var list []int32
	for i, o := range m.on(typ, b.Host) {
		if o.CPUSet.Intersects(b.CPUSet) {
			list = append(list, int32(i))
		}
	}
	return list
}

// neighbors returns, for each process of a node, the processes that Open MPI takes to be local to it at a level: those
// with which it shares an object of the type. A process that is not bound is local only to itself.
func (m *machine) neighbors(node []int32, typ hw.Type) map[int32][]int32 {
	users := map[int32][]int32{}
	objects := map[*hw.Binding][]int32{}
	order := make(map[int32]int, len(node))
	for i, r := range node {
		order[r] = i
		b := m.bindings[r]
		if _, known := objects[b]; !known && m.bound(r) {
			objects[b] = m.met(r, typ)
		}
		for _, o := range objects[b] {
			users[o] = append(users[o], r)
		}
	}
	ofBinding := map[*hw.Binding][]int32{}
	view := make(map[int32][]int32, len(node))
	for _, r := range node {
		b := m.bindings[r]
		switch list := objects[b]; {
		case len(list) == 0:
			view[r] = []int32{r}
		case len(list) == 1:
			view[r] = users[list[0]]
		default:
			if ofBinding[b] == nil {
				ofBinding[b] = merged(users, list, order)
			}
			view[r] = ofBinding[b]
		}
	}
	return view
}

// merged returns the users of several objects, each once, in the given order.
func merged(users map[int32][]int32, objects []int32, order map[int32]int) []int32 {
	var all []int32
	for _, o := range objects {
		all = append(all, users[o]...)
	}
	slices.SortFunc(all, func(a, b int32) int { return order[a] - order[b] })
	return slices.Compact(all)
}

// openMPIGuided gives each process a group of the processes that neighbors returns for it.
func (m *machine) openMPIGuided(asked []int32, word int) *answer {
	a := newAnswer()
	typ := openMPIWords[word].typ
	for _, node := range m.nodes(asked) {
		if typ == hw.Machine {
			a.give(node, coarse)
			continue
		}
		view, same := m.neighbors(node, typ), sameness{}
		for _, r := range node {
			if _, done := a.of[r]; done {
				continue
			}
			switch {
			case len(m.on(typ, m.bindings[r].Host)) == 0:
				a.give(view[r], absent)
			case !m.bound(r):
				a.give(view[r], alone)
			case slices.ContainsFunc(view[r], func(peer int32) bool { return !same.equal(view[peer], view[r]) }):
				a.of[r], a.why[r] = len(a.groups), overlap
				a.groups = append(a.groups, view[r])
			default:
				a.give(view[r], likeText)
			}
		}
	}
	return a
}

// openMPIUnguided tries the words of unguided splits in order, coarsest first, until some process
// gets a group smaller than the communicator.
func (m *machine) openMPIUnguided(asked []int32) *answer {
	if len(asked) < 2 {
		return newAnswer()
	}
	for i, w := range openMPIWords {
		if !w.unguided {
			continue
		}
		a := m.openMPIGuided(asked, i)
		smaller := slices.DeleteFunc(slices.Clone(asked), func(r int32) bool { return len(a.group(r)) == len(asked) })
		if len(smaller) == 0 {
			continue
		}
		a.value = w.word
		if len(smaller) < len(asked) {
			for _, r := range asked {
				a.why[r] = unresolved
			}
		}
		return a
	}
	return newAnswer()
}

// openMPI returns the answer of Open MPI to a hardware split.
func (m *machine) openMPI(q *request) *answer {
	word := openMPIWord(q.value)
	switch {
	case q.shared():
		return m.openMPIGuided(q.asked, openMPIWord(engine.ValueSharedMemory))
	case q.kind == engine.TypeHWUnguided:
		return m.openMPIUnguided(q.asked)
	case q.guided() && word >= 0:
		a := m.openMPIGuided(q.asked, word)
		for _, r := range q.asked {
			if m.lookup(q.value) == nil && a.why[r] == likeText {
				a.why[r] = ownWord
			}
		}
		return a
	}
	a := newAnswer()
	if q.guided() {
		a.null(q.asked, unknown)
	}
	return a
}
