package repl

import (
	"context"
	"io"

	"commsplit/engine"
	"commsplit/render"
)

// NewTelling opens a console that is silent: lines are told what happens, as it happens.
func NewTelling(ctx context.Context, cfg Config, lines *render.Lines, errs io.Writer, st render.Style) (*Console, error) {
	return newConsole(ctx, cfg, lines, &Console{Out: io.Discard, Err: errs, Style: st, Silent: true})
}

// openTelling is Open, but lines, if not nil, are told what happens on every world. Chunks that run again
// are told again, on the fresh world that they run on.
func openTelling(ctx context.Context, cfg Config, output func(engine.Line), lines *render.Lines) (*Session, error) {
	s := &Session{output: output, lines: lines}
	if err := s.Restart(ctx, cfg); err != nil {
		return nil, err
	}
	return s, nil
}
