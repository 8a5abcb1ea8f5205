package hw

import "embed"

// Manual is the pages of the manual about hardware.
//
//go:embed *.md
var Manual embed.FS
