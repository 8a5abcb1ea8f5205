package render

import (
	"io"
	"slices"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/engine/reason"
	"codeberg.org/commsplit/commsplit/render/paint"
)

// Explain prints why ranks hold the communicators that they hold in a variable: the call that gave it to them, the
// arguments that mattered, the table of ranks sorted by key and old rank, and the rule. rest are ranks whose
// reasons are left out.
func Explain(w io.Writer, v *View, list []reason.Explanation, rest engine.Ranks, st Style) error {
	p := newPage(st)
	x := explainer{Words: NewWords(v), page: p, told: map[toldFact]bool{},
		rows: min(orderRows, max(5, 3*orderRows/max(1, len(list))))}
	if p.full {
		x.rows = unbounded
	}
	for i := range list {
		if i > 0 {
			p.line()
		}
		again := slices.ContainsFunc(list[i+1:], func(e reason.Explanation) bool {
			return e.Rule == list[i].Rule
		})
		x.explanation(&list[i], !again)
	}
	if len(rest) > 0 {
		p.line()
		who := RankNoun(rest.List(), p.width-24)
		p.paragraph("... and other reasons for "+who+"; ask for some of them with @RANKS", 0, paint.Faint)
	}
	return p.writeTo(w)
}

// explainer draws explanations.
type explainer struct {
	*Words
	page *page
	told map[toldFact]bool
	rows int // most rows of each order
}

// toldFact is a fact of a step that is on the page already.
type toldFact struct {
	step int
	fact reason.Fact
}

// factColumn is the column where the text of a fact begins: "  split type   MPI_COMM_TYPE_SHARED".
const factColumn = 17

// explanation draws an explanation. It leaves out facts of the same call that are on the page already, unless the
// explanation is about a single rank.
func (x *explainer) explanation(e *reason.Explanation, rule bool) {
	who := "world " + RankNoun(e.Ranks.List(), x.page.width-len("world  hold MPI_COMM_NULL"))
	t := x.Telling(e, who, strconv.Itoa(e.Rank))
	x.page.paragraph(t.Head, 0, paint.Bold)
	for _, f := range t.Facts {
		x.fact(e, f.Name, f.Text)
	}
	x.tried(e)
	if t.Order != nil {
		orderGrid(t.Order, x.rows).indented(x.page, "order")
	}
	if rule && t.Rule != "" {
		x.fact(e, "rule", t.Rule)
	}
	if e.Of != nil {
		x.page.line()
		x.explanation(e.Of, true)
	}
}

// news reports whether a fact is not on the page yet, and notes that it is there now.
func (x *explainer) news(e *reason.Explanation, f reason.Fact) bool {
	if e.Step == nil || e.Full {
		return true
	}
	k := toldFact{e.Step.Number, f}
	if x.told[k] {
		return false
	}
	x.told[k] = true
	return true
}

// fact draws a name and a text; further lines of the text stand below its first line.
func (x *explainer) fact(e *reason.Explanation, name, text string) {
	if !x.news(e, reason.Fact{Name: name, Text: text}) {
		return
	}
	const tied = "\u00a0§" // keeps a section on the same line as its document
	text = strings.ReplaceAll(paint.OneLine(text), " §", tied)
	rows := paint.Wrap(text, x.page.width-factColumn)
	for i := range rows {
		rows[i] = strings.ReplaceAll(rows[i], tied, " §")
	}
	x.page.labeled(paint.Pad("  "+name, factColumn, false), rows, paint.Faint, paint.Plain)
}

// tried draws the levels that an unguided split tried.
func (x *explainer) tried(e *reason.Explanation) {
	wide := 0
	var levels []reason.Fact
	for _, l := range e.Tried {
		if x.news(e, l) {
			levels = append(levels, l)
		}
	}
	for _, l := range levels {
		wide = max(wide, paint.Width(l.Name))
	}
	var rows []string
	for _, l := range levels {
		name := l.Name
		for _, part := range paint.Wrap(l.Text, x.page.width-factColumn-wide-gutter) {
			rows = append(rows, paint.Pad(name, wide+gutter, false)+part)
			name = ""
		}
	}
	x.page.labeled(paint.Pad("  tried", factColumn, false), rows, paint.Faint, paint.Plain)
}

// Telling is an explanation in words, without layout.
type Telling struct {
	Head  string        // "world rank 3 is rank 2 of 4 in half#3"
	Facts []reason.Fact // the call first
	Tried []reason.Fact
	Order *reason.Order // nil when the order shows nothing
	Rule  string        // the rule with its section: "Processes with ... [MPI-5.0 §7.4.2]", "" for none
	Of    *Telling
}

// Telling puts an explanation into words. who names the processes that it is about, "world rank 3"; rank is the rank
// of a single process in its communicator.
func (w *Words) Telling(e *reason.Explanation, who, rank string) *Telling {
	t := &Telling{Head: w.head(e, who, rank), Tried: e.Tried}
	if e.Step != nil {
		t.Facts = append(t.Facts, reason.Fact{Name: "call", Text: w.call(e.Step)})
	}
	t.Facts = append(t.Facts, e.Facts...)
	if e.Order != nil && (e.Full || len(e.Order.Seats) > 1) {
		t.Order = e.Order
	}
	if e.Rule != "" {
		t.Rule = e.Rule + " [" + e.In + "]"
	}
	if e.Of != nil {
		t.Of = w.Telling(e.Of, who, rank)
	}
	return t
}

// head returns which ranks hold which communicator.
func (w *Words) head(e *reason.Explanation, who, rank string) string {
	one := e.Ranks.Len() == 1
	switch {
	case e.Unset:
		return who + choose(one, " holds no communicator", " hold no communicator")
	case e.Comm < 0 || e.Freed:
		return who + choose(one, " holds MPI_COMM_NULL", " hold MPI_COMM_NULL")
	case e.Rank >= 0:
		return who + " is rank " + rank + " of " + strconv.Itoa(w.size(e)) + " in " + w.names.of(e.Comm)
	}
	return who + choose(one, " is in ", " are in ") + w.names.of(e.Comm)
}

func choose(one bool, single, several string) string {
	if one {
		return single
	}
	return several
}

// size returns the size of the communicator; for an intercommunicator, the size of the rank's own group.
func (w *Words) size(e *reason.Explanation) int {
	info := w.view.Snapshot.Comm(e.Comm)
	if info == nil {
		return 1
	}
	me := int32(e.Ranks.First())
	if e.Rank < len(info.Group) && info.Group[e.Rank] == me {
		return len(info.Group)
	}
	return len(info.Remote)
}

// call returns "step 1, MPI_Comm_split on world, demo.py:7".
func (w *Words) call(s *engine.Step) string {
	text := "step " + strconv.Itoa(s.Number) + ", " + s.Call.String()
	text += w.On(s)
	if at := s.Site(); at != "" {
		text += ", " + at
	}
	return text
}

// On returns the communicator on which a call was made: " on world", "" for none; where two groups called on a
// communicator each, ", ranks 0-3 on half#2, ranks 4-7 on half#3".
func (w *Words) On(s *engine.Step) string {
	if s.Comm < 0 {
		return ""
	}
	sides := w.view.Snapshot.Sides(s)
	if len(sides) == 1 {
		return " on " + w.names.of(s.Comm)
	}
	const most = 24 // columns of the ranks of a side
	text := ""
	for _, side := range sides {
		text += ", " + RankNoun(side.Ranks.List(), most) + " on " + w.names.of(side.Comm)
	}
	return text
}

// orderRows is how many rows of a sorted table are shown. A longer table is folded around the rank that the
// explanation is about.
const orderRows = 16

// orderGrid makes the table, of most rows at most, of the ranks of a communicator sorted by key and old rank: ">" marks
// the rank that the explanation is about, "tie" the rows where the old rank decides.
func orderGrid(o *reason.Order, most int) *grid {
	number := column{right: true}
	g := &grid{columns: []column{{}, number, number, number, number, {}}}
	g.row(head(""), head("new"), head("key"), head("old"), head("world"), head(""))
	before := -1
	for _, i := range around(len(o.Seats), o.Focus, most) {
		if i > before+1 {
			g.row(text(""), quiet("⋮"), text(""), text(""), text(""), quiet(strconv.Itoa(i-before-1)+" more"))
		}
		before = i
		g.row(seatCells(o, i)...)
	}
	return g
}

func seatCells(o *reason.Order, i int) []cell {
	s, mark, k := o.Seats[i], "", paint.Plain
	if i == o.Focus {
		mark, k = ">", paint.Bold
	}
	tie := ""
	if s.Tie {
		tie = "tie"
	}
	row := []cell{text(mark)}
	for _, n := range []int{i, int(s.Key), int(s.Old), int(s.World)} {
		row = append(row, cell{text: strconv.Itoa(n), ink: k})
	}
	return append(row, quiet(tie))
}

// around picks at most limit of n rows: all, or the first rows, the last row, and the rows around focus. If focus
// is negative, it picks more of the first rows.
func around(n, focus, limit int) []int {
	var list []int
	for i := range n {
		near := i >= focus-3 && i <= focus+3
		if focus < 0 {
			near = i < limit-3
		}
		if n <= limit || i < 2 || i == n-1 || near {
			list = append(list, i)
		}
	}
	return list
}

// indented draws the grid behind a label, in the columns of facts.
func (g *grid) indented(p *page, label string) {
	widths := g.widths(p.width - factColumn)
	room := factColumn - 2
	if widths[0] > 0 {
		room -= widths[0] + gutter
	}
	for _, row := range g.rows {
		p.line(append(paint.Line{faint("  " + paint.Pad(label, room, false))}, g.spans(row, widths, false)...)...)
		label = ""
	}
}
