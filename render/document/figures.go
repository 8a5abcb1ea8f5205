package document

import "codeberg.org/commsplit/commsplit/hw"

// figureOfDoc is the subject of a figure: an object by its type and logical index, a device by its type and name.
type figureOfDoc struct {
	Type         string  `json:"type"`
	LogicalIndex *int    `json:"logical_index"`
	Name         *string `json:"name"`
}

// matrixDoc is a figure for each pair of some objects.
type matrixDoc struct {
	Name    *string       `json:"name"`
	Kind    uint64        `json:"kind"`
	Objects []figureOfDoc `json:"objects"`
	Values  [][]uint64    `json:"values"`
}

// memAttrDoc is a figure of memories.
type memAttrDoc struct {
	Name   string        `json:"name"`
	Flags  uint64        `json:"flags"`
	Values []memValueDoc `json:"values"`
}

type memValueDoc struct {
	Target figureOfDoc  `json:"target"`
	From   *figureOfDoc `json:"from"`
	PUs    *string      `json:"pus"`
	Value  uint64       `json:"value"`
}

func endOf(e hw.End) figureOfDoc {
	if e.Object == nil {
		return figureOfDoc{Type: e.Device.Type, Name: OrNull(e.Device.Name)}
	}
	return figureOfDoc{Type: e.Object.TypeName(), LogicalIndex: &e.Object.LogicalIndex, Name: OrNull(e.Object.Name)}
}

func matrixOf(m *hw.Matrix) matrixDoc {
	d := matrixDoc{Name: OrNull(m.Name), Kind: m.Kind}
	n := len(m.Ends)
	for i, e := range m.Ends {
		d.Objects = append(d.Objects, endOf(e))
		d.Values = append(d.Values, m.Values[i*n:(i+1)*n])
	}
	return d
}

func memAttrOf(a *hw.MemAttr) memAttrDoc {
	d := memAttrDoc{Name: a.Name, Flags: a.Flags, Values: []memValueDoc{}}
	for _, v := range a.Values {
		doc := memValueDoc{Target: endOf(v.Target), PUs: OrNull(v.PUs.String()), Value: v.Value}
		if v.From != nil {
			from := endOf(*v.From)
			doc.From = &from
		}
		d.Values = append(d.Values, doc)
	}
	return d
}
