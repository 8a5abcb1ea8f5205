package hwlocxml

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/hw"
)

// Write writes a machine in hwloc's format 2.0, for "lstopo -i file.xml" and for
// Read, which reads an equal topology back, except that it takes disallowed PUs
// for offline PUs: the format does not tell them apart. With more than some ten
// thousand PUs the file is larger than Read accepts.
//
// Write returns an error for several machines, for an index that is larger than
// Read accepts, and where w fails.
func Write(w io.Writer, t *hw.Topology) error {
	machine := t.Root
	if machine.Type != hw.Machine {
		return fmt.Errorf("an hwloc file describes one machine, but there are %d below a %s",
			len(t.Hosts), machine.TypeName())
	}
	for o := range machine.All() {
		if last := max(o.Complete().Last(), o.NodeSet.Last()); last > maxIndex {
			return fmt.Errorf("%s: index %d is above the limit of %d of an hwloc file",
				o.Title(), last, maxIndex)
		}
	}
	out := &writer{Writer: bufio.NewWriter(w), numberOf: map[hw.End]int{}}
	out.WriteString(xml.Header + "<!DOCTYPE topology SYSTEM \"hwloc2.dtd\">\n" +
		"<topology version=\"2.0\">\n")
	out.object(machine, "  ")
	if machine.Details != nil {
		out.figures(machine.Details)
		for i := range machine.Details.Kinds {
			out.kind(&machine.Details.Kinds[i])
		}
	}
	out.WriteString("</topology>\n")
	return out.Flush()
}

// writer writes elements. The buffer keeps errors of writing until Flush.
type writer struct {
	*bufio.Writer
	written  int // objects, which are numbered from 1 on
	numberOf map[hw.End]int
}

// object writes an object with everything below it in hwloc's order: memory,
// children, devices.
func (w *writer) object(o *hw.Object, indent string) {
	w.start(o.Type.String(), indent)
	if o.OSIndex != hw.Unknown {
		w.attr("os_index", strconv.Itoa(o.OSIndex))
	}
	w.attr("cpuset", o.CPUSet.Hex())
	w.attr("complete_cpuset", o.Complete().Hex())
	if o.Parent == nil {
		w.attr("allowed_cpuset", o.CPUSet.Hex())
	}
	w.attr("nodeset", o.NodeSet.Hex())
	w.attr("complete_nodeset", o.NodeSet.Hex())
	if o.Parent == nil {
		w.attr("allowed_nodeset", o.NodeSet.Hex())
	}
	w.number(hw.End{Object: o})
	w.optional("subtype", o.Subtype)
	w.special(o)

	infos := namesAsInfos(o)
	var kept []string
	if o.Details != nil {
		infos, kept = append(infos, o.Details.Infos...), o.Details.Kept
	}
	if len(kept)+len(infos)+len(o.Memory)+len(o.Children)+len(o.Devices()) == 0 {
		w.WriteString("/>\n")
		return
	}
	w.WriteString(">\n")
	w.infos(infos, indent+"  ")
	for _, element := range kept {
		w.WriteString(indent + "  " + element + "\n")
	}
	for _, m := range o.Memory {
		w.object(m, indent+"  ")
	}
	for _, c := range o.Children {
		w.object(c, indent+"  ")
	}
	for _, d := range o.Devices() {
		w.device(d, indent+"  ")
	}
	w.WriteString(indent + "</object>\n")
}

// namesAsInfos returns the name of an object as the info that hwloc writes for it.
func namesAsInfos(o *hw.Object) []hw.Info {
	switch {
	case o.Name == "", o.Type == hw.Machine && o.Name == "node0": // which is the name of a machine without one
	case o.Type == hw.Machine:
		return []hw.Info{{Name: "HostName", Value: o.Name}}
	case o.Type == hw.Package:
		return []hw.Info{{Name: "CPUModel", Value: o.Name}}
	}
	return nil
}

// special writes attributes that only one type of objects has.
func (w *writer) special(o *hw.Object) {
	switch {
	case o.Type == hw.Group:
		kind, subkind := "0", "0"
		switch {
		case o.Details != nil && o.Details.GroupKind != "":
			kind, subkind, _ = strings.Cut(o.Details.GroupKind, " ")
		case o.Attached:
			kind = memoryKind
		}
		w.attr("kind", kind)
		w.attr("subkind", subkind)
	case o.Type == hw.NUMANode && o.Bytes > 0:
		w.attr("local_memory", strconv.FormatUint(o.Bytes, 10))
	case o.Type.IsCache() || o.Type == hw.MemCache:
		depth, kind := cacheShape(o.Type)
		w.attr("cache_size", strconv.FormatUint(o.Bytes, 10))
		w.attr("depth", depth)
		w.attr("cache_linesize", strconv.Itoa(int(max(o.Line, 0))))
		w.attr("cache_associativity", strconv.Itoa(int(o.Ways)))
		w.attr("cache_type", kind)
	}
}

// cacheShape returns the depth of a type of caches and hwloc's cache_type: 0
// unified, 1 data, 2 instructions.
func cacheShape(t hw.Type) (depth, kind string) {
	switch {
	case t == hw.MemCache:
		return "1", "0"
	case t == hw.L1Cache:
		return "1", "1"
	case t.IsInstructionCache():
		return strconv.Itoa(t.CacheLevel()), "2"
	}
	return strconv.Itoa(t.CacheLevel()), "0"
}

// device writes a device with all devices inside it.
func (w *writer) device(d *hw.Device, indent string) {
	w.start(d.Type, indent)
	w.number(hw.End{Device: d})
	w.optional("name", d.Name)
	w.optional("subtype", d.Subtype)
	for _, a := range d.Attrs {
		w.attr(a.Name, a.Value)
	}
	if len(d.Infos)+len(d.Devices) == 0 {
		w.WriteString("/>\n")
		return
	}
	w.WriteString(">\n")
	w.infos(d.Infos, indent+"  ")
	for _, below := range d.Devices {
		w.device(below, indent+"  ")
	}
	w.WriteString(indent + "</object>\n")
}

// kind writes a kind of cores.
func (w *writer) kind(k *hw.Kind) {
	w.WriteString("  <cpukind")
	w.attr("cpuset", k.CPUSet.Union(k.Barred).Hex())
	if k.Efficiency != hw.Unknown {
		w.attr("forced_efficiency", strconv.Itoa(k.Efficiency))
	}
	w.WriteString(">\n")
	w.infos(k.Infos, "    ")
	w.WriteString("  </cpukind>\n")
}

func (w *writer) infos(list []hw.Info, indent string) {
	for _, i := range list {
		w.WriteString(indent + "<info")
		w.attr("name", i.Name)
		w.attr("value", i.Value)
		w.WriteString("/>\n")
	}
}

// start begins an object.
func (w *writer) start(typ, indent string) {
	w.WriteString(indent + "<object")
	w.attr("type", typ)
}

// number writes the number by which the file refers to an object or device.
func (w *writer) number(of hw.End) {
	w.written++
	w.numberOf[of] = w.written
	w.attr("gp_index", strconv.Itoa(w.written))
}

func (w *writer) optional(name, value string) {
	if value != "" {
		w.attr(name, value)
	}
}

func (w *writer) attr(name, value string) {
	w.WriteString(" " + name + `="`)
	if strings.ContainsAny(value, "&<>\"'\t\n\r") {
		_ = xml.EscapeText(w.Writer, []byte(value)) // an error stays in the buffer
	} else {
		w.WriteString(value)
	}
	w.WriteByte('"')
}
