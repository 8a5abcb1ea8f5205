package paint

import (
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Ink is how a span is drawn: one of the constants, Part(slot) or Fill(slot), and Lit or Moved besides.
type Ink uint16

// The inks. Those from Rank on fill the background: they are for cells.
const (
	Plain Ink = iota
	Faint
	Bold
	Alarm  // what went wrong, or is stuck
	Accent // what has the focus
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

// Part is the ink of text about a communicator, by its slot.
func Part(slot int) Ink { return ofSlot(partInk, slot, Faint) }

// Fill is the ink of cells of a communicator, by its slot: its color is behind the text.
func Fill(slot int) Ink { return ofSlot(fillInk, slot, Rank) }

func ofSlot(first Ink, slot int, none Ink) Ink {
	if slot < 0 {
		return none
	}
	return first + Ink(slot%Slots)
}

// Slot is the slot of an ink of a communicator; NoSlot for other inks.
func (k Ink) Slot() int {
	switch k &^= lit | moved; {
	case k >= fillInk:
		return int(k - fillInk)
	case k >= partInk:
		return int(k - partInk)
	}
	return NoSlot
}

// Lit is the ink of something that the selection lights up.
func (k Ink) Lit() Ink { return k | lit }

// Moved is the ink of something that is elsewhere than before.
func (k Ink) Moved() Ink { return k | moved }

// Colors is how many colors the terminal has.
type Colors uint8

// What terminals can do. Without color there is bold and reverse video nevertheless.
const (
	NoColor Colors = iota
	Colors16
	Colors256
	TrueColor
)

// Palette is the sequences that switch inks on.
type Palette struct {
	ons []string // by ink; nil: none has any
}

// NewPalette is the palette for a terminal. The zero Palette has no sequences at all.
func NewPalette(colors Colors, dark bool) *Palette {
	p := &Palette{ons: make([]string, kinds)}
	for k := range inkEnd {
		on := inkLook(k, colors, dark)
		shown := inkLook(k|lit, colors, dark)
		p.ons[k], p.ons[k|lit] = on.sequence(colors), shown.sequence(colors)
		on.underlined, shown.underlined = true, true
		p.ons[k|moved], p.ons[k|lit|moved] = on.sequence(colors), shown.sequence(colors)
	}
	return p
}

// look is what an ink is made of.
type look struct {
	text, behind                            *hue // nil: the terminal's
	bold, faint, italic, underlined, invert bool
}

// inkLook tells how an ink looks on a terminal, and how it looks lit.
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
		l.faint = !on
	case Bold:
		l.bold = true
	case Alarm:
		l.text, l.bold = &alarmHue, true
	case Accent:
		l.text, l.bold = &base.accent, true
	case Note:
		l.text, l.italic = &noteHue, true
	case Rank:
		l.behind, l.text = &base.rank, base.rank.reader(colors)
	case Empty:
		// Of 16 colors, the one for a light background is faint by itself.
		l.behind, l.text, l.faint = &base.empty, &base.quiet, (colors == NoColor || colors < Colors256 && dark) && !on
	case Stuck:
		l.behind, l.text, l.bold = &stuckHue, stuckHue.reader(colors), true
	}
	if on && l.behind != nil && colors != NoColor {
		// What is lit is the brightest cell there is, whatever its communicator.
		l = look{text: &base.paper, behind: &base.paint, bold: true}
	}
	return l
}

// sequence switches the look on.
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

// code is the parameters of the sequence that sets a color of text, or behind text; "" for the terminal's own.
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
	n, _ := strconv.ParseUint(h.rgb[1:], 16, 32) // the table has no other
	return lead + "2;" + strconv.Itoa(int(n>>16)) + ";" + strconv.Itoa(int(n>>8&255)) + ";" + strconv.Itoa(int(n&255))
}

func (p *Palette) on(k Ink) string {
	if p.ons == nil {
		return ""
	}
	return p.ons[k]
}

// off switches all inks off.
const off = ansi.ResetStyle
