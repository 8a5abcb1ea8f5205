package reason

import (
	"cmp"
	"slices"

	"codeberg.org/commsplit/commsplit/engine"
)

// call is a step of the trace, prepared for questions about single processes. Columns have a row for each process that
// made the call, in ascending order of world rank, like the columns of the step.
type call struct {
	s     *engine.Snapshot
	step  *engine.Step
	on    *engine.CommInfo // the communicator that the call was made on; nil: none, or MPI_COMM_SELF
	world []int32
	old   []int32 // rank of the process in its group of the communicator on
	right []bool  // whether the process is in the right group of an intercommunicator
	part  []int32 // index into step.Made, -1: MPI_COMM_NULL
	seat  []int32 // rank in the communicator that the process got
	far   []bool  // whether the process is in the right group of this communicator

	members  int              // how many processes got a communicator
	sets     map[string]bool  // process sets by which some process got a communicator; nil before someGot
	orders   map[int]*ordered // orders of rows, by the first row
	colors   map[place][]int  // rows with the same color on the same side; nil before splitMember
	places   map[place][]int  // rows that got the same communicator on the same side; nil before same
	sides    [2]int           // sizes of the left and the right group; zeros before side
	hardware *hardware        // of MPI_Comm_split_type; nil before byHardware
}

func newCall(s *engine.Snapshot, step *engine.Step) *call {
	n := step.Ranks.Len()
	c := &call{s: s, step: step, orders: map[int]*ordered{}, world: make([]int32, 0, n), old: make([]int32, n),
		right: make([]bool, n), part: make([]int32, n), seat: make([]int32, n), far: make([]bool, n)}
	for r := range step.Ranks.All {
		c.world = append(c.world, int32(r))
	}
	for i := range c.part {
		c.part[i], c.old[i] = -1, int32(i)
	}
	if step.Comm >= 0 {
		c.on = s.Comm(step.Comm)
	}
	if c.on != nil {
		c.each(c.on, func(row, rank int, right bool) { c.old[row], c.right[row] = int32(rank), right })
	}
	if other := s.Comm(step.Comm2); step.Comm2 > 0 && other != nil {
		c.each(other, func(row, rank int, _ bool) { c.old[row] = int32(rank) })
	}
	for k, id := range step.Made {
		c.each(s.Comm(id), func(row, rank int, right bool) {
			c.part[row], c.seat[row], c.far[row] = int32(k), int32(rank), right
			c.members++
		})
	}
	return c
}

// each calls f with the row and the rank of each process of a communicator that took part in the call.
func (c *call) each(info *engine.CommInfo, f func(row, rank int, right bool)) {
	for side, group := range [][]int32{info.Group, info.Remote} {
		for rank, w := range group {
			if row := c.row(int(w)); row >= 0 {
				f(row, rank, side == 1)
			}
		}
	}
}

// row returns the row of a world rank, or -1.
func (c *call) row(world int) int {
	if i, ok := slices.BinarySearch(c.world, int32(world)); ok {
		return i
	}
	return -1
}

// inter reports whether the call was made on an intercommunicator.
func (c *call) inter() bool { return c.on != nil && c.on.Remote != nil }

// ints returns the integer argument with this name by row; nil when the call has none.
func (c *call) ints(name string) []int32 {
	if k := slices.IndexFunc(c.step.Args, func(a engine.Column) bool { return a.Name == name }); k >= 0 {
		return c.step.Args[k].Ints
	}
	return nil
}

// text returns the text argument with this name in a row; "" when the call has none.
func (c *call) text(name string, row int) string {
	k := slices.IndexFunc(c.step.Args, func(a engine.Column) bool { return a.Name == name })
	if k < 0 || c.step.Args[k].Texts == nil {
		return ""
	}
	return c.step.Args[k].Texts[row]
}

// place is a color or the index of a communicator, with a side of an intercommunicator.
type place struct {
	what  int32
	right bool
}

// sorts lists the rows at each place, in one pass: a search for each row would take the square of the number of
// processes.
func (c *call) sorts(what []int32, right []bool) map[place][]int {
	list := map[place][]int{}
	for row := range c.world {
		at := place{what[row], right[row]}
		list[at] = append(list[at], row)
	}
	return list
}

// ranks returns the set of world ranks of some rows, in any order.
func (c *call) ranks(rows []int) engine.Ranks {
	world := make([]int32, len(rows))
	for i, row := range rows {
		world[i] = c.world[row]
	}
	return engine.RanksOf(world...)
}

// sorted returns rows sorted by (key, old rank), which is how the standard ranks a new group.
func (c *call) sorted(rows []int) []int {
	key := c.ints("key")
	list := slices.Clone(rows)
	slices.SortFunc(list, func(a, b int) int {
		return cmp.Or(cmp.Compare(key[a], key[b]), cmp.Compare(c.old[a], c.old[b]))
	})
	return list
}

// order returns some rows sorted by (key, old rank), as seats. focus is the row to explain, or -1. Rows are those of a
// communicator: it sorts them once and remembers the result.
func (c *call) order(rows []int, focus int) *Order {
	if len(rows) == 0 {
		return &Order{Focus: -1}
	}
	o, ok := c.orders[rows[0]]
	if !ok || len(o.at) != len(rows) {
		o = c.newOrder(rows)
		c.orders[rows[0]] = o
	}
	at := -1
	if focus >= 0 {
		at = o.at[focus]
	}
	return &Order{Seats: o.seats, Focus: at}
}

// ordered has rows in order, and the position of each row.
type ordered struct {
	seats []Seat
	at    map[int]int
}

func (c *call) newOrder(rows []int) *ordered {
	o := &ordered{at: map[int]int{}}
	key := c.ints("key")
	for i, row := range c.sorted(rows) {
		o.at[row] = i
		o.seats = append(o.seats, Seat{Key: key[row], Old: c.old[row], World: c.world[row]})
	}
	for i := range o.seats {
		tied := func(j int) bool { return j >= 0 && j < len(o.seats) && o.seats[j].Key == o.seats[i].Key }
		o.seats[i].Tie = tied(i-1) || tied(i+1)
	}
	return o
}

// sessionDerived reports whether a communicator descends from one that was made of a session's group.
func sessionDerived(s *engine.Snapshot, info *engine.CommInfo) bool {
	for info != nil {
		switch info.Op {
		case engine.CallCreateFromGroup, engine.CallIntercommCreateFromGroups:
			return true
		}
		info = s.Comm(info.Parent)
	}
	return false
}
