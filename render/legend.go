package render

import (
	"io"

	"commsplit/engine"
	"commsplit/engine/reason"
)

// Legend lists the communicators that h holds, a line each, and who has none.
func Legend(w io.Writer, v *View, h *Handle, st Style) error {
	p := newPage(st)
	legend(p, v, h, partsOf(v.Snapshot, h))
	return p.writeTo(w)
}

// legendLines is how many communicators a legend lists.
const legendLines = 20

// legend lists the communicators of a partition, a line each: letter, name, context id, size,
// world ranks in rank order, resource; then who has none.
func legend(p *page, v *View, h *Handle, parts *parts) {
	fates, stale := v.Snapshot.FatesSince(parts.since()), reason.StaleComms(v.Snapshot)
	g := newGrid(column{}, column{}, column{}, column{right: true}, column{flexible: true},
		column{})
	shown := parts.list
	if most := p.limit(legendLines); len(shown) > most {
		shown = shown[:most-1]
	}
	for i, q := range shown {
		remark := ""
		if q.info != nil {
			remark = legendRemark(v.Snapshot, q, naming{given: fates.Names}, state(fates.Freed[q.id], stale[q.id] != nil))
		}
		g.row(legendRow(h, q, inkPart+ink(i), remark)...)
	}
	g.drawTo(p)
	if n := len(parts.list) - len(shown); n > 0 {
		last := parts.list[len(parts.list)-1].letter
		p.line(faint("... and " + itoa(n) + " more communicators, to " + last))
	}
	if len(parts.null) > 0 {
		p.line(faint(hollow+"  "+nullWords+"  "), plain(rankNoun(parts.null, p.limit(p.width-18))))
	}
	if len(parts.none) > 0 {
		p.line(faint(notYet+"  "+unsetWords+"  "), plain(rankNoun(parts.none, p.limit(p.width-16))))
	}
	var old []*reason.Stale
	for _, q := range parts.list {
		if x := stale[q.id]; x != nil {
			old = append(old, x)
		}
	}
	if len(old) > 0 {
		p.stale("", newNaming(v), old, p.limit(staleLegend))
	}
}

// state is what became of a communicator: "freed", "stale", or "".
func state(freed, stale bool) string {
	switch {
	case freed:
		return "freed"
	case stale:
		return "stale"
	}
	return ""
}

func legendRow(h *Handle, q part, k ink, remark string) []cell {
	row := []cell{inked(q.letter, k), text(h.Name + "#" + itoa(q.id))}
	if q.info == nil {
		return append(row, quiet("no ctx"), text(rankCount(q.held)),
			quiet("each rank alone in its own MPI_COMM_SELF"), quiet(""))
	}
	row = append(row, quiet("ctx "+contextOf(q.info)))
	if q.info.Remote != nil {
		sizes := itoa(len(q.info.Group)) + "+" + itoa(len(q.info.Remote)) + " ranks"
		return append(row, text(sizes), sides(q.info.Group, q.info.Remote), quiet(remark))
	}
	return append(row, text(rankCount(len(q.info.Group))),
		ordered("world ranks ", q.info.Group), quiet(remark))
}

// rankCount is "12 ranks", as wide behind the number for one as for several.
func rankCount(n int) string {
	if n == 1 {
		return "1 rank "
	}
	return plural(n, "rank")
}

// legendRemark is what else is known: the hardware of a hardware split, the name given, how many of
// its ranks hold it in this variable when not all do, and what became of it.
func legendRemark(s *engine.Snapshot, q part, names naming, state string) string {
	held := ""
	if size := len(q.info.Group) + len(q.info.Remote); q.held < size {
		held = "held by " + itoa(q.held)
	}
	return words(instance(s, q.info), names.set(q.id), held, state)
}

// instance is what a communicator of a split by resource stands for: hardware, as in
// "hwloc://NUMANode L#1", or a process set.
func instance(s *engine.Snapshot, c *engine.CommInfo) string {
	if c.Pset != "" {
		return c.Pset
	}
	if c.Resource == "" || s.Topology == nil {
		return c.Resource
	}
	for _, r := range s.Topology.Resources() {
		if r.URI == c.Resource && c.Instance >= 0 && c.Instance < len(r.Instances) {
			return c.Resource + " L#" + itoa(r.Instances[c.Instance].LogicalIndex)
		}
	}
	return c.Resource
}
