package repl

import (
	"encoding/json"
	"fmt"
	"os"

	"commsplit/engine"
	"commsplit/repl/edit"
	"commsplit/repl/lang"
)

// record is a line of JSON in the journal of a session: the configuration of its present world, or a chunk that ran
// on that world. The last world of a journal and the chunks after it are the session: a session that lost chunks,
// for example by .undo, is written again from its world on.
type record struct {
	World  *Config `json:"world,omitempty"`
	Folder string  `json:"folder,omitempty"` // the folder that paths of the world start from
	Number int     `json:"number,omitempty"` // of a chunk on its world, from 1: a gap shows that a record is lost
	File   string  `json:"file,omitempty"`
	At     int     `json:"at,omitempty"` // the line of the file in which the chunk begins
	Text   string  `json:"text,omitempty"`

	Places []engine.Site `json:"places,omitempty"` // where a recorded program made the calls of each line
}

// journaling writes to a journal the chunks that the journal does not hold yet.
type journaling struct {
	*edit.Journal
	dir    string
	world  *Config     // the last world in the journal; nil for none
	lines  int         // how many chunks of that world the journal holds
	last   *lang.Chunk // the last of these chunks
	failed bool        // a record could not be written, and the person was told
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

// note brings the journal up to date. When the journal cannot be written, note says so once, and tries again after
// the next chunk.
func (c *Console) note() {
	j := c.journal
	if j == nil || c.Session.world == nil {
		return
	}
	err := j.follow(c.Session)
	switch {
	case err != nil && !j.failed:
		fmt.Fprintf(c.Err, "note: what you type is not kept for .recover: %v\n", err)
	case err == nil && j.failed:
		fmt.Fprintln(c.Err, "note: what you typed is kept for .recover again")
	}
	j.failed = err != nil
}

// follow writes the chunks of the session that the journal lacks. After an error the rest is still lacking.
func (j *journaling) follow(s *Session) error {
	first := s.beginning()
	world, list := s.entries[first].config, s.entries[first+1:]
	if j.world == nil && len(list) == 0 {
		return nil // there is nothing to lose yet
	}
	if world != j.world || len(list) < j.lines || j.lines > 0 && list[j.lines-1].chunk != j.last {
		at := *world
		at.Size = s.Size()
		folder, _ := os.Getwd() //nolint:errcheck // the folder only helps a person
		if err := j.put(record{World: &at, Folder: folder}); err != nil {
			return err
		}
		j.world, j.lines = world, 0
	}
	for _, e := range list[j.lines:] {
		r := record{Number: j.lines + 1, File: e.chunk.File, At: e.chunk.Line, Text: e.chunk.Text, Places: e.chunk.Places}
		if err := j.put(r); err != nil {
			return err
		}
		j.lines, j.last = j.lines+1, e.chunk
	}
	return nil
}

func (j *journaling) put(r record) error {
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return j.Add(line)
}
