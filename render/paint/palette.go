package paint

import (
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Ink is how a span is drawn: one of the constants, Part(slot) or Fill(slot), and optionally Lit and Moved.
type Ink uint16

// The inks. Inks from Rank on fill the background: they are for cells.
const (
	Plain Ink = iota
	Faint
	Bold
	Alarm  // what went wrong, or is stuck
	Accent // the focus
	Note   // narration
	Rank   // a rank, whatever it holds
	Empty  // a rank that holds no communicator
	Stuck  // a rank that is blocked

	partInk Ink = 16
	fillInk     = partInk + Slots
	inkEnd      = fillInk + Slots

	lit   Ink = 1 << 7
	moved Ink = 1 << 8
	kinds     = 1 << 9
)

// Part returns the ink of text about the communicator with a slot.
func Part(slot int) Ink {
	if slot < 0 {
		return Faint
	}
	return partInk + Ink(slot%Slots)
}

// Fill returns the ink of the cells of the communicator with a slot: the slot's color is behind the text.
func Fill(slot int) Ink {
	if slot < 0 {
		return Rank
	}
	return fillInk + Ink(slot%Slots)
}

// Slot returns the slot of a communicator's ink; NoSlot for other inks.
func (k Ink) Slot() int {
	switch k &^= lit | moved; {
	case k >= fillInk:
		return int(k - fillInk)
	case k >= partInk:
		return int(k - partInk)
	}
	return NoSlot
}

// Fills reports whether the ink colors what is behind the text.
func (k Ink) Fills() bool {
	k = k.Unlit()
	return k >= Rank && k < partInk || k >= fillInk
}

// Unlit returns the ink of the same thing, neither selected nor moved.
func (k Ink) Unlit() Ink { return k &^ (lit | moved) }

// Lit returns the ink for something selected.
func (k Ink) Lit() Ink { return k | lit }

// Colors is how many colors the terminal has.
type Colors uint8

// The numbers of colors of terminals. Without colors, there are still bold and reverse video.
const (
	NoColor Colors = iota
	Colors16
	Colors256
	TrueColor
)

// Palette holds the sequences that switch inks on. The zero Palette has no sequences at all.
type Palette struct {
	ons [kinds]string // by ink
}

// NewPalette returns the palette for a terminal.
func NewPalette(colors Colors, dark bool) *Palette {
	p := &Palette{}
	for k := range inkEnd {
		on := inkLook(k, colors, dark)
		shown := inkLook(k|lit, colors, dark)
		p.ons[k], p.ons[k|lit] = on.sequence(colors), shown.sequence(colors)
		on.underlined, shown.underlined = true, true
		p.ons[k|moved], p.ons[k|lit|moved] = on.sequence(colors), shown.sequence(colors)
	}
	return p
}

// look is the colors and attributes of an ink.
type look struct {
	text, behind                            *hue // nil: the terminal's own color
	bold, faint, italic, underlined, invert bool
}

// inkLook returns the look of an ink on a terminal.
func inkLook(k Ink, colors Colors, dark bool) look {
	base := shadesOn(dark)
	k, on := k&^lit, k&lit != 0
	l := look{invert: on}
	switch {
	case k >= fillInk:
		slot := int(k - fillInk)
		l.behind = &base.fills[slot]
		l.text = base.fills[slot].reader(colors)
		l.underlined = colors == Colors16 && slot >= Slots/2
	case k >= partInk:
		l.text, l.bold = &base.inks[int(k-partInk)], true
	}
	switch k {
	case Faint:
		if colors >= Colors256 && !on {
			l.text = &base.dim
		} else {
			l.faint = !on
		}
	case Bold:
		l.bold = true
	case Alarm:
		l.text, l.bold = &base.alarm, true
	case Accent:
		l.text, l.bold = &base.accent, true
	case Note:
		l.text, l.italic = &base.note, true
	case Rank:
		l.behind, l.text = &base.rank, base.rank.reader(colors)
	case Empty:
		// Of 16 colors, the quiet color on a light background is faint by itself.
		l.behind, l.text, l.faint = &base.empty, &base.quiet, (colors == NoColor || colors < Colors256 && dark) && !on
	case Stuck:
		l.behind, l.text, l.bold = &stuckHue, stuckHue.reader(colors), true
	}
	if on && l.behind != nil && colors != NoColor {
		// A lit cell is the brightest of all cells, whatever its communicator.
		l = look{text: &base.paper, behind: &base.paint, bold: true}
	}
	return l
}

// sequence returns the sequence that switches the look on.
func (l look) sequence(colors Colors) string {
	var codes []string
	for _, c := range []struct {
		on   bool
		code string
	}{{l.bold, "1"}, {l.faint, "2"}, {l.italic, "3"}, {l.underlined, "4"}, {l.invert, "7"}} {
		if c.on {
			codes = append(codes, c.code)
		}
	}
	if colors != NoColor && l.text != nil {
		codes = append(codes, l.text.code(colors, false))
	}
	if colors != NoColor && l.behind != nil {
		if code := l.behind.code(colors, true); code != "" {
			codes = append(codes, code)
		}
	}
	if len(codes) == 0 {
		return ""
	}
	return "\x1b[" + strings.Join(codes, ";") + "m"
}

// code returns the parameters of the sequence that sets a color of text, or of the background behind it; "" for
// the terminal's own color.
func (h *hue) code(colors Colors, behind bool) string {
	lead := "38;"
	if behind {
		lead = "48;"
	}
	switch {
	case colors == Colors16 && h.of16 < 0:
		return ""
	case colors == Colors16:
		first := 30
		if behind {
			first += 10
		}
		if h.of16 >= 8 {
			first += 60 - 8
		}
		return strconv.Itoa(first + h.of16)
	case colors == Colors256 || h.rgb == "":
		return lead + "5;" + strconv.Itoa(h.of256)
	}
	n, _ := strconv.ParseUint(h.rgb[1:], 16, 32) // all values of the table are hexadecimal
	return lead + "2;" + strconv.Itoa(int(n>>16)) + ";" + strconv.Itoa(int(n>>8&255)) + ";" + strconv.Itoa(int(n&255))
}

// off is the sequence that switches all inks off.
const off = ansi.ResetStyle
