package render

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// emWidths are the widths of the characters from blank to tilde, in hundredths of the size of the
// font: the larger of Arial's and DejaVu Sans's, which is about the widest that a viewer puts in its
// place.
var emWidths = [...]int{
	32, 41, 46, 84, 64, 96, 78, 28, 40, 40, 50, 84, 32, 37, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 34, 34, 84, 84, 84, 56,
	102, 69, 69, 73, 78, 67, 62, 78, 76, 30, 50, 67, 56, 87, 75, 79, 67, 79, 73, 67, 62, 74, 69, 99, 69, 67, 69, 40, 34, 40, 84, 56,
	50, 62, 64, 55, 64, 62, 36, 64, 64, 28, 28, 58, 28, 98, 64, 62, 64, 64, 42, 53, 40, 64, 60, 82, 60, 60, 53, 64, 34, 64, 84,
}

// Widths of other characters, by the columns that they have on a terminal, and what bold letters are
// wider, in the same unit.
const (
	emOther = 100
	emWide  = 130
	emBold  = 12
)

// svgEms is how wide a text is at most in usual fonts, in hundredths of the size of the font.
func svgEms(text string) int {
	sum := 0
	for i := 0; i < len(text); i++ {
		if c := text[i]; c < ' ' || c > '~' {
			return svgForeign(text)
		}
		sum += emWidths[text[i]-' ']
	}
	return sum
}

// svgForeign is svgEms of a text that has other characters than ASCII's, too. Each is counted by
// itself: not every font joins what could be joined.
func svgForeign(text string) int {
	sum := 0
	for _, r := range text {
		switch cells := ansi.StringWidth(string(r)); {
		case r >= ' ' && r <= '~':
			sum += emWidths[r-' ']
		case cells > 1:
			sum += emWide
		case cells == 1:
			sum += emOther
		}
	}
	return sum
}

// svgWide is how wide a text is at most in a font of that size, in pixels.
func svgWide(text string, font int) int { return (svgEms(text)*font + 99) / 100 }

// svgBold is the same in bold letters.
func svgBold(text string, font int) int {
	return ((svgEms(text)+emBold*ansi.StringWidth(text))*font + 99) / 100
}

// svgFill cuts a text at blanks into lines that are no wider than some pixels; words that are wider
// are cut anywhere.
func svgFill(text string, font, wide int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Split(text, " ") {
		if line != "" && svgWide(line+" "+word, font) <= wide {
			line += " " + word
			continue
		}
		if line != "" {
			lines = append(lines, line)
		}
		for svgWide(word, font) > wide {
			head := headOf(word, font, wide)
			lines, word = append(lines, head), word[len(head):]
		}
		line = word
	}
	return append(lines, line)
}

// headOf is the first part of a word that is no wider than some pixels, at least a character.
func headOf(word string, font, wide int) string {
	n := 0
	for n < len(word) {
		cluster, _ := ansi.FirstGraphemeCluster(word[n:], ansi.GraphemeWidth)
		if n > 0 && svgWide(word[:n+len(cluster)], font) > wide {
			break
		}
		n += len(cluster)
	}
	return word[:n]
}

// longestName is how much of a name that a program set a picture shows, in columns.
const longestName = 40

// shorten cuts the end of a text that is too long for a picture.
func shorten(text string) string { return ansi.Truncate(text, longestName, "…") }
