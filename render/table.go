package render

import (
	"encoding/csv"
	"io"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/engine/reason"
	"codeberg.org/commsplit/commsplit/render/paint"
)

// tableRows is the most rows of a translation table.
const tableRows = 48

// Table prints for every world rank its communicator and rank in each handle: "A 2", "○" for MPI_COMM_NULL, "…"
// for a variable that is not set yet. A letter is the same communicator in all columns; lines below list the
// communicators of the letters. Ranks that continue a regular pattern share a row ("0-63   A 0-63"). Handles that
// do not fit beside the others follow in another block.
func Table(w io.Writer, v *View, st Style) error {
	p := newPage(st)
	if len(v.Handles) == 0 {
		p.line(plain("no variable holds a communicator"))
		return p.writeTo(w)
	}
	t := TranslationOf(v, PartingsOf(v.Snapshot, v.Handles))
	for first := 0; first < len(t.columns); {
		if first > 0 {
			p.line()
		}
		first += t.block(p, first)
	}
	return p.writeTo(w)
}

func countRanks(rows []tableRow) int {
	sum := 0
	for _, r := range rows {
		sum += r.N
	}
	return sum
}

// Translation is a translation table before layout: a partition for each handle, and a row for each rank; in a large
// world, ranks in equal steps share a row if they are in the same communicators, with ranks in equal steps there.
type Translation struct {
	view    *View
	columns []*Parting
	size    int
	rows    []tableRow
}

// TranslationOf makes the table of the handles of v; parts are their partitions.
func TranslationOf(v *View, parts []*Parting) *Translation {
	t := &Translation{view: v, columns: parts, size: v.Snapshot.Size}
	t.rows = t.fold()
	return t
}

// block draws as many columns as fit, from the first on, and returns how many columns it drew.
func (t *Translation) block(p *page, first int) int {
	rows := t.rows[:min(len(t.rows), p.limit(tableRows))]
	g := &grid{columns: []column{{}}}
	g.row(head("rank"))
	room := p.width - len("rank")
	for _, r := range rows {
		g.row(text(r.String()))
		room = min(room, p.width-len(r.String()))
	}
	n, used := 0, 0
	for k := first; k < len(t.columns); k++ {
		cells := []cell{head(t.view.Handles[k].Name)}
		for _, r := range rows {
			cells = append(cells, t.cell(k, r))
		}
		wide := 0
		for _, c := range cells {
			wide = max(wide, paint.Width(c.text))
		}
		if used += wide + gutter; n > 0 && used > room {
			break
		}
		g.columns = append(g.columns, column{})
		for i, c := range cells {
			g.rows[i] = append(g.rows[i], c)
		}
		n++
	}
	g.drawTo(p)
	p.more("", countRanks(t.rows[len(rows):]), "rank")
	t.key(p, first, n)
	return n
}

// key lists the communicators of the letters in some columns, and which are stale.
func (t *Translation) key(p *page, first, n int) {
	g := &grid{columns: []column{{}, {flexible: true}}}
	stale := reason.StaleComms(t.view.Snapshot)
	for k := first; k < first+n; k++ {
		if t.columns[k].Len() > 0 {
			g.row(quiet(t.view.Handles[k].Name), quiet(t.columns[k].letterKey(stale, p.limit(legendLines))))
		}
	}
	if len(g.rows) > 0 {
		p.line()
		g.drawTo(p)
	}
}

// letterKey returns "A #2  B #3 stale", or "A-Z #2-27 (3 stale)" for many communicators with consecutive ids and
// letters. Other communicators are listed up to the limit most.
func (p *Parting) letterKey(stale map[int]*reason.Stale, most int) string {
	const few = 8
	list, end := p.list, p.Len()-1
	first, last := list[0].id, list[end].id
	old := 0
	for _, q := range list {
		if stale[q.id] != nil {
			old++
		}
	}
	count := ""
	if old > 0 {
		count = " (" + strconv.Itoa(old) + " stale)"
	}
	if len(list) > few && last-first == end && int(p.turns[end]-p.turns[0]) == end {
		return p.Letter(0) + "-" + p.Letter(end) + " #" + strconv.Itoa(first) + "-" + strconv.Itoa(last) + count
	}
	var parts []string
	for k, q := range list[:min(len(list), most)] {
		text := p.Letter(k) + " #" + strconv.Itoa(q.id)
		if stale[q.id] != nil {
			text += " stale"
		}
		parts = append(parts, text)
	}
	if len(list) > most {
		parts = append(parts, "… "+p.Letter(end)+" #"+strconv.Itoa(last)+count)
	}
	return strings.Join(parts, "  ")
}

// tableRow is a progression of world ranks that share a row of a translation table: in every
// column they are in one communicator, with ranks that form a progression, too.
type tableRow struct {
	Run
	steps []int // by column: the difference between the ranks of neighbors in their communicator
}

// fold returns a row for each rank when there are few ranks, otherwise folded rows.
func (t *Translation) fold() []tableRow {
	var rows []tableRow
	if t.size <= tableRows {
		for r := range t.size {
			rows = append(rows, tableRow{Run: Run{r, 1, 1}})
		}
		return rows
	}
	done := make([]bool, t.size)
	next := t.nextAlike()
	for r := range t.size {
		if done[r] {
			continue
		}
		row := t.rowFrom(r, 1, done)
		if n := int(next[r]); n > r+1 {
			if other := t.rowFrom(r, n-r, done); other.N > row.N && row.N < 3 {
				row = other
			}
		}
		for i := range row.N {
			done[row.First+i*row.Step] = true
		}
		rows = append(rows, row)
	}
	return rows
}

// nextAlike returns, for each rank, the next rank in the same communicators, or -1.
func (t *Translation) nextAlike() []int32 {
	next := make([]int32, t.size)
	last := map[string]int32{}
	var key []byte
	for r := t.size - 1; r >= 0; r-- {
		key = key[:0]
		for _, c := range t.columns {
			k := c.Holding(int32(r))
			key = append(key, byte(k), byte(k>>8), byte(k>>16), byte(k>>24))
		}
		next[r] = -1
		if at, ok := last[string(key)]; ok {
			next[r] = at
		}
		last[string(key)] = int32(r)
	}
	return next
}

// rowFrom returns the longest row that begins at rank first and has the given step between world ranks.
func (t *Translation) rowFrom(first, step int, done []bool) tableRow {
	row := tableRow{Run: Run{first, step, 1}, steps: make([]int, len(t.columns))}
	for r := first + step; r < t.size && !done[r]; r += step {
		if !t.continues(&row, int32(r-step), int32(r)) {
			break
		}
		row.N++
	}
	if row.N == 1 {
		row.Step = 1
	}
	return row
}

// continues reports whether, in every column, rank b continues the row behind rank a.
func (t *Translation) continues(row *tableRow, a, b int32) bool {
	for k, c := range t.columns {
		if c.Holding(a) != c.Holding(b) || t.listed(k, a) != "" || t.listed(k, b) != "" {
			return false
		}
		step := int(c.rank[b] - c.rank[a])
		if row.N > 1 && step != row.steps[k] {
			return false
		}
	}
	if row.N == 1 {
		for k, c := range t.columns {
			row.steps[k] = int(c.rank[b] - c.rank[a])
		}
	}
	return true
}

// cell returns the cell of a row in a column: "A 2", "A 0-63", "○", "…".
func (t *Translation) cell(column int, row tableRow) cell {
	c := t.columns[column]
	r := int32(row.First)
	if list := t.listed(column, r); list != "" {
		return text(list)
	}
	if c.of[r] < 0 {
		return quiet(c.Name(r))
	}
	ranks := Run{int(c.rank[r]), 1, 1}
	if row.N > 1 && row.steps[column] != 0 {
		ranks = Run{int(c.rank[r]), row.steps[column], row.N}
	}
	return cell{text: c.Name(r) + " " + ranks.String(), ink: paint.Part(c.Slot(int(c.of[r])))}
}

// listed returns the communicators of a rank that holds a list of them, "" for others.
func (t *Translation) listed(column int, r int32) string {
	ids, ok := t.view.Handles[column].Lists[int(r)]
	if !ok {
		return ""
	}
	var parts []string
	for _, id := range ids {
		switch {
		case id == Unset:
			parts = append(parts, NotYet)
		case id < 0:
			parts = append(parts, Hollow)
		default:
			parts = append(parts, "#"+strconv.Itoa(int(id)))
		}
	}
	return "[" + strings.Join(parts, " ") + "]"
}

// Len returns the number of rows.
func (t *Translation) Len() int { return len(t.rows) }

// Label returns the world ranks of a row: "3", "0-63", "0,2,..,62".
func (t *Translation) Label(row int) string { return t.rows[row].String() }

// Texts returns the head of the table and its first rows, at most so many.
func (t *Translation) Texts(most int) [][]string {
	lines := [][]string{{"rank"}}
	for i := range t.view.Handles {
		lines[0] = append(lines[0], t.view.Handles[i].Name)
	}
	for _, r := range t.rows[:min(len(t.rows), most)] {
		line := []string{r.String()}
		for k := range t.columns {
			line = append(line, t.cell(k, r).text)
		}
		lines = append(lines, line)
	}
	return lines
}

// Ranks returns the world ranks of a row.
func (t *Translation) Ranks(row int) engine.Ranks {
	var set engine.Ranks
	for i := range t.rows[row].N {
		set.Append(int32(t.rows[row].First + i*t.rows[row].Step))
	}
	return set
}

// Run returns the world ranks of a row as a progression: the first, the step, and how many.
func (t *Translation) Run(row int) (first, step, n int) {
	r := t.rows[row].Run
	return r.First, r.Step, r.N
}

// Has reports whether a world rank is in a row.
func (t *Translation) Has(row, world int) bool { return t.rows[row].Index(world) >= 0 }

// Cell returns the text of a row for a handle: "A 2", "A 0-63", Hollow, NotYet, and the index of the communicator,
// negative for none.
func (t *Translation) Cell(row, handle int) (text string, part int) {
	return t.cell(handle, t.rows[row]).text, int(t.columns[handle].of[t.rows[row].First])
}

// One returns the cell of a single rank.
func (t *Translation) One(world, handle int) (text string, part int) {
	return t.cell(handle, tableRow{Run: Run{world, 1, 1}}).text, int(t.columns[handle].of[world])
}

// CSV writes the translation table with one row for each rank and handle, for spreadsheets and programs: the world
// rank, the handle, the id of the rank's communicator there, the letter of that communicator in the table, the
// rank and the group size in it, and for an intercommunicator the side, left or right, and the remote size. The
// last six fields are empty for MPI_COMM_NULL; the letter is … for a variable that is not set yet. There is a row
// for every rank. All fields are numbers, letters and names of variables. Names that programs set are left out,
// because a spreadsheet could take such a name for a formula.
func CSV(w io.Writer, v *View) error {
	c := csv.NewWriter(w)
	rows := [][]string{{"world_rank", "handle", "communicator", "letter", "rank", "size", "side", "remote_size"}}
	for i, p := range PartingsOf(v.Snapshot, v.Handles) {
		for r := range p.of {
			rows = append(rows, append([]string{strconv.Itoa(r), v.Handles[i].Name}, p.fields(r)...))
		}
	}
	return c.WriteAll(rows)
}

// fields returns the last six fields of CSV for world rank r.
func (p *Parting) fields(r int) []string {
	switch {
	case p.of[r] == Unset:
		return []string{"", NotYet, "", "", "", ""}
	case p.of[r] < 0:
		return make([]string, 6)
	}
	q := &p.list[p.of[r]]
	own, side, remote := 1, "", ""
	if q.info != nil {
		own = len(q.info.Group)
		if n := len(q.info.Remote); q.info.Remote != nil && p.side[r] {
			own, side, remote = n, "right", strconv.Itoa(own)
		} else if q.info.Remote != nil {
			side, remote = "left", strconv.Itoa(n)
		}
	}
	return []string{strconv.Itoa(q.id), p.Letter(int(p.of[r])), strconv.Itoa(int(p.rank[r])), strconv.Itoa(own), side, remote}
}

// Markdown writes the translation table, a column for each handle, and below it a table of the communicators of
// its letters. Ranks that continue a regular pattern share a row, as in Table; no more than 48 rows are written.
func Markdown(w io.Writer, v *View) error {
	if len(v.Handles) == 0 {
		_, err := io.WriteString(w, "No variable holds a communicator.\n")
		return err
	}
	t := TranslationOf(v, PartingsOf(v.Snapshot, v.Handles))
	var b strings.Builder
	markdownTable(&b, t.Texts(tableRows))
	if len(t.rows) > tableRows {
		b.WriteString("\n" + More(countRanks(t.rows[tableRows:]), "rank") + "\n")
	}
	b.WriteString("\n" + t.markdownKey())
	_, err := io.WriteString(w, b.String())
	return err
}

// markdownTable writes lines of cells; the first line is the head. Columns are aligned for readers of the source
// text.
func markdownTable(b *strings.Builder, lines [][]string) {
	wide := make([]int, len(lines[0]))
	for _, line := range lines {
		for k, text := range line {
			line[k] = markdownText(text)
			wide[k] = max(wide[k], 3, paint.Width(line[k]))
		}
	}
	for i, line := range lines {
		for k, text := range line {
			b.WriteString("| " + text + strings.Repeat(" ", wide[k]-paint.Width(text)+1))
		}
		b.WriteString("|\n")
		if i > 0 {
			continue
		}
		for _, n := range wide {
			b.WriteString("|" + strings.Repeat("-", n+2))
		}
		b.WriteString("|\n")
	}
}

// markdownKey returns the table of the communicators of the letters.
func (t *Translation) markdownKey() string {
	lines := [][]string{{"handle", "letter", "communicator", "made by", "group (world ranks)"}}
	w := NewWords(t.view)
	w.names.short = true
	null, none := false, false
	for k, p := range t.columns {
		null, none = null || len(p.null) > 0, none || len(p.none) > 0
		for i, q := range p.list {
			if i == legendLines {
				last := p.list[len(p.list)-1]
				lines = append(lines, []string{t.view.Handles[k].Name, "… " + p.Letter(p.Len()-1), "… #" + strconv.Itoa(last.id), "", ""})
				break
			}
			facts := partFacts(t.view, w.names, q)
			if q.info != nil {
				facts[0] = words(facts[0], w.names.set(q.id), w.State([]*engine.CommInfo{q.info}))
			}
			lines = append(lines, append([]string{t.view.Handles[k].Name, p.Letter(i)}, facts...))
		}
	}
	var b strings.Builder
	markdownTable(&b, lines)
	if null {
		b.WriteString("\n" + Hollow + " is " + NullWords + ".\n")
	}
	if none {
		b.WriteString("\n" + NotYet + " is " + UnsetWords + ".\n")
	}
	return b.String()
}

// partFacts returns a communicator's name, the call that made it, and its group.
func partFacts(v *View, names naming, q part) []string {
	if q.info == nil {
		return []string{"self", "predefined", "each rank alone"}
	}
	made := "predefined"
	if q.info.Op != engine.CallNone {
		made = words(q.info.Op.String(), instance(v.Snapshot, q.info))
	}
	group := OrderList(q.info.Group, 60)
	if q.info.Remote != nil {
		group = "left " + group + ", right " + OrderList(q.info.Remote, 60)
	}
	return []string{names.of(q.id), made, group}
}

// markdownEscapes escapes the characters with a meaning in CommonMark, in GitHub's additions, or in HTML.
var markdownEscapes = strings.NewReplacer(`\`, `\\`, "|", `\|`, "*", `\*`, "_", `\_`, "~", `\~`, "$", `\$`, "`", "\\`", "![", `\!\[`, "](", `]\(`,
	"&", "&amp;", "<", "&lt;", ">", "&gt;")

// markdownText escapes a cell's text.
func markdownText(text string) string { return markdownEscapes.Replace(paint.OneLine(text)) }
