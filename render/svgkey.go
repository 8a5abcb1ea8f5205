package render

import "strings"

// keyColumn is the least number of lines in a column of a key, if there are several.
const keyColumn = 4

// key lists what the badges stand for, in columns where there is room for them.
func (d *drawing) key(k *key, x, y, room int) (wide, high int) {
	top := y
	columns, column := k.columns(room)
	rows := (len(k.lines) + columns - 1) / max(columns, 1)
	for i, l := range k.lines {
		if i%rows == 0 {
			y = top
		}
		left := x + i/rows*(column+keyGap)
		w, used := d.keyLine(l, left, y, room)
		wide, y, high = max(wide, left-x+w), y+used, max(high, y+used-top)
	}
	y = top + high
	if k.rest != "" {
		d.text(x, y+14, "quiet", k.rest)
		wide, y = max(wide, svgWide(k.rest, svgFont)), y+keyHigh
	}
	for _, note := range append(k.notes, d.reading()...) {
		for _, line := range svgFill(note, svgSmall, room) {
			d.text(x, y+14, "quiet small", line)
			wide, y = max(wide, svgWide(line, svgSmall)), y+svgLine
		}
	}
	return wide, y - top
}

// Measures of a key, in pixels.
const (
	keyHigh = badgeFlat + 4 // of a line
	keyGap  = 32            // between columns
)

// columns is how many columns a key has, and how wide these are.
func (k *key) columns(room int) (n, wide int) {
	for i := range k.lines {
		w, _ := k.lines[i].badge.size()
		wide = max(wide, w+svgGap+svgWide(k.lines[i].text, svgFont))
	}
	if len(k.lines) < 2*keyColumn {
		return 1, wide
	}
	return max(1, min((room+keyGap)/(wide+keyGap), len(k.lines)/keyColumn)), wide
}

// keyLine draws a line of a key, which may need several lines of text.
func (d *drawing) keyLine(l keyLine, x, y, room int) (wide, high int) {
	w, _ := l.badge.size()
	d.badge(&l.badge, x, y)
	indent := w + svgGap
	for _, text := range svgFill(l.text, svgFont, room-indent) {
		d.text(x+indent, y+14, "", text)
		wide, y, high = max(wide, indent+svgWide(text, svgFont)), y+svgLine, high+svgLine
	}
	return wide, high + keyHigh - svgLine
}

// reading says how the badges on the picture are read, by the first of each kind.
func (d *drawing) reading() []string {
	var list []string
	if b := d.single; b != nil {
		_, what, _ := strings.Cut(b.title, ": ")
		list = append(list, b.text+": "+what+"; the small number below it is the world rank.")
	}
	if b := d.several; b != nil {
		list = append(list, b.text+": "+b.title+".")
	}
	return list
}
