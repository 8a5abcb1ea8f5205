package repl

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"go.starlark.net/starlark"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw/spell"
	"codeberg.org/commsplit/commsplit/repl/lang"
	"codeberg.org/commsplit/commsplit/repl/program"
)

// command is a command chunk made ready: its arguments bound to the verb's parameters and compiled
// once for all ranks.
type command struct {
	chunk  *lang.Chunk
	at     engine.Site // where it stands
	verb   *Verb
	target string     // variable that gets the result; "" for none
	bound  []lang.Arg // by parameter; defaults stand at the verb
	given  []bool     // by parameter: written in the line
	comm   *program.Exprs
	args   *program.Exprs
	hidden []string    // names in args that a variable hides
	groups atomic.Bool // some rank passes a group object in place of a list of ranks
	means  [2]struct { // what the verb does, for a list of ranks and for a group object
		once    sync.Once
		routine *program.Routine
	}
}

// constants are the names that arguments may use for what MPI calls MPI_COMM_TYPE_... and so on.
var constants = map[string]starlark.Value{
	"SHARED":          starlark.MakeInt(int(engine.TypeShared)),
	"HW_GUIDED":       starlark.MakeInt(int(engine.TypeHWGuided)),
	"HW_UNGUIDED":     starlark.MakeInt(int(engine.TypeHWUnguided)),
	"RESOURCE_GUIDED": starlark.MakeInt(int(engine.TypeResourceGuided)),
	"HW_SUBDOMAIN":    starlark.MakeInt(int(engine.TypeHWSubdomain)),
	"UNDEFINED":       starlark.MakeInt(engine.Undefined),
}

// rankNames are the names that differ from rank to rank.
var rankNames = append([]string{"rank", "size", "remote_size"}, program.HereNames()...)

// IsNumber reports whether a name in a command is a number that differs from rank to rank.
func IsNumber(name string) bool { return slices.Contains(rankNames, name) }

func isLocal(name string) bool {
	return constants[name] != nil || IsNumber(name)
}

// inBrackets is an argument that ended at a blank as it would be right: "color=(0 if rank<3 else 1)". args[i] is what
// stands behind the blank.
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
	if v.namesRanks() && c.Ranks.Text != "" {
		return nil, c.ErrorAt(c.Ranks, "%s names its ranks itself: leave out @%s", v.Name, c.Ranks.Text)
	}
	if cmd.target != "" && v.Makes == MakesNothing {
		return nil, c.ErrorAt(c.Target, "%s makes nothing that a variable could hold; write %s alone", v.Name, v.Name)
	}
	next := 0
	for i, a := range c.Args {
		k := next
		if a.Name != "" {
			if k = v.param(a.Name); k < 0 {
				return nil, c.ErrorAt(lang.Word{Text: a.Name, Line: a.Line, Col: a.Col - len(a.Name) - 1},
					"%s has no parameter %q%s; it is: %s", v.Name, a.Name, spell.DidYouMean(a.Name, v.paramNames()), v.Signature())
			}
		} else {
			next++
		}
		if k >= len(v.Params) {
			return nil, c.ErrorAt(a.Word, "%s takes no more arguments; it is: %s", v.Name, v.Signature())
		}
		if cmd.given[k] && a.Name == "" {
			return nil, c.ErrorAt(a.Word, "%s is given already; an argument has no blanks outside brackets and quotes: %s",
				v.Params[k].Name, inBrackets(c.Args, i, v.Params[k].Name))
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
	if cmd.verb.actsOnComm() {
		if name := list[0].Text; isLocal(name) && !known(name) {
			return &program.Error{File: cmd.chunk.File, Line: list[0].Line, Col: list[0].Col, Message: name + " is a number here, not a communicator"}
		}
		if cmd.comm, err = program.CompileExprs(cmd.chunk.File, list[:1], known); err != nil {
			return err
		}
		list = list[1:]
	}
	if cmd.args, err = program.CompileExprs(cmd.chunk.File, list, with); err != nil {
		return err
	}
	for _, name := range cmd.args.Names() {
		if hides(s, name) || s.declared(cmd.chunk, name) {
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

func (s *Session) executeCommand(ctx context.Context, o *Outcome, ranks engine.Ranks) error {
	c := o.Chunk
	cmd, err := bind(c)
	if err != nil {
		return err
	}
	o.Verb = cmd.verb
	if cmd.verb.text == nil {
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
	s.forgetCalls(cmd.tellsValues(), s.blocked >= 0)
	st := s.issue(ctx, cmd, ranks)
	if err := s.settle(ctx, st, c); err != nil {
		return err
	}
	o.groups = cmd.groups.Load()
	o.describe(s, cmd, ranks)
	return nil
}

// execution is a command while ranks issue it.
type execution struct {
	cmd     *command
	called  []bool           // by rank, as all columns here; see Session
	values  []starlark.Value // see Session; nil: nobody asks for them
	ready   []program.Ready  // by rank
	unready sync.Once        // makes ahead
	ahead   []*evaluated     // of ranks whose call is not ready; nil: all calls are
	present bool             // the session waits for the ranks; later, those that were blocked come back alone
}

// evaluated is what became of the arguments on a rank ahead of it.
type evaluated struct {
	issue *issue // nil for a rank that sits out
	err   error
}

// prepare gives what a goroutine does for each idle rank ahead of it.
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

// run is what a rank does. It hands on at once, so that little of the stack is in use when the rank waits.
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

// collect gives what a goroutine does for each idle rank behind it.
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
	x.tell(me, x.cmd.keep(r, x.ready[me].Result(r)))
}

// tell notes the value that the command has on a rank.
func (x *execution) tell(rank int, v starlark.Value) {
	if x.values != nil {
		x.values[rank] = v
	}
}

// issue is one rank's execution of a command.
type issue struct {
	rank   *program.Rank
	comm   *engine.Comm // the communicator that the verb acts on; nil for a verb without one
	args   []starlark.Value
	cmd    *command
	locals func(string) starlark.Value
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
	return err == nil, err
}

// hint adds to an error in the arguments that a variable hides a number.
func (cmd *command) hint(err error) {
	if e := (*program.Error)(nil); errors.As(err, &e) && strings.Contains(e.Message, "unknown binary op") {
		e.Message += cmd.unhide()
	}
}

// sitOut gives COMM_NULL to a rank that takes no part, because it holds null as what the command acts on.
func (cmd *command) sitOut(r *program.Rank, null starlark.Value) {
	if cmd.target != "" {
		r.AssignNext(cmd.target, program.SkippedNull(cmd.at.String(), cmd.bound[0].Text, null))
	}
}

// tellsValues reports whether the values of the command are reported, not only assigned.
func (cmd *command) tellsValues() bool { return cmd.verb.Makes == MakesValue || cmd.verb.tells != "" }

// carryOut makes the call and assigns its result.
func (cmd *command) carryOut(i *issue) (starlark.Value, error) {
	i.rank.At(&cmd.at)
	v, err := i.perform()
	if err == nil {
		if cmd.verb.tells != "" {
			v = i.arg(cmd.verb.tells)
		}
		v = cmd.keep(i.rank, v)
	}
	return v, err
}

// keep assigns the result of the command on a rank.
func (cmd *command) keep(r *program.Rank, v starlark.Value) starlark.Value {
	v = r.Remember(v)
	if cmd.target != "" {
		r.Assign(cmd.target, v)
	}
	return v
}

func (cmd *command) notComm(v starlark.Value) error {
	w := cmd.bound[0]
	return &program.Error{File: cmd.chunk.File, Line: w.Line, Col: w.Col,
		Message: fmt.Sprintf("%s acts on a communicator, and %s is %s; it is: %s", cmd.verb.Name, w.Text, article(v.Type()), cmd.verb.Signature())}
}

// hides reports whether a variable hides the constant, or the number of each rank, of the same name. It does
// when some rank holds communicators in the variable, because nobody means these as a number.
func hides(s *Session, name string) bool {
	return isLocal(name) && s.known(name) && slices.ContainsFunc(s.ranks, func(r *program.Rank) bool {
		if r == nil {
			return false
		}
		_, _, holds := program.Held(r.Vars.Get(name))
		return holds
	})
}

// localNames are the names of numbers that no variable hides.
func localNames(s *Session) []string {
	return slices.DeleteFunc(append(slices.Clone(rankNames), "UNDEFINED"), func(name string) bool { return hides(s, name) })
}

// unhide says how to write the number whose name a variable hides; "" when no variable hides one.
func (cmd *command) unhide() string {
	if len(cmd.hidden) == 0 {
		return ""
	}
	name := cmd.hidden[0]
	return fmt.Sprintf("; %s is a variable of this session, and %s the number", name, longName(name, cmd.commText()))
}

// local is the value, on this rank, of a name that only arguments of commands know; nil for other names, and
// for a name that a variable hides.
func (cmd *command) local(name string, r *program.Rank, c *engine.Comm) starlark.Value {
	if !isLocal(name) || slices.Contains(cmd.hidden, name) {
		return nil
	}
	if v := constants[name]; v != nil {
		return v
	}
	return localValue(name, r, c)
}

func localValue(name string, r *program.Rank, c *engine.Comm) starlark.Value {
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

// arg is the value of a parameter by name.
func (i *issue) arg(name string) starlark.Value {
	for k, p := range i.cmd.verb.Params {
		if p.Name == name {
			return i.args[k]
		}
	}
	panic("repl: verb " + i.cmd.verb.Name + " has no parameter " + name)
}

// wrong is an error about an argument, at its place in the line.
func (i *issue) wrong(name, format string, args ...any) error {
	for k, p := range i.cmd.verb.Params {
		if p.Name == name {
			w := i.cmd.bound[k]
			return &program.Error{File: i.cmd.chunk.File, Line: w.Line, Col: w.Col, Message: fmt.Sprintf(format, args...)}
		}
	}
	panic("repl: verb " + i.cmd.verb.Name + " has no parameter " + name)
}

// wholeDivision is a hint to write // in an expression that divides with /; "" for other expressions.
func wholeDivision(expr string) string {
	const mark = "\x00"
	whole := strings.ReplaceAll(strings.ReplaceAll(expr, "//", mark), "/", "//")
	whole = strings.ReplaceAll(whole, mark, "//")
	if whole == expr {
		return ""
	}
	return ": / makes a float, use " + whole
}

// described is a value for an error message: "a float 0.5", or "None".
func described(v starlark.Value) string {
	if v == starlark.None {
		return "None"
	}
	return article(v.Type()) + " " + v.String()
}

func article(word string) string {
	if strings.ContainsAny(word[:1], "aeiouAEIOU") {
		return "an " + word
	}
	return "a " + word
}

// echo says in SPMD words what ranks who called, and that blocked ranks, later, will call it, too.
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

// letGo is " once it is let go" for one blocked rank, and the same for several.
func letGo(who engine.Ranks) string {
	if who.Len() == 1 {
		return " once it is let go"
	}
	return " once they are let go"
}

// Outcome is the result of running one chunk.
type Outcome struct {
	Chunk   *lang.Chunk
	Verb    *Verb           // of a command
	Handle  string          // variable that got communicators; "" for none
	Values  []ValueGroup    // the value of a command or an expression, when it is not a communicator
	Callers engine.Ranks    // ranks that issued the command's call
	Echo    string          // the command in SPMD words
	From    int             // steps of the trace before the chunk
	Caught  []*engine.Error // errors that expect_error met, merged over ranks
	Why     string          // of ask: the reason for those who predict wrongly; "" when it gives none
	clears  int             // of expect_deadlock: the first entry that it takes back; -1 for no entry
	result  string          // the variable that got the command's result
	groups  bool            // the command's group argument is a group object
	bare    engine.Ranks    // see entry
	hidden  []string        // see entry
}

// describe fills in what the command made.
func (o *Outcome) describe(s *Session, cmd *command, ranks engine.Ranks) {
	var later engine.Ranks // blocked before they come to the call
	for r, called := range s.called {
		switch {
		case called:
			o.Callers.Append(int32(r))
		case s.blocked >= 0 && !s.world.Idle(r) && ranks.Has(r):
			later.Append(int32(r))
		}
	}
	o.Echo = cmd.echo(o.Callers, later)
	if cmd.verb.namesRanks() {
		o.Echo = strings.TrimPrefix(movesOf(s, o.From)+cmd.stillToMove(later), "\n")
	}
	switch cmd.verb.Makes {
	case MakesComm:
		o.Handle = cmd.target
		o.bare = s.bare(cmd.target, s.known(cmd.target), ranks)
		s.fillNull(cmd.target, cmd.at.String(), ranks, o.From)
	}
	if cmd.tellsValues() {
		show := cmd.verb.show
		if show == nil {
			show = program.Text
		}
		o.Values = groupValues(s.values, show)
	}
	switch cmd.verb.Name {
	case "expect_error":
		o.Caught = s.caught()
	case "ask":
		if r := slices.Index(s.called, true); r >= 0 && s.ranks[r] != nil {
			o.Why = s.ranks[r].Why
		}
	}
}

// ValueGroup is a value as text and the ranks that have it.
type ValueGroup struct {
	Ranks engine.Ranks
	Text  string
}

// groupValues merges equal values over ranks, in order of the lowest rank. None is left out.
func groupValues(values []starlark.Value, show func(starlark.Value) string) []ValueGroup {
	at := map[string]int{}
	var list []ValueGroup
	for r, v := range values {
		if v == nil || v == starlark.None {
			continue
		}
		text := show(v)
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
