package program

import (
	"math"
	"slices"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"commsplit/engine"
)

// Most large programs are a few calls of constructors at the top level, also in loops and behind conditions of
// rank and size. The interpreter takes kilobytes of a rank's stack for as long as the rank waits in such a call. So
// these statements are steps that run without it. Whatever a step cannot compute it leaves to the interpreter, which
// then runs the statement of the step whole: there is one meaning of each statement.

// step is a statement at the top level of a program, or a part of one.
type step struct {
	kind  stepKind
	whole *starlark.Program // the statement; of a stepRun, all statements up to the next step
	next  int               // index of the step behind the whole statement
	other int               // of stepIf: the step for a false condition; of stepFor, which ends the loop; of stepJump: where to

	target string    // the variable that gets the value; "" for none
	value  quickExpr // of stepAssign

	recv   quickExpr   // of stepCall: what the method is called on
	method *attribute  // of communicators
	args   []quickExpr // by parameter
	site   engine.Site

	cond  condition   // of stepIf
	bound []quickExpr // of stepFor: the arguments of range
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

// quickExpr is an expression that needs no interpreter.
type quickExpr struct {
	plain plainExpr
	world bool // MPI.COMM_WORLD
	isSet bool // false: the argument is not given
}

// condition is a comparison of integers, or one alone, which is true unless it is 0. x is nil where there is none.
type condition struct {
	op   syntax.Token // 0: x alone
	x, y integers
}

// quickOf is the expression as a quick one.
func quickOf(e syntax.Expr) (quickExpr, bool) {
	if dot, ok := e.(*syntax.DotExpr); ok && dot.Name.Name == "COMM_WORLD" {
		of, ok := dot.X.(*syntax.Ident)
		return quickExpr{world: true, isSet: true}, ok && of.Name == "MPI"
	}
	p := plainOf(e)
	return quickExpr{plain: p, isSet: true}, p.is() || p.ints != nil
}

// compute is the value of the expression on a rank; nil when the interpreter has to compute it.
func (q *quickExpr) compute(r *Rank) starlark.Value {
	switch p := &q.plain; {
	case q.world && r.Vars.Get("MPI") == nil:
		return commWorld(r)
	case q.world:
		return nil
	case p.value != nil:
		return p.value
	case p.name != "":
		return r.named(p.name)
	default:
		v, _ := p.ints.compute(r.named)
		return v
	}
}

// named is the value of a variable, or of world; nil for other names.
func (r *Rank) named(name string) starlark.Value {
	if v := r.Vars.Get(name); v != nil {
		return v
	}
	if name == "world" {
		return commWorld(r)
	}
	return nil
}

// conditionOf is the expression as a condition.
func conditionOf(e syntax.Expr) (c condition, ok bool) {
	for p, is := e.(*syntax.ParenExpr); is; p, is = e.(*syntax.ParenExpr) {
		e = p.X
	}
	if b, is := e.(*syntax.BinaryExpr); is {
		switch b.Op {
		case syntax.EQL, syntax.NEQ, syntax.LT, syntax.LE, syntax.GT, syntax.GE:
			c = condition{b.Op, integersOf(b.X), integersOf(b.Y)}
			return c, c.x != nil && c.y != nil
		}
	}
	c.x = integersOf(e)
	return c, c.x != nil
}

// holds reports whether the condition is true on a rank; ok is false when the interpreter has to tell.
func (c *condition) holds(r *Rank) (holds, ok bool) {
	x, ok := c.x.number(r.named)
	if !ok || c.op == 0 {
		return x != 0, ok
	}
	y, ok := c.y.number(r.named)
	switch c.op {
	case syntax.EQL:
		holds = x == y
	case syntax.NEQ:
		holds = x != y
	case syntax.LT:
		holds = x < y
	case syntax.LE:
		holds = x <= y
	case syntax.GT:
		holds = x > y
	case syntax.GE:
		holds = x >= y
	}
	return holds, ok
}

// stepper makes the steps of a program.
type stepper struct {
	file  string
	free  map[identAt]bool
	steps []step
	run   []syntax.Stmt // that the interpreter runs, rewritten; not a step yet

	failed bool
}

// mostNested is how deep statements that are steps may lie in others.
const mostNested = 4

// stepsOf cuts statements into steps; nil for a program without a call that is a step, which the interpreter runs
// better. parse gives a fresh tree each time: the statement of every step is compiled by itself, and the resolver
// may see a tree only once.
func stepsOf(file string, parse func() (*syntax.File, error), free map[identAt]bool, names []string) []step {
	first, err := parse()
	if err != nil || slices.Contains(names, "range") || !slices.ContainsFunc(first.Stmts, hasCall) {
		return nil
	}
	var levels [][]syntax.Stmt
	for range mostNested {
		f, err := parse()
		if err != nil {
			return nil
		}
		levels = append(levels, f.Stmts)
	}
	s := &stepper{file: file, free: free}
	s.block(first.Stmts, levels)
	s.flush()
	if s.failed { // a statement that means something only among the others
		return nil
	}
	return s.steps
}

// hasCall reports whether a statement is, or holds, a call that is a step.
func hasCall(s syntax.Stmt) bool {
	switch s := s.(type) {
	case *syntax.IfStmt:
		_, ok := conditionOf(s.Cond)
		return ok && !leaves(s) && (slices.ContainsFunc(s.True, hasCall) || slices.ContainsFunc(s.False, hasCall))
	case *syntax.ForStmt:
		_, ok := rangeOf(s)
		return ok && !slices.ContainsFunc(s.Body, leaves) && slices.ContainsFunc(s.Body, hasCall)
	}
	_, ok := callOf(s)
	return ok
}

// isQuick reports whether a statement is nothing but steps.
func isQuick(s syntax.Stmt) bool {
	all := func(list []syntax.Stmt) bool {
		return !slices.ContainsFunc(list, func(x syntax.Stmt) bool { return !isQuick(x) })
	}
	switch s := s.(type) {
	case *syntax.IfStmt:
		_, ok := conditionOf(s.Cond)
		return ok && all(s.True) && all(s.False)
	case *syntax.ForStmt:
		_, ok := rangeOf(s)
		return ok && all(s.Body)
	}
	_, assigns := assignOf(s)
	_, calls := callOf(s)
	return assigns || calls
}

// assignOf is a statement that gives one variable the value of a quick expression.
func assignOf(s syntax.Stmt) (st step, ok bool) {
	a, ok := s.(*syntax.AssignStmt)
	if !ok || a.Op != syntax.EQ {
		return st, false
	}
	name, ok := a.LHS.(*syntax.Ident)
	if !ok {
		return st, false
	}
	st = step{kind: stepAssign, target: name.Name}
	st.value, ok = quickOf(a.RHS)
	return st, ok
}

// leaves reports whether a statement may leave the loop around it, or begin its next turn.
func leaves(s syntax.Stmt) bool {
	switch s := s.(type) {
	case *syntax.BranchStmt:
		return s.Token != syntax.PASS
	case *syntax.IfStmt:
		return slices.ContainsFunc(s.True, leaves) || slices.ContainsFunc(s.False, leaves)
	}
	return false
}

// rangeOf gives the arguments of range in a loop over integers.
func rangeOf(s *syntax.ForStmt) (bound []quickExpr, ok bool) {
	_, name := s.Vars.(*syntax.Ident)
	c, call := s.X.(*syntax.CallExpr)
	if !name || !call || len(c.Args) == 0 || len(c.Args) > 3 {
		return nil, false
	}
	if f, ok := c.Fn.(*syntax.Ident); !ok || f.Name != "range" {
		return nil, false
	}
	for _, a := range c.Args {
		q, ok := quickOf(a)
		if !ok {
			return nil, false
		}
		bound = append(bound, q)
	}
	return bound, true
}

// callOf is a statement that is one call of a constructor, whose result at most one variable gets.
func callOf(s syntax.Stmt) (st step, ok bool) {
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
	c, ok := e.(*syntax.CallExpr)
	if !ok {
		return st, false
	}
	f, ok := c.Fn.(*syntax.DotExpr)
	if !ok {
		return st, false
	}
	m := commClass.attrs[f.Name.Name]
	if st.recv, ok = quickOf(f.X); !ok || m == nil || m.ready == nil || st.recv.plain.ints != nil {
		return st, false
	}
	st.kind, st.method, st.args = stepCall, m, make([]quickExpr, len(m.params))
	st.site = engine.Site{File: c.Lparen.Filename(), Line: c.Lparen.Line}
	return st, st.take(c.Args)
}

// take gives the arguments of a call to the parameters. It reports whether all are quick, and whether each has one
// parameter.
func (st *step) take(args []syntax.Expr) bool {
	for i, a := range args {
		if b, ok := a.(*syntax.BinaryExpr); ok && b.Op == syntax.EQ {
			name, _ := b.X.(*syntax.Ident)
			i = slices.IndexFunc(st.method.params, func(p param) bool { return name != nil && p.name == name.Name })
			a = b.Y
		}
		if i < 0 || i >= len(st.args) || st.args[i].isSet {
			return false
		}
		q, ok := quickOf(a)
		if !ok {
			return false
		}
		st.args[i] = q
	}
	return true
}

// block makes the steps of a list of statements. levels are fresh trees of the same list: the first for the
// statements of the list, the others for those inside of them.
func (s *stepper) block(list []syntax.Stmt, levels [][]syntax.Stmt) {
	for i, x := range list {
		whole := rewriter{free: s.free}.stmts(levels[0][i : i+1])
		inner := func(body func(syntax.Stmt) []syntax.Stmt) [][]syntax.Stmt {
			var all [][]syntax.Stmt
			for _, l := range levels[1:] {
				all = append(all, body(l[i]))
			}
			return all
		}
		switch y := x.(type) {
		case *syntax.IfStmt:
			if len(levels) > 1 && (hasCall(x) || isQuick(x)) {
				s.ifStmt(y, s.compile(whole), inner)
				continue
			}
		case *syntax.ForStmt:
			if len(levels) > 1 && (hasCall(x) || isQuick(x)) {
				s.forStmt(y, s.compile(whole), inner)
				continue
			}
		}
		st, ok := assignOf(x)
		if !ok {
			st, ok = callOf(x)
		}
		if !ok {
			s.run = append(s.run, whole...)
			continue
		}
		st.whole = s.compile(whole)
		s.add(st)
	}
}

// add appends a step, which the step behind it follows.
func (s *stepper) add(st step) int {
	s.flush()
	at := len(s.steps)
	st.next = at + 1
	s.steps = append(s.steps, st)
	return at
}

// flush makes a step of the statements that the interpreter runs.
func (s *stepper) flush() {
	if len(s.run) > 0 {
		s.steps = append(s.steps, step{kind: stepRun, whole: s.compile(s.run), next: len(s.steps) + 1})
		s.run = nil
	}
}

func (s *stepper) compile(list []syntax.Stmt) *starlark.Program {
	f := &syntax.File{Path: s.file, Stmts: list, Options: options}
	p, err := starlark.FileProgram(f, func(name string) bool { return name == scopeName })
	s.failed = s.failed || err != nil
	return p
}

func (s *stepper) ifStmt(x *syntax.IfStmt, whole *starlark.Program, inner func(func(syntax.Stmt) []syntax.Stmt) [][]syntax.Stmt) {
	cond, _ := conditionOf(x.Cond)
	at := s.add(step{kind: stepIf, cond: cond, whole: whole})
	s.block(x.True, inner(func(x syntax.Stmt) []syntax.Stmt { return x.(*syntax.IfStmt).True }))
	over := s.add(step{kind: stepJump})
	s.steps[at].other = over + 1
	s.block(x.False, inner(func(x syntax.Stmt) []syntax.Stmt { return x.(*syntax.IfStmt).False }))
	s.flush()
	s.steps[over].other, s.steps[at].next = len(s.steps), len(s.steps)
}

func (s *stepper) forStmt(x *syntax.ForStmt, whole *starlark.Program, inner func(func(syntax.Stmt) []syntax.Stmt) [][]syntax.Stmt) {
	bound, _ := rangeOf(x)
	at := s.add(step{kind: stepFor, bound: bound, whole: whole})
	turn := s.add(step{kind: stepNext, target: x.Vars.(*syntax.Ident).Name})
	s.block(x.Body, inner(func(x syntax.Stmt) []syntax.Stmt { return x.(*syntax.ForStmt).Body }))
	s.add(step{kind: stepJump, other: turn})
	s.steps[at].next, s.steps[turn].other = len(s.steps), len(s.steps)
}

// stepping is a rank on its way through the steps of a program.
type stepping struct {
	r     *Rank
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
	x := &stepping{r: r, code: c}
	for x.goOn() {
		if err := x.ready.Make(); err != nil {
			return r.Raise(err)
		}
		x.keep()
	}
	return x.err
}

// goOn goes on until a call is ready. It is false at the end of the program, and when the program has failed.
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
			if x.err = x.r.runWhole(x.code, st.whole); x.err != nil {
				return false
			}
			x.at = st.next
		} else if x.ready.IsReady() {
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

// keep takes care of what the call of the present step gave.
func (x *stepping) keep() {
	v := x.ready.Result(x.r)
	x.ready = Ready{}
	st := &x.code.steps[x.at]
	x.at = st.next
	if st.target != "" {
		x.r.assign(st.target, v, -1)
	}
}

// take takes a step that is no call. It is false when the interpreter has to run the statement.
func (x *stepping) take(st *step) bool {
	if x.made++; x.made == turnSteps {
		x.made = 0
		x.turns++
		x.r.endLap(x.turns)
		x.r.nextTurn()
	}
	switch st.kind {
	case stepAssign:
		v := st.value.compute(x.r)
		if v == nil {
			return false
		}
		x.r.assign(st.target, v, -1)
		x.at = st.next
	case stepIf:
		holds, ok := st.cond.holds(x.r)
		if !ok {
			return false
		}
		if x.at++; !holds {
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
		x.r.assign(st.target, starlark.MakeInt64(l.next), -1)
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
		n, ok := st.bound[i].compute(x.r).(starlark.Int)
		if !ok {
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
	r := x.r
	self, ok := st.recv.compute(r).(*Comm)
	if !ok || self.c.Process() != r.P || r.wary || self.classWith(st.method.name) != commClass || st.method.exists(r.P.Std()) != nil {
		return false
	}
	c := newCall()
	c.r, c.fn, c.self = r, st.method, self
	ok = st.arguments(c) && st.method.ready(c, &x.ready) == nil
	c.done()
	if !ok {
		return false
	}
	r.followAll()
	r.endTurn()
	r.At(x.code.site(&st.site))
	x.ready.comm, x.ready.call, x.ready.state = self.c, st.method.call, isReady
	return true
}

// arguments computes the arguments of the call. It is false where the interpreter has to.
func (st *step) arguments(c *call) bool {
	for i := range st.args {
		q := &st.args[i]
		if !q.isSet {
			continue
		}
		if q.plain.ints == nil {
			c.args[i] = q.compute(c.r)
		} else if n, ok := q.plain.ints.number(c.r.named); ok {
			c.args[i] = starlark.MakeInt64(n)
		}
		if c.args[i] == nil {
			return false
		}
	}
	return c.bindDefaults() == nil
}
