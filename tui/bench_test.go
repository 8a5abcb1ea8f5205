package tui

import (
	"fmt"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"commsplit/render/paint"
	"commsplit/repl"
)

// opened is a model with a session, at a size, after some lines.
func opened(t testing.TB, cfg repl.Config, w, h int, lines ...string) *Model {
	t.Helper()
	m := New(Options{Config: cfg, Still: true, Colors: paint.Colors256, Dark: true})
	m.Update(tea.WindowSizeMsg{Width: w, Height: h})
	settle(t, m, m.Init())
	if m.failed != nil {
		t.Fatal(m.failed)
	}
	t.Cleanup(func() { m.Close() })
	for _, line := range lines {
		enter(t, m, line)
	}
	return m
}

// enter runs a line to its end.
func enter(t testing.TB, m *Model, line string) {
	t.Helper()
	settle(t, m, m.run(line))
}

// settle carries out commands until the model has nothing more to do, except to wait for a time.
func settle(t testing.TB, m *Model, cmd tea.Cmd) {
	t.Helper()
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case tea.BatchMsg:
		settle(t, m, msg[0]) // the second only wakes the screen
	case nil:
	default:
		_, next := m.Update(msg)
		settle(t, m, next)
	}
}

// press sends keys by their names.
func press(t testing.TB, m *Model, keys ...string) {
	t.Helper()
	for _, k := range keys {
		_, cmd := m.Update(keyMsg(k))
		settle(t, m, cmd)
	}
}

var special = map[string]tea.KeyType{
	"enter": tea.KeyEnter, "tab": tea.KeyTab, "shift+tab": tea.KeyShiftTab, "esc": tea.KeyEsc, "up": tea.KeyUp, "down": tea.KeyDown,
	"left": tea.KeyLeft, "right": tea.KeyRight, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "home": tea.KeyHome,
	"end": tea.KeyEnd, "backspace": tea.KeyBackspace, "ctrl+c": tea.KeyCtrlC, "ctrl+d": tea.KeyCtrlD, "ctrl+w": tea.KeyCtrlW,
	"ctrl+u": tea.KeyCtrlU, "ctrl+k": tea.KeyCtrlK, "ctrl+a": tea.KeyCtrlA, "ctrl+e": tea.KeyCtrlE, "f1": tea.KeyF1, "ctrl+s": tea.KeyCtrlS,
	"ctrl+y": tea.KeyCtrlY, "ctrl+_": tea.KeyCtrlUnderscore, "ctrl+r": tea.KeyCtrlR, "ctrl+t": tea.KeyCtrlT, "ctrl+g": tea.KeyCtrlG,
	"ctrl+left": tea.KeyCtrlLeft, "ctrl+right": tea.KeyCtrlRight, "delete": tea.KeyDelete,
}

func keyMsg(name string) tea.KeyMsg {
	if k, ok := special[name]; ok {
		return tea.KeyMsg{Type: k}
	}
	if rest, ok := strings.CutPrefix(name, "alt+"); ok {
		msg := keyMsg(rest)
		msg.Alt = true
		return msg
	}
	if name == " " {
		return tea.KeyMsg{Type: tea.KeySpace, Runes: []rune{' '}}
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(name)}
}

// A key and the frame after it, in every pane, on 256 cores of 16 ranks each and on a large cluster.
func BenchmarkKeyToFrame(b *testing.B) {
	for _, world := range []struct {
		name, topo string
		ranks      int
	}{
		{"4096", "pack:2 numa:4 l3:4 core:8 pu:2", 4096},
		{"100000", "rack:10 machine:100 pack:2 core:50", 100000},
	} {
		cfg := repl.Config{Topo: world.topo, Size: world.ranks}
		m := opened(b, cfg, 200, 60, "half = split world color=rank%2 key=-rank", "few = split half color=rank%7", "all = split world color=rank//4")
		for p := range paneTable {
			b.Run(fmt.Sprintf("%s/%s", world.name, paneTable[p].name), func(b *testing.B) {
				m.focusOn(paneID(p))
				keys := []tea.KeyMsg{keyMsg("down"), keyMsg("down"), keyMsg("right"), keyMsg("up")}
				for i := 0; b.Loop(); i++ {
					m.Update(keys[i%len(keys)])
					m.View()
				}
			})
		}
		b.Run(world.name+"/typing", func(b *testing.B) {
			m.typing = true
			for i := 0; b.Loop(); i++ {
				if i%40 == 0 {
					m.prompt.Set("x = split half color=")
				}
				m.Update(keyMsg("1"))
				m.View()
			}
		})
	}
}

// still is settle without what only passes time: ticks of the player.
func still(t testing.TB, m *Model, cmd tea.Cmd) {
	t.Helper()
	if m.player.on {
		return
	}
	settle(t, m, cmd)
}

// flagsOf answers any script with one world.
func flagsOf(cfg repl.Config) func([]string) (repl.Config, error) {
	return func([]string) (repl.Config, error) { return cfg, nil }
}
