// Package repl is the session: a world of ranks, the chunks of text that they were given, and what
// came of them. It knows the language (verbs, programs, the table of meta commands), scripts, expectations, undo
// and completion; it runs every chunk on the ranks of an engine.World and describes the result as a
// render.View. It does not draw, and knows no prompt: the package console does, and carries out meta commands.
//
// A session is the list of its chunks. The engine is deterministic, so undoing a chunk, or taking
// back one that failed, means to run the chunks before it on a fresh world.
package repl

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync/atomic"

	"go.starlark.net/starlark"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/render/document"
	"codeberg.org/commsplit/commsplit/repl/lang"
	"codeberg.org/commsplit/commsplit/repl/machine"
	"codeberg.org/commsplit/commsplit/repl/program"
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

// Open makes a session on a fresh world. output gets what ranks print, as it is printed: it is called by several
// goroutines, one at a time.
func Open(ctx context.Context, cfg Config, output func([]engine.Line)) (*Session, error) {
	return OpenTelling(ctx, cfg, output, nil)
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
	e := entry{config: &cfg, plan: p, clears: -1}
	if s.world != nil {
		e.before = s.Expectations()
	}
	s.entries = append(s.entries, e)
	s.redo = nil
	return s.begin(e)
}

// begin starts the world of a configuration entry.
func (s *Session) begin(e entry) error {
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
		cfg.Begins(made.Size, s.memory.Most())
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

// Config is what the present world was made from.
func (s *Session) Config() Config { return s.config }

// Notes are what a person must know who begins on the present world: what stands in for this machine, and what is
// restricted or not known of the hardware.
func (s *Session) Notes() []string {
	if s.plan.instead == "" {
		return s.plan.topology.Notes
	}
	return append([]string{s.plan.instead}, s.plan.topology.Notes...)
}

// Choices lists the receives from any source that had messages of several senders to take.
func (s *Session) Choices() []engine.Choice { return s.world.Choices() }

// Waiting lists the ranks that wait in calls.
func (s *Session) Waiting() []engine.Wait {
	if s.blocked < 0 {
		return nil
	}
	return s.world.Snapshot().Waiting
}

// Deadlock is the diagnosis of the ranks that wait in calls, in the names of the session's variables; nil
// when no rank waits.
func (s *Session) Deadlock() *engine.Deadlock {
	if s.blocked < 0 {
		return nil
	}
	return s.world.Deadlock(commNames(s))
}

// crashed is the error of a rank that panicked, on its goroutine: a defect of ours. Ranks mostly do so alike, and the
// first one is described for all.
func (s *Session) crashed(v any) error {
	if s.crash.Load() == nil {
		s.crash.CompareAndSwap(nil, NewCrash(v))
	}
	return s.crash.Load()
}

// Run runs a chunk on its ranks and waits until nobody can go on. It returns a *lang.Error for a
// mistake in the text, which leaves the session as it was, or a *Failed when ranks failed: then the
// world has ended, View describes it, and Rollback leads back to before the chunk. Blocked ranks are
// no error: see Waiting.
func (s *Session) Run(ctx context.Context, c *lang.Chunk) (*Outcome, error) {
	if s.failure != nil {
		return nil, errors.New("the world has ended: Rollback comes first")
	}
	c, err := c.Among(s.scope)
	if err != nil {
		return nil, err
	}
	s.pending = []entry{{chunk: c}}
	e := entry{chunk: c, clears: -1, at: s.world.Now()}
	o, err := s.execute(ctx, c)
	s.pending = nil
	var failed *Failed
	if err != nil && !errors.As(err, &failed) {
		return nil, err
	}
	s.redo = nil
	if o == nil || err != nil {
		s.entries = append(s.entries, e)
		return nil, err
	}
	e.clears, e.result, e.groups, e.bare, e.hidden = o.clears, o.result, o.groups, o.bare, o.hidden
	if o.Verb != nil && o.Verb.Name == "ask" {
		e.question, e.verdict, e.answer = s.LastNote(), VerdictOn("", "", o.Values), answerOf(o.Values)
		e.why = whyInWords(s, c, o)
	}
	if o.clears >= 0 {
		e.gone = takenBackFrom(s, o.clears)
		if s.lines != nil {
			s.lines.Blocked(s.View())
		}
	}
	if s.blocked >= 0 && o.clears < 0 {
		e.stuck = s.View()
	}
	s.entries = append(s.entries, e)
	if o.clears >= 0 {
		err := s.remake(ctx)
		o.From = s.world.Steps()
		return o, err
	}
	return o, nil
}

func (s *Session) execute(ctx context.Context, c *lang.Chunk) (*Outcome, error) {
	ranks, err := s.RanksOf(c)
	if err != nil {
		return nil, err
	}
	s.now.Store(&Progress{Chunk: c, Ranks: ranks.Len(), world: s.world})
	defer s.now.Store(nil)
	o := &Outcome{Chunk: c, From: s.world.Steps(), clears: -1}
	if c.Kind == lang.Command {
		err = s.executeCommand(ctx, o, ranks)
	} else {
		err = s.executeProgram(ctx, o, ranks)
	}
	maps.Copy(s.scope, c.Sets)
	s.noteVariables()
	nameFreed(s, err)
	judgeLeaks(s)
	return o, err
}

func (s *Session) executeProgram(ctx context.Context, o *Outcome, ranks engine.Ranks) error {
	c := o.Chunk
	if s.ShowValues && !c.Foreign && !c.Whole {
		body := program.Fragment{Text: c.Body.Text, Line: c.Body.Line, Col: c.Body.Col}
		if e, err := program.CompileExprs(c.File, []program.Fragment{body}, s.known); err == nil {
			return s.executeExpression(ctx, o, ranks, e)
		}
	}
	code, hidden, err := s.code(c)
	if o.hidden = hidden; err != nil {
		return position(err, c)
	}
	code.Begin, code.Places = c.Line, c.Places
	for _, a := range code.Assigns {
		s.mention(a.Name)
	}
	st := s.runOn(ctx, ranks, nil, func(r *program.Rank) error { return r.Run(code) })
	return s.settle(ctx, st, c)
}

// code is a chunk as code that ranks run. hidden lists variables that hide rank and size in a line of C or Fortran.
func (s *Session) code(c *lang.Chunk) (code *program.Code, hidden []string, err error) {
	if c.Whole {
		p, err := machine.New(c.File, c.Text, c.Arguments)
		if err != nil {
			return nil, nil, err
		}
		return p.Code(), nil, nil
	}
	text, hidden := statements(s, c)
	code, err = program.Compile(c.File, text, c.Line, s.known)
	return code, hidden, err
}

// executeExpression evaluates an expression that a person typed and keeps its value on each rank.
func (s *Session) executeExpression(ctx context.Context, o *Outcome, ranks engine.Ranks, e *program.Exprs) error {
	s.forgetCalls(true, s.blocked >= 0)
	values := s.values
	st := s.runOn(ctx, ranks, nil, func(r *program.Rank) error {
		v, err := r.Eval(e, nil)
		if err == nil {
			values[r.P.Rank()] = v[0]
		}
		return err
	})
	if err := s.settle(ctx, st, o.Chunk); err != nil {
		return err
	}
	o.Values = groupValues(s.values, program.Repr)
	return nil
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

// settle turns the state after a chunk into an error, or notes which entry first left ranks blocked.
func (s *Session) settle(ctx context.Context, st engine.Status, c *lang.Chunk) error {
	if st.Failure != nil {
		return failed(ctx, s, st.Failure, c)
	}
	switch {
	case len(st.Waiting) == 0:
		s.blocked = -1
	case s.blocked < 0:
		s.blocked = len(s.entries)
	}
	return nil
}

// OpenTelling is Open, but tells lines, if not nil, what happens on every world. What chunks do that run again
// is reported again, on the fresh world that they run on.
func OpenTelling(ctx context.Context, cfg Config, output func([]engine.Line), lines *document.Lines) (*Session, error) {
	s := &Session{output: output, lines: lines}
	if err := s.Restart(ctx, cfg); err != nil {
		return nil, err
	}
	return s, nil
}

// Assigned lists the variables that the text of a chunk sets at its top level; none where there is a mistake in the
// text, which Run tells.
func (s *Session) Assigned(c *lang.Chunk) []string {
	var names []string
	for _, w := range s.Assignments(c) {
		names = append(names, w.Text)
	}
	return names
}

// Assignments is Assigned, with the place where the text sets each variable first.
func (s *Session) Assignments(c *lang.Chunk) []lang.Word {
	c, err := c.Among(s.scope)
	if err != nil {
		return nil
	}
	if c.Kind == lang.Command && c.Target.Text != "" {
		return []lang.Word{c.Target}
	}
	if c.Kind != lang.Program {
		return nil
	}
	code, _, err := s.code(c)
	if err != nil {
		return nil
	}
	var list []lang.Word
	for _, a := range code.Assigns {
		if c.Foreign {
			a.Line, a.Col = c.Body.Line, c.Body.Col
		}
		list = append(list, lang.Word{Text: a.Name, Line: a.Line, Col: a.Col})
	}
	return list
}

// Unhide takes the variables away that hide a name with a meaning of its own, such as world or all, but for those that
// keep tells. The world must be quiet.
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

// noteVariables learns which variables exist after a chunk, and what they hold.
func (s *Session) noteVariables() {
	for _, r := range s.ranks {
		if r == nil {
			continue
		}
		for name := range r.TakeFresh() {
			s.names[name] = true
		}
	}
	s.notePast()
}

// Finalize ends a program, as MPI_Finalize does: the attributes of MPI_COMM_SELF are deleted, which
// may call functions of the program. It does nothing when ranks still wait. It fails like Run.
func (s *Session) Finalize(ctx context.Context) error {
	if s.failure != nil || s.blocked >= 0 {
		return nil
	}
	var ranks engine.Ranks
	for i, r := range s.ranks {
		if r != nil && r.Caches() {
			ranks.Append(int32(i))
		}
	}
	last := s.entries[len(s.entries)-1].chunk
	if len(ranks) == 0 || last == nil {
		return nil
	}
	end := engine.Site{File: last.File}
	st := s.runOn(ctx, ranks, nil, func(r *program.Rank) error { return r.Finalize(&end) })
	return s.settle(ctx, st, last)
}
