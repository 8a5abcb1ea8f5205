package tui

import "slices"

// area is a part of the screen that holds panes. On a large screen, the areas form a left and a right column; on a
// small screen, both areas below share one place.
type area uint8

const (
	leftArea   area = iota
	rightArea       // beside leftArea
	underLeft       // below leftArea
	underRight      // below rightArea, where its panes share a place; at most a third of the height
)

// panesIn lists the panes of some areas in the order of their numbers.
func panesIn(areas ...area) []paneID {
	var list []paneID
	for p := range paneTable {
		if slices.Contains(areas, paneTable[p].area) {
			list = append(list, paneID(p))
		}
	}
	return list
}

// rect is the place of a pane: a rule with the title, then the pane's lines. panes lists the panes that share the
// place in the order of their numbers, with the pane that shows.
type rect struct {
	pane       paneID
	panes      []paneID
	x, y, w, h int
}

// inner returns the columns of the pane's lines: where the pane is not at the left edge, its first column is the
// border.
func (r rect) inner() int {
	if r.x > 0 {
		return r.w - 1
	}
	return r.w
}

// layout is the division of the screen.
type layout struct {
	rects  []rect // by columns, from the left
	hints  int    // lines below the prompt
	prompt int    // its line; -1: no room
	footer bool
	recent []int // when each pane last had the focus: of panes that share a place, the latest shows
}

// Below these sizes, a single pane shows at a time.
const (
	leastWidth  = 60
	leastHeight = 16
)

// From these sizes on there are two columns. On smaller screens, the panes below share a place over the whole
// width, because explanations are sentences.
const (
	columnsWidth  = 110
	columnsHeight = 22
)

// The least height of a pane that shares a column, its rule included; panes with less height share a place.
const leastPane = 9

// leastAbove is the least height of hardware and communicators, with their rules, above a why that has much to
// tell.
const leastAbove = 8

// shown selects the panes on the screen.
type shown uint8

const (
	allPanes  shown = iota
	onePane         // the pane with the focus
	forLesson       // hardware and communicators, large: what a room full of people looks at
)

// quietLog is the height of a log that has little to tell, its rule included.
const quietLog = 4

// wishes are all reasons, besides the size of the screen, for a division of the screen.
type wishes struct {
	focus   paneID
	shown   shown
	reading bool  // a text waits to be read: the panes at the lower left get more room
	talking bool  // the log has more to tell than the last line and its answer
	recent  []int // when each pane last had the focus

	// whole returns how many lines, with its rule, why needs in a width to show the result of the last line whole.
	whole func(width int) int
	// fits reports whether all that why tells at present has room.
	fits func(width, height int) bool
}

// top is the first line below the title.
const top = 1

// arrange divides a screen.
func arrange(w, h int, by wishes) layout {
	focus, recent, reading := by.focus, by.recent, by.reading
	l := layout{prompt: h - 3, hints: 1, footer: true, recent: recent}
	switch {
	case h < 8:
		l.prompt, l.hints, l.footer = h-1, 0, false
	case h >= 40:
		l.prompt, l.hints = h-4, 2
	}
	height := max(l.prompt-top, 0)
	switch {
	case w < leastWidth || h < leastHeight || by.shown == onePane:
		l.rects = []rect{{focus, panesIn(leftArea, rightArea, underLeft, underRight), 0, top, w, height}}
	case by.shown == forLesson:
		l.lesson(w, top, height, reading)
	case w >= columnsWidth && height >= columnsHeight:
		l.columns(w, top, height, by)
	default:
		l.rows(w, top, height, by)
	}
	return l
}

// columns makes the layout of large screens: hardware over why, and communicators over ranks over log.
func (l *layout) columns(w, top, height int, by wishes) {
	left := w * 52 / 100
	lower := height - height*42/100
	if !by.reading {
		lower = by.lower(left, min(max(height-height*62/100, sortedWhy), height-height/2), height-height/2)
	}
	l.stack(panesIn(leftArea), 0, top, left, height-lower)
	l.stack(panesIn(underLeft), 0, top+height-lower, left, lower)
	right := w - left
	above := panesIn(rightArea)
	upper := height - height/3
	if !by.talking && paneTable[by.focus].area != underRight && upper >= leastPane*len(above) {
		upper = height - quietLog // where that changes no more than heights
	}
	l.stack(above, left, top, right, upper)
	l.share(panesIn(underRight), left, top+upper, right, height-upper)
}

// lesson makes the layout for a room full of people: hardware beside communicators; below both a text that waits to be read.
func (l *layout) lesson(w, top, height int, reading bool) {
	upper := height
	if reading {
		upper = height - height/3
	}
	left := w * 52 / 100
	l.rects = append(l.rects, rect{hwPane, []paneID{hwPane}, 0, top, left, upper},
		rect{commPane, []paneID{commPane}, left, top, w - left, upper})
	if upper < height {
		l.rects = append(l.rects, rect{whyPane, []paneID{whyPane}, 0, top + upper, w, height - upper})
	}
}

// lower returns the height that a why needs, but at least least lines; or least lines, where the why needs more
// than most lines.
func (by *wishes) lower(width, least, most int) int {
	if n := by.whole(width); n <= most {
		return max(n, least)
	}
	return least
}

// sortedWhy is the height, with its rule, in which why shows a split into two communicators with its sort by keys
// whole.
const sortedWhy = 13

// wholeWhy is the height, with its rule, in which why shows a split into two communicators whole.
const wholeWhy = 8

// rows makes the layout of small screens: hardware beside communicators and ranks; why and log below.
func (l *layout) rows(w, top, height int, by wishes) {
	lower := by.lower(w, max(height/3, min(wholeWhy, height*2/5)), height-leastAbove)
	if by.reading || by.focus == whyPane && !by.fits(w, lower-1) {
		lower = height * 55 / 100
	}
	above, middle := height-lower, w*52/100
	l.stack(panesIn(leftArea), 0, top, middle, above)
	l.stack(panesIn(rightArea), middle, top, w-middle, above)
	l.share(panesIn(underLeft, underRight), 0, top+above, w, lower)
}

// stack puts panes one above the other; where their height would be too small, they share a place. The first of
// several panes gets more than half.
func (l *layout) stack(list []paneID, x, y, w, height int) {
	if height < leastPane*len(list) {
		l.share(list, x, y, w, height)
		return
	}
	for i := range list {
		h := height / (len(list) - i)
		if i == 0 && len(list) > 1 {
			h = height * 55 / 100
		}
		l.rects = append(l.rects, rect{list[i], list[i : i+1], x, y, w, h})
		y, height = y+h, height-h
	}
}

// share puts panes in one place, where the pane that last had the focus shows.
func (l *layout) share(list []paneID, x, y, w, h int) {
	if len(list) > 0 {
		shows := slices.MaxFunc(list, func(a, b paneID) int { return l.recent[a] - l.recent[b] })
		l.rects = append(l.rects, rect{shows, list, x, y, w, h})
	}
}

// of returns where a pane shows; ok is false when it does not show.
func (l *layout) of(p paneID) (r rect, ok bool) {
	for _, r := range l.rects {
		if r.pane == p {
			return r, true
		}
	}
	return rect{}, false
}

// joint returns the character of the border between a rectangle and its left neighbors, on line y.
func (l *layout) joint(y int, r rect) string {
	ruled, through := false, true // a rule on the left ends at the border; the border continues above
	for _, left := range l.rects {
		ruled = ruled || left.x+left.w == r.x && left.y == y
	}
	if y == r.y {
		through = slices.ContainsFunc(l.rects, func(above rect) bool { return above.x == r.x && above.y+above.h == y })
	}
	switch {
	case y != r.y && ruled:
		return "┤"
	case y != r.y:
		return "│"
	case ruled && !through:
		return "┬"
	case ruled:
		return "┼"
	}
	return "├"
}
