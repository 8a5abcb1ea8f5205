package boxes

import (
	"codeberg.org/commsplit/commsplit/render/outline"
	"codeberg.org/commsplit/commsplit/render/paint"
)

// mostScale is the largest scale of big letters.
const mostScale = 6

// posters returns the modes with big letters, for lecture halls, the biggest letters first. All nodes with parts
// have frames.
func (b *Board) posters(root *outline.Node, s Size) []mode {
	if hostsBelow(root.Form) >= manyHosts {
		return nil
	}
	list := bigModes(b.cells(root), s)
	for i := range list {
		list[i].frames = int(b.of(root).level)
	}
	return list
}

// bigModes returns the modes with big letters in which so many cells may fit: the biggest first, each with more
// and with less room around the letters.
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

// mostHigh returns the most lines that a cell gets when there are lines left.
func (p *Plan) mostHigh() int {
	if p.mode.scale > 0 {
		return p.wide // a line is about twice as high as a column is wide: at most twice as high as wide
	}
	return 5
}
