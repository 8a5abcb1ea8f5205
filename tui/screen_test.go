package tui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"commsplit/hw/placement"
	"commsplit/repl"
)

// plain is the screen without colors.
func plain(m *Model) string {
	lines := strings.Split(ansi.Strip(m.View()), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, " ")
	}
	return strings.Join(lines, "\n")
}

// figure73 is the world of Figure 7.3.
func figure73() repl.Config {
	return repl.Config{Topo: "figure-7.3", Size: 12, Policy: placement.Policy{List: "0,1,2,3,4,5,6-7,6-7,8,9,10,11"}}
}
