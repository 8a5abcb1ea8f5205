package render

import (
	"io"
	"slices"
	"strings"

	"commsplit/engine"
	"commsplit/engine/reason"
)

// Explain prints why ranks hold what they hold in a variable: the call that gave it to them, what
// counted in it, the table that key and old rank sort, and the rule. rest are ranks whose reasons
// are left out.
func Explain(w io.Writer, v *View, list []reason.Explanation, rest engine.Ranks, st Style) error {
	p := newPage(st)
	x := explainer{page: p, view: v, names: newNaming(v), told: map[toldFact]bool{},
		rows: min(orderRows, max(5, 3*orderRows/max(1, len(list))))}
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
		who := rankNoun(listOf(rest), p.width-24)
		p.paragraph("... and other reasons for "+who+"; ask for some of them with @RANKS", 0, inkFaint)
	}
	return p.writeTo(w)
}

// explainer draws explanations.
type explainer struct {
	page  *page
	view  *View
	names naming
	told  map[toldFact]bool
	rows  int // of each order
}

// toldFact is a fact of a step that stands on the page already.
type toldFact struct {
	step int
	fact reason.Fact
}

// factColumn is where the text of a fact begins: "  split type   MPI_COMM_TYPE_SHARED".
const factColumn = 17

// explanation draws one. What was told of the same call before is not told again, unless the
// explanation is about one rank alone.
func (x *explainer) explanation(e *reason.Explanation, rule bool) {
	x.page.paragraph(x.head(e), 0, inkBold)
	if e.Step != nil {
		x.fact(e, "call", x.call(e.Step))
	}
	for _, f := range e.Facts {
		x.fact(e, f.Name, f.Text)
	}
	x.tried(e)
	if e.Order != nil && (e.Full || len(e.Order.Seats) > 1) {
		x.order(e.Order)
	}
	if rule && e.Rule != "" {
		x.fact(e, "rule", e.Rule+" ["+e.In+"]")
	}
	if e.Of != nil {
		x.page.line()
		x.explanation(e.Of, true)
	}
}

// news reports whether a fact is not on the page yet, and notes it.
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

// head says who holds what.
func (x *explainer) head(e *reason.Explanation) string {
	who := "world " + rankNoun(listOf(e.Ranks), x.page.width-len("world  hold MPI_COMM_NULL"))
	one := e.Ranks.Len() == 1
	switch {
	case e.Unset:
		return who + choose(one, " holds no communicator", " hold no communicator")
	case e.Comm < 0 || e.Freed:
		return who + choose(one, " holds MPI_COMM_NULL", " hold MPI_COMM_NULL")
	case e.Rank >= 0:
		return who + " is rank " + itoa(e.Rank) + " of " + itoa(x.size(e)) + " in " + x.names.of(e.Comm)
	}
	return who + choose(one, " is in ", " are in ") + x.names.of(e.Comm)
}

func choose(one bool, single, several string) string {
	if one {
		return single
	}
	return several
}

// size is the size of the communicator, of the rank's own side of an intercommunicator.
func (x *explainer) size(e *reason.Explanation) int {
	info := x.view.Snapshot.Comm(e.Comm)
	if info == nil {
		return 1
	}
	w := int32(e.Ranks.First())
	if e.Rank < len(info.Group) && info.Group[e.Rank] == w {
		return len(info.Group)
	}
	return len(info.Remote)
}

// call is "step 1, MPI_Comm_split on world, demo.py:7".
func (x *explainer) call(s *engine.Step) string {
	text := "step " + itoa(s.Number) + ", " + s.Call.String()
	if s.Comm >= 0 {
		text += " on " + x.names.of(s.Comm)
	}
	if at := s.Site(); at != "" {
		text += ", " + at
	}
	return text
}

// fact is a name and a text that goes on below itself.
func (x *explainer) fact(e *reason.Explanation, name, text string) {
	if !x.news(e, reason.Fact{Name: name, Text: text}) {
		return
	}
	const tied = "\u00a0§" // a section stays on the line of its document
	text = strings.ReplaceAll(printable(text), " §", tied)
	for i, part := range wrap(text, x.page.width-factColumn) {
		part = strings.ReplaceAll(part, tied, " §")
		label := ""
		if i == 0 {
			label = name
		}
		x.page.line(faint("  "+pad(label, factColumn-2, false)), plain(part))
	}
}

// tried lists the levels that an unguided split looked at.
func (x *explainer) tried(e *reason.Explanation) {
	wide := 0
	var levels []reason.Fact
	for _, l := range e.Tried {
		if x.news(e, l) {
			levels = append(levels, l)
		}
	}
	for _, l := range levels {
		wide = max(wide, textWidth(l.Name))
	}
	for i, l := range levels {
		label := ""
		if i == 0 {
			label = "tried"
		}
		parts := wrap(l.Text, x.page.width-factColumn-wide-gutter)
		for k, part := range parts {
			name := l.Name
			if k > 0 {
				name, label = "", ""
			}
			x.page.line(faint("  "+pad(label, factColumn-2, false)), plain(pad(name, wide+gutter, false)+part))
		}
	}
}
