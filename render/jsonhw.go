package render

import (
	"bytes"
	"io"
	"iter"
	"strconv"
	"strings"

	"commsplit/hw"
)

// ranks tells where each rank runs and what MPI_Get_hw_resource_info tells it.
func (d *document) ranks() iter.Seq[any] {
	s := d.view.Snapshot
	known := map[*hw.Binding]*placeDoc{}
	nowhere := &placeDoc{HWInfo: []byte("{}")}
	return func(yield func(any) bool) {
		for r := range s.Size {
			place := nowhere
			if s.Topology != nil && s.Bindings != nil {
				b := s.Bindings[r]
				if known[b] == nil {
					known[b] = d.place(b)
				}
				place = known[b]
			}
			if !yield(rankDoc{r, place}) {
				return
			}
		}
	}
}

// place is what all ranks with one binding share.
func (d *document) place(b *hw.Binding) *placeDoc {
	t := d.view.Snapshot.Topology
	resources := t.Resources()
	info := make(object, len(resources))
	for i, at := range t.Restricted(b) {
		info[i] = field{resources[i].URI, strconv.FormatBool(at >= 0)}
	}
	text, err := encode(info)
	if err != nil && d.err == nil {
		d.err = err
	}
	return &placeDoc{Host: &t.Hosts[b.Host].Name, CPUSet: orNull(b.CPUSet.String()), HWInfo: text}
}

// objectDoc is one hardware object without what is below it.
type objectDoc struct {
	Type         string `json:"type"`
	Subtype      string `json:"subtype"`
	LogicalIndex int    `json:"logical_index"`
	OSIndex      *int   `json:"os_index"`
	CPUSet       string `json:"cpuset"`
	NodeSet      string `json:"nodeset"`
}

// TopologyJSON writes the tree of hardware objects: type (our own levels above a host by their
// name), subtype, logical and os index (null where unknown), PUs and NUMA nodes in Linux list
// format, memory objects and children.
func TopologyJSON(w io.Writer, t *hw.Topology) error {
	j := newJSONStream(w)
	j.object(t.Root, 0)
	j.text("\n")
	return j.flush()
}

func (j *jsonStream) object(o *hw.Object, depth int) {
	subtype := o.Subtype
	if o.Type == hw.Level {
		subtype = ""
	}
	head, err := encode(objectDoc{
		Type: o.TypeName(), Subtype: subtype, LogicalIndex: o.LogicalIndex, OSIndex: numberOrNull(o.OSIndex),
		CPUSet: o.CPUSet.String(), NodeSet: o.NodeSet.String(),
	})
	if err != nil && j.err == nil {
		j.err = err
	}
	j.out.Write(airy(bytes.TrimSuffix(head, []byte("}"))))
	j.objects("memory", o.Memory, depth)
	j.objects("children", o.Children, depth)
	j.text("}")
}

// objects writes a field of an object: a list of objects with a line for each.
func (j *jsonStream) objects(name string, list []*hw.Object, depth int) {
	j.text(`, "` + name + `": [`)
	for i, o := range list {
		j.separate(i, strings.Repeat("  ", depth+1))
		j.object(o, depth+1)
	}
	j.text("]")
}

type bindingDoc struct {
	Rank   int    `json:"rank"`
	Host   string `json:"host,omitempty"`
	CPUSet string `json:"cpuset"`
}

// MapJSON writes the PUs of each rank; with several hosts also the host, because PUs are numbered
// on each.
func MapJSON(w io.Writer, v *View) error {
	s := v.Snapshot
	j := newJSONStream(w)
	j.lines("", func(yield func(any) bool) {
		for r, b := range s.Bindings {
			doc := bindingDoc{Rank: r, CPUSet: b.CPUSet.String()}
			if len(s.Topology.Hosts) > 1 {
				doc.Host = s.Topology.Hosts[b.Host].Name
			}
			if !yield(doc) {
				return
			}
		}
	})
	j.text("\n")
	return j.flush()
}
