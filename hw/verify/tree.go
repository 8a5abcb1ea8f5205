package verify

import (
	"fmt"
	"slices"
	"strings"

	"commsplit/hw"
	"commsplit/hw/verify/account"
	"commsplit/hw/verify/rules"
)

// treeRule is the rule about what we made of the files. Where they contradict each other it may be
// broken, too: that follows.
func (m *machine) treeRule() rules.Rule {
	r := rules.Rule{Name: "tree", Says: "the tree has each object that the files tell, within the one above it"}
	add := func(pu int, said ...rules.Said) { r.Breaches = append(r.Breaches, rules.Breach{PU: pu, Said: said}) }
	for _, o := range m.ours.Dropped {
		add(o.CPUSet.First(), rules.Said{File: "left out", Value: title(o) + " with " + pus(o.CPUSet)})
	}
	var walk func(o *hw.Object)
	walk = func(o *hw.Object) {
		for _, c := range slices.Concat(o.Memory, o.Children) {
			if !c.CPUSet.SubsetOf(o.CPUSet) {
				add(c.CPUSet.First(), rules.Said{File: title(c), Value: pus(c.CPUSet)}, rules.Said{File: title(o), Value: pus(o.CPUSet)})
			}
			walk(c)
		}
	}
	walk(m.ours.Root)
	for _, k := range []account.Kind{account.Of(hw.Package), account.Of(hw.PU)} {
		there := account.Union(m.full[k])
		if rest := m.ours.Online.Minus(there); !rest.Empty() && (!there.Empty() || k.Type == hw.PU) {
			add(rest.First(), rules.Said{File: fmt.Sprintf("in no %v", k), Value: pus(rest)})
		}
	}
	return r
}

// title names an object: "Package P#1", "L3Cache".
func title(o *hw.Object) string {
	if o.OSIndex == hw.Unknown {
		return o.TypeName()
	}
	return fmt.Sprintf("%s P#%d", o.TypeName(), o.OSIndex)
}

// follows tells in a line what broken rules lead to: what the tree lacks, and which witnesses see it.
func (m *machine) follows(r *Report) string {
	var parts, lost []string
	for _, o := range m.ours.Dropped {
		lost = append(lost, title(o))
	}
	if out := m.lostNodes(); !out.Empty() {
		lost = append(lost, fmt.Sprintf("NUMANode P#%v", out))
	}
	if bare := m.ours.Online.Minus(account.Union(m.full[account.Of(hw.PU)])); !bare.Empty() {
		lost = append(lost, pus(bare))
	}
	if odd := inCore(m.ours.Root, false); odd != nil {
		parts = append(parts, fmt.Sprintf("the tree has an %s of %s within a Core", odd.TypeName(), pus(odd.CPUSet)))
	}
	if len(lost) > 0 {
		parts = append(parts, "the tree leaves out "+first(lost, ", "))
	}
	var differ []string
	for _, k := range r.Kinds {
		var who []string
		for _, w := range r.Witnesses {
			if v := w.Verdicts[k]; v.State == Differs && !w.Plain {
				who = append(who, fmt.Sprintf("%s %d", w.Name, v.Count))
			}
		}
		if len(who) > 0 {
			differ = append(differ, fmt.Sprintf("%v (we %d, %s)", k, len(m.full[k]), strings.Join(who, ", ")))
		}
	}
	switch len(differ) {
	case 0:
		parts = append(parts, "no witness differs from the tree, because they read the same files")
	case 1:
		parts = append(parts, "1 type differs because of it: "+differ[0])
	default:
		parts = append(parts, fmt.Sprintf("%d types differ because of it: %s", len(differ), first(differ, ", ")))
	}
	return strings.Join(parts, "; ")
}

// inCore finds a cache of level 3 or more within a core.
func inCore(o *hw.Object, within bool) *hw.Object {
	if within && (o.Type == hw.L3Cache || o.Type == hw.L4Cache || o.Type == hw.L5Cache) {
		return o
	}
	for _, c := range o.Children {
		if odd := inCore(c, within || o.Type == hw.Core); odd != nil {
			return odd
		}
	}
	return nil
}

// first joins the first words of a list.
func first(list []string, sep string) string {
	if len(list) > shown {
		list = append(list[:shown:shown], fmt.Sprintf("and %d more", len(list)-shown))
	}
	return strings.Join(list, sep)
}
