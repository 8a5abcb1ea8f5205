package engine

import (
	"math"
	"math/bits"
	"slices"
	"sync"
)

// What ranks print is merged over ranks: the first lines of all ranks first, equal lines joined, in order of the lowest
// rank that printed each, then the second lines, and so on. A superstep ends such a row of lines, and so does a lap:
// so many steps of computing, counted by the program (Process.Lap). So the merged lines depend on the program alone,
// never on which rank is faster.
//
// A row is final, and can be shown, as soon as every rank that still computes has printed a line of it, or is in a later
// lap. Ahead and World.Stream hand final rows out while ranks compute; the conductor hands out the rest at the end of the
// superstep. Lines get their place in the trace only then.

// Line is one line of output and the ranks that printed it.
type Line struct {
	Step  int // steps of the trace before it
	Ranks Ranks
	Text  string
	Note  bool // narration: see Process.Note
}

// spoken is a line that a process printed.
type spoken struct {
	text string
	note bool
}

// said is such a line, with what stands before it in the superstep: laps, and local calls of the process.
type said struct {
	spoken
	marked      bool // a mark stands behind it
	lap, events int32
}

// printing is what ranks say in a superstep. Everybody locks it.
type printing struct {
	mu     sync.Mutex
	talks  []uint64 // bit set: ranks that talk in this superstep: they print, or compute for long; made when one does
	any    bool     // some rank talks
	going  int      // ranks that talk and have not come to the end of the superstep
	slow   *Process // the rank for which the next row waited at the latest look; nil: for none
	lap    int32    // of that row
	count  int      // lines of the world so far
	passed []passed // lines of this superstep that were handed out, if the world has a trace: the last of them
	size   int      // bytes of these
	bound  bound
	row    map[spoken]int // storage
}

// bound is how much of the output a trace keeps at most.
type bound struct{ lines, bytes int }

// usualBound keeps all that ordinary programs print.
var usualBound = bound{100_000, 16 << 20}

// passed is a merged line before the trace has a place for it.
type passed struct {
	Line
	by     *Process // the lowest rank that printed it
	events int32
}

// talk is what a process says in a superstep.
type talk struct {
	on, over bool          // the process talks in this superstep; and has come to its end
	lap      int32         // that it is in
	count    int32         // lines so far
	size     int32         // bytes of lines
	lines    []said        // that are not merged yet
	first    int           // lines of the world up to its first one, which was handed out; 0: it was not
	last     int           // the same of its latest one
	places   map[int32]int // the same by number of the line, for those with a mark behind them
}

const (
	farAhead   = 64 << 10 // bytes of lines of a rank that others have not come to: it is far ahead
	lineItself = 64       // bytes of a line beside its text, about
)

func sizeOf(text string) int { return len(text) + lineItself }

// Print outputs one line. Equal lines of several ranks are shown once.
func (p *Process) Print(text string) { p.say(spoken{text, false}) }

// Note says something to the reader of the output: narration, apart from what the program computes.
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

// Lap ends a lap of computing: what the process prints from now on is not merged with what ranks printed in this lap or
// before, so that their lines need not wait for a process that computes and prints nothing. The program counts laps by
// its own steps, never by time, or its output would differ from run to run. Work that is done for a process that rests
// does not count.
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

// Ahead hands out what is final, and reports whether the process has printed much more than that: then it should let
// others come as far before it goes on, so that what waits to be merged stays small. The process itself calls it.
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

// Stream hands out what is final of the output while ranks compute. Any goroutine may call it.
func (w *World) Stream() {
	w.printing.mu.Lock()
	defer w.printing.mu.Unlock()
	w.stream()
}

// join makes p one of the ranks that talk in this superstep.
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

// endTalk notes that a rank that talks has come to the end of the superstep.
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

// talking are the ranks that talk in this superstep.
func (w *World) talking(yield func(*Process) bool) {
	for i, word := range w.printing.talks {
		for ; word != 0; word &= word - 1 {
			if !yield(&w.procs[i*64+bits.TrailingZeros64(word)]) {
				return
			}
		}
	}
}

// stream hands out the rows that are final. A rank that has said nothing yet may still print a line of the first row: so
// nothing is final before all ranks that compute are known to talk.
func (w *World) stream() {
	o := &w.printing
	waits := o.slow != nil && o.slow.mail.talk.lacks(o.lap)
	if o.any && !waits && w.Computing() <= o.going {
		w.handOut()
	}
}

// lacks reports whether the next row of a lap waits for the process.
func (t *talk) lacks(lap int32) bool { return !t.over && len(t.lines) == 0 && t.lap <= lap }

// isDone reports whether no line of the process is left to be merged, or to come.
func (t *talk) isDone() bool { return t.over && len(t.lines) == 0 }

// handOut merges rows as long as they are final, and hands them out.
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

// nextRow finds the lap of the next row among the processes that talk. It is false where there is no row, or where one
// of them may still have a line of it.
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

// mergeRow takes the next line of each process that has one of the lap, and appends what they are merged to.
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

// take takes the first line.
func (t *talk) take() said {
	line := t.lines[0]
	t.lines[0] = said{} // its text may be garbage while the others wait
	if t.lines = t.lines[1:]; len(t.lines) == 0 {
		t.lines = nil
	}
	t.size -= int32(min(sizeOf(line.text), farAhead))
	return line
}

// handedOut notes how many lines the world has up to the one that was taken last.
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

// markLine sees to it that the place of the latest line will be known.
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

// endOutput hands out the rest of what ranks printed in this superstep, and gives all of it a place in the trace.
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
	}
	w.spoken, o.passed, o.size = o.count, nil, 0
}

// placeLines moves the lines that were handed out into the trace. Those that a flood leaves no room for are forgotten,
// the oldest first.
func (w *World) placeLines() {
	o := &w.printing
	step := 0
	if k := len(w.lines); k > 0 {
		step = w.lines[k-1].Step
	}
	if o.count-w.spoken > len(o.passed) { // some between them and the lines of earlier supersteps are forgotten
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

// kept is a list of lines of so many bytes without the oldest ones, where it has outgrown a bound. It never is empty. What
// is left does not depend on how often it is asked for.
func kept[T any](list []T, size int, most bound, sizeOf func(*T) int) ([]T, int) {
	for len(list) > 1 && (len(list) > most.lines || size > most.bytes) {
		size -= sizeOf(&list[0])
		list = list[1:]
	}
	return list, size
}

// endTalks is for the next superstep. What ranks raised and asked for in this one has its place.
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

// forgotten is how many lines of output the trace had before those that it keeps.
func (w *World) forgotten() int {
	if !w.trace {
		return 0
	}
	return w.spoken - len(w.lines)
}

// linesSince lists what was printed behind the first so many lines, and tells how many of that are forgotten.
func (w *World) linesSince(n int) (list []Line, forgot int) {
	forgot = max(w.forgotten()-n, 0)
	return slices.Clip(w.lines[n+forgot-w.forgotten():]), forgot
}

// Since lists what was printed behind the first so many lines, and tells how many of that are forgotten.
func (s *Snapshot) Since(n int) (list []Line, forgot int) {
	forgot = max(s.Forgot-n, 0)
	return s.Output[min(n+forgot-s.Forgot, len(s.Output)):], forgot
}

// Spoken is how many lines were printed.
func (s *Snapshot) Spoken() int { return s.Forgot + len(s.Output) }
