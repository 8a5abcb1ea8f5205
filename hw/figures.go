package hw

// Matrix is a figure for each pair of some objects, such as the time of an access from one NUMA node to another.
type Matrix struct {
	Name   string // "NUMALatency"; "" when nobody named it
	Kind   uint64 // hwloc's bits: see the constants
	Ends   []End
	Values []uint64 // row by row, from the row's end to the column's
}

// hwloc's bits of a Matrix: where it comes from, and what it means.
const (
	FromOS         = 1 << 0
	MeansLatency   = 1 << 2
	MeansBandwidth = 1 << 3
)

// End is an object or a device that a figure describes.
type End struct {
	Object *Object // nil for a device
	Device *Device
}

// MemAttr is a figure of memories, such as their bandwidth.
type MemAttr struct {
	Name   string
	Flags  uint64 // hwloc's bits: see the constants
	Values []MemValue
}

// hwloc's bits of a MemAttr.
const (
	HigherIsBetter = 1 << 0
	LowerIsBetter  = 1 << 1
	NeedsInitiator = 1 << 2
)

// MemValue is the figure of one memory.
type MemValue struct {
	Target End
	From   *End // the object that accesses it; nil where nobody said, or where PUs do
	PUs    Set  // that access it
	Value  uint64
}

// moveFigures gives the machines below root figures of their own, in which now[o] replaces each object o. It leaves out
// the figures of objects that now lacks, and those of accesses from PUs that the machine lacks.
func moveFigures(root *Object, now map[*Object]*Object) {
	for _, h := range machinesBelow(root) {
		if !h.Details.figures() {
			continue
		}
		d := *h.Details
		d.Matrices, d.MemAttrs = nil, nil
		for _, m := range h.Details.Matrices {
			if m = m.moved(now); len(m.Ends) > 1 {
				d.Matrices = append(d.Matrices, m)
			}
		}
		for _, a := range h.Details.MemAttrs {
			d.MemAttrs = append(d.MemAttrs, a.moved(now, h.CPUSet))
		}
		h.Details = &d
	}
}

// moved returns e with the object that replaces e's object; false where none does.
func (e End) moved(now map[*Object]*Object) (End, bool) {
	if e.Object == nil {
		return e, e.Device != nil
	}
	o := now[e.Object]
	return End{Object: o}, o != nil
}

func (m Matrix) moved(now map[*Object]*Object) Matrix {
	r := Matrix{Name: m.Name, Kind: m.Kind}
	var kept []int
	for i, e := range m.Ends {
		if e, ok := e.moved(now); ok {
			r.Ends, kept = append(r.Ends, e), append(kept, i)
		}
	}
	for _, i := range kept {
		for _, j := range kept {
			r.Values = append(r.Values, m.Values[i*len(m.Ends)+j])
		}
	}
	return r
}

func (a MemAttr) moved(now map[*Object]*Object, pus Set) MemAttr {
	r := MemAttr{Name: a.Name, Flags: a.Flags}
	for _, v := range a.Values {
		target, there := v.Target.moved(now)
		if v.From != nil {
			from, ok := v.From.moved(now)
			v.From, there = &from, there && ok
		} else if !v.PUs.Empty() {
			v.PUs = v.PUs.Intersect(pus)
			there = there && !v.PUs.Empty()
		}
		if there {
			v.Target = target
			r.Values = append(r.Values, v)
		}
	}
	return r
}

// keepFigures removes the figures of objects that are not in the tree below root.
func keepFigures(root *Object) {
	in := map[*Object]*Object{}
	for o := range root.All() {
		in[o] = o
	}
	moveFigures(root, in)
}
