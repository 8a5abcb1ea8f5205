package placement

import "strings"

// Elsewhere is a flag of a launcher that has no place here, and what has its effect.
type Elsewhere struct{ Flag, Launcher, Instead string }

// Others are the flags that people who come from a launcher try first. Sources: mpirun(1) of Open MPI
// 4.1, PRRTE 3's help texts, mpiexec -help of Hydra 4, srun(1) of Slurm 23.11.
var Others = []Elsewhere{
	{"cpu-set", "mpirun", "--bind LIST, which gives each rank its PUs"},
	{"cpu-list", "mpirun", "--bind LIST, which gives each rank its PUs"},
	{"use-hwthread-cpus", "mpirun", "--map-by :hwtcpus"},
	{"npernode", "mpirun", "--map-by ppr:N:node"},
	{"N", "mpirun", "--map-by ppr:N:node"},
	{"npersocket", "mpirun", "--map-by ppr:N:package"},
	{"pernode", "mpirun", "--map-by ppr:1:node"},
	{"cpus-per-proc", "mpirun", "--map-by slot:pe=N"},
	{"cpus-per-rank", "mpirun", "--map-by slot:pe=N"},
	{"bind-to-core", "mpirun", "--bind-to core"},
	{"bind-to-socket", "mpirun", "--bind-to package"},
	{"bycore", "mpirun", "--map-by core"},
	{"bysocket", "mpirun", "--map-by package"},
	{"bynode", "mpirun", "--map-by node"},
	{"oversubscribe", "mpirun", "nothing: ranks may share CPUs, unless --map-by has :nooversubscribe"},
	{"report-bindings", "mpirun", "commsplit hw map"},
	{"display-map", "mpirun", "commsplit hw map"},
	{"display", "mpirun", "commsplit hw map"},
	{"host", "mpirun", "--topo 'machine:N pack:2 core:8', a machine with N hosts"},
	{"hostfile", "mpirun", "--topo 'machine:N pack:2 core:8', a machine with N hosts"},
	{"machinefile", "mpirun", "--topo 'machine:N pack:2 core:8', a machine with N hosts"},
	{"ppn", "Hydra", "--map-by ppr:N:node"},
	{"hosts", "Hydra", "--topo 'machine:N pack:2 core:8', a machine with N hosts"},
	{"nodes", "srun", "--topo 'machine:N pack:2 core:8', a machine with N hosts"},
	{"ntasks-per-core", "srun", "--map-by ppr:N:core"},
	{"ntasks-per-socket", "srun", "--map-by ppr:N:package"},
	{"threads-per-core", "srun", "--hint nomultithread for one PU of each core"},
	{"overcommit", "srun", "nothing: without srun's flags ranks may share CPUs"},
	{"exclusive", "srun", "nothing: ranks have whole hosts"},
	{"gpus-per-task", "srun", "--map-by and --bind-to numa: devices are near NUMA nodes"},
	{"cpu_bind", "srun", "--cpu-bind, as srun is written today"},
}

// otherWords are words of launchers for --map-by and --bind-to that are not offered, and what is.
var otherWords = []Elsewhere{
	{"pe-list", "PRRTE", "--bind LIST, which gives each rank its PUs"},
	{"rankfile", "PRRTE", "--rankfile FILE, or --map-by rankfile:file=FILE"},
	{"seq", "mpirun", "--rankfile FILE, which says where each rank runs"},
	{"dist", "mpirun", "numa: devices are near NUMA nodes"},
	{"device", "PRRTE", "numa: devices are near NUMA nodes"},
	{"gpu", "Hydra", "numa: devices are near NUMA nodes"},
	{"ib", "Hydra", "numa: devices are near NUMA nodes"},
	{"pci", "Hydra", "numa: devices are near NUMA nodes"},
}

// InsteadOf finds a flag, written with or without dashes and a value.
func InsteadOf(flag string) (Elsewhere, bool) {
	name, _, _ := strings.Cut(strings.TrimLeft(flag, "-"), "=")
	for _, e := range Others {
		if e.Flag == name {
			return e, true
		}
	}
	return Elsewhere{}, false
}

// oneDash are flags that mpirun and Hydra take with one dash.
var oneDash = []string{"np", "map-by", "rank-by", "bind-to", "rankfile"}

// TwoDashes writes flags that launchers take with one dash as they are written here, up to a "--".
func TwoDashes(args []string) []string {
	var list []string
	for i, a := range args {
		if a == "--" {
			return append(list, args[i:]...)
		}
		for _, flag := range oneDash {
			if rest, ok := strings.CutPrefix(a, "-"+flag); ok && (rest == "" || rest[0] == '=') {
				a = "-" + a
				break
			}
		}
		list = append(list, a)
	}
	return list
}
