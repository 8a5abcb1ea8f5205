package boxes

import (
	"commsplit/render/outline"
	"commsplit/render/paint"
)

// mostScale is how many times as big big letters get at most.
const mostScale = 6

// posters are the ways to draw what is below a node in big letters, for lecture halls, with frames around all that has
// parts: the biggest letters first.
func (b *Board) posters(root *outline.Node, s Size) []mode {
	if b.hostsBelow(root) >= manyHosts {
		return nil
	}
	list := bigModes(int(b.of(root).cells), s)
	for i := range list {
		list[i].frames = int(b.of(root).level)
	}
	return list
}

// bigModes are the modes with big letters that so many cells may have room for, the biggest first, with more and with less
// room around them.
func bigModes(cells int, s Size) []mode {
	var list []mode
	for scale := mostScale; scale > 0; scale-- {
		columns, lines := paint.BigSize(max(s.Text, 1), scale)
		if cells*columns*lines > s.Width*s.Height {
			continue
		}
		list = append(list, mode{scale: scale, pad: 2 + 2*scale, gap: 2, high: lines + 2, margin: 2},
			mode{scale: scale, pad: 2 * scale, gap: 1, high: lines + 2}, mode{scale: scale, pad: 2 * scale, gap: 1, high: lines + 1})
	}
	return list
}

// mostHigh is the most lines that a cell gets where there are more.
func (p *Plan) mostHigh() int {
	if p.mode.scale > 0 {
		return p.wide // a line is about twice as high as a column is wide: at most twice as high as wide
	}
	return 5
}
