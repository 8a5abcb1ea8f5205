package repl

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"go.starlark.net/starlark"

	"commsplit/engine"
	"commsplit/repl/lang"
	"commsplit/repl/program"
)

// Outcome is what running one chunk came to.
type Outcome struct {
	Chunk   *lang.Chunk
	Verb    *Verb        // of a command
	Handle  string       // variable that got communicators; "" for none
	Values  []ValueGroup // what a command or an expression came to, when it is no communicator
	Callers engine.Ranks // ranks that issued the command's call
	Echo    string       // the command in SPMD words
	From    int          // steps of the trace before the chunk
	clears  int          // of expect_deadlock: the first entry that it takes back; -1
	result  string       // variable that got what the command made
	groups  bool         // its group argument is a group object
}

// Run runs a chunk on its ranks and waits until nobody can go on. It returns a *lang.Error for a
// mistake in the text, which leaves the session as it was, or a *Failed when ranks failed: then the
// world has ended, for View to describe, and Rollback leads back to before the chunk. Blocked ranks
// are no error: see Waiting.
func (s *Session) Run(ctx context.Context, c *lang.Chunk) (*Outcome, error) {
	if s.failure != nil {
		return nil, errors.New("the world has ended: Rollback comes first")
	}
	o, err := s.execute(ctx, c)
	var failed *Failed
	if err != nil && !errors.As(err, &failed) {
		return nil, err
	}
	s.redo = nil
	if o == nil || err != nil {
		s.entries = append(s.entries, entry{chunk: c, clears: -1})
		return nil, err
	}
	s.entries = append(s.entries, entry{chunk: c, clears: o.clears, result: o.result, groups: o.groups})
	if o.clears >= 0 {
		return o, s.replay(ctx)
	}
	return o, nil
}

func (s *Session) execute(ctx context.Context, c *lang.Chunk) (*Outcome, error) {
	ranks, err := s.checkRanks(c)
	if err != nil {
		return nil, err
	}
	o := &Outcome{Chunk: c, From: s.world.Steps(), clears: -1}
	if c.Kind == lang.Command {
		err = s.executeCommand(ctx, o, ranks)
	} else {
		err = s.executeProgram(ctx, o, ranks)
	}
	s.noteVariables()
	return o, err
}

func (s *Session) executeProgram(ctx context.Context, o *Outcome, ranks engine.Ranks) error {
	c := o.Chunk
	if s.ShowValues {
		body := program.Fragment{Text: c.Body.Text, Line: c.Body.Line, Col: c.Body.Col}
		if e, err := program.CompileExprs(c.File, []program.Fragment{body}, s.known); err == nil {
			return s.executeExpression(ctx, o, ranks, e)
		}
	}
	text := c.Text
	if c.Ranks.Text != "" {
		text = c.Body.Text
	}
	code, err := program.Compile(c.File, text, c.Line, s.known)
	if err != nil {
		return s.position(err, c)
	}
	st := s.runOn(ctx, ranks, func(r *program.Rank) error { return r.Run(code) })
	return s.settle(ctx, st, c)
}

// executeExpression evaluates an expression that a person typed and keeps what it came to.
func (s *Session) executeExpression(ctx context.Context, o *Outcome, ranks engine.Ranks, e *program.Exprs) error {
	clear(s.values)
	st := s.runOn(ctx, ranks, func(r *program.Rank) error {
		v, err := r.Eval(e, nil)
		if err == nil {
			s.values[r.P.Rank()] = v[0]
		}
		return err
	})
	if err := s.settle(ctx, st, o.Chunk); err != nil {
		return err
	}
	o.Values = groupValues(s.values)
	return nil
}

func (s *Session) executeCommand(ctx context.Context, o *Outcome, ranks engine.Ranks) error {
	c := o.Chunk
	cmd, err := bind(c)
	if err != nil {
		return err
	}
	o.Verb = cmd.verb
	if cmd.verb.run == nil {
		s.expectDeadlock(o)
		return nil
	}
	if cmd.target == "" && cmd.verb.Makes != MakesNothing && cmd.verb.Makes != MakesValue {
		cmd.target = s.autoName(cmd.verb)
	}
	o.result = cmd.target
	if err := cmd.compile(s.known); err != nil {
		return s.position(err, c)
	}
	if err := cmd.exists(s.place.std); err != nil {
		return err
	}
	clear(s.called)
	clear(s.values)
	st := s.runOn(ctx, ranks, func(r *program.Rank) error {
		me := r.P.Rank()
		v, err := cmd.run(r, &s.called[me])
		s.values[me] = v
		return err
	})
	if err := s.settle(ctx, st, c); err != nil {
		return err
	}
	o.groups = cmd.groups.Load()
	s.describe(o, cmd, ranks)
	return nil
}

// describe fills in what the command made.
func (s *Session) describe(o *Outcome, cmd *command, ranks engine.Ranks) {
	for r, called := range s.called {
		if called {
			o.Callers.Append(int32(r))
		}
	}
	o.Echo = cmd.echo(o.Callers)
	switch cmd.verb.Makes {
	case MakesComm:
		o.Handle = cmd.target
		s.fillNull(cmd.target)
	case MakesValue:
		o.Values = groupValues(s.values)
	}
}

// ValueGroup is a value as text and the ranks that have it.
type ValueGroup struct {
	Ranks engine.Ranks
	Text  string
}

// groupValues merges equal values over ranks, in order of the lowest rank. None says nothing.
func groupValues(values []starlark.Value) []ValueGroup {
	at := map[string]int{}
	var list []ValueGroup
	for r, v := range values {
		if v == nil || v == starlark.None {
			continue
		}
		text := v.String()
		i, ok := at[text]
		if !ok {
			i = len(list)
			at[text] = i
			list = append(list, ValueGroup{Text: text})
		}
		list[i].Ranks.Append(int32(r))
	}
	return list
}

// fillNull gives the ranks that did not issue a constructor COMM_NULL, unless they hold something
// already or still wait for their result.
func (s *Session) fillNull(name string) {
	for i, r := range s.ranks {
		if r == nil { // has not been given anything to do yet
			r = program.NewRank(s.world.Process(i))
			s.ranks[i] = r
		}
		if r.Vars[name] == nil {
			r.Vars[name] = program.WrapComm(nil)
		}
	}
	s.noteName(name)
}

// settle turns the state after a chunk into an error, or notes since when ranks are blocked.
func (s *Session) settle(ctx context.Context, st engine.Status, c *lang.Chunk) error {
	if st.Failure != nil {
		return s.failed(ctx, st.Failure, c)
	}
	switch {
	case len(st.Waiting) == 0:
		s.blocked = -1
	case s.blocked < 0:
		s.blocked = len(s.entries)
	}
	return nil
}

// Failed is a chunk that ended in errors. The session must be rolled back before it goes on.
type Failed struct {
	MPI         []*engine.Error // errors of the standard, merged over ranks
	Program     []*ProgramError // other errors of the program, merged over ranks
	Interrupted bool
	Waiting     []engine.Wait // ranks that were left waiting
}

// ProgramError is an error of the program that is not MPI's, as its first rank tells it, and the
// ranks that made it at that place.
type ProgramError struct {
	*lang.Error
	Ranks  engine.Ranks
	Differ bool // the other ranks tell it with other values
}

// who is "ranks 0-7", or "rank 0; ranks 1-7 likewise" when the message is the first rank's own.
func (e *ProgramError) who() string {
	if !e.Differ {
		return rankNoun(e.Ranks)
	}
	all := e.Ranks.Slice()
	return fmt.Sprintf("rank %d; %s likewise", all[0], rankNoun(engine.RanksOf(all[1:]...)))
}

// Error is all errors, a line each.
func (f *Failed) Error() string {
	var lines []string
	if f.Interrupted {
		lines = append(lines, "interrupted")
	}
	for _, e := range f.MPI {
		lines = append(lines, e.Error())
	}
	for _, e := range f.Program {
		lines = append(lines, fmt.Sprintf("%s (%s)", e.Error.Error(), e.who()))
	}
	return strings.Join(lines, "\n")
}

func rankNoun(r engine.Ranks) string {
	if r.Len() == 1 {
		return "rank " + r.String()
	}
	return "ranks " + r.String()
}

func (s *Session) failed(ctx context.Context, f *engine.Failure, c *lang.Chunk) error {
	out := &Failed{MPI: f.Errors, Waiting: f.Waiting, Interrupted: ctx.Err() != nil}
	if out.Interrupted {
		return out
	}
	at := map[string]*ProgramError{}
	for i, err := range f.Program {
		e := s.position(err, c)
		place := fmt.Sprint(e.File, e.Line, ":", e.Col)
		p := at[place]
		if p == nil {
			p = &ProgramError{Error: e}
			at[place] = p
			out.Program = append(out.Program, p)
		}
		p.Differ = p.Differ || p.Message != e.Message
		p.Ranks = engine.RanksOf(append(p.Ranks.Slice(), int(f.By[i]))...)
	}
	return out
}

// position adds the source line to a program's error.
func (s *Session) position(err error, c *lang.Chunk) *lang.Error {
	var e *program.Error
	if !errors.As(err, &e) {
		return &lang.Error{File: c.File, Line: c.Line, Col: 1, Message: err.Error()}
	}
	source := ""
	if e.File == c.File {
		source = c.LineText(e.Line)
	}
	return &lang.Error{File: e.File, Line: e.Line, Col: e.Col, Source: source, Message: e.Message}
}

// expectDeadlock passes when ranks are blocked; the chunks that led there are then taken back.
func (s *Session) expectDeadlock(o *Outcome) {
	if o.clears = s.blocked; s.blocked < 0 {
		s.missed = append(s.missed, missedDeadlock(o.Chunk))
	}
}
