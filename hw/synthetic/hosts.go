package synthetic

import (
	"strconv"

	"commsplit/hw"
)

// hosts are the machines of a description, each built once and copied where
// there are more like it.
type hosts struct {
	*description
	built  map[*level]*hw.Object
	placed map[*level]int
	given  map[string]bool // host names in the text
	levels map[string]bool // names of levels
}

// tree puts the machines below their outer levels.
func (d *description) tree(machines []*level) (*hw.Object, error) {
	h := hosts{d, map[*level]*hw.Object{}, map[*level]int{}, map[string]bool{}, map[string]bool{}}
	for _, m := range machines {
		o, err := d.build(m)
		if err != nil {
			return nil, err
		}
		h.built[m] = o
	}
	if err := h.checkNames(machines); err != nil {
		return nil, err
	}
	if d.root.typ == hw.Machine {
		return h.object(d.root), nil
	}
	row := h.row(d.root)
	if len(row) == 1 {
		return row[0], nil
	}
	name := "Cluster"
	if h.levels[name] {
		name = "System"
	}
	return outerLevel(name, row), nil
}

// row makes all that an object of l holds.
func (h *hosts) row(l *level) []*hw.Object {
	var row []*hw.Object
	for _, b := range l.below {
		for range b.count {
			row = append(row, h.object(b))
		}
	}
	return row
}

func (h *hosts) object(l *level) *hw.Object {
	if l.typ == hw.Level {
		h.levels[l.name] = true
		return outerLevel(l.name, h.row(l))
	}
	o, i := h.built[l], h.placed[l]
	h.placed[l]++
	if i > 0 {
		o = o.Copy()
	}
	if o.Name = ""; l.machine.names != nil {
		o.Name = l.machine.names[i]
	}
	return o
}

func outerLevel(name string, below []*hw.Object) *hw.Object {
	return &hw.Object{Type: hw.Level, Subtype: name, OSIndex: hw.Unknown, Children: below}
}

// checkNames refuses host names that are there twice, also where the other one
// is the name that a machine without any gets.
func (h *hosts) checkNames(machines []*level) error {
	total, named := 0, false
	for _, m := range machines {
		total += m.machine.width
		named = named || m.machine.names != nil
		for _, n := range m.machine.names {
			if h.given[n] {
				return h.errorAt(m.machine.namesAt, "host name "+n+" is given twice")
			}
			h.given[n] = true
		}
	}
	if !named || len(h.given) == total {
		return nil
	}
	for i := range total {
		if n := "node" + strconv.Itoa(i); h.given[n] {
			for _, m := range machines {
				if len(m.machine.names) > 0 {
					return h.errorAt(m.machine.namesAt, "machines without a name are called node0, node1, ...: "+
						"want other names than "+n)
				}
			}
		}
	}
	return nil
}
