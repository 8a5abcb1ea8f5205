package render

import (
	"io"
	"slices"
	"strings"

	"commsplit/engine"
	"commsplit/hw"
)

// HWInfo prints what MPI_Get_hw_resource_info says on all ranks: for each hardware resource type,
// which ranks are restricted to one instance of it ("true") and which are not ("false"); then the
// types that only a guided split finds.
func HWInfo(w io.Writer, v *View, st Style) error {
	p := newPage(st)
	s := v.Snapshot
	if s.Topology == nil || s.Bindings == nil {
		return p.withoutHardware(w)
	}
	resources := s.Topology.Resources()
	yes, no := make([][]int32, len(resources)), make([][]int32, len(resources))
	for r, b := range s.Bindings {
		for i, at := range s.Topology.Restricted(b) {
			if at >= 0 {
				yes[i] = append(yes[i], int32(r))
			} else {
				no[i] = append(no[i], int32(r))
			}
		}
	}
	g := newGrid(column{}, column{right: true}, column{flexible: true}, column{flexible: true})
	g.row(head("resource type"), head("instances"),
		head(`"true" on ranks`), head(`"false" on ranks`))
	for i := range resources {
		r := &resources[i]
		g.row(text(r.URI), text(itoa(len(r.Instances))), ascending(yes[i]), ascending(no[i]))
	}
	g.drawTo(p)
	if list := byNameOnly(resources); list != "" {
		p.paragraph("HW_UNGUIDED passes over "+list, 0, inkFaint)
	}
	p.nearDevices(s)
	return p.writeTo(w)
}

// nearLines is how many places with devices near to them are told.
const nearLines = 16

// nearDevices tells which GPUs and network cards are local to what, with the ranks that are restricted to
// it, unless that is a whole machine.
func (p *page) nearDevices(s *engine.Snapshot) {
	t := s.Topology
	devices := slices.DeleteFunc(t.Located(), func(d hw.Located) bool { return d.Kind() == "Block" || d.Kind() == "DMA" })
	var list []hw.Locality
	for _, l := range t.Localities(devices) {
		if l.Resource == nil || !l.Object.CPUSet.Equal(l.Object.Host().CPUSet) {
			list = append(list, l)
		}
	}
	restricted := map[*hw.Resource][][]int32{}
	for i := range list {
		if i == p.limit(nearLines)-1 && len(list) > p.limit(nearLines) {
			p.line(faint("... and devices at " + itoa(len(list)-i) + " more places"))
			return
		}
		text := list[i].Advice()
		if len(t.Hosts) > 1 {
			text = list[i].Object.Host().Name + ": " + text
		}
		if ranks := restrictedTo(s, &list[i], restricted); len(ranks) > 0 {
			text += " (" + rankNoun(ranks, p.limit(p.width/3)) + ")"
		}
		p.paragraph(text, 0, inkPlain)
	}
}

// restrictedTo lists the ranks that are restricted to the instance that devices are local to. What is found
// of a resource type is kept in known.
func restrictedTo(s *engine.Snapshot, l *hw.Locality, known map[*hw.Resource][][]int32) []int32 {
	if l.Resource == nil {
		return nil
	}
	if known[l.Resource] == nil {
		known[l.Resource] = make([][]int32, len(l.Resource.Instances))
		for r, b := range s.Bindings {
			if i := l.Resource.InstanceOf(b.Host, b.CPUSet); i >= 0 {
				known[l.Resource][i] = append(known[l.Resource][i], int32(r))
			}
		}
	}
	return known[l.Resource][l.Instance]
}

func byNameOnly(resources []hw.Resource) string {
	var list []string
	for _, r := range resources {
		if r.ByNameOnly {
			list = append(list, r.URI)
		}
	}
	return strings.Join(list, ", ")
}
