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
	x := explainer{teller: teller{v, newNaming(v)}, page: p, told: map[toldFact]bool{},
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
		who := rankNoun(listOf(rest), p.limit(p.width-24))
		p.paragraph("... and other reasons for "+who+"; ask for some of them with @RANKS", 0, inkFaint)
	}
	return p.writeTo(w)
}

// explainer draws explanations.
type explainer struct {
	teller
	page *page
	told map[toldFact]bool
	rows int // of each order
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
	who := "world " + rankNoun(listOf(e.Ranks), x.page.limit(x.page.width-len("world  hold MPI_COMM_NULL")))
	t := x.tell(e, who, itoa(e.Rank))
	x.page.paragraph(t.Head, 0, inkBold)
	for _, f := range t.Facts {
		x.fact(e, f.Name, f.Text)
	}
	x.tried(e)
	if t.Order != nil {
		x.order(t.Order)
	}
	if rule && t.Rule != "" {
		x.fact(e, "rule", t.Rule)
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
