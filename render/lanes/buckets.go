package lanes

import (
	"slices"
	"strconv"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/engine/reason"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/render/paint"
	"codeberg.org/commsplit/commsplit/render/scene"
)

// mostBuckets is the most buckets of a call that are drawn.
const mostBuckets = 24

// Call is the phases of a collective call, with the letters and colors of the communicators that it made.
type Call struct {
	*reason.Phases
	Snapshot *engine.Snapshot
	Parting  *render.Parting
}

// Buckets arranges the buckets of the call. If sorted, also the order in each bucket, and which process gets which
// rank.
func (c *Call) Buckets(width int, sorted bool) *scene.Scene {
	return c.below(&scene.Scene{}, c.buckets(), width, 0, sorted)
}

// Tight arranges the sorted buckets in few lines: without blank lines, and each process at its new place with its key
// below; in big letters, if big, where they have room.
func (c *Call) Tight(width int, big bool) *scene.Scene {
	list, out := c.buckets(), &scene.Scene{}
	for _, fold := range []bool{false, true} {
		out = &scene.Scene{}
		for _, b := range list {
			out.Below(b.Tight(width, roomOf(list, width), big, fold), 0)
		}
		if big || out.Height <= tightLines {
			break
		}
	}
	return c.rest(out, len(list))
}

// tightLines is how many lines the buckets of a call take before those that need more than a row of cells are folded.
const tightLines = 8

// Taken arranges the whole call: the groups that it was made on, in rank order, with the colors that processes
// passed, then the sorted buckets. name is the name of the groups' communicator.
func (c *Call) Taken(name string, width int) *scene.Scene {
	before, list := c.before(name), c.buckets()
	room := max(roomOf(before, width), roomOf(list, width))
	out := &scene.Scene{}
	for _, b := range before {
		out.Below(b.Scene(width, room, false), 0)
	}
	return c.below(out, list, width, room, true)
}

// roomOf returns the columns of the names before the cells.
func roomOf(list []*Bucket, width int) int {
	room := len("sorted")
	for _, b := range list {
		if w := paint.Width(b.Name); w <= width/3 {
			room = max(room, w)
		}
	}
	return room
}

// below adds buckets, each below the one before.
func (c *Call) below(out *scene.Scene, list []*Bucket, width, room int, sorted bool) *scene.Scene {
	room = max(room, roomOf(list, width))
	for i, b := range list {
		if i == 0 || !sorted || b.Scene(width, room, true).Height > 1 {
			out.Height++
		}
		out.Join(b.Scene(width, room, sorted), 0, out.Height)
	}
	return c.rest(out, len(list))
}

// rest tells how many buckets are left out.
func (c *Call) rest(out *scene.Scene, drawn int) *scene.Scene {
	if n := len(c.Phases.Buckets) - drawn; n > 0 {
		out.Lines(nil, paint.Text(render.More(n, "bucket"), paint.Plain))
	}
	return out
}

// buckets returns the first mostBuckets buckets, a bucket for each side of an intercommunicator.
func (c *Call) buckets() []*Bucket {
	made := 0
	var list []*Bucket
	for _, b := range c.Phases.Buckets {
		letter, slot := "", paint.NoSlot
		if b.Makes && made < len(c.Step.Made) {
			letter, slot = c.Parting.Free(made)
			if k := c.Parting.Find(c.Step.Made[made]); k >= 0 {
				letter, slot = c.Parting.Letter(k), c.Parting.Slot(k)
			}
			made++
		}
		for side, o := range b.Sides {
			name := b.Name
			if len(b.Sides) == 2 {
				name += ", " + sideNames[side]
				if side == 1 && letter != "" {
					letter += "'"
				}
			}
			if len(o.Seats) > 0 && len(list) < mostBuckets {
				list = append(list, NewBucket(name, letter, slot, o.Seats))
			}
		}
	}
	return list
}

var sideNames = [...]string{"left group", "right group"}

// before returns the groups on which the call was made, in rank order, with the color that each process passed;
// nil for a call without colors.
func (c *Call) before(name string) []*Bucket {
	on := c.Snapshot.Comm(c.Step.Comm)
	i := slices.IndexFunc(c.Step.Args, func(a engine.Column) bool { return a.Name == "color" && a.Ints != nil })
	if on == nil || i < 0 {
		return nil
	}
	colors := map[int32]int32{} // by world rank
	for row, w := range c.Step.Ranks.List() {
		colors[w] = c.Step.Args[i].Ints[row]
	}
	groups := [][]int32{on.Group}
	if on.Remote != nil {
		groups = append(groups, on.Remote)
	}
	var list []*Bucket
	for side, group := range groups {
		b := &Bucket{Name: name, Slot: paint.NoSlot, passed: "color"}
		if len(groups) == 2 {
			b.Name += ", " + sideNames[side]
		}
		for i, w := range group {
			b.Seats = append(b.Seats, &reason.Seat{Key: colors[w], Old: int32(i), World: w})
		}
		b.byOld = b.Seats
		list = append(list, b)
	}
	return list
}

// passes returns the number that a process passed, for the line below its cell.
func (b *Bucket) passes(s *reason.Seat) string {
	if render.IsUndefined(b.below(), s.Key) {
		return "undef"
	}
	return strconv.Itoa(int(s.Key))
}

// below returns the name of the numbers below the cells.
func (b *Bucket) below() string {
	if b.passed != "" {
		return b.passed
	}
	return "key"
}
