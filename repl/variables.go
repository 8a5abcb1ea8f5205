package repl

import (
	"fmt"
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

// mention gives variables their place in the order: a text is about to set them.
func (s *Session) mention(names ...string) {
	for _, name := range names {
		if _, ok := s.past.place[name]; !ok {
			s.past.place[name] = len(s.order)
			s.order = append(s.order, name)
		}
	}
}

// noteVariables learns which variables exist after a chunk, and what they hold.
func (s *Session) noteVariables() {
	for _, r := range s.ranks {
		if r == nil {
			continue
		}
		for _, name := range r.TakeFresh() {
			s.names[name] = true
		}
	}
	s.notePast()
}
