//go:build !unix

package launch

import "os"

// UserSignals are signals whose meaning is that of the program that gets them.
var UserSignals []os.Signal

// exitCode returns the exit code of a command.
func exitCode(s *os.ProcessState) int { return s.ExitCode() }
