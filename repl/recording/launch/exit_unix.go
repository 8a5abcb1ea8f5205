//go:build unix

package launch

import (
	"os"
	"syscall"
)

// UserSignals are signals whose meaning is that of the program that gets them.
var UserSignals = []os.Signal{syscall.SIGUSR1, syscall.SIGUSR2}

// exitCode returns the exit code of a command as a shell has it.
func exitCode(s *os.ProcessState) int {
	if w, ok := s.Sys().(syscall.WaitStatus); ok && w.Signaled() {
		return 128 + int(w.Signal())
	}
	return s.ExitCode()
}
