package practice

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"codeberg.org/commsplit/commsplit/hw/spell"
	"codeberg.org/commsplit/commsplit/repl/console"
	"codeberg.org/commsplit/commsplit/repl/lang"
)

// attempt is the lines with which a person tries to solve an exercise. A wrong try does not disturb the next try.
type attempt struct {
	x       *Exercise
	console *console.Console
	notice  func(text string)
	given   int    // chunks of the session before the person's
	tried   int    // how many of the person's chunks the last wrong try had; 0: none was wrong
	named   string // what was said last about names
}

// meet reports whether two lists have a name in common.
func meet(a, b []string) bool {
	return slices.ContainsFunc(a, func(name string) bool { return slices.Contains(b, name) })
}

// Own lists the person's lines.
func (a *attempt) Own() []*lang.Chunk {
	all := a.console.Session.Chunks()
	return all[min(a.given, len(all)):]
}

// waits returns an advice about ranks that wait.
func (a *attempt) waits() string {
	instead := "type your line again, repaired"
	if a.x.Repair != "" {
		instead = "type the repaired program from its first line"
	}
	return "Ranks wait. Type the call that lets them go on, or " + instead + "; again takes all your lines back."
}

// Again takes all lines of the person back.
func (d *Dialog) Again(ctx context.Context) error {
	d.Solved, d.grade, d.reply = false, nil, Reply{}
	return d.attempt.again(ctx)
}

func (a *attempt) again(ctx context.Context) error {
	a.tried = 0
	n, err := a.console.TakeBack(ctx, a.given)
	if err == nil {
		a.notice(fmt.Sprintf("You start again: %s taken back.", spell.Plural(n, "line")))
	}
	return err
}

// misnames returns a sentence for a line that made a communicator while the exercise asks for another name; else "".
func (a *attempt) misnames(c *lang.Chunk) string {
	s := a.console.Session
	text, sets := a.x.misnamed(s), s.Assigned(c)
	others := a.x.others(a.x.goals[0], s)
	switch {
	case a.x.Repair != "", len(sets) == 0 && text == a.named,
		len(sets) > 0 && !meet(sets, others):
		return ""
	}
	a.named = text
	return text
}

// Run runs a line. After a try that was wrong or left ranks waiting, a line that sets a name of the answer replaces the
// line that set the name before, or that made its communicator under another name; the first line of a repair, typed
// again, begins again. ran is false for lines that answers may not have.
func (a *attempt) Run(ctx context.Context, c *lang.Chunk) (ran bool, err error) {
	s := a.console.Session
	if err := forbidden(s, c, a.x.assignedByGiven(s)); err != nil {
		return false, err
	}
	own := slices.Clone(a.Own())
	at := a.replaced(own, c)
	switch {
	case at < 0, c.Ranks.Text != "" && len(s.Waiting()) > 0: // other ranks make the call that is missing
		return true, a.console.Try(ctx, c)
	case a.x.Repair != "":
		return true, errors.Join(a.again(ctx), a.console.Try(ctx, c))
	}
	return a.replace(ctx, own, at, c)
}

// replaced returns the index of the person's line that a new line replaces; -1 for none.
func (a *attempt) replaced(own []*lang.Chunk, c *lang.Chunk) int {
	s := a.console.Session
	sets := s.Assigned(c)
	vars := s.Variables()
	if a.named != "" && slices.ContainsFunc(sets, func(name string) bool {
		return slices.Contains(a.x.Names, name) && !slices.Contains(vars, name)
	}) {
		return a.underOtherName(own, c)
	}
	at := -1
	for i, o := range own[:min(a.tried, len(own))] {
		if slices.ContainsFunc(s.Assigned(o), func(name string) bool {
			return slices.Contains(sets, name) && (a.x.Repair != "" || slices.Contains(a.x.Names, name))
		}) {
			at = i
		}
		if a.x.Repair != "" {
			break // a program is typed from its first line
		}
	}
	return at
}

// underOtherName returns the index of the last of the person's lines that made a communicator under a name that nobody
// asks for and no line uses; -1 for none.
func (a *attempt) underOtherName(own []*lang.Chunk, c *lang.Chunk) int {
	others := a.x.others(a.x.goals[0], a.console.Session)
	for i, o := range slices.Backward(own) {
		sets := a.console.Session.Assigned(o)
		uses := func(l *lang.Chunk) bool {
			return l != o && slices.ContainsFunc(sets, func(name string) bool { return mentions(l.Text, name) })
		}
		if len(sets) == 1 && slices.Contains(others, sets[0]) && !uses(c) && !slices.ContainsFunc(own, uses) {
			return i
		}
	}
	return -1
}

// replace runs the person's lines again, with c in place of the line at index at. When c fails, all is as before.
func (a *attempt) replace(ctx context.Context, own []*lang.Chunk, at int, c *lang.Chunk) (ran bool, err error) {
	before, behind := a.around(own, at, c)
	if err := a.restore(ctx, before); err != nil {
		return false, err
	}
	if err := a.console.Try(ctx, c); err != nil {
		return false, errors.Join(err, a.restore(context.WithoutCancel(ctx), own))
	}
	err = a.silently(ctx, behind)
	if err != nil {
		a.notice("Your line replaces the previous one; a later line fails now and is taken back:")
	}
	return err == nil, err
}

// around divides the person's lines for a line that replaces another: those that use a variable which the new line sets
// run behind it.
func (a *attempt) around(own []*lang.Chunk, at int, c *lang.Chunk) (before, behind []*lang.Chunk) {
	changed := slices.Clone(a.console.Session.Assigned(c))
	for i, o := range own {
		switch {
		case i == at:
		case i > at && slices.ContainsFunc(changed, func(name string) bool { return mentions(o.Text, name) }):
			behind = append(behind, o)
			changed = append(changed, a.console.Session.Assigned(o)...)
		default:
			before = append(before, o)
		}
	}
	return before, behind
}

// restore runs lines in place of all that the person has typed.
func (a *attempt) restore(ctx context.Context, list []*lang.Chunk) error {
	if _, err := a.console.TakeBack(context.WithoutCancel(ctx), a.given); err != nil {
		return err
	}
	return a.silently(ctx, list)
}

// silently runs lines that were told before.
func (a *attempt) silently(ctx context.Context, list []*lang.Chunk) error {
	a.console.Silent = true
	defer func() { a.console.Silent = false }()
	for _, o := range list {
		if err := a.console.Try(ctx, o); err != nil {
			return err
		}
	}
	return nil
}
