//go:build unix && !linux

package confirm

import "syscall"

// outlivesNobody does nothing where the kernel does not tell that a parent has ended: a program then ends
// itself, some time after its limit.
func outlivesNobody(*syscall.SysProcAttr) {}
