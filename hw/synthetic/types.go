package synthetic

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/hw"
)

// words are the types that hwloc reads, with the number of letters that tell
// each from the others.
var words = []struct {
	name   string
	letter int
	typ    hw.Type
}{
	{"numanode", 2, hw.NUMANode}, {"node", 2, hw.NUMANode},
	{"package", 2, hw.Package}, {"socket", 2, hw.Package},
	{"die", 2, hw.Die}, {"core", 2, hw.Core}, {"pu", 2, hw.PU},
}

// noLevels are types that hwloc knows but that no level can have.
var noLevels = map[string]int{
	"machine": 2, "misc": 4, "bridge": 4, "hostbridge": 6, "pcibridge": 5, "pcidev": 3,
	"osdev": 2, "memcache": 5,
}

// abbreviates reports whether word is name or its first letters, at least n.
func abbreviates(word, name string, n int) bool {
	return len(word) >= n && strings.HasPrefix(name, strings.ToLower(word))
}

// forbidden reports whether word is a type that no level can have.
func forbidden(word string) bool {
	for name, n := range noLevels {
		if abbreviates(word, name, n) {
			return true
		}
	}
	return false
}

// levelType reads the type of a level. The number is that of "group2", or -1.
func levelType(word string) (hw.Type, int, error) {
	for _, w := range words {
		if abbreviates(word, w.name, w.letter) {
			return w.typ, -1, nil
		}
	}
	if typ, ok := cacheType(strings.ToLower(word)); ok {
		return typ, -1, nil
	}
	name := strings.TrimRight(word, "0123456789")
	if abbreviates(name, "group", 2) {
		depth, err := strconv.Atoi(word[len(name):])
		if err != nil {
			depth = -1
		}
		return hw.Group, depth, nil
	}
	switch low := strings.ToLower(word); {
	case strings.HasPrefix(low, "tile"), strings.HasPrefix(low, "module"):
		return hw.Group, -1, nil
	case low == "":
		return 0, 0, fmt.Errorf("missing type or number of objects")
	}
	if forbidden(word) {
		return 0, 0, fmt.Errorf("a level cannot be of type %s", word)
	}
	return 0, 0, fmt.Errorf("unknown object type %q", word)
}

// cacheType reads "l2", "l1d", "l3ucache", "l1i", ...: what follows the number
// and the kind are the first letters of "cache".
func cacheType(word string) (hw.Type, bool) {
	if len(word) < 2 || word[0] != 'l' {
		return 0, false
	}
	rest, instructions := strings.CutPrefix(word[2:], "i")
	if !instructions && rest != "" && (rest[0] == 'd' || rest[0] == 'u') {
		rest = rest[1:]
	}
	typ, ok := hw.CacheType(int(word[1])-'0', instructions)
	return typ, ok && strings.HasPrefix("cache", rest)
}

// complete gives every level of a machine its type, adds the NUMA node that is not written, and checks what only the
// whole shows.
func (d *description) complete(m *level) error {
	if err := d.check(m, path{}); err != nil {
		return err
	}
	var typed, untyped *level
	memory := m.machine.attached > 0
	_ = m.each(func(l *level) error {
		memory = memory || l.typ == hw.NUMANode
		switch {
		case l == m || len(l.below) == 0:
		case l.typed && typed == nil:
			typed = l
		case !l.typed && untyped == nil:
			untyped = l
		}
		return nil
	})
	if untyped != nil {
		return d.chooseTypes(m, typed, untyped)
	}
	if memory {
		return nil
	}
	only := &level{
		typ: hw.NUMANode, typed: true, depth: -1, count: 1, width: 1,
		parent: m, machine: m.machine, below: m.below,
	}
	for _, l := range m.below {
		l.parent = only
	}
	m.below = []*level{only}
	return nil
}

// last gives an innermost level its type: PUs, or cores with one PU each. Other levels stay as they are.
func (d *description) last(l *level) error {
	switch {
	case l.machine == nil || len(l.below) > 0:
		return nil
	case l.typ == hw.Machine && l.machine.braces == 0:
		return d.errorAt(len(d.text), "missing number of PUs")
	case l.typ == hw.Machine:
		return d.errorAt(l.at, "missing number of PUs of this machine")
	case l.typed && l.typ == hw.Core:
		pu := &level{
			typ: hw.PU, typed: true, depth: -1, at: l.at, countAt: l.countAt, count: 1, width: l.width,
		}
		pu.add(l) // each visits the new level next
		return nil
	case l.typed && l.typ != hw.PU:
		return d.errorAt(l.at, "the last level must be pu (or core, with one PU each)")
	default:
		l.typ = hw.PU
	}
	if d.pus += multiply(l.width, l.machine.width); d.pus > MaxPUs {
		return d.errorAt(l.countAt, fmt.Sprintf("more than %d PUs in all", MaxPUs))
	}
	return nil
}

// path summarizes the levels above a level, from the machine down.
type path struct {
	types    uint32 // a bit for each type of onlyOnce that is there
	attached bool   // NUMA nodes in brackets
	kind     bool   // a kind of cores
}

// onlyOnce has a bit for each type of which there can be only one level between machine and PU.
const onlyOnce = 1<<hw.PU | 1<<hw.Core | 1<<hw.Die | 1<<hw.Package | 1<<hw.NUMANode

// check returns an error for what is there twice on the way from the machine to
// a PU and may be there only once. p is by value: siblings do not see each
// other.
func (d *description) check(l *level, p path) error {
	p.attached = p.attached || len(l.nodes) > 0
	if l.typed || len(l.below) == 0 {
		bit := uint32(1) << l.typ & onlyOnce
		if p.types&bit > 0 {
			return d.errorAt(l.at, "there are several "+l.typ.String()+" levels")
		}
		p.types |= bit
	}
	switch {
	case p.attached && p.types>>hw.NUMANode&1 > 0:
		return d.errorAt(l.at, "numa nodes must not be both a level and attached in brackets")
	case l.kind.name == "" && l.kind.rankAt > 0:
		return d.errorAt(l.kind.rankAt, "efficiency= needs a kind=")
	case l.kind.name != "" && p.kind:
		return d.errorAt(l.kind.at, "these cores have a kind from a level above")
	}
	p.kind = p.kind || l.kind.name != ""
	for _, b := range l.below {
		if err := d.check(b, p); err != nil {
			return err
		}
	}
	return nil
}

// chooseTypes types bare counts as hwloc does: of n levels above the PUs there
// are, in this order of need, NUMA nodes (unless attached), packages, cores,
// up to four caches, and groups for the rest. untyped is a bare count of m, and typed a level with a type, if any.
func (d *description) chooseTypes(m, typed, untyped *level) error {
	switch {
	case m.machine.uneven:
		return d.errorAt(untyped.at, "levels in and around braces need a type")
	case typed != nil:
		return d.errorAt(typed.at, "either all levels or no level must have a type")
	}
	chain := m.chain()
	inner := chain[1 : len(chain)-1]
	for i, typ := range guess(len(inner), m.machine.attached == 0) {
		inner[i].typ = typ
	}
	return nil
}

// guess lists types for n levels, outermost first.
func guess(n int, nodes bool) []hw.Type {
	need := []hw.Type{hw.Package, hw.Core, hw.L2Cache, hw.L1Cache, hw.L3Cache, hw.L1iCache}
	if nodes {
		need = append([]hw.Type{hw.NUMANode}, need...)
	}
	need = need[:min(n, len(need))]
	order := []hw.Type{
		hw.Package, hw.NUMANode, hw.L3Cache, hw.L2Cache, hw.L1Cache, hw.L1iCache, hw.Core,
	}
	types := slices.Repeat([]hw.Type{hw.Group}, n-len(need))
	for _, typ := range order {
		if slices.Contains(need, typ) {
			types = append(types, typ)
		}
	}
	return types
}

// groups counts the levels of Groups on the way down that has most.
func (l *level) groups() int {
	n := 0
	for _, b := range l.below {
		n = max(n, b.groups())
	}
	if l.typ == hw.Group {
		n++
	}
	return n
}

// defaultSize returns the size of a cache: 32 KiB for the first level, then 4 MiB, 16 MiB, ...
func defaultSize(cache hw.Type) uint64 {
	n := cache.CacheLevel()
	if n == 1 {
		return 32 << 10
	}
	return 256 << 10 << (2 * n)
}

// TypeOf reads hwloc's name of a type of objects that have PUs, or its first letters: "core", "l2", "pack", "numa". The
// number is that of "group2", -1 where there is none.
func TypeOf(word string) (typ hw.Type, number int, ok bool) {
	switch {
	case abbreviates(word, "machine", noLevels["machine"]):
		return hw.Machine, -1, true
	case abbreviates(word, "memcache", noLevels["memcache"]):
		return hw.MemCache, -1, true
	}
	typ, number, err := levelType(word)
	return typ, number, err == nil && word != ""
}

// TypeNames returns the full names of types, for messages and completion.
func TypeNames() []string {
	names := []string{"machine", "group"}
	for _, w := range words {
		names = append(names, w.name)
	}
	for _, instructions := range []bool{false, true} {
		for level := 1; level <= 5; level++ {
			if typ, ok := hw.CacheType(level, instructions); ok {
				names = append(names, strings.ToLower(typ.String()))
			}
		}
	}
	return append(names, "memcache")
}
