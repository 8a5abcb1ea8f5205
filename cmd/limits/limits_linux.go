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
		log.SetOutput(io.Discard)
		lower(min(addresses, initialAddresses))
	}
}

// initialAddresses is how many bytes of addresses packages get while they are initialized, if addresses are limited.
// Starlark then reserves 4 GB of addresses if it can, and logs when it cannot. It works without them, and the session's
// memory needs the addresses more.
const initialAddresses = 3 << 30

// Begin gives the process all addresses that it is allowed. Main calls Begin when all packages are initialized.
func Begin() { lower(math.MaxUint64) }

// lower limits the process to that many bytes of addresses, but not above its limit at the beginning.
func lower(addresses uint64) {
	now := syscall.Rlimit{Cur: min(addresses, allowed.Cur), Max: allowed.Max}
	syscall.Setrlimit(syscall.RLIMIT_AS, &now) //nolint:errcheck // then it stays as it is
}

// allowed is the limit of addresses at the beginning.
var allowed = func() (l syscall.Rlimit) {
	if syscall.Getrlimit(syscall.RLIMIT_AS, &l) != nil {
		l.Cur, l.Max = math.MaxUint64, math.MaxUint64
	}
	return l
}()

// limit returns the soft limit of a resource; the largest number when there is none.
func limit(resource int) uint64 {
	var l syscall.Rlimit
	if syscall.Getrlimit(resource, &l) != nil {
		return math.MaxUint64
	}
	return l.Cur
}

// processes returns how many processes and threads this user may have; root has no limit.
func processes() uint64 {
	if os.Geteuid() == 0 {
		return math.MaxUint64
	}
	return limit(maxProcesses)
}
