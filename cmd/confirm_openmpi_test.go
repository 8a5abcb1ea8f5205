//go:build unix

package cmd_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"commsplit/cmd"
	"commsplit/scripts"
)

// knownOf are the deviations that confirm names for the embedded scripts, by script.
var (
	knownOfOpenMPI = map[string][]string{
		"create-groups-must-be-equal": {"create-groups-clash"},
		"create-in-mpi-1.1":           {"create-std-1.1"},
		"create-subgroups-only":       {"create-not-subset"},
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

// confirmation is the document of confirm.
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

// Open MPI and MPICH give what the engine gives for every embedded script, but for the deviations that are
// known of them. All of them take minutes: without JUDGE=1 it is every twelfth.
func TestConfirmOpenMPI(t *testing.T) {
	t.Parallel()
	confirmAll(t, "mpirun.openmpi", "Open MPI 4.1.4", knownOfOpenMPI)
}

func TestConfirmHydra(t *testing.T) {
	t.Parallel()
	confirmAll(t, "mpirun.mpich", "MPICH 4.0.2", knownOfMPICH)
}

func confirmAll(t *testing.T, mpirun, library string, known map[string][]string) {
	for _, need := range []string{mpirun, strings.Replace(mpirun, "mpirun", "mpicc", 1)} {
		if _, err := exec.LookPath(need); err != nil {
			t.Skip("needs " + need)
		}
	}
	compared := 0
	for i, e := range scripts.All() {
		if os.Getenv("JUDGE") == "" && i%12 != 0 {
			continue
		}
		r := run(t, "", "confirm", e.Name, "--mpirun", mpirun, "-o", "json")
		var c confirmation
		if err := json.Unmarshal([]byte(r.out), &c); err != nil {
			t.Errorf("%s: code %d: %s%v", e.Name, r.code, r.err, err)
			continue
		}
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
