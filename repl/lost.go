package repl

import (
	"encoding/json"
	"fmt"
	"strings"

	"commsplit/hw/spell"
)

// lost is a session that ended early, read from its journal.
type lost struct {
	world  *Config // nil: the record of the world is lost
	folder string
	lines  []record // the whole records, by rising number
	torn   bool     // a damaged record follows lines
	stale  bool     // the record of a later world is lost, which may differ from this world
}

// readJournal reads the session from the lines of a journal, however damaged they are.
func readJournal(lines []string) *lost {
	l := &lost{}
	for _, line := range lines {
		l.read(line)
	}
	return l
}

// read finds the whole records in a line. A line is one record, unless a part of the file was lost: then the line may
// have the rests of several records.
func (l *lost) read(line string) {
	var r record
	if json.Unmarshal([]byte(line), &r) == nil && r.says() {
		l.add(r)
		return
	}
	for {
		before, _, begun := strings.Cut(line, `{"`)
		l.torn = l.torn || strings.TrimSpace(before) != ""
		if !begun {
			return
		}
		line = line[len(before):]
		var r record
		from := json.NewDecoder(strings.NewReader(line))
		from.DisallowUnknownFields() // or an object inside a record would pass for a record
		if from.Decode(&r) != nil || !r.says() {
			line, l.torn = line[1:], true
			continue
		}
		l.add(r)
		line = line[from.InputOffset():]
	}
}

// says reports whether the record has a world or a chunk.
func (r record) says() bool { return r.World != nil || r.Text != "" }

// add appends the next whole record.
func (l *lost) add(r record) {
	next := 1
	if n := len(l.lines); n > 0 {
		next = l.lines[n-1].Number + 1
	}
	switch {
	case r.World != nil: // the records before belong to another world
		*l = lost{world: r.World, folder: r.Folder}
		return
	case r.Number == 0:
		if r.Number = next; l.torn {
			r.Number++
		}
	case r.Number == next-1 && r.Text == l.lines[len(l.lines)-1].Text: // the same chunk was written again
		l.torn = false
		return
	case r.Number < next:
		l.lines, l.stale = nil, true
	}
	l.lines, l.torn = append(l.lines, r), false
}

// missing lists the numbers of the chunks that are lost between whole ones: "2", "4-7".
func (l *lost) missing() []string {
	var list []string
	next := 1
	for _, r := range l.lines {
		switch r.Number - next {
		case 0:
		case 1:
			list = append(list, fmt.Sprint(next))
		default:
			list = append(list, fmt.Sprintf("%d-%d", next, r.Number-1))
		}
		next = r.Number + 1
	}
	return list
}

// damage lists what the journal has lost, a sentence for each loss.
func (l *lost) damage() []string {
	var list []string
	switch {
	case l.world == nil:
		list = append(list, "the record of its world is damaged: its lines are for a world that you make as it was, with .world or .topo")
	case l.stale:
		list = append(list, "the record of its last world is damaged: its lines are brought back on the world before that one")
	}
	if gaps := l.missing(); len(gaps) == 1 && !strings.Contains(gaps[0], "-") {
		list = append(list, fmt.Sprintf("line %s is damaged, and is missing", gaps[0]))
	} else if len(gaps) > 0 {
		list = append(list, fmt.Sprintf("lines %s are damaged, and are missing", strings.Join(gaps, ", ")))
	}
	if l.torn {
		list = append(list, "what its journal has last is damaged, and is missing")
	}
	return list
}

// String returns "12 lines on -n 4 --topo figure-7.3, the last: dup half".
func (l *lost) String() string {
	if len(l.lines) == 0 {
		return strings.Join(append(l.damage(), "it has no line that is whole"), ", ")
	}
	text := spell.Plural(len(l.lines), "line")
	if l.world != nil {
		text += " on " + joinFlags(l.world.flags(l.world.Size))
	}
	text += ", the last: " + l.lines[len(l.lines)-1].beginning()
	return strings.Join(append([]string{text}, l.damage()...), "; ")
}
