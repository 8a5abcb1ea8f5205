package repl

import (
	"fmt"
	"io"

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
	"leaks":   render.Leaks,
}

// expandLists makes a handle of lists into one handle an element: name[0], name[1], ...
func expandLists(h render.Handle) []render.Handle {
	if len(h.Lists) == 0 {
		return []render.Handle{h}
	}
	longest := 0
	for _, list := range h.Lists {
		longest = max(longest, len(list))
	}
	out := make([]render.Handle, longest)
	for k := range out {
		out[k] = render.Handle{Name: fmt.Sprintf("%s[%d]", h.Name, k), IDs: make([]int32, len(h.IDs))}
		for r := range h.IDs {
			out[k].IDs[r] = -1
			if list := h.Lists[r]; k < len(list) {
				out[k].IDs[r] = list[k]
			}
		}
	}
	return out
}

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
