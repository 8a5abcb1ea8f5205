package source

import (
	"strings"

	"commsplit/engine"
)

// Why calls that follow each other are left out together.
const (
	noPart     = "having no part in who is with whom"
	ownSession = "as a session of this program serves the calls that need one"
)

// erroneous calls are told of by their errors, caught ones, too.
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
		g.comment("Left out, as it is erroneous: " + e.Error.Error())
	}
}

// tellWaiting says in which calls ranks wait forever: the trace has only calls that were carried out.
func (g *generator) tellWaiting() {
	if d := g.plan.view.Deadlock; d != nil {
		g.body.WriteByte('\n')
		g.comment("Left out, since they never return: " + d.Message)
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
		return c.ranks.Noun() + " bound anew to PUs " + strings.Join(unique(cpus.values), " | ") + ", which no program can ask an MPI for"
	case engine.CallHWSubdomainNames:
		return name + " is of a proposal; no standard has it"
	case engine.CallGraphCreate, engine.CallDistGraphCreate, engine.CallDistGraphCreateAdjacent:
		return name + " is left out: its edges are not all in the trace"
	case engine.CallSessionInit, engine.CallSessionFinalize, engine.CallGroupFromPset:
		return ownSession
	}
	if kinds, ok := c.texts("split_type"); ok {
		for _, kind := range kinds.values {
			if kind == "MPI_COMM_TYPE_HW_SUBDOMAIN" {
				return name + " with " + kind + " is of a proposal; no standard has it"
			}
		}
	}
	if c.op != engine.CallIntercommCreate && statements[c.op] == nil {
		return noPart
	}
	for _, on := range g.actsOn(c) {
		if g.absent[on] != "" {
			return g.compared.reason(name, on, g.absent[on])
		}
	}
	return g.compared.leavesOut(c)
}
