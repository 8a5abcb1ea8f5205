package lanes

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/engine/reason"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/render/paint"
	"codeberg.org/commsplit/commsplit/render/scene"
)

// Bucket is contributions to one new communicator: the color, the processes that passed the color in the order of
// their old ranks, and the same processes in the order of their new ranks.
type Bucket struct {
	Name   string         // "color 0"
	Letter string         // of the communicator made of it, with a prime for a right group; "" if none is made
	Slot   int            // of the communicator's color
	Seats  []*reason.Seat // in the order of the new ranks

	byOld  []*reason.Seat
	passed string // the name of the numbers below the cells; "": keys
}

// NewBucket makes a bucket of seats in the order of the new ranks.
func NewBucket(name, letter string, slot int, seats []reason.Seat) *Bucket {
	b := &Bucket{Name: name, Letter: letter, Slot: slot}
	for i := range seats {
		b.Seats = append(b.Seats, &seats[i])
	}
	b.byOld = slices.Clone(b.Seats)
	slices.SortFunc(b.byOld, func(p, q *reason.Seat) int { return int(p.Old - q.Old) })
	return b
}

// splitRows is the most rows of cells in a bucket; a longer bucket is folded.
const splitRows = 2

// Scene arranges the bucket in width columns: its contributions with their keys and, if sorted, below them which
// process gets which rank. room is the columns of the names before the cells.
func (b *Bucket) Scene(width, room int, sorted bool) *scene.Scene {
	d, name := b.splitter(width, room)
	d.cell = 3
	for _, s := range b.Seats {
		d.cell = max(d.cell, paint.Width("w"+strconv.Itoa(int(s.World)))+padding, paint.Width(b.passes(s))+1)
	}
	if b.Letter != "" {
		d.cell = max(d.cell, paint.Width(b.Letter+strconv.Itoa(len(b.Seats)-1))+padding)
	}
	alike := sorted && b.Letter != "" && b.alike()
	d.per = (width - d.room + gap) / (d.cell + gap)
	switch {
	case d.per < 1 || (len(b.Seats)+d.per-1)/d.per > splitRows:
		d.folded(name, sorted, alike)
		return d.out
	case alike:
		d.rows(name, b.Seats, b.result, b.Slot)
		return d.out
	}
	d.rows(name, b.byOld, func(_ int, s *reason.Seat) face {
		return face{text: "w" + strconv.Itoa(int(s.World)), passes: b.passes(s)}
	}, paint.NoSlot)
	switch {
	case !sorted:
	case b.Letter == "":
		d.out.Lines(paint.Text(strings.Repeat(" ", d.room)+"no communicator: MPI_COMM_NULL", paint.Plain))
	default:
		d.rows("sorted", b.Seats, b.result, b.Slot)
	}
	return d.out
}

// splitter returns a splitter and the name that stands before the cells; a name without room stands above.
func (b *Bucket) splitter(width, room int) (d *splitter, name string) {
	d = &splitter{bucket: b, room: room + 2, width: width, out: &scene.Scene{Width: width}}
	if paint.Width(b.Name) > room {
		d.out.Lines(paint.Text(paint.Cut(b.Name, width), paint.Bold))
		return d, ""
	}
	return d, b.Name
}

// Tight arranges the sorted bucket in two lines where it fits: new rank and world rank of each process, above its key.
// With big, the new rank is in big letters above the world rank; with fold, a bucket that needs more rows is a bar.
func (b *Bucket) Tight(width, room int, big, fold bool) *scene.Scene {
	d, name := b.splitter(width, room)
	d.big = big
	alike := b.alike()
	face := func(i int, s *reason.Seat) face {
		f := b.result(i, s)
		if big {
			f.text, f.under = f.under, f.text
		} else {
			f.text, f.under = f.under+" "+f.text, ""
		}
		if !alike {
			f.passes = b.passes(s)
		}
		return f
	}
	for i, s := range b.Seats {
		f, wide := face(i, s), 0
		if wide = paint.Width(f.text); big {
			wide, _ = paint.BigSize(wide, 1)
		}
		d.cell = max(d.cell, wide+padding, paint.Width(f.passes)+1)
	}
	short := d.room+len(b.Seats)*(d.cell+gap)-gap <= width
	if b.Letter == "" || alike && !big || !short {
		if usual := b.Scene(width, room, true); !fold || usual.Height <= 2 {
			return usual
		}
		d.folded(name, true, alike)
		return d.out
	}
	d.per = len(b.Seats)
	d.rows(name, b.Seats, face, b.Slot)
	return d.out
}

// face is the texts of a process: in its cell, in the second line of the cell, and below the cell; "" for no such line.
type face struct{ text, under, passes string }

// result returns the texts of a process and its new rank.
func (b *Bucket) result(i int, s *reason.Seat) face {
	return face{text: "w" + strconv.Itoa(int(s.World)), under: b.Letter + strconv.Itoa(i)}
}

// alike reports whether all keys are equal: then sorting changes nothing.
func (b *Bucket) alike() bool {
	return !slices.ContainsFunc(b.Seats, func(s *reason.Seat) bool { return s.Key != b.Seats[0].Key })
}

// splitter arranges a bucket.
type splitter struct {
	bucket      *Bucket
	room, width int
	cell, per   int
	big         bool // the texts of cells are in big letters
	out         *scene.Scene
}

// rows adds seats in rows: cells, and below them what processes passed where their faces have it.
func (d *splitter) rows(name string, seats []*reason.Seat, text func(i int, s *reason.Seat) face, slot int) {
	for lo := 0; lo < len(seats); lo += d.per {
		first, y, high := text(lo, seats[lo]), d.out.Height, 1
		if first.under != "" {
			high = 2
		}
		if d.big {
			_, high = paint.BigSize(1, 1)
			high += 2
		}
		upper, lower := d.out.Row(y), d.out.Row(y+high)
		d.out.Row(y+(high-1)/2).Add(name, paint.Bold)
		name = ""
		d.out.Height = y + high
		if first.passes != "" {
			d.out.Height++
			lower.Pad(max(0, d.room-2-paint.Width(d.bucket.below())))
			lower.Add(d.bucket.below(), paint.Plain)
		}
		for i, s := range seats[lo:min(lo+d.per, len(seats))] {
			x, f := d.room+i*(d.cell+gap), text(lo+i, s)
			t := scene.Thing{W: d.cell, H: high, Cell: paint.Cell{Text: f.text, Slot: slot}, Of: scene.Rank(int(s.World), nil), Under: f.under, Big: d.big}
			if f.passes == "" {
				t.Says = "becomes " + f.under
			} else {
				t.Says = "passes " + d.bucket.below() + " " + f.passes
				lower.Pad(x + (d.cell-paint.Width(f.passes))/2)
				lower.Add(f.passes, paint.Plain)
			}
			upper.Pad(x)
			upper.Cell(t)
		}
	}
}

// folded draws a long bucket as a bar for the contributions and a bar for the new ranks.
func (d *splitter) folded(name string, sorted, alike bool) {
	world, keys, result := make([]int32, len(d.bucket.byOld)), make([]int32, len(d.bucket.byOld)), make([]int32, len(d.bucket.Seats))
	for i, s := range d.bucket.byOld {
		world[i], keys[i] = s.World, s.Key
	}
	for i, s := range d.bucket.Seats {
		result[i] = s.World
	}
	room := d.width - d.room - 2
	line := func(name, text string, ink paint.Ink) paint.Line {
		l := paint.Text(name, paint.Bold)
		l.Pad(d.room)
		l.Add(" "+text+" ", ink)
		return l
	}
	n := strconv.Itoa(len(result) - 1)
	became := d.bucket.Letter + "0-" + n + "  w"
	became += listed(result, room-len(became))
	if alike {
		d.out.Lines(line(name, became, paint.Fill(d.bucket.Slot)))
		return
	}
	d.out.Lines(line(name, "w"+listed(world, room-1), paint.Fill(paint.NoSlot)),
		line("", d.bucket.below()+" "+listed(keys, room-1-len(d.bucket.below())), paint.Plain))
	if sorted && d.bucket.Letter != "" {
		d.out.Lines(line("sorted", became, paint.Fill(d.bucket.Slot)))
	}
}

// listed writes numbers in their order: "0", "0,-2,..,-126".
func listed(list []int32, width int) string {
	runs := render.Runs(list)
	switch {
	case len(runs) == 1 && runs[0].Step == 0:
		return strconv.Itoa(runs[0].First)
	case len(runs) == 1 && runs[0].Step == 1 && runs[0].First >= 0:
		return runs[0].String()
	case len(runs) == 1 && runs[0].N > 2:
		r := runs[0]
		return fmt.Sprintf("%d,%d,..,%d", r.First, r.First+r.Step, r.First+(r.N-1)*r.Step)
	}
	return strings.Trim(render.OrderList(list, width+2), "[]")
}
