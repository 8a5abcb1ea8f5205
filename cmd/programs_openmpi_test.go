//go:build unix

package cmd_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/cmd"
	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw/judge"
	"codeberg.org/commsplit/commsplit/scripts"
)

// compilers compile an exported program with all warnings as errors.
var compilers = map[string][]string{
	"c":   {"-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-c"},
	"f08": {"-cpp", "-std=f2008", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-c"},
}

// longestLine is what Fortran allows, with the line's end.
const longestLine = 132 + 1

// compiled writes the program of an example, and compiles it to a file when there is one to make.
func compiled(t *testing.T, compiler, to, name, made string, flags ...string) {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, map[string]string{"c": "program.c", "f08": "program.f90"}[to])
	if r := run(t, "", append([]string{"export", name, "--to", to, file}, flags...)...); r.code != cmd.OK {
		t.Fatalf("%s: code %d: %s", name, r.code, r.err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if len(line) > longestLine {
			t.Errorf("%s as %s has a line of %d characters: %s", name, to, len(line), line)
		}
	}
	args := compilers[to]
	if made != "" {
		args = append(args[:len(args)-1:len(args)-1], "-o", made)
	}
	c := exec.CommandContext(t.Context(), compiler, append(slices.Clone(args), filepath.Base(file))...)
	c.Dir = dir
	if out, err := c.CombinedOutput(); err != nil {
		t.Errorf("%s does not compile %s as %s: %v\n%s", compiler, name, to, err, out)
	}
}

// Every example is a C and a Fortran program that Open MPI and MPICH compile without a warning.
func TestProgramsCompileOpenMPI(t *testing.T) {
	t.Parallel()
	for compiler, to := range map[string]string{"mpicc.openmpi": "c", "mpicc.mpich": "c", "mpifort.openmpi": "f08", "mpifort.mpich": "f08"} {
		t.Run(compiler, func(t *testing.T) {
			t.Parallel()
			judge.Ask(t, compiler)
			for _, e := range scripts.All() {
				compiled(t, compiler, to, e.Name, "")
			}
		})
	}
}

// An exported program of the engine's calls gives the engine's communicators under Open MPI, in C and in
// Fortran.
func TestProgramsRunOpenMPI(t *testing.T) {
	t.Parallel()
	for to, compiler := range map[string]string{"c": "mpicc.openmpi", "f08": "mpifort.openmpi"} {
		judge.Ask(t, compiler)
		judge.Ask(t, "mpirun.openmpi")
		for _, name := range []string{
			"lesson-03-ties-and-keys", "split-hierarchy", "create-subdivides-further", "create-group-by-merging", "create-on-two-groups",
			"local-and-remote-groups", "idup-as-if-at-the-call", "dup-with-pending-communication", "lesson-12-two-groups",
		} {
			t.Run(to+" "+name, func(t *testing.T) {
				t.Parallel()
				program := filepath.Join(t.TempDir(), "program")
				compiled(t, compiler, to, name, program)
				doc := decode(t, run(t, "", "run", name, "-o", "json").out)
				if d := cmp.Diff(engineSays(t, name), programSays(t, program, doc.World.Size, "openmpi")); d != "" {
					t.Errorf("lines (-engine +Open MPI):\n%s", d)
				}
			})
		}
	}
}

// programSays runs a program under a library and returns its lines in order.
func programSays(t *testing.T, program string, ranks int, lib string) []string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
	defer cancel()
	args := []string{judge.Ask(t, map[string]string{"openmpi": "mpirun.openmpi", "mpich": "mpiexec.mpich"}[lib]), "-n", strconv.Itoa(ranks), program}
	if lib == "openmpi" {
		args = slices.Insert(args, 1, "--oversubscribe")
	}
	c := exec.CommandContext(ctx, args[0], args[1:]...)
	c.Env = judge.OpenMPI(t)
	c.WaitDelay = 5 * time.Second
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var lines []string
	for line := range strings.Lines(string(out)) {
		lines = append(lines, strings.TrimSpace(line))
	}
	slices.Sort(lines)
	return lines
}

// engineSays is what a program should print, from the engine's table.
func engineSays(t *testing.T, name string) []string {
	t.Helper()
	var lines []string
	var rows [][]string
	leaders := map[string]string{} // of a group: handle, id and side
	for line := range strings.Lines(run(t, "", "export", name, "--to", "csv").out) {
		rows = append(rows, strings.Split(strings.TrimSuffix(line, "\n"), ","))
		if row := rows[len(rows)-1]; row[4] == "0" {
			leaders[row[2]+row[6]] = row[0]
		}
	}
	for _, row := range rows[1:] {
		switch {
		case row[2] == "":
			lines = append(lines, fmt.Sprintf("world rank %s -> %s: MPI_COMM_NULL", row[0], row[1]))
			continue
		case row[2] == "1":
			leaders["1"] = row[0] // its own MPI_COMM_SELF
		}
		line := fmt.Sprintf("world rank %s -> %s led by %s, rank %s, size %s", row[0], row[1], leaders[row[2]+row[6]], row[4], row[5])
		if other := map[string]string{"left": "right", "right": "left"}[row[6]]; other != "" {
			line += fmt.Sprintf("; remote led by %s, size %s", leaders[row[2]+other], row[7])
		}
		lines = append(lines, line)
	}
	slices.Sort(lines)
	return lines
}

// A program in Python prints here what the others print, on every rank.
func TestPythonProgramSays(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"split-hierarchy", "lesson-12-two-groups", "example-7.5", "create-on-two-groups"} {
		file := filepath.Join(t.TempDir(), "program.py")
		if r := run(t, "", "export", name, "--to", "mpi4py", file); r.code != cmd.OK {
			t.Fatalf("%s: code %d: %s", name, r.code, r.err)
		}
		var got []string
		for _, o := range decode(t, run(t, "", "run", file, "-o", "json").out).Output {
			ranks, err := engine.ParseRanks(o.Ranks, engine.MaxSize)
			if err != nil {
				t.Fatal(err)
			}
			for range ranks.All {
				if strings.HasPrefix(o.Text, "world rank ") {
					got = append(got, o.Text)
				}
			}
		}
		slices.Sort(got)
		null := func(line string) bool { return strings.HasSuffix(line, "MPI_COMM_NULL") } // shorter lists have fewer
		if d := cmp.Diff(slices.DeleteFunc(engineSays(t, name), null), slices.DeleteFunc(got, null)); d != "" {
			t.Errorf("%s (-table +program):\n%s", name, d)
		}
	}
}
