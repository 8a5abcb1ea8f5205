package tui

import (
	"fmt"
	"strconv"

	"codeberg.org/commsplit/commsplit/render/paint"
	drawing "codeberg.org/commsplit/commsplit/render/picture"
	"codeberg.org/commsplit/commsplit/tui/scene"
)

// timeView is the pane of how many communicators were alive over the run, by the place that made them.
type timeView struct {
	textPane
	top  int
	told []paint.Line
	of   timeKey
}

// timeKey identifies the lines of the pane.
type timeKey struct {
	moment        *scene.Moment
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
	v.top = max(0, min(v.top, len(v.told)-height))
	var out []paint.Line
	for _, l := range v.told[v.top:min(len(v.told), v.top+height)] {
		out = append(out, append(paint.Line{{Text: " ", Ink: paint.Plain}}, l...))
	}
	return out
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

func (v *timeView) scroll(by int) { v.top += by }

func (v *timeView) bookmark() (back func()) {
	was := v.top
	return func() { v.top = was }
}
