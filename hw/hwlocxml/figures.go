package hwlocxml

import (
	"encoding/xml"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/spell"
)

// maxEnds bounds the objects of a matrix, maxFigures the matrices and the attributes of a file.
const (
	maxEnds    = 1024
	maxFigures = 64
)

// matrix is a matrix of distances as the file has it: its objects are numbers.
type matrix struct {
	hw.Matrix
	typ     string // of all objects; "" where they are of several
	os      bool   // indexes are the kernel's
	indexes []string
}

// memAttr is an attribute of memories as the file has it: its objects are numbers.
type memAttr struct {
	hw.MemAttr
	targets, from []string // gp_index of each value's objects; "" for none
}

// know remembers the object or device that has the number in a.
func (r *reader) know(a attrs, e hw.End) {
	if number := a.get("gp_index"); number != "" {
		r.known[number] = e
	}
}

// distances reads a <distances2> or <distances2hetero>.
func (r *reader) distances(e xml.StartElement) error {
	a := attrs(e.Attr)
	name := a.get("name")
	m := matrix{typ: a.get("type"), os: a.get("indexing") == "os"}
	n, err := strconv.Atoi(a.get("nbobjs"))
	kind, errKind := strconv.ParseUint(a.get("kind"), 10, 32)
	switch {
	case err != nil || n < 1 || n > maxEnds:
		return r.errorf("%s: nbobjs %q: want a number of objects up to %d", e.Name.Local, hw.Clip(a.get("nbobjs")), maxEnds)
	case errKind != nil:
		return r.errorf("%s: kind %q is not a number", e.Name.Local, hw.Clip(a.get("kind")))
	case len(r.matrices) == maxFigures:
		return r.errorf("more than %d matrices of distances", maxFigures)
	}
	if err := checkText(name); err != nil {
		return r.errorf("%s: name: %v", e.Name.Local, err)
	}
	m.Name, m.Kind = name, kind
	var values []string
	err = r.children(func(c xml.StartElement) error {
		text, err := r.words()
		switch c.Name.Local {
		case "indexes":
			m.indexes = append(m.indexes, text...)
		case "u64values":
			values = append(values, text...)
		}
		return err
	})
	if err != nil {
		return err
	}
	if len(m.indexes) != n || len(values) != n*n {
		return r.errorf("%s: %d objects and %d values: want %d objects and %d values", e.Name.Local, len(m.indexes), len(values), n, n*n)
	}
	for _, v := range values {
		value, err := strconv.ParseUint(v, 10, 64)
		if err != nil {
			return r.errorf("%s: %q is not a value", e.Name.Local, hw.Clip(v))
		}
		m.Values = append(m.Values, value)
	}
	r.matrices = append(r.matrices, m)
	return nil
}

// words reads up to the end of an element, and returns the words of its text.
func (r *reader) words() (list []string, err error) {
	err = r.finish(func(text []byte) error {
		list = append(list, strings.Fields(string(text))...)
		return nil
	})
	return list, err
}

// memAttr reads a <memattr>.
func (r *reader) memAttr(e xml.StartElement) error {
	a := attrs(e.Attr)
	m := memAttr{MemAttr: hw.MemAttr{Name: a.get("name")}}
	var err error
	if m.Flags, err = strconv.ParseUint(a.get("flags"), 10, 32); err != nil {
		return r.errorf("memattr: flags %q is not a number", hw.Clip(a.get("flags")))
	}
	if m.Name == "" {
		return r.errorf("memattr: it has no name")
	}
	if err := checkText(m.Name); err != nil {
		return r.errorf("memattr: name: %v", err)
	}
	if len(r.memAttrs) == maxFigures {
		return r.errorf("more than %d memory attributes", maxFigures)
	}
	err = r.children(func(c xml.StartElement) error {
		if c.Name.Local != "memattr_value" {
			return r.skip()
		}
		if len(m.Values) == maxEnds*maxEnds {
			return r.errorf("memattr: more than %d values", maxEnds*maxEnds)
		}
		v := hw.MemValue{}
		b := attrs(c.Attr)
		var err error
		if v.Value, err = strconv.ParseUint(b.get("value"), 10, 64); err != nil {
			return r.errorf("memattr: value %q is not a number", hw.Clip(b.get("value")))
		}
		if _, ok := b.find("initiator_cpuset"); ok {
			if v.PUs, err = set(b, "initiator_cpuset"); err != nil {
				return r.errorf("memattr: %v", err)
			}
		}
		m.Values = append(m.Values, v)
		m.targets = append(m.targets, b.get("target_obj_gp_index"))
		m.from = append(m.from, b.get("initiator_obj_gp_index"))
		return r.skip()
	})
	r.memAttrs = append(r.memAttrs, m)
	return err
}

// addFigures gives the machine the distances and the attributes of memories. It leaves out distances with objects that the
// file does not have; notes tell which.
func (r *reader) addFigures(machine *hw.Object) (notes []string) {
	if len(r.matrices)+len(r.memAttrs) == 0 {
		return nil
	}
	byOS := map[string]hw.End{}
	for o := range machine.All() {
		if o.OSIndex != hw.Unknown {
			byOS[o.Type.String()+" "+strconv.Itoa(o.OSIndex)] = hw.End{Object: o}
		}
	}
	d := machine.Detailed()
	for _, m := range r.matrices {
		for _, index := range m.indexes {
			_, number, hetero := strings.Cut(index, ":")
			end, ok := byOS[m.typ+" "+index]
			if hetero {
				end, ok = r.known[number]
			} else if !m.os {
				end, ok = r.known[index]
			}
			if ok {
				m.Ends = append(m.Ends, end)
			}
		}
		if len(m.Ends) < len(m.indexes) {
			notes = append(notes, fmt.Sprintf("distances %q are about objects that the file does not have: left out", hw.Clip(m.Name)))
			continue
		}
		d.Matrices = append(d.Matrices, m.Matrix)
	}
	for _, a := range r.memAttrs {
		kept := a.MemAttr
		kept.Values = nil
		for i, v := range a.Values {
			target, ok := r.known[a.targets[i]]
			if from, there := r.known[a.from[i]]; a.from[i] != "" {
				v.From, ok = &from, ok && there
			}
			if ok {
				v.Target = target
				kept.Values = append(kept.Values, v)
			}
		}
		if n := len(a.Values) - len(kept.Values); n > 0 {
			notes = append(notes, fmt.Sprintf("memory attribute %q is of objects that the file does not have: %s left out", hw.Clip(a.Name), spell.Plural(n, "value")))
		}
		d.MemAttrs = append(d.MemAttrs, kept)
	}
	return notes
}

// figures writes the matrices and the attributes of memories.
func (w *writer) figures(d *hw.Details) {
	for i := range d.Matrices {
		w.matrix(&d.Matrices[i])
	}
	for i := range d.MemAttrs {
		w.memAttr(&d.MemAttrs[i])
	}
}

// perLine is the number of numbers that hwloc writes in one element.
const perLine = 10

func (w *writer) matrix(m *hw.Matrix) {
	first := kindOf(m.Ends[0])
	hetero := slices.ContainsFunc(m.Ends, func(e hw.End) bool { return kindOf(e) != first })
	name, os := "distances2", first == hw.NUMANode.String() || first == hw.PU.String()
	if hetero {
		name, os = "distances2hetero", false
	}
	w.WriteString("  <" + name)
	if !hetero {
		w.attr("type", first)
	}
	w.attr("nbobjs", strconv.Itoa(len(m.Ends)))
	w.attr("kind", strconv.FormatUint(m.Kind, 10))
	w.optional("name", m.Name)
	if os {
		w.attr("indexing", "os")
	} else if !hetero {
		w.attr("indexing", "gp")
	}
	w.WriteString(">\n")
	var indexes, values []string
	for _, e := range m.Ends {
		switch {
		case os:
			indexes = append(indexes, strconv.Itoa(e.Object.OSIndex))
		case hetero:
			indexes = append(indexes, kindOf(e)+":"+w.gp(e))
		default:
			indexes = append(indexes, w.gp(e))
		}
	}
	for _, v := range m.Values {
		values = append(values, strconv.FormatUint(v, 10))
	}
	w.numbers("indexes", indexes)
	w.numbers("u64values", values)
	w.WriteString("  </" + name + ">\n")
}

// numbers writes words in elements with a name, perLine words in each.
func (w *writer) numbers(name string, words []string) {
	for some := range slices.Chunk(words, perLine) {
		text := strings.Join(some, " ") + " "
		fmt.Fprintf(w, "    <%s length=\"%d\">%s</%s>\n", name, len(text), text, name)
	}
}

// kindOf returns hwloc's type of the object or device that a figure describes.
func kindOf(e hw.End) string {
	if e.Object != nil {
		return e.Object.Type.String()
	}
	return e.Device.Type
}

// gp returns the number that the file has for an object or device.
func (w *writer) gp(e hw.End) string { return strconv.Itoa(w.numberOf[e]) }

func (w *writer) memAttr(a *hw.MemAttr) {
	w.WriteString("  <memattr")
	w.attr("name", a.Name)
	w.attr("flags", strconv.FormatUint(a.Flags, 10))
	w.WriteString(">\n")
	for _, v := range a.Values {
		w.WriteString("    <memattr_value")
		w.attr("target_obj_type", kindOf(v.Target))
		w.attr("target_obj_gp_index", w.gp(v.Target))
		w.attr("value", strconv.FormatUint(v.Value, 10))
		switch {
		case v.From != nil:
			w.attr("initiator_obj_gp_index", w.gp(*v.From))
			w.attr("initiator_obj_type", kindOf(*v.From))
		case !v.PUs.Empty():
			w.attr("initiator_cpuset", v.PUs.Hex())
		}
		w.WriteString("/>\n")
	}
	w.WriteString("  </memattr>\n")
}
