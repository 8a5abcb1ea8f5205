package cmd

import (
	"context"
	"fmt"
	"os"
	"strings"

	"commsplit/render/paint"
	"commsplit/repl"
	"commsplit/repl/edit"
	"commsplit/tui"
)

// screen opens the terminal UI, or on a terminal that cannot draw it the prompt.
func screen(ctx context.Context, s Streams, f *worldFlags) error {
	in, isIn := s.In.(*os.File)
	out, isOut := s.Out.(interface{ file() *os.File })
	if !isIn || !isOut || out.file() == nil || s.dumb() {
		return prompt(ctx, s, f)
	}
	if f.output != "text" {
		return fmt.Errorf("-o %s is for run and one-shot commands; here, write .mode json and .show", f.output)
	}
	if err := f.untimed(); err != nil {
		return err
	}
	flags := func(words []string) (repl.Config, error) {
		fresh := newWorldFlags()
		err := fresh.merge("the script", words)
		fresh.bounds = f.bounds
		return fresh.bounded(), err
	}
	history := edit.OpenHistory(edit.HistoryFile())
	err := tui.Run(ctx, tui.Options{
		Config: f.bounded(), AllowFiles: f.files, Colors: s.colors(f.color), Dark: s.dark(),
		Still: s.Getenv("COMMSPLIT_NO_ANIM") != "", Mouse: s.Getenv("COMMSPLIT_NO_MOUSE") == "",
		History: history, Journal: edit.JournalDir(), Flags: flags,
	}, in, out.file())
	s.tellLost(history)
	return err
}

// tellLost tells that the history was not kept, which is no failure of the session.
func (s Streams) tellLost(h *edit.History) {
	if err := h.Lost(); err != nil {
		fmt.Fprintf(s.Err, "note: the history was not saved: %v\n", err)
	}
}

// colors is how many colors the terminal says that it has.
func (s Streams) colors(asked string) paint.Colors {
	term := s.Getenv("TERM")
	switch {
	case !s.color(asked):
		return paint.NoColor
	case s.Getenv("COLORTERM") != "", strings.Contains(term, "256color"), strings.Contains(term, "direct"),
		strings.Contains(term, "kitty"), strings.Contains(term, "ghostty"), strings.Contains(term, "alacritty"):
		return paint.Colors256
	}
	return paint.Colors16
}
