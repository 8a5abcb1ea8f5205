package render

import (
	"io"
	"strconv"
	"strings"

	"commsplit/engine/reason"
	"commsplit/render/outline"
	"commsplit/render/paint"
)

// svgLines is how many boxes of hardware a picture may have.
const svgLines = 120

// SVGPartition draws the communicators that h holds on the hardware, boxes in lstopo's layout and
// colors with a badge for each rank: "A2" and below it the world rank. A prime marks the right group
// of an intercommunicator, ○ MPI_COMM_NULL, … nothing yet. Where there are many ranks, badges become counts and equal
// objects one box. Without hardware, the ranks are in a row. Below it is a key: which ranks each
// communicator has, and what is stale.
func SVGPartition(w io.Writer, v *View, h *Handle, theme Theme) error {
	d, wide, high, title, desc := drawPartition(v, h)
	return d.writeTo(w, wide, high, title, desc, theme)
}

// leastWide is how much room a title and a key get, in pixels, be the hardware as narrow as it may.
const leastWide = 560

// drawPartition draws the picture, and tells its size, its title and what it shows in words.
func drawPartition(v *View, h *Handle) (d *drawing, wide, high int, title, desc string) {
	s := v.Snapshot
	p := PartingOf(s, h)
	d = &drawing{}
	title = "Communicators of " + h.Name
	var root *tile
	if s.Topology == nil || s.Bindings == nil {
		all := make([]int32, s.Size)
		for r := range all {
			all[r] = int32(r)
		}
		root = &tile{class: "plain", label: []string{"ranks"}, seats: []seatRow{{"", p.badgesOf(all, true, maxCells)}}}
	} else {
		o := outline.Of(s, outline.BriefDevices)
		lines, rest := o.Fit(svgLines, p.key)
		root = tilesOf(o, p, lines)
		if rest > 0 {
			root.label = append(root.label, "... and "+Plural(rest, "more object"))
		}
		title += " on " + s.Topology.Name
	}
	root.fit()
	room := max(root.w, leastWide)
	wide, y := d.head(title, room)
	y += svgEdge + svgPad
	root.draw(d, svgEdge, y)
	y += root.h + svgLine
	k := newKey(v, h, p)
	keyWide, keyHigh := d.key(k, svgEdge, y, room)
	return d, max(wide, root.w, keyWide) + 2*svgEdge, y + keyHigh + svgEdge, title, k.sentences()
}

// key is what the badges of a picture stand for.
type key struct {
	lines []keyLine
	rest  string // "... and 45 more communicators, to BL"
	notes []string
}

// keyLine is a badge and what it stands for.
type keyLine struct {
	badge badge
	text  string
}

func newKey(v *View, h *Handle, p *Parting) *key {
	const width = 60 // of lists of ranks, in characters
	k := &key{}
	names, freed, stale := newNaming(v), v.Snapshot.Freed(), reason.StaleComms(v.Snapshot)
	names.short = true
	for i, q := range p.list {
		if i == legendLines-1 && len(p.list) > legendLines {
			last := p.list[len(p.list)-1].letter
			k.rest = "... and " + strconv.Itoa(len(p.list)-i) + " more communicators, to " + last
			break
		}
		text := h.Name + "#" + strconv.Itoa(q.id)
		switch {
		case q.info == nil:
			text += ": each rank alone in MPI_COMM_SELF"
		case q.info.Remote != nil:
			text += ": left " + OrderList(q.info.Group, width/2) + ", right " + OrderList(q.info.Remote, width/2)
		default:
			text += ": " + Plural(len(q.info.Group), "rank") + ", world " + choose(len(q.info.Group) == 1, "rank ", "ranks ") +
				OrderList(q.info.Group, width)
		}
		if q.info != nil {
			text = words(text, legendRemark(v.Snapshot, q, names, state(freed[q.id], stale[q.id] != nil)))
		}
		k.lines = append(k.lines, keyLine{badge{q.letter, "", int32(i), "communicator " + q.letter}, text})
		if x := stale[q.id]; x != nil && len(k.notes) < staleLegend {
			k.notes = append(k.notes, names.stale(x)+".")
		}
	}
	if len(p.null) > 0 {
		k.lines = append(k.lines, keyLine{badge{Hollow, "", -1, nullWords}, nullWords + ": " + RankNoun(p.null, width)})
	}
	if len(p.none) > 0 {
		k.lines = append(k.lines, keyLine{badge{NotYet, "", Unset, unsetWords}, unsetWords + ": " + RankNoun(p.none, width)})
	}
	return k
}

// sentences say in words what the picture shows.
func (k *key) sentences() string {
	var list []string
	for _, l := range k.lines {
		text := l.text + "."
		if l.badge.part >= 0 {
			text = l.badge.text + " is " + text
		}
		list = append(list, text)
	}
	if k.rest != "" {
		list = append(list, k.rest+".")
	}
	return strings.Join(append(list, k.notes...), " ")
}

// Measures of badges, in pixels, and how many there are.
const (
	badgeHigh   = 32
	badgeFlat   = 20 // of one without a second line
	badgeGap    = 4
	badgeAcross = 8 // badges that have room in a row

	manyRanks = 256 // from here on, a place that is no folded one has a few badges only
	fewBadges = 4
)

// badge is a rank in a picture, or several ranks of one communicator.
type badge struct {
	text  string // "A2", "A×64", Hollow, NotYet
	below string // the world rank, "" for several
	part  int32  // index of the communicator; negative: none
	title string // in words
}

// badgesOf are at most so many badges of some ranks: one each when single is set, otherwise counts.
func (p *Parting) badgesOf(ranks []int32, single bool, most int) []badge {
	var list []badge
	if single && len(ranks) <= most {
		for _, r := range ranks {
			c := p.cell(r)
			b := badge{c.Text, strconv.Itoa(int(r)), p.of[r], "world rank " + strconv.Itoa(int(r)) + ": " + p.noneWords(r)}
			if b.part >= 0 {
				b.title = "world rank " + strconv.Itoa(int(r)) + ": rank " + strconv.Itoa(int(p.rank[r])) + " of communicator " + p.name(r)
			}
			list = append(list, b)
		}
		return list
	}
	shares := p.shares(ranks)
	for i, s := range shares {
		if i == most-1 && len(shares) > most {
			return append(list, badge{"+" + strconv.Itoa(len(shares)-i), "", -1, strconv.Itoa(len(shares)-i) + " more communicators"})
		}
		title := Plural(s.n, "rank") + ": " + p.noneWords(s.of)
		if p.of[s.of] >= 0 {
			title = Plural(s.n, "rank") + " of communicator " + p.name(s.of)
		}
		list = append(list, badge{p.shareText(s), "", p.of[s.of], title})
	}
	return list
}

// noneWords say what a rank without a communicator holds.
func (p *Parting) noneWords(r int32) string {
	if p.of[r] == Unset {
		return unsetWords
	}
	return nullWords
}

func (b *badge) size() (w, h int) {
	h = badgeHigh
	if b.below == "" {
		h = badgeFlat
	}
	return max(28, svgBold(b.text, svgFont)+8, svgWide(b.below, svgSmall)+6), h
}

// badgeRows lays badges out in rows of at most some pixels: it calls at with the place of each, and
// returns the size of all.
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
			class, on = "p"+strconv.Itoa(int(b.part)%paint.PartInks), "mid bold on"
		}
		d.rect(x, y, w, h, 4, class)
		d.text(x+w/2, y+14, on, b.text)
		if b.below != "" {
			d.text(x+w/2, y+26, strings.Replace(on, "bold", "small", 1), b.below)
		}
	})
}

// keyColumn is the least number of lines in a column of a key, if there are several.
const keyColumn = 4

// key lists what the badges stand for, in columns where there is room for them.
func (d *drawing) key(k *key, x, y, room int) (wide, high int) {
	top := y
	columns, column := k.columns(room)
	rows := (len(k.lines) + columns - 1) / max(columns, 1)
	for i, l := range k.lines {
		if i%rows == 0 {
			y = top
		}
		left := x + i/rows*(column+keyGap)
		w, used := d.keyLine(l, left, y, room)
		wide, y, high = max(wide, left-x+w), y+used, max(high, y+used-top)
	}
	y = top + high
	if k.rest != "" {
		d.text(x, y+14, "quiet", k.rest)
		wide, y = max(wide, svgWide(k.rest, svgFont)), y+keyHigh
	}
	for _, note := range append(k.notes, d.reading()...) {
		for _, line := range svgFill(note, svgSmall, room) {
			d.text(x, y+14, "quiet small", line)
			wide, y = max(wide, svgWide(line, svgSmall)), y+svgLine
		}
	}
	return wide, y - top
}

// Measures of a key, in pixels.
const (
	keyHigh = badgeFlat + 4 // of a line
	keyGap  = 32            // between columns
)

// columns is how many columns a key has, and how wide these are.
func (k *key) columns(room int) (n, wide int) {
	for i := range k.lines {
		w, _ := k.lines[i].badge.size()
		wide = max(wide, w+svgGap+svgWide(k.lines[i].text, svgFont))
	}
	if len(k.lines) < 2*keyColumn {
		return 1, wide
	}
	return max(1, min((room+keyGap)/(wide+keyGap), len(k.lines)/keyColumn)), wide
}

// keyLine draws a line of a key, which may need several lines of text.
func (d *drawing) keyLine(l keyLine, x, y, room int) (wide, high int) {
	w, _ := l.badge.size()
	d.badge(&l.badge, x, y)
	indent := w + svgGap
	for _, text := range svgFill(l.text, svgFont, room-indent) {
		d.text(x+indent, y+14, "", text)
		wide, y, high = max(wide, indent+svgWide(text, svgFont)), y+svgLine, high+svgLine
	}
	return wide, high + keyHigh - svgLine
}

// reading says how the badges on the picture are read, by the first of each kind.
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
