//go:build unix

package cmd_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/scripts"
)

// beyondOpenMPI are the embedded programs that Open MPI 4.1.4 with mpi4py 3.1.4 does not follow, and why:
// as in testdata/conformance/openmpi-4.1.4.txt.
var beyondOpenMPI = map[string]verdict{
	"create-from-group":                {"lacks", "sessions came with MPI-4.0"},
	"create-from-group-arguments":      {"lacks", "sessions came with MPI-4.0"},
	"intercomm-from-groups":            {"lacks", "sessions came with MPI-4.0"},
	"tag-bound-of-a-session":           {"lacks", "sessions came with MPI-4.0"},
	"dup-attaches-no-buffer":           {"lacks", "buffers of communicators came with MPI-4.1"},
	"idup-with-info-as-if-at-the-call": {"lacks", "MPI_Comm_idup_with_info came with MPI-4.0"},
	"create-group-carries-nothing":     {"fails", "copies attributes and topology (open-mpi/ompi#14421)"},
	"create-group-tags-and-messages":   {"hangs/fails", "its own messages use tag on comm, so that a pending receive catches them"},
	"create-group-needs-one-group":     {"fails", "accepts an intercommunicator"},
	"create-subgroups-only":            {"fails/crashes", "does not check that the group is in comm"},
	"create-groups-must-be-equal":      {"fails/crashes", "does not compare the groups"},
	"create-in-mpi-1.1":                {"fails", "follows MPI-3.1: disjoint groups came with MPI-2.2"},
	"idup-before-completion":           {"fails/crashes", "does not check that the operation is complete"},
	"predefined-attributes-stay":       {"fails", "MPI_ERR_OTHER"},
}

// needsHardware matches programs that no MPI library can run on the one host of a test.
var needsHardware = regexp.MustCompile(`HW_|RESOURCE_GUIDED|Get_hw|machine:|--pset|bind\(`)

// The examples without hardware run unchanged under Open MPI with mpi4py, with the same expectations.
func TestExamplesOpenMPI(t *testing.T) {
	t.Parallel()
	python := openMPI(t)
	needVersions(t, python)
	dir := t.TempDir()
	var list []rule
	for _, e := range scripts.All() {
		m := ruleRanks.FindStringSubmatch(strings.ReplaceAll(e.Text, "--std draft2019 -n", "-n"))
		if !strings.HasSuffix(e.File, ".py") || needsHardware.MatchString(e.Text) {
			continue
		}
		if m == nil {
			t.Fatalf("%s has no ranks", e.File)
		}
		file := filepath.Join(dir, e.File)
		if err := os.WriteFile(file, []byte(e.Text), 0o600); err != nil {
			t.Fatal(err)
		}
		list = append(list, rule{name: e.Name, file: file, ranks: m[1]})
	}
	if len(list) < 40 {
		t.Errorf("only %d examples are judged", len(list))
	}
	judged := judgeRules(t, python, beyondOpenMPI, list)
	for _, name := range sortedKeys(judged) {
		want := "passes"
		if d, ok := beyondOpenMPI[name]; ok {
			want = d.outcome
		}
		if got := judged[name]; !strings.Contains(want, got.outcome) {
			t.Errorf("%s %s, where it should be: %s\n%s", name, got.outcome, want, got.detail)
		}
	}
	for _, name := range sortedKeys(beyondOpenMPI) {
		if _, ok := judged[name]; !ok {
			t.Errorf("there is no example %s to be judged", name)
		}
	}
}
