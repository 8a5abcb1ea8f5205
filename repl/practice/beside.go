package practice

import (
	"context"
	"slices"
	"strings"

	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/repl/lang"
	"codeberg.org/commsplit/commsplit/repl/stories"
)

// BesideNote tells how to read a comparison.
const BesideNote = "the goal | yours; » marks ranks that differ"

// Comparison is the goal of a variable beside the result of the person, on the world that is shown.
type Comparison struct {
	Name        string
	Goal, Yours string // what stands above the goal, and above the result
	Made        bool   // there is a result
	Differs     []bool // by world rank: it holds something else than it should; nil: nobody does, or nobody knows yet
}

// Compare compares the goal with a view of the session. shown is the variable that shows; a variable that the goal does
// not have stands for the first variable of the goal.
func (d *Dialog) Compare(v *render.View, shown string) Comparison {
	k := slices.IndexFunc(d.Goal.Handles, func(h render.Handle) bool { return h.Name == shown })
	c := Comparison{Name: d.Goal.Handles[max(k, 0)].Name, Yours: "yours: none yet"}
	c.Goal = "the goal: " + c.Name
	if slices.ContainsFunc(v.Handles, func(h render.Handle) bool { return h.Name == c.Name }) {
		c.Made, c.Yours = true, "yours: "+c.Name
	}
	if d.grade == nil || !c.Made {
		return c
	}
	for _, f := range d.grade.Worlds[0].Faults {
		if f.Kind != WrongGroup || f.Name != c.Name {
			continue
		}
		if c.Differs == nil {
			c.Differs = make([]bool, v.Snapshot.Size)
		}
		for r := range f.Ranks.All {
			c.Differs[r] = true
		}
	}
	return c
}

// Do runs a line while a person solves the exercise. changed reports whether the line changed the answer, so that After
// has something to tell.
func (d *Dialog) Do(ctx context.Context, c *lang.Chunk) (changed bool, err error) {
	if d.Left() {
		return false, d.console.Do(ctx, c)
	}
	lines := len(d.Own())
	switch {
	case c.Kind != lang.Meta:
		d.reply = Reply{}
		_, err = d.Run(ctx, c)
	case c.Verb.Text == "undo" && lines == 0:
		d.notice(nothingOwn)
	default:
		err = d.console.Do(ctx, c)
	}
	return !d.Left() && (len(d.Own()) != lines || err == nil && c.Kind != lang.Meta), err
}

// nothingOwn answers a person who takes lines back and has typed none.
const nothingOwn = "You have no line to take back."

// Left reports whether the session has left the exercise: it has another world, or has gone behind the beginning of the
// attempt.
func (d *Dialog) Left() bool {
	return stories.Command(d.console.Session) != d.world || len(d.console.Session.Chunks()) < d.given
}

// Opening returns the task and the given lines.
func (d *Dialog) Opening() []Row {
	rows := []Row{{Kind: TitleRow, Text: d.Titled()}}
	for _, text := range d.Task {
		rows = append(rows, Row{Kind: TextRow, Text: text})
	}
	for _, b := range d.Blocks() {
		if b.Text == d.Repair {
			b.Head += "; type the whole repaired program"
		}
		rows = append(rows, Row{Kind: TextRow, Text: b.Head + ":"})
		for line := range strings.SplitSeq(b.Text, "\n") {
			rows = append(rows, Row{Kind: CodeRow, Text: line})
		}
	}
	return rows
}

// Rows returns the task, and all that was told since: hints, and what there is to say about the lines so far, in the
// order in which they were told. fresh is the index of the first row of what was told last; 0: only the task was told.
// The reason of a wrong answer is laid out in width columns.
func (d *Dialog) Rows(width int) (rows []Row, fresh int) {
	first, last := []Row(nil), d.verdict(width)
	for _, text := range d.Hinted {
		first = append(first, Row{Kind: HintRow, Text: text})
	}
	if d.hint || len(last) == 0 {
		first, last = last, first
	}
	if rows = append(d.Opening(), first...); len(last) > 0 {
		fresh = len(rows)
	}
	return append(rows, last...), fresh
}

// verdict returns the rows about the lines so far: their grade, or without a grade the reply to the last line.
func (d *Dialog) verdict(width int) []Row {
	r, g := d.reply, d.grade
	switch {
	case r.Bad != nil:
		return []Row{{Kind: HeadRow, Text: "This is not an answer: " + r.Bad.Error()}}
	case g == nil && r.Text != "":
		return []Row{{Kind: HeadRow, Text: r.Text}}
	case g == nil:
		return nil
	case !g.Right:
		return g.Rows(width)
	}
	rows := []Row{{Kind: RightRow, Text: sentence(g.Line())}}
	for _, text := range d.Told {
		rows = append(rows, Row{Kind: TextRow, Text: text})
	}
	return rows
}
