//go:build !linux

package detect

// Memory is the main memory of this machine in bytes; 0 when it is not known.
func Memory() uint64 { return 0 }
