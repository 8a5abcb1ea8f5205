package repl

import (
	"context"
	"sync"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/repl/program"
	"go.starlark.net/starlark"
)

// execution is one issue of a command by ranks: the arguments that each rank evaluated, and the results.
type execution struct {
	cmd     *command
	called  []bool           // by rank, as all columns here; see Session
	values  []starlark.Value // see Session; nil: nobody asks for them
	ready   []program.Ready  // by rank
	unready sync.Once        // makes ahead
	ahead   []*evaluated     // of ranks whose call is not ready; nil: all calls are
	present bool             // the session waits for the ranks; later, those that were blocked come back alone
}

// evaluated is a rank's arguments, or the error in them, computed before the rank runs.
type evaluated struct {
	issue *issue // nil for a rank that sits out
	err   error
}

// prepare returns a function that evaluates the arguments of an idle rank before it runs.
func (x *execution) prepare() func(*program.Rank) {
	var v program.Evaluator
	var i issue
	return func(r *program.Rank) {
		me := r.P.Rank()
		issues, err := x.cmd.evaluate(r, &v, &i)
		if err == program.ErrOwn {
			return
		}
		var own *issue
		if err == nil && issues {
			if i.ready(&v, &x.ready[me]); x.ready[me].IsReady() {
				return
			}
			own = &issue{}
			*own, i = i, issue{} // the next rank gets other storage
		}
		x.unready.Do(func() { x.ahead = make([]*evaluated, len(x.ready)) })
		x.ahead[me] = &evaluated{own, err}
	}
}

// run carries out the task of a rank. It hands on at once, so that little of the stack is in use while the rank waits.
func (x *execution) run(r *program.Rank) error {
	if x.ready[r.P.Rank()].IsReady() {
		return x.make(r)
	}
	return x.carryOut(r)
}

// make makes a call that is ready.
func (x *execution) make(r *program.Rank) error {
	me := r.P.Rank()
	x.called[me] = true
	if err := x.ready[me].Make(); err != nil {
		return r.Raise(err)
	}
	if !x.present {
		x.keep(r)
	}
	return nil
}

// carryOut evaluates the arguments, unless that was done ahead of the rank, and carries out the command.
func (x *execution) carryOut(r *program.Rank) error {
	me := r.P.Rank()
	var e *evaluated
	if x.ahead != nil {
		e = x.ahead[me]
	}
	if e == nil {
		i := &issue{}
		issues, err := x.cmd.evaluate(r, r.Evaluator(), i)
		if e = (&evaluated{err: err}); issues {
			e.issue = i
		}
	}
	if e.err != nil || e.issue == nil {
		return e.err
	}
	x.called[me] = true
	v, err := x.cmd.carryOut(e.issue)
	x.tell(me, v)
	return err
}

// collect returns a function that takes care of the result of an idle rank after its call.
func (x *execution) collect() func(*program.Rank) {
	return func(r *program.Rank) {
		if x.ready[r.P.Rank()].IsMade() {
			x.keep(r)
		}
	}
}

// keep takes care of the result of a call that was ready.
func (x *execution) keep(r *program.Rank) {
	me := r.P.Rank()
	v := x.ready[me].Result(r)
	x.cmd.keep(r, v)
	x.tell(me, v)
}

// tell notes the value that the command has on a rank.
func (x *execution) tell(rank int, v starlark.Value) {
	if x.values != nil {
		x.values[rank] = v
	}
}

// issue lets ranks issue a command. Before idle ranks run, a few goroutines evaluate their arguments, unless these call
// something, and make the call ready if nothing else is to do; afterwards these goroutines take care of the result. On
// the ranks' own goroutines that would take more stack than waiting does, which for a million ranks is much memory.
func (p *processes) issue(ctx context.Context, cmd *command, ranks engine.Ranks) engine.Status {
	x := &execution{cmd: cmd, called: p.called, present: true, ready: make([]program.Ready, p.Size())}
	if cmd.tellsValues() {
		x.values = p.values
	}
	st := p.runOn(ctx, ranks, x.prepare, x.run)
	x.present = false
	p.forIdle(ranks, x.collect)
	return st
}

// carryOut makes the call and assigns its result.
func (cmd *command) carryOut(i *issue) (starlark.Value, error) {
	i.rank.At(&cmd.at)
	v, err := i.perform()
	if err == nil {
		if cmd.verb.tells != "" {
			v = i.arg(cmd.verb.tells)
		}
		cmd.keep(i.rank, v)
	}
	return v, err
}
