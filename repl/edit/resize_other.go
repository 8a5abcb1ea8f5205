//go:build !unix

package edit

import "os"

// tellResizes does nothing: there is no such signal here, and the width tells.
func tellResizes(chan<- os.Signal) {}
