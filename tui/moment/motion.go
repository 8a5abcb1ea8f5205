package moment

import (
	"slices"
	"strconv"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/engine/reason"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/render/paint"
	"codeberg.org/commsplit/commsplit/render/scene"
)

// Motion is the phases of collective calls: for each rank, its arguments, its bucket, and its place in the bucket.
// Calls of the same line move together if they have no rank in common. Letters are those of the moment after the
// calls, so that a communicator keeps letter and color from the first phase on.
type Motion struct {
	Stages []reason.Stage   // of all calls, in order
	Calls  []*reason.Phases // in the order of the trace
	Handle int              // the variable with the letters; 0: no variable holds what the calls made

	after  *Moment
	passed *Arguments // to the calls
	seats  []seat     // by world rank
	made   []int      // communicators that the calls made
	marks  []mark     // of made
	width  int        // see Width; 0: not computed yet
}

// mark is the letter and color of a communicator.
type mark struct {
	letter string
	slot   int // of the color
}

// seat is the part of one rank in a motion.
type seat struct {
	call  int32 // index of the call; -1: the rank makes none of the calls
	old   int32 // rank in the communicator of the call; ranks of its right group come last
	part  int32 // index in made of the communicator that the rank gets; -1: MPI_COMM_NULL
	rank  int32 // in its own group of that communicator
	byOld int32 // its place in that group in the order of old, before they are sorted
	right bool  // in the right group of an intercommunicator
	leads bool  // leads its group while an intercommunicator is made
}

// Motion makes the motion of one step, which must be at or before the moment. Its letters are those of the variable
// that holds the results of the step; preferred chooses among several. Its error is that of a step that is not
// collective.
func (m *Moment) Motion(step, preferred int) (*Motion, error) {
	ph, err := reason.Of(m.Present.Snapshot, step)
	if err != nil {
		return nil, err
	}
	x := &Motion{after: m, Handle: max(preferred, 0)}
	for _, id := range ph.Step.Made {
		if k := m.Holder(id, preferred); k > 0 {
			x.Handle = k
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
	x := &Motion{after: m, Handle: handle}
	x.take(calls)
	return x
}

// claim marks ranks as taken and returns true; if one of them is taken already, it returns false.
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
	x.Calls, x.seats = calls, make([]seat, x.after.Size())
	for r := range x.seats {
		x.seats[r] = seat{call: -1, part: -1}
	}
	var steps []*engine.Step
	for i, ph := range calls {
		x.Stages, steps = append(x.Stages, ph.Stages...), append(steps, ph.Step)
		x.seat(int32(i), ph)
	}
	x.passed = argumentsOf(steps, x.after.Size())
	slices.Sort(x.Stages)
	x.Stages = slices.Compact(x.Stages)
}

// seat sets the seats of the ranks that make a call.
func (x *Motion) seat(call int32, ph *reason.Phases) {
	row := int32(0)
	for r := range ph.Step.Ranks.All {
		x.seats[r].call, x.seats[r].old = call, row
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
			x.lineUp(c.Group, false)
			x.lineUp(c.Remote, true)
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

// lineUp finds the places of a new group's members in the order of old ranks.
func (x *Motion) lineUp(group []int32, right bool) {
	order := slices.Clone(group)
	slices.SortFunc(order, func(p, q int32) int { return int(x.seats[p].old - x.seats[q].old) })
	for k, r := range order {
		x.seats[r].byOld, x.seats[r].right = int32(k), right
	}
}

// mark returns the letter and color of a communicator that the calls made: those in the variable that holds it, or
// a letter that no variable uses.
func (x *Motion) mark(id int) mark {
	p := x.after.Parting(x.Handle)
	if k := p.Find(id); k >= 0 && x.Handle > 0 {
		return mark{p.Letter(k), p.Slot(k)}
	}
	letter, slot := p.Free(len(x.made))
	return mark{letter, slot}
}

// At is a motion in one of its stages. Share, from 0 to 1, tells how far ranks are on their way from the stage
// before.
type At struct {
	*Motion
	Stage reason.Stage
	Share float64
}

// Cell returns the cell of a world rank: an argument, which has no color, or its part in a communicator that the calls
// make. ok is false for ranks that make none of them.
func (a At) Cell(rank int) (c paint.Cell, ok bool) {
	if a.seats[rank].call < 0 {
		return paint.Cell{State: paint.NotYet, Slot: paint.NoSlot}, false
	}
	return a.cell(a.Stage, rank), true
}

func (x *Motion) cell(stage reason.Stage, rank int) paint.Cell {
	s := x.seats[rank]
	switch {
	case stage == reason.Contribute, stage == reason.Lead && !s.leads:
		return paint.Cell{Text: x.shown(rank), Slot: paint.NoSlot}
	case s.part < 0:
		return paint.Cell{Text: render.Hollow, State: paint.Null, Slot: paint.NoSlot}
	}
	c := paint.Cell{Text: x.marks[s.part].letter, Slot: x.marks[s.part].slot, Right: s.right}
	if s.right {
		c.Text += "'"
	}
	switch {
	case stage == reason.Lead:
		c.Text = render.Leads + c.Text
	case stage != reason.Divide:
		c.Text += strconv.Itoa(int(s.rank))
	}
	return c
}

// shown returns the argument that the cell of a rank shows.
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
	switch x.Calls[0].Step.Call {
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
	k := slices.Index(x.passed.Columns, name)
	if k < 0 {
		return ""
	}
	text := x.passed.One(k, rank)
	if name == "high" && text != "" {
		return strconv.FormatBool(text != "0")
	}
	return text
}

// place returns the place of a rank in its group of a new communicator in a stage. In buckets, members stand by old
// rank; then by new rank. -1 means that the rank has not come: before the contributions are divided, only leaders
// come.
func (x *Motion) place(stage reason.Stage, rank int32) int32 {
	switch s := x.seats[rank]; {
	case s.part < 0, stage == reason.Contribute, stage == reason.Lead && !s.leads:
		return -1
	case stage == reason.Divide:
		return s.byOld
	default:
		return s.rank
	}
}

// Scene returns a picture of lanes as it looks during the motion; s is the picture after the calls.
func (a At) Scene(s *scene.Scene) *scene.Scene {
	before := reason.Contribute
	if i := slices.Index(a.Stages, a.Stage); i > 0 {
		before = a.Stages[i-1]
	}
	return scene.Between(a.arranged(s, before), a.arranged(s, a.Stage), a.Share)
}

// spot is a place in a group of a communicator that the calls make.
type spot struct {
	part, place int32
	right       bool
}

// arranged returns the picture of lanes as it looks in a stage. All places are those after the calls. Ranks that
// have come stand at their places of the stage, and the other places are empty.
func (x *Motion) arranged(s *scene.Scene, stage reason.Stage) *scene.Scene {
	out := *s
	out.Things = slices.Clone(s.Things)
	at := map[spot]int{}
	for i := range s.Things {
		if t := &s.Things[i]; x.moves(t) && t.Of.N == 1 {
			r := x.seats[t.Of.First]
			at[spot{r.part, r.rank, r.right}] = i
		}
	}
	for i := range s.Things {
		t := s.Things[i]
		switch come := x.come(&t, stage); {
		case !come:
			out.Things[i] = empty(&t)
		case x.moves(&t) && t.Of.N == 1:
			r := x.seats[t.Of.First]
			if to, ok := at[spot{r.part, x.place(stage, int32(t.Of.First)), r.right}]; ok {
				t.X, t.Y = s.Things[to].X, s.Things[to].Y
			}
			x.name(&t, stage)
			out.Things[i] = empty(&s.Things[i])
			out.Add(t)
		}
	}
	return &out
}

// moves reports whether a thing is a cell of ranks in a communicator that the calls make.
func (x *Motion) moves(t *scene.Thing) bool {
	if t.Kind != scene.Cell || t.Of.Kind != scene.Ranks {
		return false
	}
	part := x.seats[t.Of.First].part
	return part >= 0 && x.made[part] == t.Of.In-1
}

// come reports whether a thing shows in a stage where it ends up: ranks of a communicator once the contributions are
// divided, leaders before.
func (x *Motion) come(t *scene.Thing, stage reason.Stage) bool {
	switch {
	case t.Kind != scene.Cell:
	case t.Of.Kind == scene.Communicator && slices.Contains(x.made, t.Of.First):
		return stage != reason.Contribute
	case x.moves(t) && t.Of.N == 1:
		return x.place(stage, int32(t.Of.First)) >= 0
	case x.moves(t), t.Of.In == 0 && t.Of.Kind == scene.Ranks && x.seats[t.Of.First].call >= 0: // or of ranks without a communicator
		return stage != reason.Contribute && stage != reason.Lead
	}
	return true
}

// empty returns the cell of a place to which nobody has come.
func empty(t *scene.Thing) scene.Thing {
	return scene.Thing{Kind: scene.Cell, X: t.X, Y: t.Y, W: t.W, H: t.H, Cell: paint.Cell{State: paint.NotYet}}
}

// name gives a cell the text of its rank in the stage.
func (x *Motion) name(t *scene.Thing, stage reason.Stage) {
	switch text := x.cell(stage, t.Of.First).Text; {
	case t.Under != "":
		t.Cell.Text = text
	case stage == reason.Lead:
		t.Cell.Text = render.Leads + t.Cell.Text
	}
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
				n = max(n, paint.Width(x.cell(stage, r).Text))
			}
		}
	}
	x.width = n
	return n
}
