package repl

import (
	"bytes"
	"cmp"
	"io"
	"slices"
	"strings"

	"commsplit/engine/reason"
	"commsplit/render"
	"commsplit/render/page"
)

// exportPage writes the page that replays the session in a browser.
func (s *Session) exportPage(w io.Writer, v *render.View, e *Export) error {
	p := &page.Session{
		Title: cmp.Or(e.Title, "commsplit"), About: s.Describe(), Last: len(v.Snapshot.Steps),
		Variables: s.past.names(),
		Past:      func(step int) *render.View { return PastView(v, step) },
		Held:      s.heldAt,
		Events:    s.Events(),
		Source:    s.source,
		Rules:     answerRules(),
		Picture:   func(w io.Writer) error { return s.exportSVG(w, v, e) },
	}
	if e.End != nil {
		var b bytes.Buffer
		WriteError(&b, e.End)
		p.End = strings.Split(strings.TrimRight(b.String(), "\n"), "\n")
	}
	return page.Write(w, p)
}

// heldAt tells what a rank held in a variable as after the step of a view.
func (s *Session) heldAt(v *render.View, handle string) (func(rank int) reason.Held, error) {
	step := len(v.Snapshot.Steps)
	if step < s.world.Steps() && handle != "world" {
		if held := s.past.heldAt(handle, step); held != nil {
			return held, nil
		}
	}
	return s.holding(handle)
}

// lastNote is what was narrated last.
func (s *Session) lastNote() string {
	for _, l := range slices.Backward(s.world.Snapshot().Output) {
		if l.Note {
			return l.Text
		}
	}
	return ""
}
