package repl

import (
	"bytes"
	"cmp"
	"io"
	"slices"
	"strings"

	"commsplit/engine"
	"commsplit/engine/reason"
	"commsplit/render"
	"commsplit/render/page"
)

// exportPage writes the page that replays the session in a browser.
func (s *Session) exportPage(w io.Writer, v *render.View, e *Export) error {
	p := &page.Session{
		Title: cmp.Or(e.Title, "commsplit"), About: s.Describe(), Last: len(v.Snapshot.Steps),
		Past:    func(step int) *render.View { return PastView(v, step) },
		Held:    s.heldAt,
		Events:  s.Events(),
		Source:  s.source,
		Rules:   answerRules(),
		Picture: func(w io.Writer) error { return s.exportSVG(w, v, e) },
	}
	if e.End != nil {
		var b bytes.Buffer
		WriteError(&b, e.End)
		p.End = strings.Split(strings.TrimRight(b.String(), "\n"), "\n")
	}
	return page.Write(w, p)
}

// heldAt tells what a rank held in a variable as after the step of a view: of what it holds now, what
// was there by then.
func (s *Session) heldAt(v *render.View, handle string) (func(rank int) reason.Held, error) {
	held, err := s.holding(handle)
	if err != nil {
		return nil, err
	}
	return func(rank int) reason.Held {
		h := held(rank)
		made := h.Comm < 0 || h.Comm == engine.SelfID || v.Snapshot.Comm(h.Comm) != nil
		if !made || h.Returned() > len(v.Snapshot.Steps) {
			return reason.Held{Comm: -1, Unset: "none as after this step; what it holds now was made later"}
		}
		return h
	}, nil
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
