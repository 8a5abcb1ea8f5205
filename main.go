// Command commsplit explores MPI communicator splits.
package main

import (
	"embed"
	"os"

	"codeberg.org/commsplit/commsplit/cmd"
	"codeberg.org/commsplit/commsplit/cmd/limits"  // before anything that needs more
	_ "codeberg.org/commsplit/commsplit/tui/quiet" // before bubbletea can ask the terminal
)

//go:embed cmd/*.md engine/*.md hw/*.md render/*.md render/document/*.md repl/*.md repl/recording/*.md repl/playground/*.md scripts/*.md tui/*.md
var pages embed.FS

func main() {
	limits.Begin()
	cmd.Pages = pages
	os.Exit(cmd.Main())
}
