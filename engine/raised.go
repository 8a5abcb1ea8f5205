package engine

// Raised is an error as MPI handed it to an error handler, whether or not the program caught it.
type Raised struct {
	Step int // steps of the trace before it
	*Error
}

// noteRaised keeps an error for diagnoses and, in a world with a trace, for its snapshots.
func (p *Process) noteRaised(err *Error) {
	t := p.traffic()
	t.raised = err
	if p.w.trace {
		t.errors = append(t.errors, err)
	}
}

// takeRaised moves the errors of this superstep into the record of the world.
func (w *World) takeRaised() {
	for _, p := range w.talked {
		for _, err := range p.mail.errors {
			w.raised = append(w.raised, Raised{len(w.steps), err})
		}
		p.mail.errors = nil
	}
}

// Errors lists the errors that processes raised, caught ones too, in order of the trace. Those of
// several processes at one point of it that differ only in what each passed are one.
func (s *Snapshot) Errors() []Raised {
	var list []Raised
	for i := 0; i < len(s.Raised); {
		step := s.Raised[i].Step
		var same []*Error
		for ; i < len(s.Raised) && s.Raised[i].Step == step; i++ {
			same = append(same, s.Raised[i].Error)
		}
		for _, e := range MergeErrors(same) {
			list = append(list, Raised{step, e})
		}
	}
	return list
}
