package render

import (
	"io"
	"strings"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"
)

// ink is how a span is drawn: one of the constants, or inkPart plus the index of a communicator.
type ink int32

const (
	inkPlain ink = iota
	inkFaint
	inkBold
	inkAlarm
	inkPart
)

const partColors = 8

// palette holds the escape sequences that switch each ink on; all are empty without color.
type palette struct {
	faint, bold, alarm, reset string
	parts                     [partColors]string
}

// partHues are eight hues of the 256 colors that people with any of the common kinds of color
// blindness can tell apart, with enough contrast on the background.
func partHues(dark bool) [partColors]lipgloss.Color {
	if dark {
		return [...]lipgloss.Color{"214", "75", "36", "227", "175", "39", "209", "252"}
	}
	return [...]lipgloss.Color{"166", "25", "29", "94", "132", "31", "124", "240"}
}

func newPalette(st Style) *palette {
	p := &palette{}
	if !st.Color {
		return p
	}
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(termenv.ANSI256) // so that it asks neither the terminal nor the environment
	p.reset = ansi.ResetStyle
	p.faint = switchOn(r.NewStyle().Faint(true))
	p.bold = switchOn(r.NewStyle().Bold(true))
	p.alarm = switchOn(r.NewStyle().Bold(true).Foreground(lipgloss.Color("1")))
	for i, hue := range partHues(st.Dark) {
		p.parts[i] = switchOn(r.NewStyle().Bold(true).Foreground(hue))
	}
	return p
}

// switchOn is what a style writes before its text. Spans are many and short; rendering each by
// itself would cost more than all the rest of a picture.
func switchOn(s lipgloss.Style) string {
	on, _, _ := strings.Cut(s.Render("x"), "x")
	return on
}

func (p *palette) open(k ink) string {
	switch k {
	case inkPlain:
		return ""
	case inkFaint:
		return p.faint
	case inkBold:
		return p.bold
	case inkAlarm:
		return p.alarm
	}
	return p.parts[int(k-inkPart)%partColors]
}

// alphabet is the letters of the first communicators; later ones get two letters, then three.
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// hollow stands for a rank with MPI_COMM_NULL, notYet for one that holds nothing: see Unset.
const (
	hollow = "○"
	notYet = "…"
)

// noneWords say of a rank in a legend what these signs do.
const (
	nullWords  = "MPI_COMM_NULL"
	unsetWords = "not set yet"
)

// letter names the k-th communicator of a partition: A..Z, a..z, AA, AB, ...
func letter(k int) string {
	var buf [8]byte
	i := len(buf)
	for k++; k > 0; k = (k - 1) / len(alphabet) {
		i--
		buf[i] = alphabet[(k-1)%len(alphabet)]
	}
	return string(buf[i:])
}
