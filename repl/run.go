package repl

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/repl/lang"
	"codeberg.org/commsplit/commsplit/repl/machine"
	"codeberg.org/commsplit/commsplit/repl/program"
)

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
	s.pending = []Entry{{Chunk: c}}
	e := Entry{Chunk: c, effect: effect{clears: -1}, At: s.world.Now()}
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
	e.effect, e.Hidden = o.effect, o.hidden
	if o.Verb != nil && o.Verb.Name == "ask" {
		e.Question, e.verdict, e.Answer = s.LastNote(), VerdictOn("", "", o.Values), answerOf(o.Values)
		e.Why = whyInWords(s, c, o)
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
		o.From = s.world.Now().Steps
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
	o := &Outcome{Chunk: c, From: s.world.Now().Steps, effect: effect{clears: -1}}
	if c.Kind == lang.Command {
		err = s.executeCommand(ctx, o, ranks)
	} else {
		err = s.executeProgram(ctx, o, ranks)
	}
	maps.Copy(s.scope, c.Sets)
	s.noteVariables()
	if failed := (*Failed)(nil); errors.As(err, &failed) {
		nameComms(s, failed.MPI)
	}
	if s.all.Undecided.Swap(false) {
		judgeLeaks(s)
	}
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
	code.Begin, code.Places = c.Line, c.Sites()
	for _, a := range code.Assigns {
		s.mention(a.Name)
	}
	st := s.runOn(ctx, ranks, nil, func(r *program.Rank) error { return r.Run(code) })
	return s.settle(ctx, st, c)
}

// code compiles a chunk. hidden lists variables that hide rank and size in a line of C or Fortran.
func (s *Session) code(c *lang.Chunk) (code *program.Code, hidden []string, err error) {
	if c.Whole {
		p, err := machine.New(c.File, strings.Repeat("\n", c.Line-1)+c.Text, c.Arguments)
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
		v, err := r.Evaluator().Eval(r, e, nil, nil)
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

func (s *Session) executeCommand(ctx context.Context, o *Outcome, ranks engine.Ranks) error {
	c := o.Chunk
	cmd, err := bind(c)
	if err != nil {
		return err
	}
	o.Verb = cmd.verb
	if len(cmd.verb.statements) == 0 {
		if o.clears = s.blocked; s.blocked < 0 { // where ranks are blocked, the chunks that led there are taken back
			s.own = append(s.own, deadlockPoint(c, false, s.world.Now()))
		}
		return nil
	}
	if cmd.target == "" && cmd.verb.Makes != MakesNothing && cmd.verb.Makes != MakesValue {
		cmd.target = s.autoName(cmd.verb)
	}
	if o.result = cmd.target; o.result != "" {
		s.mention(o.result)
	}
	if err := cmd.compile(s); err != nil {
		return position(err, c)
	}
	o.hidden = cmd.hidden
	if err := cmd.exists(s.plan.std); err != nil {
		return err
	}
	s.forgetCalls(cmd.verb.Makes == MakesValue || cmd.verb.tells != "", s.blocked >= 0)
	st := s.issue(ctx, cmd, ranks)
	if err := s.settle(ctx, st, c); err != nil {
		return err
	}
	o.groups = cmd.groups.Load()
	o.describe(s, cmd, ranks)
	return nil
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

// Assigned lists the variables that the text of a chunk sets at its top level; none if there is a mistake in the text,
// which Run reports.
func (s *Session) Assigned(c *lang.Chunk) []string {
	var names []string
	for _, w := range s.Assignments(c) {
		names = append(names, w.Text)
	}
	return names
}

// Assignments does as Assigned, and returns the place where the text sets each variable first.
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
	last := s.entries[len(s.entries)-1].Chunk
	if len(ranks) == 0 || last == nil {
		return nil
	}
	end := engine.Site{File: last.File}
	st := s.runOn(ctx, ranks, nil, func(r *program.Rank) error { return r.Finalize(&end) })
	return s.settle(ctx, st, last)
}

func failed(ctx context.Context, s *Session, f *engine.Failure, c *lang.Chunk) error {
	for _, err := range f.Program {
		if crash := (*Crash)(nil); errors.As(err, &crash) {
			return &Failed{Crash: crash}
		}
	}
	out := &Failed{MPI: f.Errors, Waiting: f.Waiting, Interrupted: ctx.Err() != nil}
	if errors.As(context.Cause(ctx), &out.Limit) {
		out.Interrupted = false
		return out
	}
	if out.Interrupted {
		return out
	}
	if out.Limit = s.over; out.Limit != nil {
		return out
	}
	at := map[string]*ProgramError{}
	for i, err := range f.Program {
		e := position(err, c)
		place := fmt.Sprint(e.File, e.Line, ":", e.Col)
		p := at[place]
		if p == nil {
			p = &ProgramError{Error: e}
			var by *program.Error
			p.Limit = errors.As(err, &by) && by.Limit
			at[place] = p
			out.Program = append(out.Program, p)
		}
		p.Differ = p.Differ || p.Message != e.Message
		p.Ranks = engine.RanksOf(append(p.Ranks.Slice(), int(f.By[i]))...)
	}
	return out
}

// nameComms names the communicators of errors by the session's variables: the engine knows only their numbers. The
// message about a freed communicator names the variable in which the rank held it.
func nameComms(s *Session, list []*engine.Error) {
	if len(list) == 0 {
		return
	}
	name := commNames(s)
	for _, e := range list {
		if e.Comm >= 0 {
			e.Named = name(e.Comm)
		}
		if e.Mistake != engine.MistakeCommFreed || len(e.Ranks) == 0 {
			continue
		}
		r := s.ranks[e.Ranks.First()]
		if i := slices.IndexFunc(s.order, func(name string) bool { return r != nil && program.HeldBy(r.Vars.Get(name)).Comm == e.Comm }); i >= 0 {
			e.Named = s.order[i]
			e.Text = e.Mistake.In(e.Call, append([]any{e.Named}, e.Args[1:]...)...).Text
		}
	}
}

// remake makes the world that the entries describe, and prints nothing.
func (s *Session) remake(ctx context.Context) error {
	return s.Quietly(func() error { return s.runAll(ctx, func(int) {}) })
}

// Quietly runs f, and drops the output of ranks meanwhile.
func (s *Session) Quietly(f func() error) error {
	output := s.output
	s.output = nil
	defer func() { s.output = output }()
	return f()
}

// runAll runs the entries of the present world on a fresh world. After each entry it calls after with the entry's index
// among Entries.
func (s *Session) runAll(ctx context.Context, after func(i int)) error {
	all := s.entries
	first := len(all) - 1
	for all[first].config == nil {
		first--
	}
	s.began, s.entries = first, all[:first+1]
	if err := s.begin(all[first]); err != nil {
		return err
	}
	void := takenBack(all)
	defer func() { s.pending = nil }()
	for i, e := range all[first+1:] {
		s.pending = all[first+1+i:]
		e.At = s.world.Now()
		if !void[first+1+i] {
			if err := s.again(ctx, e); err != nil {
				return fmt.Errorf("replaying %s:%d: %w", e.Chunk.File, e.Chunk.Line, err)
			}
		}
		s.entries = append(s.entries, e)
		after(i)
	}
	return nil
}

// again runs a chunk that has run before. An expect_deadlock passes or fails as in its first run.
func (s *Session) again(ctx context.Context, e Entry) error {
	if ExpectsDeadlock(e.Chunk) {
		s.own = append(s.own, deadlockPoint(e.Chunk, e.clears >= 0, s.world.Now()))
		return nil
	}
	_, err := s.execute(ctx, e.Chunk)
	return err
}

// deadlockPoint returns the outcome of an expect_deadlock, which fails unless ranks were blocked.
func deadlockPoint(c *lang.Chunk, blocked bool, at engine.Moment) render.Point {
	p := render.Point{Where: engine.Site{File: c.File, Line: int32(c.Line)}.String(), Text: "a deadlock"}
	if !blocked {
		p.Failure = &render.Failure{Where: p.Where, Message: "expected a deadlock, but no rank is blocked", At: at}
	}
	return p
}

// Check finds a mistake in a line without running the line; nil when it finds none. It finds none in the first
// line of a statement that needs more lines.
func (s *Session) Check(line string) *lang.Error {
	r := NewInput("<input>")
	chunks, err := r.Feed(line, true)
	for _, c := range chunks {
		if err == nil {
			err = checkChunk(s, c)
		}
	}
	var at *lang.Error
	errors.As(err, &at)
	return at
}

func checkChunk(s *Session, c *lang.Chunk) error {
	c, err := c.Among(s.scope)
	if err != nil {
		return err
	}
	if _, err := s.RanksOf(c); err != nil {
		return err
	}
	switch c.Kind {
	case lang.Meta:
		if FindMeta(c.Verb.Text) == nil {
			return UnknownMeta(c)
		}
		return nil
	case lang.Program:
		if _, _, err := s.code(c); err != nil {
			return position(err, c)
		}
		return nil
	}
	cmd, err := bind(c)
	if err != nil || len(cmd.verb.statements) == 0 {
		return err
	}
	if err := cmd.compile(s); err != nil {
		return position(err, c)
	}
	return cmd.exists(s.plan.std)
}
