package render

import (
	"cmp"
	"io"
	"slices"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/spell"
	"codeberg.org/commsplit/commsplit/render/outline"
	"codeberg.org/commsplit/commsplit/render/paint"
)

// Distances prints the matrices of distances of each machine, by the kernel's numbers or the logical ones.
func Distances(w io.Writer, t *hw.Topology, physical bool, st Style) error {
	return beside(w, t, physical, st, "no distances are known", func(f *figures, h *hw.Object) {
		for i := range h.Details.Matrices {
			if f.told++; f.told > 1 {
				f.line()
			}
			f.matrix(h, &h.Details.Matrices[i])
		}
	})
}

// MemAttrs prints the memory attributes of each machine.
func MemAttrs(w io.Writer, t *hw.Topology, physical bool, st Style) error {
	return beside(w, t, physical, st, "no memory attributes are known", func(f *figures, h *hw.Object) {
		for i := range h.Details.MemAttrs {
			f.told++
			f.attribute(h, &h.Details.MemAttrs[i])
		}
	})
}

// beside prints the figures that tell draws of each machine with details; none stands there where no machine has any.
func beside(w io.Writer, t *hw.Topology, physical bool, st Style, none string, tell func(f *figures, host *hw.Object)) error {
	f := figures{page: newPage(st), topology: t, physical: physical}
	for _, h := range t.Hosts {
		if h.Details != nil {
			tell(&f, h)
		}
	}
	if f.told == 0 {
		f.line(faint(none))
	}
	return f.writeTo(w)
}

// figures prints figures of objects, which the tree does not show.
type figures struct {
	*page
	topology *hw.Topology
	physical bool
	told     int // figures so far
}

// mostFar is the most distances of an object that a sentence tells.
const mostFar = 16

// figuresOf returns a sentence for each matrix and each memory attribute that an object is in: "NUMALatency: 10 to
// itself, 21 to NUMANode L#1".
func figuresOf(t *hw.Topology, o *hw.Object) (list []string) {
	h := o.Host()
	if h == nil || h.Details == nil {
		return nil
	}
	f := &figures{topology: t}
	for i := range h.Details.Matrices {
		m := &h.Details.Matrices[i]
		at := slices.IndexFunc(m.Ends, func(e hw.End) bool { return e.Object == o })
		if at < 0 {
			continue
		}
		var to []string
		for k, e := range m.Ends {
			name := f.end(e, false)
			if k == at {
				name = "itself"
			}
			to = append(to, strconv.FormatUint(m.Values[at*len(m.Ends)+k], 10)+" to "+name)
		}
		if n := len(to) - mostFar; n > 0 {
			to = append(to[:mostFar], strconv.Itoa(n)+" more")
		}
		list = append(list, cmp.Or(m.Name, "distances")+": "+strings.Join(to, ", "))
	}
	for i := range h.Details.MemAttrs {
		a := &h.Details.MemAttrs[i]
		for _, v := range a.Values {
			if v.Target.Object == o {
				list = append(list, a.Name+" "+strconv.FormatUint(v.Value, 10)+f.from(&v))
			}
		}
	}
	return list
}

// from tells from where a figure of a memory holds.
func (f *figures) from(v *hw.MemValue) string {
	switch {
	case v.From != nil:
		return " from " + f.end(*v.From, false)
	case !v.PUs.Empty():
		return " from PUs " + v.PUs.String()
	}
	return ""
}

// matrix prints the distances between objects. Where these are of one type, they are called by their numbers.
func (f *figures) matrix(h *hw.Object, m *hw.Matrix) {
	typ := endType(m.Ends[0])
	alike := m.Ends[0].Object != nil && !slices.ContainsFunc(m.Ends, func(e hw.End) bool { return endType(e) != typ })
	name, what, between := m.Name, "values", spell.Plural(len(m.Ends), "object")
	if name == "" {
		name = "distances without a name"
	}
	if m.Kind&hw.MeansLatency != 0 {
		what = "latency"
	} else if m.Kind&hw.MeansBandwidth != 0 {
		what = "bandwidth"
	}
	if alike {
		between = spell.Plural(len(m.Ends), typ)
	}
	f.paragraph(hostOf(f.topology, h)+name+": relative "+what+" between "+between+":", 0, paint.Bold)
	g := &grid{columns: []column{{}}}
	titles := []cell{head("")}
	for _, e := range m.Ends {
		g.columns = append(g.columns, column{right: true})
		titles = append(titles, head(f.end(e, alike)))
	}
	g.row(titles...)
	for i, e := range m.Ends {
		row := []cell{text(f.end(e, alike))}
		for j := range m.Ends {
			row = append(row, text(strconv.FormatUint(m.Values[i*len(m.Ends)+j], 10)))
		}
		g.row(row...)
	}
	g.drawTo(f.page)
}

// attribute prints a memory attribute, a line for each memory and what accesses it.
func (f *figures) attribute(h *hw.Object, a *hw.MemAttr) {
	f.paragraph(hostOf(f.topology, h)+a.Name+attributeMeans(a.Flags)+":", 0, paint.Bold)
	for _, v := range a.Values {
		f.paragraph(f.end(v.Target, false)+" = "+strconv.FormatUint(v.Value, 10)+f.from(&v), 2, paint.Plain)
	}
	if len(a.Values) == 0 {
		f.line(gap(2), faint("no values"))
	}
}

func attributeMeans(flags uint64) string {
	switch {
	case flags&hw.HigherIsBetter != 0:
		return " (more is better)"
	case flags&hw.LowerIsBetter != 0:
		return " (less is better)"
	}
	return ""
}

// end names what a figure is about, or where all are of one type, its number.
func (f *figures) end(e hw.End, alike bool) string {
	if e.Object == nil {
		return e.Device.Name
	}
	index, sign := e.Object.LogicalIndex, "L#"
	if f.physical {
		index, sign = e.Object.OSIndex, "P#"
	}
	if alike {
		return sign + strconv.Itoa(index)
	}
	return outline.Kind(f.topology, e.Object) + " " + sign + strconv.Itoa(index)
}

func endType(e hw.End) string {
	if e.Object == nil {
		return e.Device.Type
	}
	return e.Object.Type.String()
}
