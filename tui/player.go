package tui

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"

	"codeberg.org/commsplit/commsplit/engine/reason"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/render/lanes"
	"codeberg.org/commsplit/commsplit/render/paint"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/tui/moment"
)

// player plays the steps of the trace, and the phases inside a step.
type player struct {
	on    bool
	speed int // index of delays
	turn  int // numbers plays: a tick of an earlier play is dropped

	motion *moment.Motion // the calls whose phases show; nil: none do
	phase  int            // of motion.Stages, from 1; 0: none
	byHand bool           // the phases are stepped through; otherwise they pass by themselves after a line
	beat   int            // of beats, of a phase that passes by itself
	frame  int            // numbers the pictures of motions; panes that keep what they drew compare it
	wide   int            // the widest text of a cell in any phase

	autoplay bool // the lines that run now are to be played afterwards
}

func (p *player) stop() { p.on = false; p.turn++ }

func (p *player) word() string {
	switch {
	case p.on:
		return "▶ playing " + strings.Repeat("·", p.speed+1)
	case p.motion != nil && !p.byHand:
		switch stage := p.stage(); stage {
		case reason.Sort:
			return "▶ order"
		case reason.Reply:
			return "▶ result"
		default:
			return "▶ " + stage.String()
		}
	}
	return ""
}

// stage returns the phase that shows.
func (p *player) stage() reason.Stage { return p.motion.Stages[p.phase-1] }

// at returns the motion whose phases show, at its present point; ok is false for none.
func (p *player) at() (at moment.At, ok bool) {
	if p.motion == nil {
		return moment.At{}, false
	}
	share := 1.0
	if !p.byHand {
		share = float64(p.beat) / beats
	}
	return moment.At{Motion: p.motion, Stage: p.stage(), Share: share}, true
}

// inside returns the phase that a person looks at, from 1; 0 for none.
func (p *player) inside() int {
	if p.byHand {
		return p.phase
	}
	return 0
}

// playOrPause pauses, or starts to play from here; at the end, from the beginning.
func (m *Model) playOrPause() tea.Cmd {
	switch {
	case m.halt != nil:
		return m.goOn()
	case m.player.on || !m.resting():
		m.player.stop()
		return nil
	}
	if m.moment.Last == 0 {
		m.notice = "nothing to play yet: o opens an example"
		return nil
	}
	m.player.turn++
	m.player.on = true
	if m.moment.Step == m.latest() && m.player.inside() == 0 {
		m.choose(moment.Selection{})
		return m.seek(goal{step: 0})
	}
	return m.tick()
}

// play shows the next picture of a play: a phase of a split, or the next step.
func (m *Model) play(turn int) tea.Cmd {
	p := &m.player
	defer m.release()
	if !p.on || turn != p.turn || !m.resting() {
		return nil
	}
	if m.moment.Step == m.latest() && p.phase == 0 {
		p.stop()
		return nil
	}
	if next, _ := m.moment.Beside(m.moment.Place(), 1); p.phase == 0 && next.Stuck > 0 {
		return m.seek(goal{step: next.Step, stuck: next.Stuck})
	}
	if p.phase == 0 {
		return m.seek(goal{step: m.moment.Step + 1, depth: worthInside})
	}
	m.phaseOn()
	return m.tick()
}

// phaseOn goes into the next step, or to the next phase; after the last phase the step is done. At the present, it
// goes into the last step.
func (m *Model) phaseOn() tea.Cmd {
	p := &m.player
	switch {
	case !m.resting():
		return nil
	case m.moment.Last == 0:
		m.notice = "no call to go into yet: type a line, or F2 for a first split"
		return nil
	case p.phase > 0 && p.phase == len(p.motion.Stages):
		p.leave(m)
		return nil
	case p.phase > 0:
		p.to(m, p.phase+1)
		return nil
	case m.going != nil && m.going.depth == inside:
		m.going.phases++
		return nil
	case m.asked != nil && m.moment.Step == m.latest():
		m.notice = "the next step answers the question"
		return nil
	}
	return m.seek(goal{step: min(m.moment.Step+1, m.moment.Last), depth: inside})
}

func (m *Model) phaseBack() tea.Cmd {
	switch p := &m.player; {
	case m.going != nil && m.going.depth == inside:
		m.going = nil
	case p.phase == 0:
		m.notice = "> goes into a step, phase by phase; < then goes back"
	case p.phase == 1:
		p.leave(m)
		return m.seek(goal{step: m.moment.Step - 1})
	case p.phase > 1:
		p.to(m, p.phase-1)
	}
	return nil
}

// begin shows the first phase of a motion. A person steps through the phases, or they pass by themselves.
func (p *player) begin(motion *moment.Motion, byHand bool) {
	p.motion, p.byHand, p.phase, p.beat, p.wide = motion, byHand, 1, 1, motion.Width()
}

// to shows a phase that a person goes to.
func (p *player) to(m *Model, phase int) {
	p.phase = phase
	p.frame++
	m.why.top = 0
	m.show(whyPane)
}

// leave ends the phases of a step, whose result then shows.
func (p *player) leave(m *Model) {
	if p.motion != nil {
		p.motion, p.phase = nil, 0
		p.frame++
		m.arrange()
	}
}

// The phases of the last call pass by themselves in motionTime. In each phase, the ranks move for so many beats,
// and then stand.
const (
	motionTime = 800 * time.Millisecond
	beatTime   = 40 * time.Millisecond
	beats      = 4
)

// mostMoving is the most ranks of a world whose calls play by themselves.
const mostMoving = 20000

// playLast plays the last call after a step, for the variable that shows: contributions, buckets, order; then the
// result stays. It does nothing on a slow terminal.
func (m *Model) playLast(since int) tea.Cmd {
	if m.opts.Still || m.opts.Slow() || m.moment.Size() > mostMoving || m.handle == 0 {
		return nil
	}
	motion := m.moment.LastMotion(since, m.handle)
	if motion == nil {
		return nil
	}
	sorts := slices.Contains(motion.Stages, reason.Sort)
	motion.Stages = slices.DeleteFunc(slices.Clone(motion.Stages), func(s reason.Stage) bool {
		return s == reason.Agree || s == reason.Reply && sorts // cells show the same as in the phase before
	})
	m.player.stop()
	m.player.begin(motion, false)
	m.player.frame++
	return m.beatLater()
}

// playAgain plays the last call again.
func (m *Model) playAgain() tea.Cmd {
	if !m.resting() || m.moment.Past() || m.moment.Last == 0 {
		m.notice = "no call to play again here; } comes back to the present"
		return nil
	}
	if cmd := m.playLast(0); cmd != nil {
		return cmd
	}
	m.notice = "the last call made no communicator that shows"
	return nil
}

// beatLater asks for the next picture of a motion.
func (m *Model) beatLater() tea.Cmd {
	p := &m.player
	turn, delay := p.turn, beatTime
	if p.beat == beats {
		delay = motionTime/time.Duration(len(p.motion.Stages)) - (beats-1)*beatTime
	}
	return m.opts.After(delay, news(func(m *Model) tea.Cmd { return m.beatOn(turn) }))
}

// beatOn shows the next picture of a motion; after the last phase the result stays.
func (m *Model) beatOn(turn int) tea.Cmd {
	p := &m.player
	if p.motion == nil || p.byHand || turn != p.turn {
		return nil
	}
	if p.beat++; p.beat > beats {
		p.phase, p.beat = p.phase+1, 1
	}
	if p.phase > len(p.motion.Stages) || m.opts.Slow() {
		p.leave(m)
		return nil
	}
	p.frame++
	return m.beatLater()
}

// settle ends a motion that plays by itself, and shows its result.
func (m *Model) settle() {
	if m.player.motion != nil && !m.player.byHand {
		m.player.stop()
		m.player.leave(m)
	}
}

// note tells what the cells show in a phase.
func (p *player) note() string {
	switch p.stage() {
	case reason.Contribute:
		if name := p.motion.Argument(); name != "" {
			return "cells: " + name + " passed"
		}
		return "cells: who calls"
	case reason.Reply:
		return "cells: results"
	case reason.Lead:
		return "cells: " + render.Leads + " leaders"
	case reason.Divide:
		return "cells: buckets"
	}
	return "cells: places in buckets"
}

// phaseText returns the table of a phase; if that is longer than height lines, without blank lines.
func (m *Model) phaseText(width, height int) []paint.Line {
	out := m.phaseTable(width)
	if len(out) > height {
		out = slices.DeleteFunc(out, func(l paint.Line) bool { return l.Width() == 0 })
	}
	return out
}

func (m *Model) phaseTable(width int) []paint.Line {
	var b strings.Builder
	p := &m.player
	call := p.motion.Calls[0]
	past := m.moment.View
	if m.moment.Step != call.Step.Number {
		past = repl.PastView(m.moment.Present, call.Step.Number)
	}
	if err := render.Phase(&b, past, call, p.phase-1, m.style(width)); err != nil {
		return paragraph(nil, err.Error(), width, 0, paint.Alarm)
	}
	var out []paint.Line
	for _, l := range m.moment.Said() {
		if l.Note {
			out = paragraph(out, "· "+l.Text, width, 2, paint.Note)
		}
	}
	text, sorted := picture(b.String()), p.stage() == reason.Sort
	if !sorted && p.stage() != reason.Divide {
		return append(out, text...)
	}
	out = append(out, text[:min(2, len(text))]...)
	if sorted {
		out = paragraph(append(out, nil), render.SortRule, width, 0, paint.Plain)
	}
	for _, ph := range p.motion.Calls { // buckets as filled cells
		call := lanes.Call{Phases: ph, Snapshot: m.moment.View.Snapshot, Parting: m.moment.Parting(p.motion.Handle)}
		out = append(out, call.Buckets(width, sorted).Draw()...)
	}
	return out
}

// delays are the times for which a picture stays.
var delays = []time.Duration{5 * time.Second, 3 * time.Second, 1800 * time.Millisecond, time.Second, 500 * time.Millisecond, 200 * time.Millisecond}

// tick asks for the next picture after the time that a person needs to see this picture and read its notes.
func (m *Model) tick() tea.Cmd {
	turn, delay := m.player.turn, delays[m.player.speed]
	const perPicture = 40 // characters that are read while a picture stands
	if m.player.phase == 0 {
		for _, l := range m.moment.Said() {
			if l.Note {
				delay += delays[m.player.speed] * time.Duration(utf8.RuneCountInString(l.Text)) / perPicture
			}
		}
	}
	return m.opts.After(delay, news(func(m *Model) tea.Cmd { return m.play(turn) }))
}

func (p *player) faster(m *Model, by int) {
	p.speed = max(0, min(p.speed+by, len(delays)-1))
	m.notice = "a picture stands for " + delays[p.speed].String()
}
