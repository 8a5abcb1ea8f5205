package repl

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"

	"go.starlark.net/starlark"

	"commsplit/engine"
	"commsplit/hw/spell"
	"commsplit/repl/lang"
	"commsplit/repl/program"
)

// command is a command chunk made ready: its arguments bound to the verb's parameters and compiled
// once for all ranks.
type command struct {
	chunk  *lang.Chunk
	verb   *Verb
	target string     // variable that gets the result; "" for none
	bound  []lang.Arg // by parameter; defaults stand at the verb
	given  []bool     // by parameter: written in the line
	comm   *program.Exprs
	args   *program.Exprs
	hidden []string    // names in args that a variable hides
	groups atomic.Bool // some rank passes a group object where a list of ranks would do
	read   [2]struct { // what it means, for lists of ranks and for group objects
		once    sync.Once
		meaning meaning
	}
}

// bind matches the arguments of a chunk with the verb's parameters.
func bind(c *lang.Chunk) (*command, error) {
	v := FindVerb(c.Verb.Text)
	cmd := &command{chunk: c, verb: v, target: c.Target.Text, bound: make([]lang.Arg, len(v.Params)), given: make([]bool, len(v.Params))}
	if v.namesRanks() && c.Ranks.Text != "" {
		return nil, c.ErrorAt(c.Ranks, "%s names its ranks itself: leave out @%s", v.Name, c.Ranks.Text)
	}
	if cmd.target != "" && v.Makes == MakesNothing {
		return nil, c.ErrorAt(c.Target, "%s makes nothing that a variable could hold; write %s alone", v.Name, v.Name)
	}
	next := 0
	for _, a := range c.Args {
		k := next
		if a.Name != "" {
			if k = v.param(a.Name); k < 0 {
				return nil, c.ErrorAt(lang.Word{Text: a.Name, Line: a.Line, Col: a.Col - len(a.Name) - 1},
					"%s has no parameter %q%s; it is: %s", v.Name, a.Name, didYouMean(a.Name, v.paramNames()), v.Signature())
			}
		} else {
			next++
		}
		if k >= len(v.Params) {
			return nil, c.ErrorAt(a.Word, "%s takes no more arguments; it is: %s", v.Name, v.Signature())
		}
		if cmd.given[k] && a.Name == "" {
			return nil, c.ErrorAt(a.Word, "%s is given already; an argument has no blanks outside of brackets and quotes: %s=(rank %% 2)",
				v.Params[k].Name, v.Params[k].Name)
		}
		if cmd.given[k] {
			return nil, c.ErrorAt(a.Word, "%s is given twice", v.Params[k].Name)
		}
		cmd.bound[k], cmd.given[k] = v.Params[k].listed(a), true
	}
	return cmd, cmd.fillDefaults()
}

func (cmd *command) fillDefaults() error {
	c := cmd.chunk
	for k, p := range cmd.verb.Params {
		if cmd.given[k] {
			continue
		}
		if p.Default == "" {
			at := lang.Word{Line: c.Line, Col: len(strings.TrimRight(c.LineText(c.Line), " \t")) + 1}
			return c.ErrorAt(at, "%s needs %s (%s); it is: %s", cmd.verb.Name, p.Name, p.Help, cmd.verb.Signature())
		}
		cmd.bound[k] = lang.Arg{Name: p.Name, Word: lang.Word{Text: p.Default, Line: c.Verb.Line, Col: c.Verb.Col}}
	}
	return nil
}

func (v *Verb) param(name string) int {
	for k, p := range v.Params {
		if p.Name == name {
			return k
		}
	}
	return -1
}

func (v *Verb) paramNames() []string {
	names := make([]string, len(v.Params))
	for i, p := range v.Params {
		names[i] = p.Name
	}
	return names
}

func didYouMean(word string, candidates []string) string {
	if near := spell.Nearest(word, candidates); near != "" {
		return fmt.Sprintf(" (did you mean %s?)", near)
	}
	return ""
}

// evaluate computes the arguments on one rank. It returns nil for a rank whose communicator is
// COMM_NULL: that sits out and gets COMM_NULL.
func (cmd *command) evaluate(r *program.Rank) (*issue, error) {
	i := &issue{rank: r, cmd: cmd}
	r.At(cmd.site())
	if cmd.comm != nil {
		v, err := r.Eval(cmd.comm, nil)
		if err != nil {
			return nil, err
		}
		c, ok := program.CommOf(v[0])
		if !ok {
			return nil, cmd.notComm(v[0])
		}
		if c.IsNull() {
			cmd.sitOut(r, v[0])
			return nil, nil
		}
		i.comm = c
		i.args = append(i.args, v[0])
	}
	rest, err := r.Eval(cmd.args, func(name string) starlark.Value { return cmd.local(name, r, i.comm) })
	i.args = append(i.args, rest...)
	if e := (*program.Error)(nil); errors.As(err, &e) && strings.Contains(e.Message, "unknown binary op") {
		e.Message += cmd.unhide()
	}
	if cmd.verb.Call == engine.CallWait && err == nil {
		// Who sat out the idup has COMM_NULL in place of the pair.
		if c, ok := program.CommOf(rest[0]); ok && c.IsNull() {
			cmd.sitOut(r, rest[0])
			return nil, nil
		}
	}
	return i, err
}

// sitOut gives a rank that does not take part COMM_NULL: what the command acts on is null there.
func (cmd *command) sitOut(r *program.Rank, null starlark.Value) {
	if cmd.target != "" {
		r.AssignNext(cmd.target, program.SkippedNull(cmd.site().String(), cmd.bound[0].Text, null))
	}
}

// callsNothing reports whether evaluate needs no rank of its own: see program.Exprs.Calls.
func (cmd *command) callsNothing() bool {
	return !cmd.args.Calls() && (cmd.comm == nil || !cmd.comm.Calls())
}

// carryOut makes the call and assigns its result.
func (cmd *command) carryOut(i *issue) (starlark.Value, error) {
	i.rank.At(cmd.site())
	v, err := i.perform()
	if err == nil {
		if cmd.verb.tells != "" {
			v = i.arg(cmd.verb.tells)
		}
		v = i.rank.Remember(v)
		if cmd.target != "" {
			i.rank.Assign(cmd.target, v)
		}
	}
	return v, err
}

func (cmd *command) site() engine.Site {
	return engine.Site{File: cmd.chunk.File, Line: int32(cmd.chunk.Line)}
}

func (cmd *command) notComm(v starlark.Value) error {
	w := cmd.bound[0]
	return &program.Error{File: cmd.chunk.File, Line: w.Line, Col: w.Col,
		Message: fmt.Sprintf("%s acts on a communicator, and %s is %s; it is: %s", cmd.verb.Name, w.Text, article(v.Type()), cmd.verb.Signature())}
}

// echo says in SPMD words what the command made ranks do, and what others will that are blocked.
func (cmd *command) echo(who, later engine.Ranks) string {
	switch {
	case cmd.verb.Call == engine.CallNone:
		return ""
	case later.Len() > 0 && who.Len() == 0:
		return cmd.echo(later, nil) + letGo(later)
	case later.Len() > 0:
		return fmt.Sprintf("%s; %s will%s", cmd.echo(who, nil), later.Noun(), letGo(later))
	case who.Len() == 0 && cmd.verb.actsOnComm():
		return fmt.Sprintf("no rank calls %s: %s is COMM_NULL on all of them", cmd.verb.Call, cmd.bound[0].Text)
	}
	var args []string
	for k, p := range cmd.verb.Params {
		switch {
		case p.Kind == CommParam && k == 0:
			args = append(args, cmd.bound[k].Text)
		case cmd.given[k] || p.Kind == IntParam:
			args = append(args, p.Name+"="+cmd.bound[k].Text)
		}
	}
	noun, verb := "ranks", "each call"
	if who.Len() == 1 {
		noun, verb = "rank", "calls"
	}
	return fmt.Sprintf("%s %s %s %s(%s)", noun, who, verb, cmd.verb.Call, strings.Join(args, ", "))
}

// letGo is " once it is let go", of ranks that are blocked.
func letGo(who engine.Ranks) string {
	if who.Len() == 1 {
		return " once it is let go"
	}
	return " once they are let go"
}
