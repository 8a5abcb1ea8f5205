package render

import (
	"io"
	"maps"
	"slices"
	"strings"

	"commsplit/engine/reason"
)

// How many stale communicators are told of one by one: in notes, and in the legend of a picture.
const (
	staleNotes  = 8
	staleLegend = 3
)

// StaleNews prints a note for each communicator that no longer reflects the hardware since a step of
// the trace, and one for those that do so again. It prints nothing when there is none.
func StaleNews(w io.Writer, v *View, from int, st Style) error {
	s := v.Snapshot
	if len(s.Rebound(from)) == 0 {
		return nil
	}
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
			again = append(again[:staleNotes], "... "+itoa(n)+" in all")
		}
		p.paragraph("note: "+strings.Join(again, ", ")+choose(n == 1, " reflects", " reflect")+" the hardware again",
			0, inkPlain)
	}
	return p.writeTo(w)
}

// stale tells of stale communicators, a paragraph each: "half#2 (hwloc://NUMANode) is stale: rank 3
// now runs on PUs 4-5, NUMANode L#1 (P#1); ...".
func (p *page) stale(lead string, names naming, list []*reason.Stale, most int) {
	for i, x := range list {
		if i == most {
			p.line(plain(lead + "and " + plural(len(list)-i, "more communicator")))
			return
		}
		p.paragraph(lead+names.stale(x), 0, inkPlain)
	}
}

func (n naming) stale(x *reason.Stale) string {
	if x.Original != x.Comm {
		return n.of(x.Comm) + " is stale: it duplicates " + n.of(x.Original)
	}
	return n.of(x.Comm) + " (" + x.Resource.URI + ") is stale: " + x.Why()
}
