package tui

import (
	"slices"
	"strings"

	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/render/paint"
	"codeberg.org/commsplit/commsplit/tui/moment"
)

// sitesView is the pane of the call sites that make and free communicators, with their counts up to the moment.
type sitesView struct {
	rowPane
	sites   []*render.Site
	counted bool
	counts  later[*moment.Moment, []*render.Site]
}

func (v *sitesView) update(m *Model) {
	of := m.moment
	v.sites, v.counted = v.counts.get(m, of, func() []*render.Site { return render.SitesOf(of.View.Snapshot) })
	v.to(v.at, len(v.sites))
}

func (v *sitesView) rows(m *Model) (*list, int) {
	v.update(m)
	return &v.list, len(v.sites)
}

func (v *sitesView) hidden(height int) string { return rowsShown(v.top, height-1, len(v.sites)) }

// note tells whether sites look like leaks.
func (v *sitesView) note(m *Model) string {
	v.update(m)
	return render.SitesNote(v.sites)
}

func (v *sitesView) text(_ *Model, row int) string {
	return v.sites[row].Where + " " + v.sites[row].Call.String()
}

// moved selects what the site at the cursor made.
func (v *sitesView) moved(m *Model) {
	v.update(m)
	if len(v.sites) == 0 {
		return
	}
	comms, ranks := v.sites[v.at].Chosen()
	m.choose(moment.Selection{Comms: comms, Ranks: ranks})
}

// click moves the cursor to a row; the first line is the head of the table.
func (v *sitesView) click(m *Model, _ rect, line, _ int) {
	if i := v.top + line - 1; line > 0 && i < len(v.sites) {
		v.at = i
		v.moved(m)
	}
}

// siteRanks order the columns of render.SiteHead: without room, the columns with the highest numbers are left out
// first.
var siteRanks = []int{1, 3, 0, 0, 2, 4, 5, 7, 6}

// leastWhere is the columns kept for places before other columns get room.
const leastWhere = 16

func (v *sitesView) lines(m *Model, width, height int) []paint.Line {
	v.update(m)
	if !v.counted {
		return []paint.Line{m.lookingAt()}
	}
	if len(v.sites) == 0 {
		return []paint.Line{paint.Text("   "+render.NoSites, paint.Plain)}
	}
	from, to := v.window(len(v.sites), height-1)
	const lead = 2
	where := len("place")
	for _, s := range v.sites[from:to] {
		where = max(where, paint.Width(s.Place()))
	}
	columns := v.columns(from, to, width-lead-min(where, leastWhere))
	where = min(where, width-lead-widthOf(columns))
	head := paint.Line{{Text: strings.Repeat(" ", lead), Ink: paint.Plain}, {Text: "place", Ink: paint.Bold}}
	head.Pad(lead + where)
	for _, c := range columns {
		head.Add("  "+paint.Pad(c.name, c.wide, c.right), paint.Bold)
	}
	out := []paint.Line{head}
	for i := from; i < to; i++ {
		s := v.sites[i]
		ink := paint.Plain
		if s.Leaks() {
			ink = paint.Alarm
		}
		var l paint.Line
		l.Add(mark(i == v.at && m.focus == sitesPane && !m.typing), paint.Accent)
		l.Pad(lead)
		l.Add(paint.Cut(s.Place(), where), ink)
		l.Pad(lead + where)
		for _, c := range columns {
			l.Add("  "+paint.Pad(c.texts[i-from], c.wide, c.right), ink)
		}
		out = append(out, l)
	}
	return out
}

// columns returns the columns that have room.
func (v *sitesView) columns(from, to, room int) []column {
	var list []column
	for i, name := range render.SiteHead {
		c := column{name: name, wide: len(name), right: i > 0, at: siteRanks[i]}
		for _, s := range v.sites[from:to] {
			text := s.Cells()[i]
			c.texts, c.wide = append(c.texts, text), max(c.wide, len(text))
		}
		list = append(list, c)
	}
	for widthOf(list) > room && len(list) > 0 {
		last := slices.MaxFunc(list, func(a, b column) int { return a.at - b.at })
		list = slices.DeleteFunc(list, func(c column) bool { return c.name == last.name })
	}
	return list
}
