package edit

import (
	"os"

	"golang.org/x/sys/windows"
)

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
