package render

import (
	"io"

	"commsplit/engine"
	"commsplit/hw"
)

// Strips draws a line for each rank, as mpirun 4 does with --report-bindings: brackets around
// packages, <> around the NUMA nodes of a package that has several, / between cores, and a sign for
// each PU: B bound, . not, ~ not allowed. Where that is wider than the page, a sign stands for a
// core or something larger, and b for one that is bound in part. Beyond 64 ranks, those with the
// same binding share a line.
func Strips(w io.Writer, v *View, st Style) error {
	p := newPage(st)
	s := v.Snapshot
	if s.Topology == nil || s.Bindings == nil {
		return p.withoutHardware(w)
	}
	lines := stripLines(s, p.limit(mapLines), p.limit(narrowest))
	label := 0
	for _, l := range lines {
		label = max(label, textWidth(l.label))
	}
	d := fitting(s.Topology, p.limit(p.width-label-1))
	for i, l := range lines {
		if most := p.limit(mapLines); i == most-1 && len(lines) > most {
			p.line(faint("... and " + plural(len(lines)-i, "more line")))
			break
		}
		if d.free(l.binding) {
			p.line(plain(pad(l.label, label, false) + " is not bound (or bound to all available processors)"))
			continue
		}
		p.line(plain(pad(l.label, label, false)+" "), span{d.draw(l.binding), inkPlain})
	}
	p.paragraph(d.legend(), 0, inkFaint)
	return p.writeTo(w)
}

// stripLine is ranks that are drawn in one line.
type stripLine struct {
	label   string
	binding *hw.Binding
}

// stripLines makes a line for each rank, where these are more than most one for all ranks of a binding.
func stripLines(s *engine.Snapshot, most, width int) []stripLine {
	var lines []stripLine
	host := func(b *hw.Binding) string {
		if len(s.Topology.Hosts) == 1 {
			return ""
		}
		return "[" + s.Topology.Hosts[b.Host].Name + "] "
	}
	if len(s.Bindings) <= most {
		last := len(itoa(len(s.Bindings) - 1))
		for r, b := range s.Bindings {
			lines = append(lines, stripLine{host(b) + "Rank " + pad(itoa(r), last, true), b})
		}
		return lines
	}
	ranks := map[*hw.Binding][]int32{}
	var order []*hw.Binding
	for r, b := range s.Bindings {
		if ranks[b] == nil {
			order = append(order, b)
		}
		ranks[b] = append(ranks[b], int32(r))
	}
	for _, b := range order {
		label := "Ranks " + rankList(ranks[b], width)
		if len(ranks[b]) == 1 {
			label = "Rank " + itoa(int(ranks[b][0]))
		}
		lines = append(lines, stripLine{host(b) + label, b})
	}
	return lines
}

// strip knows how to draw the hosts of a topology.
type strip struct {
	topology *hw.Topology
	sign     *hw.Resource // what a sign stands for
	numa     bool         // NUMA nodes are drawn
	cores    bool         // cores are drawn
	hosts    [][]sign
}

// sign is one sign of a host's picture and what stands before it.
type sign struct {
	before string
	object *hw.Object // nil: a PU that is not allowed, or only the end
}

// fitting is the finest picture that is at most width columns wide, or else the roughest.
func fitting(t *hw.Topology, width int) *strip {
	list := t.Resources()
	var d *strip
	for i := len(list) - 1; i >= 0; i-- {
		r := &list[i]
		if r.Type == hw.Level || !covers(t, r) {
			continue
		}
		d = newStrip(t, r)
		if d.width() <= width || r.Type == hw.Package {
			break
		}
	}
	return d
}

// covers reports whether the instances of a resource hold all PUs.
func covers(t *hw.Topology, r *hw.Resource) bool {
	held := make([]hw.Set, len(t.Hosts))
	for _, o := range r.Instances {
		held[t.HostIndex(o)].Merge(o.CPUSet)
	}
	for i, h := range t.Hosts {
		if !h.CPUSet.SubsetOf(held[i]) {
			return false
		}
	}
	return true
}
