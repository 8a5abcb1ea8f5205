package render

import (
	"io"

	"commsplit/engine"
)

// JSON writes the whole view as one document: the world, its ranks, all communicators, the
// variables, output, expectations, errors, deadlock and trace. Groups list world ranks in rank
// order; ids are those of the list of communicators. What is not there is null; "as" is left out when
// nobody asked for it. The document is written as a stream: it takes no more memory than its largest line.
func JSON(w io.Writer, v *View) error {
	d := document{newJSONWriter(w), v}
	d.raw("{\n  \"version\": 1")
	for _, section := range []struct {
		name  string
		write func()
	}{
		{"world", d.world}, {"ranks", d.ranks}, {"communicators", d.communicators},
		{"variables", d.variables}, {"output", d.output}, {"expectations", d.expectations},
		{"errors", d.errors}, {"deadlock", d.deadlock}, {"trace", d.trace}, {"leaks", d.leaks},
	} {
		if section.name == "leaks" && v.Leaks == nil {
			continue // nobody asked
		}
		d.raw(",\n  \"" + section.name + "\": ")
		section.write()
	}
	if v.As != nil {
		d.raw(",\n  \"as\": ")
		d.as()
	}
	d.raw("\n}\n")
	return d.flush()
}

// document is a JSON document under way.
type document struct {
	*jsonWriter
	view *View
}

func (d *document) world() {
	s := d.view.Snapshot
	d.raw(`{"size": `)
	d.int(s.Size)
	d.key("topology")
	if s.Topology == nil {
		d.raw("null")
	} else {
		d.string(s.Topology.Name)
	}
	d.key("map_by")
	d.string(orCore(d.view.Placement.MapBy))
	d.key("bind_to")
	if list := d.view.Placement.List; list != "" {
		d.string("user:" + list)
	} else if file := d.view.Placement.Rankfile; file != "" {
		d.string("rankfile:" + file)
	} else {
		d.string(orCore(d.view.Placement.BindTo))
	}
	d.key("std")
	d.string(s.Std.String())
	d.key("psets")
	d.raw("{")
	for i, p := range d.view.Psets {
		d.comma(i)
		d.string(p.Name)
		d.raw(": ")
		d.ints(listOf(p.Ranks))
	}
	d.raw("}}")
}

// orCore is what a placement word that was not given means.
func orCore(word string) string {
	if word == "" {
		return "core"
	}
	return word
}

func (d *document) communicators() {
	s := d.view.Snapshot
	names, freed := s.Names(), s.Freed()
	d.raw("[")
	n := 0
	put := func(c *engine.CommInfo) {
		d.item(n)
		d.communicator(c, names[c.ID], freed[c.ID])
		n++
	}
	for _, c := range s.Comms {
		put(c)
		if c.ID == 0 && d.mentionsSelf() {
			put(&engine.CommInfo{ID: selfID, Context: -1, Parent: -1})
		}
	}
	d.end(n, "]")
}

func (d *document) communicator(c *engine.CommInfo, name string, freed bool) {
	d.raw(`{"id": `)
	d.int(c.ID)
	d.key("context")
	d.intOrNull(c.Context)
	d.key("name")
	d.string(name)
	d.key("kind")
	if c.Remote != nil {
		d.string("inter")
	} else {
		d.string("intra")
	}
	d.key("op")
	d.call(c.Op)
	d.key("parent")
	d.intOrNull(c.Parent)
	d.key("group")
	d.ints(c.Group)
	d.key("remote_group")
	d.ints(c.Remote)
	d.key("resource")
	d.textOrNull(c.Resource)
	d.key("pset")
	d.textOrNull(c.Pset)
	d.key("freed")
	d.bool(freed)
	d.key("where")
	d.string(c.Where)
	d.raw("}")
}

// mentionsSelf reports whether a variable holds MPI_COMM_SELF or a step acts on it.
func (d *document) mentionsSelf() bool {
	for _, h := range d.view.Handles {
		for _, id := range h.IDs {
			if id == selfID {
				return true
			}
		}
		for _, list := range h.Lists {
			for _, id := range list {
				if id == selfID {
					return true
				}
			}
		}
	}
	for i := range d.view.Snapshot.Steps {
		if d.view.Snapshot.Steps[i].Comm == selfID {
			return true
		}
	}
	return false
}

func (d *document) variables() {
	d.raw("{")
	for i := range d.view.Handles {
		h := &d.view.Handles[i]
		d.item(i)
		d.string(h.Name)
		d.raw(": [")
		for r := range d.view.Snapshot.Size {
			d.comma(r)
			if list, ok := h.Lists[r]; ok {
				d.list(list)
			} else if r < len(h.IDs) {
				d.intOrNull(int(h.IDs[r]))
			} else {
				d.raw("null")
			}
		}
		d.raw("]")
	}
	d.end(len(d.view.Handles), "}")
}

// list writes ids, null for MPI_COMM_NULL.
func (d *document) list(ids []int32) {
	d.raw("[")
	for i, id := range ids {
		d.comma(i)
		d.intOrNull(int(id))
	}
	d.raw("]")
}
