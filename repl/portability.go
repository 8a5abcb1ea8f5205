package repl

import (
	"fmt"
	"strings"

	"commsplit/engine"
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
