package detect

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/hw"
)

// machine returns the /sys of two packages of two cores with one thread each, PUs
// 0-1 and 2-3; core_id counts in each package, ids of packages are given.
func machine(packageIDs ...int) fstest.MapFS {
	f := fstest.MapFS{}
	put := func(path, format string, args ...any) {
		f["sys/devices/system/"+path] = &fstest.MapFile{Data: []byte(fmt.Sprintf(format, args...))}
	}
	put("cpu/online", "0-3")
	for i := range 4 {
		folder := fmt.Sprintf("cpu/cpu%d/topology/", i)
		put(folder+"core_id", "%d", i%2)
		put(folder+"physical_package_id", "%d", packageIDs[i/2])
		put(folder+"core_cpus", "%x", 1<<i)
		put(folder+"package_cpus", "%x", 3<<(i/2*2))
	}
	return f
}

// twoByTwo returns what ghw should find on machine(0, 1).
func twoByTwo() identity {
	return identity{cpus: 4, packages: []processor{
		{"Model A", [][]int{{0}, {1}}}, {"Model B", [][]int{{2}, {3}}}}}
}

func sets(t *hw.Topology, typ hw.Type) []string {
	var s []string
	for _, o := range t.Objects(typ) {
		s = append(s, o.CPUSet.String())
	}
	return s
}

// With sysfs the tree comes from sysfs; ghw names packages; the affinity and what
// ghw does not know become notes and do not change the tree.
func TestFromSysfs(t *testing.T) {
	t.Parallel()
	const oneNode = "the kernel has no NUMA nodes: one node represents the machine"
	merged := identity{packages: []processor{{"Model A", [][]int{{0, 2}, {1, 3}}}}}
	tests := []struct {
		rule       string
		packageIDs []int
		id         identity
		affinity   hw.Set
		names      []string
		notes      []string
	}{
		{"agreement says nothing", []int{0, 1}, twoByTwo(), hw.SetRange(0, 3),
			[]string{"Model A", "Model B"}, []string{oneNode}},
		{"affinity that is not known says nothing", []int{0, 1}, twoByTwo(), hw.Set{},
			[]string{"Model A", "Model B"}, []string{oneNode}},
		{"affinity is a note", []int{0, 1}, twoByTwo(), hw.SetOf(0, 3),
			[]string{"Model A", "Model B"},
			[]string{oneNode, "this process may run only on PUs 0,3 (affinity)"}},
		{"affinity to one PU", []int{0, 1}, twoByTwo(), hw.SetOf(2),
			[]string{"Model A", "Model B"},
			[]string{oneNode, "this process may run only on PU 2 (affinity)"}},
		{"that ghw counts otherwise is for hw verify to tell", []int{-1, -1}, merged, hw.Set{},
			[]string{"Model A", "Model A"}, []string{oneNode}},
		{"no processors at all", []int{0, 1}, identity{}, hw.Set{}, []string{"", ""}, []string{oneNode}},
		{"why ghw is silent is said once", []int{0, 1}, identity{notes: []string{"ghw: no"}}, hw.Set{},
			[]string{"", ""}, []string{oneNode, "ghw: no"}},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			t.Parallel()
			top, err := from(machine(tt.packageIDs...), tt.id, tt.affinity, "box")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.notes, top.Notes); diff != "" {
				t.Error(diff)
			}
			var names []string
			for _, p := range top.Objects(hw.Package) {
				names = append(names, p.Name)
			}
			if diff := cmp.Diff(tt.names, names); diff != "" {
				t.Error(diff)
			}
			if got := sets(top, hw.Package); !slices.Equal(got, []string{"0-1", "2-3"}) {
				t.Errorf("packages %v: the tree must be that of sysfs", got)
			}
			if top.Name != "this" || top.Root.Name != "box" {
				t.Errorf("topology %q, machine %q", top.Name, top.Root.Name)
			}
		})
	}
}

// A cgroup is a note, and the tree has only the PUs of the cgroup.
func TestFromCgroup(t *testing.T) {
	t.Parallel()
	f := machine(0, 1)
	f["proc/mounts"] = &fstest.MapFile{Data: []byte("x /cg cgroup rw,cpuset 0 0\n")}
	f["proc/self/cgroup"] = &fstest.MapFile{Data: []byte("3:cpuset:/\n")}
	f["cg/cpuset.cpus"] = &fstest.MapFile{Data: []byte("2-3\n")}
	top, err := from(f, twoByTwo(), hw.SetRange(2, 3), "box")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"the kernel has no NUMA nodes: one node represents the machine",
		"cgroup allows PUs 2-3 of 0-3"}
	if diff := cmp.Diff(want, top.Notes); diff != "" {
		t.Error(diff)
	}
	if got := sets(top, hw.PU); !slices.Equal(got, []string{"2", "3"}) {
		t.Errorf("PUs %v", got)
	}
}

// Garbage in sysfs is an error, not a reason to guess.
func TestFromGarbage(t *testing.T) {
	t.Parallel()
	f := machine(0, 1)
	f["sys/devices/system/cpu/online"] = &fstest.MapFile{Data: []byte("many")}
	_, err := from(f, twoByTwo(), hw.Set{}, "box")
	want := `cannot detect this machine: sys/devices/system/cpu/online: ` +
		`cpu list "many": "many" is not an index`
	if err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

// Without sysfs the tree comes from ghw and the runtime: cores through logical
// processor ids, else PUs, numbered by the affinity when it is known.
func TestFromNothing(t *testing.T) {
	t.Parallel()
	const some = "there is no sysfs: NUMA nodes, dies and caches are unknown"
	const none = "there is no sysfs: packages, cores, NUMA nodes, dies and caches are unknown"
	tests := []struct {
		rule                 string
		id                   identity
		affinity             hw.Set
		packages, cores, pus []string
		notes                []string
	}{
		{"ghw knows the cores",
			identity{packages: []processor{{"M", [][]int{{0, 2}, {1, 3}}}}}, hw.Set{},
			[]string{"0-3"}, []string{"0,2", "1,3"}, []string{"0", "2", "1", "3"}, []string{some}},
		{"ghw knows the cores, the process may not use all",
			identity{packages: []processor{{"M", [][]int{{0}, {1}}}}}, hw.SetOf(1),
			[]string{"0-1"}, []string{"0", "1"}, []string{"0", "1"},
			[]string{some, "this process may run only on PU 1 (affinity)"}},
		{"ghw has processors without ids", identity{cpus: 3, packages: []processor{{"M", nil}}},
			hw.Set{}, nil, nil, []string{"0", "1", "2"}, []string{none}},
		{"only the affinity is known", identity{cpus: 2}, hw.SetOf(4, 7),
			nil, nil, []string{"4", "7"}, []string{none}},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			t.Parallel()
			tt.id.memory = func() uint64 { return 5 << 30 }
			top, err := from(nil, tt.id, tt.affinity, "box")
			if err != nil {
				t.Fatal(err)
			}
			got := [][]string{sets(top, hw.Package), sets(top, hw.Core), sets(top, hw.PU), top.Notes}
			want := [][]string{tt.packages, tt.cores, tt.pus, tt.notes}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
			nodes := top.Objects(hw.NUMANode)
			if len(nodes) != 1 || nodes[0].Bytes != 5<<30 {
				t.Errorf("NUMA nodes %v: want one with the memory that ghw knows", nodes)
			}
		})
	}
}

// This machine has at least one PU and a name, and the process may run on at least
// one PU; an expired context stops detection.
func TestThis(t *testing.T) {
	t.Parallel()
	top, err := This(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if len(top.Objects(hw.PU)) == 0 || top.Root.Name == "" || len(top.Hosts) != 1 {
		t.Errorf("%d PUs, name %q, %d hosts", len(top.Objects(hw.PU)), top.Root.Name, len(top.Hosts))
	}
	allowed, err := Affinity()
	if err != nil {
		t.Fatal(err)
	}
	if !allowed.Empty() && !allowed.Intersects(top.Root.CPUSet) {
		t.Errorf("affinity %v lies outside the machine %v", allowed, top.Root.CPUSet)
	}
	ctx, cancel := context.WithTimeout(context.Background(), -time.Second)
	defer cancel()
	if _, err := This(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v, want that of the context", err)
	}
}

func BenchmarkThis(b *testing.B) {
	for b.Loop() {
		if _, err := This(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}
