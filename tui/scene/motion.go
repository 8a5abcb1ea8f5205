package scene

import (
	"slices"
	"strconv"

	"commsplit/engine"
	"commsplit/engine/reason"
	"commsplit/render"
	"commsplit/render/paint"
)

// Motion is collective calls of the trace taken apart into their phases: what every rank passed, the bucket
// that it fell into, its place there. Calls of one line on several communicators, which share no rank, move
// together. Letters are those of the moment after the calls, so that a phase shows a communicator with the
// letter and the color that it keeps.
type Motion struct {
	Stages []reason.Stage // in order, of all calls

	after  *Moment
	handle int // the variable that letters are of; 0: none
	calls  []*reason.Phases
	seats  []seat // by world rank
	made   []int  // communicators that the calls made
	marks  []mark // of these
	width  int    // see Width; 0: not looked up
}

// mark is how a communicator shows.
type mark struct {
	letter string
	slot   int // of its color
}

// seat is the part that a rank has in a motion.
type seat struct {
	call  int32 // index of the call; -1: it makes none of them
	row   int32 // of the call
	old   int32 // rank in the communicator that the call is on, those of its right group last
	part  int32 // which of those made the communicator is that it gets; -1: MPI_COMM_NULL
	rank  int32 // in its own group there
	right bool  // in the right group of an intercommunicator
	leads bool  // speaks for its group when an intercommunicator is made
}

// Motion takes one step of the trace apart. The moment is after the step, or later. The letters are of the
// variable that holds what came of it, preferred where there are several. It fails for a step that is not
// collective.
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

// LastMotion is the last call since a step of which the present value of a variable came; nil when there is
// none. With it move the calls of the same line on other communicators.
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

// claim marks ranks as taken, unless one of them is.
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

// take seats the ranks of some calls.
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

// mark is how a communicator shows that the calls made: as in the variable that holds it; otherwise it has a letter
// behind those of all variables.
func (x *Motion) mark(id int) mark {
	p := x.after.Parting(x.handle)
	if k := p.Find(id); k >= 0 && x.handle > 0 {
		return mark{p.Letter(k), p.Slot(k)}
	}
	letter, slot := p.Free(len(x.made))
	return mark{letter, slot}
}

// Handle is the variable that the letters are of; 0 when none holds what came of the calls.
func (x *Motion) Handle() int { return x.handle }

// Calls are the calls, in the order of the trace.
func (x *Motion) Calls() []*reason.Phases { return x.calls }

// Act is what a cell shows in a phase. Slot is the color of a communicator; Passed for an argument, which has none;
// None for a rank that gets MPI_COMM_NULL.
type Act struct {
	Text string
	Slot int
}

// The acts that are about no communicator.
const (
	None   = -1
	Passed = -2
)

// At is a motion in one of its stages. Share, from 0 to 1, is how much of the stage has come: what has not,
// shows as in the stage before.
type At struct {
	*Motion
	Stage reason.Stage
	Share float64
}

// Act is what the cell of a world rank shows. It is ok for ranks that make the calls, and only once their turn
// has come: until then the cell is as it was before them.
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

// Waits reports whether a rank makes one of the calls and shows nothing of it yet. What it got from the calls
// must not show then.
func (a At) Waits(rank int) bool {
	_, ok := a.Act(rank)
	return !ok && a.seats[rank].call >= 0
}

// come reports whether the stage has come to a rank: to the low ranks first, where ranks are sorted to
// the first places, where leaders meet to the left one.
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
	case a.Stage == reason.Lead: // the leaders, one after the other; nobody else moves
		if at, n = 0, 2; s.leads && s.right {
			at = 1
		}
	}
	return float64(at) < a.Share*float64(n)
}

// longest is how many ranks the largest communicator of the calls has.
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

// shown is what the cell of a rank shows of what it passed.
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

// Argument is the argument that cells show in the first stage; "" where they only show who calls.
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

// Passed is the argument of that name that a rank passed; "" when it made none of the calls.
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

// Lane is the members of a communicator that the calls make, as far as they have come: none before the
// contributions are divided, or only the leaders of its groups, then by old rank, then each at its place. A place to which nobody has come yet
// is -1; right is the other group of an intercommunicator. ok is false for other communicators.
func (a At) Lane(id int) (group, right []int32, ok bool) {
	c := a.after.Present.Snapshot.Comm(id)
	if c == nil || !slices.Contains(a.made, id) {
		return nil, nil, false
	}
	return a.places(c.Group), a.places(c.Remote), true
}

// Vacant reports whether a communicator is one that the calls make, and no member has come to it yet.
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

// places are the ranks of a group of a new communicator at the places that they have.
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

// Width is the columns of the widest text that a cell shows in any stage. The first time it takes a look at every rank.
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
