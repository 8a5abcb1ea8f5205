package repl

import (
	"fmt"
	"io"
	"slices"

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

// expandLists makes a handle of lists into one handle an element: name[0], name[1], ... What other ranks
// hold that have no list comes before.
func expandLists(h render.Handle) []render.Handle {
	if len(h.Lists) == 0 {
		return []render.Handle{h}
	}
	longest := 0
	for _, list := range h.Lists {
		longest = max(longest, len(list))
	}
	var out []render.Handle
	if slices.ContainsFunc(h.IDs, func(id int32) bool { return id != render.Unset }) {
		out = append(out, render.Handle{Name: h.Name, IDs: h.IDs})
	}
	for k := range longest {
		at := render.Handle{Name: fmt.Sprintf("%s[%d]", h.Name, k), IDs: make([]int32, len(h.IDs))}
		for r := range h.IDs {
			at.IDs[r] = render.Unset
			if list := h.Lists[r]; k < len(list) {
				at.IDs[r] = list[k]
			}
		}
		out = append(out, at)
	}
	return out
}
