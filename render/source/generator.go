package source

import (
	"fmt"
	"slices"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/render"
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
	after    []func()          // write what comes behind the call that is being written
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
	g.line(fmt.Sprintf(g.lang.begin, guard))
	g.indent++
	g.compare(c)
	g.indent--
	g.line(g.lang.end)
}

// callers is the condition of the ranks that make a call, "" when all do. A rank that holds the
// communicator that is acted on needs no numbers. On other hardware others may hold one that stands for
// hardware, and whatever was made of it.
func (g *generator) callers(c *call) string {
	made := c.from != "" && !strings.HasPrefix(c.from, "MPI_COMM_") && c.op != engine.CallIntercommCreate
	switch {
	case made && (g.plan.hardware[c.from] || g.holders(c.from) == c.ranks.String() && c.ranks.Len() < g.plan.size):
		return c.from + g.lang.unlike + "MPI_COMM_NULL"
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

// mostLines is how many lines of the script the comment above a call quotes.
const mostLines = 3

// head writes the comment above a call: where it is in the script, and what is written there.
func (g *generator) head(c *call) {
	g.tellScript(c.site)
	if c.site == "" {
		g.comment(c.op.String())
		return
	}
	var lines []string
	for _, site := range strings.Split(c.site, ", ") {
		if text := g.lines[site]; text != "" && !slices.Contains(lines, text) {
			lines = append(lines, text)
		}
	}
	if len(lines) > mostLines {
		lines = append(lines[:mostLines], "...")
	}
	text := g.plan.sites(c.site)
	if len(lines) > 0 {
		text += ": " + strings.Join(lines, "; ")
	}
	g.comment(text)
}

// readScript notes what the lines of the script are.
func (g *generator) readScript() {
	g.lines, g.at = map[string]string{}, map[string]int{}
	for i, l := range g.plan.view.Script {
		g.lines[l.Where], g.at[l.Where] = l.Text, i
	}
	g.plan.shortSites()
}

// tellScript writes what stands in the script before a place and is not a call: its notes, and what was
// taken back because it ended in a deadlock.
func (g *generator) tellScript(site string) {
	end := 0
	for _, place := range strings.Split(site, ", ") {
		end = max(end, g.at[place])
	}
	g.tellUntil(end)
}

// tellUntil does so for the lines before the end-th.
func (g *generator) tellUntil(end int) {
	var void []string
	for ; g.told < end; g.told++ {
		l := &g.plan.view.Script[g.told]
		if l.Void {
			void = append(void, g.plan.sites(l.Where)+": "+l.Text)
			continue
		}
		g.tellVoid(&void)
		if l.Note {
			g.comment(l.Text)
			g.body.WriteByte('\n')
		}
	}
	g.tellVoid(&void)
}

func (g *generator) tellVoid(lines *[]string) {
	if len(*lines) > 0 {
		g.comment("Left out, because it ended in a deadlock and was taken back: " + strings.Join(*lines, "; "))
		g.body.WriteByte('\n')
		*lines = nil
	}
}

// comment writes a comment, in as many lines as it needs.
func (g *generator) comment(text string) {
	pad := strings.Repeat("    ", g.indent)
	lines := []string{""}
	for _, word := range strings.Fields(text) {
		last := &lines[len(lines)-1]
		switch {
		case *last == "":
			*last = word
		case len(pad)+len(*last)+len(word)+len("/*  */")+1 > widest:
			lines = append(lines, word)
		default:
			*last += " " + word
		}
	}
	g.body.WriteString(g.lang.comment(lines, pad))
}

// Why calls that follow each other are left out together.
const (
	noPart     = "not affecting who is with whom"
	ownSession = "because this program uses its own session"
)

// erroneous calls show in their errors, also in those that were caught.
const erroneous = "erroneous"

// omitted is calls that are left out for one reason.
type omitted struct {
	why   string
	names []string            // in the order of the calls
	sites map[string][]string // by name
}

// omit leaves a call out, which is said once for all that follow each other.
func (g *generator) omit(c *call, why string) {
	if why == erroneous {
		return
	}
	if why != g.omitted.why {
		g.tellOmitted()
	}
	if why != noPart && why != ownSession {
		g.body.WriteByte('\n')
		g.tellScript(c.site)
		if c.made != "" {
			why += "; " + c.made + " stays MPI_COMM_NULL"
		}
		g.comment(g.plan.sites(c.site) + ": " + why)
		return
	}
	if g.omitted.why == "" {
		g.omitted = omitted{why: why, sites: map[string][]string{}}
	}
	name := c.op.String()
	if g.omitted.sites[name] == nil {
		g.omitted.names = append(g.omitted.names, name)
	}
	g.omitted.sites[name] = append(g.omitted.sites[name], strings.Split(c.site, ", ")...)
}

// tellOmitted says what was left out since the last call, and whether anything was.
func (g *generator) tellOmitted() bool {
	o := g.omitted
	if o.why == "" {
		return false
	}
	g.omitted = omitted{}
	var list []string
	for _, name := range o.names {
		list = append(list, name+" ("+g.plan.sites(unique(o.sites[name])...)+")")
	}
	g.body.WriteByte('\n')
	g.comment("Left out, " + o.why + ": " + strings.Join(list, ", "))
	return true
}

// tellErrors says which calls were erroneous before a step of the trace. They are not in the program: a
// real MPI may do anything with them.
func (g *generator) tellErrors(step int) {
	for len(g.errors) > 0 && g.errors[0].Step < step {
		e := g.errors[0]
		g.errors = g.errors[1:]
		g.tellOmitted()
		g.body.WriteByte('\n')
		g.tellScript(e.Where)
		g.comment("Left out, because it is erroneous: " + e.Error.Error())
	}
}

// tellWaiting says in which calls ranks wait forever: the trace has only calls that were carried out.
func (g *generator) tellWaiting() {
	if d := g.plan.view.Deadlock; d != nil {
		g.body.WriteByte('\n')
		g.comment("Left out, because they never return: " + d.Message)
	}
}

// shortSites finds out whether all lines of the script are in one file.
func (p *plan) shortSites() {
	for i, l := range p.view.Script {
		file, _, _ := strings.Cut(l.Where, ":")
		if p.file = file; i > 0 && !strings.HasPrefix(p.view.Script[0].Where, file+":") {
			p.file = ""
			return
		}
	}
}

// sites joins places, and names a file once: "demo.py:7, 9"; "lines 7, 9" in the only one.
func (p *plan) sites(list ...string) string {
	list = strings.Split(strings.Join(list, ", "), ", ")
	last := ""
	for i, site := range list {
		file, line, ok := strings.Cut(site, ":")
		switch {
		case ok && file == last:
			list[i] = line
		case ok && file == p.file && len(list) == 1:
			list[i] = "line " + line
		case ok && file == p.file:
			list[i] = "lines " + line
		}
		last = file
	}
	return strings.Join(list, ", ")
}

// leftOut says why a call is not in the program; "" when it is.
func (g *generator) leftOut(c *call) string {
	name := c.op.String()
	if c.steps[0].Err != nil && !g.compared.attempts(c) {
		return erroneous
	}
	switch c.op {
	case engine.CallBind:
		cpus, _ := c.texts("cpuset")
		return c.ranks.Noun() + " rebound to PUs " + strings.Join(unique(cpus.values), " | ") + ", for which MPI has no call"
	case engine.CallHWSubdomainNames:
		return name + " is from a proposal, not from the standard"
	case engine.CallGraphCreate, engine.CallDistGraphCreate, engine.CallDistGraphCreateAdjacent:
		return name + " is left out: not all of its edges are in the trace"
	case engine.CallSessionInit, engine.CallSessionFinalize, engine.CallGroupFromPset:
		return ownSession
	}
	if kinds, ok := c.texts("split_type"); ok {
		for _, kind := range kinds.values {
			if kind == "MPI_COMM_TYPE_HW_SUBDOMAIN" {
				return name + " with " + kind + " is from a proposal, not from the standard"
			}
		}
	}
	if !isWritten(c.op) {
		return noPart
	}
	for _, on := range g.actsOn(c) {
		if g.absent[on] != "" {
			return g.compared.reason(name, on, g.absent[on])
		}
	}
	return g.compared.leavesOut(c)
}
