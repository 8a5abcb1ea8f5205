package render

import "strings"

// tableRow is a progression of world ranks that share a row of a translation table: in every
// column they are in one communicator, with ranks that form a progression, too.
type tableRow struct {
	run
	steps []int // by column: from one rank's rank in its communicator to the next
}

// rows are all ranks one by one when these are few, otherwise folded.
func (t *translation) rows() []tableRow {
	var rows []tableRow
	if t.size <= tableRows {
		for r := range t.size {
			rows = append(rows, tableRow{run: run{r, 1, 1}})
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
			if other := t.rowFrom(r, n-r, done); other.n > row.n && row.n < 3 {
				row = other
			}
		}
		for i := range row.n {
			done[row.first+i*row.step] = true
		}
		rows = append(rows, row)
	}
	return rows
}

// nextAlike gives for each rank the next one that is in the same communicators, or -1.
func (t *translation) nextAlike() []int32 {
	next := make([]int32, t.size)
	last := map[string]int32{}
	var key []byte
	for r := t.size - 1; r >= 0; r-- {
		key = key[:0]
		for _, c := range t.columns {
			k := c.key(int32(r))
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

// rowFrom is the longest row that begins at a rank and goes on in steps.
func (t *translation) rowFrom(first, step int, done []bool) tableRow {
	row := tableRow{run: run{first, step, 1}, steps: make([]int, len(t.columns))}
	for r := first + step; r < t.size && !done[r]; r += step {
		if !t.continues(&row, int32(r-step), int32(r)) {
			break
		}
		row.n++
	}
	if row.n == 1 {
		row.step = 1
	}
	return row
}

// continues reports whether rank b follows rank a in the row in every column.
func (t *translation) continues(row *tableRow, a, b int32) bool {
	for k, c := range t.columns {
		if c.key(a) != c.key(b) || t.listed(k, a) != "" || t.listed(k, b) != "" {
			return false
		}
		step := int(c.rank[b] - c.rank[a])
		if row.n > 1 && step != row.steps[k] {
			return false
		}
	}
	if row.n == 1 {
		for k, c := range t.columns {
			row.steps[k] = int(c.rank[b] - c.rank[a])
		}
	}
	return true
}

// cell is what a row shows in a column: "A 2", "A 0-63", "○", "…".
func (t *translation) cell(column int, row tableRow) cell {
	c := t.columns[column]
	r := int32(row.first)
	if list := t.listed(column, r); list != "" {
		return text(list)
	}
	if c.of[r] < 0 {
		return quiet(c.name(r))
	}
	ranks := run{int(c.rank[r]), 1, 1}
	if row.n > 1 && row.steps[column] != 0 {
		ranks = run{int(c.rank[r]), row.steps[column], row.n}
	}
	return inked(c.name(r)+" "+ranks.String(), c.ink(r))
}

// listed is the communicators of a rank that holds a list of them, "" for others.
func (t *translation) listed(column int, r int32) string {
	ids, ok := t.view.Handles[column].Lists[int(r)]
	if !ok {
		return ""
	}
	var parts []string
	for _, id := range ids {
		switch {
		case id == Unset:
			parts = append(parts, notYet)
		case id < 0:
			parts = append(parts, hollow)
		default:
			parts = append(parts, "#"+itoa(int(id)))
		}
	}
	return "[" + strings.Join(parts, " ") + "]"
}
