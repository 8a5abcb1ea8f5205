package repl

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"go.starlark.net/starlark"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw/spell"
	"codeberg.org/commsplit/commsplit/repl/lang"
	"codeberg.org/commsplit/commsplit/repl/program"
)

// inBrackets returns an argument with the brackets that it lacks: "color=(0 if rank<3 else 1)". Without brackets it
// ended at a blank, and args[i] is the word behind that blank.
func inBrackets(args []lang.Arg, i int, name string) string {
	words := []string{args[i-1].Text}
	for _, a := range args[i:] {
		if a.Name != "" {
			break
		}
		words = append(words, a.Text)
	}
	if !slices.Contains(words, "if") || !slices.Contains(words, "else") {
		return name + "=(rank % 2)"
	}
	return name + "=(" + strings.Join(words, " ") + ")"
}

// bind matches the arguments of a chunk with the verb's parameters.
func bind(c *lang.Chunk) (*command, error) {
	v := FindVerb(c.Verb.Text)
	cmd := &command{chunk: c, at: c.Site(0), verb: v, target: c.Target.Text, bound: make([]lang.Arg, len(v.Params)), given: make([]bool, len(v.Params))}
	if v.actsOn(RanksParam) && c.Ranks.Text != "" {
		return nil, c.ErrorAt(c.Ranks, "%s has the ranks as its first argument: leave out @%s", v.Name, c.Ranks.Text)
	}
	if cmd.target != "" && v.Makes == MakesNothing {
		return nil, c.ErrorAt(c.Target, "%s has no result: write %s without NAME =", v.Name, v.Name)
	}
	next := 0
	for i, a := range c.Args {
		k := next
		if a.Name != "" {
			if k = v.Index(a.Name); k < 0 {
				return nil, c.ErrorAt(lang.Word{Text: a.Name, Line: a.Line, Col: a.Col - len(a.Name) - 1},
					"%s has no parameter %q%s; usage: %s", v.Name, a.Name, spell.DidYouMean(a.Name, v.paramNames()), v.Signature())
			}
		} else {
			next++
		}
		if k >= len(v.Params) {
			return nil, c.ErrorAt(a.Word, "%s has too many arguments; usage: %s", v.Name, v.Signature())
		}
		if cmd.given[k] && a.Name == "" {
			return nil, c.ErrorAt(a.Word, "%s is already given; write an argument without blanks outside brackets and quotes: %s",
				v.Params[k].Name, inBrackets(c.Args, i, v.Params[k].Name))
		}
		if cmd.given[k] {
			return nil, c.ErrorAt(a.Word, "%s is given twice", v.Params[k].Name)
		}
		if kind := v.Params[k].Kind; kind == RanksParam || kind == CPUSetParam {
			a = listed(a)
		}
		cmd.bound[k], cmd.given[k] = a, true
	}
	return cmd, cmd.fillDefaults()
}

// Argument returns the argument of a command for a parameter of its verb. A default has the place of the verb.
func Argument(c *lang.Chunk, param string) (lang.Word, error) {
	cmd, err := bind(c)
	if err != nil {
		return lang.Word{}, err
	}
	return cmd.bound[cmd.verb.Index(param)].Word, nil
}

func (cmd *command) fillDefaults() error {
	c := cmd.chunk
	for k, p := range cmd.verb.Params {
		if cmd.given[k] {
			continue
		}
		if p.Default == "" {
			at := lang.Word{Line: c.Line, Col: len(strings.TrimRight(c.LineText(c.Line), " \t")) + 1}
			return c.ErrorAt(at, "%s needs %s (%s); usage: %s", cmd.verb.Name, p.Name, p.Help, cmd.verb.Signature())
		}
		cmd.bound[k] = lang.Arg{Name: p.Name, Word: lang.Word{Text: p.Default, Line: c.Verb.Line, Col: c.Verb.Col}}
	}
	return nil
}

// compile compiles the argument expressions. The communicator is compiled apart from the other arguments,
// because they may use rank and size, which come from it.
func (cmd *command) compile(s *Session) error {
	known := s.known
	with := func(name string) bool { return known(name) || isLocal(name) }
	var list []program.Fragment
	for k := range cmd.bound {
		w := cmd.bound[k].Word
		list = append(list, program.Fragment{Text: w.Text, Line: w.Line, Col: w.Col})
	}
	var err error
	if cmd.verb.actsOn(CommParam) {
		if name := list[0].Text; isLocal(name) && !known(name) {
			return cmd.errorAt(cmd.bound[0].Word, name+" is a number in commands, not a communicator")
		}
		if cmd.comm, err = program.CompileExprs(cmd.chunk.File, list[:1], known); err != nil {
			return err
		}
		list = list[1:]
	}
	if cmd.args, err = program.CompileExprs(cmd.chunk.File, list, with); err != nil {
		return err
	}
	for _, name := range cmd.args.Names {
		if hides(s, name, cmd.chunk.Foreign) {
			cmd.hidden = append(cmd.hidden, name)
		}
	}
	return nil
}

// exists refuses a call of the verb, or a split type that an argument names, which the version of the
// standard does not have.
func (cmd *command) exists(std engine.Std) error {
	c := cmd.chunk
	if since := cmd.verb.Call.Since(); since > std {
		return c.ErrorAt(c.Verb, "%s", std.Lacks(cmd.verb.Call.String(), since))
	}
	for k, p := range cmd.verb.Params {
		name := cmd.bound[k].Text
		if p.Kind != TypeParam || constants[name] == nil || slices.Contains(cmd.hidden, name) {
			continue
		}
		n, err := starlark.AsInt32(constants[name])
		if t := engine.SplitType(n); err == nil && t.Since() > std {
			return c.ErrorAt(cmd.bound[k].Word, "%s", std.Lacks(t.String(), t.Since()))
		}
	}
	return nil
}

// evaluate computes the arguments on one rank into i. issues is false for a rank whose communicator is COMM_NULL:
// this rank sits out, and the result is COMM_NULL there.
func (cmd *command) evaluate(r *program.Rank, v *program.Evaluator, i *issue) (issues bool, err error) {
	i.rank, i.cmd, i.comm, i.args = r, cmd, nil, i.args[:0]
	r.At(&cmd.at)
	if cmd.comm != nil {
		if i.args, err = v.Eval(r, cmd.comm, nil, i.args); err != nil {
			return false, err
		}
		c, ok := program.CommOf(i.args[0])
		if !ok {
			return false, cmd.notComm(i.args[0])
		}
		if c.IsNull() {
			cmd.sitOut(r, i.args[0])
			return false, nil
		}
		i.comm = c
	}
	if i.locals == nil {
		i.locals = func(name string) starlark.Value { return cmd.local(name, i.rank, i.comm) }
	}
	before := len(i.args)
	i.args, err = v.Eval(r, cmd.args, i.locals, i.args)
	if err != nil {
		cmd.hint(err)
	}
	if cmd.verb.Call == engine.CallWait && err == nil {
		// A rank that sat out the idup holds COMM_NULL in place of the pair.
		if c, ok := program.CommOf(i.args[before]); ok && c.IsNull() {
			cmd.sitOut(r, i.args[before])
			return false, nil
		}
	}
	if check := cmd.verb.check; check != nil && err == nil {
		err = check(i)
	}
	return err == nil, err
}

// hint adds to an error in the arguments that a variable hides a number.
func (cmd *command) hint(err error) {
	if e := (*program.Error)(nil); errors.As(err, &e) && strings.Contains(e.Message, "unknown binary op") {
		e.Message += cmd.unhide()
	}
}

// sitOut gives COMM_NULL to a rank that takes no part because its communicator is null.
func (cmd *command) sitOut(r *program.Rank, null starlark.Value) {
	if cmd.target != "" {
		// In a line in which other ranks make calls, the variable has the value from the first of these calls on.
		r.Assign(cmd.target, program.SkippedNull(cmd.at.String(), cmd.bound[0].Text, null), r.P.BehindNext())
	}
}

func (cmd *command) notComm(v starlark.Value) error {
	return cmd.errorAt(cmd.bound[0].Word, fmt.Sprintf("%s needs a communicator, but %s is %s; usage: %s",
		cmd.verb.Name, cmd.bound[0].Text, article(v.Type()), cmd.verb.Signature()))
}

// errorAt returns an error at a word of the command's line.
func (cmd *command) errorAt(at lang.Word, message string) error {
	return &program.Error{File: cmd.chunk.File, Line: at.Line, Col: at.Col, Message: message}
}

// unhide returns how to write the number whose name a variable hides; "" when no variable hides a number.
func (cmd *command) unhide() string {
	if len(cmd.hidden) == 0 {
		return ""
	}
	name := cmd.hidden[0]
	return fmt.Sprintf("; %s is a variable of this session: write %s for the number", name, longName(name, cmd.commText()))
}

// local returns the value, on this rank, of a name that only arguments of commands know; nil for other names, and for a
// name that a variable hides.
func (cmd *command) local(name string, r *program.Rank, c *engine.Comm) starlark.Value {
	if !isLocal(name) || slices.Contains(cmd.hidden, name) {
		return nil
	}
	if v := constants[name]; v != nil {
		return v
	}
	if c == nil {
		c = r.P.World()
	}
	switch name {
	case "rank":
		return starlark.MakeInt(c.Rank())
	case "size":
		return starlark.MakeInt(c.Size())
	case "remote_size":
		if c.Kind() != engine.Inter {
			return nil
		}
		n, _ := c.RemoteSize()
		return starlark.MakeInt(n)
	}
	return r.Here(name)
}

func (cmd *command) commText() string {
	if cmd.verb.actsOn(CommParam) {
		return cmd.bound[0].Text
	}
	return "world"
}

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
			if x.cmd.verb.tells == "" {
				v.Ready(i.routine(), r, i.args, &x.ready[me])
			}
			if x.ready[me].State == program.IsReady {
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
	x := &execution{cmd: cmd, called: p.called, values: p.values, present: true, ready: make([]program.Ready, p.Size())}
	st := p.runOn(ctx, ranks, x.prepare, x.run)
	x.present = false
	p.forEach(ranks, func() func(*program.Rank) {
		return func(r *program.Rank) {
			if d := &x.ready[r.P.Rank()]; d.State == program.IsMade {
				x.keep(r, d.Result(r))
			}
		}
	})
	return st
}
