package deviation

import (
	"fmt"
	"slices"

	"commsplit/engine"
)

// reason is why a library gives a process of a hardware split what it gives.
type reason uint8

const (
	likeText   reason = iota // nothing special
	unknown                  // the library does not know the name of the resource
	ownWord                  // only the library knows the name
	nodeShare                // MPICH: all processes of the node share the resource
	bucket                   // MPICH: processes of no single instance, put together
	alone                    // Open MPI: not bound, so that it shares nothing below the node
	overlap                  // Open MPI: processes see different groups
	coarse                   // Open MPI: a level above the node is the node
	absent                   // Open MPI: the machine has no such level
	unresolved               // Open MPI: some processes go on with the next level, others not
)

// answer is what a library gives the processes of a hardware split.
type answer struct {
	groups [][]int32 // the communicators in rank order; with overlap, as their members see them
	of     map[int32]int
	why    map[int32]reason
	value  string // what an unguided split puts into the info object
}

func newAnswer() *answer { return &answer{of: map[int32]int{}, why: map[int32]reason{}} }

// give makes members one communicator.
func (a *answer) give(members []int32, why reason) {
	for _, m := range members {
		a.of[m], a.why[m] = len(a.groups), why
	}
	a.groups = append(a.groups, members)
}

// null gives members MPI_COMM_NULL.
func (a *answer) null(members []int32, why reason) {
	for _, m := range members {
		a.why[m] = why
	}
}

// group is what a process gets: nil for MPI_COMM_NULL.
func (a *answer) group(rank int32) []int32 {
	if i, ok := a.of[rank]; ok {
		return a.groups[i]
	}
	return nil
}

// differing lists, in ascending order, the processes that the library serves otherwise than they
// were here, for one of the reasons given or for any.
func (a *answer) differing(q *request, why ...reason) []int32 {
	same := sameness{}
	var list []int32
	for _, r := range q.asked {
		there, here := a.group(r), q.here[r]
		if (len(why) == 0 || slices.Contains(why, a.why[r])) && !same.equal(there, here) {
			list = append(list, r)
		}
	}
	slices.Sort(list)
	return list
}

// tell is what the library gives some ranks: "[0,1] [3,4], ranks 2,5 MPI_COMM_NULL".
func (a *answer) tell(ranks []int32) string {
	var groups [][]int32
	var null []int32
	seen := map[int]bool{}
	for _, r := range ranks {
		i, ok := a.of[r]
		switch {
		case !ok:
			null = append(null, r)
		case !seen[i]:
			seen[i] = true
			groups = append(groups, a.groups[i])
		}
	}
	switch {
	case len(groups) == 0:
		return "MPI_COMM_NULL"
	case len(null) == 0:
		return partsText(groups)
	}
	return fmt.Sprintf("%s, %s MPI_COMM_NULL", partsText(groups), engine.RanksOf(null...).Noun())
}

// finding tells the difference for some reasons, or for any; none when there is none.
func (a *answer) finding(q *request, why ...reason) []finding {
	ranks := a.differing(q, why...)
	if len(ranks) == 0 {
		return nil
	}
	return []finding{{engine.RanksOf(ranks...), a.tell(ranks) + instead(q, ranks)}}
}

// instead reminds of what the ranks have here.
func instead(q *request, ranks []int32) string {
	here := newAnswer()
	for _, r := range ranks {
		if g := q.here[r]; g != nil && here.group(r) == nil {
			here.give(g, likeText)
		}
	}
	return " (here " + here.tell(ranks) + ")"
}

// sameness remembers which groups are equal, so that large ones that many processes hold are
// compared once.
type sameness map[[2]*int32]bool

func (s sameness) equal(a, b []int32) bool {
	if len(a) == 0 || len(a) != len(b) || &a[0] == &b[0] {
		return len(a) == len(b)
	}
	k := [2]*int32{&a[0], &b[0]}
	equal, known := s[k]
	if !known {
		equal = slices.Equal(a, b)
		s[k] = equal
	}
	return equal
}

// byKey cuts a list into the lists of what has the same key, in order of the first of each.
func byKey[K comparable](list []int32, key func(int32) K) [][]int32 {
	at := map[K]int{}
	var parts [][]int32
	for _, r := range list {
		k := key(r)
		i, ok := at[k]
		if !ok {
			i = len(parts)
			at[k] = i
			parts = append(parts, nil)
		}
		parts[i] = append(parts[i], r)
	}
	return parts
}
