package tui

// paneID is one of the panes, in the order of their numbers.
type paneID int

const (
	hwPane paneID = iota
	commPane
	rankPane
	whyPane
	logPane
	panes
)

// rect is where a pane is drawn: a rule with the title, then its lines. tabs are the panes that
// share the place, of which only the first shows.
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
// panes above can fill, where that is little; shown tells of two panes that would
// share a place which one shows.
func arrange(w, h int, focus paneID, zoom, low bool, need int, shown func(a, b paneID) (paneID, paneID)) layout {
	l := layout{prompt: h - 3, hints: 1, footer: true}
	switch {
	case h < 8:
		l = layout{prompt: h - 1}
	case h >= 40:
		l.prompt, l.hints = h-4, 2
	}
	top := 1
	height := max(l.prompt-top, 0)
	if w < leastWidth || h < leastHeight || zoom {
		tabs := []paneID{focus}
		for p := range panes {
			if p != focus {
				tabs = append(tabs, p)
			}
		}
		l.rects = []rect{{focus, tabs, 0, top, w, height}}
		return l
	}
	switch {
	case w >= 170 && height >= 20:
		l.columns(w, top, height)
	default:
		l.rows(w, top, height, low || focus >= whyPane, need, shown)
	}
	return l
}

// columns is the layout of wide screens: hardware, communicators over ranks, why over log.
func (l *layout) columns(w, top, height int) {
	left, middle := w*35/100, w*32/100
	half := height * 55 / 100
	l.add(hwPane, nil, 0, top, left, height)
	l.add(commPane, nil, left, top, middle, half)
	l.add(rankPane, nil, left, top+half, middle, height-half)
	l.add(whyPane, nil, left+middle, top, w-left-middle, half)
	l.add(logPane, nil, left+middle, top+half, w-left-middle, height-half)
}

// With so many lines above, ranks stand below communicators; leastAbove is for little hardware.
const (
	stacked    = 24
	leastAbove = 6
)

// leftOf is the width of the hardware in rows.
func leftOf(w int) int { return w * 52 / 100 }

// rows is the layout of others: hardware beside communicators, why and log below.
func (l *layout) rows(w, top, height int, low bool, need int, shown func(a, b paneID) (paneID, paneID)) {
	below := max(6, height*30/100)
	if low {
		below = height * 60 / 100
	}
	above := height - below
	if above < stacked {
		above = min(above, max(need, leastAbove))
		below = height - above
	}
	left := leftOf(w)
	l.add(hwPane, nil, 0, top, left, above)
	if above >= stacked {
		half := above / 2
		l.add(commPane, nil, left, top, w-left, half)
		l.add(rankPane, nil, left, top+half, w-left, above-half)
	} else {
		a, b := shown(commPane, rankPane)
		l.add(a, []paneID{a, b}, left, top, w-left, above)
	}
	if w >= 120 {
		l.add(whyPane, nil, 0, top+above, left, below)
		l.add(logPane, nil, left, top+above, w-left, below)
		return
	}
	a, b := shown(whyPane, logPane)
	l.add(a, []paneID{a, b}, 0, top+above, w, below)
}

func (l *layout) add(p paneID, tabs []paneID, x, y, w, h int) {
	l.rects = append(l.rects, rect{p, tabs, x, y, w, h})
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
