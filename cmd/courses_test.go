package cmd_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeberg.org/commsplit/commsplit/cmd"
	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw/judge"
)

// Whole programs of C and Fortran print what the standards of C, Fortran and MPI say: each .txt was worked out by hand.
func TestCourses(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../testdata/programs/*/*.[cf]*")
	if err != nil || len(files) < 3 {
		t.Fatal(err, len(files))
	}
	for _, file := range files {
		want, err := os.ReadFile(strings.TrimSuffix(file, filepath.Ext(file)) + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		r := run(t, "", "run", file, "-n", "4")
		if r.code != cmd.OK || r.err != "" {
			t.Errorf("%s: code %d: %s", file, r.code, r.err)
		}
		if d := cmp.Diff(sortedLines(string(want)), sortedLines(r.out)); d != "" {
			t.Errorf("%s: -want +got:\n%s", file, d)
		}
	}
}

func sortedLines(text string) []string {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	slices.Sort(lines)
	return lines
}

// What goes wrong in a program of C, or is beyond what is carried out, is one message at its line.
func TestCourseMistakes(t *testing.T) {
	t.Parallel()
	const head = "#include <stdio.h>\n#include <stdlib.h>\n#include <mpi.h>\nint main(int argc, char **argv) {\nMPI_Init(0, 0); int r, x, a[4]; int *p = NULL; " +
		"MPI_Comm_rank(MPI_COMM_WORLD, &r);\n" // what follows is line 6
	for body, want := range map[string]struct {
		code cmd.Code
		text string
	}{
		"a[4] = 1;":                         {cmd.Usage, "prog.c:6:2: there is no entry 4: a has 4"},
		"*p = 1;":                           {cmd.Usage, "prog.c:6:1: the pointer is NULL"},
		"printf(\"%d\", x);":                {cmd.Usage, "prog.c:6:14: x has no value yet"},
		"r = 1 / (r - r);":                  {cmd.Usage, "prog.c:6:7: division by zero"},
		"p = malloc(8); free(p); p[0] = 1;": {cmd.Usage, "prog.c:6:26: the memory has been freed"},
		"r = y;":                            {cmd.Usage, "prog.c:6:5: y is not declared"},
		"printf(\"%s\", r);":                {cmd.Usage, "prog.c:6:14: %s prints a text, not a number, int"},
		"exit(3);":                          {cmd.Usage, "prog.c:6:1: the program ended itself with exit code 3"},
		"struct point { int x; } q;": {cmd.Usage,
			"prog.c:6:1: a structure is not supported here: run it under a real MPI, and see it here: commsplit record -- mpirun -n 4 prog.c"},
		"FILE *f = fopen(\"x\", \"r\");":                                        {cmd.Usage, "prog.c:6:1: a file is not supported here"},
		"MPI_Send(a, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);":                     {cmd.Usage, "the buffer has elements of int, but the datatype is MPI_DOUBLE"},
		"MPI_Send(a, 5, MPI_INT, 0, 0, MPI_COMM_WORLD);":                        {cmd.Usage, "5 elements from entry 0 on do not fit: a has 4"},
		"MPI_Recv(a, 1, MPI_INT, 1 - r, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);": {cmd.Deadlock, "prog.c:6"},
		"MPI_Sendrecv(a, 4, MPI_INT, 1 - r, 0, a, 2, MPI_INT, 1 - r, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);": {cmd.Erroneous,
			"MPI_ERR_TRUNCATE in MPI_Recv (prog.c:6)"},
		"MPI_Send(a, 1, MPI_INT, 7, 0, MPI_COMM_WORLD);": {cmd.Erroneous, "MPI_ERR_RANK in MPI_Send (prog.c:6)"},
	} {
		file := filepath.Join(t.TempDir(), "prog.c")
		if err := os.WriteFile(file, []byte(head+body+"\nMPI_Finalize(); return 0; }\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if r := run(t, "", "run", file, "-n", "2"); r.code != want.code || !strings.Contains(r.err, want.text) {
			t.Errorf("%s: code %d, want %d: %s\nwant %s", body, r.code, want.code, r.err, want.text)
		}
	}
}

// The arguments behind -- are argv, and a program that MPI_ERRORS_RETURN lets go on gets the code of an error.
func TestCourseArguments(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "prog.c")
	text := `#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv) {
	MPI_Init(&argc, &argv);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	int code = MPI_Send(NULL, 0, MPI_INT, 99, 0, MPI_COMM_WORLD);
	printf("%d %s %s %d\n", argc, argv[1], argv[2], code == MPI_ERR_RANK);
	MPI_Finalize();
}`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if r := run(t, "", "run", file, "-n", "2", "--", "7", "-x"); r.code != cmd.OK || r.out != "[0-1] 3 7 -x 1\n" {
		t.Errorf("code %d: %s%s", r.code, r.out, r.err)
	}
}

// Ranks that end behind a long computation let those that still compute go on.
func TestCourseTurns(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "prog.c")
	text := "int main(int argc, char **argv) { for (int i = 0; i < 50000; i++) ; }\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if r := run(t, "", "run", file, "-n", "64"); r.code != cmd.OK || r.err != "" {
		t.Errorf("code %d: %s%s", r.code, r.out, r.err)
	}
}

// What goes wrong in a program of Fortran, or is beyond what is carried out, is one message at its line.
func TestFortranMistakes(t *testing.T) {
	t.Parallel()
	const head = "program prog\nuse mpi\nimplicit none\ninteger :: r, e, a(4), i\ncall mpi_init(e); call mpi_comm_rank(MPI_COMM_WORLD, r, e)\n"
	for body, want := range map[string]struct {
		code cmd.Code
		text string
	}{
		"i = 5; a(i) = 1":    {cmd.Usage, "prog.f90:6:8: there is no entry 5: a has 4"},
		"r = y":              {cmd.Usage, "prog.f90:6:5: y is not declared"},
		"r = 1 / (e - e)":    {cmd.Usage, "prog.f90:6:7: division by zero"},
		"open(10, file='x')": {cmd.Usage, "prog.f90:6:1: open is not supported here: run it under a real MPI"},
		"a(2:4) = a(1:3)":    {cmd.Usage, "prog.f90:6:1: an array that is computed from other entries of its own"},
		"a = (/ 1, 2 /)":     {cmd.Usage, "prog.f90:6:1: 2 entries are assigned to 4"},
		"stop 3":             {cmd.Usage, "prog.f90:6:1: the program ended itself with exit code 3"},
		"call mpi_recv(a, 1, MPI_INTEGER, 1 - r, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, e)": {cmd.Deadlock, "prog.f90:6"},
		"call mpi_send(a, 1, MPI_REAL8, 0, 0, MPI_COMM_WORLD, e)":                          {cmd.Usage, "the buffer has elements of int"},
		"call mpi_send(a, 1, MPI_INTEGER, 7, 0, MPI_COMM_WORLD, e)":                        {cmd.Erroneous, "MPI_ERR_RANK in MPI_Send (prog.f90:6)"},
	} {
		file := filepath.Join(t.TempDir(), "prog.f90")
		if err := os.WriteFile(file, []byte(head+body+"\ncall mpi_finalize(e)\nend program\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if r := run(t, "", "run", file, "-n", "2"); r.code != want.code || !strings.Contains(r.err+r.out, want.text) {
			t.Errorf("%s: code %d: %s%s", body, r.code, r.err, r.out)
		}
	}
}

var merged = regexp.MustCompile(`^\[([-,0-9]+)\] ?(.*)$`)

// printedBy is the lines of a run as a real MPI prints them, in order.
func printedBy(t *testing.T, out string) []string {
	t.Helper()
	var list []string
	for line := range strings.Lines(out) {
		m := merged.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
		if m == nil {
			continue
		}
		ranks, err := engine.ParseRanks(m[1], engine.MaxSize)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, slices.Repeat([]string{m[2]}, ranks.Len())...)
	}
	slices.Sort(list)
	return list
}

// Programs print here what they print under Open MPI. COMMSPLIT_COURSES may name a folder with others, such as those of
// mpitutorial.com, each with an optional file NAME.args; the test tells how many compile, run, and print the same, and
// fails for none of these.
func TestCoursesOpenMPI(t *testing.T) {
	compiler, launcher := judge.Ask(t, "mpicc.openmpi"), judge.Ask(t, "mpirun.openmpi")
	own := "../testdata/programs/c"
	folder := own
	if f := os.Getenv("COMMSPLIT_COURSES"); f != "" {
		folder = f
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.c"))
	if err != nil || len(files) == 0 {
		t.Fatal(err, len(files))
	}
	clock := filepath.Join(t.TempDir(), "clock.c") // time() is the same moment, as it is here
	if err := os.WriteFile(clock, []byte("long __wrap_time(long *t) { if (t) *t = 1700000000; return 1700000000; }\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if folder == own {
		files = append(files, "../testdata/programs/f90/language.f90", "../testdata/programs/f90/persistent.f90")
	}
	compiled, ran, same := 0, 0, 0
	for _, file := range files {
		made := filepath.Join(t.TempDir(), "program")
		var args []string
		if text, err := os.ReadFile(strings.TrimSuffix(file, ".c") + ".args"); err == nil {
			args = strings.Fields(string(text))
		}
		n := "4"
		if len(args) > 1 && args[0] == "-n" {
			n, args = args[1], args[2:]
		}
		by := []string{compiler, "-Wl,--wrap=time", "-o", made, file, clock, "-lm"}
		if filepath.Ext(file) != ".c" {
			by = []string{judge.Ask(t, "mpifort.openmpi"), "-J", filepath.Dir(made), "-o", made, file}
		}
		if out, err := exec.CommandContext(t.Context(), by[0], by[1:]...).CombinedOutput(); err != nil {
			t.Logf("%s does not compile: %s", filepath.Base(file), out)
			continue
		}
		compiled++
		c := exec.CommandContext(t.Context(), launcher, slices.Concat([]string{"--oversubscribe", "-n", n, made}, args)...)
		c.Env = judge.OpenMPI(t)
		out, err := c.Output()
		r := run(t, "", slices.Concat([]string{"run", file, "-n", n, "--"}, args)...)
		if err != nil || r.code != cmd.OK {
			t.Logf("%s: under Open MPI %v, here %d %s", filepath.Base(file), err, r.code, r.err)
			if folder == own {
				t.Fail()
			}
			continue
		}
		ran++
		if d := cmp.Diff(sortedLines(string(out)), printedBy(t, r.out)); d != "" {
			t.Logf("%s: -Open MPI +here:\n%s", filepath.Base(file), d)
			if folder == own {
				t.Fail()
			}
			continue
		}
		same++
	}
	t.Logf("%d programs: %d compile under Open MPI, %d run there and here, %d print the same", len(files), compiled, ran, same)
}
