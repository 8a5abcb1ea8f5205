package deviation

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"commsplit/engine"
)

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

// duplicate is what a duplicate has: Open MPI copies in the order of the keyvals.
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

var dups = []engine.Call{engine.CallDup, engine.CallDupWithInfo, engine.CallIdup, engine.CallIdupWithInfo}

var frees = []engine.Call{engine.CallFree, engine.CallDisconnect}

// attributeRows are the orders of callbacks, which the standard leaves open (§7.7.2).
var attributeRows = []Deviation{
	{Name: "copy-order", Beside: true, Library: MPICH, Calls: dups, Source: "MPICH 4.0 and 4.2",
		Rule: "copy functions are called for the attribute set last first; the standard leaves the order open",
		step: copyOrder(func(a *attributes) []string { return reversed(a.mpich) })},
	{Name: "copy-order", Beside: true, Library: OpenMPI, Calls: dups, Source: "Open MPI 4.1 and 5.0",
		Rule: "copy functions are called in the order of the keyvals; the standard leaves the order open",
		step: copyOrder(func(a *attributes) []string { return byKeyval(a.openmpi) })},
	{Name: "delete-order", Beside: true, Library: MPICH, Calls: frees, Source: "MPICH 4.0 and 4.2",
		Rule: "an attribute that is set again keeps its place; the standard leaves the order open",
		step: deleteOrder(func(a *attributes) []string { return reversed(a.mpich) })},
	{Name: "delete-order", Beside: true, Library: OpenMPI, Calls: frees, Source: "Open MPI 4.1 and 5.0",
		Rule: "a duplicate has its attributes in the order of the keyvals; the standard leaves the order open",
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
