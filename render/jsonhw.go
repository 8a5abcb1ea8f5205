package render

import (
	"bufio"
	"bytes"
	"io"
	"strings"

	"commsplit/engine"
	"commsplit/hw"
)

// ranks writes where each rank runs and what MPI_Get_hw_resource_info tells it.
func (d *document) ranks() {
	s := d.view.Snapshot
	known := map[*hw.Binding][]byte{}
	d.raw("[")
	for r := range s.Size {
		d.item(r)
		d.raw(`{"rank": `)
		d.int(r)
		if s.Topology == nil || s.Bindings == nil {
			d.raw(`, "host": null, "cpuset": null, "hw_info": {}}`)
			continue
		}
		b := s.Bindings[r]
		text, ok := known[b]
		if !ok {
			text = placeJSON(s, b)
			known[b] = text
		}
		d.out.Write(text)
	}
	d.end(s.Size, "]")
}

// placeJSON is the part of a rank's line that all ranks with one binding share.
func placeJSON(s *engine.Snapshot, b *hw.Binding) []byte {
	var buf bytes.Buffer
	j := &jsonWriter{out: bufio.NewWriterSize(&buf, 512)}
	j.key("host")
	j.string(s.Topology.Hosts[b.Host].Name)
	j.key("cpuset")
	j.string(b.CPUSet.String())
	j.key("hw_info")
	j.raw("{")
	resources := s.Topology.Resources()
	for i, at := range s.Topology.Restricted(b) {
		j.comma(i)
		j.string(resources[i].URI)
		if at >= 0 {
			j.raw(`: "true"`)
		} else {
			j.raw(`: "false"`)
		}
	}
	j.raw("}}")
	if err := j.flush(); err != nil {
		panic(err) // a bytes.Buffer takes everything
	}
	return buf.Bytes()
}

// TopologyJSON writes the tree of hardware objects: type (our own levels above a host by their
// name), subtype, logical and os index (null where unknown), PUs and NUMA nodes in Linux list
// format, memory objects and children.
func TopologyJSON(w io.Writer, t *hw.Topology) error {
	j := newJSONWriter(w)
	j.object(t.Root, 0)
	j.raw("\n")
	return j.flush()
}

func (j *jsonWriter) object(o *hw.Object, depth int) {
	subtype := o.Subtype
	if o.Type == hw.Level {
		subtype = ""
	}
	j.raw(`{"type": `)
	j.string(o.TypeName())
	j.key("subtype")
	j.string(subtype)
	j.key("logical_index")
	j.int(o.LogicalIndex)
	j.key("os_index")
	j.intOrNull(o.OSIndex)
	j.key("cpuset")
	j.string(o.CPUSet.String())
	j.key("nodeset")
	j.string(o.NodeSet.String())
	j.key("memory")
	j.objects(o.Memory, depth)
	j.key("children")
	j.objects(o.Children, depth)
	j.raw("}")
}

func (j *jsonWriter) objects(list []*hw.Object, depth int) {
	j.raw("[")
	for i, o := range list {
		if i > 0 {
			j.raw(",")
		}
		j.raw("\n" + strings.Repeat("  ", depth+1))
		j.object(o, depth+1)
	}
	j.raw("]")
}

// MapJSON writes the PUs of each rank; with several hosts also the host, because PUs are numbered
// on each.
func MapJSON(w io.Writer, v *View) error {
	s := v.Snapshot
	j := newJSONWriter(w)
	j.raw("[")
	for r, b := range s.Bindings {
		if r > 0 {
			j.raw(",")
		}
		j.raw("\n  {\"rank\": ")
		j.int(r)
		if len(s.Topology.Hosts) > 1 {
			j.key("host")
			j.string(s.Topology.Hosts[b.Host].Name)
		}
		j.key("cpuset")
		j.string(b.CPUSet.String())
		j.raw("}")
	}
	if len(s.Bindings) > 0 {
		j.raw("\n")
	}
	j.raw("]\n")
	return j.flush()
}
