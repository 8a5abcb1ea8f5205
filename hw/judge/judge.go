// Package judge lets a test ask a program that is not ours: a real MPI, lstopo, a compiler, a browser.
//
// The result of "go test ./..." must not depend on the installed programs, so it starts none of them. With JUDGE=1
// tests ask them. .ci/run sets JUDGE=1, and picks the tests that ask by their names.
package judge

import (
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// Names matches the names of tests that ask a program; .ci/run picks tests by this pattern.
const Names = "OpenMPI|Hydra|MPICH|Lstopo|Lscpu|Graphviz|LaTeX|Chromium|JavaScript|Shell|Sphinx|IPython"

var names = regexp.MustCompile(Names)

// Asked reports whether this run of the tests may ask other programs.
func Asked() bool { return os.Getenv("JUDGE") == "1" }

// Ask returns the path of a program, the first of several names that is installed. It skips the test unless JUDGE=1
// and one of the programs is installed.
func Ask(t testing.TB, program ...string) string {
	t.Helper()
	asks := strings.Join(program, " or ")
	if !names.MatchString(t.Name()) {
		t.Errorf("a test that asks %s has one of %s in its name: .ci/run finds it by that", asks, Names)
	}
	if !Asked() {
		t.Skipf("asks %s: set JUDGE=1", asks)
	}
	for _, name := range program {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skipf("%s is not installed", asks)
	return ""
}

// OpenMPI returns the environment in which Open MPI runs as root, with more ranks than processors, and keeps its files
// in a folder of its own: runs that begin at the same time would share a folder in /tmp, and fail when they make it.
// The path is short, because it becomes part of the names of sockets.
func OpenMPI(t testing.TB) []string {
	t.Helper()
	dir, err := os.MkdirTemp("", "mpi")
	if err != nil {
		t.Error(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return append(os.Environ(), "TMPDIR="+dir, "OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
		"OMPI_MCA_mpi_yield_when_idle=1", "OMPI_MCA_rmaps_base_oversubscribe=1")
}

// path is the value of PATH when the tests were started.
var path = os.Getenv("PATH")

// Alone leaves nothing in PATH but the folders in own, for tests of our own program, so that a program that looks for
// others finds none, whatever is installed. With JUDGE=1 PATH stays as it is. Call Alone in a TestMain.
func Alone(own ...string) {
	if !Asked() {
		os.Setenv("PATH", strings.Join(own, string(os.PathListSeparator)))
	}
}

// HearHangups lets SIGHUP end the programs that tests start, also under nohup. A process under nohup ignores the
// signal and so do its children; but a signal that a process catches is not ignored in its children. Call HearHangups
// in a TestMain.
func HearHangups() {
	if signal.Ignored(syscall.SIGHUP) {
		signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
	}
}

// Go returns a command of the go tool that runs the tests.
func Go(args ...string) *exec.Cmd {
	tool := "go"
	for _, dir := range filepath.SplitList(path) { // go test puts its own folder first
		if found, err := exec.LookPath(filepath.Join(dir, "go")); err == nil {
			tool = found
			break
		}
	}
	c := exec.Command(tool, args...)
	c.Env = append(os.Environ(), "PATH="+path)
	return c
}

// The setting that lets lstopo describe this machine from /sys alone, as we do: without it, lstopo asks the CPU for
// caches where a kernel, such as that of a small virtual machine, writes none.
const (
	HwlocComponents = "HWLOC_COMPONENTS"
	OnlySys         = "-x86"
)
