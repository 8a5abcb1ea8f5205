// Package repl is the session: a world of ranks, the chunks of text that ran on it, and their results. It knows the
// language (verbs, programs, the table of meta commands), expectations and undo; it runs every chunk on the ranks of an
// engine.World and describes the result as a render.View. It does not draw, reads no scripts and writes no files, and
// knows no prompt: the packages console, stories and completion do.
//
// A session is the list of its chunks. The engine is deterministic, so undoing a chunk, or taking
// back one that failed, means to run the chunks before it on a fresh world.
package repl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync/atomic"

	"go.starlark.net/starlark"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw/placement"
	"codeberg.org/commsplit/commsplit/hw/spell"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/render/document"
	"codeberg.org/commsplit/commsplit/repl/lang"
	"codeberg.org/commsplit/commsplit/repl/program"
	"codeberg.org/commsplit/commsplit/repl/tongue"
)

// Session is a world and the chunks that were run on it. It is used by one goroutine at a time.
type Session struct {
	// ShowValues makes a line that is only an expression tell its value, as at a prompt.
	ShowValues bool
	// Sealed, if not "", says why no line reads or writes files, not even one that a person types: the end of the
	// message about a line that would.
	Sealed string

	processes
	variables
	chronicle

	plan   *worldPlan
	config Config
	crash  atomic.Pointer[Crash] // the first panic of a rank in this world
	output func([]engine.Line)   // nil while chunks are replayed
	lines  *document.Lines       // is told what happens on each world; nil for none
	own    []render.Point        // expectations of the session itself (expect_deadlock), and all those of earlier worlds
}

// Config returns the configuration of the present world.
func (s *Session) Config() Config { return s.config }

// Notes lists what a person must know who begins on the present world: the machine that stands in for this one, and
// which parts of the hardware are restricted or unknown.
func (s *Session) Notes() []string {
	if s.plan.instead == "" {
		return s.plan.topology.Notes
	}
	return append([]string{s.plan.instead}, s.plan.topology.Notes...)
}

// Waiting lists the ranks that wait in calls.
func (s *Session) Waiting() []engine.Wait {
	if s.blocked < 0 {
		return nil
	}
	return s.world.Snapshot().Waiting
}

// WaitingRanks returns the ranks that wait in calls.
func (s *Session) WaitingRanks() engine.Ranks {
	var all []int
	for _, w := range s.Waiting() {
		all = append(all, w.Ranks.Slice()...)
	}
	return engine.RanksOf(all...)
}

// RanksOf reads the ranks of "@0-3"; a chunk without "@" is for all ranks.
func (s *Session) RanksOf(c *lang.Chunk) (engine.Ranks, error) {
	if c.Ranks.Text == "" {
		return engine.AllRanks(s.Size()), nil
	}
	ranks, err := engine.ParseRanks(c.Ranks.Text, s.Size())
	if err != nil {
		return nil, c.ErrorAt(c.Ranks, "%s", err)
	}
	return ranks, nil
}

// Unhide removes the variables that hide a predeclared name, such as world or all, except those that keep tells. The
// world must be quiet.
func (s *Session) Unhide(keep func(name string) bool) {
	for _, name := range s.Variables() {
		if keep(name) || !starlark.Universe.Has(name) && !slices.Contains(program.Predeclared(), name) {
			continue
		}
		for _, r := range s.ranks {
			if r != nil {
				r.Vars.Drop(name)
			}
		}
		delete(s.names, name)
		delete(s.scope, name)
	}
}

// NoteSite writes a note with the settings of a site by which srun's words were understood; nothing without such words,
// or with Slurm's own defaults.
func (s *Session) NoteSite(w io.Writer) {
	if t := s.plan.topology; t.Slurm != nil && s.config.Policy.Srun != (placement.Srun{}) {
		fmt.Fprintf(w, "note: srun as its site has set it: slurm(%s)\n", t.Slurm)
	}
}

// Flags lists the flags that make the session's world.
func (s *Session) Flags() []string { return s.config.Flags(s.Size()) }

// Describe returns a line about the world: "8 ranks on figure-7.3, map-by core, bind-to core, MPI-5.0".
func (s *Session) Describe() string {
	t := s.plan.topology
	return fmt.Sprintf("%s on %s, %s, %s", spell.Plural(s.Size(), "rank"), t.Name, placed(t, s.config.Policy), s.plan.std.Title())
}

// hides reports whether a variable hides the constant, or the number of each rank, of the same name: if some rank holds
// communicators in the variable, because nobody means these as a number. In a line of C or Fortran, which is foreign, each
// variable that lines declared hides the number.
func hides(s *Session, name string, foreign bool) bool {
	switch {
	case !isLocal(name):
		return false
	case foreign && s.declares(name):
		return true
	}
	return s.known(name) && slices.ContainsFunc(s.ranks, func(r *program.Rank) bool {
		if r == nil {
			return false
		}
		_, _, holds := program.Held(r.Vars.Get(name))
		return holds
	})
}

// Numbers lists the names of numbers that no variable hides.
func (s *Session) Numbers() []string {
	return slices.DeleteFunc(append(slices.Clone(rankNames), "UNDEFINED"), func(name string) bool { return hides(s, name, false) })
}

// Open makes a session on a fresh world. output gets the output of ranks, as they print it: it is called by several
// goroutines, one at a time.
func Open(ctx context.Context, cfg Config, output func([]engine.Line)) (*Session, error) {
	s := &Session{output: output, lines: cfg.Lines}
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
		e.before = earlier(s.Expectations())
	}
	s.began, s.entries, s.redo = len(s.entries), append(s.entries, e), nil
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
	s.all.Arguments, s.all.Input = cfg.Arguments, cfg.Input
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
	s.variables = variables{
		names: map[string]bool{}, scope: tongue.Scope{}, numbers: map[string]int{},
		past: &past{size: w.Size(), at: map[columnKey]*column{}, positions: map[string]int{}, called: &firstNames{of: map[int32]string{}}},
	}
	s.failure, s.blocked = nil, -1
	s.crash.Store(nil)
	s.own = slices.Clone(e.before.Points)
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
