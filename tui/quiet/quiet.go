// Package quiet keeps bubbletea from asking the terminal for its background when the program is loaded: on a
// terminal that does not answer, every command would wait for five seconds. Go initialises packages in the order
// of their import paths as soon as their own imports are ready, so this package comes first, as long as its path
// sorts before github.com/charmbracelet/bubbletea.
package quiet

import "github.com/charmbracelet/lipgloss"

func init() { lipgloss.SetHasDarkBackground(true) }
