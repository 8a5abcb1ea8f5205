//go:build !(unix || windows)

package edit

import "os"

// tellChanges does nothing: there are no such signals here.
func tellChanges(chan<- os.Signal) {}

func goesOn(os.Signal) bool { return false }

// stopProcess does nothing: there is no job to stop here.
func stopProcess(<-chan os.Signal) bool { return false }

// takeCommands lets a terminal take commands, as all do.
func takeCommands(*os.File) error { return nil }

// waits reports false: what was typed ahead is read like everything else.
func waits(*os.File) bool { return false }
