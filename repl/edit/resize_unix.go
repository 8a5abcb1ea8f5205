//go:build unix

package edit

import (
	"os"
	"os/signal"
	"syscall"
)

// tellResizes sends to c when the window of the terminal gets another size.
func tellResizes(c chan<- os.Signal) { signal.Notify(c, syscall.SIGWINCH) }
