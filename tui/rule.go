package tui

import "commsplit/render/paint"

var paneNames = [panes]string{"Hardware", "Communicators", "Ranks", "Why", "Log"}

// rule is the first line of a pane: its number and name, those of panes that share its place, what
// it shows.
func (m *Model) rule(r rect, width int) paint.Line {
	focused := r.pane == m.focus && !m.typing
	line, ink := "─", paint.Faint
	if focused {
		line, ink = "━", paint.Accent
	}
	var l paint.Line
	l.Add(line, ink)
	tabs := r.tabs
	if len(tabs) == 0 {
		tabs = []paneID{r.pane}
	}
	for p := range panes {
		shown := false
		for _, t := range tabs {
			shown = shown || t == p
		}
		if !shown {
			continue
		}
		name := " " + itoa(int(p)+1) + " " + paneNames[p] + " "
		if p == r.pane && len(tabs) > 1 { // boldness alone would not tell
			name = "[" + name[1:len(name)-1] + "]"
		}
		switch {
		case p == r.pane && focused:
			l.Add(name, paint.Accent)
		case p == r.pane:
			l.Add(name, paint.Bold)
		case width-l.Width() > len(name)+2:
			l.Add(name, paint.Faint)
		}
		l.Add(line, ink)
	}
	if note := m.paneNote(r); note != "" && l.Width()+paint.Width(note)+3 < width {
		l.Add(" "+note+" ", paint.Plain)
	}
	if more := m.hidden(r); more != "" && l.Width()+paint.Width(more)+4 < width {
		l.PadWith(width-paint.Width(more)-3, line, ink)
		l.Add(" "+more+" ", paint.Faint)
	}
	l.PadWith(width, line, ink)
	return l
}

// hidden tells of a pane that has more than shows: which rows these are, or how many lines are left.
func (m *Model) hidden(r rect) string {
	if m.moment == nil {
		return ""
	}
	height := r.h - 1
	rows := func(v *list, n, height int) string {
		if n <= height {
			return ""
		}
		return itoa(v.top+1) + "-" + itoa(min(v.top+height, n)) + "/" + itoa(n)
	}
	switch r.pane {
	case hwPane:
		return rows(&m.hw.list, len(m.hw.rows), height)
	case commPane:
		return rows(&m.comms.list, m.comms.count(), height)
	case rankPane:
		return rows(&m.ranks.list, m.ranks.count(), height-1)
	case whyPane:
		if left := len(m.why.text) - m.why.top - height; left > 0 {
			return itoa(left) + " more below"
		}
	}
	return ""
}

// paneNote is a word beside the title.
func (m *Model) paneNote(r rect) string {
	if m.moment == nil {
		return ""
	}
	switch r.pane {
	case hwPane:
		name := m.moment.Handles[m.handle].Name
		if m.player.phase > 0 {
			return m.player.note()
		}
		if m.handle == 0 {
			return "world ranks"
		}
		return "cells: " + name
	case whyPane:
		if m.player.phase > 0 {
			return "inside of step " + itoa(m.moment.Step+1)
		}
	case logPane:
		if m.log.back > 0 {
			return itoa(m.log.back) + " lines back"
		}
	}
	return ""
}
