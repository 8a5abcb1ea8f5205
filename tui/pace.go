package tui

import (
	"time"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"
)

// delays are how long a picture stands.
var delays = []time.Duration{5 * time.Second, 3 * time.Second, 1800 * time.Millisecond, time.Second, 500 * time.Millisecond, 200 * time.Millisecond}

// tick asks for the next picture when this one was seen, and what it narrates was read.
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
