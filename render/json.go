package render

import (
	"io"
	"iter"

	"commsplit/engine"
	"commsplit/hw/placement"
)

// JSON writes the whole view as one document: the world, its ranks, all communicators, the
// variables, output, expectations, errors, deadlock and trace. Groups list world ranks in rank
// order; ids are those of the list of communicators. What is not there is null; "leaks" and "as" are
// left out when nobody asked for them. The document is written as a stream: it takes no more memory
// than its largest line.
func JSON(w io.Writer, v *View) error {
	d := document{newJSONStream(w), v}
	d.text("{\n  \"version\": 1")
	d.section("world", d.world())
	d.list("ranks", d.ranks())
	d.list("communicators", d.communicators())
	d.variables()
	d.list("output", d.output())
	d.section("expectations", d.expectations())
	d.list("errors", d.errors())
	d.section("deadlock", d.deadlock())
	d.list("trace", d.trace())
	d.list("unfinished", d.unfinished())
	if v.Leaks != nil {
		d.list("leaks", d.leaks())
	}
	if v.As != nil {
		d.section("as", d.as())
	}
	d.text("\n}\n")
	return d.flush()
}

// document is a JSON document under way.
type document struct {
	*jsonStream
	view *View
}

func (d *document) name(section string) { d.text(",\n  \"" + section + "\": ") }

func (d *document) section(name string, v any) {
	d.name(name)
	d.value(v)
}

func (d *document) list(name string, elements iter.Seq[any]) {
	d.name(name)
	d.lines("  ", elements)
}

func (d *document) world() worldDoc {
	s := d.view.Snapshot
	w := worldDoc{
		Size: s.Size, MapBy: orCore(d.view.Placement.MapBy), BindTo: orCore(d.view.Placement.BindTo),
		Std: s.Std.String(),
	}
	if s.Topology != nil {
		w.Topology = &s.Topology.Name
	}
	if list := d.view.Placement.List; list != "" {
		w.BindTo = "user:" + list
	} else if file := d.view.Placement.Rankfile; file != "" {
		w.BindTo = "rankfile:" + file
	} else if placement.AsRun(s.Topology, d.view.Placement) {
		w.MapBy, w.BindTo = "job", "job"
	}
	for _, p := range d.view.Psets {
		w.Psets = append(w.Psets, field{p.Name, orEmpty(listOf(p.Ranks))})
	}
	return w
}

// orCore is what a placement word that was not given means.
func orCore(word string) string {
	if word == "" {
		return "core"
	}
	return word
}

// orEmpty makes a list of no list, which would be null.
func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

func (d *document) communicators() iter.Seq[any] {
	s := d.view.Snapshot
	fates := s.Fates()
	names, freed := fates.Names, fates.Freed
	return func(yield func(any) bool) {
		for _, c := range s.Comms {
			if !yield(communicator(c, names[c.ID], freed[c.ID])) {
				return
			}
			if c.ID == 0 && d.mentionsSelf() {
				if !yield(communicator(self, names[engine.SelfID], freed[engine.SelfID])) {
					return
				}
			}
		}
	}
}

// self stands for every rank's own MPI_COMM_SELF: without a group and outside of the context ids.
var self = &engine.CommInfo{ID: engine.SelfID, Context: -1, Parent: -1}

func communicator(c *engine.CommInfo, name string, freed bool) communicatorDoc {
	kind := "intra"
	if c.Remote != nil {
		kind = "inter"
	}
	return communicatorDoc{
		ID: c.ID, Context: numberOrNull(c.Context), Name: name, Kind: kind, Op: callOrNull(c.Op),
		Parent: numberOrNull(c.Parent), Group: c.Group, RemoteGroup: c.Remote, Resource: orNull(c.Resource),
		Pset: orNull(c.Pset), Freed: freed, Where: c.Where,
	}
}

// mentionsSelf reports whether a variable holds MPI_COMM_SELF or a step acts on it.
func (d *document) mentionsSelf() bool {
	for _, h := range d.view.Handles {
		for _, id := range h.IDs {
			if id == engine.SelfID {
				return true
			}
		}
		for _, list := range h.Lists {
			for _, id := range list {
				if id == engine.SelfID {
					return true
				}
			}
		}
	}
	for i := range d.view.Snapshot.Steps {
		if d.view.Snapshot.Steps[i].Comm == engine.SelfID {
			return true
		}
	}
	return false
}

// variables writes a line for each variable: what each rank holds.
func (d *document) variables() {
	d.name("variables")
	d.text("{")
	for i := range d.view.Handles {
		h := &d.view.Handles[i]
		d.separate(i, "    ")
		d.value(h.Name)
		d.text(": ")
		d.value(d.held(h))
	}
	d.end(len(d.view.Handles), "  ", "}")
}

// held is what each rank holds in a variable: an id, a list of ids, or null.
func (d *document) held(h *Handle) []any {
	held := make([]any, d.view.Snapshot.Size)
	for r := range held {
		if list, ok := h.Lists[r]; ok {
			held[r] = idsOrNull(list)
		} else if r < len(h.IDs) {
			held[r] = numberOrNull(int(h.IDs[r]))
		}
	}
	return held
}

// idsOrNull are ids, null for MPI_COMM_NULL.
func idsOrNull(ids []int32) []*int {
	list := make([]*int, len(ids))
	for i, id := range ids {
		list[i] = numberOrNull(int(id))
	}
	return list
}
