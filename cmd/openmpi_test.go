package cmd_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/cmd"
	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw/judge"
)

// ranksHere is the number of ranks that the programs are written for.
const ranksHere = 6

// The same program prints the same on every rank here and under a real MPI: Open MPI with mpi4py is
// the judge of everything that does not need hardware.
func TestOpenMPI(t *testing.T) {
	t.Parallel()
	python := openMPI(t)
	files, err := filepath.Glob(filepath.Join("..", "testdata", "programs", "*.py"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no programs: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			r := run(t, "", "run", file, "-n", strconv.Itoa(ranksHere), "--topo", "core:6", "-o", "json")
			if r.code != cmd.OK {
				t.Fatalf("code %d: %s", r.code, r.err)
			}
			want := mpirun(t, python, file)
			if d := cmp.Diff(want, perRank(t, decode(t, r.out))); d != "" {
				t.Errorf("lines by rank (-Open MPI +here):\n%s", d)
			}
		})
	}
}

// openMPI finds a Python with mpi4py that mpirun starts, or skips the test.
func openMPI(t *testing.T) string {
	t.Helper()
	judge.Ask(t, "mpirun.openmpi")
	python := judge.Ask(t, "/usr/bin/python3")
	if err := exec.Command(python, "-c", "import mpi4py").Run(); err != nil {
		t.Skip("needs mpi4py")
	}
	return python
}

// mpirun runs a program under Open MPI and returns what each rank prints, line by line. Each rank
// writes to its own file: merged, lines would be torn.
func mpirun(t *testing.T, python, file string) [][]string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
	defer cancel()
	dir := t.TempDir()
	c := exec.CommandContext(ctx, judge.Ask(t, "mpirun.openmpi"), "--oversubscribe", "-n", strconv.Itoa(ranksHere),
		"/bin/sh", "-c", `exec "$0" "$1" > "$2/$OMPI_COMM_WORLD_RANK"`, python, file, dir)
	c.Env = judge.OpenMPI(t)
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	lines := make([][]string, ranksHere)
	for rank := range lines {
		text, err := os.ReadFile(filepath.Join(dir, strconv.Itoa(rank)))
		if err != nil {
			t.Fatal(err)
		}
		lines[rank] = strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	}
	return lines
}

// perRank returns the output of a document, line by line for each rank.
func perRank(t *testing.T, doc *document) [][]string {
	t.Helper()
	lines := make([][]string, doc.World.Size)
	for _, o := range doc.Output {
		ranks, err := engine.ParseRanks(o.Ranks, doc.World.Size)
		if err != nil {
			t.Fatal(err)
		}
		for rank := range ranks.All {
			lines[rank] = append(lines[rank], o.Text)
		}
	}
	return lines
}

// The programs need nothing that a real MPI does not have: otherwise they would compare nothing.
func TestProgramsArePlain(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join("..", "testdata", "programs", "*.py"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i, l := range strings.Split(string(text), "\n") {
			if strings.Contains(l, "import") && l != "from mpi4py import MPI" {
				t.Errorf("%s:%d: %s", file, i+1, l)
			}
		}
	}
}
