//go:build unix

package confirm

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"syscall"
	"time"
)

// own gives a program its own process group, so that a Ctrl-C at the terminal reaches only commsplit,
// which ends the program properly. Where the system can, it ends the program when commsplit ends first.
func own(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	outlivesNobody(c.SysProcAttr)
}

// terminate asks mpirun to end, and its ranks with it.
func terminate(c *exec.Cmd) { _ = syscall.Kill(-c.Process.Pid, syscall.SIGTERM) }

// killGroup ends a program and the processes that stayed in its process group.
func killGroup(c *exec.Cmd) error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }

// sweep ends all processes with the mark in their environment: Open MPI puts each rank into its own process
// group, and a rank can outlive its mpirun. Without /proc sweep finds no process.
func sweep(mark string) {
	for range 20 {
		left := marked(mark)
		if len(left) == 0 {
			return
		}
		for _, pid := range left {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// marked lists the processes with that entry in their environment, except the process of commsplit.
func marked(entry string) []int {
	files, _ := filepath.Glob("/proc/[0-9]*/environ")
	var list []int
	for _, file := range files {
		data, err := os.ReadFile(file) // unreadable: the process belongs to another user, or is gone
		if err != nil || !bytes.Contains(append([]byte{0}, data...), []byte("\x00"+entry+"\x00")) {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file))); err == nil && pid != os.Getpid() {
			list = append(list, pid)
		}
	}
	return list
}

// librarySegment matches the libraries' names of shared memory files.
var librarySegment = regexp.MustCompile(`/dev/shm/(?:mpich_|ucx_shm_|vader_segment|sm_segment|psm)\S*`)

// sharedMemory lists the libraries' shared memory files that processes with the mark have mapped.
func sharedMemory(mark string) []string {
	var list []string
	for _, pid := range marked(mark) {
		maps, _ := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "maps")) // the process may be gone
		list = append(list, librarySegment.FindAllString(string(maps), -1)...)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// allowances returns the variables that let Open MPI run as root; nil for another user.
func allowances() []string {
	if os.Geteuid() != 0 {
		return nil
	}
	return []string{"OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1", "PRTE_ALLOW_RUN_AS_ROOT=1",
		"PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1"}
}
