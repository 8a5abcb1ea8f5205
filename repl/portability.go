package repl

import (
	"fmt"
	"strings"

	"commsplit/engine"
	"commsplit/engine/reason"
)

// notePortability says of each resource type that the steps after from name by a spelling of some
// library what its portable name is.
func (c *Console) notePortability(from int) {
	now := c.Session.world.Snapshot()
	said := map[string]bool{}
	for _, step := range now.Steps[from:] {
		if step.Call != engine.CallSplitType {
			continue
		}
		for _, column := range step.Args {
			for _, text := range column.Texts {
				name, ok := strings.CutPrefix(text, engine.KeyHWResourceType+"=")
				if !ok || said[name] {
					continue
				}
				said[name] = true
				if r, canonical := now.Topology.Lookup(name); r != nil && !canonical {
					fmt.Fprintf(c.Err, "note: %q is no portable name; MPI-5.0 recommends the form %s\n", name, r.URI)
				}
			}
		}
	}
}

// noteAbsent says of each split after step from that named a resource of which the machine has no
// instance why everybody got MPI_COMM_NULL.
func (c *Console) noteAbsent(from int) {
	s := c.Session.world.Snapshot()
	said := ""
	for k := from + 1; k <= len(s.Steps); k++ {
		if why := reason.Absent(s, k); why != "" && why != said {
			fmt.Fprintf(c.Err, "note: MPI_COMM_NULL for every rank: %s\n", why)
			said = why
		}
	}
}
