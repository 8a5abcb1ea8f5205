package verify

import (
	"commsplit/hw"
	"commsplit/hw/verify/account"
)

// lstopoModel predicts lstopo: it says what we do, but for Groups, of which it makes more and
// names some.
func (m *machine) lstopoModel(said account.Account) account.Model {
	plain, named := account.Kind{Type: hw.Group}, account.Kind{Type: hw.Group, Subtype: "Cluster"}
	list := func(k account.Kind) []account.Kind { return []account.Kind{k} }
	distance := &account.Limit{Words: "also groups NUMA nodes that are near to each other", Kinds: list(plain)}
	empty := &account.Limit{Words: "makes a Group for a NUMA node without PUs, too", Kinds: list(plain)}
	names := &account.Limit{Words: "calls the Groups of NUMA nodes of this processor Clusters",
		Kinds: []account.Kind{plain, named}}
	return account.Model{Limits: []*account.Limit{distance, empty, names},
		Predict: func(k account.Kind, on account.On) []account.Thing {
			if on[names] {
				k = map[account.Kind]account.Kind{plain: named, named: plain}[k]
			}
			things := m.said[k]
			things = things[:len(things):len(things)]
			for _, g := range without(said[plain], m.said[plain]) {
				if on[distance] && m.joinsNodes(g.CPUSet) || on[empty] && g.CPUSet.Empty() {
					things = append(things, g)
				}
			}
			return things
		}}
}

// joinsNodes reports whether a set is that of two or more NUMA nodes together.
func (m *machine) joinsNodes(set hw.Set) bool {
	var union hw.Set
	n := 0
	for _, node := range m.said[account.Of(hw.NUMANode)] {
		if !node.CPUSet.Empty() && node.CPUSet.SubsetOf(set) && !node.CPUSet.SubsetOf(union) {
			union.Merge(node.CPUSet)
			n++
		}
	}
	return n > 1 && union.Equal(set)
}
