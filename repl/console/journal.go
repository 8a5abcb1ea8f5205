package console

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw/spell"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/edit"
	"codeberg.org/commsplit/commsplit/repl/lang"
	"codeberg.org/commsplit/commsplit/repl/stories"
)

// journalLine is a line of JSON in the journal of a session: the configuration of its present world, or a chunk that ran
// on that world. The last world of a journal and the chunks after it are the session: a session that lost chunks,
// for example by .undo, is written again from its world on.
type journalLine struct {
	World  *repl.Config `json:"world,omitempty"`
	Folder string       `json:"folder,omitempty"` // the folder that paths of the world start from
	Number int          `json:"number,omitempty"` // of a chunk on its world, from 1: a gap shows that a record is lost
	File   string       `json:"file,omitempty"`
	At     int          `json:"at,omitempty"` // the line of the file in which the chunk begins
	Text   string       `json:"text,omitempty"`

	Places []engine.Site `json:"places,omitempty"` // where a recorded program made the calls of each line
}

// journaling writes to a journal the chunks that the journal does not hold yet.
type journaling struct {
	*edit.Journal
	dir    string
	world  *repl.Config // the last world in the journal; nil for none
	lines  int          // how many chunks of that world the journal holds
	last   *lang.Chunk  // the last of these chunks
	failed bool         // a record could not be written, and the person was told
}

// KeepJournal keeps the lines of a prompt in a folder, so that .recover can bring back a session that ended
// early; with "" nothing is kept.
func (c *Console) KeepJournal(dir string) {
	c.journal = &journaling{Journal: edit.NewJournal(dir), dir: dir}
}

// EndJournal removes the journal of a session that ended properly.
func (c *Console) EndJournal() {
	if c.journal != nil {
		c.journal.Done()
	}
}

// note brings the journal up to date. When the journal cannot be written, note prints that once, and tries again after
// the next chunk.
func (c *Console) note() {
	j := c.journal
	if c.Session.World() == nil {
		return
	}
	err := j.follow(c.Session)
	switch {
	case err != nil && !j.failed:
		fmt.Fprintf(c.Err, "note: your lines are not kept for .recover: %v\n", err)
	case err == nil && j.failed:
		fmt.Fprintln(c.Err, "note: your lines are kept for .recover again")
	}
	j.failed = err != nil
}

// follow writes the chunks of the session that the journal lacks. After an error, the journal still lacks the remaining
// chunks.
func (j *journaling) follow(s *repl.Session) error {
	world, list := s.Began(), s.Chunks()
	if j.world == nil && len(list) == 0 {
		return nil // there is nothing to lose yet
	}
	if world != j.world || len(list) < j.lines || j.lines > 0 && list[j.lines-1] != j.last {
		at := *world
		at.Size = s.Size()
		folder, _ := os.Getwd() //nolint:errcheck // the folder only helps a person
		if err := j.put(journalLine{World: &at, Folder: folder}); err != nil {
			return err
		}
		j.world, j.lines = world, 0
	}
	for _, c := range list[j.lines:] {
		r := journalLine{Number: j.lines + 1, File: c.File, At: c.Line, Text: c.Text, Places: c.Places}
		if err := j.put(r); err != nil {
			return err
		}
		j.lines, j.last = j.lines+1, c
	}
	return nil
}

func (j *journaling) put(r journalLine) error {
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return j.Add(line)
}

// lost is a session that ended early, read from its journal.
type lost struct {
	world  *repl.Config // nil: the record of the world is lost
	folder string
	lines  []journalLine // the whole records, by rising number
	torn   bool          // a damaged record follows lines
	stale  bool          // the record of a later world is lost, which may differ from this world
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
// have parts of several records.
func (l *lost) read(line string) {
	var r journalLine
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
		var r journalLine
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
func (r journalLine) says() bool { return r.World != nil || r.Text != "" }

// add appends the next whole record.
func (l *lost) add(r journalLine) {
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
		list = append(list, "the record of the world is damaged: make the same world with .world or .topo first")
	case l.stale:
		list = append(list, "the record of the last world is damaged: the lines run on the world before it")
	}
	if gaps := l.missing(); len(gaps) == 1 && !strings.Contains(gaps[0], "-") {
		list = append(list, fmt.Sprintf("line %s is damaged and missing", gaps[0]))
	} else if len(gaps) > 0 {
		list = append(list, fmt.Sprintf("lines %s are damaged and missing", strings.Join(gaps, ", ")))
	}
	if l.torn {
		list = append(list, "the last record of the journal is damaged and missing")
	}
	return list
}

// String returns "12 lines on -n 4 --topo figure-7.3, the last: dup half".
func (l *lost) String() string {
	if len(l.lines) == 0 {
		return "it has no whole line"
	}
	text := spell.Plural(len(l.lines), "line")
	if l.world != nil {
		text += " on " + stories.JoinFlags(l.world.Flags(l.world.Size))
	}
	text += ", the last: " + l.lines[len(l.lines)-1].beginning()
	return strings.Join(append([]string{text}, l.damage()...), "; ")
}
