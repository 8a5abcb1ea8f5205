package synthetic

import (
	"slices"

	"commsplit/hw"
)

// complete gives every level its type, adds the levels that are understood,
// fills in sizes, and checks what can only be seen as a whole.
func (d *description) complete() error {
	last := d.levels[len(d.levels)-1]
	switch {
	case len(d.levels) == 1:
		return d.errorAt(len(d.text), "missing number of PUs")
	case last.typed && last.typ == hw.Core:
		d.levels = append(d.levels, level{
			typ: hw.PU, typed: true, depth: -1, at: len(d.text), count: 1, width: last.width,
		})
	case last.typed && last.typ != hw.PU:
		return d.errorAt(last.at, "the last level must be pu (or core, with one PU each)")
	default:
		d.levels[len(d.levels)-1].typ = hw.PU
	}
	if err := d.checkCounts(); err != nil {
		return err
	}
	if err := d.chooseTypes(); err != nil {
		return err
	}
	if d.attached == 0 && !slices.ContainsFunc(d.levels, isNode) {
		only := level{typ: hw.NUMANode, typed: true, depth: -1, count: 1, width: 1}
		d.levels = slices.Insert(d.levels, 1, only)
	}
	d.setDefaults()
	return nil
}

func isNode(l level) bool { return l.typ == hw.NUMANode }

// checkCounts refuses what may be there only once and is there twice.
func (d *description) checkCounts() error {
	seen := map[hw.Type]bool{}
	for i, l := range d.levels[1:] {
		if !l.typed && i+1 < len(d.levels)-1 {
			continue
		}
		switch l.typ {
		case hw.PU, hw.Core, hw.Die, hw.Package, hw.NUMANode:
			if seen[l.typ] {
				return d.errorAt(l.at, "there are several "+l.typ.String()+" levels")
			}
		}
		if l.typ == hw.NUMANode && d.attached > 0 {
			return d.errorAt(l.at, "numa nodes are both a level and attached in brackets")
		}
		seen[l.typ] = true
	}
	return nil
}

// chooseTypes types bare counts as hwloc does: of n levels above the PUs there
// are, in this order of need, NUMA nodes (unless attached), packages, cores,
// up to four caches, and groups for the rest.
func (d *description) chooseTypes() error {
	inner := d.levels[1 : len(d.levels)-1]
	untyped := 0
	for _, l := range inner {
		if !l.typed {
			untyped++
		}
	}
	if untyped == 0 {
		return nil
	}
	for _, l := range inner {
		if l.typed {
			return d.errorAt(l.at, "either all levels have a type or none")
		}
	}
	for i, typ := range guess(untyped, d.attached == 0) {
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

// setDefaults numbers groups as hwloc's indexes= counts them, the innermost as
// 1, and gives caches and the nodes of a level the sizes that hwloc gives them.
func (d *description) setDefaults() {
	groups := 0
	for _, l := range d.levels {
		if l.typ == hw.Group {
			groups++
		}
	}
	for i := range d.levels {
		l := &d.levels[i]
		switch {
		case l.typ == hw.Group && l.depth < 0:
			l.depth = groups
			groups--
		case l.typ.IsCache() && l.bytes == 0:
			l.bytes = defaultSize(l.typ)
		case l.typ == hw.NUMANode && l.bytes == 0:
			l.bytes = 1 << 30
		}
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
