package cmd_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"commsplit/cmd"
)

// TestMain lets the test binary be the command, too.
func TestMain(m *testing.M) {
	testscript.Main(tidy{m}, map[string]func(){
		"commsplit": func() { os.Exit(cmd.Main()) },
		crashing:    crashMain,
	})
}

// scratch is a folder that several tests share; "" until one needs it.
var scratch string

// tidy removes it after the last test.
type tidy struct{ *testing.M }

func (m tidy) Run() int {
	code := m.M.Run()
	if scratch != "" {
		os.RemoveAll(scratch)
	}
	return code
}

// program builds the real binary, once: what its imports do at start is part of the test.
var program = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "commsplit")
	if err != nil {
		return "", err
	}
	scratch = dir
	path := filepath.Join(dir, "commsplit")
	out, err := exec.Command("go", "build", "-o", path, "commsplit").CombinedOutput()
	if err != nil {
		return "", errors.New(string(out))
	}
	return path, nil
})

// The command line keeps its word: what it prints, where, and how it ends.
func TestScript(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("..", "testdata", "script"),
		RequireExplicitExec: true,
		UpdateScripts:       os.Getenv("UPDATE") != "",
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"ends": ends},
		Setup: func(env *testscript.Env) error {
			env.Setenv("GORACE", "atexit_sleep_ms=0") // under -race every exit waits a second
			// Bytes that a text archive cannot hold.
			return os.WriteFile(filepath.Join(env.WorkDir, "nul.mpi"), []byte("a\x00b\n"), 0o600)
		},
	})
}

// ends is "ends CODE PROGRAM ARGS...": the program must end with that exit code.
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
