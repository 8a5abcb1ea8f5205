package document

import (
	"io"

	"codeberg.org/commsplit/commsplit/hw/compare"
)

// differenceDoc is one way in which two machines differ.
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

// comparisonDoc is two machines, compared.
type comparisonDoc struct {
	Version     int             `json:"version"`
	A           string          `json:"a"`
	B           string          `json:"b"`
	Differences []differenceDoc `json:"differences"`
}

// Differences writes in which ways two machines differ, with what their descriptions are called.
func Differences(w io.Writer, a, b string, list []compare.Difference) error {
	return indentedJSON(w, &comparisonDoc{1, a, b, differences(list)})
}

// differences are documents: the side on which a reason holds stands in its text.
func differences(list []compare.Difference) []differenceDoc {
	docs := []differenceDoc{}
	for _, d := range list {
		docs = append(docs, differenceDoc{orEmpty(d.Hosts), d.Type, orNull(d.Objects), orNull(d.Property), d.A, d.B,
			orNull(d.OnlyA), orNull(d.OnlyB), orNull(d.Reason("a", "b"))})
	}
	return docs
}
