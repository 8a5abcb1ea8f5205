// Package limits ends the program with one sentence where the limits of its process (ulimit) are so small that the Go
// runtime would end it in the midst of something, with pages of stacks. The package has to look before other packages
// are initialized. Go initializes packages in the order of import paths as soon as their own imports are ready: so
// this package imports little, and its path sorts before those of libraries. Below about 800 MB of addresses the
// runtime ends the program before any package can look.
package limits

import "fmt"

// limited is a resource with a limit: how much the process may have, and how much it needs.
type limited struct {
	has, needs uint64
	what, name string
}

// What a session needs, with some to spare: for the runtime's threads and what they reserve, terminal, files, signals.
const (
	leastFiles     = 16
	leastThreads   = 16
	leastAddresses = 2 << 30
)

// lacking returns a sentence about the limit that is too small; "" when none is.
func lacking(files, threads, addresses uint64) string {
	for _, l := range []limited{
		{files, leastFiles, "open files", "-n"},
		{threads, leastThreads, "processes and threads of a user", "-u"},
		{addresses >> 20, leastAddresses >> 20, "MB of addresses", "-v"},
	} {
		if l.has < l.needs {
			return fmt.Sprintf("error: the limit of %d %s (ulimit %s) is too small: commsplit needs %d", l.has, l.what, l.name, l.needs)
		}
	}
	return ""
}
