package document

import (
	"io"

	"codeberg.org/commsplit/commsplit/hw/compare"
)

// differenceDoc is a difference between two machines.
type differenceDoc struct {
	Hosts    []string `json:"hosts"`
	Type     string   `json:"type"`
	Objects  *string  `json:"objects"`
	Property *string  `json:"property"`
	A        string   `json:"a"`
	B        string   `json:"b"`
	OnlyA    *string  `json:"only_a"`
	OnlyB    *string  `json:"only_b"`
	Why      *string  `json:"why"`
}

// comparisonDoc is the comparison of two machines.
type comparisonDoc struct {
	Version     int             `json:"version"`
	A           string          `json:"a"`
	B           string          `json:"b"`
	Differences []differenceDoc `json:"differences"`
}

// Differences writes in which ways two machines differ, with what their descriptions are called.
func Differences(w io.Writer, a, b string, list []compare.Difference) error {
	return Write(w, &comparisonDoc{1, a, b, differences(list)})
}

// differences makes the documents of differences. The text of a reason names the side on which the reason holds.
func differences(list []compare.Difference) []differenceDoc {
	docs := []differenceDoc{}
	for _, d := range list {
		docs = append(docs, differenceDoc{orEmpty(d.Hosts), d.Type, OrNull(d.Objects), OrNull(d.Property), d.A, d.B,
			OrNull(d.OnlyA), OrNull(d.OnlyB), OrNull(d.Reason("a", "b"))})
	}
	return docs
}

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
