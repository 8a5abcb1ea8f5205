package hwlocxml_test

import (
	"encoding/xml"
	"fmt"
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/hw"
)

// described lists, per type, the objects and devices of a topology. It counts no
// more PUs in a NUMA node than the node has: hwloc also gives the node the PUs
// of its parent that are off.
func described(top *hw.Topology) map[string][]string {
	all := map[string][]string{}
	var device func(d *hw.Device)
	device = func(d *hw.Device) {
		all[d.Type] = append(all[d.Type], fmt.Sprintf("%s %s %s %v", d.Subtype, d.Name, d.Attr("pci_busid"), d.Infos))
		for _, below := range d.Devices {
			device(below)
		}
	}
	for o := range top.Root.All() {
		typ := o.Type.String()
		all[typ] = append(all[typ], fmt.Sprintf("%s P#%d %v of %v {%v} %d%s", o.Subtype, o.OSIndex, o.CPUSet, completeOf(o), o.NodeSet, o.Bytes,
			caches[typ]))
		for _, d := range o.Devices() {
			device(d)
		}
	}
	if d := top.Root.Details; d != nil {
		for _, k := range d.Kinds {
			all["kind"] = append(all["kind"], fmt.Sprintf("%v %v", k.CPUSet.Union(k.Barred), k.Infos))
		}
	}
	return sorted(all)
}

// caches are depth and type of caches: 0 unified, 1 data, 2 instructions.
var caches = map[string]string{
	"L5Cache": " depth 5 type 0", "L4Cache": " depth 4 type 0", "L3Cache": " depth 3 type 0", "L2Cache": " depth 2 type 0",
	"L1Cache": " depth 1 type 1", "L3iCache": " depth 3 type 2", "L2iCache": " depth 2 type 2", "L1iCache": " depth 1 type 2",
}

func completeOf(o *hw.Object) hw.Set {
	if o.Type == hw.NUMANode {
		return o.CPUSet
	}
	return o.Complete()
}

// element is any element of an hwloc file.
type element struct {
	XMLName  xml.Name
	Attrs    []xml.Attr `xml:",any,attr"`
	Elements []element  `xml:",any"`
}

func (e element) attr(name string) string {
	for _, a := range e.Attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// describedBy makes the same list from the text that lstopo wrote, with a reader
// of its own.
func describedBy(t *testing.T, text string) map[string][]string {
	t.Helper()
	var top element
	if err := xml.Unmarshal([]byte(text), &top); err != nil {
		t.Fatal(err)
	}
	all := map[string][]string{}
	var visit func(e element)
	visit = func(e element) {
		var infos []hw.Info
		for _, below := range e.Elements {
			if name := below.attr("name"); below.XMLName.Local == "info" && name != "hwlocVersion" && name != "ProcessName" {
				infos = append(infos, hw.Info{Name: name, Value: below.attr("value")})
			}
			visit(below)
		}
		typ := e.attr("type")
		switch {
		case e.XMLName.Local == "cpukind":
			all["kind"] = append(all["kind"], fmt.Sprintf("%v %v", listed(t, e.attr("cpuset")), infos))
		case e.XMLName.Local != "object":
		case e.attr("cpuset") == "":
			all[typ] = append(all[typ], fmt.Sprintf("%s %s %s %v", e.attr("subtype"), e.attr("name"), e.attr("pci_busid"), infos))
		default:
			complete := e.attr("complete_cpuset")
			depthAndType := ""
			if e.attr("cache_type") != "" && typ != "MemCache" {
				depthAndType = " depth " + e.attr("depth") + " type " + e.attr("cache_type")
			}
			if typ == "NUMANode" {
				complete = e.attr("cpuset")
			}
			all[typ] = append(all[typ], fmt.Sprintf("%s P#%s %s of %s {%s} %s%s", e.attr("subtype"), or(e.attr("os_index"), "-1"),
				listed(t, e.attr("cpuset")), listed(t, complete), listed(t, e.attr("nodeset")),
				or(e.attr("cache_size")+e.attr("local_memory"), "0"), depthAndType))
		}
	}
	visit(top)
	return sorted(all)
}

func or(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

// whole returns the whole topology as text, an object a line, except the reasons
// why PUs are missing.
func whole(top *hw.Topology) string {
	var b strings.Builder
	var device func(d *hw.Device)
	device = func(d *hw.Device) {
		fmt.Fprintf(&b, "<%s %q %q %q %q", d.Type, d.Subtype, d.Name, d.Attrs, d.Infos)
		for _, below := range d.Devices {
			device(below)
		}
		b.WriteByte('>')
	}
	for o := range top.Root.All() {
		for up := o.Parent; up != nil; up = up.Parent {
			b.WriteByte(' ')
		}
		fmt.Fprintf(&b, "%s %q %q L#%d P#%d %v of %v {%v} %d %v ", o.Type, o.Subtype, o.Name, o.LogicalIndex, o.OSIndex,
			o.CPUSet, o.Complete(), o.NodeSet, o.Bytes, o.Attached)
		for _, d := range o.Devices() {
			device(d)
		}
		if d := o.Details; d != nil {
			if len(d.Infos) > 0 {
				fmt.Fprintf(&b, "%q ", d.Infos)
			}
			for _, k := range d.Kinds {
				fmt.Fprintf(&b, "%v %d %q ", k.CPUSet, k.Efficiency, k.Infos)
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}
