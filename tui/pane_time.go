package tui

import (
	"strconv"

	"codeberg.org/commsplit/commsplit/render/paint"
	drawing "codeberg.org/commsplit/commsplit/render/picture"
	"codeberg.org/commsplit/commsplit/tui/moment"
)

// timeView is the pane that shows how many communicators were alive over the run, by the place that made them.
type timeView struct {
	textPane
	drawn later[timeKey, []paint.Line]
}

// timeKey identifies the lines of the pane.
type timeKey struct {
	moment        *moment.Moment
	width, height int
}

func (v *timeView) lines(m *Model, width, height int) []paint.Line {
	of := timeKey{m.moment, width, height}
	drawn, ok := v.drawn.get(m, of, func() []paint.Line { return drawing.TimeOf(of.moment.View, width-2, height).Draw() })
	if v.told = drawn; !ok {
		v.told = []paint.Line{m.lookingAt()}
	}
	return v.window(height)
}

func (v *timeView) note(m *Model) string {
	if t := m.moment.View.Timeline; t != nil {
		return "alive on rank " + strconv.Itoa(t.Rank) + ", by place"
	}
	return "alive by place"
}

func (v *timeView) hidden(height int) string { return rowsShown(v.top, height, len(v.told)) }
