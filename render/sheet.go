package render

import (
	"encoding/csv"
	"io"
	"strings"

	"commsplit/engine"
	"commsplit/engine/reason"
)

// CSV writes the translation table with one row for each rank and handle, for spreadsheets and
// programs: the world rank, the handle, the id of the rank's communicator there, its letter in
// pictures, the rank and the size in it, and in an intercommunicator the side, left or right, and the
// remote size. The last six are empty for MPI_COMM_NULL; the letter is … for a variable that is not set yet. There is a row for every rank. All fields are
// numbers, letters and names of variables: nothing that a spreadsheet could take for a formula, as it
// could names that programs set.
func CSV(w io.Writer, v *View) error {
	c := csv.NewWriter(w)
	rows := [][]string{{"world_rank", "handle", "communicator", "letter", "rank", "size", "side", "remote_size"}}
	for i := range v.Handles {
		p := partsOf(v.Snapshot, &v.Handles[i])
		for r := range p.of {
			rows = append(rows, append([]string{itoa(r), v.Handles[i].Name}, p.fields(r)...))
		}
	}
	return c.WriteAll(rows)
}

// fields are what CSV tells of world rank r.
func (p *parts) fields(r int) []string {
	switch {
	case p.of[r] == Unset:
		return []string{"", notYet, "", "", "", ""}
	case p.of[r] < 0:
		return make([]string, 6)
	}
	q := &p.list[p.of[r]]
	own, other := p.groupSizes(int32(r))
	side, remote := "", ""
	if q.info != nil && q.info.Remote != nil {
		side, remote = "left", itoa(other)
		if p.side[r] {
			side = "right"
		}
	}
	return []string{itoa(q.id), q.letter, itoa(int(p.rank[r])), itoa(own), side, remote}
}

// groupSizes are the sizes of the local and of the remote group of the communicator of world rank r.
func (p *parts) groupSizes(r int32) (local, remote int) {
	q := &p.list[p.of[r]]
	if q.info == nil {
		return 1, 0
	}
	if p.side[r] {
		return len(q.info.Remote), len(q.info.Group)
	}
	return len(q.info.Group), len(q.info.Remote)
}

// Markdown writes the translation table, a column for each handle, and below it which communicators
// its letters stand for. Ranks that continue a regular pattern share a row, as in Table; no more than
// 48 rows are written.
func Markdown(w io.Writer, v *View) error {
	if len(v.Handles) == 0 {
		_, err := io.WriteString(w, "No variable holds a communicator.\n")
		return err
	}
	t := newTranslation(v)
	all := t.rows()
	rows := all[:min(len(all), tableRows)]
	head := []string{"rank"}
	for i := range v.Handles {
		head = append(head, v.Handles[i].Name)
	}
	lines := [][]string{head}
	for _, r := range rows {
		line := []string{r.String()}
		for k := range t.columns {
			line = append(line, t.cell(k, r).text)
		}
		lines = append(lines, line)
	}
	var b strings.Builder
	markdownTable(&b, lines)
	if len(rows) < len(all) {
		b.WriteString("\n... and " + plural(countRanks(all[tableRows:]), "more rank") + "\n")
	}
	b.WriteString("\n" + t.markdownKey())
	_, err := io.WriteString(w, b.String())
	return err
}

// markdownTable writes lines of cells under the first one, with columns aligned for readers of the
// text.
func markdownTable(b *strings.Builder, lines [][]string) {
	wide := make([]int, len(lines[0]))
	for _, line := range lines {
		for k, text := range line {
			line[k] = markdownText(text)
			wide[k] = max(wide[k], 3, textWidth(line[k]))
		}
	}
	for i, line := range lines {
		for k, text := range line {
			b.WriteString("| " + text + strings.Repeat(" ", wide[k]-textWidth(text)+1))
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

// markdownKey says which communicators the letters stand for, a list item each.
func (t *translation) markdownKey() string {
	lines := [][]string{{"handle", "letter", "communicator", "made by", "group (world ranks)"}}
	names, freed, stale := newNaming(t.view), t.view.Snapshot.Freed(), reason.StaleComms(t.view.Snapshot)
	names.short = true
	null, none := false, false
	for k, p := range t.columns {
		null, none = null || len(p.null) > 0, none || len(p.none) > 0
		for i, q := range p.list {
			if i == legendLines {
				last := p.list[len(p.list)-1]
				lines = append(lines, []string{t.view.Handles[k].Name, "… " + last.letter, "… #" + itoa(last.id), "", ""})
				break
			}
			facts := partFacts(t.view, names, q)
			facts[0] = words(facts[0], names.set(q.id), state(freed[q.id], stale[q.id] != nil))
			lines = append(lines, append([]string{t.view.Handles[k].Name, q.letter}, facts...))
		}
	}
	var b strings.Builder
	markdownTable(&b, lines)
	if null {
		b.WriteString("\n" + hollow + " is " + nullWords + ".\n")
	}
	if none {
		b.WriteString("\n" + notYet + " is " + unsetWords + ".\n")
	}
	return b.String()
}

// partFacts are a communicator's name, the call that made it, and its group.
func partFacts(v *View, names naming, q part) []string {
	if q.info == nil {
		return []string{"self", "predefined", "each rank alone"}
	}
	made := "predefined"
	if q.info.Op != engine.CallNone {
		made = words(q.info.Op.String(), instance(v.Snapshot, q.info))
	}
	group := orderList(q.info.Group, 60)
	if q.info.Remote != nil {
		group = "left " + group + ", right " + orderList(q.info.Remote, 60)
	}
	return []string{names.of(q.id), made, group}
}

// markdownEscapes are the characters that mean something to CommonMark, to GitHub's additions, or to
// HTML.
var markdownEscapes = strings.NewReplacer(`\`, `\\`, "|", `\|`, "*", `\*`, "_", `\_`, "~", `\~`, "$", `\$`, "`", "\\`", "![", `\!\[`, "](", `]\(`,
	"&", "&amp;", "<", "&lt;", ">", "&gt;")

// markdownText keeps the characters of a cell from being read as marks.
func markdownText(text string) string { return markdownEscapes.Replace(printable(text)) }
