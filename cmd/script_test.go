package cmd_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"codeberg.org/commsplit/commsplit/cmd"
	"codeberg.org/commsplit/commsplit/hw/judge"
)

// TestMain lets the test binary be the command, too.
func TestMain(m *testing.M) {
	_, file, _, _ := runtime.Caller(0)
	cmd.Pages = os.DirFS(filepath.Join(filepath.Dir(file), ".."))
	fakeMPI()
	testscript.Main(tidy{m}, map[string]func(){
		"commsplit": func() { os.Exit(cmd.Main()) },
		crashing:    crashMain,
	})
}

// tidy leaves nothing but the command in PATH, so that the command finds no other program, whatever is installed.
// It also lets the command hear hang-ups, however the tests were started.
type tidy struct{ *testing.M }

func (m tidy) Run() int {
	judge.Alone(filepath.Dir(exec.Command("commsplit").Path))
	judge.HearHangups()
	return m.M.Run()
}

// The command line behaves as the scripts in testdata say: what it prints, where, and how it ends.
func TestScript(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join("..", "testdata", "script", "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	scripted(t, files, filepath.Dir(exec.Command("commsplit").Path))
}

// Lines of scripts that ask another program are run here: bash about completion, prove about TAP, diff about
// differences.
func TestScriptShell(t *testing.T) {
	t.Parallel()
	judge.Ask(t, "bash")
	judge.Ask(t, "prove")
	judge.Ask(t, "diff")
	var files []string
	for _, name := range []string{"help", "check", "update"} {
		files = append(files, filepath.Join("..", "testdata", "script", name+".txtar"))
	}
	scripted(t, files, os.Getenv("PATH"))
}

// scripted runs scripts with path as PATH.
func scripted(t *testing.T, files []string, path string) {
	self, err := os.Executable()
	solver, missing := filepath.Abs("../repl/recording/testdata/solver.tar")
	if err = errors.Join(err, missing); err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Files:               files,
		RequireExplicitExec: true,
		UpdateScripts:       os.Getenv("UPDATE") != "",
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"ends": ends, "tar": archived},
		Setup: func(env *testscript.Env) error {
			env.Setenv("PATH", path)
			env.Setenv("SELF", self)
			env.Setenv("SOLVER", solver)
			env.Setenv("GORACE", "atexit_sleep_ms=0") // under -race every exit waits a second
			// Bytes that a text archive cannot hold.
			write := func(name, text string) error {
				return os.WriteFile(filepath.Join(env.WorkDir, name), []byte(text), 0o600)
			}
			return errors.Join(write("nul.mpi", "a\x00b\n"), write("latin1.c", "#include <mpi.h>\n/* M\xfcller */\n"))
		},
	})
}

// ends implements "ends CODE PROGRAM ARGS...": the program must end with that exit code.
func ends(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: ends CODE PROGRAM ARGS...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	err = ts.Exec(args[1], args[2:]...)
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("%s ended with %d, want %d", strings.Join(args[1:], " "), got, want)
	}
}

// archived implements "tar cf ARCHIVE FILE...".
func archived(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 || args[0] != "cf" {
		ts.Fatalf("usage: tar cf ARCHIVE FILE...")
	}
	ts.Check(pack(ts.MkAbs("."), args[1], args[2:]))
}
