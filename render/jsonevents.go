package render

import "commsplit/engine"

// What happened, as JSON: output, expectations, errors, deadlock and trace.

func (d *document) output() {
	lines := d.view.Snapshot.Output
	d.raw("[")
	for i, l := range lines {
		d.item(i)
		d.raw(`{"ranks": `)
		d.string(l.Ranks.String())
		d.key("text")
		d.string(l.Text)
		d.raw("}")
	}
	d.end(len(lines), "]")
}

func (d *document) expectations() {
	e := d.view.Expectations
	d.raw(`{"passed": `)
	d.int(e.Passed)
	d.key("failed")
	d.int(e.Failed)
	d.key("failures")
	d.raw("[")
	for i, f := range e.Failures {
		d.item(i)
		d.raw(`{"where": `)
		d.string(f.Where)
		d.key("ranks")
		d.string(f.Ranks.String())
		d.key("message")
		d.string(f.Message)
		d.raw("}")
	}
	d.end(len(e.Failures), "]}")
}

func (d *document) errors() {
	d.raw("[")
	for i, e := range d.view.Errors {
		d.item(i)
		d.raw(`{"class": `)
		d.string(e.Class.String())
		d.key("call")
		d.call(e.Call)
		d.key("comm")
		d.intOrNull(e.Comm)
		d.key("ranks")
		d.string(e.Ranks.String())
		d.key("where")
		d.string(e.Where)
		d.key("message")
		d.string(e.Message())
		d.key("rule")
		d.string(e.Rule)
		d.raw("}")
	}
	d.end(len(d.view.Errors), "]")
}

// call writes the name of a procedure, null for none.
func (d *document) call(c engine.Call) {
	if c == engine.CallNone {
		d.raw("null")
		return
	}
	d.string(c.String())
}

func (d *document) deadlock() {
	lock := d.view.Deadlock
	if lock == nil {
		d.raw("null")
		return
	}
	d.raw(`{"waiting": [`)
	for i, w := range lock.Waiting {
		d.item(i)
		d.raw(`{"ranks": `)
		d.string(w.Ranks.String())
		d.key("call")
		d.call(w.Call)
		d.key("comm")
		d.intOrNull(w.Comm)
		d.key("where")
		d.string(w.Site())
		d.raw("}")
	}
	d.end(len(lock.Waiting), "]")
	d.key("message")
	d.string(lock.Message)
	d.raw("}")
}

func (d *document) trace() {
	steps := d.view.Snapshot.Steps
	d.raw("[")
	for i := range steps {
		d.item(i)
		d.step(&steps[i])
	}
	d.end(len(steps), "]")
}

func (d *document) step(s *engine.Step) {
	d.raw(`{"step": `)
	d.int(s.Number)
	d.key("call")
	d.call(s.Call)
	d.key("comm")
	d.intOrNull(s.Comm)
	d.key("ranks")
	d.string(s.Ranks.String())
	d.key("args")
	d.raw("{")
	for i := range s.Args {
		d.comma(i)
		d.string(s.Args[i].Name)
		d.raw(": ")
		d.column(&s.Args[i])
	}
	d.raw("}")
	d.key("made")
	d.raw("[")
	for i, id := range s.Made {
		d.comma(i)
		d.int(id)
	}
	d.raw("]")
	d.key("where")
	d.string(s.Site())
	d.raw("}")
}
