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
