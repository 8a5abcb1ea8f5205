package tui

import "embed"

// Manual is the pages of the manual about the terminal UI.
//
//go:embed *.md
var Manual embed.FS
