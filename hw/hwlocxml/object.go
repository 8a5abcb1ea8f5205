package hwlocxml

import (
	"encoding/xml"
	"fmt"
	"strings"

	"commsplit/hw"
)

// node is an object, with the PUs that it would have were all online.
type node struct {
	*hw.Object
	complete hw.Set
}

// types are the objects that are read, by hwloc's name.
var types = func() map[string]hw.Type {
	m := map[string]hw.Type{}
	for t := hw.Machine; t <= hw.PU; t++ {
		m[t.String()] = t
	}
	return m
}()

// skipped are the objects that a topology has no place for.
var skipped = map[string]bool{"Bridge": true, "PCIDev": true, "OSDev": true, "Misc": true}

// memoryKind is what hwloc writes as the kind of a Group that it made to hold a
// NUMA node (HWLOC_GROUP_KIND_MEMORY).
const memoryKind = "1001"

// object reads an object with all that is in it.
func (r *reader) object(e xml.StartElement, parent *hw.Object) (node, error) {
	n, err := r.open(e, parent)
	if err != nil {
		return node{}, err
	}
	var children []node
	for {
		token, err := r.next()
		if err != nil {
			return node{}, err
		}
		switch t := token.(type) {
		case xml.EndElement:
			return n, r.adopt(n.Object, children)
		case xml.StartElement:
			if t.Name.Local != "object" || skipped[attrs(t)["type"]] {
				err = r.aside(t, n.Object)
			} else {
				var child node
				child, err = r.object(t, n.Object)
				children = append(children, child)
			}
			if err != nil {
				return node{}, err
			}
		}
	}
}

// open makes the object of a start tag, below parent.
func (r *reader) open(e xml.StartElement, parent *hw.Object) (node, error) {
	if r.objects++; r.objects > maxObjects {
		return node{}, r.errorf("more than %d objects", maxObjects)
	}
	a := attrs(e)
	typ, ok := types[a["type"]]
	if !ok {
		return node{}, r.errorf("object type %q is not known: hwloc 2 and 3 have Machine, Package, "+
			"Core, PU, NUMANode, Group, ...", clip(a["type"]))
	}
	n := node{Object: &hw.Object{Type: typ, Subtype: a["subtype"], OSIndex: hw.Unknown}}
	if err := r.fill(&n, a); err != nil {
		return node{}, r.errorf("%s: %v", title(n.Object), err)
	}
	if err := checkPlace(n.Object, parent); err != nil {
		return node{}, r.errorf("%s: %v", title(n.Object), err)
	}
	return n, nil
}

// fill reads the attributes of an object.
func (r *reader) fill(n *node, a map[string]string) (err error) {
	if n.OSIndex, err = parseIndex(a["os_index"]); err != nil {
		return fmt.Errorf("os_index: %w", err)
	}
	if n.CPUSet, err = set(a, "cpuset"); err != nil {
		return err
	}
	if n.NodeSet, err = set(a, "nodeset"); err != nil {
		return err
	}
	n.complete = n.CPUSet
	if _, ok := a["complete_cpuset"]; ok {
		if n.complete, err = set(a, "complete_cpuset"); err != nil {
			return err
		}
	}
	size := "cache_size"
	if n.Type == hw.NUMANode {
		size = "local_memory"
	}
	if n.Bytes, err = parseBytes(a[size]); err != nil {
		return fmt.Errorf("%s: %w", size, err)
	}
	if err := checkText(n.Subtype); err != nil {
		return fmt.Errorf("subtype: %w", err)
	}
	return r.special(n.Object, a)
}

// special reads what only objects of one type have.
func (r *reader) special(o *hw.Object, a map[string]string) (err error) {
	switch o.Type {
	case hw.Machine:
		if r.allowedCPUs, err = limit(a, "allowed_cpuset"); err == nil {
			r.allowedNodes, err = limit(a, "allowed_nodeset")
		}
	case hw.Group:
		o.Attached = a["kind"] == memoryKind && o.Subtype == ""
		if r.kinds[o.Subtype] = true; len(r.kinds) > maxKinds {
			err = fmt.Errorf("more than %d different subtypes of Groups", maxKinds)
		}
	case hw.NUMANode:
		switch {
		case !o.NodeSet.Equal(hw.SetOf(max(o.OSIndex, 0))) || o.OSIndex < 0:
			err = fmt.Errorf("nodeset %q and os_index %q: want the same one number",
				short(o.NodeSet), clip(a["os_index"]))
		case r.nodes.Has(o.OSIndex):
			err = fmt.Errorf("a second NUMA node of that number")
		default:
			r.nodes.Add(o.OSIndex)
		}
	case hw.PU:
		if o.OSIndex < 0 || !o.CPUSet.Empty() && !o.CPUSet.Equal(hw.SetOf(min(o.OSIndex, maxIndex))) {
			err = fmt.Errorf("cpuset %q and os_index %q: want the same one number",
				short(o.CPUSet), clip(a["os_index"]))
		}
	}
	return err
}

// set reads a set that has to be there.
func set(a map[string]string, name string) (hw.Set, error) {
	text, ok := a[name]
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
func limit(a map[string]string, name string) (*hw.Set, error) {
	if text, ok := a[name]; !ok || strings.HasPrefix(text, infinite) {
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

// aside reads an element that is no object of the tree: an info of o, or of the
// topology where o is nil, may hold a name; all else is skipped.
func (r *reader) aside(e xml.StartElement, o *hw.Object) error {
	if a := attrs(e); e.Name.Local == "info" {
		host := a["name"] == "HostName" && (o == nil || o.Type == hw.Machine)
		model := a["name"] == "CPUModel" && o != nil && o.Type == hw.Package
		if host || model {
			if err := checkText(a["value"]); err != nil {
				return r.errorf("%s: %v", a["name"], err)
			}
		}
		switch {
		case host:
			r.hostName = a["value"]
		case model:
			o.Name = a["value"]
		}
	}
	return r.skip()
}
