package tui

import (
	"commsplit/hw"
	"commsplit/render"
	"commsplit/tui/paint"
)

// aboutObject says who may run on an object, and who is restricted to it.
func (m *Model) aboutObject(o *hw.Object, width int) []paint.Line {
	g := m.moment.Ground
	head := paint.Text(render.Label(g.Topology, o), paint.Bold)
	if o.Type != hw.PU && o.CPUSet.Len() > 0 {
		head.Add(", PUs "+o.CPUSet.String(), paint.Faint)
	}
	if h := o.Host(); h != nil && h != o && len(g.Topology.Hosts) > 1 {
		head.Add(" of "+h.Name, paint.Faint)
	}
	if o.Type == hw.Package && o.Name != "" {
		head.Add(", "+o.Name, paint.Faint)
	}
	out := []paint.Line{head}
	if kind := kindOf(o); kind != "" {
		out = append(out, paint.Text(kind, paint.Plain))
	}
	to, beyond := g.Restricted(o)
	name := g.Resource(o)
	if len(to) == 0 {
		out = append(out, paint.Text("no rank is restricted to it", paint.Plain))
	} else {
		ranks := render.RankNoun(to, width-24)
		verb := " are restricted to it"
		if len(to) == 1 {
			verb = " is restricted to it"
		}
		out = append(out, paint.Text(ranks+verb, paint.Plain))
	}
	if len(beyond) > 0 {
		text := render.RankNoun(beyond, width/2) + " may use it and others of its type besides: not restricted, so that a split by it gives MPI_COMM_NULL [MPI-5.0 §7.4.2]"
		out = paragraph(out, text, width, 2, paint.Alarm)
	}
	if name == "" {
		return paragraph(out, "It is no resource type of its own: nobody can split by it.", width, 2, paint.Faint)
	}
	return paragraph(out, "r splits by "+name, width, 2, paint.Faint)
}

// kindOf tells which kind of cores an object has, on a machine with several and where it is one.
func kindOf(o *hw.Object) string {
	host := o.Host()
	if host == nil || host.Details == nil || len(host.Details.Kinds) < 2 || o.CPUSet.Len() == 0 {
		return ""
	}
	for i := range host.Details.Kinds {
		k := &host.Details.Kinds[i]
		if !o.CPUSet.SubsetOf(k.CPUSet) {
			continue
		}
		if k.Efficiency == 0 {
			return "its cores are of " + render.CoreKind(k) + ", the most energy-efficient"
		}
		return "its cores are of " + render.CoreKind(k)
	}
	return ""
}
