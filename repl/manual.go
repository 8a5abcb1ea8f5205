package repl

import "embed"

// Manual is the pages of the manual about the language, scripts and real MPIs.
//
//go:embed *.md
var Manual embed.FS
