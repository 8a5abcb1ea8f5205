package edit

import (
	"os"

	"golang.org/x/sys/windows"
)

// tellChanges does nothing: there are no such signals here, and each drawing asks for the size of the window.
func tellChanges(chan<- os.Signal) {}

func goesOn(os.Signal) bool { return false }

// stopProcess does nothing: there is no job to stop here.
func stopProcess(<-chan os.Signal) bool { return false }

// takeCommands makes a console understand the commands of terminals, which is possible from Windows 10 on.
func takeCommands(out *os.File) error {
	var mode uint32
	if err := windows.GetConsoleMode(windows.Handle(out.Fd()), &mode); err != nil {
		return err
	}
	const commands = windows.ENABLE_PROCESSED_OUTPUT | windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING
	if mode&commands == commands {
		return nil
	}
	return windows.SetConsoleMode(windows.Handle(out.Fd()), mode|commands)
}

// waits reports false: text that was typed ahead is read like any other text.
func waits(*os.File) bool { return false }
