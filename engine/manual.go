package engine

import "embed"

// Manual is the pages of the manual for Go programmers.
//
//go:embed *.md
var Manual embed.FS
