package repl

import (
	"io"
	"iter"
	"maps"

	"commsplit/engine"
	"commsplit/render"
)

// pictures are what .show draws, apart from partitions.
var pictures = map[string]func(io.Writer, *render.View, render.Style) error{
	"tree":    render.Tree,
	"table":   render.Table,
	"lineage": render.Lineage,
	"trace":   render.Trace,
	"map":     render.Map,
	"hw":      render.HWInfo,
}

func mapKeys[V any](m map[string]V) iter.Seq[string] { return maps.Keys(m) }

// handlesAt is what variables could hold at an earlier step: communicators made later are not there
// yet.
func handlesAt(list []render.Handle, s *engine.Snapshot) []render.Handle {
	out := make([]render.Handle, 0, len(list))
	for _, h := range list {
		past := render.Handle{Name: h.Name, IDs: make([]int32, len(h.IDs))}
		some := false
		for i, id := range h.IDs {
			if id >= 0 && s.Comm(int(id)) != nil {
				some = true
			} else {
				id = -1
			}
			past.IDs[i] = id
		}
		if some {
			out = append(out, past)
		}
	}
	return out
}
