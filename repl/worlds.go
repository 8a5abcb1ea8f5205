package repl

import (
	"context"
	"errors"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/render/document"
	"codeberg.org/commsplit/commsplit/repl/program"
)

// Open makes a session on a fresh world. output gets the output of ranks, as they print it: it is called by several
// goroutines, one at a time.
func Open(ctx context.Context, cfg Config, output func([]engine.Line)) (*Session, error) {
	return OpenTelling(ctx, cfg, output, nil)
}

// OpenTelling does as Open, and tells lines, if not nil, what happens on every world. A chunk that runs again is
// reported again, on the fresh world that it runs on.
func OpenTelling(ctx context.Context, cfg Config, output func([]engine.Line), lines *document.Lines) (*Session, error) {
	s := &Session{output: output, lines: lines}
	if err := s.Restart(ctx, cfg); err != nil {
		return nil, err
	}
	return s, nil
}

// Restart leaves the present world for a fresh one. It can be undone.
func (s *Session) Restart(ctx context.Context, cfg Config) error {
	if cfg.Begins == nil { // a journal does not keep it
		cfg.Begins = s.config.Begins
	}
	p, err := cfg.start(ctx)
	switch {
	case errors.Is(ctx.Err(), context.Canceled) && s.world != nil: // the present world stays
		return &Failed{Interrupted: true}
	case err != nil:
		return err
	}
	e := Entry{config: &cfg, plan: p, effect: effect{clears: -1}}
	if s.world != nil {
		e.before = s.Expectations()
	}
	s.entries = append(s.entries, e)
	s.redo = nil
	return s.begin(e)
}

// begin starts the world of a configuration entry.
func (s *Session) begin(e Entry) error {
	s.Close()
	cfg, p := *e.config, e.plan
	made := engine.Config{
		Size: len(p.bindings), Topology: p.topology, Bindings: p.bindings, Std: p.std, Psets: p.psets, Contexts: cfg.Contexts, Trace: true,
		Synchronous: cfg.Synchronous, Orders: cfg.Orders,
		Output: func(lines []engine.Line) {
			if s.output != nil {
				s.output(lines)
			}
		},
		Crashed: s.crashed,
	}
	if s.lines != nil {
		made.News = s.lines.Tell
	}
	s.memory = cfg.memory()
	s.all = program.NewRanks(s.memory)
	s.all.Arguments = cfg.Arguments
	if cfg.Begins != nil {
		cfg.Begins(made.Size, s.memory.Most)
	}
	w, err := engine.New(made)
	if err != nil {
		return err
	}
	s.config, s.plan, s.world = cfg, p, w
	s.ranks = make([]*program.Rank, w.Size())
	s.called = make([]bool, w.Size())
	s.values = nil
	s.variables = newVariables(w.Size())
	s.failure, s.blocked = nil, -1
	s.crash.Store(nil)
	s.own = earlier(e.before.Points)
	if s.lines != nil {
		s.lines.Begin(s.View())
	}
	return nil
}

// crashed returns the error for a rank that panicked, which is a defect of ours; it runs on the rank's goroutine. Ranks
// mostly panic alike, so the first panic is described for all.
func (s *Session) crashed(v any) error {
	if s.crash.Load() == nil {
		s.crash.CompareAndSwap(nil, NewCrash(v))
	}
	return s.crash.Load()
}
