package engine_test

import (
	"reflect"
	"runtime"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw"
)

// places lists the PUs of each rank after a step.
func places(s *engine.Snapshot, step int) []string {
	var list []string
	for _, b := range s.At(step).Bindings {
		list = append(list, b.CPUSet.String())
	}
	return list
}

// §9.1.2: "Subsequent calls to MPI_GET_HW_RESOURCE_INFO may return different information [...] because
// an MPI process can be relocated". Later queries and splits use the new PUs; snapshots of steps
// before the move keep the old PUs.
func TestBind(t *testing.T) {
	t.Parallel()
	cfg := twoPackages()
	cfg.Trace = true
	w, err := engine.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	told := make([]string, 6)
	packages := func(p *engine.Process, line int32) error {
		_, err := at(p, line).World().SplitType(engine.TypeHWGuided, 0, naming(engine.KeyHWResourceType, "hwloc://Package"))
		return err
	}
	w.Submit(engine.AllRanks(6), func(p *engine.Process) error {
		if err := packages(p, 1); err != nil {
			return err
		}
		if p.Rank() == 1 || p.Rank() == 5 {
			if err := at(p, 2).Bind(hw.SetOf(2, 3)); err != nil {
				return err
			}
		}
		told[p.Rank()], _, _ = at(p, 4).HWResourceInfo().Get("hwloc://Package")
		return packages(p, 3)
	})
	if st := w.Wait(); st.Failure != nil {
		t.Fatal(st.Failure)
	}
	s := w.Snapshot()
	var groups [][]int32
	for _, c := range s.Comms[1:] {
		groups = append(groups, c.Group)
	}
	if diff := cmp.Diff([][]int32{{0, 1}, {2, 3, 4}, {0}, {1, 2, 3, 4, 5}}, groups); diff != "" {
		t.Errorf("before and after (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"true", "true", "true", "true", "true", "true"}, told); diff != "" {
		t.Errorf("restricted to a package (-want +got):\n%s", diff)
	}
	before := []string{"0", "1", "2", "3", "2-3", "0,3"}
	after := []string{"0", "2-3", "2", "3", "2-3", "2-3"}
	for step, want := range [][]string{before, before, before, after, after, after} {
		if diff := cmp.Diff(want, places(s, step)); diff != "" {
			t.Errorf("PUs after step %d (-want +got):\n%s", step, diff)
		}
	}
	// Ranks 0 and 2 to 4 query at once, the others after their moves.
	if first, second := s.Steps[1], s.Steps[3]; first.Ranks.String() != "0,2-4" || second.Ranks.String() != "1,5" {
		t.Errorf("who asks: %s, then %s", first.Ranks, second.Ranks)
	}
	move := s.Steps[2]
	if move.Call != engine.CallBind || move.Ranks.String() != "1,5" || !cmp.Equal(move.Args[0].Texts, []string{"2-3", "2-3"}) {
		t.Errorf("step 3: %+v", move)
	}
	if cfg.Bindings[1].CPUSet.String() != "1" || s.Rebound(3).String() != "" || s.Rebound(2).String() != "1,5" {
		t.Errorf("the configuration has rank 1 on %s; moved since step 3: %s", cfg.Bindings[1].CPUSet, s.Rebound(3))
	}
}

// The trace keeps the order of each process' own moves, also where other processes make moves at the
// same lines in another order: the last move counts.
func TestBindInAnyOrder(t *testing.T) {
	t.Parallel()
	s := tracing(t, 3, func(p *engine.Process) error {
		pus := []int{1, 2}
		if p.Rank() == 1 {
			pus = []int{2, 1}
		}
		for _, pu := range pus {
			if err := at(p, int32(pu)).Bind(hw.SetOf(pu)); err != nil {
				return err
			}
		}
		return nil
	})
	if diff := cmp.Diff([]string{"2", "1", "2"}, places(s, len(s.Steps))); diff != "" {
		t.Errorf("in the end (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"2", "2", "2"}, places(s, 2)); diff != "" {
		t.Errorf("after two steps (-want +got):\n%s", diff)
	}
	if len(s.Steps) != 3 {
		t.Errorf("%d steps", len(s.Steps))
	}
}

// Bind refuses PUs that the host does not have, and an empty set, and changes nothing.
func TestBindRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		set  hw.Set
		want string
	}{
		{hw.SetOf(3, 4), `"3-4": node0 has no PU 4; it has 0-3`},
		{hw.Set{}, "a process must run somewhere: the set of PUs is empty"},
	} {
		got := perRank(t, twoPackages(), func(p *engine.Process) (string, error) {
			err := p.Bind(c.set)
			if err == nil || p.HardwareIndex("core") != []int{0, 1, 2, 3, null, null}[p.Rank()] {
				t.Errorf("rank %d is bound to %s", p.Rank(), c.set)
				return "", nil
			}
			return err.Error(), nil
		})
		if got[0] != c.want {
			t.Errorf("%q, want %q", got[0], c.want)
		}
	}
}

// The order of moves in the trace, and the results of splits, do not depend on the interleaving of the
// goroutines.
func TestBindIsDeterministic(t *testing.T) {
	const n = 130
	before := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(before)
	run := func() (steps []engine.Step, where [][]string) {
		s := tracing(t, n, func(p *engine.Process) error {
			for i := range p.Rank() % 4 {
				if err := at(p, int32(1+(p.Rank()+i)%3)).Bind(hw.SetOf((p.Rank() * i) % n)); err != nil {
					return err
				}
				at(p, 4).HWResourceInfo()
			}
			_, err := p.World().SplitType(engine.TypeHWUnguided, 0, nil)
			return err
		})
		for step := range len(s.Steps) + 1 {
			where = append(where, places(s, step))
		}
		return s.Steps, where
	}
	steps, where := run()
	for _, procs := range []int{1, 2, 8} {
		runtime.GOMAXPROCS(procs)
		for range 10 {
			again, there := run()
			if !reflect.DeepEqual(steps, again) || !reflect.DeepEqual(where, there) {
				t.Fatalf("GOMAXPROCS %d (-first +this):\n%s", procs, cmp.Diff(where, there))
			}
		}
	}
}

// machine makes a host with PUs 0 to n-1 and the parts as its children.
func machine(n int, parts ...*hw.Object) *hw.Object {
	return &hw.Object{Type: hw.Machine, CPUSet: hw.SetRange(0, n-1), Children: parts}
}

// part makes an object over PUs lo to hi.
func part(typ hw.Type, index, lo, hi int, parts ...*hw.Object) *hw.Object {
	return &hw.Object{Type: typ, OSIndex: index, CPUSet: hw.SetRange(lo, hi), Children: parts}
}

// cores makes a core for each of PUs lo to hi.
func cores(lo, hi int) []*hw.Object {
	var list []*hw.Object
	for pu := lo; pu <= hi; pu++ {
		list = append(list, part(hw.Core, pu, pu, pu, part(hw.PU, pu, pu, pu)))
	}
	return list
}

// local adds a NUMA node over the same PUs to an object.
func local(o *hw.Object, node int) *hw.Object {
	numa := &hw.Object{Type: hw.NUMANode, OSIndex: node, CPUSet: o.CPUSet,
		NodeSet: hw.SetOf(node)}
	o.Memory = append(o.Memory, numa)
	return o
}

// bind makes a binding to PUs of host 0 for each rank.
func bind(sets ...hw.Set) []*hw.Binding {
	list := make([]*hw.Binding, len(sets))
	for i, s := range sets {
		list[i] = &hw.Binding{CPUSet: s}
	}
	return list
}

// twoNodes makes two hosts of two cores in one package, and a rank on every core.
func twoNodes() (*hw.Topology, []*hw.Binding) {
	node := func() *hw.Object {
		return machine(2, local(part(hw.Package, 0, 0, 1, cores(0, 1)...), 0))
	}
	cluster := &hw.Object{Type: hw.Level, Subtype: "Cluster",
		Children: []*hw.Object{node(), node()}}
	var b []*hw.Binding
	for host := range 2 {
		for pu := range 2 {
			b = append(b, &hw.Binding{Host: host, CPUSet: hw.SetOf(pu)})
		}
	}
	return hw.New("two nodes", cluster), b
}

// twoPackages makes one host with two packages of two cores, each package a NUMA node. Ranks 0 to 3
// have a core each, rank 4 spans both cores of package 1, rank 5 one core of each package.
func twoPackages() engine.Config {
	host := machine(4,
		local(part(hw.Package, 0, 0, 1, cores(0, 1)...), 0),
		local(part(hw.Package, 1, 2, 3, cores(2, 3)...), 1))
	return engine.Config{
		Topology: hw.New("two packages", host),
		Bindings: bind(hw.SetOf(0), hw.SetOf(1), hw.SetOf(2), hw.SetOf(3), hw.SetOf(2, 3),
			hw.SetOf(0, 3)),
	}
}

// figure73 makes the machine of Figure 7.3 in MPI-5.0: rack 0 with two NUMA nodes of two CPUs, rack 1
// with one NUMA node of two CPUs, two cores in each CPU. P0 to P11 have a core each, except P6 and P7,
// which share cores 6 and 7.
func figure73() engine.Config {
	cpu := func(i int) *hw.Object { return part(hw.Package, i, 2*i, 2*i+1, cores(2*i, 2*i+1)...) }
	rack := func(i, lo, hi int, parts ...*hw.Object) *hw.Object {
		r := part(hw.Group, i, lo, hi, parts...)
		r.Subtype = "Rack"
		return r
	}
	half := func(i int) *hw.Object {
		return local(part(hw.Group, i, 4*i, 4*i+3, cpu(2*i), cpu(2*i+1)), i)
	}
	first, second := half(0), half(1)
	first.Attached, second.Attached = true, true
	host := machine(12, rack(0, 0, 7, first, second), local(rack(1, 8, 11, cpu(4), cpu(5)), 2))
	var sets []hw.Set
	for pu := range 12 {
		if pu == 6 || pu == 7 {
			sets = append(sets, hw.SetOf(6, 7))
		} else {
			sets = append(sets, hw.SetOf(pu))
		}
	}
	return engine.Config{Topology: hw.New("Figure 7.3", host), Bindings: bind(sets...)}
}

// draft returns a world of the proposal of 2019, on the machine of two packages.
func draft() engine.Config {
	cfg := twoPackages()
	cfg.Std = engine.Draft2019
	return cfg
}

// The proposal: info gets the keys mpi_hw_res_0, mpi_hw_res_1, ..., whose values are the names of the
// machine's resource types, and the call returns the number of names; variant 1 takes a communicator,
// variant 2 does not. Other keys stay.
func TestHWSubdomainNames(t *testing.T) {
	t.Parallel()
	perRank(t, draft(), func(p *engine.Process) (any, error) {
		for name, f := range map[string]func(*engine.Info) (int, error){
			"variant 1": p.World().HWSubdomainNames, "variant 2": p.HWSubdomainNames,
		} {
			info := naming("color", "red")
			n, err := f(info)
			if n != 5 || err != nil {
				t.Errorf("%s: %d names (%v)", name, n, err)
			}
			var keys, values []string
			for i, text := range listing(t, info) {
				if i%2 == 0 {
					keys = append(keys, text)
				} else {
					values = append(values, text)
				}
			}
			slices.Sort(values)
			wantKeys := []string{"color", "mpi_hw_res_0", "mpi_hw_res_1", "mpi_hw_res_2", "mpi_hw_res_3", "mpi_hw_res_4"}
			wantValues := []string{"Core", "Machine", "NUMANode", "PU", "Package", "red"}
			if diff := cmp.Diff(append(wantKeys, wantValues...), append(keys, values...)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", name, diff)
			}
			_, err = f(nil)
			wantClass(t, err, engine.ErrInfo)
		}
		return nil, nil
	})
}

// The proposal: comm "must be an intracommunicator".
func TestHWSubdomainNamesOfOtherCommunicators(t *testing.T) {
	t.Parallel()
	perRank(t, draft(), func(p *engine.Process) (any, error) {
		inter, err := bridge(p, 1)
		for _, c := range []*engine.Comm{nil, inter} {
			_, err := c.HWSubdomainNames(engine.NewInfo())
			if e := wantClass(t, err, engine.ErrComm); e.Comm != c.ID() {
				t.Errorf("the error is of communicator %d, want %d", e.Comm, c.ID())
			}
		}
		return nil, err
	})
}

// The proposal: the value of the key mpi_hw_domain_type may be each of these names;
// MPI_COMM_TYPE_HW_SUBDOMAIN then splits as MPI_COMM_TYPE_HW_GUIDED does in the standard. HW_SUBDOMAIN
// ignores the key of the standard, and HW_GUIDED the key of the proposal.
func TestHWSubdomainSplit(t *testing.T) {
	t.Parallel()
	domain := func(v string) func() *engine.Info {
		return func() *engine.Info { return naming(engine.KeyHWDomainType, v) }
	}
	for _, c := range []struct {
		kind engine.SplitType
		info func() *engine.Info
		want [][]int32
	}{
		{engine.TypeHWSubdomain, domain("Package"), [][]int32{{0, 1}, {2, 3, 4}}},
		{engine.TypeHWSubdomain, domain("Core"), [][]int32{{0}, {1}, {2}, {3}}},
		{engine.TypeHWSubdomain, domain("Machine"), [][]int32{{0, 1, 2, 3, 4, 5}}},
		{engine.TypeHWSubdomain, domain("Sofa"), nil},
		{engine.TypeHWSubdomain, noInfo, nil},
		{engine.TypeHWSubdomain, func() *engine.Info { return naming(engine.KeyHWResourceType, "Package") }, nil},
		{engine.TypeHWGuided, domain("Package"), nil},
	} {
		wantParts(t, splitting(t, draft(), c.kind, zero, c.info), c.want)
	}
	err := try(t, draft(), func(p *engine.Process) error {
		info := domain([]string{"Core", "Package"}[p.Rank()%2])()
		_, err := p.World().SplitType(engine.TypeHWSubdomain, 0, info)
		return err
	})
	wantText(t, wantClass(t, err, engine.ErrArg).Error(), `mpi_hw_domain_type="Core"`, `mpi_hw_domain_type="Package"`)
}

// The proposal did not become part of any version of the standard.
func TestHWSubdomainOnlyInTheDraft(t *testing.T) {
	t.Parallel()
	err := try(t, twoPackages(), func(p *engine.Process) error {
		_, err := p.World().SplitType(engine.TypeHWSubdomain, 0, nil)
		return err
	})
	wantText(t, wantClass(t, err, engine.ErrArg).Error(), "MPI_COMM_TYPE_HW_SUBDOMAIN was proposed in 2019", "--std draft2019")
	for std, want := range map[engine.Std]int{30: 1, 40: 3, 41: 4, 50: 4, engine.Draft2019: 5} {
		if n := len(engine.SplitTypes(std)); n != want {
			t.Errorf("MPI-%s has %d split types, want %d", std, n, want)
		}
	}
}

// The proposal: the names cannot be set by MPI_Comm_set_info nor retrieved by MPI_Comm_get_info. In
// the standard these keys mean nothing.
func TestHWSubdomainNamesAreNoHints(t *testing.T) {
	t.Parallel()
	for std, want := range map[engine.Std][]string{
		engine.Draft2019: {"color", "red"}, engine.StdLatest: {"mpi_hw_res_0", "Core", "color", "red"},
	} {
		perRank(t, engine.Config{Size: 1, Std: std}, func(p *engine.Process) (any, error) {
			info := naming("mpi_hw_res_0", "Core")
			if err := info.Set("color", "red"); err != nil {
				return nil, err
			}
			if err := p.World().SetInfo(info); err != nil {
				return nil, err
			}
			hints, err := p.World().Hints()
			if err != nil {
				return nil, err
			}
			if diff := cmp.Diff(want, listing(t, hints)); diff != "" {
				t.Errorf("MPI-%s (-want +got):\n%s", std, diff)
			}
			return nil, nil
		})
	}
}

// §B (changes): MPI_COMM_DUP passed info hints on in MPI-3.0 and 3.1; from MPI-4.0 on it does not. The
// duplicate's hints are its own.
func TestDupAndHints(t *testing.T) {
	t.Parallel()
	for std, want := range map[engine.Std]int{30: 1, 31: 1, 40: 0, 50: 0, engine.Draft2019: 0} {
		perRank(t, engine.Config{Size: 2, Std: std}, func(p *engine.Process) (any, error) {
			if err := p.World().SetInfo(naming("color", "red")); err != nil {
				return nil, err
			}
			d, err := p.World().Dup()
			if err != nil {
				return nil, err
			}
			if err := p.World().SetInfo(engine.NewInfo()); err != nil {
				return nil, err
			}
			hints, err := d.Hints()
			if err != nil {
				return nil, err
			}
			if n, err := hints.Len(); n != want || err != nil {
				t.Errorf("MPI-%s: %d hints (%v), want %d", std, n, err, want)
			}
			return nil, nil
		})
	}
}
