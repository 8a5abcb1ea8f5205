package cmd_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"codeberg.org/commsplit/commsplit/cmd"
	"codeberg.org/commsplit/commsplit/hw/judge"
)

// mark names the call of a line of testdata/leaks that leaks, or whose communicators grow until they are freed.
var mark = regexp.MustCompile(`\b(leak|grows): (\w+)`)

// Of each kind of leak the report has the line of the program, under both libraries, from one command: plain, partly
// freed, freed at exit, in a library three functions deep, in a class template, in Fortran and Python, of windows,
// files and groups, and in a thread. Places that free what they make are not leaks. The command's output comes first,
// and its exit code is that of record.
func TestLeaksOpenMPIAndMPICH(t *testing.T) {
	for _, kind := range []string{"openmpi", "mpich"} {
		t.Run(kind, func(t *testing.T) {
			cc := judge.Ask(t, "mpicc."+kind)
			mpirun := judge.Ask(t, "mpirun."+kind)
			python := judge.Ask(t, "/usr/bin/python3", "python3") // of the system, which has mpi4py
			sources, err := filepath.Abs("testdata/leaks")
			if err != nil {
				t.Fatal(err)
			}
			for _, v := range judge.OpenMPI(t) {
				if name, value, _ := strings.Cut(v, "="); os.Getenv(name) != value {
					t.Setenv(name, value)
				}
			}
			dir := t.TempDir()
			t.Setenv("XDG_CACHE_HOME", t.TempDir())
			t.Chdir(dir)
			build := func(args ...string) {
				if out, err := exec.Command(cc, args...).CombinedOutput(); err != nil {
					t.Fatalf("%q: %v\n%s", args, err, out)
				}
			}
			build("-g", "-O1", "-shared", "-fPIC", "-o", "libhdf5_layer.so", filepath.Join(sources, "layer.c"))
			build("-g", "-O0", "-pthread", "-o", "leaks", filepath.Join(sources, "leaks.c"), "libhdf5_layer.so", "-Wl,-rpath,"+dir)
			commands := map[string][]string{
				"leaks.c": {filepath.Join(dir, "leaks"), filepath.Join(sources, "leaks.c")}, "leaks.cpp": {filepath.Join(sources, "leaks.cpp")},
				"leaks.f90": {filepath.Join(sources, "leaks.f90")},
			}
			script := map[string]string{"openmpi": "leaks.py", "mpich": "mpich.py"}[kind] // mpi4py is of one library
			commands[script] = []string{python, filepath.Join(sources, script)}
			for name, command := range commands {
				r := run(t, "", append([]string{"record", "--", mpirun, "-n", "2"}, command...)...)
				if r.code != cmd.OK {
					t.Errorf("%s: %+v", name, r)
					continue
				}
				checkLeaks(t, filepath.Join(sources, name), r.out)
			}
		})
	}
}

// checkLeaks compares the rows of a report that leak or grow with the marks of a source.
func checkLeaks(t *testing.T, source, report string) {
	t.Helper()
	text, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for i, line := range strings.Split(string(text), "\n") {
		if m := mark.FindStringSubmatch(line); m != nil {
			want = append(want, fmt.Sprintf("%s:%d %s %s", filepath.Base(source), i+1, m[2], m[1]))
		}
	}
	var got []string
	for _, line := range strings.Split(report, "\n") {
		if f := strings.Fields(line); len(f) > 8 && slices.Contains([]string{"leak", "grows"}, f[len(f)-1]) {
			call := f[slices.IndexFunc(f, func(w string) bool { return regexp.MustCompile(`^(Comm|Win|File)_`).MatchString(w) })]
			place := ""
			for _, w := range strings.Split(line, " < ") { // the last of the callers makes the difference
				place, _, _ = strings.Cut(w, " ")
			}
			got = append(got, place+" "+call+" "+f[len(f)-1])
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	if len(want) == 0 || !slices.Equal(got, want) {
		t.Errorf("%s: got %q, want %q\n%s", source, got, want, report)
	}
}
