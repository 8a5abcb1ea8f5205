package tui

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

// Whatever is pressed, clicked and resized, in any order, nothing breaks: the frame has the size of the
// screen, and what is selected exists.
func TestMonkey(t *testing.T) {
	t.Parallel()
	keys := []string{"enter", "tab", "shift+tab", "esc", "up", "down", "left", "right", "pgup", "pgdown", "home", "end", "backspace",
		"ctrl+w", "ctrl+u", "f1", " ", "half = split world color=rank%2 key=-rank", "@0-1 barrier world", "inter = intercomm_create half remote_leader=1-world.rank%2",
		".undo", "world.size", "numa = split_type world HW_UNGUIDED", "half", "free half"}
	for _, s := range keyTable {
		for _, b := range s.bindings {
			if b.where&inPanes != 0 && b.show != "q" && b.show != "Ctrl-Z" && len(b.keys[0]) == 1 {
				keys = append(keys, b.keys[0])
			}
		}
	}
	rapid.Check(t, func(rt *rapid.T) {
		m := New(Options{Config: small, Still: true})
		m.opts.Flags = flagsOf(small)
		m.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
		settle(t, m, m.Init())
		defer m.Close()
		for range rapid.IntRange(1, 40).Draw(rt, "length") {
			var msg tea.Msg
			switch rapid.IntRange(0, 12).Draw(rt, "what") {
			case 0:
				msg = tea.WindowSizeMsg{Width: rapid.IntRange(1, 220).Draw(rt, "w"), Height: rapid.IntRange(1, 70).Draw(rt, "h")}
			case 1:
				buttons := []tea.MouseButton{tea.MouseButtonLeft, tea.MouseButtonWheelUp, tea.MouseButtonWheelDown}
				msg = tea.MouseMsg{X: rapid.IntRange(0, 100).Draw(rt, "x"), Y: rapid.IntRange(0, 40).Draw(rt, "y"),
					Button: rapid.SampledFrom(buttons).Draw(rt, "button"), Action: tea.MouseActionPress}
			case 2:
				msg = playMsg{m.player.turn}
			default:
				msg = keyMsg(rapid.SampledFrom(keys).Draw(rt, "key"))
			}
			_, cmd := m.Update(msg)
			still(t, m, cmd)
			lines := strings.Split(m.View(), "\n")
			if len(lines) != m.height {
				rt.Fatalf("%dx%d: the frame has %d lines", m.width, m.height, len(lines))
			}
			for _, l := range lines {
				if w := ansi.StringWidth(l); w != m.width {
					rt.Fatalf("%dx%d: a line of %d columns: %q", m.width, m.height, w, l)
				}
			}
			for _, id := range m.sel.Comms {
				if m.moment.View.Snapshot.Comm(id) == nil {
					rt.Fatalf("communicator %d is selected and does not exist", id)
				}
			}
			if m.handle >= len(m.moment.Handles) || m.sel.Ranks.Len() > 0 && int(m.sel.Ranks[len(m.sel.Ranks)-1].Hi) >= m.moment.Size() {
				rt.Fatalf("variable %d, ranks %s", m.handle, m.sel.Ranks)
			}
		}
	})
}
