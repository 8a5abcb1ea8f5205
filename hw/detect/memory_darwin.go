package detect

import "golang.org/x/sys/unix"

// Memory returns the main memory of this machine in bytes; 0 when it is not known.
func Memory() uint64 {
	n, err := unix.SysctlUint64("hw.memsize")
	if err != nil {
		return 0
	}
	return n
}

// Available returns 0: the package does not ask this system how much memory it can give now.
func Available() uint64 { return 0 }
