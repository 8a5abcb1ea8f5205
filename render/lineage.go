package render

import (
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/engine/reason"
	"codeberg.org/commsplit/commsplit/hw/spell"
)

// lineageLines is the most lines of a lineage.
const lineageLines = 56

// Lineage prints which communicator was made from which: a tree with sizes, context ids, the call and the
// arguments that led to each, names, and whether it was freed. Many siblings that a single call made share a line.
func Lineage(w io.Writer, v *View, st Style) error {
	p := newPage(st)
	if len(v.Snapshot.Comms) == 0 {
		p.line(plain("no communicators are known: this world keeps no trace"))
		return p.writeTo(w)
	}
	var f *family
	most := p.picture(lineageLines)
	for _, alone := range []int{p.limit(8), 4, 1} {
		f = newFamily(v, alone)
		for _, root := range f.roots() {
			f.add(root, "", "")
		}
		if len(f.lines) <= most {
			break
		}
	}
	rest := 0
	if n := len(f.lines); n > most {
		f.lines, rest = f.lines[:most-1], n-most+1
	}
	f.collect()
	f.draw(p)
	leftOut(p, rest)
	return p.writeTo(w)
}

// detail is how much a line shows; all lines of a page have the same detail.
type detail int

const (
	fullDetail  detail = iota // "64 communicators of 64 ranks  MPI_Comm_split color=0"
	shortCount                // "64 × 64 ranks  MPI_Comm_split color=0"
	shortCall                 // "64 × 64 ranks  split color=0"
	leastDetail               // like shortCall, without the scheme of hardware, and with arguments cut
)

// draw draws the lines with the most detail in which every line fits.
func (f *family) draw(p *page) {
	for d := fullDetail; ; d++ {
		if g := f.grid(p, d); d == leastDetail || total(g.widths(unbounded)) <= p.width {
			g.drawTo(p)
			return
		}
	}
}

func (f *family) grid(p *page, d detail) *grid {
	g := newGrid(column{}, column{}, column{}, column{flexible: true}, column{flexible: true})
	for _, k := range f.lines {
		c := k.comms[0]
		name, size := f.names.of(c.ID), Sizes(k.comms)
		how := fitted(func(width int) string { return f.how(c, d, width) })
		if n := len(k.comms); n > 1 {
			name += ".." + strconv.Itoa(k.comms[n-1].ID)
			how = text(words(callName(c.Op, d), f.state(k.comms)))
			if size = strconv.Itoa(n) + " × " + size; d == fullDetail {
				size = spell.Plural(n, "communicator") + " of " + Sizes(k.comms)
			}
		}
		g.row(text(k.branch+name), text(size), quiet(contexts(k.comms, p.limit(contextWidth))), how, quiet(c.Where))
	}
	return g
}

func callName(c engine.Call, d detail) string {
	if d >= shortCall {
		return strings.TrimPrefix(c.String(), "MPI_Comm_")
	}
	return c.String()
}

// how returns how c was made: the call with its arguments, the hardware of c, its name.
func (f *family) how(c *engine.CommInfo, d detail, width int) string {
	switch {
	case c.Op == engine.CallNone && c.ID > engine.SelfID:
		return "" // in the picture of a goal, no call is known
	case c.Op == engine.CallNone:
		return "MPI_COMM_WORLD"
	}
	call, from := callName(c.Op, d), instance(f.view.Snapshot, c)
	if c.Parent2 > 0 { // the line is below the line of the left group's communicator
		call += " with " + f.names.of(c.Parent2)
	}
	rest := words(f.names.set(c.ID), f.state([]*engine.CommInfo{c}))
	switch {
	case from == "" || d < shortCall:
		if args := f.arguments(c, width-len(call)-len(rest)-1-gutter); args != "" {
			call += " " + args
		}
	case d == leastDetail:
		_, from, _ = strings.Cut(from, "://")
	}
	return words(call, from, rest)
}

// state returns how many communicators were freed, and how many are stale.
func (f *family) state(comms []*engine.CommInfo) string {
	freed, old := 0, 0
	for _, c := range comms {
		if f.freed[c.ID] {
			freed++
		}
		if f.stale[c.ID] != nil {
			old++
		}
	}
	return words(countOf(freed, len(comms), "freed"), countOf(old, len(comms), "stale"))
}

// countOf puts n before word, unless word holds for all things: "freed" for all, "2 freed", "" for none.
func countOf(n, all int, word string) string {
	switch n {
	case 0:
		return ""
	case all:
		return word
	}
	return strconv.Itoa(n) + " " + word
}

// Sizes returns "6 ranks", "3+4 ranks" for an intercommunicator, "1-6 ranks" for several communicators.
func Sizes(comms []*engine.CommInfo) string {
	c := comms[0]
	if len(comms) == 1 && c.Remote != nil {
		return strconv.Itoa(len(c.Group)) + "+" + strconv.Itoa(len(c.Remote)) + " ranks"
	}
	size := func(c *engine.CommInfo) int { return len(c.Group) + len(c.Remote) }
	least, most := size(c), size(c)
	for _, d := range comms {
		least, most = min(least, size(d)), max(most, size(d))
	}
	if least < most {
		return strconv.Itoa(least) + "-" + strconv.Itoa(most) + " ranks"
	}
	return spell.Plural(most, "rank")
}

// arguments returns what the processes of c passed to the call that made c. It leaves out keys if all are zero,
// and the group, which is the group of c.
func (f *family) arguments(c *engine.CommInfo, width int) string {
	args, known := f.args[c.ID]
	if !known {
		args = f.argumentsOf(c)
		f.args[c.ID] = args
	}
	return arguments(args, nil, width)
}

// collect finds the arguments for the lines of single communicators. It does so in parallel, as each walks over
// all ranks.
func (f *family) collect() {
	args := make([][]engine.Column, len(f.lines))
	var done sync.WaitGroup
	for i, k := range f.lines {
		if len(k.comms) == 1 {
			done.Go(func() { args[i] = f.argumentsOf(k.comms[0]) })
		}
	}
	done.Wait()
	for i, k := range f.lines {
		if len(k.comms) == 1 {
			f.args[k.comms[0].ID] = args[i]
		}
	}
}

// argumentsOf returns the arguments of the step that made c: for c's processes, in the order of their ranks; nil
// when no step made c.
func (f *family) argumentsOf(c *engine.CommInfo) []engine.Column {
	steps := f.view.Snapshot.Steps
	if c.Step < 1 || c.Step > len(steps) {
		return nil
	}
	s := &steps[c.Step-1]
	rows := rowsOf(s.Ranks, c.Group, c.Remote)
	var args []engine.Column
	for _, a := range s.Args {
		if a.Name == "group" {
			continue
		}
		if a.Texts != nil {
			a.Texts = pick(a.Texts, rows)
		} else if a.Ints = pick(a.Ints, rows); a.Name == "key" && allZero(a.Ints) {
			continue
		}
		args = append(args, a)
	}
	return args
}

func allZero(list []int32) bool {
	return !slices.ContainsFunc(list, func(x int32) bool { return x != 0 })
}

// family holds the communicators by parent.
type family struct {
	view     *View
	names    naming
	freed    map[int]bool
	stale    map[int]*reason.Stale
	children map[int][]*engine.CommInfo
	alone    int // the most siblings of one call that have a line each
	lines    []kin
	args     map[int][]engine.Column // by id of a communicator, once asked for: see argumentsOf
}

// kin is one line of the lineage: a communicator, or several siblings.
type kin struct {
	branch string
	comms  []*engine.CommInfo
}

func newFamily(v *View, alone int) *family {
	f := &family{view: v, names: newNaming(v), freed: v.Snapshot.Freed(), stale: reason.StaleComms(v.Snapshot), alone: alone, args: map[int][]engine.Column{}}
	f.children = map[int][]*engine.CommInfo{}
	for _, c := range v.Snapshot.Comms {
		f.children[c.Parent] = append(f.children[c.Parent], c)
	}
	return f
}

// roots returns the communicators without a parent, in lines: MPI_COMM_WORLD, then the communicators that were
// made from groups alone. A call makes only one of the latter; with alone == 1, those made at the same line of the
// program share a line.
func (f *family) roots() [][]*engine.CommInfo {
	all := f.children[-1]
	return append([][]*engine.CommInfo{all[:1]}, f.lined(all[1:], f.alone == 1)...)
}

// add adds the line of some siblings, and the lines of everything made from them. lead is the text before the
// line, under the text before the lines below it.
func (f *family) add(comms []*engine.CommInfo, lead, under string) {
	f.lines = append(f.lines, kin{lead, comms})
	below := f.below(comms)
	for i, kids := range below {
		if i == len(below)-1 {
			f.add(kids, under+"└─ ", under+"   ")
		} else {
			f.add(kids, under+"├─ ", under+"│  ")
		}
	}
}

// below returns the communicators that were made from comms, in lines.
func (f *family) below(comms []*engine.CommInfo) [][]*engine.CommInfo {
	var kids []*engine.CommInfo
	for _, parent := range comms {
		kids = append(kids, f.children[parent.ID]...)
	}
	return f.lined(kids, len(comms) > 1)
}

// lined groups communicators into lines: those that a single call made share a line when they are many. With
// together, calls at the same place on several parents count as one call, and their communicators always share a
// line.
func (f *family) lined(comms []*engine.CommInfo, together bool) [][]*engine.CommInfo {
	type origin struct {
		op    engine.Call
		where string
		step  int // 0 with together
	}
	var order []origin
	byOrigin := map[origin][]*engine.CommInfo{}
	for _, c := range comms {
		o := origin{c.Op, c.Where, c.Step}
		if together {
			o.step = 0
		}
		if byOrigin[o] == nil {
			order = append(order, o)
		}
		byOrigin[o] = append(byOrigin[o], c)
	}
	var lines [][]*engine.CommInfo
	for _, o := range order {
		list := byOrigin[o]
		if len(list) > f.alone || together {
			lines = append(lines, list)
			continue
		}
		for i := range list {
			lines = append(lines, list[i:i+1])
		}
	}
	return lines
}
