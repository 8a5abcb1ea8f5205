package render

import (
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/engine/reason"
	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/spell"
	"codeberg.org/commsplit/commsplit/render/outline"
	"codeberg.org/commsplit/commsplit/render/paint"
)

// withoutHardware writes, in place of a picture, that the world has no hardware.
func (p *page) withoutHardware(w io.Writer) error {
	p.line(plain("no hardware: this world was made without a topology"))
	return p.writeTo(w)
}

// Tree draws the hardware in the style of lstopo's console, with the world ranks on the smallest
// object that holds their PUs. On a page that is not whole, large hardware is folded
// to about 60 lines.
func Tree(w io.Writer, v *View, st Style) error {
	p := newPage(st)
	s := v.Snapshot
	if s.Topology == nil {
		return p.withoutHardware(w)
	}
	o := outline.Of(s, outline.NoDevices)
	if s.Bindings == nil { // the hardware alone
		o = outline.New(s.Topology, outline.NoDevices)
	}
	lines, rest := o.Fit(p.picture, nil)
	labels, seats, column := p.labelsOf(o, lines)
	for i := range lines {
		note := rankNote(&lines[i], seats[i], p.width-max(column, min(paint.Width(labels[i]), p.width/2))-len("  <- "))
		if note == "" {
			p.line(plain(labels[i]))
			continue
		}
		// The ranks are more important than the end of a long label.
		label := paint.Cut(labels[i], max(column, p.width-len("  <- ")-paint.Width(note)))
		p.line(plain(paint.Pad(label, column, false)), faint("  <- "), plain(note))
	}
	p.more("  ", rest, "line")
	return p.writeTo(w)
}

// fewer returns how many of n things show where there is room for so many lines, the last of which may tell how many more
// there are.
func fewer(n, lines int) int {
	if n > lines {
		return lines - 1
	}
	return n
}

// More returns the words for n things that are left out: "... and 3 more ranks".
func More(n int, noun string) string { return "... and " + spell.Plural(n, "more "+noun) }

// more writes how many things are left out, behind lead; nothing for none.
func (p *page) more(lead string, n int, noun string) {
	if n > 0 {
		p.line(faint(lead + More(n, noun)))
	}
}

// labelsOf returns the indented names of the lines, their ranks, and the columns of the longest name of a line with
// ranks, which are at most three fifths of the page.
func (p *page) labelsOf(o *outline.Outline, lines []outline.Line) (labels []string, seats [][]outline.Seat, column int) {
	labels, seats = make([]string, len(lines)), make([][]outline.Seat, len(lines))
	for i := range lines {
		labels[i] = strings.Repeat("  ", lines[i].Depth) + o.Label(&lines[i])
		if seats[i] = o.Seats(&lines[i]); len(seats[i]) > 0 {
			column = max(column, paint.Width(labels[i]))
		}
	}
	return labels, seats, min(column, p.width*3/5)
}

// rankNote returns "rank 3", "ranks 6-7 on PUs 6-7", "ranks 0-63, one each"; "" without ranks. Seats share the
// width.
func rankNote(l *outline.Line, seats []outline.Seat, width int) string {
	var parts []string
	for i, s := range seats {
		text := worldRanks(l, s, width/(len(seats)-i))
		parts = append(parts, text)
		width -= len(text) + len("; ")
	}
	return strings.Join(parts, "; ")
}

// worldRanks lists the world ranks of a seat on a line and, if there is room, how they are spread over its nodes.
func worldRanks(l *outline.Line, s outline.Seat, width int) string {
	on := ""
	if s.PUs != "" {
		on = " on PUs " + s.PUs
	}
	each := ""
	if len(s.Ranks) > 1 {
		each = eachNote(l)
	}
	if text := RankNoun(s.Ranks, width-len(on)-len(each)) + on + each; len(text) <= width {
		return text
	}
	return RankNoun(s.Ranks, width-len(on)) + on
}

// eachNote returns how the ranks of a folded line are spread: ", one each".
func eachNote(l *outline.Line) string {
	if len(l.Nodes) == 1 {
		return ""
	}
	switch least, most := l.Each(); {
	case most == 0:
		return ""
	case least == 1 && most == 1:
		return ", one each"
	case least == most:
		return ", " + strconv.Itoa(most) + " each"
	default:
		return ", " + strconv.Itoa(least) + " to " + strconv.Itoa(most) + " each"
	}
}

// Result prints what a command did: the echo, which is the command in the words of a program that every
// rank runs ("ranks 0-11 each call MPI_Comm_split(world, color=rank%2)"), then the communicators that h holds now: a
// legend with a letter for each, then the hardware with every rank as a cell "A2", the letter of its communicator and
// its rank in that communicator. A prime marks the right group of an intercommunicator, ○ a rank with MPI_COMM_NULL, …
// a rank whose variable is not set yet. Where there are many ranks cells become counts ("A×64"), and the picture is
// folded to less than 60 lines. echo is "" for the partition alone; h is nil when the command made no communicator.
func Result(w io.Writer, v *View, h *Handle, echo string, st Style) error {
	p := newPage(st)
	if echo != "" {
		p.paragraph(echo, 0, paint.Bold)
	}
	if h == nil {
		return p.writeTo(w)
	}
	if echo != "" {
		p.line()
	}
	start := p.lines
	parts := PartingOf(v.Snapshot, h)
	legend(p, v, h, parts)
	p.line()
	s := v.Snapshot
	if s.Topology == nil || s.Bindings == nil { // the ranks in world rank order
		cells := parts.cells(ascendingRanks(len(parts.of)), p.width-len("ranks  "), true)
		p.line(append(paint.Line{faint("ranks  ")}, cells...)...)
		return p.writeTo(w)
	}
	o := outline.Of(s, outline.NoDevices)
	most := p.picture
	if !p.whole {
		most -= p.lines - start
	}
	lines, rest := o.Fit(most, parts.Holding)
	drawCells(p, o, parts, lines)
	p.more("  ", rest, "line")
	return p.writeTo(w)
}

// drawCells draws the lines of the picture in three aligned columns: labels, cells, world ranks.
func drawCells(p *page, o *outline.Outline, parts *Parting, lines []outline.Line) {
	labels, seats, column := p.labelsOf(o, lines)
	wide, narrow, single := parts.split(p.width-column-gutter, lines, seats)
	for i := range lines {
		l, list := &lines[i], seats[i]
		if len(list) == 0 {
			p.line(faint(labels[i]))
		}
		label := labels[i]
		for _, s := range list {
			cells := parts.cells(s.Ranks, wide, single && len(l.Nodes) == 1)
			ranks := worldRanks(l, s, narrow)
			// The ranks are more important than the end of a long label.
			room := p.width - 2*gutter - cells.Width() - paint.Width(ranks)
			label = paint.Cut(label, max(column, room))
			over := max(0, paint.Width(label)-column)
			spans := append(paint.Line{faint(paint.Pad(label, column, false)), gap(gutter)}, cells...)
			fill := max(0, min(wide, aligned)-over-cells.Width())
			p.line(append(spans, gap(fill+gutter), faint(ranks))...)
			label = ""
		}
	}
}

// split divides the columns right of the labels between cells and world ranks. If both do not fit, lists of world
// ranks are shortened first. single is whether lines for a single object show their ranks one by one: where one of them
// cannot, ranks of all lines are counted, so that lines can be compared.
func (p *Parting) split(room int, lines []outline.Line, seats [][]outline.Seat) (cells, ranks int, single bool) {
	const least = 14 // of the column of world ranks
	single = true
	for i := range lines {
		for _, s := range seats[i] {
			single = single && (lines[i].Closed || len(s.Ranks) <= maxCells && p.singleCells(s.Ranks).Width() <= room-least-2)
		}
	}
	for i := range lines {
		l := &lines[i]
		for _, s := range seats[i] {
			cells = max(cells, p.cells(s.Ranks, room, single && len(l.Nodes) == 1).Width())
			ranks = max(ranks, paint.Width(worldRanks(l, s, room)))
		}
	}
	cells = min(cells, max(room-2-min(ranks, least), room/2))
	return cells, min(ranks, room-cells-2), single
}

// legendLines is the most communicators that a legend lists.
const legendLines = 20

// legend lists the communicators of a partition, a line each: letter, name, context id, size, world ranks in rank
// order, resource; then the ranks without a communicator.
func legend(p *page, v *View, h *Handle, parts *Parting) {
	oldest := 0 // the step that made the first communicator: none was named or freed before
	if len(parts.list) > 0 && parts.list[0].info != nil {
		oldest = parts.list[0].info.Step
	}
	fates := engine.FatesAfter(v.Snapshot.Steps[min(oldest, len(v.Snapshot.Steps)):])
	w := &Words{view: v, names: naming{given: fates.Names}, freed: fates.Freed, stale: reason.StaleComms(v.Snapshot)}
	g := &grid{columns: []column{{}, {}, {}, {right: true}, {flexible: true}, {}}}
	shown := parts.list[:fewer(len(parts.list), p.limit(legendLines))]
	for i, q := range shown {
		g.row(legendRow(w, h, q, cell{text: parts.Letter(i), ink: paint.Part(parts.Slot(i))})...)
	}
	g.drawTo(p)
	if n := len(parts.list) - len(shown); n > 0 {
		p.line(faint(More(n, "communicator") + ", to " + parts.Letter(parts.Len()-1)))
	}
	if len(parts.null) > 0 {
		p.line(faint(Hollow+"  "+NullWords+"  "), plain(RankNoun(parts.null, p.width-18)))
	}
	if len(parts.none) > 0 {
		p.line(faint(NotYet+"  "+UnsetWords+"  "), plain(RankNoun(parts.none, p.width-16)))
	}
	var old []*reason.Stale
	for _, q := range parts.list {
		if x := w.stale[q.id]; x != nil {
			old = append(old, x)
		}
	}
	if len(old) > 0 {
		p.stale("", newNaming(v), old, p.limit(staleLegend))
	}
}

// legendRow returns the row of a communicator. A blank takes the place of the "s" of "1 rank". At its end is what else
// is known of the communicator: the hardware of a hardware split, the name that the program gave, how many of its ranks
// hold the communicator in this variable unless all do, and whether it was freed or is stale.
func legendRow(w *Words, h *Handle, q part, letter cell) []cell {
	n := q.held
	if q.info != nil {
		n = len(q.info.Group)
	}
	size := spell.Plural(n, "rank")
	if n == 1 {
		size += " "
	}
	row := []cell{letter, text(h.Name + "#" + strconv.Itoa(q.id))}
	if q.info == nil {
		return append(row, quiet("no ctx"), text(size), quiet("each rank alone in its own MPI_COMM_SELF"), quiet(""))
	}
	const word = "world ranks "
	list := []*engine.CommInfo{q.info}
	members := cell{fit: func(width int) string { return word + OrderList(q.info.Group, width-len(word)) }}
	if q.info.Remote != nil {
		size, members = Sizes(list), sides(q.info.Group, q.info.Remote)
	}
	held := ""
	if q.held < n+len(q.info.Remote) {
		held = "held by " + strconv.Itoa(q.held)
	}
	remark := words(instance(w.view.Snapshot, q.info), w.names.set(q.id), held, w.State(list))
	return append(row, quiet("ctx "+contextOf(q.info)), text(size), members, quiet(remark))
}

// instance returns what a communicator of a split by resource corresponds to: hardware, as in "hwloc://NUMANode
// L#1", or a process set.
func instance(s *engine.Snapshot, c *engine.CommInfo) string {
	if c.Pset != "" || c.Resource == "" {
		return c.Pset
	}
	if o := ObjectOf(s, c); o != nil {
		return c.Resource + " L#" + strconv.Itoa(o.LogicalIndex)
	}
	return c.Resource
}

// ObjectOf returns the hardware that a communicator of a split by resource corresponds to; nil for other communicators.
func ObjectOf(s *engine.Snapshot, c *engine.CommInfo) *hw.Object {
	if c.Resource == "" || s.Topology == nil {
		return nil
	}
	for _, r := range s.Topology.Resources() {
		if r.URI == c.Resource && c.Instance >= 0 && c.Instance < len(r.Instances) {
			return r.Instances[c.Instance]
		}
	}
	return nil
}

// The most stale communicators with a note each, in the news and in the legend of a picture.
const (
	staleNotes  = 8
	staleLegend = 3
)

// StaleNews prints a note for each communicator that has become stale since a step of the trace, and one note
// for all communicators that reflect the hardware again. It prints nothing when there is no such communicator.
func StaleNews(w io.Writer, v *View, from int, st Style) error {
	s := v.Snapshot
	p := newPage(st)
	names, freed := newNaming(v), s.Freed()
	before, now := reason.StaleComms(s.At(from)), reason.StaleComms(s)
	var fresh []*reason.Stale
	for _, id := range slices.Sorted(maps.Keys(now)) {
		if before[id] == nil {
			fresh = append(fresh, now[id])
		}
	}
	p.stale("note: ", names, fresh, p.limit(staleNotes))
	var again []string
	for _, id := range slices.Sorted(maps.Keys(before)) {
		if now[id] == nil && !freed[id] {
			again = append(again, names.of(id))
		}
	}
	if n := len(again); n > 0 {
		if n > p.limit(staleNotes) {
			again = append(again[:staleNotes], "... "+strconv.Itoa(n)+" in all")
		}
		p.paragraph("note: "+strings.Join(again, ", ")+choose(n == 1, " reflects", " reflect")+" the hardware again",
			0, paint.Plain)
	}
	return p.writeTo(w)
}

// stale prints a paragraph for each stale communicator: "half#2 (hwloc://NUMANode) is stale: rank 3 now runs on
// PUs 4-5, NUMANode L#1 (P#1); ...".
func (p *page) stale(lead string, names naming, list []*reason.Stale, most int) {
	for i, x := range list {
		if i == most {
			p.line(plain(lead + "and " + spell.Plural(len(list)-i, "more communicator")))
			return
		}
		p.paragraph(lead+names.stale(x), 0, paint.Plain)
	}
}

func (n naming) stale(x *reason.Stale) string {
	if x.Original != x.Comm {
		return n.of(x.Comm) + " is stale: a duplicate of " + n.of(x.Original)
	}
	return n.of(x.Comm) + " (" + x.Resource.URI + ") is stale: " + x.Why()
}

// Key explains the letters in a picture of one variable. Its words do not depend on the width of a page.
type Key struct {
	Lines []KeyLine
	Rest  string   // "... and 45 more communicators, to BL"; "" when all communicators have a line
	Notes []string // why some communicators are stale
}

// KeyLine is a mark and its meaning.
type KeyLine struct {
	Mark string // "A", Hollow or NotYet
	Part int    // index of the communicator, as Parting counts; negative: none
	Slot int    // of the mark's color
	Text string // "half#2: 6 ranks, world ranks [10,8,6,4,2,0]"
}

// KeyOf returns the key of a picture of h, whose partition is p.
func KeyOf(v *View, h *Handle, p *Parting) *Key {
	const width = 60 // of lists of ranks, in characters
	k := &Key{}
	w := NewWords(v)
	w.names.short = true
	shown := p.list[:fewer(p.Len(), legendLines)]
	if n := p.Len() - len(shown); n > 0 {
		k.Rest = More(n, "communicator") + ", to " + p.Letter(p.Len()-1)
	}
	for i, q := range shown {
		row := legendRow(w, h, q, cell{})
		text := words(row[1].text+": "+strings.TrimSpace(row[3].text)+", "+row[4].at(width+len("world ranks ")), row[5].text)
		text = strings.Replace(text, ": 1 rank, world ranks", ": 1 rank, world rank", 1) // no column of a table
		k.Lines = append(k.Lines, KeyLine{p.Letter(i), i, p.Slot(i), text})
		if x := w.stale[q.id]; x != nil && len(k.Notes) < staleLegend {
			k.Notes = append(k.Notes, w.names.stale(x)+".")
		}
	}
	if len(p.null) > 0 {
		k.Lines = append(k.Lines, KeyLine{Hollow, -1, paint.NoSlot, NullWords + ": " + RankNoun(p.null, width)})
	}
	if len(p.none) > 0 {
		k.Lines = append(k.Lines, KeyLine{NotYet, Unset, paint.NoSlot, UnsetWords + ": " + RankNoun(p.none, width)})
	}
	return k
}

// Sentences returns what the picture shows, in words.
func (k *Key) Sentences() string {
	var list []string
	for _, l := range k.Lines {
		text := l.Text + "."
		if l.Part >= 0 {
			text = l.Mark + " is " + text
		}
		list = append(list, text)
	}
	if k.Rest != "" {
		list = append(list, k.Rest+".")
	}
	return strings.Join(append(list, k.Notes...), " ")
}
