package tui

import (
	"commsplit/hw"
	"commsplit/render"
	"commsplit/render/paint"
)

// aboutObject says who may run on an object, and who is restricted to it.
func (m *Model) aboutObject(o *hw.Object, width int) []paint.Line {
	g := m.moment.Ground
	to, beyond := g.Restricted(o)
	t := render.Object(g.Topology, o, to, beyond, width)
	out := []paint.Line{{{Text: t.Label, Ink: paint.Bold}, {Text: t.Also, Ink: paint.Faint}}}
	if t.Kind != "" {
		out = append(out, paint.Text(t.Kind, paint.Plain))
	}
	out = append(out, paint.Text(t.To, paint.Plain))
	if t.Beyond != "" {
		out = paragraph(out, t.Beyond, width, 2, paint.Alarm)
	}
	name := g.Resource(o)
	if name == "" {
		return paragraph(out, render.NoResource, width, 2, paint.Faint)
	}
	return paragraph(out, "r splits by "+name, width, 2, paint.Faint)
}
