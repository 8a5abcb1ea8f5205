// Package compare lists how two machines differ. The list is short: the same change in many objects is one
// difference. Groups sorts many machines into groups of equal machines.
//
// Model: where both trees have the same shape, objects in the same place are compared, and another numbering of the PUs
// is one difference. Otherwise two objects are the same if they hold the same PUs, among the PUs that both machines
// have; objects whose PUs only one machine has are reported with these PUs, once. Names of hosts are not compared, and
// amounts of memory count as equal when they differ by less than a hundredth, as between two starts of a machine.
package compare

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/hw"
)

// Side is one of two machines.
type Side int

// The sides.
const (
	A Side = iota
	B
)

// Difference is one way in which two machines differ.
type Difference struct {
	Hosts    []string // the machines of several that differ so; nil where there is one on each side
	Type     string   // what differs: "PU", "L3Cache", "GPU", ...
	Objects  string   // which of that type: "L#0-3" of the first machine, names of devices; "" for the type as a whole
	Property string   // "memory", "model", ...; "" for how many there are
	A, B     string   // its values
	OnlyA    string   // what only one of them has: PUs in Linux's list format, and what goes with them
	OnlyB    string
	Why      string // "SMT is off"; "" where the values tell all
	WhyIn    Side   // the one where that is so
}

// Text describes the difference in a line; a and b are the names of the two sides.
func (d *Difference) Text(a, b string) string {
	what := d.Type
	for _, word := range []string{d.Objects, d.Property} {
		if word != "" {
			what += " " + word
		}
	}
	text := fmt.Sprintf("%s: %s in %s, %s in %s", what, d.A, a, d.B, b)
	if d.OnlyA != "" {
		text += "; only in " + a + ": " + d.OnlyA
	}
	if d.OnlyB != "" {
		text += "; only in " + b + ": " + d.OnlyB
	}
	if why := d.Reason(a, b); why != "" {
		text += "; " + why
	}
	if n := len(d.Hosts); n > 0 {
		text = fewOf(d.Hosts, ", ") + ": " + text
	}
	return text
}

// Reason returns why machines with the names a and b differ: "SMT is off in B"; "" where no reason is known.
func (d *Difference) Reason(a, b string) string {
	switch {
	case d.Why == "":
		return ""
	case d.WhyIn == A:
		return d.Why + " in " + a
	}
	return d.Why + " in " + b
}

// fewest is the largest number of different values that are listed one by one.
const fewest = 3

// fewOf joins the first words of a list, and counts the others.
func fewOf(words []string, separator string) string {
	if more := len(words) - fewest; more > 0 {
		return strings.Join(words[:fewest], separator) + " and " + strconv.Itoa(more) + " more"
	}
	return strings.Join(words, separator)
}

// Of lists the differences of two topologies. It compares hosts of the same name, or, where no host of a has the name
// of a host of b, hosts in the same place.
func Of(a, b *hw.Topology) []Difference {
	if len(a.Hosts) == 1 && len(b.Hosts) == 1 {
		return machines(a, b, 0, 0)
	}
	list := aboveHosts(a, b)
	for _, p := range hostPairs(a, b) {
		for _, d := range machines(a, b, p[0], p[1]) {
			d.Hosts = []string{a.Hosts[p[0]].Name}
			list = add(list, d)
		}
	}
	return list
}

// add adds a difference of one host to a list, or adds the host to the same difference of other hosts.
func add(list []Difference, d Difference) []Difference {
	for i := range list {
		if o := &list[i]; o.Hosts != nil && o.alike(&d) {
			o.Hosts = append(o.Hosts, d.Hosts...)
			return list
		}
	}
	return append(list, d)
}

// alike reports whether two differences are the same but for their hosts.
func (d *Difference) alike(o *Difference) bool {
	return d.Type == o.Type && d.Objects == o.Objects && d.Property == o.Property && d.A == o.A && d.B == o.B &&
		d.OnlyA == o.OnlyA && d.OnlyB == o.OnlyB && d.Why == o.Why && d.WhyIn == o.WhyIn
}

// aboveHosts lists the differences in the numbers of hosts and of the objects above them.
func aboveHosts(a, b *hw.Topology) (list []Difference) {
	count := func(t *hw.Topology) (names []string, n map[string]int) {
		n = map[string]int{}
		for _, level := range t.Levels() {
			if o := level[0]; o.Type == hw.Level || o.Type == hw.Machine {
				if n[o.TypeName()] == 0 {
					names = append(names, o.TypeName())
				}
				n[o.TypeName()] += len(level)
			}
		}
		return names, n
	}
	names, inA := count(a)
	others, inB := count(b)
	for _, name := range append(names, others...) {
		if inA[name] == inB[name] {
			continue
		}
		d := Difference{Type: name, A: strconv.Itoa(inA[name]), B: strconv.Itoa(inB[name])}
		inB[name] = inA[name] // told
		if name == hw.Machine.String() && named(a, b) {
			d.OnlyA, d.OnlyB = fewOf(without(a, b), ", "), fewOf(without(b, a), ", ")
		}
		list = append(list, d)
	}
	return list
}

// without lists the names of hosts of a that no host of b has.
func without(a, b *hw.Topology) (names []string) {
	there := map[string]bool{}
	for _, h := range b.Hosts {
		there[h.Name] = true
	}
	for _, h := range a.Hosts {
		if !there[h.Name] {
			names = append(names, h.Name)
		}
	}
	return names
}

// named reports whether some host of a has the name of a host of b.
func named(a, b *hw.Topology) bool { return len(without(a, b)) < len(a.Hosts) }

// hostPairs returns the indexes of the hosts that are compared with each other.
func hostPairs(a, b *hw.Topology) (pairs [][2]int) {
	if !named(a, b) {
		for i := range min(len(a.Hosts), len(b.Hosts)) {
			pairs = append(pairs, [2]int{i, i})
		}
		return pairs
	}
	at := map[string]int{}
	for i, h := range b.Hosts {
		at[h.Name] = i
	}
	for i, h := range a.Hosts {
		if j, ok := at[h.Name]; ok {
			pairs = append(pairs, [2]int{i, j})
		}
	}
	return pairs
}

// machine is one of the two machines, its objects sorted by type.
type machine struct {
	root    *hw.Object
	rows    map[string][]*hw.Object // the objects of a type
	types   []string                // the types in the order of the tree
	first   map[string]int          // logical index of the first object of a type
	devices []hw.Located
}

func newMachine(t *hw.Topology, host int) *machine {
	m := &machine{root: t.Hosts[host], rows: map[string][]*hw.Object{}, first: map[string]int{}}
	for o := range m.root.All() {
		if o.Attached || o.Type == hw.Machine {
			continue // what is in an attached Group is compared itself
		}
		name := typeOf(o)
		if m.rows[name] == nil {
			m.types = append(m.types, name)
			m.first[name] = o.LogicalIndex
		}
		m.first[name] = min(m.first[name], o.LogicalIndex)
		m.rows[name] = append(m.rows[name], o)
	}
	m.devices = t.LocatedOn(host)
	return m
}

// typeOf returns the name of an object's type: "Core", "Group(Book)".
func typeOf(o *hw.Object) string {
	if o.Type == hw.Group && o.Subtype != "" {
		return "Group(" + o.Subtype + ")"
	}
	return o.Type.String()
}

// index returns an object's logical index on its host.
func (m *machine) index(o *hw.Object) int { return o.LogicalIndex - m.first[typeOf(o)] }

// comparison is the state of comparing two machines.
type comparison struct {
	a, b  *machine
	both  hw.Set // PUs; of machines of one shape all
	place bool   // objects are compared by their places
	list  []Difference
}

// pair is the same object on both machines.
type pair struct{ a, b *hw.Object }

// machines lists the differences of two hosts.
func machines(ta, tb *hw.Topology, a, b int) []Difference {
	c := &comparison{a: newMachine(ta, a), b: newMachine(tb, b)}
	x, y := c.a.root, c.b.root
	same := sameShape(x, y, true)
	c.place = same && (x.CPUSet.Equal(y.CPUSet) || !x.Complete().Equal(y.Complete())) || !same && sameShape(x, y, false) && c.renumbered()
	var pairs map[string][]pair
	switch {
	case !c.place:
		pairs = c.byPUs()
	case same:
		if x.CPUSet.Equal(y.CPUSet) {
			c.outOfUse()
		}
		pairs = c.byPlace()
	default:
		c.threadsOnly()
		pairs = c.byPlace()
		delete(pairs, hw.PU.String())
	}
	for _, name := range c.a.types {
		c.attributes(name, pairs[name])
	}
	c.infos("Machine", []pair{{x, y}})
	c.coreKinds()
	c.distances()
	c.compareDevices()
	return c.list
}

// sameShape reports whether two trees have the same objects in the same places; without inCores it ignores the objects
// inside cores.
func sameShape(a, b *hw.Object, inCores bool) bool {
	like := func(a, b *hw.Object) bool { return sameShape(a, b, inCores) }
	return a.Type == b.Type && (a.Type != hw.Group || a.Subtype == b.Subtype) && slices.EqualFunc(a.Memory, b.Memory, like) &&
		(a.Type == hw.Core && !inCores || slices.EqualFunc(a.Children, b.Children, like))
}

// renumbered reports whether some core has no PU of the core in the same place on the other machine.
func (c *comparison) renumbered() bool {
	cores := c.b.rows[hw.Core.String()]
	for i, o := range c.a.rows[hw.Core.String()] {
		if !o.CPUSet.Intersects(cores[i].CPUSet) {
			return true
		}
	}
	return false
}

// byPlace pairs the objects of two machines of the same shape.
func (c *comparison) byPlace() map[string][]pair {
	pairs := map[string][]pair{}
	for name, row := range c.a.rows {
		others := c.b.rows[name]
		for i := range min(len(row), len(others)) { // of PUs there may be more in the cores of one
			pairs[name] = append(pairs[name], pair{row[i], others[i]})
		}
	}
	return pairs
}

// entry is a thing whose value differs, with both values.
type entry struct{ name, a, b string }

// tell adds the differences in a property: one for all things with the same two values, or a single one for all things
// where there are many different values.
func (c *comparison) tell(typ, property string, entries []entry, names func([]string) string) {
	type values struct{ a, b string }
	var order []values
	with := map[values][]string{}
	var all, left, right []string
	for _, e := range entries {
		v := values{e.a, e.b}
		if with[v] == nil {
			order = append(order, v)
			left, right = append(left, e.a), append(right, e.b)
		}
		with[v] = append(with[v], e.name)
		all = append(all, e.name)
	}
	if len(order) > fewest {
		c.list = append(c.list, Difference{Type: typ, Objects: names(all), Property: property,
			A: fewOf(left, ", "), B: fewOf(right, ", ")})
		return
	}
	for _, v := range order {
		c.list = append(c.list, Difference{Type: typ, Objects: names(with[v]), Property: property, A: v.a, B: v.b})
	}
}

// indexes names objects by their logical indexes: "L#0-3,5".
func indexes(names []string) string {
	var set hw.Set
	for _, n := range names {
		i, err := strconv.Atoi(n)
		if err != nil {
			panic(err) // entries of objects are called by their index
		}
		set.Add(i)
	}
	return "L#" + set.String()
}

// attributes compares the properties of pairs of objects of one type.
func (c *comparison) attributes(typ string, pairs []pair) {
	for _, p := range []struct {
		property string
		values   func(a, b *hw.Object) (string, string)
	}{{"number", numbers}, {"subtype", subtypes}, {"model", models}, {"size", sizes}, {"memory", memories}} {
		var entries []entry
		for _, q := range pairs {
			if a, b := p.values(q.a, q.b); a != b {
				entries = append(entries, entry{strconv.Itoa(c.a.index(q.a)), a, b})
			}
		}
		c.tell(typ, p.property, entries, indexes)
	}
	c.infos(typ, pairs)
}

func numbers(a, b *hw.Object) (string, string) {
	if a.OSIndex == hw.Unknown || b.OSIndex == hw.Unknown {
		return "", ""
	}
	return "P#" + strconv.Itoa(a.OSIndex), "P#" + strconv.Itoa(b.OSIndex)
}

func subtypes(a, b *hw.Object) (string, string) {
	return cmp.Or(a.Subtype, "none"), cmp.Or(b.Subtype, "none")
}

// models returns the names of two objects where both have one.
func models(a, b *hw.Object) (string, string) {
	if a.Name == "" || b.Name == "" {
		return "", ""
	}
	return a.Name, b.Name
}

// sizes returns the sizes of two caches where they differ.
func sizes(a, b *hw.Object) (string, string) {
	if a.Bytes == b.Bytes || a.Type == hw.NUMANode {
		return "", ""
	}
	return amounts(a.Bytes, b.Bytes)
}

// memories returns the amounts of memory of two NUMA nodes where they are apart.
func memories(a, b *hw.Object) (string, string) {
	if a.Type != hw.NUMANode || !apart(a.Bytes, b.Bytes) {
		return "", ""
	}
	return amounts(a.Bytes, b.Bytes)
}

// apart reports whether two amounts of memory differ by more than a hundredth.
func apart(a, b uint64) bool { return max(a, b)-min(a, b) > max(a, b)/100 }

// amounts writes two different numbers of bytes so that the texts differ, too.
func amounts(a, b uint64) (string, string) {
	x, y := hw.ByteSize(a), hw.ByteSize(b)
	if x == y {
		x, y = strconv.FormatUint(a, 10)+" bytes", strconv.FormatUint(b, 10)+" bytes"
	}
	if a == 0 {
		x = "unknown"
	}
	if b == 0 {
		y = "unknown"
	}
	return x, y
}

// aside lists infos that do not describe the hardware, but how or for which process a description was made.
var aside = []string{"Backend", "SyntheticDescription", "LinuxCgroup", "WindowsBuildEnvironment", "hwlocVersion", "ProcessName",
	"MemoryTiersNr", "HostName", "OSVersion"}

// infos compares the infos that an object has on both machines.
func (c *comparison) infos(typ string, pairs []pair) {
	var names []string
	entries := map[string][]entry{}
	for _, q := range pairs {
		if q.a.Details == nil || q.b.Details == nil {
			continue
		}
		index := "0"
		if q.a.Type != hw.Machine {
			index = strconv.Itoa(c.a.index(q.a))
		}
		for _, i := range q.a.Details.Infos {
			other, ok := hw.Find(q.b.Details.Infos, i.Name)
			if !ok || other == i.Value || slices.Contains(aside, i.Name) {
				continue
			}
			if entries[i.Name] == nil {
				names = append(names, i.Name)
			}
			entries[i.Name] = append(entries[i.Name], entry{index, i.Value, other})
		}
	}
	which := indexes
	if typ == hw.Machine.String() {
		which = func([]string) string { return "" }
	}
	for _, n := range names {
		c.tell(typ, n, entries[n], which)
	}
}

// coreKinds compares the kinds of cores.
func (c *comparison) coreKinds() {
	kinds := func(m *machine) []hw.Kind {
		if m.root.Details == nil {
			return nil
		}
		return m.root.Details.Kinds
	}
	a, b := kinds(c.a), kinds(c.b)
	if max(len(a), len(b)) > 1 && len(a) != len(b) {
		c.list = append(c.list, Difference{Type: "kind of cores", A: strconv.Itoa(max(len(a), 1)), B: strconv.Itoa(max(len(b), 1))})
		return
	}
	for i := range min(len(a), len(b)) {
		which := func([]string) string { return strconv.Itoa(i) }
		if x, y := a[i].CPUSet, b[i].CPUSet; !c.same(x, y) {
			c.tell("kind of cores", "PUs", []entry{{"", x.String(), y.String()}}, which)
		}
		for _, n := range a[i].Infos {
			if other, ok := hw.Find(b[i].Infos, n.Name); ok && other != n.Value {
				c.tell("kind of cores", n.Name, []entry{{"", n.Value, other}}, which)
			}
		}
	}
}

// distances compares matrices of the two machines that have the same name and the same number of objects.
func (c *comparison) distances() {
	if c.a.root.Details == nil || c.b.root.Details == nil {
		return
	}
	values := func(m hw.Matrix) string { return strings.Trim(fmt.Sprint(m.Values), "[]") }
	for _, m := range c.a.root.Details.Matrices {
		for _, o := range c.b.root.Details.Matrices {
			if m.Name == o.Name && len(m.Ends) == len(o.Ends) && !slices.Equal(m.Values, o.Values) {
				c.list = append(c.list, Difference{Type: "distances", Objects: m.Name, A: hw.Clip(values(m)), B: hw.Clip(values(o))})
			}
		}
	}
}

// same reports whether two sets are equal among the PUs that both machines have. On machines of the same shape with
// different numbers of the PUs, it compares only the sizes of the sets.
func (c *comparison) same(a, b hw.Set) bool {
	if c.place && !c.a.root.CPUSet.Equal(c.b.root.CPUSet) {
		return a.Len() == b.Len()
	}
	if c.place {
		return a.Equal(b)
	}
	return a.Intersect(c.both).Equal(b.Intersect(c.both))
}

// Group is a group of equal machines.
type Group struct {
	Members     []int        // by their places in the list, ascending
	Like        int          // the larger group that it is most like; -1 for the largest
	Differences []Difference // from a machine of that group
}

// Groups sorts machines into groups of equal machines. A machine belongs to the first group whose first machine it
// equals. The largest group comes first; of groups of the same size, the group with the earlier first machine.
func Groups(machines []*hw.Topology) []Group {
	var groups []Group
	for i, m := range machines {
		at := slices.IndexFunc(groups, func(g Group) bool { return len(Of(machines[g.Members[0]], m)) == 0 })
		if at < 0 {
			groups = append(groups, Group{Members: []int{i}})
			continue
		}
		groups[at].Members = append(groups[at].Members, i)
	}
	slices.SortStableFunc(groups, func(a, b Group) int { return cmp.Compare(len(b.Members), len(a.Members)) })
	for i := range groups {
		g := &groups[i]
		g.Like = -1
		for j, larger := range groups[:i] {
			list := Of(machines[larger.Members[0]], machines[g.Members[0]])
			if g.Like < 0 || len(list) < len(g.Differences) {
				g.Like, g.Differences = j, list
			}
		}
	}
	return groups
}
