package placement_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/hw/placement"
)

// Where srun puts tasks, worked by hand from srun(1) and from the comments and loops of Slurm's
// layouts: over hosts block, cyclic and plane; on a host block, cyclic and fcyclic over packages.
func TestSrun(t *testing.T) {
	t.Parallel()
	const (
		flat = "pack:2 core:4 pu:1"
		smt  = "pack:2 core:2 pu:2"
		two  = "machine:2 pack:2 core:2 pu:1"
	)
	for _, c := range []struct {
		text string
		n    int
		srun placement.Srun
		want string
	}{
		// Without --cpu-bind srun binds where there are as many packages, cores or PUs as tasks.
		{flat, 2, placement.Srun{Distribution: "*"}, "0-3 4-7"},
		{flat, 8, placement.Srun{Distribution: "block:block"}, "0 1 2 3 4 5 6 7"},
		{flat, 8, placement.Srun{Distribution: "block"}, "0 4 1 5 2 6 3 7"},
		{flat, 3, placement.Srun{Distribution: "block"}, "0-7 0-7 0-7"},
		{smt, 8, placement.Srun{Distribution: "block:block"}, "0 1 2 3 4 5 6 7"},
		// Cores in a row, in turn over packages, and the CPUs of a task in turn, too.
		{flat, 4, placement.Srun{Distribution: "block:block", CPUBind: "cores"}, "0 1 2 3"},
		{flat, 4, placement.Srun{CPUBind: "cores"}, "0 4 1 5"},
		{flat, 4, placement.Srun{CPUs: "2"}, "0-1 4-5 2-3 6-7"},
		{flat, 4, placement.Srun{CPUs: "2", Distribution: "*:fcyclic"}, "0,4 1,5 2,6 3,7"},
		{flat, 4, placement.Srun{CPUs: "2", Distribution: "*:block"}, "0-1 2-3 4-5 6-7"},
		{flat, 2, placement.Srun{CPUs: "3"}, "0-2 4-6"},
		// A core has two PUs: bound to threads, to cores, to packages and to NUMA nodes.
		{smt, 3, placement.Srun{CPUBind: "threads"}, "0 4 1"},
		{smt, 3, placement.Srun{CPUBind: "cores"}, "0-1 4-5 2-3"},
		{smt, 3, placement.Srun{CPUBind: "verbose,cores", Distribution: "block:block:block"}, "0-1 2-3 4-5"}, // what is printed and the default add nothing
		{smt, 3, placement.Srun{CPUBind: "sockets"}, "0-3 4-7 0-3"},
		{"numa:2 pack:1 core:2 pu:2", 2, placement.Srun{CPUBind: "ldoms"}, "0-3 4-7"},
		{smt, 2, placement.Srun{CPUBind: "none"}, "0-7 0-7"},
		{smt, 4, placement.Srun{Hint: "nomultithread"}, "0 4 2 6"},
		{smt, 2, placement.Srun{Hint: "nomultithread", CPUs: "2"}, "0,2 4,6"},
		{smt, 3, placement.Srun{Hint: "multithread", Distribution: "block:block"}, "0 1 2"},
		{smt, 2, placement.Srun{CPUs: "2"}, "0-1 4-5"},
		// Lists go round on each host.
		{flat, 3, placement.Srun{CPUBind: "map_cpu:5,0x2"}, "5 2 5"},
		{flat, 4, placement.Srun{CPUBind: "mask_cpu:0x3*3,F0"}, "0-1 0-1 0-1 4-7"},
		{two, 4, placement.Srun{PerNode: "2", CPUBind: "map_cpu:3,1"}, "node0:3 node0:1 node1:3 node1:1"},
		// Over hosts: evenly in blocks, in turn, in planes; one task a host unless told otherwise.
		{two, 0, placement.Srun{CPUBind: "cores"}, "node0:0 node1:0"},
		{two, 0, placement.Srun{PerNode: "2", CPUBind: "cores"}, "node0:0 node0:2 node1:0 node1:2"},
		{two, 4, placement.Srun{Distribution: "cyclic", CPUBind: "cores"}, "node0:0 node1:0 node0:2 node1:2"},
		{two, 4, placement.Srun{Distribution: "cyclic:block", CPUBind: "cores"}, "node0:0 node1:0 node0:1 node1:1"},
		{two, 6, placement.Srun{Distribution: "plane=2", CPUBind: "cores"}, "node0:0 node0:1 node1:0 node1:1 node0:2 node1:2"},
		// srun(1): four tasks in blocks on three hosts of two CPUs are two, one and one.
		{"machine:3 pack:1 core:2 pu:1", 4, placement.Srun{CPUBind: "cores"}, "node0:0 node0:1 node1:0 node2:0"},
	} {
		top := topology(t, c.text)
		plan, err := placement.New(top, c.n, placement.Policy{Srun: c.srun})
		if err != nil {
			t.Errorf("%q %d %+v: %v", c.text, c.n, c.srun, err)
			continue
		}
		ranks, err := plan.Place()
		if diff := cmp.Diff(c.want, cpusets(top, ranks)); diff != "" || err != nil {
			t.Errorf("%q %d %+v: %v, -want +got:\n%s", c.text, c.n, c.srun, err, diff)
		}
	}
}

// Words that srun would refuse, and words whose result depends on more than the words, are refused
// with what to write instead; ranks are never placed by a guess.
func TestSrunRefusals(t *testing.T) {
	t.Parallel()
	const smt = "pack:2 core:2 pu:2"
	for _, c := range []struct {
		text   string
		n      int
		policy placement.Policy
		want   string
	}{
		{smt, 9, placement.Policy{Srun: placement.Srun{CPUBind: "threads"}}, "1 task is left over"},
		{smt, 5, placement.Policy{Srun: placement.Srun{CPUBind: "cores"}}, "several tasks on a core"},
		{smt, 2, placement.Policy{Srun: placement.Srun{CPUs: "1"}}, "--hint nomultithread"},
		{"pack:2 core:4 pu:1", 3, placement.Policy{Srun: placement.Srun{CPUs: "2"}}, "--map-by package:pe=2"},
		{"machine:2 pack:1 core:4", 5, placement.Policy{Srun: placement.Srun{PerNode: "4"}}, "--map-by ppr:4:node"},
		{"core:4", 2, placement.Policy{Srun: placement.Srun{CPUBind: "cores"}}, "--map-by and --bind-to"},
		{smt, 2, placement.Policy{Srun: placement.Srun{CPUBind: "cores", Hint: "multithread"}}, "exclude each other"},
		{smt, 2, placement.Policy{Srun: placement.Srun{Hint: "compute_bound"}}, "--cpu-bind cores"},
		{smt, 2, placement.Policy{Srun: placement.Srun{GPUsPerTask: "1"}}, "node0 has no GPU"},
		{smt, 2, placement.Policy{Srun: placement.Srun{GPUBind: "closests"}}, "did you mean closest?"},
		{smt, 2, placement.Policy{Srun: placement.Srun{GPUBind: "single"}}, "such as single:1"},
		{smt, 2, placement.Policy{Srun: placement.Srun{GPUsPerTask: "1", TasksPerGPU: "1"}}, "exclude each other"},
		{smt, 2, placement.Policy{Srun: placement.Srun{CoreSpec: "1"}}, "multiples of 2"},
		{smt, 2, placement.Policy{Srun: placement.Srun{CPUBind: "rank_ldom"}}, "--map-by numa --bind-to numa"},
		{smt, 2, placement.Policy{Srun: placement.Srun{CPUBind: "map_cpu:9"}}, "9"},
		{smt, 2, placement.Policy{Srun: placement.Srun{CPUBind: "mask_cpu:0x0"}}, "has no PU"},
		{smt, 2, placement.Policy{Srun: placement.Srun{CPUBind: "mask_cpu:xyz"}}, "not a mask"},
		{smt, 2, placement.Policy{Srun: placement.Srun{Distribution: "block:block:cyclic"}}, "leave it out"},
		{smt, 2, placement.Policy{Srun: placement.Srun{Distribution: "arbitrary"}}, "--rankfile"},
		{smt, 2, placement.Policy{Srun: placement.Srun{Distribution: "plane"}}, "want block"},
		{smt, 2, placement.Policy{Srun: placement.Srun{PerNode: "0"}}, "at least 1"},
		{smt, 2, placement.Policy{MapBy: "core", Srun: placement.Srun{CPUBind: "cores"}}, "--cpu-bind is a flag of srun, --map-by of mpirun"},
		{smt, 2, placement.Policy{List: "0", Srun: placement.Srun{CPUBind: "cores"}}, "leave out --cpu-bind"},
		{smt, 2, placement.Policy{MapBy: "package:pe=2", BindTo: "hwthread"}, "--map-by package:pe=2:hwtcpus"},
		{smt, 2, placement.Policy{MapBy: "pe-list=0,1"}, "--bind LIST"},
		{smt, 2, placement.Policy{BindTo: "gpu"}, "numa"},
	} {
		_, err := placement.Place(topology(t, c.text), c.n, c.policy)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q %d %+v: %v, want %q", c.text, c.n, c.policy, err, c.want)
		}
	}
}

// Hydra's words for one host: user:LIST with + and x, and rr, which gives each rank a PU by os index.
// PRRTE's rankfile:file=FILE is the flag --rankfile.
func TestWordsOfOthers(t *testing.T) {
	t.Parallel()
	odd := "pack:2 core:2 pu:1(indexes=0,2,1,3)"
	for _, c := range []struct {
		text string
		bind string
		want string
	}{
		{odd, "user:0+2,1,3x2", "0,2 1 3 3"},
		{odd, "rr", "0 1 2 3"},
		{odd, "RR", "0 1 2 3"},
	} {
		top := topology(t, c.text)
		ranks, err := placement.Place(top, 4, placement.Policy{BindTo: c.bind})
		if diff := cmp.Diff(c.want, cpusets(top, ranks)); diff != "" || err != nil {
			t.Errorf("%s: %v, -want +got:\n%s", c.bind, err, diff)
		}
	}
	for bind, want := range map[string]string{"user:0x": "after x", "user:9": "9"} {
		if _, err := placement.Place(topology(t, odd), 2, placement.Policy{BindTo: bind}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", bind, err, want)
		}
	}
	if _, err := placement.Place(topology(t, "machine:2 core:2"), 2, placement.Policy{BindTo: "rr"}); err == nil {
		t.Error("rr on two hosts is placed")
	}
	_, err := placement.Place(topology(t, odd), 2, placement.Policy{MapBy: "rankfile:file=None/Such"})
	if err == nil || !strings.Contains(err.Error(), "None/Such") {
		t.Errorf("a rankfile that is not there: %v", err)
	}
	got := strings.Join(placement.TwoDashes([]string{"hw", "-np", "4", "-bind-to=core", "-n", "2", "--", "-np"}), " ")
	if got != "hw --np 4 --bind-to=core -n 2 -- -np" {
		t.Errorf("two dashes: %s", got)
	}
}
