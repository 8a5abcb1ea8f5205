package repl

import (
	"fmt"
	"slices"

	"commsplit/repl/program"
)

// autoName is the variable of a result that the line gives no name: split1, split2, ...
func (s *Session) autoName(v *Verb) string {
	for n := 1; ; n++ {
		if name := fmt.Sprintf("%s%d", v.Name, n); !s.names[name] {
			return name
		}
	}
}

// noteVariables learns which variables exist after a chunk.
func (s *Session) noteVariables() {
	for _, r := range s.ranks {
		if r == nil || len(r.Vars) == 0 {
			continue
		}
		for _, name := range sortedNew(r, s.names) {
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

func sortedNew(r *program.Rank, names map[string]bool) []string {
	var list []string
	for name := range r.Vars {
		if !names[name] {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return list
}
