package compare

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/spell"
)

// byPUs pairs the objects that hold the same PUs, among the PUs that both machines have, and memory without PUs that has
// the same number. It adds the differences for objects that only one machine has.
func (c *comparison) byPUs() map[string][]pair {
	x, y := c.a.root.CPUSet, c.b.root.CPUSet
	c.both = x.Intersect(y)
	pairs := map[string][]pair{}
	var goneA, goneB []string // with the PUs that only one machine has
	var rows []Difference
	types := slices.Clone(c.a.types)
	for _, name := range c.b.types {
		if !slices.Contains(types, name) {
			types = append(types, name)
		}
	}
	unlikeNodes := false
	for _, name := range types {
		if name == hw.PU.String() {
			pairs[name] = c.commonPUs()
			continue
		}
		m := c.match(name)
		pairs[name] = m.pairs
		if len(m.a)+len(m.b) > 0 {
			rows = append(rows, c.unlike(name, m))
			unlikeNodes = unlikeNodes || name == hw.NUMANode.String()
			continue
		}
		if m.goneA > 0 {
			goneA = append(goneA, spell.Plural(m.goneA, name))
		}
		if m.goneB > 0 {
			goneB = append(goneB, spell.Plural(m.goneB, name))
		}
	}
	c.onlyPUs(goneA, goneB)
	c.list = append(c.list, rows...)
	if unlikeNodes {
		c.totalMemory()
	}
	return pairs
}

// commonPUs pairs the PUs that both machines have.
func (c *comparison) commonPUs() (list []pair) {
	at := map[int]*hw.Object{}
	for _, o := range c.b.rows[hw.PU.String()] {
		at[o.OSIndex] = o
	}
	for _, o := range c.a.rows[hw.PU.String()] {
		if other := at[o.OSIndex]; other != nil {
			list = append(list, pair{o, other})
		}
	}
	return list
}

// matched holds the objects of one type: the pairs, the objects without a partner on the other machine, and the numbers
// of objects whose PUs the other machine lacks.
type matched struct {
	pairs        []pair
	a, b         []*hw.Object
	goneA, goneB int
}

// match pairs the objects of one type.
func (c *comparison) match(name string) (m matched) {
	waiting := map[string][]*hw.Object{}
	for _, o := range c.b.rows[name] {
		key := c.key(o)
		waiting[key] = append(waiting[key], o)
	}
	for _, o := range c.a.rows[name] {
		key := c.key(o)
		switch list := waiting[key]; {
		case len(list) > 0:
			m.pairs = append(m.pairs, pair{o, list[0]})
			waiting[key] = list[1:]
		case c.gone(o):
			m.goneA++
		default:
			m.a = append(m.a, o)
		}
	}
	for _, o := range c.b.rows[name] {
		list := waiting[c.key(o)]
		switch {
		case !slices.Contains(list, o):
		case c.gone(o):
			m.goneB++
		default:
			m.b = append(m.b, o)
		}
	}
	return m
}

// key returns a text that is equal for objects of a type that are the same on both machines.
func (c *comparison) key(o *hw.Object) string {
	pus := o.CPUSet.Intersect(c.both)
	if o.Type == hw.NUMANode && pus.Empty() {
		return "node " + strconv.Itoa(o.OSIndex)
	}
	if pus.Empty() {
		return "of " + o.CPUSet.String()
	}
	return pus.String()
}

// gone reports whether an object has PUs, and the other machine has none of them.
func (c *comparison) gone(o *hw.Object) bool {
	return !o.CPUSet.Empty() && !o.CPUSet.Intersects(c.both)
}

// unlike returns the difference for a type whose objects hold different PUs on the two machines.
func (c *comparison) unlike(name string, m matched) Difference {
	a, b := c.a.rows[name], c.b.rows[name]
	if len(a) == len(b) && len(m.a) == len(m.b) {
		sets := func(list []*hw.Object) string {
			var texts []string
			for _, o := range list {
				texts = append(texts, o.CPUSet.String())
			}
			return fewOf(texts, " | ")
		}
		var names []string
		for _, o := range m.a {
			names = append(names, strconv.Itoa(c.a.index(o)))
		}
		return Difference{Type: name, Objects: indexes(names), Property: "PUs", A: sets(m.a), B: sets(m.b)}
	}
	return Difference{Type: name, A: counted(a), B: counted(b)}
}

// counted writes how many objects there are, with the number of PUs where all have equally many: "4 of 16 PUs".
func counted(list []*hw.Object) string {
	if len(list) == 0 {
		return "none"
	}
	text := strconv.Itoa(len(list))
	if n := pusOfEach(list); n >= 0 {
		text += " of " + spell.Plural(n, "PU")
	}
	return text
}

// pusOfEach returns the number of PUs that each object of a list has; -1 where the numbers differ.
func pusOfEach(list []*hw.Object) int {
	n := list[0].CPUSet.Len()
	if slices.ContainsFunc(list, func(o *hw.Object) bool { return o.CPUSet.Len() != n }) {
		return -1
	}
	return n
}

// onlyPUs adds the difference for PUs that only one machine has, with the objects that hold only such PUs, and with the
// reason where it is known; then the difference for PUs that exist but cannot be used on one machine.
func (c *comparison) onlyPUs(goneA, goneB []string) {
	x, y := c.a.root.CPUSet, c.b.root.CPUSet
	d := Difference{Type: hw.PU.String(), A: strconv.Itoa(x.Len()), B: strconv.Itoa(y.Len())}
	if !x.Equal(y) {
		d.OnlyA, d.OnlyB = with(x.Minus(y), goneA), with(y.Minus(x), goneB)
		switch {
		case singleThreads(c.a, c.b, c.both):
			d.Why, d.WhyIn = "SMT is off", B
		case singleThreads(c.b, c.a, c.both):
			d.Why, d.WhyIn = "SMT is off", A
		default:
			if d.Why = away(c.b.root, x.Minus(y)); d.Why != "" {
				d.WhyIn = B
			} else if d.Why = away(c.a.root, y.Minus(x)); d.Why != "" {
				d.WhyIn = A
			}
		}
		c.list = append(c.list, d)
	}
	c.outOfUse()
}

// outOfUse adds the difference for PUs that one machine has but cannot use, and that the other machine lacks.
func (c *comparison) outOfUse() {
	x, y := c.a.root.CPUSet, c.b.root.CPUSet
	a, b := c.a.root.Complete().Minus(x).Minus(y), c.b.root.Complete().Minus(y).Minus(x)
	if !a.Equal(b) {
		c.list = append(c.list, Difference{Type: hw.PU.String(), Property: "out of use", A: cmp.Or(a.String(), "none"), B: cmp.Or(b.String(), "none")})
	}
}

// with describes PUs and the objects that hold only these PUs.
func with(pus hw.Set, gone []string) string {
	if pus.Empty() || len(gone) == 0 {
		return pus.String()
	}
	return pus.String() + ", with " + strings.Join(gone, ", ")
}

// singleThreads reports whether b has only one PU of each core that has several PUs on a.
func singleThreads(a, b *machine, both hw.Set) bool {
	if !b.root.CPUSet.SubsetOf(a.root.CPUSet) || !oneEach(b) {
		return false
	}
	several := 0
	for _, core := range a.rows[hw.Core.String()] {
		left := core.CPUSet.Intersect(both)
		if core.CPUSet.Len() > 1 && !left.Empty() {
			several++
			if left.Len() > 1 {
				return false
			}
		}
	}
	return several > 0
}

// oneEach reports whether each core has one PU.
func oneEach(m *machine) bool {
	return !slices.ContainsFunc(m.rows[hw.Core.String()], func(o *hw.Object) bool { return o.CPUSet.Len() != 1 })
}

// threadsOnly adds the difference between machines that differ only in the PUs of their cores.
func (c *comparison) threadsOnly() {
	d := Difference{Type: hw.PU.String(), A: perCore(c.a), B: perCore(c.b)}
	switch {
	case oneEach(c.b):
		d.Why, d.WhyIn = "SMT is off", B
	case oneEach(c.a):
		d.Why, d.WhyIn = "SMT is off", A
	}
	c.list = append(c.list, d)
}

// perCore counts the PUs, and those of a core where all cores have the same number: "32 (2 a core)".
func perCore(m *machine) string {
	text := strconv.Itoa(len(m.rows[hw.PU.String()]))
	if n := pusOfEach(m.rows[hw.Core.String()]); n >= 0 {
		text += " (" + strconv.Itoa(n) + " a core)"
	}
	return text
}

// away returns why a machine lacks PUs: they are switched off or not allowed; "" where no single reason holds for all.
func away(m *hw.Object, pus hw.Set) string {
	switch d := m.Details; {
	case d == nil || pus.Empty():
		return ""
	case pus.SubsetOf(d.Offline):
		return "they are switched off"
	case pus.SubsetOf(d.Disallowed):
		return "they are not allowed"
	}
	return ""
}

// totalMemory compares the total memory of machines with different NUMA nodes.
func (c *comparison) totalMemory() {
	sum := func(m *machine) (bytes uint64) {
		for _, o := range m.rows[hw.NUMANode.String()] {
			bytes += o.Bytes
		}
		return bytes
	}
	if a, b := sum(c.a), sum(c.b); apart(a, b) {
		x, y := amounts(a, b)
		c.list = append(c.list, Difference{Type: hw.Machine.String(), Property: "memory", A: x, B: y})
	}
}
