//go:build unix && !linux

package confirm

import "syscall"

// outlivesNobody does nothing where the kernel cannot signal the end of a parent: the program then ends
// itself, some time after its limit.
func outlivesNobody(*syscall.SysProcAttr) {}
