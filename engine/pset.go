package engine

import (
	"fmt"
	"slices"
	"strings"
)

// MaxPsetName is MPI_MAX_PSET_NAME_LEN: how long the name of a process set may be, in characters
// (§11.3.3; at least 63).
const MaxPsetName = 255

// Pset is a process set (§11.3.2): a name in URI format, such as "app://ocean", and its processes
// as world ranks.
type Pset struct {
	Name  string
	Ranks Ranks
}

// The process sets that always exist.
const (
	psetWorld = "mpi://WORLD"
	psetSelf  = "mpi://SELF"
)

// pset is a process set as the world keeps it. mpi://SELF has no ranks of its own: it names another
// set in every process, that process alone. (§11.3.3: two sets of one name are equal or disjoint.)
type pset struct {
	Pset
	group *Group
}

func (s *pset) isSelf() bool { return s.Name == psetSelf }

// makePsets takes in the process sets of a configuration, after the two mandatory ones.
func (w *World) makePsets(list []Pset) error {
	if err := CheckPsets(list, w.size); err != nil {
		return fmt.Errorf("process set %w", err)
	}
	w.psets = []pset{{Pset{psetWorld, AllRanks(w.size)}, w.world.group}, {Pset{psetSelf, nil}, nil}}
	for _, s := range list {
		members := make([]int32, 0, s.Ranks.Len())
		for r := range s.Ranks.All {
			members = append(members, int32(r))
		}
		w.psets = append(w.psets, pset{s, &Group{members: members}})
	}
	return nil
}

// CheckPsets reports what is wrong with process sets for a world of size ranks: names that are
// reserved, used twice, empty or too long, and sets without processes or with some that do not exist.
// The error begins with the name.
func CheckPsets(list []Pset, size int) error {
	seen := map[string]bool{}
	for _, s := range list {
		text := ""
		switch {
		case s.Name == "" || len(s.Name) > MaxPsetName:
			text = fmt.Sprintf("a name has 1 to %d characters", MaxPsetName)
		case reserved(s.Name):
			text = "names that start with mpi:// are reserved for the standard"
		case seen[s.Name]:
			text = "it is defined twice"
		case len(s.Ranks) == 0:
			text = "a process set has at least one process"
		case s.Ranks[0].Lo < 0 || int(s.Ranks[len(s.Ranks)-1].Hi) >= size:
			text = fmt.Sprintf("ranks %s: the world has ranks 0-%d", s.Ranks, size-1)
		}
		if text != "" {
			return fmt.Errorf("%q: %s", s.Name, text)
		}
		seen[s.Name] = true
	}
	return nil
}

// Psets lists the process sets of the world, mpi://WORLD first. mpi://SELF, which is another set in
// every process, is left out.
func (w *World) Psets() []Pset {
	var list []Pset
	for i := range w.psets {
		if s := &w.psets[i]; !s.isSelf() {
			list = append(list, s.Pset)
		}
	}
	return list
}

// reserved reports whether a name is in the standard's own name space. Its case does not matter
// there, as in MPICH and Open MPI.
func reserved(name string) bool {
	const scheme = "mpi://"
	return len(name) >= len(scheme) && strings.EqualFold(name[:len(scheme)], scheme)
}

// findPset is the index of a process set by name, or -1. Names are exact, but for the standard's.
func (w *World) findPset(name string) int {
	return slices.IndexFunc(w.psets, func(s pset) bool {
		return s.Name == name || reserved(name) && strings.EqualFold(s.Name, name)
	})
}

// has reports whether a process that sees the set under its name is a member: everybody is of
// mpi://SELF.
func (s *pset) has(world int32) bool { return s.isSelf() || s.Ranks.Has(int(world)) }

// groupFor is the group of the set as process p sees it.
func (s *pset) groupFor(p *Process) *Group {
	if s.isSelf() {
		return p.Self().core.group
	}
	return s.group
}
