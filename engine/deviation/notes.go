package deviation

import (
	"cmp"
	"slices"

	"commsplit/engine"
)

// Note tells one thing that a library would give otherwise.
type Note struct {
	Deviation string       // name of the row of the table
	Step      int          // of the trace; for an error or a deadlock the last step before it
	Call      engine.Call  // CallNone when it is about no single call
	Where     string       // "demo.py:7", several places with commas, "" when unknown
	Ranks     engine.Ranks // world ranks that see the difference
	Text      string       // what the library gives them
	Rule      string       // what it does, in words
	Source    string       // where that was seen
	Beside    bool         // it is not about who is with whom
}

// Report is what one library would give otherwise in a run.
type Report struct {
	Library Library
	Notes   []Note // in order of the trace
}

// Compare looks at a whole run: the trace of s and the errors that it raised, what ended the program
// (failed, merged over ranks; nil when nothing did) and the deadlock it is in, if any. Each step is
// judged by itself, as if everything before it had gone as here.
func Compare(l Library, s *engine.Snapshot, failed []*engine.Error, d *engine.Deadlock) *Report {
	return &Report{l, Notes(l, s, failed, d)}
}

// Notes lists what library l would give otherwise. One and the same difference at several places or
// on several ranks is one note.
func Notes(l Library, s *engine.Snapshot, failed []*engine.Error, d *engine.Deadlock) []Note {
	return collect(of(l, 0), l, s, failed, d, false)
}

// Each is Notes of one release of the library, 41 for 4.1, with a note for each step of the trace where
// there is a difference. Release 0 is any.
func Each(l Library, release int, s *engine.Snapshot, failed []*engine.Error, d *engine.Deadlock) []Note {
	return collect(of(l, release), l, s, failed, d, true)
}

func collect(rows []Deviation, l Library, s *engine.Snapshot, failed []*engine.Error, d *engine.Deadlock, apart bool) []Note {
	c := collector{scene: newScene(l, s), rows: rows, at: map[noteKey]int{}, apart: apart}
	raised := withFailure(s.Errors(), failed, len(s.Steps))
	for i := 0; ; i++ {
		for len(raised) > 0 && raised[0].Step <= i {
			c.fault(raised[0])
			raised = raised[1:]
		}
		if i == len(s.Steps) {
			break
		}
		c.step(&s.Steps[i])
	}
	if d != nil {
		c.stuck(d, len(s.Steps))
	}
	slices.SortStableFunc(c.notes, func(a, b Note) int { return cmp.Compare(a.Step, b.Step) })
	return c.notes
}

// withFailure adds the errors that ended the program where no process raised them itself.
func withFailure(raised []engine.Raised, failed []*engine.Error, steps int) []engine.Raised {
	for _, e := range failed {
		known := slices.ContainsFunc(raised, func(r engine.Raised) bool {
			return r.Class == e.Class && r.Call == e.Call && r.Comm == e.Comm && r.Text == e.Text
		})
		if !known {
			raised = append(raised, engine.Raised{Step: steps, Error: e})
		}
	}
	return raised
}

// collector gathers the notes of a run.
type collector struct {
	scene *scene
	rows  []Deviation
	notes []Note
	at    map[noteKey]int
	apart bool // one and the same difference at several steps is several notes
}

// noteKey identifies a note: what is told, not where.
type noteKey struct {
	deviation, text string
	call            engine.Call
	step            int // when these are told apart
}

func (c *collector) step(st *engine.Step) {
	c.scene.enter(st)
	for i := range c.rows {
		if d := &c.rows[i]; d.step != nil && d.about(st.Call) {
			c.add(d, st.Number, st.Call, st.Site(), d.step(c.scene, st))
		}
	}
	c.scene.leave(st)
}

func (c *collector) fault(e engine.Raised) {
	for i := range c.rows {
		if d := &c.rows[i]; d.fault != nil && d.about(e.Call) {
			c.add(d, e.Step, e.Call, e.Where, d.fault(c.scene, e.Error))
		}
	}
}

func (c *collector) stuck(lock *engine.Deadlock, step int) {
	for i := range c.rows {
		if d := &c.rows[i]; d.deadlock != nil {
			c.add(d, step, engine.CallNone, "", d.deadlock(c.scene, lock))
		}
	}
}

func (c *collector) add(d *Deviation, step int, call engine.Call, where string, found []finding) {
	for _, f := range found {
		k := noteKey{d.Name, f.text, call, 0}
		if c.apart {
			k.step = step
		}
		if i, ok := c.at[k]; ok {
			c.notes[i].join(f.ranks, where)
			continue
		}
		c.at[k] = len(c.notes)
		c.notes = append(c.notes, Note{d.Name, step, call, where, f.ranks, f.text, d.Rule, d.Source, d.Beside})
	}
}

// join adds another occasion of the same difference.
func (n *Note) join(ranks engine.Ranks, where string) {
	n.Ranks = union(n.Ranks, ranks)
	n.Where = joinPlaces(n.Where, where)
}
