package tui

import (
	"strconv"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"codeberg.org/commsplit/commsplit/tui/moment"
)

// Every key means one thing in a mode, and help says in words what that is.
func TestKeyTable(t *testing.T) {
	t.Parallel()
	for _, where := range []mode{inPanes, atPrompt, inFront} {
		seen := map[string]string{}
		for _, s := range keyTable {
			for _, b := range s.bindings {
				if b.show == "" || b.help == "" || strings.HasSuffix(b.help, ".") {
					t.Errorf("%v: shown as %q with the help %q", b.keys, b.show, b.help)
				}
				if b.where&where == 0 {
					continue
				}
				for _, k := range b.keys {
					if before, ok := seen[k]; ok {
						t.Errorf("%s: %q is %q and %q", s.name, k, before, b.help)
					}
					seen[k] = b.help
				}
			}
		}
	}
}

// The help has every key, those of the place that it was asked from first; the footer has the way to
// it and the way out, however narrow.
func TestHelpAndFooter(t *testing.T) {
	t.Parallel()
	m := opened(t, small, 80, 24)
	press(t, m, "f1")
	if text := plain(m); !strings.Contains(text, "─ keys ─") || !strings.Contains(text, "At the prompt") {
		t.Errorf("no help for the prompt:\n%s", text)
	}
	press(t, m, "esc", "esc", "?")
	first := plain(m)
	var all strings.Builder
	m.Update(tea.WindowSizeMsg{Width: 120, Height: 24})
	for range Keys() {
		all.WriteString(plain(m))
		press(t, m, "down")
	}
	has(t, first, "Moving")
	for _, row := range Keys() {
		if !strings.Contains(all.String(), row.Help) {
			t.Errorf("the help does not have %q", row.Help)
		}
	}
	if end := strconv.Itoa(len(Keys())); !strings.Contains(plain(m), " "+end+"/"+end+" ─╮") {
		t.Errorf("the list does not tell its place:\n%s", plain(m))
	}
	press(t, m, "esc")
	m.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	for _, want := range []string{": line", "x why", "] time", "p play", "> inside", "z undo"} {
		if !strings.Contains(plain(m), " "+want+" ") {
			t.Errorf("at 80 columns the footer does not have %q:\n%s", want, plain(m))
		}
	}
	for _, width := range []int{60, 80, 200} {
		m.width = width
		m.arrange()
		if text := plain(m); !strings.Contains(text, "q quit") || !strings.Contains(text, "help") {
			t.Errorf("at %d columns the footer is %q", width, text[strings.LastIndexByte(text, '\n')+1:])
		}
	}
}

// Letters filter the keys, by all words that are typed; the key that is chosen does what it does.
func TestHelpFilters(t *testing.T) {
	t.Parallel()
	m := opened(t, small, 80, 24, "half = split world color=rank%2")
	press(t, m, "f1", "back", " ", "last", " ", "line")
	text := plain(m)
	if !strings.Contains(text, "─ keys: back last line▏ ─") || !strings.Contains(text, "▌ z ") || !strings.Contains(text, " 1/1 ─╮") {
		t.Errorf("the list is not filtered:\n%s", text)
	}
	press(t, m, "enter")
	if m.over != nil || m.moment.Handle("half") >= 0 {
		t.Errorf("the line was not taken back:\n%s", plain(m))
	}
}

// A window that is too small for a pane copies it all the same.
func TestCopyInSmallWindow(t *testing.T) {
	t.Parallel()
	m := opened(t, small, 80, 24, "half = split world color=rank%2")
	m.choose(moment.Selection{Comms: []int{0}})
	m.Update(tea.WindowSizeMsg{Width: 1, Height: 1})
	for pane := range paneTable {
		m.focus = paneID(pane)
		m.arrange()
		m.copyPane()
	}
}

// A click into the help of a window that is too small for a row of it chooses nothing.
func TestClickInSmallHelp(t *testing.T) {
	t.Parallel()
	m := opened(t, small, 3, 3, "")
	m.help()
	for x := range m.width {
		for y := range m.height {
			m.Update(tea.MouseMsg{X: x, Y: y, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress})
			m.help()
		}
	}
}

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
				msg = news(func(m *Model) tea.Cmd { return m.play(m.player.turn) })
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
