package repl

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"commsplit/engine"
	"commsplit/hw/spell"
	"commsplit/repl/edit"
	"commsplit/repl/lang"
)

// record is a line of JSON in the journal of a session: what its present world is made from, or a chunk that ran
// on it. The last world of a journal and the chunks after it are the session: a session that did not only grow,
// for example by .undo, is written again from its world on.
type record struct {
	World  *Config `json:"world,omitempty"`
	Folder string  `json:"folder,omitempty"` // the folder that paths of the world start from
	File   string  `json:"file,omitempty"`
	At     int     `json:"at,omitempty"` // its first line in the file
	Text   string  `json:"text,omitempty"`

	Places []engine.Site `json:"places,omitempty"` // where a recorded program made the calls of each line
}

// journaling writes to a journal the chunks that the journal does not hold yet.
type journaling struct {
	*edit.Journal
	dir   string
	world *Config     // the last world in the journal; nil for none
	lines int         // how many chunks of that world the journal holds
	last  *lang.Chunk // the last of these chunks
}

// KeepJournal keeps the lines of a prompt in a folder, so that .recover can bring back a session that ended
// early; with "" nothing is kept.
func (c *Console) KeepJournal(dir string) {
	c.journal = &journaling{Journal: edit.NewJournal(dir), dir: dir}
}

// EndJournal removes the journal of a session that ended as it should.
func (c *Console) EndJournal() {
	if c.journal != nil {
		c.journal.Done()
	}
}

// note brings the journal up to date. When the journal cannot be written, it tells so once.
func (c *Console) note() {
	j := c.journal
	if j == nil || c.Session.world == nil {
		return
	}
	if err := j.follow(c.Session); err != nil {
		fmt.Fprintf(c.Err, "note: what you type is not kept for .recover: %v\n", err)
	}
}

func (j *journaling) follow(s *Session) error {
	first := s.beginning()
	world, list := s.entries[first].config, s.entries[first+1:]
	if j.world == nil && len(list) == 0 {
		return nil // there is nothing to lose yet
	}
	var records []record
	if world != j.world || len(list) < j.lines || j.lines > 0 && list[j.lines-1].chunk != j.last {
		at := *world
		at.Size = s.Size()
		folder, _ := os.Getwd() //nolint:errcheck // it only helps a person
		records = append(records, record{World: &at, Folder: folder})
		j.world, j.lines = world, 0
	}
	for _, e := range list[j.lines:] {
		records = append(records, record{File: e.chunk.File, At: e.chunk.Line, Text: e.chunk.Text, Places: e.chunk.Places})
		j.last = e.chunk
	}
	j.lines = len(list)
	for _, r := range records {
		line, err := json.Marshal(r)
		if err == nil {
			err = j.Add(line)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// lost is a session that ended early, read from its journal.
type lost struct {
	world  Config
	folder string
	lines  []record
}

// readJournal finds the session in the records of a journal. A damaged record ends the reading.
func readJournal(records []string) (*lost, error) {
	var l *lost
	for _, text := range records {
		var r record
		if err := json.Unmarshal([]byte(text), &r); err != nil || l == nil && r.World == nil {
			return l, errors.New("its journal is damaged")
		}
		if r.World != nil {
			l = &lost{world: *r.World, folder: r.Folder}
		} else {
			l.lines = append(l.lines, r)
		}
	}
	if l == nil || len(l.lines) == 0 {
		return nil, errors.New("its journal has no lines")
	}
	return l, nil
}

// chunks are the chunks of a lost session, whose lines have the numbers that they had.
func (l *lost) chunks() ([]*lang.Chunk, error) {
	var all []*lang.Chunk
	for _, r := range l.lines {
		var list []*lang.Chunk
		var err error
		if strings.HasSuffix(r.File, ".py") {
			list, err = NewScript(r.File, r.Text).Chunks()
		} else {
			list, err = lang.Split(r.File, strings.Repeat("\n", max(r.At-1, 0))+r.Text, isVerb)
		}
		if err != nil {
			return nil, err
		}
		if len(list) == 1 {
			list[0].Places = r.Places
		}
		all = append(all, list...)
	}
	return all, nil
}

const recoverHelp = "A session that ended before you ended it, by a signal, with its window or with the machine, is kept until " +
	"it is brought back: a fresh world with the same flags, on which its lines run again without a word; .undo takes them " +
	"back one by one. list shows all sessions that are kept, N brings back the N-th of them, and forget removes them. " +
	"The 20 newest are kept, for 30 days."

func (c *Console) metaRecover(ctx context.Context, args []string) error {
	if c.journal == nil {
		return errors.New(".recover is for a prompt, where the lines of a session are kept")
	}
	word, nth := "", 1
	if len(args) == 1 {
		word = args[0]
		if n, err := strconv.Atoi(word); err == nil && n > 0 {
			nth = n
		} else if word != "list" && word != "forget" {
			return fmt.Errorf(".recover takes list, forget, or the number of a session in the list, not %s", word)
		}
	}
	left := edit.LeftBehind(c.journal.dir)
	switch {
	case len(left) == 0:
		return errors.New("there is nothing to bring back: no session ended early")
	case word == "list":
		return c.listLost(left)
	case word == "forget":
		return c.forgetLost(left)
	case nth > len(left):
		return fmt.Errorf("there is no session %d: .recover list shows %d", nth, len(left))
	}
	return c.bringBack(ctx, left[nth-1])
}

// bringBack runs the lines of a session again on a fresh world. It stops at a line that does not run any more;
// the journal is then kept.
func (c *Console) bringBack(ctx context.Context, from edit.Left) error {
	records, forget, done, err := from.Take()
	if err != nil {
		return &InputError{err}
	}
	defer done()
	l, damaged := readJournal(records)
	if l == nil {
		forget()
		return fmt.Errorf("the session of %s cannot be brought back: %w", when(from.Time), damaged)
	}
	chunks, err := l.chunks()
	if err != nil {
		return err
	}
	if err := c.Session.Restart(ctx, l.world); err != nil {
		return fmt.Errorf("the world of that session, begun in %s: %w", l.folder, err)
	}
	ran, err := c.Session.runQuietly(ctx, chunks)
	c.describeWorld()
	fmt.Fprintf(c.Out, "brought back %s of the session of %s; .undo takes them back\n", spell.Plural(ran, "line"), when(from.Time))
	if err != nil {
		fmt.Fprintf(c.Err, "note: %s did not run again, and the session stays kept\n", spell.Plural(len(chunks)-ran, "line"))
		return err
	}
	if damaged != nil {
		fmt.Fprintf(c.Err, "note: what came after these lines is lost: %v\n", damaged)
	}
	c.note() // the new journal must hold all lines before the old journal is removed
	if c.journal.Kept() {
		forget()
	}
	return nil
}

// runQuietly runs chunks without telling their output, up to the first chunk that fails. It returns how many ran.
func (s *Session) runQuietly(ctx context.Context, chunks []*lang.Chunk) (ran int, err error) {
	output := s.output
	s.output = nil
	defer func() { s.output = output }()
	for _, chunk := range chunks {
		if _, err := s.Run(ctx, chunk); err != nil {
			var failed *Failed
			if errors.As(err, &failed) {
				err = errors.Join(err, s.Rollback(context.Background()))
			}
			return ran, err
		}
		ran++
	}
	return ran, nil
}

// listLost tells of the sessions that are kept, a line each.
func (c *Console) listLost(left []edit.Left) error {
	for i, from := range left {
		text := "it is taken by another session right now"
		if records, _, done, err := from.Take(); err == nil {
			done()
			if l, damaged := readJournal(records); l != nil {
				text = l.String()
			} else {
				text = damaged.Error()
			}
		}
		fmt.Fprintln(c.Out, c.wrapped(fmt.Sprintf("%2d  %s  ", i+1, when(from.Time)), text))
	}
	return nil
}

// String is "12 lines on -n 4 --topo figure-7.3, the last: dup half".
func (l *lost) String() string {
	last, more, _ := strings.Cut(l.lines[len(l.lines)-1].Text, "\n")
	if more != "" {
		last += " ..."
	}
	return fmt.Sprintf("%s on %s, the last: %s", spell.Plural(len(l.lines), "line"), joinFlags(l.world.flags(l.world.Size)), last)
}

func (c *Console) forgetLost(left []edit.Left) error {
	count := 0
	for _, from := range left {
		if _, forget, _, err := from.Take(); err == nil {
			forget()
			count++
		}
	}
	fmt.Fprintf(c.Out, "removed %s\n", spell.Plural(count, "session"))
	return nil
}

// Lost tells, in a line, of sessions that ended early; "" for none.
func (c *Console) Lost() string {
	if c.journal == nil {
		return ""
	}
	left := edit.LeftBehind(c.journal.dir)
	if len(left) == 0 {
		return ""
	}
	text := fmt.Sprintf("The session of %s ended early: .recover brings it back", when(left[0].Time))
	if n := len(left) - 1; n > 0 {
		text += fmt.Sprintf(" (.recover list shows %d more)", n)
	}
	return text + "."
}

// when is a time as a person tells it.
func when(t time.Time) string { return t.Local().Format("2 January 15:04") }
