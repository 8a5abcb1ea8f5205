package render

import (
	"iter"

	"commsplit/engine"
)

// What happened, as JSON: output, expectations, errors, deadlock, trace, leaks, deviations.

// each turns a list into the elements of a document.
func each[T any](list []T, doc func(*T) any) iter.Seq[any] {
	return func(yield func(any) bool) {
		for i := range list {
			if !yield(doc(&list[i])) {
				return
			}
		}
	}
}

func (d *document) output() iter.Seq[any] {
	return each(d.view.Snapshot.Output, func(l *engine.Line) any { return outputOf(l) })
}

func outputOf(l *engine.Line) outputDoc { return outputDoc{Ranks: l.Ranks.String(), Text: l.Text} }

func (d *document) expectations() expectationsDoc {
	e := d.view.Expectations
	doc := expectationsDoc{Passed: e.Passed, Failed: e.Failed, Failures: []failureDoc{}}
	for _, f := range e.Failures {
		doc.Failures = append(doc.Failures, failureDoc{Where: f.Where, Ranks: f.Ranks.String(), Message: f.Message})
	}
	return doc
}

func (d *document) errors() iter.Seq[any] {
	return each(d.view.Errors, func(e **engine.Error) any { return errorOf(*e) })
}

func errorOf(e *engine.Error) errorDoc {
	return errorDoc{
		Class: e.Class.String(), Call: callOrNull(e.Call), Comm: numberOrNull(e.Comm),
		Ranks: e.Ranks.String(), Where: e.Where, Message: e.Message(), Rule: e.Rule,
	}
}

func (d *document) deadlock() *deadlockDoc {
	lock := d.view.Deadlock
	if lock == nil {
		return nil
	}
	doc := &deadlockDoc{Waiting: []waitingDoc{}, Message: lock.Message}
	for _, w := range lock.Waiting {
		doc.Waiting = append(doc.Waiting, waitingDoc{
			Ranks: w.Ranks.String(), Call: callOrNull(w.Call), Comm: numberOrNull(w.Comm), Where: w.Site(),
		})
	}
	for _, k := range lock.Knots {
		doc.Knots = append(doc.Knots, knotDoc{Ranks: k.Ranks.String(), Comm: numberOrNull(k.Comm), Message: k.Message, Rule: k.Rule, Fix: k.Fix})
	}
	return doc
}

func (d *document) trace() iter.Seq[any] {
	return each(d.view.Snapshot.Steps, func(s *engine.Step) any { return stepOf(s) })
}

func stepOf(s *engine.Step) stepDoc {
	args := make(object, len(s.Args))
	for i := range s.Args {
		args[i] = field{s.Args[i].Name, columnValues(&s.Args[i])}
	}
	return stepDoc{
		Step: s.Number, Call: callOrNull(s.Call), Comm: numberOrNull(s.Comm), Ranks: s.Ranks.String(),
		Args: args, Made: orEmpty(s.Made), Where: s.Site(),
	}
}

// columnValues are the values of one argument over the ranks; MPI_UNDEFINED is null.
func columnValues(c *engine.Column) any {
	if c.Texts != nil {
		return c.Texts
	}
	for _, n := range c.Ints {
		if undefined(c.Name, n) {
			return withNull(c)
		}
	}
	return orEmpty(c.Ints)
}

func withNull(c *engine.Column) []*int32 {
	list := make([]*int32, len(c.Ints))
	for i := range c.Ints {
		if n := &c.Ints[i]; !undefined(c.Name, *n) {
			list[i] = n
		}
	}
	return list
}

func (d *document) unfinished() iter.Seq[any] {
	return each(d.view.Unfinished, func(u *Unfinished) any {
		return unfinishedDoc{What: u.What, Ranks: u.Ranks.String(), Call: callOrNull(u.Call), Where: u.Where, Message: u.Message}
	})
}

func (d *document) leaks() iter.Seq[any] {
	return each(d.view.Leaks, func(l *Leak) any {
		return leakDoc{What: l.What, MadeBy: orNull(l.Made), Where: orNull(l.Where), Ranks: l.Ranks.String()}
	})
}

// as tells the differences of a library.
func (d *document) as() asDoc {
	doc := asDoc{Library: d.view.As.Library.Word(), Notes: []deviationDoc{}}
	for i := range d.view.As.Notes {
		n := &d.view.As.Notes[i]
		doc.Notes = append(doc.Notes, deviationDoc{
			Deviation: n.Deviation, Step: n.Step, Call: callOrNull(n.Call), Where: n.Where, Ranks: n.Ranks.String(),
			Text: n.Text, Rule: n.Rule, Source: n.Source,
		})
	}
	return doc
}
