package paint

import "strings"

// Big letters are drawn with half blocks, for lecture halls: two dots of a letter stand above each other in one
// character.

// letters are the dots of the characters that cells have: five rows each, as wide as they need.
var letters = map[rune]string{
	'0': "###/#.#/#.#/#.#/###", '1': ".#./##./.#./.#./###", '2': "###/..#/###/#../###", '3': "###/..#/.##/..#/###",
	'4': "#.#/#.#/###/..#/..#", '5': "###/#../###/..#/###", '6': "###/#../###/#.#/###", '7': "###/..#/..#/.#./.#.",
	'8': "###/#.#/###/#.#/###", '9': "###/#.#/###/..#/###",
	'A': "###/#.#/###/#.#/#.#", 'B': "###/#.#/##./#.#/###", 'C': ".##/#../#../#../.##", 'D': "##./#.#/#.#/#.#/##.",
	'E': "###/#../##./#../###", 'F': "###/#../##./#../#..", 'G': ".##/#../#.#/#.#/.##", 'H': "#.#/#.#/###/#.#/#.#",
	'I': "###/.#./.#./.#./###", 'J': "..#/..#/..#/#.#/.#.", 'K': "#.#/#.#/##./#.#/#.#", 'L': "#../#../#../#../###",
	'M': "#...#/##.##/#.#.#/#...#/#...#", 'N': "#..#/##.#/#.##/#..#/#..#", 'O': ".#./#.#/#.#/#.#/.#.",
	'P': "###/#.#/###/#../#..", 'Q': ".#./#.#/#.#/.#./..#", 'R': "###/#.#/##./#.#/#.#", 'S': ".##/#../.#./..#/##.",
	'T': "###/.#./.#./.#./.#.", 'U': "#.#/#.#/#.#/#.#/###", 'V': "#.#/#.#/#.#/#.#/.#.", 'W': "#...#/#...#/#.#.#/##.##/#...#",
	'X': "#.#/#.#/.#./#.#/#.#", 'Y': "#.#/#.#/.#./.#./.#.", 'Z': "###/..#/.#./#../###",
	'a': ".../.##/#.#/#.#/.##", 'b': "#../#../##./#.#/##.", 'c': ".../.../.##/#../.##", 'd': "..#/..#/.##/#.#/.##",
	'e': ".../.#./###/#../.##", 'f': ".##/#../##./#../#..", 'g': ".../.##/#.#/.##/##.", 'h': "#../#../##./#.#/#.#",
	'i': ".#./.../.#./.#./.#.", 'j': "..#/.../..#/#.#/.#.", 'k': "#../#.#/##./##./#.#", 'l': "##./.#./.#./.#./.##",
	'm': "...../...../##.#./#.#.#/#.#.#", 'n': ".../.../##./#.#/#.#", 'o': ".../.../.#./#.#/.#.", 'p': ".../##./#.#/##./#..",
	'q': ".../.##/#.#/.##/..#", 'r': ".../.../.##/#../#..", 's': ".../.##/#../.#./##.", 't': ".#./###/.#./.#./.##",
	'u': ".../.../#.#/#.#/.##", 'v': ".../.../#.#/#.#/.#.", 'w': "...../...../#.#.#/#.#.#/.#.#.", 'x': ".../.../#.#/.#./#.#",
	'y': ".../#.#/#.#/.##/##.", 'z': ".../.../##./.#./.##",
	'-': ".../.../###/.../...", '+': ".../.#./###/.#./...", '!': "#/#/#/./#", '\'': "#/#/././.", '.': "././././#", ',': "./././#/#",
	'·': "././#/./.", '○': ".###./#...#/#...#/#...#/.###.", '×': ".../#.#/.#./#.#/...", '…': "...../...../...../...../#.#.#",
	'»': "#.#../.#.#./..#.#/.#.#./#.#..", '[': "##/#./#./#./##", ']': "##/.#/.#/.#/##", ' ': "././././.",
}

// letterRows is how many rows of dots a letter has, and letterColumns how many columns most letters have.
const (
	letterRows    = 5
	letterColumns = 3
)

// BigSize is the columns and lines that most texts of n characters take in letters whose dots are so many times as big as
// the smallest.
func BigSize(n, scale int) (columns, lines int) {
	return ((letterColumns+1)*n - 1) * scale, (letterRows*scale + 1) / 2
}

// Big is the cell as lines, exactly so many, of exactly so many columns: its words in the biggest letters that have room,
// and in the line below them another text in small letters. It is nil where its words have no room in big letters.
func (c Cell) Big(width, high int, under string) []Line {
	dots := dotsOf(c.label())
	if dots == nil {
		return nil
	}
	wide := width / (len(dots[0]) + 2)  // a dot is free on each side
	tall := (high - 2) * 2 / letterRows // a line is free above
	if tall < 1 {
		tall = (high - 1) * 2 / letterRows
	}
	wide, tall = min(wide, tall*3/2), min(tall, wide*3/2) // letters of other shapes are hard to read
	if wide < 1 || tall < 1 {
		return nil
	}
	return c.around(dots.lines(wide, tall), width, high, under)
}

// dots are the rows of a text in big letters: whether there is a dot.
type dots [][]bool

// dotsOf is a text in big letters; nil when it has a character without one.
func dotsOf(text string) dots {
	out := make(dots, letterRows)
	for i, r := range []rune(text) {
		letter, ok := letters[r]
		if !ok {
			return nil
		}
		for y, row := range strings.Split(letter, "/") {
			if i > 0 {
				out[y] = append(out[y], false)
			}
			for _, dot := range row {
				out[y] = append(out[y], dot == '#')
			}
		}
	}
	return out
}

// lines are the dots, each so many columns wide and so many half lines tall.
func (d dots) lines(wide, tall int) []string {
	at := func(y, x int) bool { return y < letterRows*tall && d[y/tall][x/wide] }
	out := make([]string, (letterRows*tall+1)/2)
	for y := range out {
		var b strings.Builder
		for x := range len(d[0]) * wide {
			switch above, below := at(2*y, x), at(2*y+1, x); {
			case above && below:
				b.WriteRune('█')
			case above:
				b.WriteRune('▀')
			case below:
				b.WriteRune('▄')
			default:
				b.WriteByte(' ')
			}
		}
		out[y] = b.String()
	}
	return out
}

// around puts lines of big letters into the middle of the cell. What is lit stands on another color, and the text below it
// in brackets.
func (c Cell) around(letters []string, width, high int, under string) []Line {
	ink, lit := c.ink()&^moved, c.ink()&^moved
	if c.Lit {
		lit = lit.Lit()
	}
	if c.Lit && under != "" {
		under = "[" + under + "]"
	}
	first := (high - len(letters)) / 2
	out := make([]Line, high)
	for y := range out {
		k := y - first
		switch {
		case k >= 0 && k < len(letters):
			free := width - Width(letters[k])
			out[y].Add(blanked(free/2-1), ink)
			out[y].Add(" "+letters[k]+" ", lit)
			out[y].Add(blanked(free-free/2-1), ink)
		case k == len(letters):
			c.Blank(&out[y], under, width)
		default:
			c.Blank(&out[y], "", width)
		}
	}
	return out
}
