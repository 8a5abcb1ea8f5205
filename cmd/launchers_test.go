package cmd_test

import (
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/cmd"
)

// A flag of a launcher, typed as for the launcher, is answered with one line that names the flag and what to write; no
// such flag is read as letters, or as a line of the language.
func TestLaunchersFlags(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"--topo frontier -n 64 -c 2 --cpu-bind=cores":         "error: -c 2 would run the line 2: instead of srun's -c, write --cpus-per-task 2\n",
		"dup world --topo frontier -n 8 -c 7 -m block:cyclic": "error: -c 7 would run the line 7: instead of srun's -c, write --cpus-per-task 7\n",
		"hw map --topo frontier -n 64 -c 2":                   "error: -c 2 would run the line 2: instead of srun's -c, write --cpus-per-task 2\n",
		"-n 2 -N 1":                                           "error: -N is a flag of mpirun or srun; here write --map-by ppr:N:node for mpirun's, --topo 'SPEC*N' for srun's\n",
		"split world color=0 -N1":                             "error: -N is a flag of mpirun or srun; here write --map-by ppr:N:node for mpirun's, --topo 'SPEC*N' for srun's\n",
		"-ppn 2":                                              "error: -ppn is a flag of Hydra; here write --map-by ppr:N:node\n",
		"hw map -hosts a,b":                                   "error: -hosts is a flag of Hydra; here write --topo 'machine:N pack:2 core:8', a machine with N hosts\n",
		"hw map -host=a":                                      "error: -host is a flag of mpirun; here write --topo 'machine:N pack:2 core:8', a machine with N hosts\n",
		"hw map -npernode 2":                                  "error: -npernode is a flag of mpirun; here write --map-by ppr:N:node\n",
		"-machinefile h":                                      "error: -machinefile is a flag of mpirun; here write --topo 'machine:N pack:2 core:8', a machine with N hosts\n",
		"hw map -report-bindings":                             "error: -report-bindings is a flag of mpirun; here write commsplit hw map\n",
		"hw map --mapby core":                                 "error: --mapby is a flag of PRRTE; here write --map-by\n",
		"hw map --ntasks-per-core 1":                          "error: --ntasks-per-core is a flag of srun; here write --map-by ppr:N:core\n",
		"split world color=0 -rank":                           "error: -rank: there is no such flag; an argument that begins with - needs its name, as in key=-rank\n",
	} {
		got := run(t, "", strings.Fields(line)...)
		if got.code != cmd.Usage || got.out != "" || got.err != want {
			t.Errorf("%s: %+v", line, got)
		}
	}
}

// A launch line behind -- makes the world of every command that makes one, and says alone how many ranks there are, and
// where. From then on flags say it, as in what .world prints. What stands behind a program of "run" is not a launch line.
func TestLaunchLine(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ args, line, out, err string }{
		{"hw map", "srun -N 2 -n 4 -c 2 -A abc ./app -n 7", "[node0] Rank 0 bound to package[0][core:0-1]\n" +
			"[node0] Rank 1 bound to package[1][core:2-3]\n[node1] Rank 2 bound to package[0][core:0-1]\n" +
			"[node1] Rank 3 bound to package[1][core:2-3]\n", "note: without effect on where ranks run: -A abc\n"},
		{"-c world.size", "srun -n 2 ./app", "[0-1] 2\n", ""},
		{"repl -c world.size", "orterun -np 3 ./app", "[0-2] 3\n",
			"note: without --map-by, ranks are mapped as Open MPI 5 maps them; Open MPI 4 maps by numa\n"},
		{"run - -c world.size", "mpiexec.hydra -n 2 ./app", "[0-1] 2\n", ""},
		{"split world color=0 --picture tree -o json", "srun -n 2 ./app", "{\n  \"version\": 1", ""},
		{"hw map -n 3", "srun -n 2 ./app", "", "error: the launch line behind -- already sets the number and places of the ranks: leave out --np\n"},
		{"hw map --bind-to core", "srun -n 2 ./app", "", "error: the launch line behind -- already sets the number and places of the ranks: leave out --bind-to\n"},
		{"hw map", "jsrun -n 2 ./app", "", "error: jsrun is not supported"},
		{"hw show", "srun -n 2 ./app", "", "error: commsplit hw show takes no argument"},
		{"hw map --topo core:2*3", "srun -N 2 -n 2 ./app", "", "error: the launch line names 2 machines, but --topo has 3: give the same number\n"},
	} {
		args := strings.Fields(c.args)
		if !strings.Contains(c.args, "--topo") {
			args = append(args, "--topo", "pack:2 core:2")
		}
		got := run(t, "", append(append(args, "--"), strings.Fields(c.line)...)...)
		if !strings.HasPrefix(got.out, c.out) || !strings.HasPrefix(got.err, c.err) || (got.code != cmd.OK) != (c.out == "") {
			t.Errorf("%s -- %s: %+v", c.args, c.line, got)
		}
	}
	if got := run(t, ".world\n", "repl", "--topo", "pack:1 core:4", "--", "srun", "-N2", "-n4", "-c2", "./app"); !strings.HasPrefix(got.out,
		"4 ranks on pack:1 core:4*2, placed as by srun --cpus-per-task 2, MPI-5.0\n") {
		t.Errorf(".world: %+v", got)
	}
}

// A line of -c that only computes prints its value, as at the prompt; a line of a script does not.
func TestLineComputes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args []string
		in   string
		want string
	}{
		{[]string{"-c", "1+1"}, "", "[0-1] 2\n"},
		{[]string{"-c", "2"}, "", "[0-1] 2\n"},
		{[]string{"-c", "world.rank * 10"}, "", "[0] 0\n[1] 10\n"},
		{[]string{"-c", "x = 3", "-c", "x"}, "", "[0-1] 3\n"},
		{nil, "1+1\n", ""},
	} {
		got := run(t, c.in, append([]string{"-n", "2", "--topo", "core:2"}, c.args...)...)
		if got.code != cmd.OK || got.out != c.want || got.err != "" {
			t.Errorf("%q: %+v", c.args, got)
		}
	}
}
