package cmd

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/term"

	"codeberg.org/commsplit/commsplit/hw/source"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/render/paint"
	"codeberg.org/commsplit/commsplit/repl"
)

// Streams are the input and the outputs of a command, and the properties of the terminal.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
	InTTY    bool // a person types
	OutTTY   bool // results go to a terminal
	Width    int  // columns of that terminal; 0 when unknown
	Getenv   func(string) string
	Ends     bool // the process ends with the command, and the goroutines of ranks with it

	Meter      io.Writer        // shows how far a command is: the terminal of diagnoses; nil for none
	MeterWidth func() int       // columns of that terminal; 0 when unknown
	Looks      <-chan time.Time // when the meter looks how far the command is; nil: as time goes by
}

// System returns the streams of the process.
func System() Streams {
	s := Streams{In: os.Stdin, Out: os.Stdout, Err: onTerminal(os.Stderr), Getenv: os.Getenv, Ends: true}
	s.InTTY = term.IsTerminal(int(os.Stdin.Fd()))
	s.OutTTY = term.IsTerminal(int(os.Stdout.Fd()))
	if w, _, err := term.GetSize(int(os.Stdout.Fd())); err == nil {
		s.Width = w
	}
	if w, ok := s.Err.(wrapped); ok {
		s.Meter, s.MeterWidth = os.Stderr, w.width
	}
	return s
}

// leave closes a session, unless the process ends with the command: to end a million ranks takes as long as to
// start them.
func (s Streams) leave(session *repl.Session) {
	if !s.Ends {
		session.Close()
	}
}

// windsDown is how long a command may still write after a signal or a limit of time stopped it.
const windsDown = 50 * time.Millisecond

// leaving runs the work of a command. If the process ends with the command, leaving does not wait for work that was
// stopped and does not end soon: a million ranks need seconds for that, and the end of the process ends them, too.
// Output that the work writes from then on is dropped.
func (s Streams) leaving(ctx context.Context, work func(Streams) error) error {
	if !s.Ends {
		return work(s)
	}
	left := &atomic.Bool{}
	s.Out, s.Err = unless{s.Out, left}, unless{s.Err, left}
	done := make(chan error, 1)
	go func() { done <- repl.Guarded(func() error { return work(s) }) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	select {
	case err := <-done:
		return err
	case <-time.After(windsDown):
		left.Store(true)
		return context.Cause(ctx)
	}
}

// unless is a writer for work that may be left behind.
type unless struct {
	io.Writer
	left *atomic.Bool
}

// Write writes, unless the work was left behind.
func (u unless) Write(p []byte) (int, error) {
	if u.left.Load() {
		return 0, os.ErrClosed
	}
	return u.Writer.Write(p)
}

// defaultWidth is how many columns a line has if nobody knows the width; minWidth is the least width of pictures.
const (
	defaultWidth = 80
	minWidth     = 40
)

// style returns how results look. The width is the terminal's, else COLUMNS, else 80. Color is on as its flag says,
// else as the environment says, else on terminals; theme is the flag for the background. Only a terminal folds and cuts
// lines.
func (s Streams) style(color, theme string) render.Style {
	width := s.Width
	if width == 0 {
		width, _ = strconv.Atoi(s.Getenv("COLUMNS"))
	}
	if width <= 0 {
		width = defaultWidth
	}
	st := render.Style{Width: max(width, minWidth), Whole: !s.OutTTY, Colors: s.colors(color)}
	if st.Colors != paint.NoColor {
		st.Dark, _ = s.background(theme)
	}
	if s.OutTTY && !s.dumb() {
		st.Picture = render.AsSplit
	}
	return st
}

// background returns whether the background is dark, without asking the terminal: a command must not wait for a
// terminal that never answers. The flag for the theme names the background, else COMMSPLIT_THEME does, else COLORFGBG
// ends with its color, where 7 or 9 and above are light. Where none is set, the background is taken for dark, and known
// is false.
func (s Streams) background(theme string) (dark, known bool) {
	if theme == "" || theme == "auto" {
		theme = s.Getenv("COMMSPLIT_THEME")
	}
	switch theme {
	case "dark":
		return true, true
	case "light":
		return false, true
	}
	fgbg := s.Getenv("COLORFGBG")
	color, err := strconv.Atoi(fgbg[strings.LastIndexByte(fgbg, ';')+1:])
	return err != nil || color < 7 || color == 8, err == nil
}

// asks reports whether the terminal UI asks the terminal for its background: if the environment does not tell it,
// and the terminal answers questions. Terminals of the names below would show the question, or never answer.
func (s Streams) asks(color, theme string) bool {
	if _, known := s.background(theme); known || s.colors(color) == paint.NoColor || s.dumb() || runtime.GOOS == "windows" {
		return false
	}
	term := s.Getenv("TERM")
	return !slices.ContainsFunc([]string{"linux", "vt", "eterm", "cygwin", "ansi", "sun", "wsvt"}, func(name string) bool { return strings.HasPrefix(term, name) })
}

// colors returns how many colors the terminal has by its own account, if results have colors at all.
func (s Streams) colors(asked string) paint.Colors {
	switch forced := s.Getenv("CLICOLOR_FORCE"); {
	case asked == "always":
	case asked == "never", s.Getenv("NO_COLOR") != "":
		return paint.NoColor
	case forced != "" && forced != "0":
	case !s.OutTTY, s.dumb(), s.Getenv("CLICOLOR") == "0":
		return paint.NoColor
	}
	term := s.Getenv("TERM")
	switch {
	case (s.Getenv("COLORTERM") == "truecolor" || s.Getenv("COLORTERM") == "24bit") && s.Getenv("STY") == "":
		return paint.TrueColor // GNU screen would pass COLORTERM on from the terminal around it
	case s.Getenv("COLORTERM") != "", strings.Contains(term, "256color"), strings.Contains(term, "direct"),
		strings.Contains(term, "kitty"), strings.Contains(term, "ghostty"), strings.Contains(term, "alacritty"):
		return paint.Colors256
	}
	return paint.Colors16
}

// dumb reports whether the terminal takes nothing but lines of text: TERM is "dumb", or, except on Windows, not
// set.
func (s Streams) dumb() bool {
	term := s.Getenv("TERM")
	return term == "dumb" || term == "" && runtime.GOOS != "windows"
}

// file returns the file that w writes to; nil when it writes to no file.
func (w *checkedWriter) file() *os.File {
	f, _ := w.Writer.(*os.File)
	return f
}

// checkedWriter remembers the first error of writing results, and then ends the command: nobody takes its output. The
// error may come anywhere, also from work that nobody waits for any more.
type checkedWriter struct {
	io.Writer
	broken func()
	err    atomic.Pointer[error]
}

func (w *checkedWriter) Write(p []byte) (int, error) {
	n, err := w.Writer.Write(p)
	if err != nil {
		w.err.CompareAndSwap(nil, &err)
		w.broken()
	}
	return n, err
}

// withInput lets --topo - read standard input.
func withInput(ctx context.Context, s Streams) context.Context {
	if s.InTTY {
		return source.WithoutInput(ctx, "standard input is a terminal: pipe an hwloc file into it, "+
			"as in lstopo --of xml - | commsplit hw show --topo -")
	}
	return source.WithInput(ctx, s.In)
}

// withoutInput notes that standard input holds something other than hardware, which what names: --topo - is an error.
func (f *worldFlags) withoutInput(ctx context.Context, what string) (context.Context, error) {
	if strings.TrimSpace(f.config.Topo) == "-" {
		return nil, fmt.Errorf("--topo -: standard input has %s, so it cannot have the hardware: "+
			"give the lines with -c or in a file, or put the hardware into a file", what)
	}
	return source.WithoutInput(ctx, "standard input has "+what+": give the hardware in a file"), nil
}

// wrapped is a terminal for diagnoses: a line that is wider than the terminal breaks at blanks, not inside words.
// On other outputs a diagnosis stays one line.
type wrapped struct {
	io.Writer
	width func() int // columns; 0 when unknown
}

// onTerminal wraps a file that is a terminal.
func onTerminal(f *os.File) io.Writer {
	if !term.IsTerminal(int(f.Fd())) {
		return f
	}
	return wrapped{f, func() int {
		w, _, _ := term.GetSize(int(f.Fd())) // 0 when it fails
		return w
	}}
}

// Write writes whole lines. Indented lines, which quote source with a caret below, stay as they are.
func (w wrapped) Write(p []byte) (int, error) {
	width := w.width()
	if width <= 0 {
		return w.Writer.Write(p)
	}
	var b strings.Builder
	for line := range strings.Lines(string(p)) {
		text := strings.TrimSuffix(line, "\n")
		if len(text) > width && !strings.HasPrefix(text, "    ") {
			line = repl.Wrap(text, width, "") + line[len(text):]
		}
		b.WriteString(line)
	}
	return written(w.Writer, b.String(), p)
}

// alarming returns the writer for the diagnoses of a prompt: on a terminal with colors they have the inks of the
// terminal UI's log.
func (s Streams) alarming(color, theme string) io.Writer {
	clean, ok := s.Err.(cleaned)
	colors := s.colors(color)
	if !ok || colors == paint.NoColor {
		return s.Err
	}
	w, ok := clean.Writer.(wrapped)
	if !ok {
		return s.Err
	}
	dark, _ := s.background(theme)
	w.Writer = inked{w.Writer, paint.NewPalette(colors, dark)}
	return cleaned{w}
}

// inked writes notes faintly and all other diagnoses in the ink of errors.
type inked struct {
	io.Writer
	palette *paint.Palette
}

// Write writes whole lines.
func (w inked) Write(p []byte) (int, error) {
	ink := paint.Alarm
	if strings.HasPrefix(string(p), "note:") {
		ink = paint.Faint
	}
	var b strings.Builder
	for line := range strings.Lines(string(p)) {
		text := strings.TrimSuffix(line, "\n")
		w.palette.Put(&b, text, ink)
		b.WriteString(line[len(text):])
	}
	return written(w.Writer, b.String(), p)
}

// cleaned is the last writer of diagnoses: it makes control characters visible in the foreign names, files and
// arguments that diagnoses quote, so that they cannot command the terminal.
type cleaned struct{ io.Writer }

// Write writes whole characters.
func (c cleaned) Write(p []byte) (int, error) {
	return written(c.Writer, paint.Printable(string(p)), p)
}

// written writes a text in place of p, and returns what Write returns for p.
func written(w io.Writer, text string, p []byte) (int, error) {
	if _, err := io.WriteString(w, text); err != nil {
		return 0, err
	}
	return len(p), nil
}
