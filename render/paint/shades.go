package paint

import (
	"math"
	"strconv"
)

// Slots is how many colors communicators have. Neighbors in the order of slots differ in hue; from the ninth on
// they are darker, from the seventeenth on lighter. Where there are more communicators than slots, render.Parting
// gives communicators that run side by side different slots.
const Slots = 24

// hue is a color, for terminals with all colors, with 256 colors, and with 16.
type hue struct {
	rgb   string // "#fea247"; "": the color of 256 is used
	of256 int
	of16  int // -1: the terminal's own color
}

// shades is the colors for a background.
type shades struct {
	fills, inks  [Slots]hue
	rank, empty  hue // behind ranks without a communicator's color, and behind ranks without a communicator
	quiet        hue // text on the empty color
	dim          hue // text that matters less; the terminal's own faint text has no contrast that anyone knows
	accent       hue
	alarm, note  hue
	paint, paper hue // behind lit text, and the lit text
}

func shadesOn(dark bool) *shades {
	if dark {
		return &onDark
	}
	return &onLight
}

// The hues are orange, blue, green, pink, yellow, teal, red, purple. Any two of them differ clearly for people with
// deuteranopia or protanopia, too, as one man in twelve sees: by a CIEDE2000 difference of at least 12. Of 16 colors, the first six differ in hue (yellow,
// blue, green, magenta, red, cyan), the next six are their bright or dark twins, and the second dozen is
// underlined.
var onDark = shades{
	fills: [Slots]hue{
		{"#ed953b", 208, 3}, {"#71b1fe", 75, 4}, {"#42d58b", 78, 2}, {"#f18db9", 211, 5},
		{"#f4e529", 226, 9}, {"#61e3eb", 80, 6}, {"#dc524c", 167, 11}, {"#936cdf", 98, 12},
		{"#915100", 94, 10}, {"#005895", 24, 13}, {"#006732", 22, 1}, {"#941f6d", 89, 14},
		{"#786e05", 58, 3}, {"#006b70", 23, 4}, {"#970911", 88, 2}, {"#611ba7", 55, 5},
		{"#ffd5b1", 223, 9}, {"#add6fe", 153, 6}, {"#a9f7bd", 157, 11}, {"#ffc3e4", 218, 12},
		{"#fff8b8", 229, 10}, {"#bcf8fb", 159, 13}, {"#feb5ac", 217, 1}, {"#d9c6fe", 189, 14},
	},
	inks: [Slots]hue{
		{"#f69637", 208, 3}, {"#6eb8f8", 110, 12}, {"#65d28a", 78, 2}, {"#eb82af", 205, 5},
		{"#fee73e", 227, 9}, {"#6be1e7", 123, 6}, {"#e55953", 167, 11}, {"#9770eb", 135, 12},
		{"#c97407", 172, 10}, {"#2191e7", 33, 13}, {"#259f56", 35, 7}, {"#de52aa", 169, 14},
		{"#a1951e", 136, 3}, {"#1c989e", 37, 12}, {"#ed4b43", 202, 2}, {"#9e6de7", 135, 5},
		{"#ffd5b1", 223, 9}, {"#add6fe", 153, 6}, {"#a9f7bd", 157, 11}, {"#ffc3e4", 218, 12},
		{"#fff8b8", 229, 10}, {"#bcf8fb", 159, 13}, {"#feb5ac", 217, 7}, {"#d9c6fe", 189, 14},
	},
	rank: hue{"#4a4c55", 240, 7}, empty: hue{"#2c2d33", 236, -1}, quiet: hue{"#a8a8ae", 248, 7},
	dim: hue{"#9c9ca4", 247, 7}, accent: hue{"#3fc8d4", 80, 6},
	alarm: hue{"#ff7a70", 210, 9}, note: hue{"#e68be6", 176, 5},
	paint: hue{"#ffffff", 231, 15}, paper: hue{"#000000", 16, 0},
}

var onLight = shades{
	fills: [Slots]hue{
		{"#f18a13", 172, 3}, {"#3b95e2", 33, 4}, {"#4ab478", 42, 2}, {"#dc6d9d", 168, 5},
		{"#f2dd32", 220, 9}, {"#15bac1", 44, 6}, {"#d6483d", 160, 11}, {"#7752c5", 61, 12},
		{"#854a00", 94, 10}, {"#004a7e", 24, 13}, {"#005d2c", 22, 1}, {"#870c62", 89, 14},
		{"#615a0f", 58, 3}, {"#005c60", 23, 4}, {"#8a050d", 88, 2}, {"#500090", 54, 5},
		{"#ffc898", 223, 9}, {"#93caff", 117, 6}, {"#85eba3", 121, 11}, {"#fab0d9", 218, 12},
		{"#f8ec80", 228, 10}, {"#8ceaef", 123, 13}, {"#fda297", 217, 1}, {"#ceb6fc", 183, 14},
	},
	inks: [Slots]hue{
		{"#a76012", 130, 3}, {"#296fd0", 26, 4}, {"#198468", 28, 2}, {"#8e0659", 53, 5},
		{"#404300", 58, 1}, {"#1d7584", 23, 6}, {"#9e3a3d", 88, 3}, {"#5028b0", 55, 4},
		{"#6a3a01", 95, 2}, {"#003f6d", 18, 5}, {"#004a22", 22, 1}, {"#740052", 89, 6},
		{"#504907", 58, 3}, {"#004d50", 24, 4}, {"#810009", 88, 2}, {"#470080", 54, 5},
		{"#9c5905", 130, 1}, {"#0161a2", 25, 6}, {"#00783b", 28, 3}, {"#aa167d", 126, 4},
		{"#756b00", 94, 2}, {"#017176", 23, 5}, {"#bb0916", 124, 1}, {"#7233bb", 91, 6},
	},
	rank: hue{"#d3d4da", 252, 7}, empty: hue{"#eeeef1", 255, -1}, quiet: hue{"#5f6068", 241, 8},
	dim: hue{"#64656d", 241, 8}, accent: hue{"#0a5bc4", 26, 4},
	alarm: hue{"#c00000", 124, 1}, note: hue{"#8d2090", 90, 5},
	paint: hue{"#000000", 16, 0}, paper: hue{"#ffffff", 231, 15},
}

var (
	stuckHue = hue{"#c00000", 124, 1}
	black    = hue{"#000000", 16, 0}
	white    = hue{"#ffffff", 231, 15}
)

// reader returns the color of text that is easier to read on a color: black or white.
func (h *hue) reader(colors Colors) *hue {
	if l := h.light(colors); contrast(l, 0) >= contrast(l, 1) {
		return &black
	}
	return &white
}

// light returns the relative luminance of a color on a terminal, 0 to 1.
func (h *hue) light(colors Colors) float64 { return luminance(h.channels(colors)) }

// channels returns the red, green and blue of a color on a terminal, 0 to 255.
func (h *hue) channels(colors Colors) (r, g, b int) {
	switch {
	case colors == Colors16:
		c := xterm16[max(h.of16, 0)]
		return c[0], c[1], c[2]
	case colors == TrueColor && h.rgb != "":
		n, _ := strconv.ParseUint(h.rgb[1:], 16, 32) // all values of the table are hexadecimal
		return int(n >> 16), int(n >> 8 & 255), int(n & 255)
	case h.of256 < 16:
		c := xterm16[h.of256]
		return c[0], c[1], c[2]
	case h.of256 >= 232:
		v := 8 + 10*(h.of256-232)
		return v, v, v
	}
	n := h.of256 - 16
	return cube[n/36], cube[n/6%6], cube[n%6]
}

// cube is the levels of a channel in the color cube, the middle 216 of 256 colors.
var cube = [...]int{0, 95, 135, 175, 215, 255}

// xterm16 is xterm's 16 colors. Other terminals have other colors, but no darker ones where these are light.
var xterm16 = [16][3]int{
	{0, 0, 0}, {205, 0, 0}, {0, 205, 0}, {205, 205, 0}, {0, 0, 238}, {205, 0, 205}, {0, 205, 205}, {229, 229, 229},
	{127, 127, 127}, {255, 0, 0}, {0, 255, 0}, {255, 255, 0}, {92, 92, 255}, {255, 0, 255}, {0, 255, 255}, {255, 255, 255},
}

// luminance returns WCAG 2's relative luminance of a color.
func luminance(r, g, b int) float64 {
	linear := func(c int) float64 {
		v := float64(c) / 255
		if v <= 0.04045 {
			return v / 12.92
		}
		return math.Pow((v+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(r) + 0.7152*linear(g) + 0.0722*linear(b)
}

// contrast returns WCAG 2's contrast ratio of two luminances, 1 to 21.
func contrast(a, b float64) float64 { return (max(a, b) + 0.05) / (min(a, b) + 0.05) }

// InkRGB returns the color of lines and text about a communicator, "#9c5905".
func InkRGB(slot int, dark bool) string { return shadesOn(dark).inks[slot%Slots].rgb }

// FillRGB returns the color behind a communicator's cells, "#fea247", and the color of their text.
func FillRGB(slot int, dark bool) (fill, text string) {
	h := &shadesOn(dark).fills[slot%Slots]
	return h.rgb, h.reader(TrueColor).rgb
}
