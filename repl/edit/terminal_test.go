package edit

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"

	"codeberg.org/commsplit/commsplit/render/paint"
)

// The bytes that terminals send for keys: xterm's ctlseqs ("PC-Style Function Keys", "VT220-Style Function
// Keys"), rxvt's and console_codes(4) where these differ. The key is the same whether its bytes come together or one by
// one.
func TestDecode(t *testing.T) {
	t.Parallel()
	for sent, want := range map[string]string{
		"a": "a", "é": "é", "漢": "漢", "\xff": "\uFFFD", "\r": "enter", "\n": "enter", "\t": "tab", "\x7f": "backspace", "\b": "ctrl+h",
		"\x01": "ctrl+a", "\x12": "ctrl+r", "\x1f": "ctrl+_", "\x1b": "esc",
		"\x1b[A": "up", "\x1bOA": "up", "\x1b[1;5C": "ctrl+right", "\x1b[1;3D": "alt+left", "\x1b[1;7C": "alt+ctrl+right", "\x1b\x1b[C": "alt+right",
		"\x1bOc": "ctrl+right", "\x1b[d": "shift+left", "\x1b[Z": "shift+tab", "\x1b[H": "home", "\x1b[1~": "home", "\x1b[7~": "home", "\x1bOF": "end",
		"\x1b[4~": "end", "\x1b[8^": "ctrl+end", "\x1b[3~": "delete", "\x1b[3;3~": "alt+delete", "\x1b[3$": "shift+delete", "\x1b[[A": "f1",
		"\x1bOP": "f1", "\x1b[15~": "f5", "\x1bb": "alt+b", "\x1b.": "alt+.", "\x1bé": "alt+é", "\x1b\x7f": "alt+backspace", "\x1b\b": "alt+ctrl+h",
		"\x1bO": "alt+O", "\x1b[": "alt+[", "\x1b[I": "sequence [I", "\x1b[200~a\r\nb\x1b[201~": "paste a\r\nb",
	} {
		for _, piece := range []int{1, len(sent)} {
			var got string
			var came []byte
			for i := 0; i < len(sent) && got == ""; i += piece {
				came = append(came, sent[i:i+piece]...)
				k, n := decode(came, i+piece == len(sent))
				if n != 0 && n != len(sent) {
					t.Errorf("%q: takes %d bytes of %d", sent, n, len(sent))
				}
				if n > 0 {
					got = k.name + string(k.text)
				}
				if k.pasted {
					got = "paste " + got
				}
			}
			if got != want {
				t.Errorf("%q in pieces of %d is %q, want %q", sent, piece, got, want)
			}
		}
	}
}

// fake is a terminal with an emulator behind it.
type fake struct {
	t       *testing.T
	keys    *io.PipeReader
	typing  *io.PipeWriter
	emu     *vt.SafeEmulator
	changes chan os.Signal

	mu       sync.Mutex
	cols     int
	rows     int
	isRaw    bool
	stopped  int
	hungUp   bool
	terminal *Terminal
	lines    chan string // each line read, or the error
}

const patience = 2 * time.Minute

func newFake(t *testing.T, columns, rows int, o Options) *fake {
	t.Helper()
	f := &fake{t: t, emu: vt.NewSafeEmulator(columns, rows), cols: columns, rows: rows, changes: make(chan os.Signal, 1), lines: make(chan string, 10)}
	f.keys, f.typing = io.Pipe()
	t.Cleanup(func() {
		f.keys.Close()
		f.emu.InputPipe().(io.Closer).Close() //nolint:errcheck // it is a pipe
	})
	f.terminal = open(t.Context(), f, o)
	return f
}

func (f *fake) Read(b []byte) (int, error)  { return f.keys.Read(b) }
func (f *fake) Write(b []byte) (int, error) { return f.emu.Write(b) }
func (f *fake) raw() error                  { f.set(func() { f.isRaw = true }); return nil }
func (f *fake) cooked()                     { f.set(func() { f.isRaw = false }) }
func (f *fake) changed() <-chan os.Signal   { return f.changes }
func (f *fake) stop() bool {
	f.set(func() { f.stopped++; f.isRaw = false })
	io.WriteString(f.emu, "\r\nfg\r\n") //nolint:errcheck // as a shell does
	return true
}
func (f *fake) ahead() bool { return false }
func (f *fake) gone() bool  { f.mu.Lock(); defer f.mu.Unlock(); return f.hungUp }

func (f *fake) size() (columns, rows int) { f.mu.Lock(); defer f.mu.Unlock(); return f.cols, f.rows }

func (f *fake) set(change func()) { f.mu.Lock(); defer f.mu.Unlock(); change() }

// reads reads n lines in the background.
func (f *fake) reads(n int) {
	go func() {
		for range n {
			line, err := f.terminal.Line("w> ", "..> ")
			if err != nil {
				line = err.Error()
			} else {
				f.terminal.Keep(line)
			}
			f.lines <- line
		}
	}()
}

func (f *fake) press(keys string) {
	f.t.Helper()
	if _, err := io.WriteString(f.typing, keys); err != nil {
		f.t.Fatal(err)
	}
}

// gives waits for the next line read, which must be want.
func (f *fake) gives(want string) {
	f.t.Helper()
	select {
	case got := <-f.lines:
		if got != want {
			f.t.Errorf("the line is %q, want %q", got, want)
		}
	case <-time.After(patience):
		f.t.Fatalf("no line comes; the screen shows\n%s", f.shown())
	}
}

// shown returns the rows of the screen up to the last one with text, with | where the cursor is.
func (f *fake) shown() string {
	rows := strings.Split(ansi.Strip(f.emu.Render()), "\n")
	at := f.emu.CursorPosition()
	for len(rows) <= at.Y {
		rows = append(rows, "")
	}
	row := rows[at.Y] + strings.Repeat(" ", max(at.X-paint.Width(rows[at.Y]), 0))
	rows[at.Y] = ansi.Cut(row, 0, at.X) + "|" + strings.TrimRight(ansi.Cut(row, at.X, 1000), " ")
	for i := range rows {
		rows[i] = strings.TrimRight(rows[i], " ")
	}
	return strings.TrimRight(strings.Join(rows, "\n"), "\n")
}

// shows waits until the screen has these rows.
func (f *fake) shows(rows ...string) {
	f.t.Helper()
	want := strings.Join(rows, "\n")
	for end := time.Now().Add(patience); f.shown() != want; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			f.t.Fatalf("the screen shows\n%s\nwant\n%s", f.shown(), want)
		}
	}
}

func complete(line string) (int, []string) {
	at := strings.LastIndexByte(line, ' ') + 1
	var list []string
	for _, o := range []string{"color=", "comm", "resource", "world", "worlds"} {
		if strings.HasPrefix(o, line[at:]) {
			list = append(list, o)
		}
	}
	return at, list
}

// Where a line stands on the screen: a line that is longer than the window goes on in the next row, a wide character
// is not cut in two, a block has a row for each line, and a line that Ctrl-R finds has its own prompt. | is the cursor.
func TestScreens(t *testing.T) {
	t.Parallel()
	const block = "for i in r:\n    f(i)"
	for _, c := range []struct {
		keys string
		want []string
	}{
		{"dup", []string{"w> dup|"}},
		{"dup\x1b[D\x1b[D", []string{"w> d|up"}},
		{"漢字\x1b[D", []string{"w> 漢|字"}},
		{"0123456789012345", []string{"w> 0123456789012345|"}},
		{"01234567890123456", []string{"w> 01234567890123456", "|"}}, // the row is full
		{"012345678901234567890", []string{"w> 01234567890123456", "7890|"}},
		{"012345678901234567890\x01", []string{"w> |01234567890123456", "7890"}},
		{"0123456789012345漢", []string{"w> 0123456789012345", "漢|"}}, // one column is left
		{"e\u0301a\x1b[D", []string{"w> e|a"}},                       // one character of two code points, of which the emulator shows one
		{"a\x01\x1b[200~\tb\x01\x1b[201~", []string{"w>     b\uFFFD|a"}},
		{"\x1b[A", []string{"w> for i in r:", "..>     f(i)|"}},
		{"\x1b[A\x01", []string{"w> |for i in r:", "..>     f(i)"}},
		{"\x1b[A" + strings.Repeat("\x1b[D", 9), []string{"w> for i in r:|", "..>     f(i)"}},
		{"\x1b[A" + strings.Repeat("\x1b[D", 8), []string{"w> for i in r:", "..> |    f(i)"}},
		{"\x1b[A\x1b[A", []string{"w> dup world|"}},
		{"\x1b[A\x7f\x1b[A", []string{"w> for i i|n r:", "..>     f(i"}}, // it is edited: up is a row up
		{"\x1b[A\x1b[A\x1b[A", []string{"w> half = split worl", "d color=rank%2|"}},
		{"\x12wor", []string{"(search)`wor': dup |w", "orld"}},
		{"\x12wor\x1b", []string{"w> dup |world"}},
		{"x\x12zz", []string{"(not found)`zz': x|"}},
		{"x\x12wor\x07", []string{"w> x|"}},
		{"dup wo\t", []string{"w> dup world|", "world  worlds"}},
		{"dup wo\t\t\t", []string{"w> dup worlds|", "world  worlds"}},
		{"dup wo\t\x1b[Z", []string{"w> dup worlds|", "world  worlds"}},
		{"dup wo\tx", []string{"w> dup worldx|"}},
		{"re\t", []string{"w> resource |"}},
		{"cm\x1b[D\x1b[Do\x1b[C\x1b[Cx", []string{"w> ocmx|"}},
	} {
		h := OpenHistory("")
		for _, entry := range []string{"half = split world color=rank%2", "dup world", block} {
			h.Add(entry)
		}
		f := newFake(t, 20, 6, Options{History: h, Complete: complete})
		f.reads(1)
		f.press(c.keys)
		f.shows(c.want...)
	}
}

// The newest line of the history that begins with the typed text shows behind that text, but only on a terminal with
// colors, where it can be told from typed text. The right arrow takes it; entering the line removes it.
func TestGhost(t *testing.T) {
	t.Parallel()
	h := OpenHistory("")
	h.Add("dup world and nothing else")
	f := newFake(t, 20, 6, Options{History: h, Colors: paint.Colors16})
	f.reads(2)
	f.press("du")
	f.shows("w> du|p world and n…")
	f.press("\r")
	f.gives("du")
	f.shows("w> du", "w> |")
	f.press("dup \x1b[1;5C")
	f.shows("w> du", "w> dup world| and n…")
	f.press("\x1b[C\r")
	f.gives("dup world and nothing else")
	plain := newFake(t, 20, 6, Options{History: h})
	plain.reads(1)
	plain.press("dup")
	plain.shows("w> dup|")
}

// The proposal that stands in the line is marked, in reverse video, in the list below.
func TestProposalMarked(t *testing.T) {
	t.Parallel()
	f := newFake(t, 20, 6, Options{Complete: complete})
	f.reads(1)
	f.press("wo\t\t\t")
	f.shows("w> worlds|", "world  worlds")
	if got := f.emu.Render(); !strings.Contains(got, "world  \x1b[7mworlds") {
		t.Errorf("the screen is %q", got)
	}
}

// Text that was typed before the prompt, all at once or split within a key, is not lost: neither keys behind the
// end of a line, nor pasted text.
func TestTypedAhead(t *testing.T) {
	t.Parallel()
	f := newFake(t, 40, 12, Options{})
	f.reads(3)
	f.press("one\rtwo\nthr")
	f.gives("one")
	f.gives("two")
	f.press("e\x1b[")
	f.press("De\r")
	f.gives("thre" + "e")
	f.shows("w> one", "w> two", "w> three", "|")

	f.reads(4)
	f.press("x\x1b[200~ = 1\r\ndef f():\r    return 1")
	f.press("\ny\x1b[201~ = 2\r")
	for _, want := range []string{"x = 1", "def f():", "    return 1", "y = 2"} {
		f.gives(want)
	}
}

// An empty line inside a pasted block does not end the block: it comes together with the line after it. Elsewhere an
// empty line is a line of its own.
func TestCutPaste(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"a\n\nb\n":                    {"a", "", "b"},
		"for i in r:\n\n\n    f(i)\n": {"for i in r:", "\n\n    f(i)"},
		"for i in r:\n\n\tf(i)":       {"for i in r:", "\n\tf(i) not ended"},
		"f:\n  a\n\nb\n \n":           {"f:", "  a", "", "b", " "},
	} {
		var got []string
		for rest := []rune(text); rest != nil; {
			line, next, ended := CutPaste(rest)
			if !ended {
				line = append(line, []rune(" not ended")...)
			}
			got, rest = append(got, string(line)), next
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q is cut into %q, want %q", text, got, want)
		}
	}
}

// Ctrl-C cancels the line. Ctrl-D ends the input on an empty line, and deletes a character on a line with text. The
// terminal is raw only while a line is read.
func TestEnds(t *testing.T) {
	t.Parallel()
	f := newFake(t, 40, 12, Options{})
	f.reads(1)
	f.press("some\x03")
	f.gives(ErrAborted.Error())
	f.shows("w> some^C", "|")
	f.reads(1)
	f.press("ab\x1b[D\x04\r")
	f.gives("a")
	f.reads(1)
	f.press("\x04")
	f.gives(io.EOF.Error())
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.isRaw {
		t.Error("the terminal stays raw")
	}
}

// After a change of the window's size, after Ctrl-L, and after a shell had the terminal in between, the line is drawn
// again where it belongs.
func TestDrawnAnew(t *testing.T) {
	t.Parallel()
	f := newFake(t, 20, 6, Options{})
	f.reads(1)
	f.press("0123456789")
	f.shows("w> 0123456789|")
	f.set(func() { f.cols = 10 })
	f.emu.Resize(10, 6)
	f.changes <- os.Interrupt // stands for any change
	f.shows("w> 0123456", "789|")
	f.press("\x0c")
	f.shows("w> 0123456", "789|")
	f.press("\x1a")
	f.press("x")
	f.shows("w> 0123456", "789", "fg", "w> 0123456", "789x|")
	f.mu.Lock()
	if f.stopped != 1 || !f.isRaw {
		t.Errorf("stopped %d times, raw %v", f.stopped, f.isRaw)
	}
	f.mu.Unlock()
	f.press("\r")
	f.gives("0123456789x")
}

// A terminal that gets another width wraps its rows again and moves the cursor with them: the line is drawn over all
// its rows, and over nothing above.
func TestOtherWidth(t *testing.T) {
	t.Parallel()
	e := Editor{}
	e.Begin(nil)
	e.Set("0123456789012345678901234")
	s := screen{prompt: "w> "}
	for _, c := range []struct {
		columns int
		begins  string
	}{{20, "\rw> 0"}, {20, "\x1b[1A\rw> 0"}, {10, "\x1b[2A\rw> 0"}, {40, "\rw> 0"}} {
		if got := s.draw(&e, &paint.Palette{}, c.columns, 10); !strings.HasPrefix(got, c.begins) {
			t.Errorf("at %d columns: %q, want %q at first", c.columns, got, c.begins)
		}
	}
}

// A block that is higher than the window shows the part around the cursor, and is entered whole.
func TestHighBlock(t *testing.T) {
	t.Parallel()
	var lines []string
	for i := range 9 {
		lines = append(lines, fmt.Sprintf("l%d", i))
	}
	h := OpenHistory("")
	h.Add(strings.Join(lines, "\n"))
	f := newFake(t, 20, 4, Options{History: h})
	f.reads(1)
	f.press("\x1b[A")
	f.shows("..> l5", "..> l6", "..> l7", "..> l8|")
	f.press("\x01")
	f.shows("w> |l0", "..> l1", "..> l2", "..> l3")
	f.press("\r")
	f.gives(strings.Join(lines, "\n"))
	f.shows("..> l6", "..> l7", "..> l8", "|")
}

// The end of the context ends the reading with its cause, although the terminal sends nothing. A terminal that was hung
// up is told from the end of the input.
func TestReadingEnds(t *testing.T) {
	t.Parallel()
	cause := errors.New("the cause")
	ctx, end := context.WithCancelCause(t.Context())
	f := newFake(t, 20, 4, Options{})
	f.terminal = open(ctx, f, Options{})
	f.reads(2)
	f.press("ab")
	f.shows("w> ab|")
	end(cause)
	f.gives(cause.Error())
	f.gives(cause.Error())

	for hungUp, want := range map[bool]error{true: ErrGone, false: io.EOF} {
		f := newFake(t, 20, 4, Options{})
		f.hungUp = hungUp
		f.reads(1)
		f.typing.Close()
		f.gives(want.Error())
	}
}

// A dumb terminal gets only the prompt, and sends lines that it has edited itself; the last line may lack its end.
func TestDumb(t *testing.T) {
	t.Parallel()
	f := newFake(t, 20, 6, Options{Dumb: true})
	f.reads(4)
	f.press("one\ntwo\r\nthr")
	f.gives("one")
	f.gives("two")
	f.typing.Close()
	f.gives("thr")
	f.gives(io.EOF.Error())
	f.shows("w> w> w> w> |")
}

// Answers do not go into the history, and the history is not proposed for answers.
func TestAnswer(t *testing.T) {
	t.Parallel()
	h := OpenHistory("")
	h.Add("dup world")
	f := newFake(t, 40, 6, Options{History: h, Complete: complete})
	go func() {
		answer, err := f.terminal.Answer("? ")
		f.lines <- fmt.Sprint(answer, err)
	}()
	f.press("du\x1b[A\tp\r")
	f.gives("dup<nil>")
	if got := h.Entries(); !slices.Equal(got, []string{"dup world"}) {
		t.Errorf("the history is %q", got)
	}
}
