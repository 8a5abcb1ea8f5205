package scene

import (
	"slices"
	"strconv"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/engine/reason"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/render/paint"
)

// Motion is the phases of collective calls of the trace: for every rank, what it passed, its bucket, and its place
// there. Calls of one line on several communicators without common ranks move together. Letters are those of the
// moment after the calls, so that a phase shows a communicator with the letter and the color that it keeps.
type Motion struct {
	Stages []reason.Stage // of all calls, in order

	after  *Moment
	handle int // the variable with the letters; 0: none
	calls  []*reason.Phases
	seats  []seat // by world rank
	made   []int  // communicators that the calls made
	marks  []mark // of made
	width  int    // see Width; 0: not computed yet
}

// mark is the letter and color of a communicator.
type mark struct {
	letter string
	slot   int // of the color
}

// seat is a rank's part in a motion.
type seat struct {
	call  int32 // index of the call; -1: the rank makes none of the calls
	row   int32 // the rank's row in the call
	old   int32 // rank in the communicator of the call; ranks of its right group come last
	part  int32 // index in made of the communicator that the rank gets; -1: MPI_COMM_NULL
	rank  int32 // in its own group of that communicator
	right bool  // in the right group of an intercommunicator
	leads bool  // leads its group while an intercommunicator is made
}

// Motion makes the motion of one step of the trace, which is not after the moment. Its letters are those of the
// variable that holds what the step made; preferred chooses among several. Motion returns an error for a step that
// is not collective.
func (m *Moment) Motion(step, preferred int) (*Motion, error) {
	ph, err := reason.Of(m.Present.Snapshot, step)
	if err != nil {
		return nil, err
	}
	x := &Motion{after: m, handle: max(preferred, 0)}
	for _, id := range ph.Step.Made {
		if k := m.Holder(id, preferred); k > 0 {
			x.handle = k
			break
		}
	}
	x.take([]*reason.Phases{ph})
	return x, nil
}

// LastMotion returns the motion of the last call after step since that made the current value of a variable; nil
// when there is none. Calls of the same line on other communicators move with it.
func (m *Moment) LastMotion(since, handle int) *Motion {
	snapshot, p := m.Present.Snapshot, m.Parting(handle)
	var steps []int
	for k := range p.Len() {
		if c := snapshot.Comm(p.Comm(k)); c != nil && c.Step > since {
			steps = append(steps, c.Step)
		}
	}
	slices.Sort(steps)
	steps = slices.Compact(steps)
	if len(steps) == 0 {
		return nil
	}
	last := &snapshot.Steps[steps[len(steps)-1]-1]
	taken := make([]bool, m.Size())
	var calls []*reason.Phases
	for _, k := range slices.Backward(steps) {
		s := &snapshot.Steps[k-1]
		ph, err := reason.Of(snapshot, k)
		if err != nil || s.Call != last.Call || s.Site() != last.Site() || !claim(taken, s.Ranks) {
			break
		}
		calls = append(calls, ph)
	}
	if len(calls) == 0 {
		return nil
	}
	slices.Reverse(calls)
	x := &Motion{after: m, handle: handle}
	x.take(calls)
	return x
}

// claim marks ranks as taken and returns true, unless one of them is taken already.
func claim(taken []bool, ranks engine.Ranks) bool {
	for r := range ranks.All {
		if taken[r] {
			return false
		}
	}
	for r := range ranks.All {
		taken[r] = true
	}
	return true
}

// take sets the seats of the ranks that make the calls.
func (x *Motion) take(calls []*reason.Phases) {
	x.calls, x.seats = calls, make([]seat, x.after.Size())
	for r := range x.seats {
		x.seats[r] = seat{call: -1, part: -1}
	}
	for i, ph := range calls {
		for _, st := range ph.Stages {
			if !slices.Contains(x.Stages, st) {
				x.Stages = append(x.Stages, st)
			}
		}
		row := int32(0)
		for r := range ph.Step.Ranks.All {
			x.seats[r].call, x.seats[r].row, x.seats[r].old = int32(i), row, row
			row++
		}
		if on := x.after.Present.Snapshot.Comm(ph.Step.Comm); on != nil {
			for k, r := range slices.Concat(on.Group, on.Remote) {
				x.seats[r].old = int32(k)
			}
		}
		part := map[int]int32{-1: -1}
		for _, id := range ph.Step.Made {
			part[id] = int32(len(x.made))
			x.marks = append(x.marks, x.mark(id))
			x.made = append(x.made, id)
			if c := x.after.Present.Snapshot.Comm(id); c != nil {
				for _, r := range c.Remote {
					x.seats[r].right = true
				}
			}
		}
		for _, l := range ph.Leaders {
			x.seats[l.World].leads = true
		}
		for _, a := range ph.Replies {
			s := &x.seats[a.World]
			s.part, s.rank = part[a.Comm], int32(a.Rank)
		}
	}
	slices.Sort(x.Stages)
}

// mark returns the letter and color of a communicator that the calls made: those in the variable that holds it, or
// else a letter behind those of all variables.
func (x *Motion) mark(id int) mark {
	p := x.after.Parting(x.handle)
	if k := p.Find(id); k >= 0 && x.handle > 0 {
		return mark{p.Letter(k), p.Slot(k)}
	}
	letter, slot := p.Free(len(x.made))
	return mark{letter, slot}
}

// Handle returns the variable with the letters; 0 when none holds what the calls made.
func (x *Motion) Handle() int { return x.handle }

// Calls returns the phases of the calls, in the order of the trace.
func (x *Motion) Calls() []*reason.Phases { return x.calls }

// Act is the content of a cell in a phase. Slot is the color of a communicator; Passed for an argument, which has
// no color; None for a rank that gets MPI_COMM_NULL.
type Act struct {
	Text string
	Slot int
}

// The slots without a communicator.
const (
	None   = -1
	Passed = -2
)

// At is a motion in one of its stages. Share, from 0 to 1, is the share of the stage that is done; ranks that are
// not done show the stage before.
type At struct {
	*Motion
	Stage reason.Stage
	Share float64
}

// Act returns the content of a world rank's cell. ok is false for ranks that make none of the calls, and for ranks
// whose turn in the first stage has not come: their cells are as before the calls.
func (a At) Act(rank int) (act Act, ok bool) {
	s := a.seats[rank]
	switch {
	case s.call < 0:
		return Act{}, false
	case a.come(rank):
		return a.act(a.Stage, rank), true
	}
	i := slices.Index(a.Stages, a.Stage)
	if i <= 0 {
		return Act{}, false
	}
	return a.act(a.Stages[i-1], rank), true
}

// Waits reports whether a rank makes one of the calls and shows nothing of it yet. Then pictures must not show
// what it got from the calls.
func (a At) Waits(rank int) bool {
	_, ok := a.Act(rank)
	return !ok && a.seats[rank].call >= 0
}

// come reports whether a rank is done in the stage. Low ranks come first; when ranks are sorted, those for the
// first places; when leaders meet, the left leader.
func (a At) come(rank int) bool {
	if a.Share >= 1 {
		return true
	}
	s := a.seats[rank]
	step := a.calls[s.call].Step
	at, n := int(s.row), step.Ranks.Len()
	switch {
	case a.Stage == reason.Sort && s.part >= 0:
		at, n = int(s.rank), a.longest()
	case a.Stage == reason.Lead: // the leaders, one after the other; other ranks stay
		if at, n = 0, 2; s.leads && s.right {
			at = 1
		}
	}
	return float64(at) < a.Share*float64(n)
}

// longest returns the number of ranks of the largest group that the calls made.
func (x *Motion) longest() int {
	n := 0
	for _, id := range x.made {
		if c := x.after.Present.Snapshot.Comm(id); c != nil {
			n = max(n, len(c.Group), len(c.Remote))
		}
	}
	return n
}

func (x *Motion) act(stage reason.Stage, rank int) Act {
	s := x.seats[rank]
	switch {
	case stage == reason.Contribute, stage == reason.Lead && !s.leads:
		return Act{x.shown(rank), Passed}
	case s.part < 0:
		return Act{render.Hollow, None}
	}
	made := x.marks[s.part]
	text := made.letter
	if s.right {
		text += "'"
	}
	switch {
	case stage == reason.Lead:
		text = render.Leads + text
	case stage != reason.Divide:
		text += strconv.Itoa(int(s.rank))
	}
	return Act{text, made.slot}
}

// shown returns what the cell of a rank shows of its arguments.
func (x *Motion) shown(rank int) string {
	switch name := x.Argument(); name {
	case "":
		return "•"
	case "group":
		if x.seats[rank].part < 0 {
			return "–"
		}
		return "•"
	default:
		return x.Passed(name, rank)
	}
}

// Argument returns the name of the argument that cells show in the first stage; "" where they show only who calls.
func (x *Motion) Argument() string {
	switch x.calls[0].Step.Call {
	case engine.CallSplit:
		return "color"
	case engine.CallMerge:
		return "high"
	case engine.CallCreate:
		return "group"
	}
	return ""
}

// Passed returns the named argument that a rank passed; "" when it made none of the calls.
func (x *Motion) Passed(name string, rank int) string {
	s := x.seats[rank]
	if s.call < 0 {
		return ""
	}
	for _, a := range x.calls[s.call].Step.Args {
		switch {
		case a.Name != name:
		case a.Ints == nil:
			return a.Texts[s.row]
		case name == "color" && a.Ints[s.row] == engine.Undefined:
			return "–"
		case name == "high":
			return strconv.FormatBool(a.Ints[s.row] != 0)
		default:
			return strconv.Itoa(int(a.Ints[s.row]))
		}
	}
	return ""
}

// Lane returns the places of a communicator that the calls make, with the members that have come: before the
// contributions are divided, none or only the leaders; then members by old rank; then each at its place. An empty
// place is -1; right is the right group of an intercommunicator. ok is false for communicators of other calls.
func (a At) Lane(id int) (group, right []int32, ok bool) {
	c := a.after.Present.Snapshot.Comm(id)
	if c == nil || !slices.Contains(a.made, id) {
		return nil, nil, false
	}
	return a.places(c.Group), a.places(c.Remote), true
}

// Vacant reports whether the calls make a communicator and no member has come to it yet.
func (a At) Vacant(id int) bool {
	c := a.after.Present.Snapshot.Comm(id)
	if c == nil || a.Stage > reason.Divide || !slices.Contains(a.made, id) {
		return false
	}
	here := func(r int32) bool {
		return a.come(int(r)) && (a.Stage == reason.Divide || a.Stage == reason.Lead && a.seats[r].leads)
	}
	return !slices.ContainsFunc(c.Group, here) && !slices.ContainsFunc(c.Remote, here)
}

// places returns, for each place of a group of a new communicator, the rank there, or -1.
func (a At) places(group []int32) []int32 {
	list := make([]int32, len(group))
	var byOld []int32
	if a.Stage == reason.Divide || a.Stage == reason.Sort {
		byOld = slices.Clone(group)
		slices.SortFunc(byOld, func(p, q int32) int { return int(a.seats[p].old - a.seats[q].old) })
	}
	for k, r := range group {
		list[k] = -1
		switch {
		case a.Stage == reason.Contribute, a.Stage == reason.Lead && !a.seats[r].leads:
		case a.Stage == reason.Divide && a.come(int(byOld[k])):
			list[k] = byOld[k]
		case a.Stage == reason.Divide:
		case a.come(int(r)):
			list[k] = r
		case a.Stage == reason.Sort && !a.come(int(byOld[k])):
			list[k] = byOld[k]
		}
	}
	return list
}

// Width returns the columns of the widest text that a cell shows in any stage. The first call looks at every rank.
func (x *Motion) Width() int {
	if x.width > 0 {
		return x.width
	}
	n := 1
	for _, stage := range x.Stages {
		for r := range x.seats {
			if x.seats[r].call >= 0 {
				n = max(n, paint.Width(x.act(stage, r).Text))
			}
		}
	}
	x.width = n
	return n
}
