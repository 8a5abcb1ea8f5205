package account

import (
	"math/bits"
	"slices"
)

// Limit is one known way in which a witness falls short.
type Limit struct {
	Words string // a sentence's part with the witness as its subject: "merges cores with ..."
	Kinds []Kind // the kinds on which it can tell
}

// On is the set of limits that a prediction assumes.
type On map[*Limit]bool

// Model predicts what a witness says of a machine.
type Model struct {
	Limits  []*Limit
	Predict func(k Kind, on On) []Thing
}

// maxLimits bounds the limits of one kind: all their combinations may be tried.
const maxLimits = 10

// Explain finds the fewest limits with which the model gives exactly what was said, the
// empty list when it does without any. When none do, ok is false. Of several ways the
// first in the order of the limits is taken.
func (m Model) Explain(k Kind, said []Thing) (needed []*Limit, ok bool) {
	var list []*Limit
	for _, l := range m.Limits {
		if slices.Contains(l.Kinds, k) {
			list = append(list, l)
		}
	}
	if len(list) > maxLimits {
		panic("account: too many limits for one kind")
	}
	for size := range len(list) + 1 {
		for choice := range uint(1) << len(list) {
			if bits.OnesCount(choice) != size {
				continue
			}
			on, chosen := choose(list, choice)
			if Same(m.Predict(k, on), said) {
				return chosen, true
			}
		}
	}
	return nil, false
}

func choose(list []*Limit, choice uint) (On, []*Limit) {
	on := On{}
	var chosen []*Limit
	for i, l := range list {
		if choice>>i&1 != 0 {
			on[l] = true
			chosen = append(chosen, l)
		}
	}
	return on, chosen
}
