package tui

import (
	"context"
	"errors"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw/spell"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/render/paint"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/tui/moment"
)

// While a person types a call that makes a communicator, the screen shows faintly what Enter would give. A session
// of its own finds that out in the background (repl.Session.Rehearse) once keys rest for a moment. No key waits for
// it, and a key that changes the line cancels it.

// drafting is the line that is typed, and its draft.
type drafting struct {
	line   string // that was looked at last
	turn   int    // numbers lines
	cancel context.CancelFunc
	draft  *draft // of the line before until there is one of this line; nil: none
}

// draft is the result that a line would have.
type draft struct {
	line   string
	moment *moment.Moment // after the line; nil: the line would go wrong
	handle int            // the variable that it would make
	says   string         // in a few words: "4 communicators of 3 ranks", or what would be wrong
	wrong  bool
}

const (
	restBeforeDraft = 150 * time.Millisecond // so long keys rest before a line is tried
	longestDraft    = time.Second            // so long a line may take that is only tried
)

// drafts reports whether lines are tried: the session rests at its present, and no exercise asks what a line gives.
func (m *Model) drafts() bool {
	return m.typing && m.idle() && m.moment != nil && m.moment.Size() > 0 && m.moment.Size() < large &&
		m.exercise == nil && !m.moment.Past() && !m.lines.Pending()
}

// follow notices a change of the line at the prompt, and lets the line be tried once keys rest.
func (m *Model) follow() tea.Cmd {
	d := &m.drafting
	line := ""
	if m.drafts() && !m.prompt.Searching() && m.prompt.Cursor() > 0 {
		line = m.prompt.Text()
	}
	if line == d.line {
		return nil
	}
	d.line = line
	d.turn++
	if d.cancel != nil {
		d.cancel()
		d.cancel = nil
	}
	if strings.TrimSpace(line) == "" {
		m.showDraft(nil)
		return nil
	}
	turn := d.turn
	return m.opts.After(restBeforeDraft, aside(func(m *Model) tea.Cmd { return m.tryDraft(turn) }))
}

// tryDraft tries the line at the prompt, if no key came since.
func (m *Model) tryDraft(turn int) tea.Cmd {
	d := &m.drafting
	if turn != d.turn || !m.drafts() {
		return nil
	}
	run := m.console.Session.Rehearse(d.line)
	if run == nil {
		m.showDraft(nil)
		return nil
	}
	ctx, cancel := context.WithTimeout(background, longestDraft)
	d.cancel = cancel
	line, before := d.line, m.moment
	return func() tea.Msg {
		defer cancel()
		var out *draft
		err := repl.Guarded(func() error {
			r, err := run(ctx)
			if err == nil {
				out = drafted(r, before)
			}
			return err
		})
		switch {
		case ctx.Err() != nil:
			return nil // the line has changed, or would take long
		case err != nil:
			out = &draft{says: inShort(err), wrong: true}
		}
		out.line = line
		return aside(func(m *Model) tea.Cmd {
			if turn == m.drafting.turn {
				m.showDraft(out)
			}
			return nil
		})
	}
}

// drafted returns the draft of a line that was run after a moment.
func drafted(r *repl.Rehearsed, before *moment.Moment) *draft {
	if r.Deadlock != nil && before.View.Deadlock == nil {
		w := r.Deadlock.Waiting[0]
		return &draft{says: w.Ranks.Noun() + " would wait in " + w.Call.String(), wrong: true}
	}
	d := &draft{moment: moment.NewMoment(r.View, -1, before)}
	if d.handle = changed(before, d.moment); d.handle < 0 {
		return &draft{}
	}
	d.says = parts(d.moment.Parting(d.handle), d.moment)
	return d
}

// parts counts the communicators of a variable: "2 communicators of 5 ranks; MPI_COMM_NULL on ranks 4-5".
func parts(p *render.Parting, m *moment.Moment) string {
	var comms []*engine.CommInfo
	noun := "communicator"
	for k := range p.Len() {
		if c := m.View.Snapshot.Comm(p.Comm(k)); c != nil {
			comms = append(comms, c)
			if c.Remote != nil {
				noun = "intercommunicator"
			}
		}
	}
	if len(comms) == 0 {
		return "every rank gets MPI_COMM_NULL"
	}
	text := spell.Plural(len(comms), noun) + " of " + render.Sizes(comms)
	if none, _ := p.Without(); len(none) > 0 {
		text += "; MPI_COMM_NULL on " + render.RankNoun(none, 24)
	}
	return text
}

// inShort returns the first line of an error, without its place.
func inShort(err error) string {
	text, _, _ := strings.Cut(err.Error(), "\n")
	if failed := (*repl.Failed)(nil); errors.As(err, &failed) && len(failed.MPI) > 0 {
		text = failed.MPI[0].Class.String() + ": " + failed.MPI[0].Text
	}
	return text
}

// showDraft shows a draft; nil shows none.
func (m *Model) showDraft(d *draft) {
	if m.drafting.draft == d {
		return
	}
	m.drafting.draft, m.drawn = d, nil
	for i := range m.parts {
		if m.layout.rects[i].pane == hwPane {
			m.parts[i] = nil // no other pane shows it
		}
	}
}

// ghost returns the draft that the cells show faintly; nil where they show the present.
func (m *Model) ghost() *draft {
	if d := m.drafting.draft; d != nil && d.moment != nil && m.typing && m.idle() && !m.hw.paired && !m.all && m.player.motion == nil {
		return d
	}
	return nil
}

// wouldGive returns the draft of the line at the prompt in a few words; nil where there is none.
func (m *Model) wouldGive() paint.Line {
	d := m.drafting.draft
	switch {
	case d == nil || d.says == "" || d.line != m.drafting.line || !m.typing:
		return nil
	case d.wrong:
		return paint.Text("Enter: "+d.says, paint.Alarm)
	}
	return paint.Text("Enter: "+d.says, paint.Note)
}
