package render

import (
	"io"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/hw/compare"
	"codeberg.org/commsplit/commsplit/hw/hostlist"
	"codeberg.org/commsplit/commsplit/render/paint"
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

// Fleet prints which machines are equal, by their names, then the others with what is odd about them.
func Fleet(w io.Writer, names []string, groups []compare.Group, st Style) error {
	p := newPage(st)
	for _, g := range groups {
		var members []string
		for _, m := range g.Members {
			members = append(members, names[m])
		}
		text := strings.Join(members, ", ")
		if short := hostlist.Fold(members); len(short) < len(text) {
			text = short
		}
		if g.Like < 0 {
			p.hanging("", equal(len(members), len(groups))+": "+text, paint.Bold)
			continue
		}
		a, b := "the others", "it"
		if g.Like > 0 {
			a = names[groups[g.Like].Members[0]]
		}
		if len(members) > 1 {
			b = "them"
		}
		p.line()
		p.hanging("", text+":", paint.Alarm)
		for i := range g.Differences {
			p.hanging("- ", g.Differences[i].Text(a, b), paint.Plain)
		}
	}
	return p.writeTo(w)
}

// equal tells that machines are equal: those of the only group, or of the largest of several.
func equal(machines, groups int) string {
	switch {
	case groups == 1 && machines > 1:
		return "all " + strconv.Itoa(machines) + " are equal"
	case machines == 1:
		return "compared with"
	}
	return strconv.Itoa(machines) + " are equal"
}
