package render

import (
	"io"
	"strings"

	"commsplit/engine/reason"
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
	p := partsOf(s, h)
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
		lines, rest := arrange(outlineDevices(s.Topology, seats(s), p), svgLines)
		root = tilesOf(newLabeler(s.Topology), p, lines)
		if rest > 0 {
			root.label = append(root.label, "... and "+plural(rest, "more object"))
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

func newKey(v *View, h *Handle, p *parts) *key {
	const width = 60 // of lists of ranks, in characters
	k := &key{}
	names, freed, stale := newNaming(v), v.Snapshot.Freed(), reason.StaleComms(v.Snapshot)
	names.short = true
	for i, q := range p.list {
		if i == legendLines-1 && len(p.list) > legendLines {
			last := p.list[len(p.list)-1].letter
			k.rest = "... and " + itoa(len(p.list)-i) + " more communicators, to " + last
			break
		}
		text := h.Name + "#" + itoa(q.id)
		switch {
		case q.info == nil:
			text += ": each rank alone in MPI_COMM_SELF"
		case q.info.Remote != nil:
			text += ": left " + orderList(q.info.Group, width/2) + ", right " + orderList(q.info.Remote, width/2)
		default:
			text += ": " + plural(len(q.info.Group), "rank") + ", world " + choose(len(q.info.Group) == 1, "rank ", "ranks ") +
				orderList(q.info.Group, width)
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
		k.lines = append(k.lines, keyLine{badge{hollow, "", -1, nullWords}, nullWords + ": " + rankNoun(p.null, width)})
	}
	if len(p.none) > 0 {
		k.lines = append(k.lines, keyLine{badge{notYet, "", Unset, unsetWords}, unsetWords + ": " + rankNoun(p.none, width)})
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
