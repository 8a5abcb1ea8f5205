package scripts

import "embed"

// Manual is the pages of the manual for teachers.
//
//go:embed *.md
var Manual embed.FS
