//go:build unix

package cmd_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/cmd"
	"codeberg.org/commsplit/commsplit/hw/judge"
	"codeberg.org/commsplit/commsplit/scripts"
)

// knownOf are the deviations that confirm names for the embedded scripts, by script.
var (
	knownOfOpenMPI = map[string][]string{
		"create-group-carries-nothing": {"create-group-topology"},
		"create-groups-must-be-equal":  {"create-groups-clash"},
		"create-in-mpi-1.1":            {"create-std-1.1"},
		"create-subgroups-only":        {"create-not-subset"},
	}
	knownOfMPICH = map[string][]string{
		"create-groups-must-be-equal": {"create-groups-clash"},
		"create-in-mpi-1.1":           {"create-std-1.1"},
		"create-subgroups-only":       {"create-not-subset"},
		"guided-same-value":           {"resource-differs"},
		"lesson-05-negative-color":    {"negative-color"},
		"split-color-is-nonnegative":  {"negative-color"},
		"split-type-different":        {"split-type-differs"},
		"tag-bound":                   {"tag-ub"},
	}
)

// confirmation is the JSON document of commsplit confirm.
type confirmation struct {
	Verdict, Library string
	Constructors     int
	Handles          int
	Findings         []struct {
		Kind       string
		Deviations []struct{ Deviation string }
	}
	NotCompared []struct{ What []string } `json:"not_compared"`
}

// Open MPI and MPICH give what the engine gives for every embedded script, except for their known deviations.
func TestConfirmOpenMPI(t *testing.T) {
	t.Parallel()
	confirmAll(t, "mpirun.openmpi", "Open MPI 4.1.4", knownOfOpenMPI)
}

func TestConfirmHydra(t *testing.T) {
	t.Parallel()
	confirmAll(t, "mpirun.mpich", "MPICH 4.0.2", knownOfMPICH)
}

func confirmAll(t *testing.T, mpirun, library string, known map[string][]string) {
	judge.Ask(t, mpirun)
	judge.Ask(t, strings.Replace(mpirun, "mpirun", "mpicc", 1))
	compared := 0
	for _, e := range scripts.All() {
		r := run(t, "", "confirm", e.Name, "--mpirun", mpirun, "-o", "json")
		var c confirmation
		if err := json.Unmarshal([]byte(r.out), &c); err != nil {
			t.Errorf("%s: code %d: %s%v", e.Name, r.code, r.err, err)
			continue
		}
		valid(t, "confirm", r.out)
		if c.Library != library {
			t.Skipf("the deviations are those of %s; here is %s", library, c.Library)
		}
		var got []string
		for _, f := range c.Findings {
			for _, d := range f.Deviations {
				if !slices.Contains(got, d.Deviation) {
					got = append(got, d.Deviation)
				}
			}
			if f.Kind != "known" {
				t.Errorf("%s: a finding is %s:\n%s", e.Name, f.Kind, r.out)
			}
		}
		if d := cmp.Diff(known[e.Name], got); d != "" || r.code != cmd.OK {
			t.Errorf("%s: code %d, deviations (-known +found):\n%s", e.Name, r.code, d)
		}
		compared += min(c.Constructors, 1)
		t.Logf("%s: %s", e.Name, c.Verdict)
	}
	if compared < 3 {
		t.Errorf("only %d scripts have a constructor that is compared", compared)
	}
}

// Open MPI and MPICH give what the solutions of the exercises give, at each size. Exercises that name worlds instead of
// sizes, or hardware, are left out: they are about nodes and process sets, which the one host of a test does not have.
func TestConfirmExercisesOpenMPI(t *testing.T) {
	t.Parallel()
	confirmExercises(t, "mpirun.openmpi")
}

func TestConfirmExercisesHydra(t *testing.T) {
	t.Parallel()
	confirmExercises(t, "mpirun.mpich")
}

var sizesLine = regexp.MustCompile(`(?m)^# sizes: (.+)$`)

func confirmExercises(t *testing.T, mpirun string) {
	judge.Ask(t, mpirun)
	judge.Ask(t, strings.Replace(mpirun, "mpirun", "mpicc", 1))
	dir, asked := t.TempDir(), 0
	for _, e := range scripts.Practice.Examples() {
		m := sizesLine.FindStringSubmatch(e.Text)
		if m == nil || needsHardware.MatchString(e.Text) {
			continue
		}
		file := filepath.Join(dir, e.File)
		if err := os.WriteFile(file, []byte(e.Text), 0o600); err != nil {
			t.Fatal(err)
		}
		asked++
		for _, n := range strings.Split(m[1], ", ") {
			r := run(t, "", "confirm", file, "-n", n, "--mpirun", mpirun, "-o", "json")
			var c confirmation
			if err := json.Unmarshal([]byte(r.out), &c); err != nil || r.code != cmd.OK || c.Verdict != "equal" || c.Constructors == 0 {
				t.Errorf("%s with %s ranks: code %d, %v: %s%s", e.Name, n, r.code, err, r.err, r.out)
			}
		}
	}
	if asked < 18 {
		t.Errorf("only %d exercises are asked about", asked)
	}
}

// Scripts that end badly also end badly under the libraries: a deadlock hangs, an erroneous call is found or known not
// to be found, and the consequences of a known deviation are no second deviation.
func TestConfirmBadEndsOpenMPI(t *testing.T) {
	t.Parallel()
	const turned = `inter = world.Split(world.rank % 2, 0).Create_intercomm(0, world, 1 - world.rank % 2, 7)
turned = inter.Create(inter.Get_group().Incl([2, 1, 0]))
copy = turned.Dup()`
	for name, c := range map[string]struct{ script, verdict, says string }{
		"openmpi deadlock":   {"@0-2 barrier world\n@3-5 dup world", "equal", "DEADLOCK on world"},
		"mpich deadlock":     {"@0-2 barrier world\n@3-5 dup world", "equal", "DEADLOCK on world"},
		"openmpi erroneous":  {"split world color=-1", "equal", `"erroneous_calls": 1`},
		"mpich erroneous":    {"split world color=-1", "known deviation", "negative-color"},
		"openmpi descendant": {turned, "known deviation", "create-inter-order"},
		"mpich descendant":   {turned, "equal", `"constructors": 4`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			library, _, _ := strings.Cut(name, " ")
			judge.Ask(t, "mpirun."+library)
			judge.Ask(t, "mpicc."+library)
			r := run(t, c.script, "confirm", "-", "-n", "6", "--topo", "core:6", "--mpirun", "mpirun."+library, "--limit", "24", "-o", "json")
			if r.code != cmd.OK || !strings.Contains(r.out, `"verdict": "`+c.verdict+`"`) || !strings.Contains(r.out, c.says) {
				t.Errorf("code %d, which should say %s and %s: %s\n%s", r.code, c.verdict, c.says, r.err, r.out)
			}
			valid(t, "confirm", r.out)
		})
	}
}

// The attributes of a communicator beside its members are compared: Open MPI's MPI_Comm_create_group keeps the virtual
// topology, which MPI-5.0 §7.4.2 does not allow; names are as the session gave them.
func TestConfirmAspectsOpenMPI(t *testing.T) {
	t.Parallel()
	const grid = `grid = world.Create_cart([2, 3], [1, 0])
row = grid.Sub([0, 1])
row.Set_name("row %d" % (world.rank // 3))
again = row.Dup()
`
	for name, c := range map[string]struct{ script, verdict, says string }{
		"openmpi equal":     {grid, "equal", `"names"`},
		"mpich equal":       {grid, "equal", `"names"`},
		"openmpi inherited": {grid + "same = grid.Create_group(grid.Get_group())", "known deviation", "create-group-topology"},
		"mpich inherited":   {grid + "same = grid.Create_group(grid.Get_group())", "equal", `"constructors": 4`},
		"openmpi cached":    {"k = MPI.Comm.Create_keyval(copy_fn=True)\nworld.Set_attr(k, 3)\nd = world.Dup()", "equal", "MPI_Comm_set_attr (<stdin>:2)"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			library, _, _ := strings.Cut(name, " ")
			judge.Ask(t, "mpirun."+library)
			judge.Ask(t, "mpicc."+library)
			r := run(t, c.script, "confirm", "-", "-n", "6", "--topo", "core:6", "--mpirun", "mpirun."+library, "-o", "json")
			if r.code != cmd.OK || !strings.Contains(r.out, `"verdict": "`+c.verdict+`"`) || !strings.Contains(r.out, c.says) {
				t.Errorf("code %d, which should say %s and %s: %s\n%s", r.code, c.verdict, c.says, r.err, r.out)
			}
			valid(t, "confirm", r.out)
		})
	}
}

// perNode is a session whose communicators depend on which ranks share a host.
const perNode = `node = split_type world SHARED key=-rank
lead = split world color=(0 if node.rank==0 else UNDEFINED)
expect_parts node [[1,0],[3,2]]
`

// With a launcher that puts two ranks on each of two hosts, communicators that depend on hosts can be compared: the
// session gets the launcher's hosts, and so does the library.
func TestConfirmLauncherHydra(t *testing.T) {
	t.Parallel()
	judge.Ask(t, "mpirun.mpich")
	judge.Ask(t, "mpicc.mpich")
	confirmPlaced(t, "mpirun.mpich -launcher fork -hosts node0:2,node1:2", "4 ranks on 2 hosts")
	confirmPlaced(t, "mpirun.mpich -launcher fork -hosts node0:2,node1:2 -n {n}", "4 ranks on 2 hosts")
}

// shellTo is a remote shell to this machine under another name, so that a launcher takes it for another host.
const shellTo = `#!/bin/sh
while [ "${1#-}" != "$1" ]; do shift; done
host=$1; shift
exec unshare -u sh -c "hostname $host; $*" < /dev/null
`

func TestConfirmLauncherOpenMPI(t *testing.T) {
	t.Parallel()
	judge.Ask(t, "mpirun.openmpi")
	judge.Ask(t, "mpicc.openmpi")
	if out, err := exec.Command(judge.Ask(t, "unshare"), "-u", "hostname", "cn01").CombinedOutput(); err != nil {
		t.Skipf("no other names of hosts here: %v %s", err, out)
	}
	shell := filepath.Join(t.TempDir(), "rsh")
	if err := os.WriteFile(shell, []byte(shellTo), 0o700); err != nil {
		t.Fatal(err)
	}
	confirmPlaced(t, "mpirun.openmpi --mca plm_rsh_agent "+shell+" --host cn01:2,cn02:2 --bind-to none", "4 ranks on 2 hosts")
}

func confirmPlaced(t *testing.T, launcher, extent string) {
	t.Helper()
	r := run(t, perNode, "confirm", "-", "-n", "4", "--launcher", launcher)
	if r.code != cmd.OK || !strings.HasPrefix(r.out, "equal: ") || !strings.Contains(r.out, "compared: "+extent+", 2 constructor calls, 2 handles\n") ||
		strings.Contains(r.out, "not compared") {
		t.Errorf("%s: code %d: %s\n%s", launcher, r.code, r.err, r.out)
	}
}
