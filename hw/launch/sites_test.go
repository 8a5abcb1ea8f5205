package launch_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/launch"
	"codeberg.org/commsplit/commsplit/hw/placement"
	"codeberg.org/commsplit/commsplit/hw/source"
)

// eiger is a node as in CSCS's documentation: two sockets of 64 cores, four NUMA nodes each. quad is a node of Slurm's
// page about plane distributions, and slots a host with so many slots of PRRTE's pages.
const (
	eiger = "pack:2 numa:4 core:16 pu:2(indexes=2*128:1*2)"
	quad  = "pack:2 core:4 pu:1"
)

// The examples of sites' user guides and of the manuals of Slurm and PRRTE, each as it is printed there, with the CPUs
// and GPUs that it prints. frontier_user_guide.rst of OLCF; distribution-binding.md and lumig-job.md of LUMI; slurm.md
// of CSCS; dist_plane.html of Slurm; detail-placement-examples.rst of PRRTE.
func TestPublishedExamples(t *testing.T) {
	t.Parallel()
	const onFrontier8 = "1-7:4 9-15:5 17-23:2 25-31:3 33-39:6 41-47:7 49-55:0 57-63:1"
	for _, c := range []struct{ topo, line, want string }{
		// Frontier: sockets are L3 regions, a core has one thread, tasks are bound to threads; the system keeps the
		// first core of each L3. Behind a colon stands the number of the GPU.
		{"frontier", "srun -N1 -n8 -c1 --cpu-bind=threads --threads-per-core=1 -m block:cyclic ./hello_mpi_omp", "1 9 17 25 33 41 49 57"},
		{"frontier", "srun -N1 -n8 ./hello_mpi_omp", "1 9 17 25 33 41 49 57"}, // "equivalent"
		{"frontier", "srun -N1 -n7 -c1 --cpu-bind=threads --threads-per-core=1 -m block:block ./hello_mpi_omp", "1 2 3 4 5 6 7"},
		{"frontier", "srun -N1 -n8 -m block:block ./a", "1 2 3 4 5 6 7 9"}, // "an 8th task ... on core 009"
		{"frontier", "srun -N1 -n2 ./hello_mpi_omp", "1 9"},
		{"frontier", "OMP_NUM_THREADS=2 srun -N1 -n2 -c2 ./hello_mpi_omp", "1-2 9-10"},
		{"frontier", "#SBATCH_--threads-per-core=2 srun -N1 -n2 -c2 ./hello_mpi_omp", "1,65 9,73"},
		{"frontier", "OMP_NUM_THREADS=7 srun -N1 -n8 -c7 --gpus-per-task=1 --gpu-bind=closest ./hello_jobstep", onFrontier8},
		{"frontier", "OMP_NUM_THREADS=7 srun -N1 -n1 -c7 --gpus-per-task=1 --gpu-bind=closest ./hello_jobstep", "49-55:0"},
		{"frontier", "OMP_NUM_THREADS=7 srun -N2 -n16 -c7 --gpus-per-task=1 --gpu-bind=closest ./hello_jobstep", twice(onFrontier8)},
		{"frontier", "OMP_NUM_THREADS=1 srun -N1 -n16 -c1 --ntasks-per-gpu=2 --gpu-bind=closest ./hello_jobstep",
			"1:4 9:5 17:2 25:3 33:6 41:7 49:0 57:1 2:4 10:5 18:2 26:3 34:6 42:7 50:0 58:1"},
		{"frontier", "OMP_NUM_THREADS=1 srun -N2 -n32 -c1 --ntasks-per-gpu=2 --gpu-bind=closest ./hello_jobstep",
			twice("1:4 9:5 17:2 25:3 33:6 41:7 49:0 57:1 2:4 10:5 18:2 26:3 34:6 42:7 50:0 58:1")},
		{"frontier", "OMP_NUM_THREADS=1 srun -S 0 -N1 -n16 -c4 --ntasks-per-gpu=2 --gpu-bind=closest --distribution=*:block ./hello_jobstep", packed},
		{"frontier", "OMP_NUM_THREADS=1 srun -S0 -N2 -n32 -c4 --ntasks-per-gpu=2 --gpu-bind=closest --distribution=*:block ./hello_jobstep", twice(packed)},
		{"frontier", "OMP_NUM_THREADS=1 srun -N1 -n56 -c1 --ntasks-per-gpu=7 --gpu-bind=closest --distribution=*:block ./hello_jobstep", seven()},
		{"frontier-56", "OMP_NUM_THREADS=7 srun -N1 -n8 -c7 --gpus-per-task=1 --gpu-bind=closest ./hello_jobstep", onFrontier8},
		// LUMI-C: sockets are packages, tasks stay in a row.
		{"lumi-c", "srun --nodes=2 --ntasks-per-node=2 --cpu-bind=threads ./app", "node0:0 node0:1 node1:0 node1:1"},
		{"lumi-c", "srun --nodes=2 --ntasks-per-node=2 --cpu-bind=cores ./app", "node0:0,128 node0:1,129 node1:0,128 node1:1,129"},
		{"lumi-c", "srun --nodes=2 --ntasks-per-node=2 --cpu-bind=sockets ./app", twice("0-63,128-191 0-63,128-191")},
		{"lumi-c", "#SBATCH_--nodes=1 #SBATCH_--ntasks-per-node=16 SLURM_CPU_BIND=map_cpu:0,8,16,24,32,40,48,56,64,72,80,88,96,104,112,120 srun app args",
			"0 8 16 24 32 40 48 56 64 72 80 88 96 104 112 120"},
		{"lumi-c", "srun --nodes=2 --ntasks-per-node=4 --distribution=block ./app", twice("0 1 2 3")},
		{"lumi-c", "srun --nodes=2 --ntasks-per-node=4 --distribution=cyclic ./app", "node0:0 node1:0 node0:1 node1:1 node0:2 node1:2 node0:3 node1:3"},
		{"lumi-c", "srun --nodes=2 --ntasks-per-node=4 --distribution=block:block ./app", twice("0 1 2 3")},
		{"lumi-c", "srun --nodes=2 --ntasks-per-node=4 --distribution=block:cyclic ./app", twice("0 64 1 65")},
		{"lumi-c", "srun --nodes=2 --ntasks-per-node=4 --distribution=cyclic:block ./app", "node0:0 node1:0 node0:1 node1:1 node0:2 node1:2 node0:3 node1:3"},
		{"lumi-c", "srun --nodes=2 --ntasks-per-node=4 --distribution=cyclic:cyclic ./app", "node0:0 node1:0 node0:64 node1:64 node0:1 node1:1 node0:65 node1:65"},
		// LUMI-G is built as Frontier; a wrapper of the guide gives local rank i the GPU i, so no option does.
		{"lumi-g", "#SBATCH_--nodes=1 #SBATCH_--ntasks-per-node=8 srun --cpu-bind=map_cpu:49,57,17,25,1,9,33,41 ./select_gpu app", "49 57 17 25 1 9 33 41"},
		{"lumi-g", "#SBATCH_--nodes=1 #SBATCH_--ntasks-per-node=8 srun --cpu-bind=mask_cpu:fe000000000000,fe00000000000000,fe0000,fe000000,fe,fe00,fe00000000,fe0000000000 ./select_gpu app",
			"49-55 57-63 17-23 25-31 1-7 9-15 33-39 41-47"},
		{"lumi-g", "#SBATCH_--partition=standard-g #SBATCH_--nodes=2 #SBATCH_--ntasks-per-node=8 #SBATCH_--gpus-per-node=8 srun --cpu-bind=mask_cpu:7e000000000000,7e00000000000000,7e0000,7e000000,7e,7e00,7e00000000,7e0000000000 ./select_gpu app",
			twice("49-54:01234567 57-62:01234567 17-22:01234567 25-30:01234567 1-6:01234567 9-14:01234567 33-38:01234567 41-46:01234567")},
		// CSCS: Slurm's defaults, on GH200 and on Eiger.
		{"gh200-quad", "srun -n8 -N2 -c72 ./affinity.mpi", twice("0-71 72-143 144-215 216-287")},
		{"gh200-quad", "#SBATCH_--nodes=2 #SBATCH_--ntasks-per-node=4 #SBATCH_--gpus-per-task=1 srun -c72 app",
			twice("0-71:0 72-143:1 144-215:2 216-287:3")}, // "a unique GPU to each rank", which is SLURM_LOCALID
		{eiger, "srun --cpu-bind=verbose -c32 -n4 -N1 --hint=nomultithread -- true", "0-31 64-95 32-63 96-127"},
		{eiger, "srun -n2 -N1 -c64 ./affinity.mpi", "0-31,128-159 64-95,192-223"},
		{eiger, "srun -n4 -N2 -c64 ./affinity.mpi", twice("0-31,128-159 64-95,192-223")},
		{eiger, "srun -n2 -N1 -c64 --hint=nomultithread ./affinity.mpi", "0-63 64-127"},
		{eiger, "srun -n8 -N1 -c16 --hint=nomultithread ./affinity.mpi", "0-15 64-79 16-31 80-95 32-47 96-111 48-63 112-127"},
		{eiger, "OMP_NUM_THREADS=4 srun -n4 -N1 -c4 --hint=nomultithread ./affinity.mpi --omp", "0-3 64-67 4-7 68-71"},
		// Slurm's mc_support.html: two processors of two cores with two threads, block numbers.
		{"pack:4 core:2 pu:1", "srun -n 32 -N 4 --cpu-bind=map_cpu:0,2,4,6,1,3,5,7 a.out", times(4, "0 2 4 6 1 3 5 7")},
		{"pack:4 core:2 pu:1", "srun -n 32 -N 4 --cpu-bind=mask_cpu:1,4,10,40,2,8,20,80 a.out", times(4, "0 2 4 6 1 3 5 7")},
		{"pack:2 core:2 pu:1", "srun -n 8 -N 4 --cpu-bind=mask_cpu:0x1,0x4 a.out", times(4, "0 2")},
		{"pack:2 core:2 pu:1", "srun -n 8 -N 4 --cpu-bind=mask_cpu:0x3,0xD a.out", times(4, "0-1 0,2-3")},
		// PRRTE: four GPUs at the NUMA nodes 1, 2, 6 and 7.
		{"turin", "prun -n 4 --mapby device=gpu --bindto core ./a.out", "16,144:0 32,160:1 96,224:2 112,240:3"},
		{"turin", "prun -n 1 --mapby device=gpu --bindto numa ./a.out", "16-31,144-159:0"},
		{"turin", "prun -n 8 --mapby device=gpu:shared --bindto core ./a.out",
			"16,144:0 32,160:1 96,224:2 112,240:3 17,145:0 33,161:1 97,225:2 113,241:3"},
		{"turin", "prun -n 2 --mapby device=gpu:interleave --bindto core ./a.out", "16,144:0 96,224:2"},
		{"turin", "prun -n 2 --mapby device=gpu:ndev=2 --bindto package ./a.out", "0-63,128-191:01 64-127,192-255:23"},
		{"turin", "prun --mapby ppr:2:device=gpu --bindto core ./a.out",
			"16,144:0 17,145:0 32,160:1 33,161:1 96,224:2 97,225:2 112,240:3 113,241:3"},
		{"turin", "prun -n 2 --mapby device=mlx5_0 --bindto core ./a.out", "16,144 17,145"},
		{"pack:2 core:2", "prun --host aa,aa,bb ./a.out", "aa:0-1 aa:2-3 bb:0-1"},
		{"core:8", "prun --host aa:5 ./a.out", "0-7 0-7 0-7 0-7 0-7"},
		{"pack:2 core:2", "prun --host aa,bb --map-by ppr:2:package:oversubscribe ./a.out", "aa:0-1 aa:0-1 aa:2-3 aa:2-3 bb:0-1 bb:0-1 bb:2-3 bb:2-3"},
		{"core:4", "prun --host aa:4,bb:4,cc:4 --np 6 --bind-to core ./a.out", "aa:0 aa:1 aa:2 aa:3 bb:0 bb:1"},
		{"core:4", "prun --host aa:4,bb:4,cc:4 --np 6 --map-by node --bind-to core ./a.out", "aa:0 bb:0 cc:0 aa:1 bb:1 cc:1"},
		{"core:8", "prun --host aa:2,bb:6 --np 8 --bind-to core ./a.out", "aa:0 aa:1 bb:0 bb:1 bb:2 bb:3 bb:4 bb:5"},
		{"core:4", "prun --host aa:4,bb:4,cc:4 --np 14 --map-by :OVERSUBSCRIBE ./a.out",
			"aa:0-3 aa:0-3 aa:0-3 aa:0-3 aa:0-3 bb:0-3 bb:0-3 bb:0-3 bb:0-3 bb:0-3 cc:0-3 cc:0-3 cc:0-3 cc:0-3"},
	} {
		if got, err := placed(t.Context(), c.topo, words(c.line)); got != c.want || err != nil {
			t.Errorf("%s -- %s: %v\n%s", c.topo, c.line, err, cmp.Diff(c.want, got))
		}
	}
}

const packed = "0-3:4 4-7:4 8-11:5 12-15:5 16-19:2 20-23:2 24-27:3 28-31:3 32-35:6 36-39:6 40-43:7 44-47:7 48-51:0 52-55:0 56-59:1 60-63:1"

// seven is Frontier's example 8: seven ranks for each GPU, in a row.
func seven() string {
	var all []string
	for l3, gpu := range []int{4, 5, 2, 3, 6, 7, 0, 1} {
		for core := 1; core < 8; core++ {
			all = append(all, fmt.Sprintf("%d:%d", 8*l3+core, gpu))
		}
	}
	return strings.Join(all, " ")
}

func twice(host string) string { return times(2, host) }

// times repeats the places of a host on several.
func times(hosts int, host string) string {
	var all []string
	for h := range hosts {
		for _, place := range strings.Fields(host) {
			all = append(all, fmt.Sprintf("node%d:%s", h, place))
		}
	}
	return strings.Join(all, " ")
}

// words cuts a line at blanks; "#SBATCH_" begins a word with a blank.
func words(line string) []string {
	list := strings.Fields(line)
	for i, w := range list {
		list[i] = strings.Replace(w, "#SBATCH_", "#SBATCH ", 1)
	}
	return list
}

// placed returns the PUs of each rank of a launch line, and behind a colon the numbers of its GPUs on its host.
func placed(ctx context.Context, spec string, words []string) (string, error) {
	line, err := launch.Read(words)
	if err != nil {
		return "", err
	}
	if spec == "turin" {
		t := turin()
		return cpusets(t, line)
	}
	if line.Machines > 1 {
		if spec, err = source.Copies(spec, line.Machines, line.Names); err != nil {
			return "", err
		}
	}
	t, err := source.Load(ctx, spec)
	if err != nil {
		return "", err
	}
	return cpusets(t, line)
}

func cpusets(t *hw.Topology, line *launch.Line) (string, error) {
	p, err := line.Policy(t)
	if err != nil {
		return "", err
	}
	plan, err := placement.New(t, line.Ranks, p)
	if err != nil {
		return "", err
	}
	ranks, err := plan.Place()
	if err != nil {
		return "", err
	}
	var all []string
	for _, b := range ranks {
		text := b.CPUSet.String()
		if len(t.Hosts) > 1 {
			text = t.Hosts[b.Host].Name + ":" + text
		}
		for i, l := range b.Given {
			if i == 0 && l.Kind() == "GPU" {
				text += ":"
			}
			if l.Kind() == "GPU" {
				text += l.Name[len(l.Name)-1:]
			}
		}
		all = append(all, text)
	}
	return strings.Join(all, " "), nil
}
