package render

import (
	"io"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/hw/spell"
	"codeberg.org/commsplit/commsplit/render/outline"
	"codeberg.org/commsplit/commsplit/render/paint"
)

// treeLines is the most lines of a picture of hardware.
const treeLines = 56

// withoutHardware writes, in place of a picture, that the world has no hardware.
func (p *page) withoutHardware(w io.Writer) error {
	p.line(plain("no hardware: this world was made without a topology"))
	return p.writeTo(w)
}

// Tree draws the hardware in the style of lstopo's console, with the world ranks on the smallest
// object that holds their PUs. On a page that is not whole, large hardware is folded
// to about 60 lines.
func Tree(w io.Writer, v *View, st Style) error {
	p := newPage(st)
	s := v.Snapshot
	if s.Topology == nil {
		return p.withoutHardware(w)
	}
	o := outline.Of(s, outline.NoDevices)
	lines, rest := o.Fit(p.picture(treeLines), nil)
	labels, seats, column := labelsOf(o, lines)
	column = min(column, p.width*3/5)
	for i := range lines {
		note := rankNote(&lines[i], seats[i], p.width-max(column, min(paint.Width(labels[i]), p.width/2))-len("  <- "))
		if note == "" {
			p.line(plain(labels[i]))
			continue
		}
		// The ranks are more important than the end of a long label.
		label := paint.Cut(labels[i], max(column, p.width-len("  <- ")-paint.Width(note)))
		p.line(plain(pad(label, column, false)), faint("  <- "), plain(note))
	}
	leftOut(p, rest)
	return p.writeTo(w)
}

// leftOut writes how many lines even the coarsest folding could not keep.
func leftOut(p *page, rest int) {
	if rest > 0 {
		p.line(faint("  ... and " + spell.Plural(rest, "more line")))
	}
}

// labelsOf returns the indented names of the lines, their ranks, and the columns of the longest name of a line with
// ranks.
func labelsOf(o *outline.Outline, lines []outline.Line) (labels []string, seats [][]outline.Seat, column int) {
	labels, seats = make([]string, len(lines)), make([][]outline.Seat, len(lines))
	for i := range lines {
		labels[i] = strings.Repeat("  ", lines[i].Depth) + o.Label(&lines[i])
		if seats[i] = o.Seats(&lines[i]); len(seats[i]) > 0 {
			column = max(column, paint.Width(labels[i]))
		}
	}
	return labels, seats, column
}

// rankNote returns "rank 3", "ranks 6-7 on PUs 6-7", "ranks 0-63, one each"; "" without ranks. Seats share the
// width.
func rankNote(l *outline.Line, seats []outline.Seat, width int) string {
	var parts []string
	for i, s := range seats {
		text := worldRanks(l, s, width/(len(seats)-i))
		parts = append(parts, text)
		width -= len(text) + len("; ")
	}
	return strings.Join(parts, "; ")
}

// worldRanks lists the world ranks of a seat on a line and, if there is room, how they are spread over its nodes.
func worldRanks(l *outline.Line, s outline.Seat, width int) string {
	on := ""
	if s.PUs != "" {
		on = " on PUs " + s.PUs
	}
	each := ""
	if len(s.Ranks) > 1 {
		each = eachNote(l)
	}
	if text := RankNoun(s.Ranks, width-len(on)-len(each)) + on + each; len(text) <= width {
		return text
	}
	return RankNoun(s.Ranks, width-len(on)) + on
}

// eachNote returns how the ranks of a folded line are spread: ", one each".
func eachNote(l *outline.Line) string {
	if len(l.Nodes) == 1 {
		return ""
	}
	switch least, most := l.Each(); {
	case most == 0:
		return ""
	case least == 1 && most == 1:
		return ", one each"
	case least == most:
		return ", " + strconv.Itoa(most) + " each"
	default:
		return ", " + strconv.Itoa(least) + " to " + strconv.Itoa(most) + " each"
	}
}
