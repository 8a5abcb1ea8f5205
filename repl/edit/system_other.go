//go:build !unix

package edit

import "os"

// tellChanges does nothing: there are no such signals here, and each drawing asks for the size of the window.
func tellChanges(chan<- os.Signal) {}

func goesOn(os.Signal) bool { return false }

// stopProcess does nothing: there is no job to stop here.
func stopProcess(<-chan os.Signal) bool { return false }

// waits reports false: text that was typed ahead is read like any other text.
func waits(*os.File) bool { return false }
