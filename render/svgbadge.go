package render

import "strings"

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
	text  string // "A2", "A×64", hollow, notYet
	below string // the world rank, "" for several
	part  int32  // index of the communicator; negative: none
	title string // in words
}

// badgesOf are at most so many badges of some ranks: one each when single is set, otherwise counts.
func (p *parts) badgesOf(ranks []int32, single bool, most int) []badge {
	var list []badge
	if single && len(ranks) <= most {
		for _, r := range ranks {
			c := p.cell(r)
			b := badge{c.text, itoa(int(r)), p.of[r], "world rank " + itoa(int(r)) + ": " + p.noneWords(r)}
			if b.part >= 0 {
				b.title = "world rank " + itoa(int(r)) + ": rank " + itoa(int(p.rank[r])) + " of communicator " + p.name(r)
			}
			list = append(list, b)
		}
		return list
	}
	shares := p.shares(ranks)
	for i, s := range shares {
		if i == most-1 && len(shares) > most {
			return append(list, badge{"+" + itoa(len(shares)-i), "", -1, itoa(len(shares)-i) + " more communicators"})
		}
		title := plural(s.n, "rank") + ": " + p.noneWords(s.of)
		if p.of[s.of] >= 0 {
			title = plural(s.n, "rank") + " of communicator " + p.name(s.of)
		}
		list = append(list, badge{p.shareText(s), "", p.of[s.of], title})
	}
	return list
}

// noneWords say what a rank without a communicator holds.
func (p *parts) noneWords(r int32) string {
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
			class, on = "p"+itoa(int(b.part)%partColors), "mid bold on"
		}
		d.rect(x, y, w, h, 4, class)
		d.text(x+w/2, y+14, on, b.text)
		if b.below != "" {
			d.text(x+w/2, y+26, strings.Replace(on, "bold", "small", 1), b.below)
		}
	})
}
