package figure

import (
	"fmt"
	"io"
	"slices"
	"strconv"

	"commsplit/engine"
	"commsplit/engine/reason"
	"commsplit/hw/spell"
	"commsplit/render"
	"commsplit/render/paint"
)

// mostBucketCalls is the most calls whose buckets a picture shows, and mostBuckets the most buckets of each call.
const (
	mostBucketCalls = 4
	mostBuckets     = 24
)

// Buckets draws how calls made the communicators of h: what each process passed, the bucket into which it fell,
// and each bucket in the order of the new communicator. Buckets returns an error when no such call divided
// contributions into buckets.
func Buckets(w io.Writer, v *render.View, h *render.Handle, theme Theme) error {
	s, p := v.Snapshot, render.PartingOf(v.Snapshot, h)
	var calls []*reason.Phases
	known, more := map[int]bool{}, 0
	for k := range p.Len() {
		c := s.Comm(p.Comm(k))
		if c == nil || c.Step < 1 || c.Step > len(s.Steps) || known[c.Step] {
			continue
		}
		known[c.Step] = true
		ph, err := reason.Of(s, c.Step)
		switch {
		case err != nil || !slices.Contains(ph.Stages, reason.Sort):
		case len(calls) == mostBucketCalls:
			more++
		default:
			calls = append(calls, ph)
		}
	}
	if len(calls) == 0 {
		return fmt.Errorf("no call made a communicator of %s of buckets: MPI_Comm_split and MPI_Comm_split_type do", h.Name)
	}
	d, words, title := &drawing{}, render.NewWords(v), "The buckets of "+h.Name
	var tiles []*tile
	for _, ph := range calls {
		tiles = append(tiles, bucketTiles(s, p, ph, words.Name(ph.Step.Comm))...)
	}
	room, wide, y := d.column(title, tiles)
	notes := render.Key{Notes: []string{"Each bucket is sorted by key; processes with equal keys keep the order of their old ranks."}}
	if more > 0 {
		notes.Rest = "... and the buckets of " + spell.Plural(more, "more call")
	}
	keyWide, keyHigh := d.key(&notes, margin, y+spacing, room, true)
	k := render.KeyOf(v, h, p)
	return d.writeTo(w, max(wide, room, keyWide)+2*margin, y+spacing+keyHigh+margin, title, k.Sentences(), theme)
}

// bucketTiles returns the boxes of a call: one for each group of its communicator, with the colors that processes
// passed, then one for each side of each bucket. name is the name of the communicator.
func bucketTiles(s *engine.Snapshot, p *render.Parting, ph *reason.Phases, name string) []*tile {
	tiles := passedTiles(s, ph, name)
	made, left := 0, mostBuckets
	for i := range ph.Buckets {
		b := &ph.Buckets[i]
		part := -1
		if b.Makes && made < len(ph.Step.Made) {
			part = p.Find(ph.Step.Made[made])
			made++
		}
		if left--; left < 0 {
			continue
		}
		for side, o := range b.Sides {
			if len(o.Seats) > 0 {
				tiles = append(tiles, bucketTile(p, b, part, side, o.Seats))
			}
		}
	}
	if left < 0 {
		tiles = append(tiles, boxOf("... and "+spell.Plural(-left, "more bucket")))
	}
	return tiles
}

// passedTiles returns the boxes of the groups on which a call was made, in rank order, each process with the color
// that it passed; nil for a call without colors.
func passedTiles(s *engine.Snapshot, ph *reason.Phases, name string) []*tile {
	on := s.Comm(ph.Step.Comm)
	i := slices.IndexFunc(ph.Step.Args, func(a engine.Column) bool { return a.Name == "color" && a.Ints != nil })
	if on == nil || i < 0 {
		return nil
	}
	colors := map[int32]int32{} // by world rank
	for row, w := range ph.Step.Ranks.List() {
		colors[w] = ph.Step.Args[i].Ints[row]
	}
	var tiles []*tile
	for side, group := range [][]int32{on.Group, on.Remote} {
		label := ph.Step.Call.String() + " on " + name
		if on.Remote != nil {
			label += sideWords[side]
		}
		var list []badge
		for _, w := range group[:min(len(group), mostSeats)] {
			list = append(list, passedBadge("color", colors[w], w))
		}
		if len(group) > 0 {
			tiles = append(tiles, boxOf(label+": the color that each process passes, above its world rank", seatRow{badges: andMore(list, len(group))}))
		}
	}
	return tiles
}

// sideWords name the groups of an intercommunicator; they stand behind its name.
var sideWords = [...]string{", left group", ", right group"}

// bucketTile returns the box of a side of a bucket: its contributions with their keys, by old rank, then in the
// order of the new communicator. part is the index of that communicator in p, -1 if the bucket made none that p
// holds.
func bucketTile(p *render.Parting, b *reason.Bucket, part, side int, seats []reason.Seat) *tile {
	label, group := b.Name, ""
	if len(b.Sides) == 2 {
		label, group = label+sideWords[side], [...]string{"left", "right"}[side]
	}
	old := slices.Clone(seats)
	slices.SortFunc(old, func(x, y reason.Seat) int { return int(x.Old - y.Old) })
	var keys []badge
	for _, x := range old[:min(len(old), mostSeats)] {
		keys = append(keys, passedBadge("key", x.Key, x.World))
	}
	rows := []seatRow{{badges: andMore(keys, len(old))}}
	alike := !slices.ContainsFunc(seats, func(x reason.Seat) bool { return x.Key != seats[0].Key })
	switch {
	case !b.Makes:
		return boxOf(label+": no communicator comes of it, MPI_COMM_NULL", rows...)
	case part < 0:
		return boxOf(label+": the key of each process", rows...)
	}
	world := make([]int32, len(seats))
	for i, x := range seats {
		world[i] = x.World
	}
	result := groupBadges(p, part, group, world)
	if alike { // sorting changes nothing
		return boxOf(label+": all pass the key "+strconv.Itoa(int(seats[0].Key)), seatRow{badges: result})
	}
	return boxOf(label+": the key of each process", append(rows, seatRow{"sorted:", result})...)
}

// passedBadge returns the badge of a value that a process passed.
func passedBadge(name string, value, world int32) badge {
	text := strconv.Itoa(int(value))
	if render.IsUndefined(name, value) {
		text = "undef"
	}
	w := strconv.Itoa(int(world))
	return badge{text, w, -1, paint.NoSlot, "world rank " + w + " passes " + name + " " + text}
}

// andMore appends a badge for those of n ranks that have no badge in list.
func andMore(list []badge, n int) []badge {
	if more := n - len(list); more > 0 {
		list = append(list, badge{"+" + strconv.Itoa(more), "", -1, paint.NoSlot, spell.Plural(more, "more rank")})
	}
	return list
}

// boxOf makes a box with rows of badges.
func boxOf(label string, rows ...seatRow) *tile {
	t := &tile{class: "plain", label: []string{label}, seats: rows, across: mostSeats}
	t.fit()
	return t
}
