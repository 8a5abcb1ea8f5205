package synthetic

import (
	"slices"
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
	root := h.root()
	return root, h.checkUnnamed(root, machines)
}

// root is the machine, the only outermost level, or a level around several.
func (h *hosts) root() *hw.Object {
	if h.description.root.typ == hw.Machine {
		return h.object(h.description.root)
	}
	row := h.row(h.description.root)
	if len(row) == 1 {
		return row[0]
	}
	name := "Cluster"
	if h.levels[name] || slices.Contains(h.subtypes, name) {
		name = "System"
	}
	return outerLevel(name, row)
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

// checkNames refuses host names that are there twice.
func (h *hosts) checkNames(machines []*level) error {
	for _, m := range machines {
		for _, n := range m.machine.names {
			if h.given[n] {
				return h.errorAt(m.machine.namesAt, "host name "+n+" is given twice")
			}
			h.given[n] = true
		}
	}
	return nil
}

// checkUnnamed refuses names that machines without one will have.
func (h *hosts) checkUnnamed(root *hw.Object, machines []*level) error {
	if len(h.given) == 0 {
		return nil
	}
	host := -1
	for o := range root.All() {
		if o.Type != hw.Machine {
			continue
		}
		host++
		name := "node" + strconv.Itoa(host)
		if o.Name != "" || !h.given[name] {
			continue
		}
		for _, m := range machines {
			if slices.Contains(m.machine.names, name) {
				return h.errorAt(m.machine.namesAt,
					name+" is what the machine without a name at that place is called")
			}
		}
	}
	return nil
}
