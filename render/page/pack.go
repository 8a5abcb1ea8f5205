package page

import (
	"encoding/json"

	"commsplit/engine"
)

// packed is a list of whole numbers as progressions: the first number, the step and how many, three
// numbers for each.
type packed []int32

// pack writes a list as progressions, taking the longest from the left.
func pack[T ~int | ~int32](list []T) packed {
	p := packed{}
	for i := 0; i < len(list); {
		first, step, n := int32(list[i]), int32(0), 1
		for i+n < len(list) {
			d := int32(list[i+n]) - int32(list[i+n-1])
			if n > 1 && d != step {
				break
			}
			step, n = d, n+1
		}
		if n == 2 && step != 0 && i+2 < len(list) {
			step, n = 0, 1 // two numbers that only look like a progression
		}
		p = append(p, first, step, int32(n))
		i += n
	}
	return p
}

// packRanks writes a set of ranks.
func packRanks(set engine.Ranks) packed {
	p := packed{}
	for _, r := range set {
		step := int32(1)
		if r.Lo == r.Hi {
			step = 0
		}
		p = append(p, r.Lo, step, r.Hi-r.Lo+1)
	}
	return p
}

// interner numbers things that are written once: equal ones have one number.
type interner[T any] struct {
	list []T
	at   map[string]int
}

// of is the number of x, which key stands for.
func (t *interner[T]) of(key string, x T) int {
	if i, ok := t.at[key]; ok {
		return i
	}
	if t.at == nil {
		t.at = map[string]int{}
	}
	t.at[key] = len(t.list)
	t.list = append(t.list, x)
	return len(t.list) - 1
}

// written is the number of x, as which its JSON stands.
func (t *interner[T]) written(x T) int {
	key, err := json.Marshal(x)
	if err != nil {
		panic(err) // our own types of numbers
	}
	return t.of(string(key), x)
}
