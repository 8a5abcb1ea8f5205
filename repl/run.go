package repl

import (
	"context"
	"errors"

	"go.starlark.net/starlark"

	"commsplit/engine"
	"commsplit/repl/lang"
	"commsplit/repl/program"
)

// Run runs a chunk on its ranks and waits until nobody can go on. It returns a *lang.Error for a
// mistake in the text, which leaves the session as it was, or a *Failed when ranks failed: then the
// world has ended, for View to describe, and Rollback leads back to before the chunk. Blocked ranks
// are no error: see Waiting.
func (s *Session) Run(ctx context.Context, c *lang.Chunk) (*Outcome, error) {
	if s.failure != nil {
		return nil, errors.New("the world has ended: Rollback comes first")
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
		e.question, e.verdict, e.answer = s.lastNote(), verdictOn("", "", o.Values), answerOf(o.Values)
	}
	if o.clears >= 0 {
		e.gone = s.takenBackFrom(o.clears)
		if s.lines != nil {
			s.lines.Blocked(s.View())
		}
	}
	s.entries = append(s.entries, e)
	if o.clears >= 0 {
		err := s.replay(ctx)
		o.From = s.world.Steps()
		return o, err
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
	s.nameFreed(err)
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
	s.mention(code.Assigns...)
	st := s.runOn(ctx, ranks, nil, func(r *program.Rank) error { return r.Run(code) })
	return s.settle(ctx, st, c)
}

// executeExpression evaluates an expression that a person typed and keeps what it came to.
func (s *Session) executeExpression(ctx context.Context, o *Outcome, ranks engine.Ranks, e *program.Exprs) error {
	s.forgetCalls()
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

func (s *Session) executeCommand(ctx context.Context, o *Outcome, ranks engine.Ranks) error {
	c := o.Chunk
	cmd, err := bind(c)
	if err != nil {
		return err
	}
	o.Verb = cmd.verb
	if cmd.verb.text == nil {
		s.expectDeadlock(o)
		return nil
	}
	if cmd.target == "" && cmd.verb.Makes != MakesNothing && cmd.verb.Makes != MakesValue {
		cmd.target = s.autoName(cmd.verb)
	}
	if o.result = cmd.target; o.result != "" {
		s.mention(o.result)
	}
	if err := s.compile(cmd); err != nil {
		return s.position(err, c)
	}
	o.hidden = cmd.hidden
	if err := cmd.exists(s.place.std); err != nil {
		return err
	}
	s.forgetCalls()
	st := s.issue(ctx, cmd, ranks)
	if err := s.settle(ctx, st, c); err != nil {
		return err
	}
	o.groups = cmd.groups.Load()
	s.describe(o, cmd, ranks)
	return nil
}

// forgetCalls begins the record of what a chunk makes ranks do. Blocked ranks may have chunks before
// it to run once they are let go, which keep to their own record.
func (s *Session) forgetCalls() {
	if s.blocked >= 0 {
		s.called, s.values = make([]bool, s.Size()), make([]starlark.Value, s.Size())
		return
	}
	clear(s.called)
	clear(s.values)
}

// issue lets ranks issue a command. Arguments that call nothing are evaluated ahead for the ranks
// that are idle, by a few goroutines: the interpreter needs more stack than a rank otherwise does,
// which counts in a world of a million.
func (s *Session) issue(ctx context.Context, cmd *command, ranks engine.Ranks) engine.Status {
	type evaluated struct {
		done  bool
		issue *issue
		err   error
	}
	called, values := s.called, s.values
	var ahead []evaluated
	var prepare func(r *program.Rank)
	if cmd.callsNothing() {
		ahead = make([]evaluated, s.Size())
		prepare = func(r *program.Rank) {
			i, err := cmd.evaluate(r)
			ahead[r.P.Rank()] = evaluated{true, i, err}
		}
	}
	return s.runOn(ctx, ranks, prepare, func(r *program.Rank) error {
		me := r.P.Rank()
		var e evaluated
		if ahead != nil {
			e = ahead[me]
		}
		if !e.done {
			e.issue, e.err = cmd.evaluate(r)
		}
		if e.err != nil || e.issue == nil {
			return e.err
		}
		called[me] = true
		v, err := cmd.carryOut(e.issue)
		values[me] = v
		return err
	})
}

// bare lists the ranks that a command leaves without an older value of its variable: those that issue it,
// and those that held nothing. It lists none when these are all.
func (s *Session) bare(name string, issue engine.Ranks) engine.Ranks {
	var bare engine.Ranks
	for i, r := range s.ranks {
		held := r != nil && r.Vars[name] != nil || s.known(name) && !s.world.Idle(i)
		if issue.Has(i) || !held {
			bare.Append(int32(i))
		}
	}
	if bare.Len() == s.Size() {
		return nil
	}
	return bare
}

// fillNull gives the ranks that did not issue a constructor COMM_NULL, unless they hold something
// already. Those of ranks that are blocked still wait for their result.
func (s *Session) fillNull(name, where string, ranks engine.Ranks, from int) {
	null := program.SkippedNull(where, "", nil)
	for i := range s.ranks {
		if r := s.rank(i); r.Vars[name] == nil && (s.world.Idle(i) || !ranks.Has(i)) {
			r.AssignAt(name, null, from+1)
		}
	}
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

// expectDeadlock passes when ranks are blocked; the chunks that led there are then taken back.
func (s *Session) expectDeadlock(o *Outcome) {
	if o.clears = s.blocked; s.blocked < 0 {
		s.own = append(s.own, deadlockPoint(o.Chunk, false, s.world.Now()))
	}
}
