// Command commsplit explores MPI communicator splits.
package main

import (
	"os"

	"commsplit/cmd"
	_ "commsplit/tui/quiet" // before bubbletea can ask the terminal
)

func main() { os.Exit(cmd.Main()) }
