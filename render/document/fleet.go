package document

import (
	"io"

	"codeberg.org/commsplit/commsplit/hw/compare"
)

// FleetMember is a machine that could not be read, with the reason.
type FleetMember struct {
	Machine string `json:"machine"`
	Why     string `json:"why"`
}

// fleetGroupDoc is machines that are equal.
type fleetGroupDoc struct {
	Machines    []string        `json:"machines"`
	Like        *string         `json:"like"`
	Differences []differenceDoc `json:"differences"`
}

type fleetDoc struct {
	Version    int             `json:"version"`
	Groups     []fleetGroupDoc `json:"groups"`
	Unreadable []FleetMember   `json:"unreadable"`
}

// Fleet writes which machines are equal, by their names, in what the others differ, and which could not be read.
func Fleet(w io.Writer, names []string, groups []compare.Group, unreadable []FleetMember) error {
	doc := fleetDoc{Version: 1, Groups: []fleetGroupDoc{}, Unreadable: orEmpty(unreadable)}
	for _, g := range groups {
		d := fleetGroupDoc{Machines: []string{}, Differences: differences(g.Differences)}
		for _, m := range g.Members {
			d.Machines = append(d.Machines, names[m])
		}
		if g.Like >= 0 {
			d.Like = &names[groups[g.Like].Members[0]]
		}
		doc.Groups = append(doc.Groups, d)
	}
	return Write(w, &doc)
}
