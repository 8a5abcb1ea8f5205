package placement

import (
	"fmt"

	"commsplit/hw"
)

// AsRun reports whether a policy leaves ranks where they ran: on the hardware of a job, when it says nothing.
func AsRun(t *hw.Topology, p Policy) bool { return t != nil && t.Ranks != nil && p == Policy{} }

// followJob takes over the ranks of the job, or the first of them.
func (plan *Plan) followJob() error {
	switch most := len(plan.topology.Ranks); {
	case plan.size > most:
		return fmt.Errorf("-n %d: %s has %d ranks: leave out -n, or say where ranks run, as with --map-by core",
			plan.size, plan.topology.Name, most)
	case plan.size == 0:
		plan.size = most
	}
	plan.asRun = true
	return nil
}
