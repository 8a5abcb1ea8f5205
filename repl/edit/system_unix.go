//go:build unix

package edit

import (
	"os"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// tellChanges sends to c when the window of the terminal gets another size, and when the process goes on after
// it was stopped.
func tellChanges(c chan<- os.Signal) { signal.Notify(c, syscall.SIGWINCH, syscall.SIGCONT) }

// goesOn reports whether the process goes on after it was stopped.
func goesOn(s os.Signal) bool { return s == syscall.SIGCONT }

// stopProcess stops the job, as the terminal does for Ctrl-Z, and waits until the shell lets the job go on. It reports
// false where no shell could do so: the system then does not stop the job.
func stopProcess(changes <-chan os.Signal) bool {
	if syscall.Kill(0, syscall.SIGTSTP) != nil {
		return false
	}
	for range 2 { // a stop counts as waiting: after it, the first wait is over
		late := time.After(100 * time.Millisecond)
		for waits := true; waits; {
			select {
			case s := <-changes:
				if goesOn(s) {
					return true
				}
			case <-late:
				waits = false
			}
		}
	}
	return false
}

// waits reports whether bytes can be read at once.
func waits(in *os.File) bool {
	list := []unix.PollFd{{Fd: int32(in.Fd()), Events: unix.POLLIN}} //nolint:gosec // a descriptor is a small number
	n, err := unix.Poll(list, 0)
	return err == nil && n > 0
}
