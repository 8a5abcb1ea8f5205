package tui

import "slices"

// area is the part of the screen that panes are in.
type area uint8

const (
	leftArea   area = iota
	besideArea      // right of those on the left
	belowArea       // on wide screens at the right
)

// panesIn lists the panes of an area in the order of their numbers.
func panesIn(a area) []paneID {
	var list []paneID
	for p := range paneTable {
		if paneTable[p].area == a {
			list = append(list, paneID(p))
		}
	}
	return list
}

// rect is the place of a pane: a rule with the title, then its lines. tabs are the panes that share the
// place, the shown pane among them, in the order of their numbers.
type rect struct {
	pane       paneID
	tabs       []paneID
	x, y, w, h int
}

// layout is how the screen is divided.
type layout struct {
	rects  []rect
	hints  int // lines below the prompt
	prompt int // its line; -1: there is no room
	footer bool
}

// Below these sizes one pane shows at a time.
const (
	leastWidth  = 60
	leastHeight = 16
)

// arrange divides a screen. low gives the panes below more room, and so does need, the lines that the
// panes above can fill, where that is little; recent is when each pane had the focus last: of panes that
// would share a place, the latest shows.
func arrange(w, h int, focus paneID, zoom, low bool, need int, recent []int) layout {
	l := layout{prompt: h - 3, hints: 1, footer: true}
	switch {
	case h < 8:
		l = layout{prompt: h - 1}
	case h >= 40:
		l.prompt, l.hints = h-4, 2
	}
	top := 1
	height := max(l.prompt-top, 0)
	switch {
	case w < leastWidth || h < leastHeight || zoom:
		var all []paneID
		for p := range paneTable {
			all = append(all, paneID(p))
		}
		l.rects = []rect{{focus, all, 0, top, w, height}}
	case w >= 170 && height >= 20:
		l.columns(w, top, height)
	default:
		l.rows(w, top, height, low || paneTable[focus].area == belowArea, need, recent)
	}
	return l
}

// columns is the layout of wide screens, an area a column: hardware, communicators over ranks, why over
// log.
func (l *layout) columns(w, top, height int) {
	const upper = 55 // percent of a column
	first, second := w*35/100, w*32/100
	l.stack(panesIn(leftArea), upper, 0, top, first, height)
	l.stack(panesIn(besideArea), upper, first, top, second, height)
	l.stack(panesIn(belowArea), upper, first+second, top, w-first-second, height)
}

// With so many lines above, the panes of an area stand one above the other there. leastAbove is how many
// lines are above when hardware and communicators need fewer.
const (
	stacked    = 24
	leastAbove = 6
)

// leftOf is the width of the hardware in rows.
func leftOf(w int) int { return w * 52 / 100 }

// rows is the layout of other screens: hardware beside communicators, why and log below.
func (l *layout) rows(w, top, height int, low bool, need int, recent []int) {
	lower := max(6, height*30/100)
	if low {
		lower = height * 60 / 100
	}
	above := height - lower
	if above < stacked {
		above = min(above, max(need, leastAbove))
		lower = height - above
	}
	middle := leftOf(w)
	if above >= stacked {
		l.stack(panesIn(leftArea), 50, 0, top, middle, above)
		l.stack(panesIn(besideArea), 50, middle, top, w-middle, above)
	} else {
		l.share(panesIn(leftArea), recent, 0, top, middle, above)
		l.share(panesIn(besideArea), recent, middle, top, w-middle, above)
	}
	if w >= 120 {
		l.abreast(panesIn(belowArea), middle, top+above, w, lower)
	} else {
		l.share(panesIn(belowArea), recent, 0, top+above, w, lower)
	}
}

// stack puts panes one above the other; of several, the first gets upper percent of the height.
func (l *layout) stack(list []paneID, upper, x, y, w, height int) {
	for i, p := range list {
		h := height / (len(list) - i)
		if i == 0 && len(list) > 1 {
			h = height * upper / 100
		}
		l.rects = append(l.rects, rect{p, list[i : i+1], x, y, w, h})
		y, height = y+h, height-h
	}
}

// abreast puts panes side by side over a width; of several, the first is as wide as the hardware above.
func (l *layout) abreast(list []paneID, first, y, width, h int) {
	x := 0
	for i, p := range list {
		w := (width - x) / (len(list) - i)
		if i == 0 && len(list) > 1 {
			w = first
		}
		l.rects = append(l.rects, rect{p, list[i : i+1], x, y, w, h})
		x += w
	}
}

// share gives panes one place, where the latest shows.
func (l *layout) share(list []paneID, recent []int, x, y, w, h int) {
	l.rects = append(l.rects, rect{lastFocused(list, recent), list, x, y, w, h})
}

// lastFocused is the pane of a list that had the focus last.
func lastFocused(list []paneID, recent []int) paneID {
	return slices.MaxFunc(list, func(a, b paneID) int { return recent[a] - recent[b] })
}

// of is where a pane shows; ok is false when it does not.
func (l *layout) of(p paneID) (r rect, ok bool) {
	for _, r := range l.rects {
		if r.pane == p {
			return r, true
		}
	}
	return rect{}, false
}
