package hwlocxml

import (
	"encoding/xml"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"codeberg.org/commsplit/commsplit/hw"
)

// types are the types of objects that are read, by hwloc's names.
var types = func() map[string]hw.Type {
	m := map[string]hw.Type{}
	for t := hw.Machine; t <= hw.PU; t++ {
		m[t.String()] = t
	}
	return m
}()

// memoryKind is the kind that hwloc writes for a Group that it made to hold a
// NUMA node (HWLOC_GROUP_KIND_MEMORY).
const memoryKind = "1001"

// object reads an object with everything inside.
func (r *reader) object(e xml.StartElement, parent *hw.Object) (*hw.Object, error) {
	o, err := r.open(e, parent)
	if err != nil {
		return nil, err
	}
	var children []*hw.Object
	err = r.children(func(c xml.StartElement) error {
		switch {
		case c.Name.Local != "object":
			return r.aside(c, o)
		case devices[attrs(c.Attr).get("type")]:
			return r.deviceBelow(c, o)
		}
		child, err := r.object(c, o)
		children = append(children, child)
		return err
	})
	if err != nil {
		return nil, err
	}
	return o, r.adopt(o, children)
}

// count counts an object; more objects than any machine has are an error.
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
			"Core, PU, NUMANode, Group, ...", hw.Clip(a.get("type")))
	}
	o := &hw.Object{Type: typ, Subtype: a.get("subtype"), OSIndex: hw.Unknown}
	if err := r.fill(o, a); err != nil {
		return nil, r.errorf("%s: %v", o.Title(), err)
	}
	if err := checkPlace(o, parent); err != nil {
		return nil, r.errorf("%s: %v", o.Title(), err)
	}
	r.know(a, hw.End{Object: o})
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
	for name, to := range map[string]*int32{"cache_linesize": &o.Line, "cache_associativity": &o.Ways} {
		if n, err := strconv.ParseInt(a.get(name), 10, 32); err == nil && n >= -1 {
			*to = int32(n)
		}
	}
	if err := checkText(o.Subtype); err != nil {
		return fmt.Errorf("subtype: %w", err)
	}
	return r.special(o, a)
}

// special reads attributes that only one type of objects has.
func (r *reader) special(o *hw.Object, a attrs) (err error) {
	switch o.Type {
	case hw.Machine:
		if r.allowedCPUs, err = limit(a, "allowed_cpuset"); err == nil {
			r.allowedNodes, err = limit(a, "allowed_nodeset")
		}
	case hw.Group:
		o.Attached = a.get("kind") == memoryKind && o.Subtype == ""
		if kind := a.get("kind") + " " + a.get("subkind"); number(a.get("kind")) && number(a.get("subkind")) &&
			kind != "0 0" && (!o.Attached || kind != memoryKind+" 0") {
			o.Detailed().GroupKind = kind
		}
		if r.subtypes[o.Subtype] = true; len(r.subtypes) > maxSubtypes {
			err = fmt.Errorf("more than %d different subtypes of Groups", maxSubtypes)
		}
	case hw.NUMANode:
		switch {
		case !o.NodeSet.Equal(hw.SetOf(max(o.OSIndex, 0))) || o.OSIndex < 0:
			err = fmt.Errorf("nodeset %q and os_index %q: want one and the same number",
				short(o.NodeSet), hw.Clip(a.get("os_index")))
		case r.nodes.Has(o.OSIndex):
			err = fmt.Errorf("a second NUMA node of that number")
		default:
			r.nodes.Add(o.OSIndex)
		}
	case hw.PU:
		if o.OSIndex < 0 || !o.CPUSet.Empty() && !o.CPUSet.Equal(hw.SetOf(min(o.OSIndex, maxIndex))) {
			err = fmt.Errorf("cpuset %q and os_index %q: want one and the same number",
				short(o.CPUSet), hw.Clip(a.get("os_index")))
		}
	}
	return err
}

// set reads a set; a missing set is an error.
func set(a attrs, name string) (hw.Set, error) {
	text, ok := a.find(name)
	if !ok {
		return hw.Set{}, fmt.Errorf("no %s: want one such as 0x0000000f", name)
	}
	s, err := hw.ParseHex(text, maxIndex)
	if err != nil {
		return hw.Set{}, fmt.Errorf("%s: %w", name, err)
	}
	return s, nil
}

// limit reads a set of allowed PUs or nodes; nil where the file has none and all are allowed.
func limit(a attrs, name string) (*hw.Set, error) {
	if text, ok := a.find(name); !ok || strings.HasPrefix(text, infinite) {
		return nil, nil
	}
	s, err := set(a, name)
	return &s, err
}

// checkPlace returns an error where o cannot lie in parent, which is nil for the machine.
func checkPlace(o, parent *hw.Object) error {
	switch {
	case parent == nil:
		return nil
	case o.Type == hw.Machine:
		return fmt.Errorf("a machine in a %s: want it outermost", parent.Type)
	case parent.Type == hw.PU || parent.Type == hw.NUMANode:
		return fmt.Errorf("it is inside a %s, which may hold nothing", parent.Type)
	case parent.Type == hw.MemCache && !o.Type.IsMemory():
		return fmt.Errorf("it is inside a MemCache, which may hold only NUMA nodes")
	case !o.CPUSet.SubsetOf(parent.CPUSet):
		return fmt.Errorf("PUs %s are not in the cpuset of its %s",
			short(o.CPUSet.Minus(parent.CPUSet)), parent.Type)
	case !o.NodeSet.SubsetOf(parent.NodeSet):
		return fmt.Errorf("NUMA nodes %s are not in the nodeset of its %s",
			short(o.NodeSet.Minus(parent.NodeSet)), parent.Type)
	}
	return nil
}

// adopt gives o its children in hwloc's order: by their first PU, online or not,
// children without PUs last; and its memory, by the first node.
func (r *reader) adopt(o *hw.Object, children []*hw.Object) error {
	hw.SortDevices(o.Devices())
	slices.SortStableFunc(children, func(a, b *hw.Object) int {
		return hw.CompareFirst(a.Complete(), b.Complete())
	})
	var held hw.Set
	for _, c := range children {
		if c.Type.IsMemory() {
			o.Memory = append(o.Memory, c)
			continue
		}
		if c.CPUSet.Intersects(held) {
			return r.errorf("%s: PUs %s are in two of its children", o.Type,
				short(c.CPUSet.Intersect(held)))
		}
		held.Merge(c.CPUSet)
		o.Children = append(o.Children, c)
	}
	slices.SortStableFunc(o.Memory, func(a, b *hw.Object) int {
		return hw.CompareFirst(a.NodeSet, b.NodeSet)
	})
	if o.Type != hw.PU && !o.Type.IsMemory() && !held.Equal(o.CPUSet) {
		return r.errorf("%s: PUs %s of its cpuset are in none of its children",
			o.Type, short(o.CPUSet.Minus(held)))
	}
	return nil
}

// attrs are the attributes of an element. They are few: looking through them is
// quicker than a map.
type attrs []xml.Attr

// find returns the value of an attribute.
func (a attrs) find(name string) (value string, ok bool) {
	for i := range a {
		if a[i].Name.Local == name {
			return a[i].Value, true
		}
	}
	return "", false
}

// get returns the value of an attribute, or "".
func (a attrs) get(name string) string {
	value, _ := a.find(name)
	return value
}

// infinite begins a set in hwloc's files that has all indexes from some index on.
const infinite = "0xf...f"

// parseIndex reads an os_index: hw.Unknown where it is missing or -1, which some
// versions of hwloc write as an unsigned number.
func parseIndex(text string) (int, error) {
	if text == "" || text == "-1" || text == "4294967295" {
		return hw.Unknown, nil
	}
	n, err := strconv.ParseUint(text, 10, 31)
	if err != nil {
		return hw.Unknown, fmt.Errorf("%q is not an index", hw.Clip(text))
	}
	return int(n), nil
}

// parseBytes reads a size; "" is 0, which stands for an unknown size.
func parseBytes(text string) (uint64, error) {
	if text == "" {
		return 0, nil
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%q is not a number of bytes", hw.Clip(text))
	}
	if n > maxBytes {
		return 0, fmt.Errorf("%d bytes are above the limit of %d", n, uint64(maxBytes))
	}
	return n, nil
}

// checkText returns an error for a name that would garble a terminal.
func checkText(text string) error {
	if len(text) > maxText {
		return fmt.Errorf("%q is longer than %d bytes", hw.Clip(text), maxText)
	}
	if strings.ContainsFunc(text, func(c rune) bool { return !unicode.IsPrint(c) }) {
		return fmt.Errorf("%q has characters that cannot be printed", hw.Clip(text))
	}
	return nil
}
