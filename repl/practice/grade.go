package practice

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw/spell"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/lang"
	"codeberg.org/commsplit/commsplit/repl/stories"
)

// Grade is whether an answer is right, world by world. Worlds after one that reached a limit were not tried.
type Grade struct {
	Right  bool
	Worlds []Result
}

// Result is the result of an answer on one world.
type Result struct {
	World
	Size   int // ranks
	Faults []Fault
}

// Right reports whether the answer is right on this world.
func (r Result) Right() bool { return len(r.Faults) == 0 }

// Fault is one mistake of an answer.
type Fault struct {
	Kind            Kind
	Name            string       // the variable; "" for none
	Ranks           engine.Ranks // of the world; empty for a fault of the whole
	Expected, Found string       // of the communicators in a variable: "[0,2,4]", "MPI_COMM_NULL"
	Message         string       // what is wrong, in one line

	reason *reason // why the lowest of the ranks holds what it holds; nil for nothing
}

// Kind is a kind of fault.
type Kind string

// The kinds of fault.
const (
	WrongGroup Kind = "group"    // a variable holds other communicators
	Blocked    Kind = "deadlock" // ranks wait for each other
	Failing    Kind = "error"    // a line failed
	Unending   Kind = "limit"    // a limit of time or memory was reached
	WrongCalls Kind = "calls"    // other ranks made a call than were asked to
	Leaking    Kind = "leak"     // something was not freed
	Unmet      Kind = "goal"     // a line of the goal does not hold
)

// Limited reports whether the answer reached a limit.
func (g *Grade) Limited() bool {
	return slices.ContainsFunc(g.Worlds, func(r Result) bool {
		return slices.ContainsFunc(r.Faults, func(f Fault) bool { return f.Kind == Unending })
	})
}

// misplaced reports whether ranks hold other communicators than they should. A communicator that a rank does not hold
// yet may still come.
func (g *Grade) misplaced() bool {
	return slices.ContainsFunc(g.Faults(), func(f Fault) bool { return f.Kind == WrongGroup && f.Found != noCommunicator })
}

// has reports whether a fault of one of these kinds is among the faults.
func (g *Grade) has(kinds ...Kind) bool {
	return slices.ContainsFunc(g.Faults(), func(f Fault) bool { return slices.Contains(kinds, f.Kind) })
}

// wrong returns the index of the first world in which the answer is wrong; -1 for none.
func (g *Grade) wrong() int {
	return slices.IndexFunc(g.Worlds, func(r Result) bool { return !r.Right() })
}

// Faults lists the faults in the first world in which the answer is wrong.
func (g *Grade) Faults() []Fault {
	if k := g.wrong(); k >= 0 {
		return g.Worlds[k].Faults
	}
	return nil
}

// Answer reads the text of an answer: a program if the name ends with .py, else lines in any of the languages. A text
// that does not parse is a *lang.Error.
func Answer(script *stories.Script) ([]*lang.Chunk, error) {
	bare := *script // its flags are those of the exercise
	chunks, err := stories.NewScript(bare.Name, bare.Text).Chunks()
	if err != nil {
		return nil, err
	}
	for _, c := range chunks {
		if c.Kind == lang.Meta {
			return nil, c.ErrorAt(c.Verb, "meta commands are not allowed in answers: leave out .%s", c.Verb.Text)
		}
	}
	return chunks, nil
}

// Grade runs an answer on each world and compares the result with that of the solution. The error is a *lang.Error about
// the text of the answer, a *Malformed about the exercise, or the reason why ctx ended.
func (x *Exercise) Grade(ctx context.Context, answer []*lang.Chunk) (*Grade, error) {
	g := &Grade{Right: true}
	for i := range x.Worlds {
		r, err := x.on(ctx, i, answer)
		if err != nil {
			return nil, err
		}
		g.Worlds = append(g.Worlds, *r)
		g.Right = g.Right && r.Right()
		if g.Limited() {
			break
		}
	}
	return g, nil
}

// Unread returns the grade of an answer whose text is wrong, of an exercise that Check found sound.
func (x *Exercise) Unread(err *lang.Error) *Grade {
	return &Grade{Worlds: []Result{{World: x.Worlds[0], Size: x.goals[0].view.Snapshot.Size,
		Faults: []Fault{{Kind: Failing, Message: err.Error()}}}}}
}

// Malformed is a mistake of an exercise that shows only when it runs.
type Malformed struct{ Err error }

// Error returns the mistake in a line.
func (m *Malformed) Error() string { return m.Err.Error() }

// Unwrap returns the mistake.
func (m *Malformed) Unwrap() error { return m.Err }

// on grades an answer on one world.
func (x *Exercise) on(ctx context.Context, i int, answer []*lang.Chunk) (*Result, error) {
	want, err := x.wanted(ctx, i)
	if err != nil {
		return nil, err
	}
	r := &Result{World: x.Worlds[i], Size: want.view.Snapshot.Size}
	got, err := x.play(ctx, i, answer, false)
	var fault *Fault
	var at *lang.Error
	var malformed *Malformed
	if limit := (*repl.Limit)(nil); err != nil && errors.As(context.Cause(ctx), &limit) {
		err = unending(limit)
	}
	switch {
	case errors.As(err, &fault):
		r.Faults = []Fault{*fault}
		return r, nil
	case i > 0 && errors.As(err, &at) && !errors.As(err, &malformed): // it is not a mistake in the first world
		r.Faults = []Fault{{Kind: Failing, Message: at.Error()}}
		return r, nil
	case err != nil:
		return nil, err
	}
	defer got.session.Close()
	r.Faults = x.compare(want, got)
	if len(r.Faults) > 0 {
		return r, nil
	}
	r.Faults, err = x.hold(ctx, got)
	return r, err
}

// Check reports whether the exercise is sound: the solution is right on each world, the goal needs only the names of the
// answer and of the given lines, and an empty answer is not right. The error is a *Malformed, or the reason why ctx
// ended.
func (x *Exercise) Check(ctx context.Context) error {
	for i := range x.Worlds {
		if _, err := x.wanted(ctx, i); err != nil {
			return err
		}
	}
	if err := x.closed(ctx); err != nil {
		return err
	}
	r, err := x.on(ctx, 0, nil)
	if err == nil && r.Right() {
		err = &Malformed{fmt.Errorf("%s: an empty answer is right: the goal requires nothing", x.file)}
	}
	return err
}

// closed refuses a goal that uses a variable of the solution.
func (x *Exercise) closed(ctx context.Context) error {
	s, err := repl.Open(ctx, x.Worlds[0].Config, nil)
	if err != nil {
		return &Malformed{err}
	}
	defer s.Close()
	lines := slices.Clone(x.GivenLines)
	if len(x.Names) > 0 {
		all, err := repl.ParseLines(x.file, []string{strings.Join(x.Names, " = MPI.COMM_NULL; ") + " = MPI.COMM_NULL"})
		if err != nil {
			return &Malformed{err}
		}
		lines = append(lines, all...)
	}
	if err := x.runGiven(ctx, s, lines); err != nil {
		return err
	}
	for _, c := range x.goal {
		if err := s.Check(c.Text); err != nil {
			return &Malformed{&lang.Error{File: x.file, Line: c.Line + err.Line - 1, Col: err.Col, Source: c.LineText(c.Line + err.Line - 1),
				Message: err.Message + "; the goal can use the names of the answer and of the given lines"}}
		}
	}
	return nil
}

// Error returns the message: a fault may end a run.
func (f *Fault) Error() string { return f.Message }

// wanted returns the state after the solution on a world. Its session is closed: only the noted parts of the state are
// left.
func (x *Exercise) wanted(ctx context.Context, i int) (*state, error) {
	if x.goals[i] != nil {
		return x.goals[i], nil
	}
	st, err := x.play(ctx, i, x.solution, true)
	var at *lang.Error
	var fault *Fault
	switch {
	case errors.As(err, &fault) && fault.Kind == Unending:
		return nil, &Malformed{fmt.Errorf("%s: the solution, on world %d of %d: %w", x.file, i+1, len(x.Worlds), err)}
	case ctx.Err() != nil && err != nil:
		return nil, err
	case errors.As(err, &at):
		return nil, &Malformed{at}
	case err != nil:
		return nil, &Malformed{fmt.Errorf("%s: the solution fails on world %d of %d: %w", x.file, i+1, len(x.Worlds), err)}
	}
	defer st.session.Close()
	if err := x.sound(ctx, st); err != nil {
		return nil, err
	}
	x.goals[i] = st
	return st, nil
}

// state is the result of lines on a world.
type state struct {
	session *repl.Session
	view    *render.View
	before  int                   // communicators below this id were there before the lines, in every answer
	steps   int                   // of the trace before the lines
	handles []render.Handle       // of the names that an answer sets; a list has one for each of its elements
	grids   map[string][]string   // by name, the virtual topology of what each rank holds
	calls   map[engine.Call][]int // by rank, how often it made the call
	made    []int                 // by rank, how many calls it made that make communicators
	open    []repl.OpenHandle     // groups, requests and the like that were not freed
}

// play runs the given lines, and then the lines of an answer or of the solution, on a fresh world. The error is a *Fault
// when the lines fail or block.
func (x *Exercise) play(ctx context.Context, i int, lines []*lang.Chunk, trusted bool) (st *state, err error) {
	w := x.Worlds[i]
	s, err := repl.Open(ctx, w.Config, nil)
	if err != nil {
		return nil, &Malformed{&lang.Error{File: x.file, Line: w.line, Col: 1, Source: w.source, Message: err.Error()}}
	}
	defer func() {
		if err != nil {
			s.Close()
		}
	}()
	if err := x.runGiven(ctx, s, x.GivenLines); err != nil {
		return nil, err
	}
	if d := s.Deadlock(); d != nil {
		return nil, &Malformed{fmt.Errorf("%s: the given lines end in a deadlock: %s", x.file, d.Message)}
	}
	taken := x.assignedByGiven(s)
	before, open := s.View().Snapshot, s.Open(nil)
	for _, c := range lines {
		if repl.Checks(c) && !trusted { // what its author expects does not count
			continue
		}
		if err := forbidden(s, c, taken); err != nil {
			return nil, err
		}
		if _, err := s.Run(ctx, c); err != nil {
			return nil, failing(err)
		}
	}
	if f := blocked(s); f != nil {
		return nil, f
	}
	if err := s.Finalize(ctx); err != nil {
		return nil, failing(err)
	}
	st = &state{session: s, before: before.Comms[len(before.Comms)-1].ID + 1, steps: len(before.Steps)}
	return st, x.note(ctx, st, open)
}

// runGiven runs lines of the exercise that come before an answer.
func (x *Exercise) runGiven(ctx context.Context, s *repl.Session, lines []*lang.Chunk) error {
	for _, c := range lines {
		_, err := s.Run(ctx, c)
		var at *lang.Error
		switch {
		case err == nil:
			continue
		case ctx.Err() != nil:
			return failing(err)
		case errors.As(err, &at):
			return &Malformed{at}
		}
		return &Malformed{fmt.Errorf("%s: the given lines fail: %w", x.file, err)}
	}
	return nil
}

// forbidden returns an error for a chunk of an answer that sets a variable which answers may not set.
func forbidden(s *repl.Session, c *lang.Chunk, given map[string]bool) error {
	for _, w := range s.Assignments(c) {
		switch {
		case given[w.Text]:
			return c.ErrorAt(w, "%s is set by the given lines; take another name", w.Text)
		case slices.Contains([]string{"MPI", "True", "False", "None"}, w.Text):
			return c.ErrorAt(w, "%s has a fixed meaning; take another name", w.Text)
		}
	}
	return nil
}

// failing returns the fault of a line that failed; err itself where a person or a defect of ours ended the line.
func failing(err error) error {
	if crash := (*repl.Crash)(nil); errors.As(err, &crash) { // ours, not the student's
		return crash
	}
	var failed *repl.Failed
	switch {
	case !errors.As(err, &failed), failed.Interrupted:
		return err
	case failed.Limited():
		return unending(err)
	}
	f := &Fault{Kind: Failing, Message: firstLine(err)}
	var ranks []int
	for _, e := range failed.MPI {
		ranks = append(ranks, e.Ranks.Slice()...)
	}
	for _, e := range failed.Program {
		ranks = append(ranks, e.Ranks.Slice()...)
	}
	f.Ranks = engine.RanksOf(ranks...)
	return f
}

// blocked returns the fault of ranks that wait for each other; nil for none.
func blocked(s *repl.Session) *Fault {
	if d := s.Deadlock(); d != nil {
		return &Fault{Kind: Blocked, Ranks: s.WaitingRanks(), Message: d.Message}
	}
	return nil
}

// unending returns the fault of an answer that a limit stopped.
func unending(limit error) *Fault {
	return &Fault{Kind: Unending, Message: "it did not reach its end: " + firstLine(limit)}
}

// firstLine returns the first line of an error, and how many more there are.
func firstLine(err error) string {
	first, rest, more := strings.Cut(strings.TrimSpace(err.Error()), "\n")
	if more {
		first += fmt.Sprintf(" (and %s)", spell.Plural(strings.Count(rest, "\n")+1, "more error"))
	}
	return first
}

// note notes the result of the lines: handles, calls, open objects, virtual topologies.
func (x *Exercise) note(ctx context.Context, st *state, open []repl.OpenHandle) error {
	s := st.session
	st.view = s.ViewEnd(false)
	for _, o := range s.Open(nil) {
		if !slices.ContainsFunc(open, func(k repl.OpenHandle) bool { return k.Kind == o.Kind && k.Where == o.Where && k.Count == o.Count }) {
			st.open = append(st.open, o)
		}
	}
	for _, name := range x.Names {
		st.handles = append(st.handles, repl.Expand(s.Handle(name))...)
	}
	st.calls, st.made = map[engine.Call][]int{}, make([]int, s.Size())
	for _, step := range st.view.Snapshot.Steps[st.steps:] {
		n := st.calls[step.Call]
		if n == nil {
			n = make([]int, s.Size())
			st.calls[step.Call] = n
		}
		for r := range step.Ranks.All {
			n[r]++
			if len(step.Made) > 0 {
				st.made[r]++
			}
		}
	}
	return x.noteGrids(ctx, st)
}

// noteGrids notes the virtual topologies of communicators. If the goal itself has an expectation about a communicator,
// any topology that meets the expectation is right.
func (x *Exercise) noteGrids(ctx context.Context, st *state) error {
	st.grids = map[string][]string{}
	for _, h := range st.handles {
		if x.expectsOf(h.Name) {
			continue
		}
		ranks := st.where(h, func(id int32) bool {
			c := st.view.Snapshot.Comm(int(id))
			return c != nil && topologies[c.Op]
		})
		if len(ranks) == 0 {
			continue
		}
		st.session.ShowValues = true
		o, err := st.run(ctx, ranks, strings.ReplaceAll(gridOf, "_", h.Name))
		st.session.ShowValues = false
		if err != nil {
			return failing(err)
		}
		st.grids[h.Name] = make([]string, st.session.Size())
		for _, g := range o.Values {
			for r := range g.Ranks.All {
				st.grids[h.Name][r] = strings.Trim(g.Text, `'"`)
			}
		}
	}
	return nil
}

// where lists the ranks that hold such a communicator in a variable.
func (st *state) where(h render.Handle, such func(id int32) bool) (ranks engine.Ranks) {
	for r, id := range h.IDs {
		if such(id) {
			ranks.Append(int32(r))
		}
	}
	return ranks
}

// run runs a statement on some ranks.
func (st *state) run(ctx context.Context, ranks engine.Ranks, text string) (*repl.Outcome, error) {
	chunks, err := repl.ParseLines("", []string{"@" + ranks.String() + " " + text})
	if err != nil {
		return nil, err
	}
	return st.session.Run(ctx, chunks[0])
}

// expectsOf reports whether an expect of the goal is about what a variable, or an element of it, holds.
func (x *Exercise) expectsOf(name string) bool {
	name, _, _ = strings.Cut(name, "[")
	return slices.ContainsFunc(x.goal, func(c *lang.Chunk) bool {
		return c.Verb.Text == "expect" && len(c.Args) > 0 && mentions(c.Args[0].Text, name)
	})
}

// mentions reports whether a name stands in the text of a line.
func mentions(text, name string) bool {
	return regexp.MustCompile(`\b` + regexp.QuoteMeta(name) + `\b`).MatchString(text)
}

// gridOf is a virtual topology as a rank sees it.
const gridOf = `("a grid of %s with periods %s" % (_.dims, _.periods) if _.topology == MPI.CART else "sources %s, destinations %s" % _.inoutedges)`

// topologies are the calls that make communicators with a virtual topology.
var topologies = map[engine.Call]bool{engine.CallCartCreate: true, engine.CallCartSub: true, engine.CallGraphCreate: true,
	engine.CallDistGraphCreate: true, engine.CallDistGraphCreateAdjacent: true}

// sound compares the solution with its own goal.
func (x *Exercise) sound(ctx context.Context, st *state) error {
	for _, name := range x.Names {
		if !slices.Contains(st.session.Variables(), name) {
			return &Malformed{fmt.Errorf("%s: the solution sets no variable %s", x.file, name)}
		}
	}
	for _, c := range x.goal {
		if c.Verb.Text != "expect_parts" {
			continue
		}
		if name := c.Args[0].Text; !slices.Contains(x.Names, name) {
			return &Malformed{c.ErrorAt(c.Args[0].Word, "%s is not a name of the answer; the names are %s", name, strings.Join(x.Names, ", "))}
		}
	}
	if f := x.unfreed(st); x.leaks && len(f) > 0 {
		return &Malformed{fmt.Errorf("%s: the solution leaks: %s", x.file, f[0].Message)}
	}
	x.unhide(st.session)
	for _, c := range x.goal {
		f, err := x.holds(ctx, st.session, c)
		if err != nil {
			return &Malformed{err}
		}
		if f != nil {
			return &Malformed{c.ErrorAt(lang.Word{Line: c.Line, Col: 1}, "the solution does not meet this %s: %s",
				with(st.view.Snapshot.Size), f.Message)}
		}
	}
	return nil
}

// hold checks the lines of the goal after an answer. The members of communicators have been compared already.
func (x *Exercise) hold(ctx context.Context, st *state) ([]Fault, error) {
	for _, h := range st.handles { // a program may set a communicator on its members only
		unset := st.where(h, func(id int32) bool { return id == render.Unset })
		if unset.Len() == 0 || unset.Len() == len(h.IDs) || !lang.IsName(h.Name) {
			continue
		}
		if _, err := st.run(ctx, unset, h.Name+" = MPI.COMM_NULL"); err != nil {
			return nil, err
		}
	}
	x.unhide(st.session)
	var faults []Fault
	for _, c := range x.goal {
		if c.Verb.Text == "expect_parts" {
			continue
		}
		f, err := x.holds(ctx, st.session, c)
		if err != nil {
			return nil, err
		}
		if f == nil {
			continue
		}
		if faults = append(faults, *f); f.Kind != Unmet {
			break // the world has ended
		}
	}
	return faults, nil
}

// unhide gives names such as world and all their own meanings back, which the goal uses: an answer may have variables
// of these names.
func (x *Exercise) unhide(s *repl.Session) {
	given := x.assignedByGiven(s)
	s.Unhide(func(name string) bool { return given[name] || slices.Contains(x.Names, name) })
}

// goalFile names the lines of the goal while they run: no answer has a file of that name.
const goalFile = "<goal>"

// holds runs a line of the goal.
func (x *Exercise) holds(ctx context.Context, s *repl.Session, c *lang.Chunk) (*Fault, error) {
	own := *c
	own.File = goalFile
	_, err := s.Run(ctx, &own)
	var at *lang.Error
	switch {
	case errors.As(err, &at):
		at.File = x.file
		return nil, at
	case err != nil:
		err = failing(err)
		var f *Fault
		if errors.As(err, &f) {
			return f, nil
		}
		return nil, err
	}
	if f := blocked(s); f != nil {
		return f, nil
	}
	here := engine.Site{File: goalFile, Line: int32(c.Line)}.String()
	for _, f := range s.View().Expectations.Failures {
		if f.Where == here {
			message := unmet(c, f.Ranks)
			if c.Verb.Text == "expect_parts" { // of the teacher's own solution
				message = f.Message
			}
			return &Fault{Kind: Unmet, Ranks: f.Ranks, Message: message}, nil
		}
	}
	return nil, nil
}
