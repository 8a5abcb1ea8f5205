//go:build linux

package cmd_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"codeberg.org/commsplit/commsplit/hw/judge"
)

// ending are the signals that end a program. With each of them the processes that the program started must end,
// too.
var ending = []syscall.Signal{syscall.SIGKILL, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP}

// stuck is a session whose six ranks wait for each other.
const stuck = "# commsplit: -n 6 --topo core:6\n@0-2 barrier world\n@3-5 dup world\n"

// A confirmation that is killed leaves no process behind, neither mpirun nor its ranks. The test binary plays the
// MPI and its compiler.
func TestConfirmKilled(t *testing.T) {
	t.Parallel()
	for _, with := range ending {
		t.Run(with.String(), func(t *testing.T) {
			t.Parallel()
			dir, hangs := t.TempDir(), t.TempDir()
			self, err := os.Executable()
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range []string{"mpirun", "mpicc"} {
				if err := os.Symlink(self, filepath.Join(dir, name)); err != nil {
					t.Fatal(err)
				}
			}
			processes := func() (list []string) {
				names, err := os.ReadDir(hangs)
				if err != nil {
					t.Fatal(err)
				}
				for _, n := range names {
					if pid, err := strconv.Atoi(n.Name()); err == nil && runs(pid) {
						list = append(list, n.Name())
					}
				}
				return list
			}
			killed(t, with, filepath.Join(dir, "mpirun"), 2, processes, "HANGS="+hangs)
		})
	}
}

// A killed confirmation leaves none of the processes that Open MPI and MPICH start.
func TestConfirmKilledOpenMPI(t *testing.T) {
	t.Parallel()
	reallyKilled(t, "openmpi")
}

func TestConfirmKilledMPICH(t *testing.T) {
	t.Parallel()
	reallyKilled(t, "mpich")
}

func reallyKilled(t *testing.T, library string) {
	judge.Ask(t, "mpicc."+library)
	mpirun := judge.Ask(t, "mpirun."+library)
	for _, with := range ending {
		t.Run(with.String(), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			processes := func() []string { return running(dir) }
			killed(t, with, mpirun, 1+6, processes, "TMPDIR="+dir, "PATH="+os.Getenv("PATH"))
		})
	}
}

// killed confirms the session, waits until the MPI has most processes, kills the confirmation, and waits until
// none of them is left.
func killed(t *testing.T, with syscall.Signal, mpirun string, most int, processes func() []string, env ...string) {
	t.Helper()
	c := exec.Command("commsplit", "confirm", "-", "--mpirun", mpirun, "--limit", "300")
	c.Stdin = strings.NewReader(stuck)
	c.Env = append([]string{"HOME=" + t.TempDir(), "GORACE=atexit_sleep_ms=0"}, env...)
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	var said bytes.Buffer
	c.Stdout, c.Stderr = &said, &said
	c.WaitDelay = patience
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	t.Cleanup(func() {
		c.Process.Kill() //nolint:errcheck // it may have ended
		for _, p := range processes() {
			pid, _ := strconv.Atoi(p)
			syscall.Kill(pid, syscall.SIGKILL) //nolint:errcheck // as above
		}
	})
	for end := time.Now().Add(3 * patience); len(processes()) < most; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("the MPI has %q, not %d processes", processes(), most)
		}
	}
	if err := c.Process.Signal(with); err != nil {
		t.Fatal(err)
	}
	<-ended
	for end := time.Now().Add(patience); len(processes()) > 0; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("after %v there are still processes %q\n%s", with, processes(), said.String())
		}
	}
}

// runs reports whether there is a process that has not ended.
func runs(pid int) bool {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	_, state, _ := strings.Cut(string(stat), ") ")
	return err == nil && !strings.HasPrefix(state, "Z")
}

// running lists the processes of an MPI that have a folder in their environment: mpirun, and the processes that
// it starts.
func running(folder string) (list []string) {
	files, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, file := range files {
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		env, _ := os.ReadFile(file) // fails for a process of another user, or one that ended
		line, _ := os.ReadFile(filepath.Join(filepath.Dir(file), "cmdline"))
		if bytes.Contains(env, []byte(folder)) && bytes.Contains(line, []byte("/deadlock")) && runs(pid) {
			list = append(list, strconv.Itoa(pid))
		}
	}
	return list
}

// A process of a program that hangs ends itself after the limit, if nobody else ends it. Here only mpirun is
// there, which would wait forever.
func TestProgramEndsItselfOpenMPI(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	mpicc, mpirun := judge.Ask(t, "mpicc.openmpi"), judge.Ask(t, "mpirun.openmpi")
	if r := run(t, stuck, "confirm", "-", "--mpirun", mpirun, "--limit", "4", "--keep", dir); r.code != 0 {
		t.Fatalf("%v", r)
	}
	sources, _ := filepath.Glob(filepath.Join(dir, "deadlock*.c"))
	if len(sources) != 1 {
		t.Fatalf("programs: %q", sources)
	}
	text, err := os.ReadFile(sources[0])
	if err != nil {
		t.Fatal(err)
	}
	limit := regexp.MustCompile(`alarm\(\d+\)`).Find(text)
	if string(limit) != "alarm(15)" {
		t.Errorf("the limit of 4 seconds is %s", limit)
	}
	text = bytes.Replace(text, limit, []byte("alarm(1)"), 1)
	if err := os.WriteFile(sources[0], text, 0o600); err != nil {
		t.Fatal(err)
	}
	args := append(compilers["c"][:len(compilers["c"])-1:len(compilers["c"])-1], "-o", filepath.Join(dir, "deadlock"), sources[0])
	if out, err := exec.Command(mpicc, args...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	c := exec.CommandContext(t.Context(), mpirun, "--oversubscribe", "-n", "6", filepath.Join(dir, "deadlock"), dir)
	c.Env = judge.OpenMPI(t)
	ended := make(chan error, 1)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { ended <- c.Wait() }()
	select {
	case err := <-ended:
		if err == nil {
			t.Error("a program that hangs ends well")
		}
	case <-time.After(3 * patience):
		syscall.Kill(c.Process.Pid, syscall.SIGTERM) //nolint:errcheck // mpirun ends its ranks
		<-ended
		t.Error("the program does not end itself")
	}
}
