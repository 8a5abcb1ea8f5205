package launch_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/hw/judge"
	"codeberg.org/commsplit/commsplit/hw/launch"
)

// What is read of a line: the number of ranks and of machines, what has no influence, and the program. Values stand in the
// same word or in the next, for srun also behind a beginning of a name that no other option has; settings of the
// environment and #SBATCH lines come first, and options replace them.
func TestRead(t *testing.T) {
	t.Parallel()
	type want struct {
		ranks, machines int
		idle, program   string
	}
	for line, w := range map[string]want{
		"srun -N 2 -n16 ./app -n 3":                              {16, 2, "", "./app -n 3"},
		"srun --nodes=2 --ntasks 8 -A abc -l -t5 ./app":          {8, 2, "-A abc, -l, -t 5", "./app"},
		"srun -lN2 -n4 --accoun=x --mem 4G -- -odd":              {4, 2, "-l, --accoun x, --mem 4G", "-odd"},
		"srun -w cn[01-04] -n 4 ./app":                           {4, 4, "", "./app"},
		"srun -N2-2 -n 4 --gres=gpu:2,nvme:1 ./app":              {4, 2, "--gres nvme:1", "./app"},
		"OMP_NUM_THREADS=4 SLURM_NTASKS=3 srun -n 4 a":           {4, 0, "OMP_NUM_THREADS=4", "a"},
		"env OMP_NUM_THREADS=4 SLURM_NTASKS=3 srun a":            {3, 0, "OMP_NUM_THREADS=4", "a"},
		"#SBATCH_-N2 #SBATCH_--exclusive srun -n 2 a":            {2, 2, "", "a"},
		"#SBATCH_--time=5 srun -n 2 --wait=3 --overlap a":        {2, 0, "--time 5, --wait 3, --overlap", "a"},
		"/usr/bin/mpirun -np 8 -x A=b --mca btl tcp,self prog.c": {8, 0, "-x A=b, --mca btl tcp,self", "prog.c"},
		"mpirun --n 8 --host a:4,b:4 --report-bindings a":        {8, 2, "--report-bindings", "a"},
		"mpiexec.hydra -ppn 2 -hosts a,b -n 4 -genv A 1 a":       {4, 2, "-genv A 1", "a"},
		"mpiexec -ppn 2 -n 4 -prepend-rank a":                    {4, 0, "-prepend-rank", "a"}, // no other launcher has -ppn
	} {
		l, err := launch.Read(words(line))
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		got := want{l.Ranks, l.Machines, strings.Join(l.Idle, ", "), strings.Join(l.Program, " ")}
		if got != w {
			t.Errorf("%s:\n got %+v\nwant %+v", line, got, w)
		}
	}
}

// A line is refused with what is wrong, and nothing of it is read as something else.
func TestRefused(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"":                                         "write a launch line behind --",
		"OMP_NUM_THREADS=4":                        "write a launch line behind --",
		"./app":                                    `"./app" is not a launcher`,
		"srum -n 2 a":                              "did you mean srun?",
		"jsrun -n 4 a":                             "jsrun is not supported",
		"aprun -n 4 a":                             "aprun is not supported",
		"sbatch job.sh":                            "give the srun line of the script",
		"srun --gpu-bid=none a":                    "srun has no option --gpu-bid=none: did you mean --gpu-bind?",
		"srun -n two a":                            "srun -n two: want a number",
		"srun --ntasks":                            "srun --ntasks needs 1 value",
		"srun -n":                                  "srun -n needs a value",
		"srun --label=3 a":                         "srun --label takes no value",
		"srun --gpu 3 a":                           "srun has no option --gpu", // gpu-bind, gpu-freq, gpus...
		"srun -N2-4 a":                             "give one number",
		"srun -O -n 9 a":                           "it puts several tasks on a CPU",
		"srun --exact -n 2 a":                      "write -c N",
		"srun --cpus-per-gpu=4 -n 2 a":             "write -c",
		"srun --version":                           "it starts no ranks",
		"srun -n 2 a : b":                          "map one program at a time",
		"#SBATCH_-N2 mpirun a":                     "#SBATCH lines go before srun",
		"mpirun --hostfile h a":                    "open h: no such file",
		"mpirun --map-by core --bynode a":          "ranks are mapped by core already",
		"mpirun --mca rmaps_base_pattern x a":      "write --map-by, --rank-by or --bind-to",
		"OMPI_MCA_rmaps_base_x=1 mpirun a":         "write options of the launcher instead",
		"mpirun --bind-to board a":                 `--bind-to "board" is unknown`,
		"mpirun --maap-by core a":                  "did you mean --map-by?",
		"mpirun --host a:x a":                      "write the number of slots",
		"mpiexec.hydra -f hosts -n 2 a":            "open hosts: no such file",
		"mpiexec -n 8 --depth 1 --cpu-bind core a": "PALS's, HPE's mpiexec",
		"mpiexec.hydra a":                          "write -n N",
		"mpiexec.hydra -n 2 -bind-to gpu a":        "mpirun's --map-by device=gpu",
		"mpiexec.hydra -n 2 -bind-to l3 a":         "Hydra -bind-to l3: want machine, socket, numa",
		"mpiexec.hydra -n 2 -bind-to core -map-by node a": "Hydra -map-by node: want machine",
		"mpiexec.hydra -n 2 -bind-to numa:2 a":            "want core:N or hwthread:N",
	} {
		_, err := placed(t.Context(), "pack:2 core:4", words(line))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", line, err, want)
		}
	}
}

// Where ranks run without the word that says it: Open MPI 5 maps more than two ranks by package, or by what they are bound
// to (prte_rmaps_base_set_default_mapping), and binds to what it maps to, to cores or NUMA nodes where that is a host
// (prte_hwloc_base_set_default_binding); Hydra binds nothing.
func TestDefaults(t *testing.T) {
	t.Parallel()
	const two = "pack:2 [numa] l3:2 core:2 pu:1"
	for line, want := range map[string]string{
		"mpirun -np 2 a":                                         "0 1",
		"mpirun -np 3 a":                                         "0-3 4-7 0-3",
		"mpirun -np 3 --use-hwthread-cpus a":                     "0-3 4-7 0-3",
		"mpirun -np 3 --bind-to core a":                          "0 1 2",
		"mpirun -np 3 --bind-to l3cache:overload-allowed a":      "0-1 2-3 4-5",
		"mpirun -np 3 --bind-to none a":                          "0-7 0-7 0-7",
		"mpirun -np 3 --cpus-per-rank 2 a":                       "0-1 2-3 4-5",
		"mpirun -np 3 --cpus-per-rank 1 a":                       "0 4 1",
		"mpirun -np 3 --map-by :pe=2 a":                          "0-1 2-3 4-5",
		"mpirun -np 3 --map-by l3cache a":                        "0-1 2-3 4-5",
		"mpirun -np 3 --map-by package a":                        "0-3 4-7 0-3",
		"mpirun -np 2 --map-by slot a":                           "0 1",
		"mpirun -np 3 --map-by slot a":                           "0-3 4-7 0-3",
		"mpirun -np 2 --map-by slot:pe=2 a":                      "0-1 2-3",
		"mpirun -np 2 --cpus-per-proc 2 a":                       "0-1 2-3",
		"mpirun -npernode 2 a":                                   "0 1",
		"mpirun --npersocket 1 a":                                "0-3 4-7",
		"mpirun -np 2 --mca rmaps_base_mapping_policy l3cache a": "0-1 2-3",
		"OMPI_MCA_hwloc_base_binding_policy=none mpirun -np 2 a": "0-7 0-7",
		"mpirun -np 9 --oversubscribe a":                         strings.TrimSpace(strings.Repeat("0-7 ", 9)),
		"mpirun -np 2 --use-hwthread-cpus a":                     "0 1",
		"mpirun -np 8 --map-by ppr:2:l3cache --bind-to core a":   "0 1 2 3 4 5 6 7",
		"mpiexec.hydra -n 2 a":                                   "0-7 0-7",
		"mpiexec.hydra -n 3 -bind-to core:2 a":                   "0-1 2-3 4-5",
		"mpiexec.hydra -n 3 -bind-to l3dcache a":                 "0-1 2-3 4-5",
		"mpiexec.hydra -n 3 -bind-to core -map-by l3ucache a":    "0 2 4",
		"mpiexec.hydra -n 3 -bind-to socket a":                   "0-3 4-7 0-3",
		"mpiexec.hydra -n 3 -bind-to core -map-by l3cache a":     "0 2 4",
		"mpiexec.hydra -n 2 -bind-to user:0+2,1 a":               "0,2 1",
		"srun -n 4 -c 2 --gpu-bind=none a":                       "",
	} {
		got, err := placed(t.Context(), two, strings.Fields(line))
		if want != "" && (got != want || err != nil) || want == "" && err == nil {
			t.Errorf("%s: %v, %s", line, err, cmp.Diff(want, got))
		}
	}
	// More ranks than slots are refused without --oversubscribe, as Open MPI refuses them.
	if _, err := placed(t.Context(), two, strings.Fields("mpirun -np 9 a")); err == nil || !strings.Contains(err.Error(), "not enough slots") {
		t.Errorf("nine ranks on eight slots: %v", err)
	}
}

// Files of hosts: Open MPI 4.1.4 reads "name slots=N", or as many lines with a name as it has slots, else the cores of the
// host, and refuses both for a host; Hydra 4.0.2 adds "name:N", a name alone is 1 (mpirun --display-allocation and mpiexec
// -v of both told so).
func TestHostfile(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ file, line, want string }{
		{"# c\na slots=1\nu@b slots = 2 max_slots=9 # d\n", "mpirun --hostfile F -n 3 --map-by slot --bind-to core x", "a:0 b:0 b:1"},
		{"a slots=1\nb\n", "mpirun --hostfile F --map-by slot --bind-to core x", "a:0 b:0 b:1"},
		{"a\nb\na", "mpirun -machinefile F -n 3 --map-by slot --bind-to none x", "a:0-1 a:0-1 b:0-1"},
		{"a:1\nb\na:1 user=u\r\n", "mpiexec.hydra -f F -n 3 -bind-to core x", "a:0 a:1 b:0"},
		{"a:1\nb:2\n", "mpirun -machinefile F -n 3 -bind-to core x", "a:0 b:0 b:1"}, // Hydra's, which the file tells
		{"a slots=1\nb slots=1", "mpirun --host a --host b -n 2 --bind-to core x", "a:0 b:0"},
		{"a slots=1\nb slots=1", "mpirun --hostfile F -n 3 x", "not enough slots"},
		{"a slots=1 max_slots=2\n", "mpirun --hostfile F --oversubscribe -n 3 x", "leave out max_slots"},
		{"a slots=1\na\n", "mpirun --hostfile F x", "line 2: a stands in two lines"},
		{"a\na slots=1\n", "mpirun --hostfile F x", "line 2: a stands in two lines"},
		{"a slots=0\n", "mpirun --hostfile F x", "line 1: slots=0: want a number"},
		{"a 4\n", "mpirun --hostfile F x", `line 1: "4": want slots=N`},
		{"a cpuset=4\n", "mpirun --hostfile F x", `line 1: "cpuset=4": want slots=N`},
		{"\n^a\n", "mpirun --hostfile F x", `line 2: want the name of a host, not "^a"`},
		{"a:2\n", "mpirun.openmpi --hostfile F x", "line 1: a:2 is Hydra's spelling: write a slots=2"},
		{"a slots=2\n", "mpiexec.hydra -f F -n 1 x", `line 1: "slots=2": want a:N`},
		{"a:b\n", "mpiexec.hydra -f F -n 1 x", "line 1: a:b: want a number"},
		{"# nobody\n", "mpirun --hostfile F x", "the file names no host"},
		{"\xff", "mpirun --hostfile F x", "this is not text"},
		{"a\n", "mpirun --hostfile F --host b x", "given twice"},
		{"a\n", "mpirun --host b --hostfile F x", "given twice"},
	} {
		path := filepath.Join(t.TempDir(), "F")
		if err := os.WriteFile(path, []byte(c.file), 0o600); err != nil {
			t.Fatal(err)
		}
		line := words(c.line)
		for i, w := range line {
			if w == "F" {
				line[i] = path
			}
		}
		got, err := placed(t.Context(), "core:2", line)
		if got != c.want && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%q, %s: %q, %v; want %q", c.file, c.line, got, err, c.want)
		}
	}
}

// Every option that the launchers here name in their help is in the tables: none is unknown. A value is given where the
// help shows one.
func TestOptionsOfOpenMPIAndHydra(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		program, launcher string
		args              []string
		option            string
	}{
		{"mpirun", "orterun", []string{"--allow-run-as-root", "--help", "all"}, `(?m)^ *((?:-[-\w]+\|?)+)(?: <arg0>)?(?: <arg1>)?`},
		{"mpiexec.hydra", "mpiexec.hydra", []string{"-help"}, `(?m)^ +((?:-[-\w]+/?)+) `},
	} {
		out, _ := exec.Command(judge.Ask(t, c.program), c.args...).CombinedOutput()
		seen := 0
		for _, m := range regexp.MustCompile(c.option).FindAllStringSubmatch(string(out), -1) {
			for _, name := range strings.FieldsFunc(m[1], func(r rune) bool { return r == '|' || r == '/' }) {
				seen++
				_, err := launch.Read([]string{c.launcher, name, "1", "1"})
				if err != nil && strings.Contains(err.Error(), "has no option") {
					t.Errorf("%s: %v", c.program, err)
				}
			}
		}
		if seen < 40 {
			t.Errorf("%s: only %d options: %s", c.program, seen, out)
		}
	}
}
