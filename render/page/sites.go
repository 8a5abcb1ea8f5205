package page

import (
	"maps"
	"slices"

	"commsplit/render"
)

// sites are the places of the program that made or freed communicators, and what each had done with them after each
// step: leaks of the end first.
type sites struct {
	Head []word `json:"head"` // of the columns
	Note []said `json:"note"` // whether places look like leaks
	Rows []site `json:"rows"`
	Most int    `json:"most"` // how many communicators of a place are selected with it; of more, its ranks
}

// said is a text from a step on.
type said struct {
	From int  `json:"from"`
	Text word `json:"text"`
}

// site is a place. To choose it selects the communicators that are there already, or else the ranks.
type site struct {
	At    packed   `json:"at"`    // the steps that change something
	Cells []packed `json:"cells"` // where it is, then its counts: a word for each of these steps
	Leaks packed   `json:"leaks"` // 1 for a leak, for each of these steps
	Comms packed   `json:"comms"` // that the place makes
	Ranks packed   `json:"ranks"` // that call there
}

// course is how the cells of a place change.
type course struct {
	at, leaks []int32
	cells     [][]word
}

// sites lists the places of a recorded application, and those of a session that made communicators again and again on
// a rank. Of any other session the trace shows as much, and the page has no room to lose.
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
	courses, leaks := c.courses()
	first := c.Last
	for _, k := range courses {
		first = min(first, int(k.at[0]))
	}
	x.Note = c.leakNotes(first, leaks)
	for _, s := range list {
		k := courses[s.Key()]
		row := site{At: pack(k.at), Leaks: pack(k.leaks), Comms: pack(s.Comms), Ranks: packRanks(s.Ranks)}
		for _, column := range k.cells {
			row.Cells = append(row.Cells, pack(column))
		}
		x.Rows = append(x.Rows, row)
	}
	c.doc.Sites = x
}

// courses follow the places through all steps. leaks is by step how many places became leaks, less those that ceased to.
func (c *collector) courses() (courses map[render.SiteKey]*course, leaks map[int]int) {
	courses, leaks = map[render.SiteKey]*course{}, map[int]int{}
	render.SitesThrough(c.last.Snapshot, func(s *render.Site, step int) {
		k := courses[s.Key()]
		if k == nil {
			k = &course{cells: make([][]word, 1+len(render.SiteHead))}
			courses[s.Key()] = k
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
	return courses, leaks
}

// leakNotes say from which step on how many places look like leaks; first is the step of the first place.
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
