package reason_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/engine/reason"
	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/placement"
	"codeberg.org/commsplit/commsplit/hw/preset"
	"codeberg.org/commsplit/commsplit/hw/synthetic"
)

func splitType(kind engine.SplitType, key, value string) func(p *engine.Process) (*engine.Comm, error) {
	return func(p *engine.Process) (*engine.Comm, error) {
		var info *engine.Info
		if key != "" {
			info = naming(key, value)
		}
		return p.World().SplitType(kind, 0, info)
	}
}

// §7.4.2, HW_GUIDED on Figure 7.3: P6 may use cores 6 and 7, so it is restricted to no core and gets
// MPI_COMM_NULL. It is restricted to NUMANode 1 (cores 4 to 7), with P4, P5 and P7.
func TestGuidedReasons(t *testing.T) {
	t.Parallel()
	s, held := holding(t, figure73(t), splitType(engine.TypeHWGuided, engine.KeyHWResourceType, "hwloc://Core"))
	const kind = "split type: MPI_COMM_TYPE_HW_GUIDED"
	check(t, reason.NewReader(s).Rank(held[6], 6), told{"6", -1, []string{kind, "info: mpi_hw_resource_type = hwloc://Core",
		"cpuset: 6-7", "touches: Core L#6-7 (P#6-7): 2 instances, so the rank is not restricted to one"},
		nil, "no other instance form a communicator; the others get MPI_COMM_NULL. [MPI-5.0 §7.4.2]"})

	s, held = holding(t, figure73(t), splitType(engine.TypeHWGuided, engine.KeyHWResourceType, "numanode"))
	check(t, reason.NewReader(s).Rank(held[6], 6), told{"6", 3, []string{kind, "info: mpi_hw_resource_type = numanode",
		`resource: hwloc://NUMANode: other MPIs may not know it by the name "numanode"`,
		"cpuset: 6-7", "instance: NUMANode L#1 (P#1), and no other NUMANode", "members: 4 of the 12 ranks"},
		[]reason.Seat{{0, 4, 4, true}, {0, 5, 5, true}, {0, 6, 6, true}, {0, 7, 7, true}}, "one instance of the resource"})
}

// On a node of Frontier a rank of an L3 is near one GPU, and a rank of a NUMA node is near two GPUs and a network
// card, as in the figure of the center's guide. Devices outside the instance are not told.
func TestDeviceReasons(t *testing.T) {
	t.Parallel()
	topo, _ := preset.Lookup("frontier")
	b, err := placement.Place(topo, 8, placement.Policy{MapBy: "l3cache", BindTo: "core"})
	if err != nil {
		t.Fatal(err)
	}
	for resource, want := range map[string][]string{
		"hwloc://L3Cache": {"cpuset: 16,80", "instance: L3Cache L#2, and no other L3Cache", "members: 1 of the 8 ranks",
			"devices: GPU rsmi2 is local to L3Cache L#2"},
		"hwloc://NUMANode": {"cpuset: 16,80", "instance: NUMANode L#1 (P#1), and no other NUMANode", "members: 2 of the 8 ranks",
			"devices: Network hsn1, GPU rsmi2 and GPU rsmi3 are local to NUMANode L#1 (P#1)"},
		"hwloc://Core": {"cpuset: 16,80", "instance: Core L#16 (P#16), and no other Core", "members: 1 of the 8 ranks"},
	} {
		s, held := holding(t, engine.Config{Topology: topo, Bindings: b}, splitType(engine.TypeHWGuided, engine.KeyHWResourceType, resource))
		e := reason.NewReader(s).Rank(held[2], 2)
		if diff := cmp.Diff(want, facts(e)[2:]); diff != "" {
			t.Errorf("%s: %s", resource, diff)
		}
	}
}

// §7.4.2: without the key, or with a value that is not recognized, all processes get MPI_COMM_NULL; a process set is
// valid only in a session.
func TestNothingNamedReasons(t *testing.T) {
	t.Parallel()
	guided := "split type: MPI_COMM_TYPE_HW_GUIDED"
	for _, tt := range []struct {
		kind       engine.SplitType
		key, value string
		want       told
	}{
		{engine.TypeHWGuided, "", "", told{"0-11", -1, []string{guided, "info: no key that names a resource was given"},
			nil, "Without an info key"}},
		{engine.TypeHWGuided, engine.KeyHWResourceType, "hwloc://NUMAnod", told{"0-11", -1, []string{guided,
			"info: mpi_hw_resource_type = hwloc://NUMAnod",
			`resource: no instance of "hwloc://NUMAnod" on this machine: did you mean hwloc://NUMANode?`},
			nil, "not recognized"}},
		{engine.TypeResourceGuided, engine.KeyPsetName, "app://ocean", told{"0-11", -1, []string{
			"split type: MPI_COMM_TYPE_RESOURCE_GUIDED", "info: mpi_pset_name = app://ocean",
			"set: valid nowhere: the communicator split does not derive from a session"}, nil, "derives from none"}},
		{engine.Undefined, "", "", told{"0-11", -1, []string{"split type: MPI_UNDEFINED"}, nil, "MPI_UNDEFINED gets"}},
	} {
		s, held := holding(t, figure73(t), splitType(tt.kind, tt.key, tt.value))
		checkAll(t, s, held, tt.want)
	}
}

// §7.4.2, HW_UNGUIDED, the second splitting of Figure 7.3: rack 1 (P8 to P11) has a single NUMANode, which is the
// whole rack, so the packages come next.
func TestUnguidedReasons(t *testing.T) {
	t.Parallel()
	s, held := holding(t, figure73(t), func(p *engine.Process) (*engine.Comm, error) {
		c, err := p.World().SplitType(engine.TypeHWUnguided, 0, nil)
		if err != nil {
			return nil, err
		}
		return c.SplitType(engine.TypeHWUnguided, 0, nil)
	})
	check(t, reason.NewReader(s).Rank(held[9], 9), told{"9", held[9].Comm, []string{
		"split type: MPI_COMM_TYPE_HW_UNGUIDED", "cpuset: 9", "instance: Package L#4 (P#4), and no other Package",
		"members: 2 of the 4 ranks",
		"hwloc://Machine: no: one instance has all 4 ranks",
		"commsplit://Rack: no: one instance has all 4 ranks",
		"hwloc://NUMANode: no: one instance has all 4 ranks",
		"hwloc://Package: taken: 2 instances, 2 ranks each",
	}, []reason.Seat{{0, 0, 8, true}, {0, 1, 9, true}}, "strict subset"})
}

// Of two NUMA nodes with the same CPUs only the node of ordinary memory counts; the explanation says so.
func TestDefaultNodeReasons(t *testing.T) {
	t.Parallel()
	root, _, err := synthetic.Parse("pack:2 [numa] [numa] core:2")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range root.Children {
		p.Memory[1].Subtype = "HBM"
	}
	topo := hw.New("hbm", root)
	b, err := placement.Place(topo, 4, placement.Policy{})
	if err != nil {
		t.Fatal(err)
	}
	s, held := holding(t, engine.Config{Topology: topo, Bindings: b},
		splitType(engine.TypeHWGuided, engine.KeyHWResourceType, "hwloc://NUMANode"))
	last := facts(reason.NewReader(s).Rank(held[0], 0))
	if got := last[len(last)-1]; got != "not counted: NUMANode L#1 (P#1): HBM is not ordinary memory, but the separate type commsplit://HBM" {
		t.Errorf("%q", got)
	}
}

// §7.4.2, RESOURCE_GUIDED: ranks 1 and 2 are in the process set, rank 0 is not. The communicator that is split
// descends from a group of a session, so the set may be valid there.
func TestPsetReasons(t *testing.T) {
	t.Parallel()
	all, three := []int32{0, 1, 2}, engine.AllRanks(3)
	kind, info := "MPI_COMM_TYPE_RESOURCE_GUIDED", "mpi_pset_name=app://ocean"
	made := &engine.CommInfo{ID: 3, Context: 2, Op: engine.CallSplitType, Parent: 2, Group: []int32{2, 1}, Step: 2}
	s := &engine.Snapshot{Size: 3, Comms: []*engine.CommInfo{{Parent: -1, Group: all},
		{ID: 2, Context: 1, Op: engine.CallCreateFromGroup, Parent: -1, Group: all, Step: 1}, made},
		Steps: []engine.Step{{Number: 1, Call: engine.CallCreateFromGroup, Comm: -1, Ranks: three, Made: []int{2}},
			{Number: 2, Call: engine.CallSplitType, Comm: 2, Ranks: three, Made: []int{3}, Args: []engine.Column{
				{Name: "split_type", Texts: []string{kind, kind, kind}}, {Name: "key", Ints: []int32{0, 1, 0}},
				{Name: "info", Texts: []string{info, info, info}}}}}}
	asked := []string{"split type: " + kind, "info: mpi_pset_name = app://ocean"}
	check(t, reason.NewReader(s).Rank(reason.Held{Comm: 3}, 1), told{"1", 3, append(asked[:2:2], "set: 2 of the 3 ranks are in app://ocean"),
		[]reason.Seat{{0, 2, 2, false}, {1, 1, 1, false}}, "process set"})
	null := reason.Held{Comm: -1, Origin: &engine.Origin{Step: 2}}
	check(t, reason.NewReader(s).Rank(null, 0), told{"0", -1, append(asked[:2:2], "set: this process is not in app://ocean"), nil, "process set"})

	ph, err := reason.Of(s, 2)
	if err != nil || len(ph.Buckets) != 2 || ph.Buckets[0].Name != "app://ocean" || ph.Buckets[0].Sides[0].Seats[0].World != 2 {
		t.Errorf("%v %+v", err, ph)
	}
	if a := ph.Replies[1]; a != (reason.Answer{World: 1, Comm: 3, Rank: 1, Size: 2}) {
		t.Errorf("%+v", a)
	}
}
