package hwlocxml

import (
	"encoding/xml"
	"fmt"
	"strings"

	"commsplit/hw"
)

// types are the objects that are read, by hwloc's name.
var types = func() map[string]hw.Type {
	m := map[string]hw.Type{}
	for t := hw.Machine; t <= hw.PU; t++ {
		m[t.String()] = t
	}
	return m
}()

// memoryKind is what hwloc writes as the kind of a Group that it made to hold a
// NUMA node (HWLOC_GROUP_KIND_MEMORY).
const memoryKind = "1001"

// object reads an object with all that is in it.
func (r *reader) object(e xml.StartElement, parent *hw.Object) (*hw.Object, error) {
	o, err := r.open(e, parent)
	if err != nil {
		return nil, err
	}
	var children []*hw.Object
	for {
		token, err := r.next()
		if err != nil {
			return nil, err
		}
		switch t := token.(type) {
		case xml.EndElement:
			return o, r.adopt(o, children)
		case xml.StartElement:
			switch {
			case t.Name.Local != "object":
				err = r.aside(t, o)
			case devices[attrs(t.Attr).get("type")]:
				err = r.deviceBelow(t, o)
			default:
				var child *hw.Object
				child, err = r.object(t, o)
				children = append(children, child)
			}
			if err != nil {
				return nil, err
			}
		}
	}
}

// count refuses files with more objects than any machine has.
func (r *reader) count() error {
	if r.objects++; r.objects > maxObjects {
		return r.errorf("more than %d objects", maxObjects)
	}
	return nil
}

// open makes the object of a start tag, below parent.
func (r *reader) open(e xml.StartElement, parent *hw.Object) (*hw.Object, error) {
	if err := r.count(); err != nil {
		return nil, err
	}
	a := attrs(e.Attr)
	typ, ok := types[a.get("type")]
	if !ok {
		return nil, r.errorf("object type %q is not known: hwloc 2 and 3 have Machine, Package, "+
			"Core, PU, NUMANode, Group, ...", clip(a.get("type")))
	}
	o := &hw.Object{Type: typ, Subtype: a.get("subtype"), OSIndex: hw.Unknown}
	if err := r.fill(o, a); err != nil {
		return nil, r.errorf("%s: %v", title(o), err)
	}
	if err := checkPlace(o, parent); err != nil {
		return nil, r.errorf("%s: %v", title(o), err)
	}
	return o, nil
}

// fill reads the attributes of an object.
func (r *reader) fill(o *hw.Object, a attrs) (err error) {
	if o.OSIndex, err = parseIndex(a.get("os_index")); err != nil {
		return fmt.Errorf("os_index: %w", err)
	}
	if o.CPUSet, err = set(a, "cpuset"); err != nil {
		return err
	}
	if o.NodeSet, err = set(a, "nodeset"); err != nil {
		return err
	}
	if _, ok := a.find("complete_cpuset"); ok {
		complete, err := set(a, "complete_cpuset")
		if err != nil {
			return err
		}
		if off := complete.Minus(o.CPUSet); !off.Empty() {
			o.Detailed().Offline = off
		}
	}
	size := "cache_size"
	if o.Type == hw.NUMANode {
		size = "local_memory"
	}
	if o.Bytes, err = parseBytes(a.get(size)); err != nil {
		return fmt.Errorf("%s: %w", size, err)
	}
	if err := checkText(o.Subtype); err != nil {
		return fmt.Errorf("subtype: %w", err)
	}
	return r.special(o, a)
}

// special reads what only objects of one type have.
func (r *reader) special(o *hw.Object, a attrs) (err error) {
	switch o.Type {
	case hw.Machine:
		if r.allowedCPUs, err = limit(a, "allowed_cpuset"); err == nil {
			r.allowedNodes, err = limit(a, "allowed_nodeset")
		}
	case hw.Group:
		o.Attached = a.get("kind") == memoryKind && o.Subtype == ""
		if r.subtypes[o.Subtype] = true; len(r.subtypes) > maxSubtypes {
			err = fmt.Errorf("more than %d different subtypes of Groups", maxSubtypes)
		}
	case hw.NUMANode:
		switch {
		case !o.NodeSet.Equal(hw.SetOf(max(o.OSIndex, 0))) || o.OSIndex < 0:
			err = fmt.Errorf("nodeset %q and os_index %q: want the same one number",
				short(o.NodeSet), clip(a.get("os_index")))
		case r.nodes.Has(o.OSIndex):
			err = fmt.Errorf("a second NUMA node of that number")
		default:
			r.nodes.Add(o.OSIndex)
		}
	case hw.PU:
		if o.OSIndex < 0 || !o.CPUSet.Empty() && !o.CPUSet.Equal(hw.SetOf(min(o.OSIndex, maxIndex))) {
			err = fmt.Errorf("cpuset %q and os_index %q: want the same one number",
				short(o.CPUSet), clip(a.get("os_index")))
		}
	}
	return err
}

// set reads a set that has to be there.
func set(a attrs, name string) (hw.Set, error) {
	text, ok := a.find(name)
	if !ok {
		return hw.Set{}, fmt.Errorf("no %s: want one such as 0x0000000f", name)
	}
	s, err := parseSet(text)
	if err != nil {
		return hw.Set{}, fmt.Errorf("%s: %w", name, err)
	}
	return s, nil
}

// limit reads an allowed set; nil where all is allowed.
func limit(a attrs, name string) (*hw.Set, error) {
	if text, ok := a.find(name); !ok || strings.HasPrefix(text, infinite) {
		return nil, nil
	}
	s, err := set(a, name)
	return &s, err
}

// title names an object in an error: "Package P#1".
func title(o *hw.Object) string {
	if o.OSIndex == hw.Unknown {
		return o.Type.String()
	}
	return fmt.Sprintf("%s P#%d", o.Type, o.OSIndex)
}
