package engine

// News is what one superstep added to the trace of a world. What it holds is never changed later.
type News struct {
	Steps  []Step
	Comms  []*CommInfo // that the steps made
	Output []Line      // in order of the steps: each knows how many came before it
	Moves  []Move
	Raised []Raised // in order: each knows how many steps and lines came before it
}

// progress is how much of the trace was told.
type progress struct{ steps, comms, lines, moves, raised int }

// tellNews tells what is new since it was called last. MPI_COMM_WORLD is no news.
func (w *World) tellNews() {
	now := progress{len(w.steps), len(w.comms), len(w.lines), len(w.moves), len(w.raised)}
	from := w.told
	from.comms = max(from.comms, 1)
	w.told = now
	if !w.trace || now == from {
		return
	}
	w.news(&News{
		Steps: w.steps[from.steps:now.steps:now.steps], Comms: w.comms[from.comms:now.comms:now.comms],
		Output: w.lines[from.lines:now.lines:now.lines], Moves: w.moves[from.moves:now.moves:now.moves], Raised: w.raised[from.raised:now.raised:now.raised],
	})
}
