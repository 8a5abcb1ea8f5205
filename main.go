// Command commsplit explores MPI communicator splits.
package main

import (
	"os"

	"commsplit/cmd"
)

func main() { os.Exit(cmd.Main()) }
