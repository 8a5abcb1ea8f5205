package render

import "github.com/charmbracelet/x/ansi"

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

// partCodes are eight hues of the 256 colors that people with any of the common kinds of color
// blindness can tell apart, with enough contrast on the background.
func partCodes(dark bool) [partColors]ansi.IndexedColor {
	if dark {
		return [...]ansi.IndexedColor{214, 75, 36, 227, 175, 39, 209, 252}
	}
	return [...]ansi.IndexedColor{166, 25, 29, 94, 132, 31, 124, 240}
}

func newPalette(st Style) *palette {
	p := &palette{}
	if !st.Color {
		return p
	}
	p.reset = ansi.ResetStyle
	p.faint = ansi.Style{}.Faint().String()
	p.bold = ansi.Style{}.Bold().String()
	p.alarm = ansi.Style{}.Bold().ForegroundColor(ansi.Red).String()
	for i, code := range partCodes(st.Dark) {
		p.parts[i] = ansi.Style{}.Bold().ForegroundColor(code).String()
	}
	return p
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

// hollow stands for a rank without a communicator.
const hollow = "○"

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
