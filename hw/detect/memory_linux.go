package detect

import (
	"io/fs"
	"math"
	"os"
	"path"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/sys/unix"
)

// Memory returns how many bytes of memory this process may have: those of the machine, or fewer where its control
// groups or its limit of addresses (ulimit -v) leave fewer; 0 when they are not known.
func Memory() uint64 {
	var info unix.Sysinfo_t
	if err := unix.Sysinfo(&info); err != nil {
		return 0
	}
	all := min(uint64(info.Totalram)*uint64(info.Unit), addresses())
	if most := groupMemory(os.DirFS("/")); most > 0 {
		return min(all, most)
	}
	return all
}

// threadAddresses is about how many bytes of addresses threads that begin later reserve, for their stacks and for what
// the C library does for them.
const threadAddresses = 512 << 20

// addresses returns the bytes that the limit of addresses leaves beside those taken before the first call: the runtime
// and libraries reserve many addresses that they never use.
var addresses = sync.OnceValue(func() uint64 {
	var most unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_AS, &most); err != nil || most.Cur == unix.RLIM_INFINITY {
		return math.MaxUint64
	}
	text, _ := os.ReadFile("/proc/self/statm")
	pages, _, _ := strings.Cut(string(text), " ")
	taken, _ := strconv.ParseUint(pages, 10, 64)
	return most.Cur - min(taken*uint64(os.Getpagesize())+threadAddresses, most.Cur/16*15)
})

// Available returns how many bytes of memory the machine can give now without swapping; 0 when they are not known.
func Available() uint64 {
	text, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(text), "MemAvailable:")
	rest, _, _ = strings.Cut(rest, "kB")
	n, err := strconv.ParseUint(strings.TrimSpace(rest), 10, 64)
	if err != nil {
		return 0
	}
	return n << 10
}

// groupMemory returns the least memory.max of the control groups that the process is in, or with version 1 the least
// memory.limit_in_bytes; 0 for no limit. Lines of /proc/self/cgroup are ID:CONTROLLERS:GROUP. In a container the group
// may be mounted as the root of the hierarchy, where GROUP is not found: groupMemory looks at that root, too.
func groupMemory(root fs.FS) uint64 {
	text, err := fs.ReadFile(root, "proc/self/cgroup")
	if err != nil {
		return 0
	}
	var least uint64
	for line := range strings.Lines(string(text)) {
		_, rest, _ := strings.Cut(strings.TrimSpace(line), ":")
		controllers, group, ok := strings.Cut(rest, ":")
		mount, file := "sys/fs/cgroup", "memory.max"
		if ok && controllers == "memory" {
			mount, file = "sys/fs/cgroup/memory", "memory.limit_in_bytes"
		} else if !ok || controllers != "" {
			continue
		}
		for at := path.Join(mount, path.Join("/", group)); strings.HasPrefix(at, mount); at = path.Dir(at) {
			text, err := fs.ReadFile(root, path.Join(at, file))
			most, isNumber := strconv.ParseUint(strings.TrimSpace(string(text)), 10, 64)
			if err == nil && isNumber == nil && (least == 0 || most < least) { // "max" is not a number
				least = most
			}
		}
	}
	return least
}
