package tui

import (
	"fmt"
	"strconv"

	"codeberg.org/commsplit/commsplit/render/paint"
	drawing "codeberg.org/commsplit/commsplit/render/picture"
	"codeberg.org/commsplit/commsplit/tui/moment"
)

// timeView is the pane that shows how many communicators were alive over the run, by the place that made them.
type timeView struct {
	textPane
	of timeKey
}

// timeKey identifies the lines of the pane.
type timeKey struct {
	moment        *moment.Moment
	width, height int
}

func (v *timeView) lines(m *Model, width, height int) []paint.Line {
	if key := (timeKey{m.moment, width, height}); key != v.of {
		v.of, v.told = key, nil
		if view := m.moment.View; view.Timeline == nil && m.moment.Size() >= large { // no key waits for so many ranks
			v.told = []paint.Line{paint.Text(".show time draws it", paint.Plain)}
		} else {
			v.told = drawing.TimeOf(view, width-2, height).Draw()
		}
	}
	return v.window(height)
}

func (v *timeView) note(m *Model) string {
	if t := m.moment.View.Timeline; t != nil {
		return "alive on rank " + strconv.Itoa(t.Rank) + ", by place"
	}
	return "alive by place"
}

func (v *timeView) hidden(height int) string {
	if len(v.told) <= height {
		return ""
	}
	return fmt.Sprintf("%d-%d/%d", v.top+1, min(len(v.told), v.top+height), len(v.told))
}
