// Command commsplit explores MPI communicator splits.
package main

import (
	"embed"
	"os"

	"commsplit/cmd"
	"commsplit/cmd/limits"  // before anything that needs more
	_ "commsplit/tui/quiet" // before bubbletea can ask the terminal
)

//go:embed cmd/*.md engine/*.md hw/*.md render/*.md render/document/*.md repl/*.md repl/recording/*.md repl/playground/*.md scripts/*.md tui/*.md
var pages embed.FS

func main() {
	limits.Begin()
	cmd.Pages = pages
	os.Exit(cmd.Main())
}
