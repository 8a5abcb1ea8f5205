package confirm

import "syscall"

// outlivesNobody asks the kernel to terminate the program when the thread that starts it ends, as it does
// with commsplit, even by SIGKILL. An mpirun that gets SIGTERM takes its ranks with it.
func outlivesNobody(a *syscall.SysProcAttr) { a.Pdeathsig = syscall.SIGTERM }
