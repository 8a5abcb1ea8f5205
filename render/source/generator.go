package source

import (
	"slices"
	"strings"

	"commsplit/engine"
	"commsplit/render"
)

// generator writes the statements of a program.
type generator struct {
	lang     *language
	plan     *plan
	tables   map[string]string // names of tables and lists by what is in them
	declared []declaration     // tables of a Fortran program
	body     strings.Builder
	indent   int
	since    map[string]engine.Std // the version that it takes to make the communicators of a variable
	guard    guard
	omitted  omitted
	lines    map[string]string // of the script, by place
	at       map[string]int    // and which of them it is
	told     int               // how many of these have been told of
	errors   []engine.Raised   // that have not been told of
	absent   map[string]string // why the program does not make the communicators of a variable
	compared *comparison       // nil in a program for a reader
}

func newGenerator(v *render.View, l *language) *generator {
	g := &generator{lang: l, tables: map[string]string{}, since: map[string]engine.Std{}, absent: map[string]string{}, indent: 1}
	g.plan = newPlan(v, l)
	g.readScript()
	return g
}

// writeCalls writes all calls. A program that ends with an attempt tells of no errors, and of no calls
// that wait: they are what it tries.
func (g *generator) writeCalls() *generator {
	v := g.plan.view
	if !g.compared.stays() {
		g.errors = v.Snapshot.Errors()
	}
	for i, c := range g.plan.calls {
		g.write(c, i)
	}
	g.tellOmitted()
	g.leave()
	g.tellErrors(len(v.Snapshot.Steps) + 1)
	if slices.ContainsFunc(v.Script[g.told:], func(l render.ScriptLine) bool { return l.Note || l.Void }) {
		g.body.WriteByte('\n')
		g.tellUntil(len(v.Script))
		text := strings.TrimSuffix(g.body.String(), "\n")
		g.body.Reset()
		g.body.WriteString(text)
	}
	if !g.compared.stays() {
		g.tellWaiting()
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
	g.tellErrors(c.steps[0].Number)
	if why := g.leftOut(c); why != "" {
		if c.made != "" {
			g.absent[c.made] = why
		}
		g.omit(c, why)
		return
	}
	fresh := g.tellOmitted()
	since := needs(c)
	for _, name := range g.actsOn(c) {
		since = max(since, g.since[name])
	}
	if c.made != "" {
		g.since[c.made] = since
	}
	before := g.guard.since
	g.enter(since)
	if fresh || at == 0 || c.site == "" || g.plan.calls[at-1].site != c.site || g.leftOut(g.plan.calls[at-1]) != "" {
		if before == g.guard.since || g.guard.since == 0 {
			g.body.WriteByte('\n')
		}
		g.head(c)
	}
	g.within(c)
	guard := g.callers(c)
	if guard == "" {
		g.compare(c)
		return
	}
	g.line(g.lang.begin(guard))
	g.indent++
	g.compare(c)
	g.indent--
	g.line(g.lang.end())
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
