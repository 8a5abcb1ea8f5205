package limits

import (
	"io"
	"log"
	"math"
	"os"
	"syscall"
)

// limitReached is the exit code (cmd.Limit).
const limitReached = 6

// maxProcesses is RLIMIT_NPROC, which package syscall does not have; on MIPS it has another number.
const maxProcesses = 6

func init() {
	addresses := limit(syscall.RLIMIT_AS)
	if why := lacking(limit(syscall.RLIMIT_NOFILE), processes(), addresses); why != "" {
		os.Stderr.WriteString(why + "\n") //nolint:errcheck // nobody is left to tell
		os.Exit(limitReached)
	}
	if addresses != math.MaxUint64 {
		log.SetOutput(io.Discard) // Starlark logs that it has not got 4 GB of addresses, which it can do without
	}
}

// limit is how much there may be of a resource.
func limit(resource int) uint64 {
	var l syscall.Rlimit
	if syscall.Getrlimit(resource, &l) != nil {
		return math.MaxUint64
	}
	return l.Cur
}

// processes is how many processes and threads this user may have; the one who administers the machine has no limit.
func processes() uint64 {
	if os.Geteuid() == 0 {
		return math.MaxUint64
	}
	return limit(maxProcesses)
}
