package deviation

import (
	"cmp"
	"slices"
	"strings"

	"commsplit/engine"
	"commsplit/hw"
)

// request is what the processes of an MPI_Comm_split_type asked for, and what they got here.
type request struct {
	kind      engine.SplitType
	key       string // info key; "" when there is none
	value     string
	asked     []int32 // world ranks that want a communicator, in the order (key, rank in comm)
	undefined engine.Ranks
	here      map[int32][]int32 // by world rank: the group of its new communicator
}

// kinds are the split types by the names that the trace has.
var kinds = func() map[string]engine.SplitType {
	byName := map[string]engine.SplitType{}
	for t := engine.TypeShared; t <= engine.TypeResourceGuided; t++ {
		byName[t.String()] = t
	}
	return byName
}()

// newRequest reads a step. It is nil where there is no answer to hold a library's against: without
// hardware, on an intercommunicator, and when the processes contradict each other.
func newRequest(s *scene, st *engine.Step) *request {
	if s.Topology == nil || s.Bindings == nil || s.isInter(st.Comm) {
		return nil
	}
	q := &request{here: map[int32][]int32{}}
	keys := map[int32]string{}
	i := -1
	for r := range st.Ranks.All {
		i++
		kind, wants := kinds[text(st, "split_type", i)]
		if !wants {
			q.undefined.Append(int32(r))
			continue
		}
		key, value, _ := strings.Cut(text(st, "info", i), "=")
		if len(q.asked) == 0 {
			q.kind, q.key, q.value = kind, key, value
		}
		if kind != q.kind || key != q.key || value != q.value && key != engine.KeyPsetName {
			return nil
		}
		keys[int32(r)] = text(st, "key", i)
		q.asked = append(q.asked, int32(r))
	}
	q.sort(s, st)
	for _, id := range st.Made {
		group := s.Comm(id).Group
		for _, m := range group {
			q.here[m] = group
		}
	}
	return q
}

// sort puts the processes into the order of every communicator that comes of the split.
func (q *request) sort(s *scene, st *engine.Step) {
	key, old := map[int32]int32{}, map[int32]int{}
	if c := column(st, "key"); c != nil {
		i := 0
		for r := range st.Ranks.All {
			key[int32(r)] = c.Ints[i]
			i++
		}
	}
	if c := s.Comm(st.Comm); c != nil {
		for rank, m := range c.Group {
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

// machine finds where processes run in the objects of a topology, host by host.
type machine struct {
	topology *hw.Topology
	bindings []*hw.Binding
	objects  map[hw.Type][][]*hw.Object // by host, in logical order
}

func newMachine(s *engine.Snapshot) *machine {
	return &machine{s.Topology, s.Bindings, map[hw.Type][][]*hw.Object{}}
}

// on lists the objects of a type on one host. Nested Groups are of no one type: none.
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

// bound reports whether a rank may not use its whole host.
func (m *machine) bound(rank int32) bool {
	b := m.bindings[rank]
	return !b.CPUSet.Equal(m.topology.Hosts[b.Host].CPUSet)
}
