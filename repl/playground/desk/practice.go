package desk

import (
	"context"
	"io/fs"
	"slices"
	"strings"

	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/render/page"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/lang"
	"codeberg.org/commsplit/commsplit/repl/practice"
	"codeberg.org/commsplit/commsplit/repl/stories"
	"codeberg.org/commsplit/commsplit/scripts"
)

// exercise begins the session of an exercise, in which its given lines have run. The pane Why tells its task.
func (d *Desk) exercise(ctx context.Context, name string, q *Request) error {
	e, ok := scripts.Exercise(name)
	if !ok {
		return scripts.SuggestExercise(name, fs.ErrNotExist)
	}
	x, err := practice.Read(stories.NewScript(e.File, e.Text), func(words []string) (repl.Config, error) {
		cfg, err := worldOf(words)
		cfg.Memory = d.Memory
		return cfg, err
	})
	if err != nil {
		return err
	}
	if err := d.begin(ctx, x.Worlds[0].Config, q); err != nil {
		return err
	}
	d.script = &opened{key: "practice", name: x.Name, title: e.Title, until: -1}
	if given := x.Given(); given != "" {
		for line := range strings.SplitSeq(given, "\n") {
			_ = d.run(ctx, line) // what goes wrong is reported
		}
	}
	d.script.chunks = d.console.Session.Chunks()
	if d.solves, err = x.Begin(ctx, d.console, func(text string) { d.wrapped(text) }); err != nil {
		return err
	}
	d.say("out", "The pane Why tells the task. Type the lines of your answer; hint, check, again and solution are words here, too.\n")
	return nil
}

// wrapped tells texts in lines that fit the page.
func (d *Desk) wrapped(texts ...string) {
	for _, text := range texts {
		d.say("out", repl.Wrap(text, d.console.Style.Width, "")+"\n")
	}
}

// answers runs a line of the answer, and reports the dialog's reply.
func (d *Desk) answers(ctx context.Context, c *lang.Chunk) error {
	changed, err := d.solves.Do(ctx, c)
	if !changed {
		return err
	}
	r, bad := d.solves.After(ctx, c)
	d.replied(r)
	if err == nil {
		err = bad
	}
	return err
}

// replied reports a reply of the dialog in a line, which does not cover the panes; the pane Why has it in full.
func (d *Desk) replied(r practice.Reply) {
	switch {
	case r.Bad != nil:
		d.tell(r.Bad)
	case r.Grade != nil:
		d.say("out", r.Grade.Line()+"\n")
	case r.Text != "":
		d.say("out", r.Text+"\n")
	}
}

// word carries out a word of an exercise; ok is false for a line that is none.
func (d *Desk) word(ctx context.Context, q *Request) (ok bool, err error) {
	x := d.solves
	if x == nil || d.input.Pending() {
		return false, nil
	}
	word := practice.WordOf(q.Text)
	if word == practice.None {
		return false, nil
	}
	d.said = append(d.said, said{Said{Kind: "line", Prompt: d.console.PromptText(false)}, []byte(q.Text)})
	switch word {
	case practice.Hint:
		d.wrapped(x.Hint())
	case practice.Check:
		r, err := x.Check(ctx)
		d.replied(r)
		return true, err
	case practice.Again:
		return true, x.Again(ctx)
	case practice.Solution:
		about, lines := x.Solution()
		d.wrapped(about)
		d.say("out", lines+"\n")
	case practice.Next, practice.Back:
		return true, d.beside(ctx, word, q)
	default:
		d.wrapped("The pane Why tells the task. Words here: hint, check, again, next, back, solution; .help lists the others.")
	}
	return true, nil
}

// beside opens the exercise behind or before the present one.
func (d *Desk) beside(ctx context.Context, word practice.Word, q *Request) error {
	list := scripts.Practice.Examples()
	at := slices.IndexFunc(list, func(e scripts.Example) bool { return e.Name == d.solves.Name })
	step := 1
	if word == practice.Back {
		step = len(list) - 1
	}
	return d.exercise(ctx, list[(at+step)%len(list)].Name, q)
}

// looks are the classes of rows about an exercise.
var looks = [...]string{
	practice.HeadRow: "alarm", practice.FaultRow: "fault", practice.MoreRow: "fault", practice.TitleRow: "title", practice.TextRow: "",
	practice.CodeRow: "source", practice.HintRow: "note", practice.RightRow: "bold",
}

// solved tells of the exercise as it stands in a view of the session.
func (d *Desk) solved(v *render.View) *page.Exercise {
	x := d.solves
	rows, fresh := x.Rows(mostColumns)
	out := &page.Exercise{Note: practice.BesideNote}
	var told *practice.Fault
	for i, r := range rows {
		look := looks[r.Kind]
		if i == fresh && fresh > 0 {
			look += " fresh"
		}
		switch n := len(out.Rows); {
		case r.Of == nil && r.Kind == practice.CodeRow && out.Rows[n-1].Look == looks[r.Kind]:
			out.Rows[n-1].Text += "\n" + r.Text
		case r.Of == nil:
			out.Rows = append(out.Rows, page.Row{Look: look, Text: r.Text})
		case r.Of != told:
			told = r.Of
			view, list := r.Of.Reason()
			for i := range list {
				out.Rows = append(out.Rows, page.Row{Of: view, Why: &list[i]})
			}
		}
	}
	for i := range x.Goal.Handles {
		h := &x.Goal.Handles[i]
		c := x.Compare(v, h.Name)
		sides := [2]page.Side{{Head: c.Goal, View: x.Goal.View, Handle: h}, {Head: c.Yours, View: v, Differs: c.Differs}}
		if at := slices.IndexFunc(v.Handles, func(h render.Handle) bool { return h.Name == c.Name }); at >= 0 {
			sides[1].Handle = &v.Handles[at]
		}
		out.Beside = append(out.Beside, page.Comparison{Variable: c.Name, Sides: sides})
	}
	return out
}
