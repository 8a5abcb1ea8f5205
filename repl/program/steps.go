package program

import (
	"math"
	"slices"
	"sync"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"codeberg.org/commsplit/commsplit/engine"
)

// Most large programs are a few calls of constructors at the top level, also in loops and behind conditions of
// rank and size. The interpreter takes kilobytes of a rank's stack for as long as the rank waits in such a call. So
// these statements are steps that run without it. Whatever a step cannot compute it leaves to the interpreter, which
// then runs the statement of the step whole: there is one meaning of each statement.

// step is a statement at the top level of a program, or a part of one.
type step struct {
	kind  stepKind
	whole func() *starlark.Program // the statement; of a stepRun, all statements up to the next step; nil: the step needs none
	next  int                      // index of the step behind the whole statement
	other int                      // of stepIf: the step for a false condition; of stepFor, which ends the loop; of stepJump: where to

	target string     // the variable that gets the value; "" for none
	value  expr       // of stepAssign; of stepIf, the condition
	call   invocation // of stepCall: a constructor of communicators
	site   engine.Site
	bound  []expr // of stepFor: the arguments of range
}

type stepKind uint8

const (
	stepRun    stepKind = iota // what the interpreter runs
	stepAssign                 // NAME = value
	stepCall                   // NAME = recv.method(args), or the call alone
	stepIf
	stepFor  // for NAME in range(bound): begins the loop
	stepNext // gives NAME the next number; behind the last one it goes on at other
	stepJump
)

// plan is a statement, and what is a step of it.
type plan struct {
	of      syntax.Stmt
	step    step   // of a branch, its condition; of a loop, the arguments of range; else of the statement
	yes, no []plan // of a branch; of a loop, yes is its body
	calls   bool   // it is, or holds, a call that is a step
	all     bool   // it is nothing but steps
}

func planOf(s syntax.Stmt) plan {
	p := plan{of: s, all: true}
	switch s := s.(type) {
	case *syntax.IfStmt:
		p.step = step{kind: stepIf, value: new(compiler).expr(s.Cond)}
		if leaves(s) || p.step.value == nil {
			return plan{of: s}
		}
		p.yes, p.no = plansOf(s.True), plansOf(s.False)
	case *syntax.ForStmt:
		p.step = step{kind: stepFor, bound: rangeOf(s)}
		if slices.ContainsFunc(s.Body, leaves) || p.step.bound == nil {
			return plan{of: s}
		}
		p.yes = plansOf(s.Body)
	default:
		p.step, p.all = simpleStep(s)
		p.calls = p.all && p.step.kind == stepCall
	}
	for _, x := range slices.Concat(p.yes, p.no) {
		p.calls, p.all = p.calls || x.calls, p.all && x.all
	}
	return p
}

func plansOf(list []syntax.Stmt) []plan {
	plans := make([]plan, len(list))
	for i, s := range list {
		plans[i] = planOf(s)
	}
	return plans
}

// stepper makes the steps of a program.
type stepper struct {
	*built
	fresh *syntax.File // of which the interpreter gets what is not a step
	steps []step
	run   []syntax.Stmt // of fresh, that the interpreter runs; not a step yet

	failed bool
}

// steps cuts a program into steps; nil for a program without a call that is a step, which the interpreter runs
// better.
func (b *built) steps() []step {
	plans := plansOf(b.tree.Stmts)
	if slices.Contains(b.names, "range") || !slices.ContainsFunc(plans, func(p plan) bool { return p.calls }) {
		return nil
	}
	fresh, err := b.parse()
	if err != nil {
		return nil
	}
	s := &stepper{built: b, fresh: fresh}
	s.block(plans, fresh.Stmts)
	s.flush()
	if s.failed { // a statement that means something only among the others
		return nil
	}
	return s.steps
}

// leaves reports whether a statement may leave the loop around it, or begin its next turn.
func leaves(s syntax.Stmt) bool {
	switch s := s.(type) {
	case *syntax.BranchStmt:
		return s.Token != syntax.PASS
	case *syntax.IfStmt:
		return slices.ContainsFunc(inside(s), leaves)
	}
	return false
}

// rangeOf compiles the arguments of range in a loop over integers; nil for another loop.
func rangeOf(s *syntax.ForStmt) []expr {
	_, name := s.Vars.(*syntax.Ident)
	c, call := s.X.(*syntax.CallExpr)
	if !name || !call || len(c.Args) == 0 || len(c.Args) > 3 {
		return nil
	}
	if f, ok := c.Fn.(*syntax.Ident); !ok || f.Name != "range" {
		return nil
	}
	return new(compiler).exprs(c.Args)
}

// simpleStep makes the step of a statement that calls a constructor, or gives a variable the result of a constructor or
// the value of an expression.
func simpleStep(s syntax.Stmt) (st step, ok bool) {
	var e syntax.Expr
	switch s := s.(type) {
	case *syntax.ExprStmt:
		e = s.X
	case *syntax.AssignStmt:
		name, ok := s.LHS.(*syntax.Ident)
		if !ok || s.Op != syntax.EQ {
			return st, false
		}
		st.target, e = name.Name, s.RHS
	}
	if call, ok := e.(*syntax.CallExpr); ok && st.constructor(call) {
		return st, true
	}
	st.kind = stepAssign
	if st.target != "" {
		st.value = new(compiler).expr(e)
	}
	return st, st.value != nil
}

// constructor makes st the step of a call of a constructor. It returns false for another call.
func (st *step) constructor(e *syntax.CallExpr) bool {
	f, ok := e.Fn.(*syntax.DotExpr)
	if !ok {
		return false
	}
	m, recv := methodToReady(f.Name.Name, len(e.Args)), new(compiler).expr(f.X)
	if m == nil || recv == nil {
		return false
	}
	st.kind = stepCall
	st.call = invocation{recv: recv, method: m, args: make([]expr, len(m.params))}
	st.site = engine.Site{File: e.Lparen.Filename(), Line: e.Lparen.Line}
	for i, a := range e.Args {
		if b, ok := a.(*syntax.BinaryExpr); ok && b.Op == syntax.EQ {
			name, _ := b.X.(*syntax.Ident)
			i = slices.IndexFunc(m.params, func(p param) bool { return name != nil && p.name == name.Name })
			a = b.Y
		}
		if i < 0 || i >= len(m.params) || st.call.args[i] != nil {
			return false
		}
		if st.call.args[i] = new(compiler).expr(a); st.call.args[i] == nil {
			return false
		}
	}
	return true
}

// block makes the steps of a list of statements. fresh are the same statements in the fresh tree.
func (s *stepper) block(list []plan, fresh []syntax.Stmt) {
	for i, p := range list {
		switch {
		case !p.calls && !p.all:
			s.run = append(s.run, fresh[i])
		case p.step.kind == stepIf:
			s.branch(p, fresh[i].(*syntax.IfStmt))
		case p.step.kind == stepFor:
			s.loop(p, fresh[i].(*syntax.ForStmt))
		default:
			s.add(p.step, p.of)
		}
	}
}

// add appends a step of a statement, and goes on at the step behind it.
func (s *stepper) add(st step, of syntax.Stmt) int {
	s.flush()
	at := len(s.steps)
	st.next = at + 1
	if of != nil {
		st.whole = sync.OnceValue(func() *starlark.Program { return s.whole(identAtOf(syntax.Start(of))) })
	}
	s.steps = append(s.steps, st)
	return at
}

// whole compiles the statement that begins at a place for the interpreter. Few programs ever need that.
func (s *stepper) whole(at identAt) *starlark.Program {
	f, err := s.parse()
	if err != nil {
		panic("program: what was parsed cannot be parsed: " + err.Error())
	}
	var found syntax.Stmt
	syntax.Walk(f, func(n syntax.Node) bool {
		if x, ok := n.(syntax.Stmt); ok && found == nil && identAtOf(syntax.Start(x)) == at {
			found = x
		}
		return found == nil
	})
	p, err := s.compile(f, []syntax.Stmt{found})
	if err != nil {
		panic("program: a statement cannot be compiled alone: " + err.Error())
	}
	return p
}

// flush puts the statements that the interpreter runs into one step.
func (s *stepper) flush() {
	if len(s.run) > 0 {
		p, err := s.compile(s.fresh, s.run)
		s.failed = s.failed || err != nil
		s.steps = append(s.steps, step{kind: stepRun, whole: func() *starlark.Program { return p }, next: len(s.steps) + 1})
		s.run = nil
	}
}

func (s *stepper) branch(p plan, fresh *syntax.IfStmt) {
	at := s.add(p.step, p.of)
	s.block(p.yes, fresh.True)
	over := s.add(step{kind: stepJump}, nil)
	s.steps[at].other = over + 1
	s.block(p.no, fresh.False)
	s.flush()
	s.steps[over].other, s.steps[at].next = len(s.steps), len(s.steps)
}

func (s *stepper) loop(p plan, fresh *syntax.ForStmt) {
	at := s.add(p.step, p.of)
	turn := s.add(step{kind: stepNext, target: fresh.Vars.(*syntax.Ident).Name}, nil)
	s.block(p.yes, fresh.Body)
	s.add(step{kind: stepJump, other: turn}, nil)
	s.steps[at].next, s.steps[turn].other = len(s.steps), len(s.steps)
}

// stepping is a rank on its way through the steps of a program.
type stepping struct {
	r     *Rank
	frame frame
	code  *Code
	at    int // index of the step
	made  int // steps since the rank let others go first
	turns int // so often it did
	loops []count
	ready Ready // the call of the present step
	err   error // of a statement that the interpreter ran
}

// count is a loop over integers.
type count struct{ next, left, by int64 }

// runSteps runs a program by its steps.
func (r *Rank) runSteps(c *Code) error {
	x := &stepping{r: r, frame: frame{r: r}, code: c}
	for x.goOn() {
		if err := x.ready.Make(r); err != nil {
			return err
		}
		x.keep()
	}
	return x.err
}

// goOn takes steps until a call is ready. It returns false at the end of the program, and when the program has failed.
func (x *stepping) goOn() bool {
	for x.at < len(x.code.steps) {
		st, quick := &x.code.steps[x.at], false
		switch {
		case x.r.stopped.Load() && st.whole != nil:
		case st.kind == stepCall:
			quick = x.prepare(st)
		default:
			quick = x.take(st)
		}
		if !quick {
			if x.err = x.r.runWhole(x.code, st.whole()); x.err != nil {
				return false
			}
			x.at = st.next
		} else if x.ready.State == IsReady {
			return true
		}
	}
	x.r.endTurn()
	return false
}

// runWhole lets the interpreter run statements of c.
func (r *Rank) runWhole(c *Code, p *starlark.Program) error {
	in := r.interpreter()
	in.code = c
	_, err := p.Init(&in.thread, in.env)
	r.endTurn()
	return r.failure(err)
}

// keep stores what the call of the present step returned.
func (x *stepping) keep() {
	v := x.ready.Result(x.r)
	x.ready = Ready{}
	st := &x.code.steps[x.at]
	x.at = st.next
	if st.target != "" {
		x.r.Assign(st.target, v, Now)
	}
}

// take takes a step that is not a call. It returns false when the interpreter has to run the statement.
func (x *stepping) take(st *step) bool {
	if x.made++; x.made == turnSteps {
		x.made = 0
		x.turns++
		x.r.endLap(x.turns)
		x.r.nextTurn()
	}
	switch st.kind {
	case stepAssign:
		v, err := st.value(&x.frame)
		if err != nil {
			return false
		}
		x.r.Assign(st.target, v, Now)
		x.at = st.next
	case stepIf:
		holds, err := st.value(&x.frame)
		if err != nil {
			return false
		}
		if x.at++; !holds.Truth() {
			x.at = st.other
		}
	case stepFor:
		return x.begin(st)
	case stepNext:
		l := &x.loops[len(x.loops)-1]
		if l.left == 0 {
			x.loops = x.loops[:len(x.loops)-1]
			x.at = st.other
			break
		}
		x.r.Assign(st.target, starlark.MakeInt64(l.next), Now)
		l.next, l.left = l.next+l.by, l.left-1
		x.at = st.next
	case stepJump:
		x.at = st.other
	default:
		return false
	}
	return true
}

// begin begins a loop.
func (x *stepping) begin(st *step) bool {
	from, to, by := int64(0), int64(0), int64(1)
	into := [][]*int64{{&to}, {&from, &to}, {&from, &to, &by}}[len(st.bound)-1]
	for i := range st.bound {
		v, err := st.bound[i](&x.frame)
		n, ok := v.(starlark.Int)
		if err != nil || !ok {
			return false
		}
		if *into[i], ok = n.Int64(); !ok || *into[i] < -math.MaxInt32 || *into[i] > math.MaxInt32 {
			return false
		}
	}
	turns := int64(0)
	switch {
	case by == 0:
		return false
	case by > 0 && from < to:
		turns = (to - from + by - 1) / by
	case by < 0 && from > to:
		turns = (from - to - by - 1) / -by
	}
	x.loops = append(x.loops, count{from, turns, by})
	x.at++
	return true
}

// prepare makes the call of a step ready.
func (x *stepping) prepare(st *step) bool {
	if !st.call.ready(&x.frame, &x.ready) {
		return false
	}
	x.r.endTurn()
	x.r.At(x.code.site(&st.site))
	return true
}

// Ready is a call of MPI of which all is done but the call itself: its arguments are read, and its result is no
// value of a program yet. A rank that makes it needs so little stack that a million ranks can wait in it; other
// goroutines do the rest while the rank is idle.
type Ready struct {
	comm  *engine.Comm // the communicator that the call acts on; then, the communicator that it made
	info  *engine.Info
	call  engine.Call
	a, b  int32
	State Readiness
}

// Readiness is how far a call is.
type Readiness uint8

// A call is ready until it is made; it is not ready before that, and where it failed.
const (
	NotReady Readiness = iota
	IsReady
	IsMade
)

// ready reads the arguments of the call on a communicator, and makes d the call. It reports whether it did: d stays as
// it is where the rank itself has to call the function, because it cannot be made ready, or an argument is wrong.
func (n *invocation) ready(x *frame, d *Ready) bool {
	a, r := n.method, x.r
	if a == nil {
		return false
	}
	v, err := n.recv(x)
	self, ok := v.(*Comm)
	if err != nil || !ok || self.c.Process() != r.P || r.wary || a.exists(r.P.Std()) != nil {
		return false
	}
	var args [maxParams]starlark.Value
	for i := range a.params {
		if args[i] = a.params[i].dflt; i >= len(n.args) || n.args[i] == nil {
			continue
		}
		if args[i], err = n.args[i](x); err != nil {
			return false
		}
	}
	made := Ready{comm: self.c, call: a.call, State: IsReady}
	if a.call == engine.CallDup {
		ok = args[0] == starlark.None
	} else {
		first, wrong := asInt(args[0])
		key, err := asInt(args[1])
		made.a, made.b, ok = int32(first), int32(key), wrong == nil && err == nil
	}
	if ok && a.call == engine.CallSplitType {
		made.info, ok = objectOf(args[2]).(*engine.Info)
	}
	if ok {
		r.followAll()
		*d = made
	}
	return ok
}

// methodToReady returns the method of communicators of that name, if it can be made ready with so many arguments; else
// nil.
func methodToReady(name string, args int) *attribute {
	switch name {
	case "Split", "Split_type", "Dup":
		if a := commClass.attrs[name]; args <= len(a.params) {
			return a
		}
	}
	return nil
}

// Make makes the call on its rank, whose error handler gets the error.
func (d *Ready) Make(r *Rank) (err error) {
	switch d.call {
	case engine.CallSplit:
		d.comm, err = d.comm.Split(int(d.a), int(d.b))
	case engine.CallSplitType:
		d.comm, err = d.comm.SplitType(engine.SplitType(d.a), int(d.b), d.info)
	default:
		d.comm, err = d.comm.Dup()
	}
	if d.State = IsMade; err != nil {
		d.State = NotReady
		return r.raise(err)
	}
	return nil
}

// Result returns the communicator that the call made on r, as a value.
func (d *Ready) Result(r *Rank) starlark.Value {
	if d.comm == nil {
		return r.null()
	}
	return &Comm{c: d.comm}
}

// null returns the COMM_NULL that a constructor just returned.
func (r *Rank) null() starlark.Value { return r.remember(r.wrap(nil)) }

// onlyLocal reports whether a call only makes or fills an info object, and cannot fail. Info objects belong to no
// process, so any goroutine may make the call while its rank is idle.
func onlyLocal(f *function, args []starlark.Value) bool {
	if f.attribute.call != engine.CallInfoCreate && f.attribute.call != engine.CallInfoSet {
		return false
	}
	for _, a := range args {
		if text, ok := starlark.AsString(a); !ok || text == "" || len(text) > engine.MaxInfoKey {
			return false
		}
	}
	return true
}
