package render

import (
	"io"

	"commsplit/hw/compare"
	"commsplit/render/paint"
)

// Differences prints in which ways two machines differ, a paragraph for each, with what their descriptions are called.
func Differences(w io.Writer, a, b string, list []compare.Difference, st Style) error {
	p := newPage(st)
	if len(list) == 0 {
		p.line(styled("no difference", paint.Bold))
		return p.writeTo(w)
	}
	p.hanging("A ", a, paint.Faint)
	p.hanging("B ", b, paint.Faint)
	for i := range list {
		p.hanging("- ", list[i].Text("A", "B"), paint.Plain)
	}
	return p.writeTo(w)
}
