package source

import (
	"io"
	"slices"
	"strconv"
	"strings"

	"commsplit/engine"
	"commsplit/render"
)

// Attempt is what a program for comparing tries at its end: an erroneous call of the trace, or calls that
// the trace does not have, because they were refused at once or processes wait in them. Without either
// the program ends with who holds what.
type Attempt struct {
	Step  int            // of the erroneous call, 0 for none
	Calls []engine.Step  // those that are not in the trace, numbered behind it
	After int            // the step behind which they come
	Skip  map[int]string // steps that are left out, and why
}

// Coverage tells what of the session a program for comparing has.
type Coverage struct {
	Absent map[int]string     // by id of a communicator: why the program does not make it
	Since  map[int]engine.Std // by id: the version of the standard that a library must have to make it
	Tried  engine.Std         // the version that has the attempted calls, 0 where they cannot be written
	Steps  []int              // the erroneous steps that were made at one place, and are tried as one call
	Why    string             // why the attempted calls cannot be written
	Made   []Made             // the calls that make communicators
}

// Made is a call that makes communicators: the steps that were made at one place. What each process got
// is told as that of the first of them.
type Made struct {
	Steps  []int
	Since  engine.Std // the version of the standard that a library must have
	Absent string     // why the program does not have it
}

// byHardware is why a program for comparing leaves out what depends on the machine.
const byHardware = "depends on the hardware where it runs"

// ByHardware reports whether something is absent because it depends on the hardware.
func ByHardware(absent string) bool { return strings.HasSuffix(absent, byHardware) }

// comparison is what a program for comparing has beyond one for a reader; nil is the latter.
type comparison struct {
	attempt Attempt
	seconds int // how long the program stays after an attempt, and how long it may take
	last    int // steps of the trace
	tried   engine.Std
}

// inCheck is C with the functions that a program for comparing calls: no variable may hide one.
var inCheck = &language{and: inC.and, or: inC.or, reserved: append(slices.Clone(inC.reserved), "at", "got", "passed", "introduce", "stay")}

// Check writes a C program for comparing. It makes the calls that do not depend on hardware. Each process
// writes lines into the file rank-N in the folder that is the program's argument: the library's name,
// where it is ("world rank 3 at step 12"), which error it gets, what a call gave it (@12), and at the end
// what it holds: the handle with index 2 is #2. After an attempt each process that made it tells that it
// has passed, and the program stays for some seconds; it is there to be ended. A process that nobody ends ends
// itself after those seconds and a grace, whatever it does.
func Check(w io.Writer, v *render.View, attempt Attempt, seconds int) (*Coverage, error) {
	x := &comparison{attempt: attempt, seconds: seconds, last: len(v.Snapshot.Steps)}
	g := newGenerator(v, inCheck)
	g.compared = x
	if attempt.Step > 0 {
		end := slices.IndexFunc(g.plan.calls, x.attempts)
		g.plan.calls = g.plan.calls[:end+1]
		g.plan.receive(g.plan.calls[end])
	}
	if len(attempt.Calls) > 0 {
		g.plan.calls = slices.DeleteFunc(g.plan.calls, func(c *call) bool { return c.steps[0].Number > attempt.After })
	}
	for i := range attempt.Calls {
		g.plan.add(&attempt.Calls[i])
	}
	g.writeCalls()
	c := &Coverage{Absent: map[int]string{}, Since: map[int]engine.Std{}, Tried: x.tried}
	for id, name := range g.plan.names {
		if why := g.absent[name]; why != "" {
			c.Absent[id] = why
		}
		c.Since[id] = g.since[name]
	}
	for _, k := range g.plan.calls {
		if !x.attempts(k) {
			if k.made != "" {
				c.Made = append(c.Made, Made{k.numbers(), g.since[k.made], g.absent[k.made]})
			}
			continue
		}
		c.Steps = append(c.Steps, k.numbers()...)
		if why := g.leftOut(k); why != "" {
			if why == noPart || why == ownSession {
				why = k.op.String() + ", " + why
			}
			c.Tried, c.Why = 0, why
		}
	}
	return c, g.program(w)
}

// numbers are those of a call's steps.
func (c *call) numbers() []int {
	var list []int
	for _, s := range c.steps {
		list = append(list, s.Number)
	}
	return list
}

// add adds a call that the trace does not have.
func (p *plan) add(s *engine.Step) {
	c := &call{op: s.Call, site: s.Site(), steps: []*engine.Step{s}, ranks: s.Ranks, from: p.names[s.Comm]}
	p.receive(c)
	p.calls = append(p.calls, c)
}

// receive gives an attempted call a variable for what it may make.
func (p *plan) receive(c *call) {
	if makesComm[c.op] {
		c.made = p.fresh("attempted")
		p.vars = append(p.vars, c.made)
	}
}

// attempts reports whether a call is one that the program tries.
func (x *comparison) attempts(c *call) bool {
	return x != nil && slices.ContainsFunc(c.steps, func(s *engine.Step) bool { return s.Number == x.attempt.Step || s.Number > x.last })
}

// reason says why a call is left out that acts on what is: in a program for comparing, for the same
// reason.
func (x *comparison) reason(name, on, why string) string {
	if x == nil {
		return name + " acts on " + on + ", which is not made here"
	}
	return why
}

// leavesOut says why a call is not in a program for comparing though it is in one for a reader.
func (x *comparison) leavesOut(c *call) string {
	if x == nil {
		return ""
	}
	name := c.op.String()
	for _, s := range c.steps {
		if why := x.attempt.Skip[s.Number]; why != "" {
			return name + " " + why
		}
	}
	switch {
	case c.op == engine.CallSplitType && c.steps[0].Err == nil, c.op == engine.CallHWInfo:
		return name + " " + byHardware
	case !x.attempts(c):
		return ""
	}
	for _, s := range c.steps {
		for _, column := range s.Args {
			if slices.ContainsFunc(column.Texts, func(t string) bool { return strings.Contains(t, "...") }) {
				return name + ": the trace has its group in short"
			}
		}
	}
	switch c.op {
	case engine.CallIntercommCreate, engine.CallIntercommCreateFromGroups, engine.CallCreateFromGroup:
		return name + ": the trace does not have all groups of an erroneous call"
	}
	return ""
}

// compare writes a statement, and in a program for comparing what tells of it.
func (g *generator) compare(c *call) {
	if g.compared == nil {
		g.statement(c)
		return
	}
	g.call("at", strconv.Itoa(c.steps[0].Number))
	g.statement(c)
	switch {
	case g.compared.attempts(c):
		g.compared.tried = max(g.compared.tried, 11, needs(c))
		g.call("passed")
	case c.made != "":
		g.call("got", c.made)
	}
}

// actsOn lists the variables of the communicators that a call acts on.
func (g *generator) actsOn(c *call) []string {
	if c.op != engine.CallIntercommCreate || len(c.steps[0].Made) == 0 {
		return []string{c.from}
	}
	var names []string
	peers, _ := c.ints("peer_comm")
	for i, r := range peers.ranks {
		for _, name := range []string{g.localComm(c, int32(r)), g.plan.names[int(peers.values[i])]} {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}
