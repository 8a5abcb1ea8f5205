package render

import (
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw/spell"
)

// NoComms replaces a lineage without communicators.
const NoComms = "no communicators are known: this world keeps no trace"

// Lineage prints which communicator was made from which: a tree with sizes, context ids, the call and the
// arguments that led to each, names, and whether it was freed. Many siblings that a single call made share a line.
func Lineage(w io.Writer, v *View, st Style) error {
	p := newPage(st)
	if len(v.Snapshot.Comms) == 0 {
		p.line(plain(NoComms))
		return p.writeTo(w)
	}
	rows := DescentOf(v.Snapshot).Fit(p.picture, p.limit(8), 4, 1)
	shown := fewer(len(rows), p.picture)
	NewWords(v).lineage(p, rows[:shown])
	p.more("  ", len(rows)-shown, "line")
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

// lineage draws rows with the most detail in which every line fits.
func (w *Words) lineage(p *page, rows []Kin) {
	w.collect(rows)
	for d := fullDetail; ; d++ {
		if g := w.grid(p, rows, d); d == leastDetail || total(g.widths(unbounded)) <= p.width {
			g.drawTo(p)
			return
		}
	}
}

func (w *Words) grid(p *page, rows []Kin, d detail) *grid {
	g := &grid{columns: []column{{}, {}, {}, {flexible: true}, {flexible: true}}}
	for _, k := range rows {
		c := k.Comms[0]
		name, size := w.names.of(c.ID), Sizes(k.Comms)
		how := cell{fit: func(width int) string { return w.how(c, d, width, w.State(k.Comms)) }}
		if n := len(k.Comms); n > 1 {
			name += ".." + strconv.Itoa(k.Comms[n-1].ID)
			how = text(words(callName(c.Op, d), w.State(k.Comms)))
			if size = strconv.Itoa(n) + " × " + size; d == fullDetail {
				size = spell.Plural(n, "communicator") + " of " + Sizes(k.Comms)
			}
		}
		g.row(text(k.Branch+name), text(size), quiet(contexts(k.Comms, p.limit(contextWidth))), how, quiet(c.Where))
	}
	return g
}

func callName(c engine.Call, d detail) string {
	if d >= shortCall {
		return strings.TrimPrefix(c.String(), "MPI_Comm_")
	}
	return c.String()
}

// how returns how c was made: the call with its arguments, the hardware of c, its name; then the state of c.
func (w *Words) how(c *engine.CommInfo, d detail, width int, state string) string {
	switch {
	case c.Op == engine.CallNone && c.ID > engine.SelfID:
		return "" // in the picture of a goal, no call is known
	case c.Op == engine.CallNone:
		return "MPI_COMM_WORLD"
	}
	call, from := callName(c.Op, d), instance(w.view.Snapshot, c)
	if c.Parent2 > 0 { // the line is below the line of the left group's communicator
		call += " with " + w.names.of(c.Parent2)
	}
	rest := words(w.names.set(c.ID), state)
	switch {
	case from == "" || d < shortCall:
		if args := w.arguments(c, width-len(call)-len(rest)-1-gutter); args != "" {
			call += " " + args
		}
	case d == leastDetail:
		_, from, _ = strings.Cut(from, "://")
	}
	return words(call, from, rest)
}

// State returns how many of the communicators were freed or are stale: "freed", "stale", "2 stale" of several; ""
// for none.
func (w *Words) State(comms []*engine.CommInfo) string {
	freed, old := 0, 0
	for _, c := range comms {
		if w.freed[c.ID] {
			freed++
		}
		if w.stale[c.ID] != nil {
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
func (w *Words) arguments(c *engine.CommInfo, width int) string {
	args, known := w.args[c.ID]
	if !known {
		args = w.argumentsOf(c)
		w.args[c.ID] = args
	}
	return arguments(args, nil, width)
}

// collect finds the arguments for the lines of single communicators. It does so in parallel, as each walks over
// all ranks.
func (w *Words) collect(rows []Kin) {
	args := make([][]engine.Column, len(rows))
	var done sync.WaitGroup
	for i, k := range rows {
		if len(k.Comms) == 1 {
			done.Go(func() { args[i] = w.argumentsOf(k.Comms[0]) })
		}
	}
	done.Wait()
	for i, k := range rows {
		if len(k.Comms) == 1 {
			w.args[k.Comms[0].ID] = args[i]
		}
	}
}

// argumentsOf returns the arguments of the step that made c: for c's processes, in the order of their ranks; nil
// when no step made c.
func (w *Words) argumentsOf(c *engine.CommInfo) []engine.Column {
	steps := w.view.Snapshot.Steps
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
		} else if a.Ints = pick(a.Ints, rows); a.Name == "key" && !slices.ContainsFunc(a.Ints, func(k int32) bool { return k != 0 }) {
			continue
		}
		args = append(args, a)
	}
	return args
}
