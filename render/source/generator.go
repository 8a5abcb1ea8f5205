package source

import (
	"strings"

	"commsplit/engine"
	"commsplit/render"
)

// generator writes the statements of a program.
type generator struct {
	lang     *language
	plan     *plan
	tables   map[string]string // names of tables and lists by what is in them
	declared strings.Builder
	body     strings.Builder
	indent   int
	uses     map[string]bool       // what the program needs beside its calls; true: outside of guards, too
	since    map[string]engine.Std // the version that it takes to make the communicators of a variable
	guarded  bool                  // what is written now is only there with a newer library
	absent   map[string]string     // why the program does not make the communicators of a variable
	compared *comparison           // nil in a program for a reader
}

// use notes that the program needs something.
func (g *generator) use(name string) { g.uses[name] = g.uses[name] || !g.guarded }

func (g *generator) used(name string) bool {
	_, ok := g.uses[name]
	return ok
}

func newGenerator(v *render.View, l *language) *generator {
	g := &generator{lang: l, tables: map[string]string{}, uses: map[string]bool{}, since: map[string]engine.Std{}, absent: map[string]string{}, indent: 1}
	g.plan = newPlan(v, l)
	return g
}

// writeCalls writes all calls.
func (g *generator) writeCalls() *generator {
	for i, c := range g.plan.calls {
		g.write(c, i)
	}
	return g
}

// line writes a line of the body.
func (g *generator) line(text string) {
	g.body.WriteString(strings.Repeat("    ", g.indent))
	g.body.WriteString(g.lang.wrap(text, g.indent*4))
	g.body.WriteByte('\n')
}

func (g *generator) call(name string, args ...string) { g.line(g.lang.call(name, args...)) }

// write writes one call with its place in the script, only for the ranks that make it.
func (g *generator) write(c *call, at int) {
	head := c.op.String()
	if c.site != "" {
		head = c.site
	}
	if why := g.leftOut(c); why != "" {
		g.body.WriteByte('\n')
		g.line(g.lang.comment(head + ": " + why))
		g.unused(c)
		if c.made != "" {
			g.absent[c.made] = why
		}
		return
	}
	if before := at - 1; before < 0 || g.plan.calls[before].site != c.site || c.site == "" || g.leftOut(g.plan.calls[before]) != "" {
		g.body.WriteByte('\n')
		g.line(g.lang.comment(head))
	}
	since := needs(c)
	for _, name := range g.actsOn(c) {
		since = max(since, g.since[name])
	}
	if c.made != "" {
		g.since[c.made] = since
	}
	if g.guarded = since > 31; g.guarded {
		g.guard(since)
	}
	if guard := g.callers(c); guard != "" {
		g.line(g.lang.begin(guard))
		g.indent++
		g.compare(c)
		g.indent--
		g.line(g.lang.end())
	} else {
		g.compare(c)
	}
	if g.guarded {
		g.otherwise(c, since)
	}
	g.guarded = false
}

// unused keeps a C compiler from complaining of a variable that nothing uses.
func (g *generator) unused(c *call) {
	if c.made != "" && !g.lang.fortran {
		g.line("(void) " + c.made + ";")
	}
}

// callers is the condition of the ranks that make a call, "" when all do. Whoever holds the
// communicator that is acted on needs no numbers. On other hardware others may hold one that stands for
// hardware, and whatever was made of it.
func (g *generator) callers(c *call) string {
	made := c.from != "" && !strings.HasPrefix(c.from, "MPI_COMM_") && c.op != engine.CallIntercommCreate
	switch {
	case made && (g.plan.hardware[c.from] || g.holders(c.from) == c.ranks.String() && c.ranks.Len() < g.plan.size):
		return g.lang.notEqual(c.from, "MPI_COMM_NULL")
	case c.ranks.Len() == g.plan.size:
		return ""
	}
	return g.condition(c.ranks.Slice())
}

// holders is who gets a communicator in a variable.
func (g *generator) holders(name string) string {
	var all []int
	for _, id := range g.plan.of(name) {
		for _, group := range [][]int32{g.plan.comms[id].Group, g.plan.comms[id].Remote} {
			for _, r := range group {
				all = append(all, int(r))
			}
		}
	}
	return sorted(all).String()
}

// needs is the version of the standard that has the call with its arguments.
func needs(c *call) engine.Std {
	since := c.op.Since()
	if kinds, ok := c.texts("split_type"); ok {
		for _, kind := range kinds.values {
			switch kind {
			case "MPI_COMM_TYPE_HW_GUIDED", "MPI_COMM_TYPE_HW_UNGUIDED":
				since = max(since, 40)
			case "MPI_COMM_TYPE_RESOURCE_GUIDED":
				since = max(since, 41)
			}
		}
	}
	return since
}

// leftOut says why a call is not in the program; "" when it is.
func (g *generator) leftOut(c *call) string {
	name := c.op.String()
	if e := c.steps[0].Err; e != nil && !g.compared.attempts(c) {
		return name + " is erroneous (" + e.Class.String() + ") and left out"
	}
	switch c.op {
	case engine.CallBind:
		cpus, _ := c.texts("cpuset")
		return c.ranks.Noun() + ": bound anew to PUs " + strings.Join(unique(cpus.values), " | ") + ", which no program can ask an MPI for"
	case engine.CallHWSubdomainNames:
		return name + " is of a proposal; no standard has it"
	case engine.CallGraphCreate, engine.CallDistGraphCreate, engine.CallDistGraphCreateAdjacent:
		return name + " is left out: its edges are not all in the trace; " + c.made + " stays MPI_COMM_NULL"
	case engine.CallSessionInit, engine.CallSessionFinalize, engine.CallGroupFromPset:
		return name + ": a session of its own serves each call that needs one"
	}
	if kinds, ok := c.texts("split_type"); ok {
		for _, kind := range kinds.values {
			if kind == "MPI_COMM_TYPE_HW_SUBDOMAIN" {
				return name + " with " + kind + " is of a proposal; no standard has it, so " + c.made + " stays MPI_COMM_NULL"
			}
		}
	}
	if c.op != engine.CallIntercommCreate && statements[c.op] == nil {
		return name + " has no part in who is with whom, and is left out"
	}
	for _, on := range g.actsOn(c) {
		if g.absent[on] != "" {
			return g.compared.reason(name, on, g.absent[on])
		}
	}
	return g.compared.leavesOut(c)
}

func unique(list []string) []string {
	var kept []string
	seen := map[string]bool{}
	for _, text := range list {
		if !seen[text] {
			seen[text] = true
			kept = append(kept, text)
		}
	}
	return kept
}
