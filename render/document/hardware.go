package document

import (
	"bytes"
	"encoding/json"
	"io"
	"iter"
	"reflect"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/render"
)

// ranks yields, for each rank, where it runs and what MPI_Get_hw_resource_info returns to it.
func (d *document) ranks() iter.Seq[any] {
	s := d.view.Snapshot
	var last *hw.Binding
	place := placeDoc{HWInfo: []byte("{}")}
	return func(yield func(any) bool) {
		for r := range s.Size {
			if s.Topology != nil && s.Bindings != nil && s.Bindings[r] != last {
				last = s.Bindings[r]
				place = d.place(last)
			}
			if !yield(rankDoc{r, &place}) { // yield does not keep the pointer
				return
			}
		}
	}
}

// place returns what all ranks with the same binding share.
func (d *document) place(b *hw.Binding) placeDoc {
	t := d.view.Snapshot.Topology
	restricted := t.Restricted(b)
	is := make([]byte, len(restricted))
	for i, at := range restricted {
		if at >= 0 {
			is[i] = 1
		}
	}
	text := d.infos[string(is)]
	if text == nil {
		text = d.info(is)
		d.infos[string(is)] = text
	}
	return placeDoc{Host: &t.Hosts[b.Host].Name, CPUSet: OrNull(b.CPUSet.String()), HWInfo: text}
}

// info returns the hw_info in which the types marked in is are true.
func (d *document) info(is []byte) json.RawMessage {
	resources := d.view.Snapshot.Topology.Resources()
	info := make(object, len(resources))
	for i := range info {
		info[i] = field{resources[i].URI, strconv.FormatBool(is[i] == 1)}
	}
	var b bytes.Buffer
	j := newJSONStream(&b)
	j.value(info)
	j.out.Flush() // cannot fail
	return b.Bytes()
}

// objectDoc is a hardware object without the objects below it.
type objectDoc struct {
	Type         string `json:"type"`
	Subtype      string `json:"subtype"`
	LogicalIndex int    `json:"logical_index"`
	OSIndex      *int   `json:"os_index"`
	CPUSet       string `json:"cpuset"`
	NodeSet      string `json:"nodeset"`
	Name         string `json:"name,omitempty"`
	Bytes        uint64 `json:"bytes,omitempty"`
	Kind         string `json:"kind,omitempty"`
	Disallowed   bool   `json:"disallowed,omitempty"`
}

// deviceDoc is a device that programs know by name.
type deviceDoc struct {
	Type    string  `json:"type"`
	Subtype string  `json:"subtype"`
	Name    string  `json:"name"`
	BusID   *string `json:"bus_id"`
	Vendor  *string `json:"vendor"`
	Model   *string `json:"model"`
	Node    *int    `json:"numa_node"`
}

// Topology writes the tree of hardware objects: type (our own levels above a host by their name), subtype, logical
// and os index (null where unknown), PUs and NUMA nodes in Linux list format, name, bytes and kind of cores where
// they are known, devices below the object if asked for, memory objects and children.
func Topology(w io.Writer, t *hw.Topology, devices bool) error {
	j := topologyStream{newJSONStream(w), t, nil}
	if devices {
		j.devices = map[*hw.Object][]any{}
		for _, l := range t.Located() {
			j.devices[l.Object] = append(j.devices[l.Object], j.device(&l))
		}
	}
	j.object(t.Root, 0)
	j.text("\n")
	return j.out.Flush()
}

// topologyStream writes the tree of hardware objects.
type topologyStream struct {
	*jsonStream
	topology *hw.Topology
	devices  map[*hw.Object][]any // by the object that they hang below; nil unless asked for
}

func (j *topologyStream) device(l *hw.Located) deviceDoc {
	d := deviceDoc{Type: l.Kind(), Subtype: l.Subtype, Name: l.Name, BusID: OrNull(l.BusID()),
		Vendor: OrNull(l.Vendor()), Model: OrNull(l.Model())}
	if node := j.topology.NodeOf(l.Object); node != nil {
		d.Node = numberOrNull(node.OSIndex)
	}
	return d
}

// kind returns the kind of the cores of an object, "IntelAtom", or else what is known of the kind; "" on a machine
// with cores of one kind, or where an object has cores of several kinds.
func (j *topologyStream) kind(o *hw.Object) string {
	k := o.KindOfCores()
	if k == nil {
		return ""
	}
	if name := k.Info("CoreType"); name != "" {
		return name
	}
	return render.KindLabel(k)
}

func (j *topologyStream) object(o *hw.Object, depth int) {
	subtype := o.Subtype
	if o.Type == hw.Level {
		subtype = ""
	}
	j.text("{")
	j.fields(reflect.ValueOf(objectDoc{
		Type: o.TypeName(), Subtype: subtype, LogicalIndex: o.LogicalIndex, OSIndex: numberOrNull(o.OSIndex),
		CPUSet: o.CPUSet.String(), NodeSet: o.NodeSet.String(),
		Name: o.Name, Bytes: o.Bytes, Kind: j.kind(o), Disallowed: !j.topology.Allows(o),
	}), true)
	j.figures(o, depth)
	if list := j.devices[o]; len(list) > 0 || o.Type == hw.Machine && j.devices != nil {
		j.text(`, "devices": [`)
		j.each(list, depth)
		j.text("]")
	}
	j.objects("memory", o.Memory, depth)
	j.objects("children", o.Children, depth)
	j.text("}")
}

// each writes documents, a line each.
func (j *topologyStream) each(list []any, depth int) {
	for i, d := range list {
		j.separate(i, strings.Repeat("  ", depth+1))
		j.value(d)
	}
}

// figures writes a machine's distances and memory attributes, where it has some.
func (j *topologyStream) figures(o *hw.Object, depth int) {
	if o.Details == nil {
		return
	}
	var matrices, attributes []any
	for i := range o.Details.Matrices {
		matrices = append(matrices, matrixOf(&o.Details.Matrices[i]))
	}
	for i := range o.Details.MemAttrs {
		attributes = append(attributes, memAttrOf(&o.Details.MemAttrs[i]))
	}
	for _, f := range []struct {
		name string
		list []any
	}{{"distances", matrices}, {"memory_attributes", attributes}} {
		if len(f.list) > 0 {
			j.text(`, "` + f.name + `": [`)
			j.each(f.list, depth)
			j.text("]")
		}
	}
}

// objects writes a field of an object: a list of objects with a line for each.
func (j *topologyStream) objects(name string, list []*hw.Object, depth int) {
	j.text(`, "` + name + `": [`)
	for i, o := range list {
		j.separate(i, strings.Repeat("  ", depth+1))
		j.object(o, depth+1)
	}
	j.text("]")
}

type bindingDoc struct {
	Rank    int        `json:"rank"`
	Host    string     `json:"host,omitempty"`
	CPUSet  string     `json:"cpuset"`
	Devices []givenDoc `json:"devices,omitempty"`
}

// givenDoc is a device that a launcher gives a rank.
type givenDoc struct {
	Type  string      `json:"type"`
	Name  string      `json:"name"`
	BusID *string     `json:"bus_id"`
	Near  hw.Nearness `json:"near"`
}

// Map writes the PUs of each rank; with several hosts also the host, because each host numbers its own PUs.
func Map(w io.Writer, v *render.View) error {
	s := v.Snapshot
	j := newJSONStream(w)
	j.lines("", func(yield func(any) bool) {
		for r, b := range s.Bindings {
			doc := bindingDoc{Rank: r, CPUSet: b.CPUSet.String()}
			if len(s.Topology.Hosts) > 1 {
				doc.Host = s.Topology.Hosts[b.Host].Name
			}
			for i := range b.Given {
				l := &b.Given[i]
				doc.Devices = append(doc.Devices, givenDoc{l.Kind(), l.Name, OrNull(l.BusID()), l.NearTo(b.CPUSet)})
			}
			if !yield(doc) {
				return
			}
		}
	})
	j.text("\n")
	return j.out.Flush()
}

// figureOfDoc is the subject of a figure: an object by its type and logical index, a device by its type and name.
type figureOfDoc struct {
	Type         string  `json:"type"`
	LogicalIndex *int    `json:"logical_index"`
	Name         *string `json:"name"`
}

// matrixDoc is a figure for each pair of some objects.
type matrixDoc struct {
	Name    *string       `json:"name"`
	Kind    uint64        `json:"kind"`
	Objects []figureOfDoc `json:"objects"`
	Values  [][]uint64    `json:"values"`
}

// memAttrDoc is a figure of memories.
type memAttrDoc struct {
	Name   string        `json:"name"`
	Flags  uint64        `json:"flags"`
	Values []memValueDoc `json:"values"`
}

type memValueDoc struct {
	Target figureOfDoc  `json:"target"`
	From   *figureOfDoc `json:"from"`
	PUs    *string      `json:"pus"`
	Value  uint64       `json:"value"`
}

func endOf(e hw.End) figureOfDoc {
	if e.Object == nil {
		return figureOfDoc{Type: e.Device.Type, Name: OrNull(e.Device.Name)}
	}
	return figureOfDoc{Type: e.Object.TypeName(), LogicalIndex: &e.Object.LogicalIndex, Name: OrNull(e.Object.Name)}
}

func matrixOf(m *hw.Matrix) matrixDoc {
	d := matrixDoc{Name: OrNull(m.Name), Kind: m.Kind}
	n := len(m.Ends)
	for i, e := range m.Ends {
		d.Objects = append(d.Objects, endOf(e))
		d.Values = append(d.Values, m.Values[i*n:(i+1)*n])
	}
	return d
}

func memAttrOf(a *hw.MemAttr) memAttrDoc {
	d := memAttrDoc{Name: a.Name, Flags: a.Flags, Values: []memValueDoc{}}
	for _, v := range a.Values {
		doc := memValueDoc{Target: endOf(v.Target), PUs: OrNull(v.PUs.String()), Value: v.Value}
		if v.From != nil {
			from := endOf(*v.From)
			doc.From = &from
		}
		d.Values = append(d.Values, doc)
	}
	return d
}
