package cmd

import (
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"

	"golang.org/x/term"

	"commsplit/render"
)

// Streams are where a command reads and writes, and what is known of the terminal.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
	InTTY    bool // a person types
	OutTTY   bool // results go to a terminal
	Width    int  // columns of that terminal; 0 when unknown
	Getenv   func(string) string
}

// System is the streams of the process.
func System() Streams {
	s := Streams{In: os.Stdin, Out: os.Stdout, Err: onTerminal(os.Stderr), Getenv: os.Getenv}
	s.InTTY = term.IsTerminal(int(os.Stdin.Fd()))
	s.OutTTY = term.IsTerminal(int(os.Stdout.Fd()))
	if w, _, err := term.GetSize(int(os.Stdout.Fd())); err == nil {
		s.Width = w
	}
	return s
}

// defaultWidth and minWidth are columns: when nobody knows the width, and the least that pictures
// are drawn for.
const (
	defaultWidth = 80
	minWidth     = 40
)

// style is how results look: set for the terminal's width, else for COLUMNS, else for 80; color as
// asked, else as the environment says, else on terminals. Only a terminal folds and cuts.
func (s Streams) style(color string) render.Style {
	width := s.Width
	if width == 0 {
		width, _ = strconv.Atoi(s.Getenv("COLUMNS"))
	}
	if width <= 0 {
		width = defaultWidth
	}
	return render.Style{Width: max(width, minWidth), Whole: !s.OutTTY, Color: s.color(color), Dark: s.dark()}
}

// dark guesses the background without asking the terminal, which might never answer: COLORFGBG ends
// with its color, and 7 or 9 and above are light.
func (s Streams) dark() bool {
	fgbg := s.Getenv("COLORFGBG")
	background, err := strconv.Atoi(fgbg[strings.LastIndexByte(fgbg, ';')+1:])
	return err != nil || background < 7 || background == 8
}

func (s Streams) color(asked string) bool {
	switch {
	case asked == "always":
		return true
	case asked == "never", s.Getenv("NO_COLOR") != "":
		return false
	case s.Getenv("CLICOLOR_FORCE") != "" && s.Getenv("CLICOLOR_FORCE") != "0":
		return true
	}
	return s.OutTTY && !s.dumb() && s.Getenv("CLICOLOR") != "0"
}

// dumb reports whether nothing but lines of text may be sent to the terminal: it says so, or not what it is,
// which only those of Windows leave out.
func (s Streams) dumb() bool {
	term := s.Getenv("TERM")
	return term == "dumb" || term == "" && runtime.GOOS != "windows"
}

// file is the file that is written to; nil when it is none.
func (w *checkedWriter) file() *os.File {
	f, _ := w.Writer.(*os.File)
	return f
}

// checkedWriter remembers the first error of writing results, which may come anywhere.
type checkedWriter struct {
	io.Writer
	err error
}

func (w *checkedWriter) Write(p []byte) (int, error) {
	n, err := w.Writer.Write(p)
	if err != nil && w.err == nil {
		w.err = err
	}
	return n, err
}
