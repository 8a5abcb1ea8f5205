package repl

import (
	"fmt"
	"slices"
)

// autoName is the variable of a result that the line gives no name: split1, split2, ... Names are never
// given up, so the search goes on where it ended last.
func (s *Session) autoName(v *Verb) string {
	for n := s.numbers[v.Name] + 1; ; n++ {
		if name := fmt.Sprintf("%s%d", v.Name, n); !s.names[name] {
			s.numbers[v.Name] = n - 1 // a line that fails leaves its name to the next one
			return name
		}
	}
}

// noteVariables learns which variables exist after a chunk.
func (s *Session) noteVariables() {
	for _, r := range s.ranks {
		if r == nil {
			continue
		}
		fresh := r.TakeFresh()
		slices.Sort(fresh)
		for _, name := range fresh {
			s.noteName(name)
		}
	}
}

func (s *Session) noteName(name string) {
	if !s.names[name] {
		s.names[name] = true
		s.order = append(s.order, name)
	}
}
