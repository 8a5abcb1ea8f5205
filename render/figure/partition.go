package figure

import (
	"io"
	"slices"
	"strconv"
	"strings"

	"commsplit/engine"
	"commsplit/hw/spell"
	"commsplit/render"
	"commsplit/render/outline"
	"commsplit/render/paint"
)

// mostTiles is the most boxes of hardware in a picture.
const mostTiles = 120

// Partition draws the communicators that h holds on the hardware, boxes in lstopo's layout and colors with a badge
// for each rank: "A2" and below it the world rank. A prime marks the right group of an intercommunicator, ○ is
// MPI_COMM_NULL, … a variable that is not set yet. Where there are many ranks, badges become counts and equal
// objects share a box. Without hardware, the ranks are in a row. Below the picture is a key: which ranks each
// communicator has, and which communicators are stale.
func Partition(w io.Writer, v *render.View, h *render.Handle, theme Theme) error {
	d, wide, high, title, desc := drawPartition(v, h)
	return d.writeTo(w, wide, high, title, desc, theme)
}

// leastWide is the least room for a title and a key, in pixels, however narrow the hardware.
const leastWide = 560

// drawPartition draws the picture and returns its size, its title, and what it shows in words.
func drawPartition(v *render.View, h *render.Handle) (d *drawing, wide, high int, title, desc string) {
	s := v.Snapshot
	p := render.PartingOf(s, h)
	d = &drawing{}
	title = "Communicators of " + h.Name
	if s.Topology != nil && s.Bindings != nil {
		title += " on " + s.Topology.Name
	}
	root := groundOf(s, p)
	room := max(root.w, leastWide)
	wide, y := d.head(title, room)
	y += margin + padding
	root.draw(d, margin, y)
	y += root.h + lineHigh
	k := render.KeyOf(v, h, p)
	keyWide, keyHigh := d.key(k, margin, y, room, true)
	return d, max(wide, root.w, keyWide) + 2*margin, y + keyHigh + margin, title, k.Sentences()
}

// groundOf makes tiles of the hardware with a badge for each rank, and lays them out; without hardware, the ranks
// in a row.
func groundOf(s *engine.Snapshot, p *render.Parting) *tile {
	var root *tile
	if s.Topology == nil || s.Bindings == nil {
		all := make([]int32, s.Size)
		for r := range all {
			all[r] = int32(r)
		}
		root = &tile{class: "plain", label: []string{"ranks"}, seats: []seatRow{{"", badgesOf(p, all, true, mostBadges)}}}
	} else {
		o := outline.Of(s, outline.BriefDevices)
		lines, rest := o.Fit(mostTiles, p.Holding)
		root = tilesOf(o, partBadges(p), lines)
		root.leaveOut(rest)
	}
	root.fit()
	return root
}

// leaveOut adds to the label of the outermost tile how many objects are not drawn.
func (t *tile) leaveOut(rest int) {
	if rest > 0 {
		t.label = append(t.label, "... and "+spell.Plural(rest, "more object"))
	}
}

// partBadges returns a function that makes badges of what ranks hold.
func partBadges(p *render.Parting) func(ranks []int32, single bool, most int) []badge {
	return func(ranks []int32, single bool, most int) []badge { return badgesOf(p, ranks, single, most) }
}

// Measures of badges, in pixels, and limits of their number.
const (
	badgeHigh   = 32
	badgeFlat   = 20 // of a badge without a second line
	badgeGap    = 4
	badgeAcross = 8 // that have room in a row

	mostBadges = 16 // shown rank by rank in one place

	manyRanks = 256 // ranks from which a place, unless folded, has fewBadges at most
	fewBadges = 4
)

// badge is a rank in a picture, or several ranks of one communicator.
type badge struct {
	text  string // "A2", "A×64", render.Hollow, render.NotYet
	below string // the world rank, "" for several
	part  int    // index of the communicator; negative: none
	slot  int    // of the communicator's color
	title string // in words
}

// badgesOf returns the badges of some ranks, limited to most: one per rank if single is set and all have room,
// otherwise counts by communicator.
func badgesOf(p *render.Parting, ranks []int32, single bool, most int) []badge {
	var list []badge
	if single && len(ranks) <= most {
		for _, r := range ranks {
			list = append(list, badgeOf(p, int(r)))
		}
		return list
	}
	shares := p.Shares(ranks)
	for i, s := range shares {
		if i == most-1 && len(shares) > most {
			return append(list, badge{"+" + strconv.Itoa(len(shares)-i), "", -1, paint.NoSlot, strconv.Itoa(len(shares)-i) + " more communicators"})
		}
		title := spell.Plural(s.N, "rank") + ": " + noneWords(s.Part)
		if s.Part >= 0 {
			title = spell.Plural(s.N, "rank") + " of communicator " + s.Name
		}
		list = append(list, badge{s.Name + "×" + strconv.Itoa(s.N), "", s.Part, p.Slot(s.Part), title})
	}
	return list
}

// badgeOf returns the badge of a rank.
func badgeOf(p *render.Parting, world int) badge {
	part, rank, _ := p.Place(world)
	title := "world rank " + strconv.Itoa(world) + ": "
	if part >= 0 {
		title += "rank " + strconv.Itoa(rank) + " of communicator " + p.Name(world)
	} else {
		title += noneWords(part)
	}
	return badge{p.Cell(world), strconv.Itoa(world), part, p.Slot(part), title}
}

// noneWords returns what a rank without a communicator holds, in words.
func noneWords(part int) string {
	if part == render.Unset {
		return render.UnsetWords
	}
	return render.NullWords
}

func (b *badge) size() (w, h int) {
	h = badgeHigh
	if b.below == "" {
		h = badgeFlat
	}
	return max(28, boldWide(b.text, fontSize)+8, textWide(b.below, smallSize)+6), h
}

// badgeRows lays badges out in rows of at most room pixels. It calls at with the place of each badge, and returns
// the size of all.
func badgeRows(list []badge, room int, at func(b *badge, x, y int)) (wide, high int) {
	x, y, row := 0, 0, 0
	for i := range list {
		w, h := list[i].size()
		if x > 0 && x+w > room {
			x, y, row = 0, y+row+badgeGap, 0
		}
		at(&list[i], x, y)
		x, row = x+w+badgeGap, max(row, h)
		wide = max(wide, x-badgeGap)
	}
	return wide, y + row
}

func (d *drawing) badge(b *badge, x, y int) {
	w, h := b.size()
	switch {
	case b.part < 0:
	case b.below != "" && d.single == nil:
		d.single = b
	case strings.Contains(b.text, "×") && d.several == nil:
		d.several = b
	}
	d.group(b.title, func() {
		class, on := "box plain", "mid bold"
		if b.part >= 0 {
			class, on = "p"+strconv.Itoa(b.slot), "mid bold t"+strconv.Itoa(b.slot)
		}
		d.rect(x, y, w, h, 4, class)
		d.text(x+w/2, y+14, on, b.text)
		if b.below != "" {
			d.text(x+w/2, y+26, strings.Replace(on, "bold", "small", 1), b.below)
		}
	})
}

// keyColumn is the least number of lines in a column of a key that has several columns.
const keyColumn = 4

// key draws what the badges stand for, in several columns if there is room. With reading, it adds how to read
// badges.
func (d *drawing) key(k *render.Key, x, y, room int, reading bool) (wide, high int) {
	top := y
	columns, column := keyColumns(k, room)
	rows := (len(k.Lines) + columns - 1) / max(columns, 1)
	for i := range k.Lines {
		if i%rows == 0 {
			y = top
		}
		left := x + i/rows*(column+keyGap)
		w, used := d.keyLine(&k.Lines[i], left, y, room)
		wide, y, high = max(wide, left-x+w), y+used, max(high, y+used-top)
	}
	y = top + high
	if k.Rest != "" {
		d.text(x, y+14, "quiet", k.Rest)
		wide, y = max(wide, textWide(k.Rest, fontSize)), y+keyHigh
	}
	notes := k.Notes
	if reading {
		notes = slices.Concat(notes, d.reading())
	}
	for _, note := range notes {
		for _, line := range fillLines(note, smallSize, room) {
			d.text(x, y+14, "quiet small", line)
			wide, y = max(wide, textWide(line, smallSize)), y+lineHigh
		}
	}
	return wide, y - top
}

// Measures of a key, in pixels.
const (
	keyHigh = badgeFlat + 4 // of a line
	keyGap  = 32            // between columns
)

// keyColumns returns how many columns a key has, and their width.
func keyColumns(k *render.Key, room int) (n, wide int) {
	for i := range k.Lines {
		b := keyBadge(&k.Lines[i])
		w, _ := b.size()
		wide = max(wide, w+spacing+textWide(k.Lines[i].Text, fontSize))
	}
	if len(k.Lines) < 2*keyColumn {
		return 1, wide
	}
	return max(1, min((room+keyGap)/(wide+keyGap), len(k.Lines)/keyColumn)), wide
}

// keyBadge returns the badge in front of a line of a key.
func keyBadge(l *render.KeyLine) badge {
	title := noneWords(l.Part)
	if l.Part >= 0 {
		title = "communicator " + l.Mark
	}
	return badge{l.Mark, "", l.Part, l.Slot, title}
}

// keyLine draws a line of a key, which may need several lines of text.
func (d *drawing) keyLine(l *render.KeyLine, x, y, room int) (wide, high int) {
	b := keyBadge(l)
	w, _ := b.size()
	d.badge(&b, x, y)
	indent := w + spacing
	for _, text := range fillLines(l.Text, fontSize, room-indent) {
		d.text(x+indent, y+14, "", text)
		wide, y, high = max(wide, indent+textWide(text, fontSize)), y+lineHigh, high+lineHigh
	}
	return wide, high + keyHigh - lineHigh
}

// reading returns how to read the badges on the picture, by the first badge of each kind.
func (d *drawing) reading() []string {
	var list []string
	if b := d.single; b != nil {
		_, what, _ := strings.Cut(b.title, ": ")
		list = append(list, b.text+": "+what+"; the small number below it is the world rank.")
	}
	if b := d.several; b != nil {
		list = append(list, b.text+": "+b.title+".")
	}
	return list
}
