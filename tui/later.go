package tui

import (
	"maps"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// large is the number of ranks from which on texts and pictures about all ranks are made in the background, so that
// no key waits for them.
const large = 20000

// later is a result of much work. In a large world it is made in the background, once keys rest.
type later[K comparable, V any] struct {
	of    K // what the value belongs to
	value V
	asked K // what the next value will belong to
}

// get returns the value that belongs to a key; ok is false as long as it is not made. make may run beside the screen.
func (l *later[K, V]) get(m *Model, key K, make func() V) (value V, ok bool) {
	if l.of != key && m.moment.Size() < large {
		l.of, l.value = key, make()
	}
	if l.of == key {
		return l.value, true
	}
	if l.asked != key {
		l.asked = key
		m.wanted[l] = func() (shows func()) {
			value := make()
			return func() { l.of, l.value = key, value }
		}
	}
	return value, false
}

// rest returns a command that lets what panes lack be made, unless something happens in the next moment.
func (m *Model) rest() tea.Cmd {
	if m.moment == nil || m.moment.Size() < large {
		return nil
	}
	m.events++
	event := m.events
	return m.opts.After(100*time.Millisecond, aside(func(m *Model) tea.Cmd {
		if event != m.events {
			return nil
		}
		return m.makeWanted()
	}))
}

// makeWanted returns a command that makes what panes lack; nil when they lack nothing. The session does not change
// until it is made.
func (m *Model) makeWanted() tea.Cmd {
	if len(m.wanted) == 0 || !m.resting() || !m.still.TryLock() {
		return nil
	}
	wanted := slices.Collect(maps.Values(m.wanted))
	clear(m.wanted)
	return func() tea.Msg {
		defer m.still.Unlock()
		var made []func()
		for _, make := range wanted {
			made = append(made, make())
		}
		return aside(func(m *Model) tea.Cmd {
			for _, shows := range made {
				shows()
			}
			m.redraw()
			return m.rest() // panes may lack something else by now
		})
	}
}
