package page

import (
	"maps"
	"slices"

	"codeberg.org/commsplit/commsplit/render"
)

// sites are the call sites of the program that made or freed communicators, with their counts after each step;
// sites that are leaks at the end come first.
type sites struct {
	Head []word `json:"head"` // of the columns
	Note []said `json:"note"` // how many sites look like leaks, from a step on
	Rows []site `json:"rows"`
	Most int    `json:"most"` // communicators of a site that are selected with it; of more, its ranks are
}

// said is a text from a step on.
type said struct {
	From int  `json:"from"`
	Text word `json:"text"`
}

// site is a call site. Choosing it selects its communicators that exist already, or else its ranks.
type site struct {
	At    packed   `json:"at"`    // the steps that change a cell
	Cells []packed `json:"cells"` // the place, then its counts: a word for each of the steps
	Leaks packed   `json:"leaks"` // for each of the steps: 1 for a leak, 0 for none
	Comms packed   `json:"comms"` // communicators made at the site
	Ranks packed   `json:"ranks"` // ranks that call at the site
}

// history is the cells of a site after each step that changes them.
type history struct {
	at, leaks []int32
	cells     [][]word
}

// sites lists the call sites of a recorded application, or of a session in which a rank made several communicators
// at one site. For other sessions, the trace shows as much in less room.
func (c *collector) sites() {
	list := render.SitesOf(c.last.Snapshot)
	again := func(s *render.Site) bool { return s.Made > 1 }
	if len(list) == 0 || !c.Recorded && !slices.ContainsFunc(list, again) {
		return
	}
	x := &sites{Head: []word{c.word("place")}, Most: render.MostChosen}
	for _, name := range render.SiteHead {
		x.Head = append(x.Head, c.word(name))
	}
	histories, leaks := c.histories()
	first := c.Last
	for _, k := range histories {
		first = min(first, int(k.at[0]))
	}
	x.Note = c.leakNotes(first, leaks)
	for _, s := range list {
		k := histories[s.Key()]
		row := site{At: pack(k.at), Leaks: pack(k.leaks), Comms: pack(s.Comms), Ranks: packRanks(s.Ranks)}
		for _, column := range k.cells {
			row.Cells = append(row.Cells, pack(column))
		}
		x.Rows = append(x.Rows, row)
	}
	c.doc.Sites = x
}

// histories follows the sites through all steps. leaks[step] is how many sites became leaks at the step, minus the
// number that are leaks no longer.
func (c *collector) histories() (histories map[render.SiteKey]*history, leaks map[int]int) {
	histories, leaks = map[render.SiteKey]*history{}, map[int]int{}
	render.SitesThrough(c.last.Snapshot, func(s *render.Site, step int) {
		k := histories[s.Key()]
		if k == nil {
			k = &history{cells: make([][]word, 1+len(render.SiteHead))}
			histories[s.Key()] = k
		}
		leak := int32(0)
		if s.Leaks() {
			leak = 1
		}
		if before := len(k.leaks) - 1; leak == 1 && (before < 0 || k.leaks[before] == 0) {
			leaks[step]++
		} else if leak == 0 && before >= 0 && k.leaks[before] == 1 {
			leaks[step]--
		}
		k.at, k.leaks = append(k.at, int32(step)), append(k.leaks, leak)
		for i, text := range append([]string{s.Place()}, s.Cells()...) {
			k.cells[i] = append(k.cells[i], c.word(text))
		}
	})
	return histories, leaks
}

// leakNotes returns the note on how many sites look like leaks, for each step at which the number changes; first
// is the first step of a site.
func (c *collector) leakNotes(first int, leaks map[int]int) []said {
	n := 0
	list := []said{{0, c.word(render.NoSites)}, {first, c.word(render.LeakNote(n))}}
	for _, step := range slices.Sorted(maps.Keys(leaks)) {
		if leaks[step] != 0 {
			n += leaks[step]
			list = append(list, said{step, c.word(render.LeakNote(n))})
		}
	}
	return list
}
