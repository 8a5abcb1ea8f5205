package placement_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"commsplit/hw"
	"commsplit/hw/placement"
	"commsplit/hw/source"
)

// eiger is a node as in CSCS's documentation: two sockets of 64 cores, four NUMA nodes each.
const eiger = "pack:2 numa:4 core:16 pu:2(indexes=2*128:1*2)"

// The examples of sites' user guides, with the CPUs that they print: the words of srun but for -N, which is the number
// of machines. frontier_user_guide.rst of OLCF, "CPU Mapping" and "Multithreading"; distribution-binding.md of LUMI;
// slurm.md of CSCS, "Affinity", "AMD CPU nodes" and "OpenMP".
func TestPublishedExamples(t *testing.T) {
	t.Parallel()
	type srun = placement.Srun
	const frontier, lumi = "frontier-56", "lumi-c"
	for _, c := range []struct {
		topo string
		n    int
		srun srun
		want string
	}{
		// Frontier: sockets are L3 regions, a core has one thread, tasks are bound to threads.
		{frontier, 8, srun{CPUs: "1", CPUBind: "threads", Threads: "1", Distribution: "block:cyclic"}, "1 9 17 25 33 41 49 57"},
		{frontier, 8, srun{Distribution: "*"}, "1 9 17 25 33 41 49 57"}, // "equivalent to srun -N1 -n8"
		{frontier, 7, srun{CPUs: "1", CPUBind: "threads", Threads: "1", Distribution: "block:block"}, "1 2 3 4 5 6 7"},
		{frontier, 8, srun{Distribution: "block:block"}, "1 2 3 4 5 6 7 9"}, // "an 8th task ... to the next L3 region on core 009"
		{frontier, 2, srun{Distribution: "*"}, "1 9"},
		{frontier, 2, srun{CPUs: "2"}, "1-2 9-10"},
		{frontier, 2, srun{CPUs: "2", Threads: "2"}, "1,65 9,73"}, // the job has --threads-per-core=2
		{frontier, 8, srun{CPUs: "7"}, "1-7 9-15 17-23 25-31 33-39 41-47 49-55 57-63"},
		// LUMI-C: sockets are packages, tasks stay in a row.
		{lumi + "*2", 4, srun{PerNode: "2", CPUBind: "threads"}, "node0:0 node0:1 node1:0 node1:1"},
		{lumi + "*2", 4, srun{PerNode: "2", CPUBind: "cores"}, "node0:0,128 node0:1,129 node1:0,128 node1:1,129"},
		{lumi + "*2", 4, srun{PerNode: "2", CPUBind: "sockets"},
			"node0:0-63,128-191 node0:0-63,128-191 node1:0-63,128-191 node1:0-63,128-191"},
		{lumi, 16, srun{CPUBind: "map_cpu:0,8,16,24,32,40,48,56,64,72,80,88,96,104,112,120"},
			"0 8 16 24 32 40 48 56 64 72 80 88 96 104 112 120"},
		{lumi + "*2", 8, srun{PerNode: "4", Distribution: "block"}, "node0:0 node0:1 node0:2 node0:3 node1:0 node1:1 node1:2 node1:3"},
		{lumi + "*2", 8, srun{PerNode: "4", Distribution: "cyclic"}, "node0:0 node1:0 node0:1 node1:1 node0:2 node1:2 node0:3 node1:3"},
		{lumi + "*2", 8, srun{PerNode: "4", Distribution: "block:block"}, "node0:0 node0:1 node0:2 node0:3 node1:0 node1:1 node1:2 node1:3"},
		{lumi + "*2", 8, srun{PerNode: "4", Distribution: "block:cyclic"}, "node0:0 node0:64 node0:1 node0:65 node1:0 node1:64 node1:1 node1:65"},
		{lumi + "*2", 8, srun{PerNode: "4", Distribution: "cyclic:block"}, "node0:0 node1:0 node0:1 node1:1 node0:2 node1:2 node0:3 node1:3"},
		{lumi + "*2", 8, srun{PerNode: "4", Distribution: "cyclic:cyclic"}, "node0:0 node1:0 node0:64 node1:64 node0:1 node1:1 node0:65 node1:65"},
		// LUMI-G is built as Frontier.
		{frontier, 8, srun{CPUBind: "map_cpu:49,57,17,25,1,9,33,41"}, "49 57 17 25 1 9 33 41"},
		{frontier, 8, srun{CPUBind: "mask_cpu:fe000000000000,fe00000000000000,fe0000,fe000000,fe,fe00,fe00000000,fe0000000000"},
			"49-55 57-63 17-23 25-31 1-7 9-15 33-39 41-47"},
		// CSCS: Slurm's defaults, on GH200 and on Eiger.
		{"gh200-quad*2", 8, srun{CPUs: "72"}, "node0:0-71 node0:72-143 node0:144-215 node0:216-287 " +
			"node1:0-71 node1:72-143 node1:144-215 node1:216-287"},
		{eiger, 4, srun{CPUs: "32", Hint: "nomultithread"}, "0-31 64-95 32-63 96-127"},
		{eiger, 2, srun{CPUs: "64"}, "0-31,128-159 64-95,192-223"},
		{eiger + "*2", 4, srun{CPUs: "64"}, "node0:0-31,128-159 node0:64-95,192-223 node1:0-31,128-159 node1:64-95,192-223"},
		{eiger, 2, srun{CPUs: "64", Hint: "nomultithread"}, "0-63 64-127"},
		{eiger, 8, srun{CPUs: "16", Hint: "nomultithread"}, "0-15 64-79 16-31 80-95 32-47 96-111 48-63 112-127"},
		{eiger, 4, srun{CPUs: "4", Hint: "nomultithread"}, "0-3 64-67 4-7 68-71"},
		// Explicit settings have the effect of a preset's, and replace a preset's.
		{eiger + " slurm(threads=1 dist=block:block)", 2, srun{Distribution: "block"}, "0 1"},
		{frontier + " slurm(socket=numa threads=1)", 4, srun{Distribution: "*"}, "1 17 33 49"},
		{frontier + " slurm()", 2, srun{CPUBind: "cores"}, "1,65 2,66"},
		{frontier + "+" + frontier, 2, srun{Distribution: "*"}, "node0:1 node1:1"},
	} {
		top, err := source.Load(t.Context(), c.topo)
		if err != nil {
			t.Errorf("%s: %v", c.topo, err)
			continue
		}
		ranks, err := placement.Place(top, c.n, placement.Policy{Srun: c.srun})
		if diff := cmp.Diff(c.want, cpusets(top, ranks)); diff != "" || err != nil {
			t.Errorf("%s, %d tasks, %+v: %v, -want +got:\n%s", c.topo, c.n, c.srun, err, diff)
		}
	}
}

// The settings of a site are written in the form in which they are read.
func TestSlurmSettings(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                                     "socket=package dist=block:cyclic",
		"socket=l3cache threads=1":             "socket=l3cache threads=1 dist=block:cyclic",
		"DIST=cyclic:fcyclic socket=numa":      "socket=numa dist=cyclic:fcyclic",
		"dist=block:block threads=2 threads=4": "socket=package threads=4 dist=block:block",
	} {
		s, err := hw.ParseSlurm(text)
		if err != nil || s.String() != want {
			t.Errorf("%q: %v, %v", text, s, err)
			continue
		}
		if again, err := hw.ParseSlurm(s.String()); err != nil || again.String() != want {
			t.Errorf("%q again: %v, %v", text, again, err)
		}
	}
	for _, text := range []string{"socket=core", "threads=0", "threads", "dist=plane=2", "dist=block:", "select=cons_tres"} {
		if s, err := hw.ParseSlurm(text); err == nil {
			t.Errorf("%q is read as %v", text, s)
		}
	}
}
