package deviation

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw"
)

// request has the arguments of all processes of an MPI_Comm_split_type, and the groups that the engine gave them.
type request struct {
	kind      engine.SplitType
	key       string // info key; "" when there is none
	value     string
	asked     []int32 // world ranks that want a communicator, ordered by key, then by rank in the old communicator
	undefined engine.Ranks
	here      map[int32][]int32 // by world rank: the group of its new communicator
}

// kinds maps the name that the trace has for a split type to the type.
var kinds = func() map[string]engine.SplitType {
	byName := map[string]engine.SplitType{}
	for t := engine.TypeShared; t <= engine.TypeResourceGuided; t++ {
		byName[t.String()] = t
	}
	return byName
}()

// newRequest reads a step of MPI_Comm_split_type. It returns nil where libraries cannot be compared: without hardware,
// on an intercommunicator, and when the processes contradict each other.
func newRequest(s *scene, st *engine.Step) *request {
	if s.Topology == nil || s.Bindings == nil || s.isInter(st.Comm) {
		return nil
	}
	q := &request{here: map[int32][]int32{}}
	keys, key := column(st, "key"), map[int32]int32{}
	i := -1
	for r := range st.Ranks.All {
		i++
		kind, wants := kinds[text(st, "split_type", i)]
		if !wants {
			q.undefined.Append(int32(r))
			continue
		}
		name, value, _ := strings.Cut(text(st, "info", i), "=")
		if len(q.asked) == 0 {
			q.kind, q.key, q.value = kind, name, value
		}
		if kind != q.kind || name != q.key || value != q.value && name != engine.KeyPsetName {
			return nil
		}
		if keys != nil {
			key[int32(r)] = keys.Ints[i]
		}
		q.asked = append(q.asked, int32(r))
	}
	q.sort(key, s.Comm(st.Comm))
	for _, id := range st.Made {
		group := s.Comm(id).Group
		for _, m := range group {
			q.here[m] = group
		}
	}
	return q
}

// sort orders the asking processes by key, then by rank in the old communicator, as every new communicator is ordered.
func (q *request) sort(key map[int32]int32, on *engine.CommInfo) {
	old := map[int32]int{}
	if on != nil {
		for rank, m := range on.Group {
			old[m] = rank
		}
	}
	slices.SortFunc(q.asked, func(a, b int32) int {
		return cmp.Or(cmp.Compare(key[a], key[b]), cmp.Compare(old[a], old[b]))
	})
}

// byInfo reports whether the split type takes a resource from the info object.
func (q *request) byInfo() bool {
	return q.kind == engine.TypeHWGuided || q.kind == engine.TypeResourceGuided
}

// guided reports whether the split is by the hardware resource that an info key names.
func (q *request) guided() bool { return q.byInfo() && q.key == engine.KeyHWResourceType }

// shared reports whether the split is by shared memory, in either spelling.
func (q *request) shared() bool {
	return q.kind == engine.TypeShared || q.guided() && q.value == engine.ValueSharedMemory
}

// machine finds the hardware objects that processes run in, host by host.
type machine struct {
	topology *hw.Topology
	bindings []*hw.Binding
	objects  map[hw.Type][][]*hw.Object // by host, in logical order
}

// on lists the objects of a type on a host; none for Groups when they are nested, which have no single level.
func (m *machine) on(t hw.Type, host int) []*hw.Object {
	if m.objects[t] == nil {
		list := make([][]*hw.Object, len(m.topology.Hosts))
		for _, o := range m.topology.Objects(t) {
			h := m.topology.HostIndex(o)
			if m.topology.GroupDepth(o) > 0 {
				list = make([][]*hw.Object, len(m.topology.Hosts))
				break
			}
			list[h] = append(list[h], o)
		}
		m.objects[t] = list
	}
	return m.objects[t][host]
}

// bound reports whether a rank is restricted to a part of its host.
func (m *machine) bound(rank int32) bool {
	b := m.bindings[rank]
	return !b.CPUSet.Equal(m.topology.Hosts[b.Host].CPUSet)
}

// reason tells why a library gives a process the communicator of a hardware split.
type reason uint8

const (
	likeText   reason = iota // no special reason
	unknown                  // the library does not know the name of the resource
	ownWord                  // the library knows the name, the engine does not
	nodeShare                // MPICH: all processes of the node share the resource
	bucket                   // MPICH: processes restricted to no single instance get a communicator together
	alone                    // Open MPI: a process that is not bound shares nothing below the node
	overlap                  // Open MPI: processes see different groups
	coarse                   // Open MPI: a level above the node counts as the node
	absent                   // Open MPI: the machine has no such level
	unresolved               // Open MPI: some processes go on with the next level, others do not
)

// answer has the groups that a library gives the processes of a hardware split.
type answer struct {
	groups [][]int32 // the communicators in rank order; with overlap, as some member sees each
	of     map[int32]int
	why    map[int32]reason
	value  string // the name that an unguided split sets in the info object
}

func newAnswer() *answer { return &answer{of: map[int32]int{}, why: map[int32]reason{}} }

// give gives the members a communicator together.
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

// group returns the group of the communicator that a process gets; nil for MPI_COMM_NULL.
func (a *answer) group(rank int32) []int32 {
	if i, ok := a.of[rank]; ok {
		return a.groups[i]
	}
	return nil
}

// differing lists, in ascending order, the processes that get another group from the library than from the engine; with
// reasons, only processes that have one of them.
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

// tell describes what the library gives some ranks: "[0,1] [3,4], ranks 2,5 MPI_COMM_NULL".
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

// finding returns a finding about the differing processes; nil when there are none.
func (a *answer) finding(q *request, why ...reason) []finding {
	ranks := a.differing(q, why...)
	if len(ranks) == 0 {
		return nil
	}
	return []finding{{engine.RanksOf(ranks...), a.tell(ranks) + instead(q, ranks)}}
}

// instead describes, in parentheses, the groups that the engine gave the ranks.
func instead(q *request, ranks []int32) string {
	here := newAnswer()
	for _, r := range ranks {
		if g := q.here[r]; g != nil && here.group(r) == nil {
			here.give(g, likeText)
		}
	}
	return " (here " + here.tell(ranks) + ")"
}

// sameness remembers which groups are equal, so that large groups that many processes hold are compared only once.
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
