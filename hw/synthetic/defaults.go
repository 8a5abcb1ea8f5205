package synthetic

import (
	"slices"

	"commsplit/hw"
)

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
		return d.errorAt(untyped.at, "levels in and around braces want a type")
	case typed != nil:
		return d.errorAt(typed.at, "either all levels have a type or none")
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
