package lanes

import (
	"slices"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/render/paint"
	"codeberg.org/commsplit/commsplit/render/scene"
)

// Room is how many lines a lane takes.
type Room struct {
	Tall  bool // cells show rank and world rank on two lines; otherwise world ranks alone
	Big   bool // the ranks of Tall cells are in big letters, which a room full of people reads
	Dense bool // the whole lane is one line
	Rows  int  // of cells, at most; a row of Tall cells takes two lines
	Blank bool // a blank line follows
}

// Rooms lists the rooms to choose from, the roomiest first.
var Rooms = []Room{
	{Tall: true, Rows: 12, Blank: true},
	{Tall: true, Rows: 4, Blank: true},
	{Tall: true, Rows: 4},
	{Tall: true, Rows: 2},
	{Rows: 4},
	{Rows: 2},
	{Rows: 1},
	{Dense: true, Rows: 1},
}

// Poster is roomier than Rooms, for a screen that a room full of people reads.
var Poster = Room{Tall: true, Big: true, Rows: 12, Blank: true}

// Look tells how lanes are drawn at a moment.
type Look struct {
	Width   int
	Room    Room
	Lit     func(world int) bool // by the selection; nil: no rank
	Rank    int                  // the only world rank that is lit; -1: none, or several
	Context bool                 // show context ids, and the sites of calls
	Most    int                  // members of the largest communicator, whose bar gets the full width
	Column  int                  // of dense lanes: where sizes begin
	Size    int                  // of the world: cells have room for its largest rank
}

// Setting is what surrounds a lane: its place in the tree of lineage, and how a person selected or folded it.
type Setting struct {
	Branch string // before the first line: "├─ "
	Under  string // before the other lines: "│  "
	Fold   string // the sign of open or folded lanes below
	Indent int    // of cells below the head, to the right of the branches to derived lanes
	Below  bool   // lanes below were made from this lane
	Name   bool   // the name is lit
	Remark string // about the selection: "◂ rank 4"
	New    bool   // the communicator was just made
}

// Scene arranges a lane.
func (l *Lane) Scene(at Setting, k Look) *scene.Scene {
	d := drawing{lane: l, at: at, look: k, out: &scene.Scene{Width: k.Width}}
	if k.Room.Dense {
		d.dense()
		return d.out
	}
	d.head()
	under := at.Under + "   "
	if at.Below {
		under = at.Under + "│  "
	}
	d.tracks(under, at.Indent)
	if k.Room.Blank {
		d.out.Put(0, d.out.Height, strings.TrimRight(under, " "), paint.Faint)
		d.out.Height++
	}
	return d.out
}

// Members arranges the cells of a lane, without its first line.
func (l *Lane) Members(k Look) *scene.Scene {
	d := drawing{lane: l, look: k, out: &scene.Scene{Width: k.Width}}
	d.tracks("", 0)
	return d.out
}

// drawing is a lane that is being arranged.
type drawing struct {
	lane *Lane
	at   Setting
	look Look
	out  *scene.Scene
}

// chip draws the letter in the color of the communicator, or the sign of a state.
func (d *drawing) chip(l *paint.Line) {
	switch {
	case d.lane.State != paint.Holds:
		c := paint.Cell{State: d.lane.State, Slot: paint.NoSlot}
		c.Draw(l, 3)
		l.Add(" ", paint.Plain)
	case d.lane.Letter != "":
		c := paint.Cell{Text: d.lane.Letter, Slot: d.lane.Slot}
		c.Draw(l, paint.Width(d.lane.Letter)+2)
		l.Add(" ", paint.Plain)
	}
}

// lead returns the first line up to the end of the name.
func (d *drawing) lead() paint.Line {
	var l paint.Line
	l.Add(d.at.Branch+d.at.Fold, paint.Faint)
	d.chip(&l)
	ink := paint.Bold
	if d.lane.Gone {
		ink = paint.Faint
	}
	if d.at.Name {
		ink = ink.Lit()
	}
	l.Add(d.lane.Name, ink)
	return l
}

// leadUpTo returns the first line up to the end of the name; a name that goes beyond column end is cut.
func (d *drawing) leadUpTo(end int) paint.Line {
	l := d.lead()
	if n := len(l) - 1; l.Width() > end && end > 0 {
		l[n].Text = paint.CutMiddle(l[n].Text, max(end-l[:n].Width(), leastName))
	}
	return l
}

// LeadWidth returns the columns of a lane up to the end of its name.
func (l *Lane) LeadWidth(at Setting) int {
	d := drawing{lane: l, at: at}
	return d.lead().Width()
}

const newWord = " new "

// leastName is the least columns of a name on a dense lane, however deep the lane is in the tree.
const leastName = 6

// head draws the first line, with all remarks. Remarks without room are left out.
func (d *drawing) head() {
	end := d.look.Width
	if d.at.New {
		end -= len(newWord) + 1
	}
	const whole = 16 // columns of names that are not cut for remarks
	l := d.row()
	l.Line(d.leadUpTo(min(end, max(end*3/5, d.lead().Width()-paint.Width(d.lane.Name)+whole))))
	d.remarks(l, end, true)
	d.news(l)
}

// remarks adds the remarks behind the name, up to column end. In a head, size, state and selection come first; on dense
// lanes they stand before the cells.
func (d *drawing) remarks(l *scene.Row, end int, head bool) {
	add := func(text string, ink paint.Ink) {
		if text != "" && l.Width()+2+paint.Width(text) <= end {
			l.Add("  ", paint.Plain)
			l.Add(text, ink)
		}
	}
	if head {
		add(d.lane.Size, paint.Plain)
		add(d.lane.Word, paint.Alarm)
		add(d.at.Remark, paint.Accent)
	}
	add(d.lane.Note, paint.Plain)
	if d.look.Context {
		add(d.lane.Where, paint.Plain)
	}
	if d.lane.Made != nil {
		room := end - l.Width() - 2
		add(shortened(d.lane.Made(room), room), paint.Plain)
	}
	add(d.lane.Held, paint.Plain)
}

// shortened shortens a call to width columns: without the last arguments, then without the name of the call.
func shortened(made string, width int) string {
	call, rest, ok := strings.Cut(made, " ")
	if !ok || paint.Width(made) <= width {
		return made
	}
	for rest = strings.TrimLeft(rest, " "); ; {
		if text := call + " " + rest; paint.Width(text) <= width {
			return text
		}
		at := strings.LastIndex(rest, " ")
		if paint.Width(rest) <= width || at < 0 || !strings.Contains(rest[at:], "=") {
			return rest
		}
		rest = strings.TrimRight(rest[:at], " ")
	}
}

// dense draws everything on one line: name, size, cells, and the remarks that have room.
func (d *drawing) dense() {
	l := d.row()
	l.Line(d.leadUpTo(d.look.Column))
	l.Pad(d.look.Column)
	size, end := d.lane.Size, d.look.Width
	if end < 60 {
		size, _, _ = strings.Cut(size, " ")
	}
	l.Add("  "+size+"  ", paint.Plain)
	if d.at.New {
		end -= len(newWord) + 1
	}
	if d.lane.Word != "" {
		l.Add(d.lane.Word+"  ", paint.Alarm)
	}
	if d.at.Remark != "" {
		l.Add(d.at.Remark+"  ", paint.Accent)
	}
	d.across(l, end)
	d.remarks(l, end, false)
	d.news(l)
}

// news ends a line of a communicator that was just made.
func (d *drawing) news(l *scene.Row) {
	if d.at.New {
		l.Pad(d.look.Width - len(newWord))
		l.Add(newWord, paint.Accent.Lit())
	}
}

// row begins a line below all others.
func (d *drawing) row() *scene.Row {
	d.out.Height++
	return d.out.Row(d.out.Height - 1)
}

// facing stands between the two groups of an intercommunicator.
const facing = " ⇄ "

// across draws the sides of the lane side by side on one line. Each is as wide as its cells, or as wide as the
// other side leaves room for.
func (d *drawing) across(l *scene.Row, end int) {
	sides := max(len(d.lane.Sides), 1)
	room := end - l.Width() - (sides-1)*paint.Width(facing)
	for i := range sides {
		width := room
		if i < sides-1 {
			other := d.fit(i+1, room, 1)
			width = max(room/sides, room-other.total())
		}
		if i > 0 {
			l.Add(facing, paint.Accent)
		}
		from := l.Width()
		f := d.fit(i, width, 1)
		d.cells(l, &f, 0)
		room -= l.Width() - from
	}
}

// tracks draws the sides of the lane below its head.
func (d *drawing) tracks(under string, indent int) {
	lead := under + strings.Repeat(" ", indent)
	if len(d.lane.Sides) == 2 {
		for i, side := range d.lane.Sides {
			d.track(lead, label(side), i, max(1, d.look.Room.Rows/2))
		}
		return
	}
	d.track(lead, "", 0, d.look.Room.Rows)
}

// label returns the label before the cells of a group, padded.
func label(s *Side) string {
	const widest = len("remote ")
	return s.Label + strings.Repeat(" ", widest-len(s.Label))
}

// track arranges one side in rows, with a label before the first.
func (d *drawing) track(lead, label string, side, rows int) {
	f := d.fit(side, d.look.Width-paint.Width(lead)-paint.Width(label), rows)
	for r := range f.rows {
		l := d.row()
		for range f.high() - 1 {
			d.row().Add(lead, paint.Faint)
		}
		if l.Add(lead, paint.Faint); r == 0 {
			l.Add(label, paint.Plain)
		}
		l.Pad(paint.Width(lead) + paint.Width(label))
		d.cells(l, &f, r)
	}
}

// cells adds the r-th row of cells to a row.
func (d *drawing) cells(l *scene.Row, f *fit, r int) {
	from, start := 0, l.Width()
	if r > 0 {
		from = f.rows[r-1]
	}
	for i := from; i < f.rows[r]; i++ {
		if i > from {
			l.Pad(l.Width() + gap)
		}
		d.cell(l, &f.items[i], f.widths[i])
	}
	if r == len(f.rows)-1 && f.rest > 0 {
		text, used := moreOf(f.rest), l.Width()-start
		if f.rows[r] > from {
			text = " " + text
		}
		l.Add(paint.Cut(text, max(f.width-used, 1)), paint.Plain)
	}
}

// cell adds a cell for an item.
func (d *drawing) cell(l *scene.Row, it *item, width int) {
	all, some := d.lit(it)
	t := scene.Thing{W: width, H: it.high(), Big: it.big, Of: d.refers(it), Says: d.says(it),
		Cell: paint.Cell{Text: it.texts[0], Slot: it.slot, Lit: all, State: it.state}}
	if it.bare {
		t.Cell.Text = ""
	}
	if it.part < 0 {
		side := d.lane.Sides[it.side]
		t.Cell.Right, t.From = side.Right, side.From
	}
	if it.state == paint.Null || it.state == paint.NotYet {
		t.Cell.State = paint.Outside
	}
	if len(it.texts) > 1 {
		t.Under = it.texts[1]
	}
	if some && !all && paint.Width(it.texts[0])+1 <= width {
		t.Cell.Text += "◂"
	}
	l.Cell(t)
}

// refers returns what an item stands for.
func (d *drawing) refers(it *item) scene.Ref {
	if it.part >= 0 {
		return scene.Comm(d.lane.Comms[it.part].ID)
	}
	return scene.Ref{Kind: scene.Ranks, First: it.block.Run.First, Step: it.block.Run.Step, N: it.block.Run.N, In: d.lane.Sides[it.side].In}
}

// says tells readers who hear the picture what an item is.
func (d *drawing) says(it *item) string {
	if it.part >= 0 {
		return d.lane.Name
	}
	name := "rank " + it.block.ranks()
	if it.n > 1 {
		name = "ranks " + it.block.ranks()
	}
	switch side := d.lane.Sides[it.side]; {
	case d.lane.State != paint.Holds:
		return d.lane.Name
	case side.Label != "":
		return name + " of the " + side.Label + " group of " + d.lane.Name
	}
	return name + " of " + d.lane.Name
}

// lit reports whether the selection lights all, or some, of the ranks of an item.
func (d *drawing) lit(it *item) (all, some bool) {
	k := &d.look
	if k.Lit == nil {
		return false, false
	}
	groups := [][]int32{nil}
	switch {
	case it.part >= 0:
		c := d.lane.Comms[it.part]
		groups = [][]int32{c.Group, c.Remote}
	case k.Rank >= 0:
		in := it.block.place(k.Rank) >= 0
		return in && it.n == 1, in
	default:
		groups[0] = d.lane.Sides[it.side].Group[it.block.Lo : it.block.Lo+it.n]
	}
	all = true
	for _, g := range groups {
		for _, w := range g {
			if k.Lit(int(w)) {
				some = true
			} else {
				all = false
			}
			if some && !all {
				return
			}
		}
	}
	return all, some
}

// fit sets the cells of a side, or of a lane of several communicators, into rows. Each member has a cell if all
// fit; otherwise each progression of world ranks has one. The bar of a large group is as long as the group is
// large.
func (d *drawing) fit(side, width, rows int) fit {
	const narrowest = 1 + gap // columns of a cell
	width = max(width, 0)
	most := (width/narrowest + 1) * rows
	if n := len(d.lane.Comms); n > 0 {
		items := d.parts(min(n, most))
		if f, ok := even(items, 0, 0, width, rows); ok && n == len(items) {
			return f
		}
		for i := range items {
			items[i].bare = true
		}
		if f, ok := even(items, 1, 0, width, rows); ok && n == len(items) { // in color, without letters
			return f
		}
		return flow(d.parts(len(items)), n, width, rows)
	}
	s := d.lane.Sides[side]
	if len(s.Group) <= most {
		least := len(strconv.Itoa(max(d.look.Size-1, 0))) + padding
		if d.tall(side) {
			least++
		}
		items := d.items(side, singlesOf(s.Group))
		if d.look.Room.Big && d.tall(side) && len(s.Group) > 1 {
			big := slices.Clone(items)
			for i := range big {
				big[i].big = true
			}
			if f, ok := even(big, 0, 0, width, rows); ok {
				return f
			}
		}
		for _, lines := range []int{1, rows} { // rather fewer blanks beside the texts than more rows, or fewer cells
			for _, blanks := range []int{0, 1, 2} {
				if f, ok := even(items, least-blanks, blanks, width, lines); ok {
					return f
				}
			}
		}
	}
	blocks := s.blocks()
	blocks = blocks[:min(len(blocks), most)]
	f := flow(d.items(side, blocks), len(s.Group), width, rows)
	if k := &d.look; k.Rank >= 0 && f.rest == 0 {
		for i, b := range blocks {
			if at := b.place(k.Rank); at >= 0 && b.Run.N > 1 {
				cut := slices.Concat(blocks[:i], b.around(at), blocks[i+1:])
				if g := flow(d.items(side, cut), len(s.Group), width, rows); g.rest == 0 && len(g.rows) == len(f.rows) {
					f = g
				}
				break
			}
		}
	}
	if d.look.Most > 0 && len(d.lane.Sides) == 1 {
		f.stretch(int(int64(width) * int64(len(s.Group)) / int64(d.look.Most)))
	}
	return f
}

// items returns the cells of some blocks of a side.
func (d *drawing) items(side int, blocks []block) []item {
	s, tall := d.lane.Sides[side], d.tall(side)
	list := make([]item, len(blocks))
	for i, b := range blocks {
		it := item{slot: d.lane.Slot, state: d.lane.State, n: b.Run.N, block: b, side: side, part: -1}
		if tall {
			it.texts = []string{s.Name + b.ranks(), "w" + b.Run.String()}
		} else {
			it.texts = []string{b.Run.String()}
		}
		list[i] = it
	}
	return list
}

// tall reports whether the cells of a side show both the rank and the world rank: not where both are the same.
func (d *drawing) tall(side int) bool {
	s := d.lane.Sides[side]
	if !d.look.Room.Tall || d.lane.State != paint.Holds {
		return false
	}
	if s.Name != "" {
		return true
	}
	b := s.blocks()
	return len(b) != 1 || b[0].Run.First != 0 || b[0].Run.N > 1 && b[0].Run.Step != 1
}

// parts returns the cells of the first n communicators of a lane of several.
func (d *drawing) parts(n int) []item {
	list := make([]item, n)
	for i := range list {
		name, slot := d.lane.part(i)
		list[i] = item{texts: []string{name}, slot: slot, n: 1, part: i}
	}
	return list
}
