package tui

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"

	"commsplit/engine/reason"
	"commsplit/render"
	"commsplit/render/paint"
	"commsplit/repl"
	"commsplit/tui/scene"
)

// player plays the steps of the trace, and the phases inside of a step.
type player struct {
	on     bool
	speed  int // index of delays
	turn   int // numbers plays: a tick of an earlier play is dropped
	phase  int // of the step after the moment's; 0: none
	inside *reason.Phases
	labels []string // by world rank: the text of its cell in a phase
	parts  []int    // by world rank: which letter it is about; -1: none
	wide   int      // the widest of them
	first  int      // the letter of the first communicator that the step makes: the letters before it are taken
	legend []string // the meaning of these letters: "C is color 0"

	autoplay bool // the lines that run now are to be played afterwards
}

// playMsg asks for the next picture.
type playMsg struct{ turn int }

func (p *player) stop() { p.on = false; p.turn++ }

func (p *player) word() string {
	if p.on {
		return "▶ playing " + strings.Repeat("·", p.speed+1)
	}
	return ""
}

// playOrPause starts to play from here, from the end at the beginning.
func (m *Model) playOrPause() tea.Cmd {
	if m.player.on || !m.resting() {
		m.player.stop()
		return nil
	}
	if m.moment.Last == 0 {
		m.notice = "nothing to play yet: o opens an example"
		return nil
	}
	if m.moment.Step == m.latest() {
		m.player.leave(m)
		m.choose(scene.Selection{})
		m.goTo(0)
	}
	m.player.turn++
	m.player.on = true
	return m.tick()
}

// play shows the next picture: a phase of a split, or the next step.
func (m *Model) play(msg playMsg) tea.Cmd {
	p := &m.player
	if !p.on || msg.turn != p.turn || !m.resting() {
		return nil
	}
	if m.moment.Step == m.latest() {
		p.stop()
		return nil
	}
	if p.phase > 0 || m.splits(m.moment.Step+1) {
		m.phaseOn()
	} else {
		m.goTo(m.moment.Step + 1)
	}
	return m.tick()
}

// splits reports whether a step divides contributions, which is worth watching.
func (m *Model) splits(step int) bool {
	ph, err := reason.Of(m.moment.Present.Snapshot, step)
	return err == nil && slices.Contains(ph.Stages, reason.Divide)
}

// phaseOn goes into the next step, or to its next phase; after its last phase the step is done. At the
// present it goes into the last step.
func (m *Model) phaseOn() {
	p := &m.player
	switch {
	case !m.resting() || m.moment.Last == 0:
		return
	case m.asked != nil && m.moment.Step == m.latest():
		m.notice = "what comes then answers the question"
		return
	}
	if p.phase == 0 && !m.moment.Past() {
		m.goTo(m.moment.Last - 1)
	}
	step := m.moment.Step + 1
	ph, err := reason.Of(m.moment.Present.Snapshot, step)
	if err != nil {
		m.notice = err.Error()
		m.goTo(step)
		return
	}
	if p.phase == len(ph.Stages) {
		p.leave(m)
		m.goTo(step)
		return
	}
	p.inside = ph
	p.to(m, p.phase+1)
}

func (m *Model) phaseBack() {
	switch p := &m.player; {
	case p.phase == 1:
		p.leave(m)
	case p.phase > 1:
		p.to(m, p.phase-1)
	}
}

// to shows a phase.
func (p *player) to(m *Model, phase int) {
	p.phase = phase
	p.label(m)
	m.why.top = 0
	m.show(whyPane)
	m.hw.refold()
}

// leave goes out of a step.
func (p *player) leave(m *Model) {
	if p.phase > 0 {
		p.phase, p.inside, p.labels, p.parts, p.legend = 0, nil, nil, nil, nil
		m.hw.refold()
		m.arrange()
	}
}

// label writes the subject of the phase into the cells: the color that a rank passes, its bucket, its
// place there. Communicators that the step makes get letters behind the letters of the variables that
// show: a letter stands for one communicator on a screen.
func (p *player) label(m *Model) {
	p.labels, p.parts, p.wide = make([]string, m.moment.Size()), make([]int, m.moment.Size()), 1
	p.first, p.legend = 0, nil
	for h := 1; h < len(m.moment.Handles); h++ {
		if h == m.handle || m.all {
			p.first = max(p.first, m.moment.Parting(h).Len())
		}
	}
	set := func(world int32, text string, part int) {
		p.labels[world], p.parts[world] = text, part
		p.wide = max(p.wide, paint.Width(text))
	}
	switch stage := p.inside.Stages[p.phase-1]; stage {
	case reason.Contribute:
		for _, s := range p.inside.Shards {
			for k, world := range s.Ranks.List() {
				set(world, p.passed(s.Rows[k]), -1)
			}
		}
	case reason.Reply:
		for _, a := range p.inside.Replies {
			k := slices.Index(p.inside.Step.Made, a.Comm)
			if a.Comm < 0 || k < 0 {
				set(int32(a.World), render.Hollow, -1)
				continue
			}
			set(int32(a.World), render.Letter(p.first+k)+strconv.Itoa(a.Rank), p.first+k)
		}
		words := render.NewWords(repl.PastView(m.moment.Present, p.inside.Step.Number))
		for k, id := range p.inside.Step.Made {
			p.legend = append(p.legend, render.Letter(p.first+k)+" is "+words.Name(id))
		}
	default:
		for i, b := range p.inside.Buckets {
			name, part := render.Letter(p.first+i), p.first+i
			if !b.Makes {
				name, part = render.Hollow, -1
			}
			p.legend = append(p.legend, name+" is "+b.Name)
			for _, o := range b.Sides {
				for k, s := range o.Seats {
					if text := name; stage == reason.Divide || !b.Makes {
						set(s.World, text, part)
					} else {
						set(s.World, text+strconv.Itoa(k), part)
					}
				}
			}
		}
	}
}

// argument is the name of the argument that passed is of, "" for none.
func (p *player) argument() string {
	for _, c := range p.inside.Step.Args {
		if c.Ints != nil {
			return c.Name
		}
	}
	return ""
}

// passed is the first argument of a row that is a number.
func (p *player) passed(row int) string {
	for _, c := range p.inside.Step.Args {
		switch {
		case c.Ints != nil && c.Name == "color" && c.Ints[row] < 0:
			return "–"
		case c.Ints != nil:
			return strconv.Itoa(int(c.Ints[row]))
		}
	}
	return "•"
}

// note names the content of the cells in a phase.
func (p *player) note() string {
	switch p.inside.Stages[p.phase-1] {
	case reason.Contribute:
		if name := p.argument(); name != "" {
			return "cells: " + name + " passed"
		}
		return "cells: who calls"
	case reason.Reply:
		return "cells: results"
	case reason.Divide:
		return "cells: buckets"
	}
	return "cells: places in buckets"
}

// mostLegend is how many letters of a phase are told.
const mostLegend = 12

// letters tells the meaning of the letters of a phase; "" when there are none.
func (p *player) letters() string {
	list := p.legend
	if len(list) > mostLegend {
		list = append(slices.Clone(list[:mostLegend]), "...")
	}
	return strings.Join(list, ", ")
}

// staged is the text of a rank's cell in a phase; ok is false outside of phases, and for a rank that has no
// part in the step.
func (p *player) staged(rank int32) (text string, ink paint.Ink, ok bool) {
	switch {
	case p.phase == 0 || int(rank) >= len(p.labels):
		return "", 0, false
	case p.labels[rank] == "":
		return "", 0, false
	case p.parts[rank] < 0:
		return p.labels[rank], paint.Note, true
	}
	return p.labels[rank], paint.Part(p.parts[rank]), true
}

// phaseText is the table of a phase.
func (m *Model) phaseText(width int) []paint.Line {
	var b strings.Builder
	p := &m.player
	past := repl.PastView(m.moment.Present, p.inside.Step.Number)
	if err := render.Phase(&b, past, p.inside, p.phase-1, m.style(width)); err != nil {
		return paragraph(nil, err.Error(), width, 0, paint.Alarm)
	}
	var out []paint.Line
	for _, l := range m.moment.Said() {
		if l.Note {
			out = paragraph(out, "· "+l.Text, width, 2, paint.Note)
		}
	}
	out = append(out, picture(b.String())...)
	if text := p.letters(); text != "" {
		out = paragraph(append(out, nil), "In the cells, "+text+".", width, 2, paint.Plain)
	}
	return out
}

// delays are how long a picture stands.
var delays = []time.Duration{5 * time.Second, 3 * time.Second, 1800 * time.Millisecond, time.Second, 500 * time.Millisecond, 200 * time.Millisecond}

// tick asks for the next picture after the time that a person needs to see this picture and to read its
// notes.
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
	return tea.Tick(delay, func(time.Time) tea.Msg { return playMsg{turn} })
}

func (p *player) faster(m *Model, by int) {
	p.speed = max(0, min(p.speed+by, len(delays)-1))
	m.notice = "a picture stands for " + delays[p.speed].String()
}

// stepTo shows the session as after another step.
func (m *Model) stepTo(k int) {
	if !m.resting() {
		return
	}
	m.player.stop()
	m.player.leave(m)
	switch {
	case k < 0:
		m.notice = "this is the beginning"
		return
	case k > m.latest() && m.asked != nil:
		m.notice = "what comes then answers the question"
		return
	case k > m.moment.Last:
		m.notice = "this is the present"
		return
	}
	m.goTo(k)
	m.notice = ".step " + strconv.Itoa(k)
}

// goTo shows a step and the communicators that it made.
func (m *Model) goTo(k int) {
	before := m.moment
	m.see(m.moment.At(k))
	if fresh := changed(before, m.moment); fresh >= 0 && k > before.Step {
		m.handle = fresh
		m.choose(m.sel)
	}
	if m.sel.Empty() {
		m.show(whyPane)
	}
}
