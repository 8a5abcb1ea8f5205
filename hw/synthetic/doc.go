// Package synthetic reads hwloc's synthetic descriptions of hardware, such as
// "pack:2 numa:2 l3:2 core:4 pu:2": from the machine inwards, how many objects
// of a type each object of the level before holds. It knows all of hwloc's
// grammar: types and their abbreviations, bare counts, attached memory
// "[numa(memory=4GB)]", sizes, os indexes in three forms, merging.
//
// Two things are ours. Leading levels up to machine:N describe several hosts
// ("rack:2 machine:4 pack:2 core:8 pu:1"), and after core:N a missing pu level
// means one PU per core. Where hwloc warns about indexes and ignores them,
// Parse refuses. Format goes the other way, as lstopo does; trees that are not
// symmetric cannot be written as a string.
//
// A text becomes a description (levels with counts), the levels get types and
// are checked, one machine is built from them and copied for every host.
package synthetic

import (
	"fmt"

	"commsplit/hw"
)

// MaxPUs is the largest number of PUs, over all hosts, that a description may
// ask for.
const MaxPUs = 1 << 22

// Error says what is wrong with a description, and where.
type Error struct {
	Text    string // the whole description
	Offset  int    // in bytes, of the place in Text that Message is about
	Message string
}

func (e *Error) Error() string {
	rest := e.Text[e.Offset:]
	if rest == "" {
		return e.Message + " at the end of the description"
	}
	if len(rest) > 40 {
		rest = rest[:40] + "..."
	}
	return fmt.Sprintf("%s at %q", e.Message, rest)
}

// Parse builds the tree that text describes: a Machine, or a Level above
// several. Several hosts without a single level above them get a Level
// "Cluster". Errors are of type *Error.
func Parse(text string) (*hw.Object, error) {
	d, err := read(text)
	if err == nil {
		err = d.complete()
	}
	if err != nil {
		return nil, err
	}
	machine, err := d.machine()
	if err != nil {
		return nil, err
	}
	return d.hosts(machine), nil
}
