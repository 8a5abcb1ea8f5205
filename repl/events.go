package repl

import (
	"math"
	"slices"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw/spell"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/repl/prediction"
)

// Events lists what happened on the present world besides the calls of its trace, in order. The events that a
// deadlock took back come before the deadlock.
func (s *Session) Events() []render.Event {
	return storyOf(s, s.began, false)
}

// takenBackFrom lists the events since an entry began, and then the deadlock that takes all of them back.
func takenBackFrom(s *Session, entry int) []render.Event {
	list := storyOf(s, entry, true)
	at := s.entries[entry].At.Steps
	for i := range list {
		list[i].Step = at
	}
	return append(list, render.Event{Step: at, Locked: s.View()})
}

// storyOf lists the events since an entry began. With back, the entries are being taken back, and the list also has
// their lines and calls.
func storyOf(s *Session, first int, back bool) []render.Event {
	w := &storyteller{back: back, rest: happenedSince(s, s.entries[first].At, back)}
	void := takenBack(s.entries)
	for i := first; i < len(s.entries); i++ {
		e := &s.entries[i]
		w.list = append(w.list, e.gone...)
		if void[i] {
			continue
		}
		until := s.world.Now()
		if i+1 < len(s.entries) {
			until = s.entries[i+1].At
		}
		w.entry(e, until)
	}
	for _, h := range w.rest {
		w.list = append(w.list, h.Event)
	}
	return w.list
}

// storyteller collects events entry by entry.
type storyteller struct {
	back  bool
	rest  []happened // events that are not in list yet
	lines []string   // lines that ran since the last note or question
	list  []render.Event
}

// happened is an event and the moment at which it happened, which orders all events.
type happened struct {
	at engine.Moment
	render.Event
}

// entry appends the events from the beginning of an entry until a moment.
func (w *storyteller) entry(e *Entry, until engine.Moment) {
	if e.Chunk != nil && !Checks(e.Chunk) {
		text := strings.TrimRight(e.Chunk.Text, "\n")
		w.lines = append(w.lines, text)
		if w.back {
			w.list = append(w.list, render.Event{Typed: text})
		}
	}
	asked := e.verdict != ""
	for len(w.rest) > 0 && w.rest[0].at.Compare(until) <= 0 {
		x := w.rest[0].Event
		w.rest = w.rest[1:]
		if x.Line != nil && x.Line.Note {
			if asked && x.Line.Text == e.Question {
				asked = false
				x.Question = &render.Question{Verdict: e.verdict, Answer: e.Answer, Why: e.Why, Lines: w.lines}
				if e.Answer != "" {
					x.Question.Judge = prediction.JudgeOf(e.Question, e.Answer)
				}
			}
			w.lines = nil
		}
		w.list = append(w.list, x)
	}
	for _, d := range e.shown {
		w.list = append(w.list, render.Event{Step: until.Steps, Typed: d.typed, Drawn: d.drawn})
	}
}

// happenedSince lists the events after a moment, in order, with the calls of the trace when calls is true.
func happenedSince(s *Session, from engine.Moment, calls bool) []happened {
	snapshot := s.world.Snapshot()
	list := printed(snapshot, from.Lines)
	first := slices.IndexFunc(snapshot.Raised, func(r engine.Raised) bool { return r.At.Compare(from) >= 0 })
	if first < 0 {
		first = len(snapshot.Raised)
	}
	raised := engine.MergeRaised(snapshot.Raised[first:])
	errs := make([]*engine.Error, len(raised))
	for i, r := range raised {
		errs[i] = r.Error
	}
	nameComms(s, errs)
	for _, r := range raised {
		list = append(list, happened{r.At, render.Event{Step: r.Step, Caught: r.Error}})
	}
	for _, f := range s.Expectations().Failures {
		if f.At.Compare(from) >= 0 {
			list = append(list, happened{f.At, render.Event{Step: f.At.Steps, Failure: &f}})
		}
	}
	if calls && from.Steps < len(snapshot.Steps) {
		words := render.NewWords(s.View())
		for i := from.Steps; i < len(snapshot.Steps); i++ {
			text := words.Step(&snapshot.Steps[i], math.MaxInt32)
			list = append(list, happened{engine.Moment{Steps: i + 1, Lines: -1}, render.Event{Called: text}})
		}
	}
	slices.SortStableFunc(list, func(a, b happened) int { return a.at.Compare(b.at) })
	return list
}

// mostLines is how many lines of output are events, besides notes: a page is not a place for a flood.
const mostLines = 5000

// printed lists the lines of output after the first from lines. Of a flood it has only the last part.
func printed(snapshot *engine.Snapshot, from int) (list []happened) {
	output, forgot := snapshot.Since(from)
	from += forgot
	extra := -mostLines
	for i := range output {
		if !output[i].Note {
			extra++
		}
	}
	for i := range output {
		l := &output[i]
		if !l.Note && extra > 0 {
			extra--
			forgot++
			continue
		}
		at := engine.Moment{Steps: l.Step, Lines: from + i, Turn: math.MaxInt, Own: math.MaxInt}
		if forgot > 0 && extra <= 0 {
			list = append(list, happened{at, render.Event{Step: l.Step, Line: &engine.Line{Ranks: engine.AllRanks(snapshot.Size), Text: LeftOut(forgot)}}})
			forgot = 0
		}
		list = append(list, happened{at, render.Event{Step: l.Step, Line: l}})
	}
	return list
}

// LastNote returns the text of the last note; "" without one.
func (s *Session) LastNote() string {
	for _, l := range slices.Backward(s.world.Snapshot().Output) {
		if l.Note {
			return l.Text
		}
	}
	return ""
}

// LeftOut returns the line in place of lines of a flood that are not shown.
func LeftOut(lines int) string {
	return "… " + spell.Plural(lines, "line") + " left out"
}
