package tui

// list is a cursor on rows of which a window shows.
type list struct {
	at  int // the row with the cursor
	top int // the first row that shows
}

// to puts the cursor on a row of n, as near as there is one.
func (l *list) to(i, n int) { l.at = max(0, min(i, n-1)) }

// window moves the window of so many rows to where the cursor is, and tells which rows show.
func (l *list) window(n, height int) (from, to int) {
	l.to(l.at, n)
	height = max(height, 1)
	switch {
	case l.at < l.top:
		l.top = l.at
	case l.at >= l.top+height:
		l.top = l.at - height + 1
	}
	l.top = max(0, min(l.top, n-height))
	return l.top, min(n, l.top+height)
}

// center moves the window so that a row is in its middle, unless it shows already.
func (l *list) center(i, height int) {
	if i < l.top || i >= l.top+height {
		l.top = i - height/2
	}
	l.at = i
}
