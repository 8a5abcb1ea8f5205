package tui

import "commsplit/tui/paint"

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
	l.PadWith(width, line, ink)
	return l
}

// paneNote is a word beside the title.
func (m *Model) paneNote(r rect) string {
	if m.moment == nil {
		return ""
	}
	switch r.pane {
	case hwPane:
		name := m.moment.Handles[m.handle].Name
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
