package paint

import "strings"

// Big letters are drawn with half blocks, for lecture halls: a character holds two dots of a letter, one above the
// other.

// letters are the dots of the characters that cells contain: five rows each, as wide as the character needs.
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

// letterRows is the rows of dots of a letter, and letterColumns the columns of most letters.
const (
	letterRows    = 5
	letterColumns = 3
)

// BigSize returns the columns and lines of most texts of n characters, in letters whose dots are scale times as
// big as the smallest.
func BigSize(n, scale int) (columns, lines int) {
	return ((letterColumns+1)*n - 1) * scale, (letterRows*scale + 1) / 2
}

// Big returns the cell as exactly high lines of exactly width columns: its text in the biggest letters that have
// room, and in the line below it another text in small letters. It returns nil where the text has no room in big
// letters.
func (c Cell) Big(width, high int, under string) []Line {
	dots := dotsOf(c.label())
	if dots == nil {
		return nil
	}
	wide := width / (len(dots[0]) + 2)  // at least one dot is free on each side
	tall := (high - 2) * 2 / letterRows // if there is room, a line is free above and below
	if tall < 1 {
		tall = (high - 1) * 2 / letterRows
	}
	if tall < 1 {
		tall = high * 2 / letterRows
	}
	wide, tall = min(wide, tall*3/2), min(tall, wide*3/2) // letters of other proportions are hard to read
	if wide < 1 || tall < 1 {
		return nil
	}
	return c.around(dots.lines(wide, tall), width, high, under)
}

// dots are the rows of a text in big letters: true for a dot.
type dots [][]bool

// dotsOf returns a text in big letters; nil when a character has no big letter.
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

// lines draws the dots, each of wide columns and tall half lines.
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

// around puts lines of big letters into the middle of the cell. A lit cell has another color behind its letters,
// and brackets around the text below them.
func (c Cell) around(letters []string, width, high int, under string) []Line {
	ink, lit := c.ink()&^moved, c.ink()&^moved
	if c.Lit {
		lit = lit.Lit()
	}
	first := (high - len(letters)) / 2
	out := make([]Line, high)
	for y := range out {
		k := y - first
		switch {
		case k >= 0 && k < len(letters):
			free := width - Width(letters[k])
			out[y].Add(c.filled(free/2-1), ink)
			out[y].Add(" "+letters[k]+" ", lit)
			out[y].Add(c.filled(free-free/2-1), ink)
		case k == len(letters):
			c.Blank(&out[y], under, width)
		default:
			c.Blank(&out[y], "", width)
		}
	}
	return out
}
