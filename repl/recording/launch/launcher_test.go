package launch

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// fakes makes a folder of programs and sources the present one, and the only one in PATH.
func fakes(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"mpirun", "mpiexec", "mpirun.openmpi", "mpirun.mpich", "srun", "flux", "jsrun", "aprun", "app", "python3", "time", "ssh"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"prog.c", "prog.f90", "hosts", "input.c", "4.c"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	t.Setenv("PATH", dir)
	t.Setenv("SLURM_EXPORT_ENV", "")
}

// says is what launchers print for --version: the first lines of Open MPI 4.1.4, PRRTE 3.0, MPICH 4.0.2, Intel MPI
// 2021 and PALS 1.3.
var says = map[string]string{
	"open":  "mpirun (Open MPI) 4.1.4\n\nReport bugs to http://www.open-mpi.org/community/help/\n",
	"five":  "mpirun (PRRTE) 3.0.2\n",
	"hydra": "HYDRA build details:\n    Version:                                 4.0.2\n",
	"intel": "Intel(R) MPI Library for Linux* OS, Version 2021.9 Build 20230307 (id: d82b3071db)\n",
	"pals":  "mpiexec version 1.3.4\nrevision 1.3.4-202405311530.9a6e3f0b2\n",
	"other": "mpirun 1.0\n",
}

// Each launcher gives its ranks variables in its own words, in front of its options: Open MPI by -x for each program of
// a command (mpirun(1)), Hydra by -genv for all (mpiexec --help), srun by --export, which replaces what it passed on
// before (srun(1)), PALS by --env, flux run by --env=, jsrun by -E, aprun by -e. The other words stay as they are.
func TestWords(t *testing.T) {
	fakes(t)
	for _, c := range []struct{ version, command, want string }{
		{"open", "mpirun -n 4 ./app -x 1", "mpirun -x P=1 -x R=2 -n 4 ./app -x 1"},
		{"open", "mpirun -n 2 app : -n 3 app b", "mpirun -x P=1 -x R=2 -n 2 app : -x P=1 -x R=2 -n 3 app b"},
		{"five", "mpiexec app", "mpiexec -x P=1 -x R=2 app"},
		{"", "mpirun.openmpi -n 4 app", "mpirun.openmpi -x P=1 -x R=2 -n 4 app"},
		{"hydra", "mpiexec -n 2 app : -n 3 app", "mpiexec -genv P 1 -genv R 2 -n 2 app : -n 3 app"},
		{"intel", "mpirun -ppn 2 app", "mpirun -genv P 1 -genv R 2 -ppn 2 app"},
		{"", "mpirun.mpich -n 4 python3 -c x", "mpirun.mpich -genv P 1 -genv R 2 -n 4 python3 -c x"},
		{"pals", "mpiexec --ppn 2 app", "mpiexec --env P=1 --env R=2 --ppn 2 app"},
		{"", "srun -N 2 -n 16 app", "srun --export=ALL,P=1,R=2 -N 2 -n 16 app"},
		{"", "srun --export=ALL,A=1 -n 2 app", "srun --export=ALL,A=1,P=1,R=2 -n 2 app"},
		{"", "srun --export A -n 2 app", "srun --export=A,P=1,R=2 -n 2 app"},
		{"", "srun --export=NONE app", "srun --export=P=1,R=2 app"},
		{"", "flux run -n 4 app", "flux run --env=P=1 --env=R=2 -n 4 app"},
		{"", "jsrun -n 4 app", "jsrun -E P=1 -E R=2 -n 4 app"},
		{"", "aprun -n 4 app", "aprun -e P=1 -e R=2 -n 4 app"},
		{"open", "time mpirun app", "time mpirun -x P=1 -x R=2 app"},
		{"", "./app 1", ""},
	} {
		command, err := Read(strings.Fields(c.command), func(string) string { return says[c.version] })
		if err != nil {
			t.Errorf("%s: %v", c.command, err)
			continue
		}
		if got := strings.Join(command.With([]string{"P=1", "R=2"}), " "); got != c.want {
			t.Errorf("%s: got %s, want %s", c.command, got, c.want)
		}
	}
}

// The words that name what ranks run are known among the options of launchers and their values; what comes behind a
// program is the program's own.
func TestPrograms(t *testing.T) {
	fakes(t)
	for command, want := range map[string]string{
		"mpirun -n 4 prog.c input.c":                         "prog.c",
		"mpirun -n 4 --map-by core -H a,b ./app input.c":     "./app",
		"mpirun --hostfile hosts -n 2 prog.f90 : prog.c":     "prog.f90 prog.c",
		"mpirun.mpich -launcher ssh -n 2 prog.c":             "prog.c",
		"mpirun.mpich -env A app -wdir time prog.c":          "prog.c",
		"mpirun --output-filename app --mca time ssh prog.c": "prog.c",
		"srun -lJ app -u ./app input.c":                      "./app",
		"srun -n4 --job-name app time prog.c":                "time",
		"flux run -n 4 python3 app":                          "python3",
		"srun -n 4 python3 input.c":                          "python3",
		"mpirun -n 4 none.c":                                 "",
	} {
		c, err := Read(strings.Fields(command), func(string) string { return says["open"] })
		if err != nil {
			t.Errorf("%s: %v", command, err)
			continue
		}
		var got []string
		for _, i := range c.programs() {
			got = append(got, c.Words[i])
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: got %q, want %s", command, got, want)
		}
	}
}

// A command that cannot be recorded gets a line that tells why, and which packages bring what is missing.
func TestRefused(t *testing.T) {
	fakes(t)
	for _, c := range []struct {
		command, want string
		missing       bool
	}{
		{"", "record -- needs a command: commsplit record -- mpirun -n 4 ./app", false},
		{"mpirun -x LD_PRELOAD=a.so app", "LD_PRELOAD=a.so: the command gives LD_PRELOAD itself", false},
		{"mpirun app", "mpirun is of an MPI that record does not know", false},
		{"flux app", "flux: want flux run", false},
		{"prog.c", "prog.c is not a program that starts: write the launcher before it, commsplit record -- mpirun -n 4 prog.c", false},
		{"mpiexec.hydra app", "there is no mpiexec.hydra here: it comes with mpich and libmpich-dev of Debian", true},
		{"orterun app", "there is no orterun here: it comes with openmpi-bin and libopenmpi-dev of Debian", true},
		{"nix app", "there is no nix here: it is not in PATH; write ./nix", true},
	} {
		_, err := Read(strings.Fields(c.command), func(string) string { return says["other"] })
		missing := (*Missing)(nil)
		if err == nil || !strings.HasPrefix(err.Error(), c.want) || errors.As(err, &missing) != c.missing {
			t.Errorf("%s: %v", c.command, err)
		}
	}
}

// The compiler of a language is the one beside that of C, of the same MPI. Without it the error names its packages.
func TestCompilers(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"mpicc.x", "mpifort.x", "mpic++.x", "mpicxx", "cc", "ftn"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ cc, source, want string }{
		{"mpicc.x", "a.c", "mpicc.x"},
		{"mpicc.x", "a.F90", "mpifort.x"},
		{"mpicc.x", "a.cpp", "mpic++.x"},
		{"mpicc", "a.cc", "mpicxx"},
		{"mpicc", "a.f90", "there is no DIR/mpifort here: Open MPI has it"},
		{"cc", "a.f90", "ftn"},
	} {
		got, err := languageOf(c.source).beside(filepath.Join(dir, c.cc))
		text := filepath.Base(got)
		if err != nil {
			text = strings.ReplaceAll(err.Error(), dir, "DIR")
		}
		if !strings.HasPrefix(text, c.want) {
			t.Errorf("%s of %s: %s, want %s", c.source, c.cc, text, c.want)
		}
	}
	if languageOf("a.py") != nil || languageOf("a") != nil {
		t.Error("a compiler for what needs none")
	}
}

// The cache tells recorders apart by the compiler and by what its mpi.h says, and nothing else.
func TestKey(t *testing.T) {
	t.Parallel()
	one := key("/usr/bin/mpicc", []byte("int MPI_Init;"))
	if again := key("/usr/bin/mpicc", []byte("int MPI_Init;")); again != one {
		t.Errorf("%s, then %s", one, again)
	}
	for _, other := range []string{key("/opt/bin/mpicc", []byte("int MPI_Init;")), key("/usr/bin/mpicc", []byte("int MPI_Init; int MPI_5;")),
		key("/usr/bin/mpiccint", []byte(" MPI_Init;"))} {
		if other == one {
			t.Error("two recorders have one key")
		}
	}
}
