package engine

import (
	"math"
	"math/bits"
	"slices"
	"sync"
)

// Lines of output are merged in rows. The first row has the first line of each rank, with equal lines joined, in order
// of the lowest rank that printed each line; the second row has the second lines, and so on. A row ends at the end of a
// superstep, and of a lap: a number of steps of computing, which the program counts (Process.Lap). So the merged lines
// depend on the program alone, never on which rank is faster.
//
// A row is final, and can be shown, when every rank that still computes has printed a line of the row, or is in a later
// lap. Ahead and World.Stream hand out final rows while ranks compute; the conductor hands out the rest at the end of
// the superstep. Lines get their place in the trace only then.

// Line is a line of output and the ranks that printed it.
type Line struct {
	Step  int // how many steps of the trace come before the line
	Ranks Ranks
	Text  string
	Note  bool // printed by Process.Note
}

// spoken is a line that a process printed.
type spoken struct {
	text string
	note bool
}

// said is a printed line with its place in the superstep: the lap and the number of local calls of the process before
// it.
type said struct {
	spoken
	marked      bool // some mark is the moment after the line
	lap, events int32
}

// printing collects the lines that ranks print in a superstep. Ranks and the conductor lock it.
type printing struct {
	mu     sync.Mutex
	talks  []uint64 // bits of ranks that talk in this superstep: they print, or compute for long; nil before any
	any    bool     // some rank talks
	going  int      // ranks that talk and have not come to the end of the superstep
	slow   *Process // the rank for which the next row last waited; nil: none
	lap    int32    // the lap of that row
	count  int      // lines of the world so far
	passed []passed // in a world with a trace: the latest merged lines of this superstep
	size   int      // bytes of the lines in passed
	bound  bound
	row    map[spoken]int // storage
}

// bound limits how much of the output a trace keeps.
type bound struct{ lines, bytes int }

// usualBound leaves room for all that ordinary programs print.
var usualBound = bound{100_000, 16 << 20}

// passed is a merged line that has no place in the trace yet.
type passed struct {
	Line
	by     *Process // the lowest rank that printed it
	events int32
}

// talk has the output of one process in a superstep.
type talk struct {
	on, over bool          // the process talks in this superstep; it has come to the end of the superstep
	lap      int32         // the lap that the process is in
	count    int32         // lines so far
	size     int32         // bytes of lines
	lines    []said        // lines that are not merged yet
	first    int           // how many lines the world had with the first merged line of the process; 0: none is merged
	last     int           // the same with its latest merged line
	places   map[int32]int // the same by the number of the line, for lines with a mark after them
}

const (
	farAhead   = 64 << 10 // a rank with more bytes of lines that wait to be merged is far ahead of others
	lineItself = 64       // about the bytes that a line takes besides its text
)

func sizeOf(text string) int { return len(text) + lineItself }

// Print outputs one line. Equal lines of several ranks are shown once.
func (p *Process) Print(text string) { p.say(spoken{text, false}) }

// Note prints narration for the reader of the output, apart from what the program computes.
func (p *Process) Note(text string) { p.say(spoken{text, true}) }

func (p *Process) say(s spoken) {
	t := p.traffic()
	o := &p.w.printing
	o.mu.Lock()
	defer o.mu.Unlock()
	o.join(p)
	t.talk.count++
	t.talk.size += int32(min(sizeOf(s.text), farAhead))
	t.talk.lines = append(t.talk.lines, said{spoken: s, lap: t.talk.lap, events: int32(len(t.events))})
}

// Lap ends a lap of computing: later lines of the process are not merged with lines that ranks printed in this lap or
// before, which so need not wait for a process that computes and prints nothing. The program must count laps by its own
// steps, never by time: else its output would differ from run to run. Lap does nothing for a process that does not run
// a task.
func (p *Process) Lap() {
	if p.state != running {
		return
	}
	t := p.traffic()
	o := &p.w.printing
	o.mu.Lock()
	defer o.mu.Unlock()
	o.join(p)
	t.talk.lap++
}

// Ahead hands out the rows that are final, and reports whether the process is far ahead of others with its lines: then
// it should let them come as far before it goes on, so that few lines wait to be merged. Only the process itself may
// call it.
func (p *Process) Ahead() bool {
	o := &p.w.printing
	o.mu.Lock()
	defer o.mu.Unlock()
	if p.mail == nil || p.mail.talk.size < farAhead {
		return false
	}
	p.w.stream()
	return p.mail.talk.size >= farAhead
}

// Stream hands out the rows of output that are final while ranks compute. Any goroutine may call it.
func (w *World) Stream() {
	w.printing.mu.Lock()
	defer w.printing.mu.Unlock()
	w.stream()
}

// join adds p to the ranks that talk in this superstep.
func (o *printing) join(p *Process) {
	t := &p.mail.talk
	if t.on {
		return
	}
	if o.talks == nil {
		o.talks = make([]uint64, (p.w.size+63)/64)
	}
	o.talks[p.rank/64] |= 1 << (p.rank % 64)
	o.going++
	o.any, t.on = true, true
}

// endTalk notes that the process has come to the end of the superstep.
func (p *Process) endTalk() {
	if p.mail == nil || !p.mail.talk.on {
		return
	}
	o := &p.w.printing
	o.mu.Lock()
	defer o.mu.Unlock()
	if t := &p.mail.talk; !t.over {
		t.over = true
		o.going--
	}
}

// talking calls yield for each rank that talks in this superstep.
func (w *World) talking(yield func(*Process) bool) {
	for i, word := range w.printing.talks {
		for ; word != 0; word &= word - 1 {
			if !yield(&w.procs[i*64+bits.TrailingZeros64(word)]) {
				return
			}
		}
	}
}

// stream hands out the rows that are final: none before all ranks that compute are known to talk, since a rank that has
// printed nothing may still print a line of the first row.
func (w *World) stream() {
	o := &w.printing
	waits := o.slow != nil && o.slow.mail.talk.lacks(o.lap)
	if o.any && !waits && w.Computing() <= o.going {
		w.handOut()
	}
}

// lacks reports whether the next row, in this lap, has to wait for the process.
func (t *talk) lacks(lap int32) bool { return !t.over && len(t.lines) == 0 && t.lap <= lap }

// isDone reports whether all lines of the process in this superstep are merged.
func (t *talk) isDone() bool { return t.over && len(t.lines) == 0 }

// handOut merges the rows that are final, and hands their lines out.
func (w *World) handOut() {
	o := &w.printing
	var list []*Process
	for p := range w.talking {
		if !p.mail.talk.isDone() {
			list = append(list, p)
		}
	}
	var out []passed
	for o.nextRow(list) {
		out = o.mergeRow(list, out)
		list = slices.DeleteFunc(list, func(p *Process) bool { return p.mail.talk.isDone() })
	}
	o.count += len(out)
	if w.trace {
		for i := range out {
			o.size += sizeOf(out[i].Text)
		}
		o.passed, o.size = kept(append(o.passed, out...), o.size, o.bound, func(l *passed) int { return sizeOf(l.Text) })
	}
	if w.output != nil && len(out) > 0 {
		lines := make([]Line, len(out))
		for i := range out {
			lines[i] = out[i].Line
		}
		w.output(lines)
	}
}

// nextRow finds the lap of the next row among the processes that talk. It returns false when there is no row, or when
// one of the processes may still have a line of the row.
func (o *printing) nextRow(list []*Process) bool {
	o.lap, o.slow = math.MaxInt32, nil
	for _, p := range list {
		if t := &p.mail.talk; len(t.lines) > 0 {
			o.lap = min(o.lap, t.lines[0].lap)
		}
	}
	if o.lap == math.MaxInt32 {
		return false
	}
	for _, p := range list {
		if p.mail.talk.lacks(o.lap) {
			o.slow = p
			return false
		}
	}
	return true
}

// mergeRow takes the next line of each process that has a line in the lap, merges them and appends the result to out.
func (o *printing) mergeRow(list []*Process, out []passed) []passed {
	if o.row == nil {
		o.row = map[spoken]int{}
	}
	clear(o.row)
	for _, p := range list {
		t := &p.mail.talk
		if len(t.lines) == 0 || t.lines[0].lap > o.lap {
			continue
		}
		line := t.take()
		k, ok := o.row[line.spoken]
		if !ok {
			k = len(out)
			o.row[line.spoken] = k
			out = append(out, passed{Line{Text: line.text, Note: line.note}, p, line.events})
		}
		out[k].Ranks.Append(p.rank)
		t.handedOut(o.count+k+1, line.marked)
	}
	return out
}

// take removes the first line of the process and returns it.
func (t *talk) take() said {
	line := t.lines[0]
	t.lines[0] = said{} // frees its text while other lines wait
	if t.lines = t.lines[1:]; len(t.lines) == 0 {
		t.lines = nil
	}
	t.size -= int32(min(sizeOf(line.text), farAhead))
	return line
}

// handedOut notes how many lines the world has with the line that was taken last.
func (t *talk) handedOut(lines int, marked bool) {
	t.last = lines
	if t.first == 0 {
		t.first = lines
	}
	if marked {
		t.setPlace(t.count-int32(len(t.lines)), lines)
	}
}

func (t *talk) setPlace(line int32, lines int) {
	if t.places == nil {
		t.places = map[int32]int{}
	}
	t.places[line] = lines
}

// markLine makes the process remember the place of its latest line, for a mark.
func (p *Process) markLine() {
	o := &p.w.printing
	o.mu.Lock()
	defer o.mu.Unlock()
	switch t := &p.mail.talk; {
	case len(t.lines) > 0:
		t.lines[len(t.lines)-1].marked = true
	case t.count > 0:
		t.setPlace(t.count, t.last)
	}
}

// endOutput hands out the rest of what ranks printed in this superstep, and gives all these lines places in the trace.
func (w *World) endOutput() {
	o := &w.printing
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.any {
		return
	}
	for p := range w.talking {
		p.mail.talk.over = true
	}
	w.handOut()
	if w.trace {
		w.placeLines()
		w.forgot = o.count - len(w.lines)
	}
	w.spoken, o.passed, o.size = o.count, nil, 0
}

// placeLines moves the lines that were handed out into the trace. It forgets the oldest lines when there are more than
// the trace keeps.
func (w *World) placeLines() {
	o := &w.printing
	step := 0
	if k := len(w.lines); k > 0 {
		step = w.lines[k-1].Step
	}
	if o.count-w.spoken > len(o.passed) { // lines before o.passed are forgotten
		w.lines, w.linesSize = nil, 0
	}
	for i := range o.passed {
		l := &o.passed[i]
		step = max(step, w.stepBehind(l.by, int(l.events)))
		l.Step = step
		w.lines = append(w.lines, l.Line)
	}
	w.lines, w.linesSize = kept(w.lines, w.linesSize+o.size, o.bound, func(l *Line) int { return sizeOf(l.Text) })
}

// kept removes the oldest lines of a list, whose lines have size bytes, until it keeps the bound, and returns the list
// and its bytes. The last line always stays. The result does not depend on how often kept is called.
func kept[T any](list []T, size int, most bound, sizeOf func(*T) int) ([]T, int) {
	for len(list) > 1 && (len(list) > most.lines || size > most.bytes) {
		size -= sizeOf(&list[0])
		list = list[1:]
	}
	return list, size
}

// endTalks forgets the output of this superstep, after errors and marks have their places among the lines.
func (w *World) endTalks() {
	o := &w.printing
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.any {
		return
	}
	for p := range w.talking {
		p.mail.talk = talk{}
	}
	clear(o.talks)
	o.any, o.going, o.slow = false, 0, nil
}

// Since lists the lines after the first n, and returns how many of these are forgotten.
func (s *Snapshot) Since(n int) (list []Line, forgot int) {
	forgot = max(s.Forgot-n, 0)
	return s.Output[min(n+forgot-s.Forgot, len(s.Output)):], forgot
}

// Spoken returns how many lines were printed.
func (s *Snapshot) Spoken() int { return s.Forgot + len(s.Output) }
