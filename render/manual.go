package render

import "embed"

// Manual is the pages of the manual about what commsplit writes.
//
//go:embed *.md
var Manual embed.FS
