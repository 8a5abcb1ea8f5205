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

var dataCaches = []hw.Type{hw.L1Cache, hw.L2Cache, hw.L3Cache, hw.L4Cache, hw.L5Cache}
var instructionCaches = []hw.Type{hw.L1iCache, hw.L2iCache, hw.L3iCache}

// cacheType reads "l2", "l1d", "l3ucache", "l1i", ...: what follows the number
// and the kind are the first letters of "cache".
func cacheType(word string) (hw.Type, bool) {
	if len(word) < 2 || word[0] != 'l' || word[1] < '1' {
		return 0, false
	}
	types, n, rest := dataCaches, int(word[1]-'1'), word[2:]
	if rest != "" {
		switch rest[0] {
		case 'i':
			types, rest = instructionCaches, rest[1:]
		case 'd', 'u':
			rest = rest[1:]
		}
	}
	if n >= len(types) || !strings.HasPrefix("cache", rest) {
		return 0, false
	}
	return types[n], true
}

// chooseTypes types bare counts as hwloc does: of n levels above the PUs there
// are, in this order of need, NUMA nodes (unless attached), packages, cores,
// up to four caches, and groups for the rest.
func (d *description) chooseTypes(m *level) error {
	var typed, untyped *level
	_ = m.each(func(l *level) error {
		switch {
		case l == m || len(l.below) == 0:
		case l.typed && typed == nil:
			typed = l
		case !l.typed && untyped == nil:
			untyped = l
		}
		return nil
	})
	switch {
	case untyped == nil:
		return nil
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

// setDefaults numbers groups as hwloc's indexes= counts them, the innermost as
// 1, and gives caches and the nodes of a level the sizes that hwloc gives them.
func (l *level) setDefaults(groups int) {
	switch {
	case l.typ == hw.Group && l.depth < 0:
		l.depth = groups
		groups--
	case l.typ.IsCache() && l.bytes == 0:
		l.bytes = defaultSize(l.typ)
	case l.typ == hw.NUMANode && l.bytes == 0:
		l.bytes = 1 << 30
	}
	for _, b := range l.below {
		b.setDefaults(groups)
	}
}

// defaultSize is 32 KiB for the first level, then 4 MiB, 16 MiB, ...
func defaultSize(cache hw.Type) uint64 {
	n := slices.Index(dataCaches, cache)
	if n < 0 {
		n = slices.Index(instructionCaches, cache)
	}
	if n == 0 {
		return 32 << 10
	}
	return 256 << 10 << (2 * (n + 1))
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

// TypeNames are the names of types in full, for messages and completion.
func TypeNames() []string {
	names := []string{"machine", "group"}
	for _, w := range words {
		names = append(names, w.name)
	}
	for _, list := range [][]hw.Type{dataCaches, instructionCaches} {
		for _, typ := range list {
			names = append(names, strings.ToLower(typ.String()))
		}
	}
	return append(names, "memcache")
}
