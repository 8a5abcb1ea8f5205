package render

import (
	"slices"

	"commsplit/engine"
)

// contextOf is the context id, "1", or those of the two groups of an intercommunicator, "1+2".
func contextOf(c *engine.CommInfo) string {
	if c.Remote == nil {
		return itoa(c.Context)
	}
	return itoa(c.Context) + "+" + itoa(c.Context2)
}

// contextWidth is how many columns context ids take where space is short.
const contextWidth = 20

// contexts is the context ids: "ctx 1", "ctx 2-5", as far as they fit into width.
func contexts(comms []*engine.CommInfo, width int) string {
	if len(comms) == 1 {
		return "ctx " + contextOf(comms[0])
	}
	var list []int32
	for _, c := range comms {
		list = append(list, int32(c.Context))
	}
	slices.Sort(list)
	return "ctx " + rankList(slices.Compact(list), width-len("ctx "))
}
