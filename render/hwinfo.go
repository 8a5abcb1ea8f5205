package render

import (
	"io"
	"strings"

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
	return p.writeTo(w)
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
