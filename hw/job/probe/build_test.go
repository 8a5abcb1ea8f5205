package probe_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/job/probe"
	"codeberg.org/commsplit/commsplit/hw/judge"
	"codeberg.org/commsplit/commsplit/hw/source"
)

// library is an MPI that may be installed.
type library struct{ cc, run string }

var (
	openMPI = library{"mpicc.openmpi", "mpirun.openmpi"}
	hydra   = library{"mpicc.mpich", "mpiexec.hydra"}
)

// build compiles the program without a warning, or skips the test. root is the folder of the program's proc
// and sys, "" for this machine's.
func (l library) build(t *testing.T, root string) string {
	t.Helper()
	judge.Ask(t, l.cc)
	judge.Ask(t, l.run)
	dir := t.TempDir()
	source, binary := filepath.Join(dir, "probe.c"), filepath.Join(dir, "probe")
	if err := os.WriteFile(source, []byte(probe.C()), 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{"-std=c11", "-O2", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-o", binary, source, "-ldl"}
	if root != "" {
		args = append(args, `-DROOT="`+root+`"`)
	}
	if out, err := exec.Command(l.cc, args...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return binary
}

// sources returns the commands of the program with hwloc, and without.
func sources(binary string) [2][]string { return [2][]string{{binary}, {binary, "--sysfs"}} }

// launch runs a launcher, whose words include the program's, and returns all its output.
func (l library) launch(t *testing.T, args ...string) (string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Second)
	defer cancel()
	c := exec.CommandContext(ctx, l.run, args...)
	c.WaitDelay = time.Second
	c.Env = append(judge.OpenMPI(t), "HYDRA_TOPO_DEBUG=1")
	out, err := c.CombinedOutput()
	if ctx.Err() != nil {
		err = errors.Join(err, errors.New("it hangs"))
	}
	return string(out), err
}

// probed runs the program and reads the file that it wrote; said is the launcher's output.
func (l library) probed(t *testing.T, args ...string) (top *hw.Topology, said string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "job.tar")
	said, err := l.launch(t, append(args, file)...)
	if err != nil {
		t.Fatalf("%q: %v\n%s", args, err, said)
	}
	if top, err = source.Load(t.Context(), "job:"+file); err != nil {
		t.Fatal(err)
	}
	return top, said
}

// The table of the program has the files of recordings: a file for each kind of row stands for the rest.
func TestTable(t *testing.T) {
	t.Parallel()
	text := probe.C()
	for _, row := range []string{
		`	{"sys/devices/system/cpu/online", 1, ALL, NULL, NULL},`,
		`	{"sys/devices/system/cpu/cpu[0-9]*/cpu_capacity", 0, ALL, NULL, NULL},`,
		`	{"sys/devices/system/node/node[0-9]*/cpu[0-9]*", 0, ALL, NULL, "../../cpu/"},`,
		`	{"proc/zoneinfo", 0, FIRST_WORD, words2, NULL},`,
		`static const char *const words2[] = {"Node", "present", "managed", NULL};`,
	} {
		if !strings.Contains(text, row+"\n") {
			t.Errorf("the program lacks %s", row)
		}
	}
	if strings.Contains(text, "TABLE */") || strings.Contains(text, "/ppin") {
		t.Error("the program has no table, or a serial number in it")
	}
}
