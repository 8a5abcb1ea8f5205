package tui

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"codeberg.org/commsplit/commsplit/render/paint"
	"codeberg.org/commsplit/commsplit/repl"
)

// opened returns a model with a session, at a size, after some lines.
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

// settle runs commands until the model has nothing more to do, except to wait for time to pass.
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
	"ctrl+u": tea.KeyCtrlU, "ctrl+k": tea.KeyCtrlK, "ctrl+a": tea.KeyCtrlA, "ctrl+e": tea.KeyCtrlE, "f1": tea.KeyF1, "f2": tea.KeyF2, "ctrl+s": tea.KeyCtrlS,
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

// Handles a key and draws its frame, in every pane, on 256 cores with 16 ranks each, and on a large cluster.
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

// arrivals is a terminal that reports when something was written.
type arrivals chan time.Time

func (a arrivals) Write(p []byte) (int, error) {
	select {
	case a <- time.Now():
	default: // nobody waits
	}
	return len(p), nil
}

// begun is a model whose session is open.
type begun struct{ *guard }

func (begun) Init() tea.Cmd { return nil }

// yardstick measures how fast a machine is, and how busy: it sorts 100,000 numbers, and returns the time.
func yardstick() time.Duration {
	began := time.Now()
	list := make([]uint32, 100_000)
	for i, x := 0, uint32(1); i < len(list); i++ {
		x = x*1664525 + 1013904223
		list[i] = x
	}
	slices.Sort(list)
	return time.Since(began)
}

// Measures the time from a key to the first byte of its frame on a terminal of 200x60. The goals are for the 99th
// percentile: 16 ms for 4,096 ranks and 33 ms for 100,000 where the yardstick, which is taken between keys, has a
// median of 8 ms; on a slower or busier machine, proportionally more.
func BenchmarkKeyToScreen(b *testing.B) {
	for _, world := range []struct {
		name, topo string
		ranks      int
	}{{"4096", "frontier*64", 4096}, {"100000", "rack:10 machine:100 pack:2 core:50", 100000}} {
		m := opened(b, repl.Config{Topo: world.topo, Size: world.ranks}, 200, 60, "half = split world color=rank%2", "node = split_type world SHARED")
		screen := make(arrivals, 1)
		tty := newTerminal(screen, nil)
		program := tea.NewProgram(begun{&guard{m: m, screen: tty}}, append(tty.options(), tea.WithInput(nil), tea.WithoutSignals())...)
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			program.Run() //nolint:errcheck // Quit ends it
		}()
		program.Send(tea.WindowSizeMsg{Width: 200, Height: 60})
		for _, c := range []struct {
			name       string
			first, key []string
		}{
			{"drafts", []string{"esc", ":", "split", " ", "world", " ", "color=rank%1"}, []string{"1", "backspace", "2", "backspace", "3", "backspace"}},
			{"typing", []string{"ctrl+u"}, []string{"x"}},
			{"hardware", []string{"esc", "1"}, []string{"j", "k"}},
			{"communicators", []string{"2"}, []string{"j", "k"}},
			{"ranks", []string{"3"}, []string{"j", "k"}},
			{"variable", nil, []string{"v"}},
			{"pane", nil, []string{"tab"}},
		} {
			b.Run(world.name+"/"+c.name, func(b *testing.B) {
				for _, k := range c.first {
					program.Send(keyMsg(k))
				}
				time.Sleep(200 * time.Millisecond)
				var keys, sticks []time.Duration
				for i := 0; b.Loop(); i++ {
					select {
					case <-screen:
					default:
					}
					began := time.Now()
					program.Send(keyMsg(c.key[i%len(c.key)]))
					select {
					case at := <-screen:
						keys = append(keys, at.Sub(began))
					case <-time.After(patience):
						b.Fatal("the key changes nothing")
					}
					sticks = append(sticks, yardstick())
					if c.name == "drafts" { // keys come while a line is tried, and while its result is drawn
						select {
						case <-screen:
						default:
						}
						time.Sleep(restBeforeDraft + time.Duration(i*7%300)*time.Millisecond)
					}
				}
				slices.Sort(keys)
				slices.Sort(sticks)
				if n := len(keys); n > 0 {
					b.ReportMetric(float64(keys[n/2])/1e6, "p50-ms")
					b.ReportMetric(float64(keys[min(n-1, n*99/100)])/1e6, "p99-ms")
				}
				b.ReportMetric(float64(sticks[len(sticks)/2])/1e6, "yardstick-ms")
				b.ReportMetric(0, "ns/op")
			})
		}
		program.Quit()
		<-ended
		tty.finish()
	}
}

// still does what settle does, except while the player runs: its ticks would not end.
func still(t testing.TB, m *Model, cmd tea.Cmd) {
	t.Helper()
	if m.player.on {
		return
	}
	settle(t, m, cmd)
}

// flagsOf returns the same world for any script.
func flagsOf(cfg repl.Config) func([]string) (repl.Config, error) {
	return func([]string) (repl.Config, error) { return cfg, nil }
}

// The cost of a key does not grow with the ranks: on hardware of the same shape, a frame with sixteen times as
// many ranks takes at most half as much memory again, for longer numbers and fuller boxes. This holds because
// partitions and the table are made where lines run, and the rest is drawn only as far as it shows.
func TestFrameDoesNotGrowWithRanks(t *testing.T) {
	const few, many = 1024, 16384
	bytes := map[int]map[string]uint64{}
	for _, size := range []int{few, many} {
		bytes[size] = map[string]uint64{}
		cfg := repl.Config{Topo: fmt.Sprintf("machine:64 pack:2 core:%d", size/128), Size: size}
		m := opened(t, cfg, 200, 60, "half = split world color=rank%2 key=-rank", "few = split half color=rank%7", "node = split_type world SHARED")
		for p := range paneTable {
			m.focusOn(paneID(p))
			bytes[size][paneTable[p].name] = perKey(m, "down", "up", "right", "left")
		}
		m.typing = true
		bytes[size]["typing"] = perKey(m, "x", "backspace")
	}
	for name, n := range bytes[few] {
		if limit := n + n/2 + 20_000; bytes[many][name] > limit {
			t.Errorf("%s: a frame of %d ranks takes %d bytes, one of %d ranks %d", name, few, n, many, bytes[many][name])
		}
	}
}

// perKey returns how much memory a key and its frame take, after they were drawn once.
func perKey(m *Model, keys ...string) uint64 {
	const rounds = 4
	var before, after runtime.MemStats
	for i := range 1 + rounds {
		if i == 1 {
			runtime.ReadMemStats(&before)
		}
		for _, k := range keys {
			m.Update(keyMsg(k))
			m.View()
		}
	}
	runtime.ReadMemStats(&after)
	return (after.TotalAlloc - before.TotalAlloc) / uint64(rounds*len(keys))
}
