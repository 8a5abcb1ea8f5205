package render

import (
	"io"
	"strings"

	"commsplit/engine/reason"
)

// tableRows is how many rows a translation table may have.
const tableRows = 48

// Table prints for every world rank its communicator and rank in each handle: "A 2", "○" for
// MPI_COMM_NULL, "…" for what is not set yet. Letters count the communicators of each handle from A; a line below says which
// they are. Ranks that continue a regular pattern share a row ("0-63   A 0-63"). Handles that do
// not fit beside the others follow in a further block.
func Table(w io.Writer, v *View, st Style) error {
	p := newPage(st)
	if len(v.Handles) == 0 {
		p.line(plain("no variable holds a communicator"))
		return p.writeTo(w)
	}
	t := newTranslation(v)
	rows := t.rows()
	for first := 0; first < len(t.columns); {
		if first > 0 {
			p.line()
		}
		first += t.block(p, rows, first)
	}
	return p.writeTo(w)
}

func countRanks(rows []tableRow) int {
	sum := 0
	for _, r := range rows {
		sum += r.n
	}
	return sum
}

// translation is the table before it is laid out: one partition a handle.
type translation struct {
	view    *View
	columns []*parts
	size    int
}

func newTranslation(v *View) *translation {
	t := &translation{view: v, size: v.Snapshot.Size}
	for i := range v.Handles {
		t.columns = append(t.columns, partsOf(v.Snapshot, &v.Handles[i]))
	}
	return t
}

// block draws as many columns as fit, from the first one on, and tells how many these are.
func (t *translation) block(p *page, all []tableRow, first int) int {
	rows := all[:min(len(all), p.limit(tableRows))]
	g := newGrid(column{})
	names := []cell{head("rank")}
	entries := [][]cell{}
	for _, r := range rows {
		entries = append(entries, []cell{text(r.String())})
	}
	n, used := 0, 0
	for k := first; k < len(t.columns); k++ {
		wide := textWidth(t.view.Handles[k].Name)
		cells := make([]cell, len(rows))
		for i, r := range rows {
			cells[i] = t.cell(k, r)
			wide = max(wide, textWidth(cells[i].text))
		}
		if used += wide + gutter; n > 0 && used > p.width-t.rankWidth(rows) {
			break
		}
		g.columns = append(g.columns, column{})
		names = append(names, head(t.view.Handles[k].Name))
		for i := range rows {
			entries[i] = append(entries[i], cells[i])
		}
		n++
	}
	g.row(names...)
	for _, e := range entries {
		g.row(e...)
	}
	g.drawTo(p)
	if len(rows) < len(all) {
		p.line(faint("... and " + plural(countRanks(all[tableRows:]), "more rank")))
	}
	t.key(p, first, n)
	return n
}

func (t *translation) rankWidth(rows []tableRow) int {
	wide := len("rank")
	for _, r := range rows {
		wide = max(wide, len(r.String()))
	}
	return wide
}

// key says which communicators the letters of some columns stand for, and which are stale.
func (t *translation) key(p *page, first, n int) {
	g := newGrid(column{}, column{flexible: true})
	stale := reason.StaleComms(t.view.Snapshot)
	for k := first; k < first+n; k++ {
		if list := t.columns[k].list; len(list) > 0 {
			g.row(quiet(t.view.Handles[k].Name), quiet(letterKey(list, stale, p.limit(legendLines))))
		}
	}
	if len(g.rows) > 0 {
		p.line()
		g.drawTo(p)
	}
}

// letterKey is "A #2  B #3 stale", or "A-Z #2-27 (3 stale)" for many communicators that are numbered
// in a row; of others, at most so many one by one.
func letterKey(list []part, stale map[int]*reason.Stale, most int) string {
	const few = 8
	last := list[len(list)-1]
	old := 0
	for _, q := range list {
		if stale[q.id] != nil {
			old++
		}
	}
	count := ""
	if old > 0 {
		count = " (" + itoa(old) + " stale)"
	}
	if len(list) > few && last.id-list[0].id == len(list)-1 {
		return list[0].letter + "-" + last.letter + " #" + itoa(list[0].id) + "-" + itoa(last.id) + count
	}
	var parts []string
	for _, q := range list[:min(len(list), most)] {
		text := q.letter + " #" + itoa(q.id)
		if stale[q.id] != nil {
			text += " stale"
		}
		parts = append(parts, text)
	}
	if len(list) > most {
		parts = append(parts, "… "+last.letter+" #"+itoa(last.id)+count)
	}
	return strings.Join(parts, "  ")
}
