// Package source writes what a world did as a program in C or Fortran that makes the same calls with the
// same arguments under a real MPI, and prints each rank's communicators, ranks and sizes.
//
// The model: the program is the trace, straight on. Steps that the ranks made at one line of the script
// become one call, in which each rank passes what it passed; communicators that such a call made are
// one variable, named as in the script where that holds them at the end. What a program cannot do, such
// as moving a process to other processors, or what has no effect on who is with whom, such as
// attributes, stays as a comment. Messages are one integer, whatever the script sent.
package source

import (
	"slices"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/render"
)

// call is one call of the program: steps of the trace that belong together.
type call struct {
	op    engine.Call
	site  string
	steps []*engine.Step
	ranks engine.Ranks
	from  string // the variable of the communicator that is acted on, "" for none
	made  string // the variable that gets the result, "" for none
}

// plan is the calls of a program and its variables.
type plan struct {
	view  *render.View
	size  int
	calls []*call
	names map[int]string // the variable of each communicator
	vars  []string       // the variables, in order
	taken map[string]bool
	// hardware is the variables that depend on where the processes run
	hardware map[string]bool
	comms    map[int]*engine.CommInfo
	file     string // the only one of the script; "" when there are several
}

func newPlan(v *render.View, l *language) *plan {
	p := &plan{view: v, size: v.Snapshot.Size, taken: map[string]bool{}, hardware: map[string]bool{}, comms: map[int]*engine.CommInfo{}}
	p.names = map[int]string{0: "MPI_COMM_WORLD", 1: "MPI_COMM_SELF"}
	for _, word := range l.reserved {
		p.taken[word] = true
	}
	for _, c := range v.Snapshot.Comms {
		p.comms[c.ID] = c
	}
	steps := v.Snapshot.Steps
	for i := 0; i < len(steps); {
		c := &call{op: steps[i].Call, site: steps[i].Site(), from: p.names[steps[i].Comm]}
		for ; i < len(steps) && p.joins(c, &steps[i]); i++ {
			c.steps = append(c.steps, &steps[i])
			c.ranks = sorted(append(c.ranks.Slice(), steps[i].Ranks.Slice()...))
		}
		p.name(c)
		p.calls = append(p.calls, c)
	}
	return p
}

// joins reports whether a step belongs to a call: other ranks at the same line.
func (p *plan) joins(c *call, s *engine.Step) bool {
	if len(c.steps) == 0 {
		return true
	}
	if s.Call != c.op || s.Site() != c.site || p.names[s.Comm] != c.from || (s.Err == nil) != (c.steps[0].Err == nil) {
		return false
	}
	for r := range s.Ranks.All {
		if c.ranks.Has(r) {
			return false
		}
	}
	return true
}

// name gives a call whose result is a communicator its variable.
func (p *plan) name(c *call) {
	var ids []int
	for _, s := range c.steps {
		ids = append(ids, s.Made...)
	}
	if !c.op.MakesComm() || c.steps[0].Err != nil {
		return
	}
	c.made = p.variable(ids, c)
	p.vars = append(p.vars, c.made)
	p.hardware[c.made] = c.op == engine.CallSplitType || p.hardware[c.from]
	for _, id := range ids {
		p.names[id] = c.made
	}
}

// variable returns the name of the variable for some communicators: that of the handle that holds one of them at
// the end, or a name with the lowest of their numbers.
func (p *plan) variable(ids []int, c *call) string {
	for i := range p.view.Handles {
		h := &p.view.Handles[i]
		for _, id := range h.IDs {
			if id > 1 && slices.Contains(ids, int(id)) {
				return p.fresh(identifier(h.Name))
			}
		}
	}
	if len(ids) == 0 {
		return p.fresh("nothing" + strconv.Itoa(c.steps[0].Number))
	}
	return p.fresh("comm" + strconv.Itoa(slices.Min(ids)))
}

// fresh returns a name that is not taken in upper or lower case, which Fortran does not tell apart.
func (p *plan) fresh(name string) string {
	try := name
	for n := 2; p.taken[strings.ToLower(try)]; n++ {
		try = name + "_" + strconv.Itoa(n)
	}
	p.taken[strings.ToLower(try)] = true
	return try
}

// identifier returns a name that both languages accept: at most 40 letters, digits and underscores, the first a
// letter.
func identifier(name string) string {
	var b strings.Builder
	for _, r := range name {
		switch {
		case r < 0x80 && (r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'):
			b.WriteRune(r)
		case r == ']':
		default:
			b.WriteByte('_')
		}
	}
	text := b.String()
	if text == "" || text[0] == '_' || text[0] >= '0' && text[0] <= '9' || strings.HasPrefix(strings.ToLower(text), "mpi_") {
		text = "comm_" + text
	}
	return text[:min(len(text), 40)]
}
