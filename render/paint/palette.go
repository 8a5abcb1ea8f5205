package paint

import (
	"io"
	"strings"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"
)

// Ink is how a span is drawn: one of the constants, or Part(k), and Lit besides.
type Ink uint16

// The inks.
const (
	Plain Ink = iota
	Faint
	Bold
	Alarm  // what went wrong, or is stuck
	Accent // what has the focus
	Note   // narration

	partInk Ink = 16
	lit     Ink = 1 << 12
)

// Part is the ink of the k-th communicator.
func Part(k int) Ink {
	if k < 0 {
		return Faint
	}
	return partInk + Ink(k%PartInks)
}

// Lit is the ink of something that the selection lights up.
func (k Ink) Lit() Ink { return k | lit }

// PartInks is how many inks communicators take in turn.
const PartInks = 8

// Hues are these inks, of the 256 colors of terminals: eight that people with any of the common kinds of
// color blindness can tell apart, with enough contrast on the background.
func Hues(dark bool) [PartInks]lipgloss.Color {
	if dark {
		return [...]lipgloss.Color{"214", "75", "36", "227", "175", "39", "209", "252"}
	}
	return [...]lipgloss.Color{"166", "25", "29", "94", "132", "31", "124", "240"}
}

// Colors is how many colors the terminal has.
type Colors uint8

// What terminals can do. Without color there is bold and reverse video nevertheless.
const (
	NoColor Colors = iota
	Colors16
	Colors256
)

// Palette is the sequences that switch inks on.
type Palette struct {
	ons map[Ink]string
	off string
}

// NewPalette is the palette for a terminal. The zero Palette has no sequences at all.
func NewPalette(colors Colors, dark bool) *Palette {
	r := lipgloss.NewRenderer(io.Discard)
	profile := termenv.ANSI256
	if colors == Colors16 {
		profile = termenv.ANSI
	}
	r.SetColorProfile(profile) // so that it asks neither the terminal nor the environment
	p := &Palette{ons: map[Ink]string{}, off: ansi.ResetStyle}
	style := func(k Ink, s lipgloss.Style, hue lipgloss.Color) {
		if colors != NoColor && hue != "" {
			s = s.Foreground(hue)
		}
		p.ons[k] = switchOn(s)
		p.ons[k.Lit()] = switchOn(s.Reverse(true).Faint(false))
	}
	accent, note := lipgloss.Color("6"), lipgloss.Color("5")
	if !dark {
		accent = lipgloss.Color("4")
	}
	style(Plain, r.NewStyle(), "")
	style(Faint, r.NewStyle().Faint(true), "")
	style(Bold, r.NewStyle().Bold(true), "")
	style(Alarm, r.NewStyle().Bold(true), "1")
	style(Accent, r.NewStyle().Bold(true), accent)
	style(Note, r.NewStyle().Italic(true), note)
	for k, hue := range Hues(dark) {
		style(Part(k), r.NewStyle().Bold(true), hue)
	}
	return p
}

func (p *Palette) on(k Ink) string { return p.ons[k] }

// switchOn is what a style writes before its text. Spans are many and short; rendering each of them by
// itself would cost more than all the rest of a picture.
func switchOn(s lipgloss.Style) string {
	on, _, _ := strings.Cut(s.Render("x"), "x")
	return on
}
