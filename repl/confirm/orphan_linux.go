package confirm

import "syscall"

// outlivesNobody asks the kernel to terminate the program when the thread that starts it ends. The thread ends
// with commsplit, even by SIGKILL. An mpirun that gets SIGTERM ends its ranks.
func outlivesNobody(a *syscall.SysProcAttr) { a.Pdeathsig = syscall.SIGTERM }
