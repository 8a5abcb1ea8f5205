package document

import "embed"

// Manual is the page of the manual about JSON.
//
//go:embed *.md
var Manual embed.FS
