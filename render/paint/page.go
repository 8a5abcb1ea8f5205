package paint

import (
	"regexp"
	"strings"
)

// Page lays out a page of Markdown for a terminal of width columns: headings, paragraphs, lists, tables and blocks
// of code. Code keeps its lines, also where they are wider. Pictures and HTML are left out. A link becomes its
// text; see returns the words to add behind the text, "" for nothing.
func Page(text string, width int, see func(link string) string) []Line {
	p := page{width: width, see: see}
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for i := 0; i < len(lines); {
		i += p.block(lines[i:])
	}
	return p.out
}

type page struct {
	width int
	see   func(link string) string
	out   []Line
}

// block lays out what begins with the first line, and returns how many lines that was.
func (p *page) block(lines []string) int {
	first := lines[0]
	switch {
	case first == "" || html(first):
		return 1
	case strings.HasPrefix(first, "#"):
		p.gap()
		p.out = append(p.out, Text(strings.TrimLeft(first, "# "), Accent))
		return 1
	case strings.HasPrefix(first, "```"):
		return p.code(lines)
	case strings.HasPrefix(first, "    "):
		n := run(lines, func(l string) bool { return strings.HasPrefix(l, "    ") })
		p.gap()
		for _, l := range lines[:n] {
			p.out = append(p.out, Text(l, Plain))
		}
		return n
	case strings.HasPrefix(first, "|"):
		n := run(lines, func(l string) bool { return strings.HasPrefix(l, "|") })
		p.gap()
		p.table(lines[:n])
		return n
	case strings.HasPrefix(first, "- "):
		n := 1 + run(lines[1:], func(l string) bool { return strings.HasPrefix(l, "  ") })
		if !p.inList() {
			p.gap()
		}
		p.flow("• "+strings.Join(lines[:n], " ")[2:], 2)
		return n
	}
	n := run(lines, func(l string) bool {
		return l != "" && !strings.HasPrefix(l, "```") && !strings.HasPrefix(l, "- ") && !html(l)
	})
	if text := strings.Join(lines[:n], " "); p.inline(text).Width() > 0 { // more than a picture
		p.gap()
		p.flow(text, 0)
	}
	return n
}

// html reports whether a line is HTML: a comment, or a picture, which a terminal has no room for.
func html(line string) bool { return strings.HasPrefix(strings.TrimLeft(line, " "), "<") }

// run counts the lines at the front that is accepts.
func run(lines []string, is func(string) bool) int {
	n := 0
	for n < len(lines) && is(lines[n]) {
		n++
	}
	return n
}

// gap adds an empty line, except at the beginning.
func (p *page) gap() {
	if len(p.out) > 0 {
		p.out = append(p.out, nil)
	}
}

func (p *page) inList() bool {
	for i := len(p.out) - 1; i >= 0; i-- {
		switch plain := p.out[i].Plain(); {
		case strings.HasPrefix(plain, "• "):
			return true
		case !strings.HasPrefix(plain, "  "):
			return false
		}
	}
	return false
}

// code lays out a fenced block; lines typed at a shell are bold.
func (p *page) code(lines []string) int {
	n := 1 + run(lines[1:], func(l string) bool { return l != "```" })
	p.gap()
	for _, l := range lines[1:n] {
		k := Plain
		if strings.HasPrefix(l, "$ ") || strings.HasPrefix(l, "> ") {
			k = Bold
		}
		p.out = append(p.out, Text("    "+l, k))
	}
	return min(n+1, len(lines))
}

// flow wraps text; it indents all lines but the first.
func (p *page) flow(text string, indent int) {
	p.out = append(p.out, flow(p.inline(text), p.width, indent)...)
}

// marked matches emphasis, code, pictures and links inside a line.
var marked = regexp.MustCompile("`([^`]+)`|\\*\\*([^*]+)\\*\\*|\\*([^* ][^*]*)\\*|!?\\[([^\\]]*)\\]\\(([^)]*)\\)")

// inline makes spans of text with its emphasis, code and links.
func (p *page) inline(text string) Line {
	var l Line
	for {
		m := marked.FindStringSubmatchIndex(text)
		if m == nil {
			l.Add(text, Plain)
			return l
		}
		group := func(k int) string { return text[max(m[2*k], 0):max(m[2*k+1], 0)] }
		l.Add(text[:m[0]], Plain)
		switch {
		case group(1) != "":
			l.Add(group(1), Bold)
		case group(2) != "":
			l.Add(group(2), Bold)
		case group(3) != "":
			l.Add(group(3), Note)
		case text[m[0]] != '!':
			l = append(l, p.inline(group(4))...)
			if more := p.see(group(5)); more != "" {
				l.Add(" ("+more+")", Plain)
			}
		}
		text = text[m[1]:]
	}
}

// flow breaks a line at blanks into lines of at most width columns, and indents all lines but the first. A word
// that is longer has a line of its own.
func flow(l Line, width, indent int) []Line {
	var lines []Line
	var line, word Line
	end := func() {
		if len(word) == 0 {
			return
		}
		if len(line) > 0 && line.Width()+1+word.Width() > width {
			lines = append(lines, line)
			line = Text(strings.Repeat(" ", indent), Plain)
		} else if len(line) > 0 {
			line.Add(" ", Plain)
		}
		line = append(line, word...)
		word = nil
	}
	for _, s := range l {
		for i, part := range strings.Split(s.Text, " ") {
			if i > 0 {
				end()
			}
			if part != "" {
				word.Add(part, s.Ink)
			}
		}
	}
	end()
	return append(lines, line)
}

// table lays out rows of cells between bars: the first row is the head, the second is dashes. Columns are as wide
// as their cells; where that is too wide, the widest columns get narrower and their cells wrap.
func (p *page) table(lines []string) {
	var rows [][]Line
	for i, l := range lines {
		if i == 1 {
			continue
		}
		var row []Line
		for _, cell := range cells(l) {
			row = append(row, p.inline(cell))
		}
		rows = append(rows, row)
	}
	widths, words := make([]int, len(rows[0])), make([]int, len(rows[0]))
	for _, row := range rows {
		for k := range min(len(widths), len(row)) {
			widths[k] = max(widths[k], row[k].Width())
			for word := range strings.FieldsSeq(row[k].Plain()) {
				words[k] = max(words[k], Width(word))
			}
		}
	}
	fit(widths, words, p.width-2*(len(widths)-1))
	for i, row := range rows {
		var wrapped [][]Line
		high := 0
		for k := range widths {
			var cell []Line
			if k < len(row) {
				cell = flow(row[k], widths[k], 0)
			}
			wrapped = append(wrapped, cell)
			high = max(high, len(cell))
		}
		for y := range high {
			var line Line
			at := 0
			for k, cell := range wrapped {
				if y < len(cell) {
					line.Pad(at)
					line = append(line, cell[y]...)
				}
				at += widths[k] + 2
			}
			p.out = append(p.out, line)
		}
		if i == 0 {
			p.out = append(p.out, Text(strings.Repeat("─", min(p.width, sum(widths)+2*(len(widths)-1))), Faint))
		}
	}
}

// fit narrows the widest columns, but not below 8, until all columns have room. First it narrows those that are wider
// than their longest word.
func fit(widths, words []int, room int) {
	for sum(widths) > room {
		widest, spare := -1, false
		for k, w := range widths {
			if s := w > words[k]; w > 8 && (widest < 0 || s && !spare || s == spare && w > widths[widest]) {
				widest, spare = k, s
			}
		}
		if widest < 0 {
			return
		}
		widths[widest]--
	}
}

func sum(list []int) int {
	total := 0
	for _, n := range list {
		total += n
	}
	return total
}

// cells returns the texts between the bars of a row; \| is a bar inside a cell.
func cells(row string) []string {
	const bar = "\x00"
	row = strings.ReplaceAll(strings.Trim(row, "|"), `\|`, bar)
	list := strings.Split(row, "|")
	for i, c := range list {
		list[i] = strings.ReplaceAll(strings.TrimSpace(c), bar, "|")
	}
	return list
}
