package page

import (
	"slices"

	"commsplit/render"
)

// sites are the places of the program that made or freed communicators, and what each did with them in the whole
// session.
type sites struct {
	Note word   `json:"note"`
	Head []word `json:"head"` // of the columns
	Rows []site `json:"rows"`
}

// site is a place. Who chooses it selects the communicators that are there already, or else the ranks.
type site struct {
	Cells []word `json:"cells"` // where it is, then its counts
	Leaks bool   `json:"leaks,omitempty"`
	Comms packed `json:"comms"` // that are selected with it; none where they are too many
	Ranks packed `json:"ranks"` // that called there
}

// sites lists the places of a recorded application, and those of a session that made communicators again and again on
// a rank. Of any other session the trace shows as much, and the page has no room to lose.
func (c *collector) sites() {
	list := render.SitesOf(c.last.Snapshot)
	again := func(s *render.Site) bool { return s.Made > 1 }
	if len(list) == 0 || !c.Recorded && !slices.ContainsFunc(list, again) {
		return
	}
	x := &sites{Note: c.word(render.SitesNote(list) + ", at the end"), Head: []word{c.word("place")}}
	for _, name := range render.SiteHead {
		x.Head = append(x.Head, c.word(name))
	}
	for _, s := range list {
		comms, _ := s.Chosen()
		row := site{Cells: []word{c.word(s.Place())}, Leaks: s.Leaks(), Comms: pack(comms), Ranks: packRanks(s.Ranks)}
		for _, text := range s.Cells() {
			row.Cells = append(row.Cells, c.word(text))
		}
		x.Rows = append(x.Rows, row)
	}
	c.doc.Sites = x
}
