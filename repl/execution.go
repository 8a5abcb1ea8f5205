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
			if i.ready(&v, &x.ready[me]); x.ready[me].State == program.IsReady {
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
	me := r.P.Rank()
	d := &x.ready[me]
	if d.State != program.IsReady {
		return x.carryOut(r)
	}
	x.called[me] = true
	err := d.Make(r)
	if err == nil && !x.present {
		x.keep(r, d.Result(r))
	}
	return err
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
	r.At(&x.cmd.at)
	v, err := e.issue.perform()
	if err != nil {
		return err
	}
	if x.cmd.verb.tells != "" {
		v = e.issue.arg(x.cmd.verb.tells)
	}
	x.keep(r, v)
	return nil
}

// keep assigns the result of the command on a rank, and notes it if the command tells its values.
func (x *execution) keep(r *program.Rank, v starlark.Value) {
	if x.cmd.target != "" {
		r.Assign(x.cmd.target, v, program.Now)
	}
	if x.values != nil {
		x.values[r.P.Rank()] = v
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
	p.forIdle(ranks, func() func(*program.Rank) {
		return func(r *program.Rank) {
			if d := &x.ready[r.P.Rank()]; d.State == program.IsMade {
				x.keep(r, d.Result(r))
			}
		}
	})
	return st
}
