package console

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"codeberg.org/commsplit/commsplit/hw/spell"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/edit"
	"codeberg.org/commsplit/commsplit/repl/lang"
	"codeberg.org/commsplit/commsplit/repl/stories"
)

func metaRecover(ctx context.Context, c *Console, args []string) error {
	if c.journal == nil {
		return errors.New(".recover works only at a prompt, where the lines of a session are kept")
	}
	args = append(args, "")
	word, left := args[0], edit.LeftBehind(c.journal.dir)
	nth, err := strconv.Atoi(word)
	switch {
	case word == "":
		nth = 1
	case word != "list" && word != "drop" && (err != nil || nth < 1), word != "drop" && args[1] != "":
		return fmt.Errorf(".recover takes list, drop, or the number of a session in the list, not %s%s",
			strings.TrimSpace(strings.Join(args, " ")), spell.DidYouMean(word, []string{"list", "drop"}))
	}
	switch {
	case len(left) == 0:
		return errors.New("there is nothing to bring back: no session ended early")
	case word == "list":
		return listLost(c, left)
	case word == "drop":
		return dropLost(c, left, args[1])
	case nth > len(left):
		return noSuchLost(nth, left)
	}
	return bringBack(ctx, c, left[nth-1])
}

func noSuchLost(nth int, left []edit.Left) error {
	return fmt.Errorf("there is no session %d: .recover list shows %d", nth, len(left))
}

// bringBack runs the lines of a session again on a fresh world. Its journal stays, marked as seen once the lines are
// in the present session's journal, too.
func bringBack(ctx context.Context, c *Console, from edit.Left) error {
	taken, err := from.Take()
	if err != nil {
		return repl.AsInput(err)
	}
	defer taken.Done()
	l := readJournal(taken.Lines)
	if len(l.lines) == 0 {
		taken.Seen()
		return fmt.Errorf("the session of %s cannot be brought back: %s; its journal stays in %s until .recover drop",
			when(from.Time), l, c.journal.dir)
	}
	world := c.Session.Config()
	world.Size = c.Session.Size()
	if l.world != nil {
		world = *l.world
	}
	if err := c.Session.Restart(ctx, world); err != nil {
		return fmt.Errorf("the world of that session, begun in %s: %w", l.folder, err)
	}
	var failed unran
	err = c.Session.Quietly(func() error {
		failed, err = runAgain(ctx, c.Session, l.lines)
		return err
	})
	if err != nil {
		return err
	}
	c.describeWorld()
	fmt.Fprintf(c.Out, "brought back %s of the session of %s; .undo takes them back, .recover drop removes the kept session\n",
		spell.Plural(len(l.lines)-len(failed), "line"), when(from.Time))
	for _, text := range append(l.damage(), failed.lines()...) {
		fmt.Fprintf(c.Err, "note: %s\n", text)
	}
	if c.note(); c.journal.Kept() {
		taken.Seen()
	}
	return nil
}

// unran are the lines of a lost session that did not run again, and why.
type unran []error

// mostUnran is how many of these lines are reported: the first line that fails makes others fail.
const mostUnran = 3

func (u unran) lines() []string {
	var list []string
	for i, err := range u {
		if i == mostUnran {
			return append(list, fmt.Sprintf("%s more did not run again", spell.Plural(len(u)-i, "line")))
		}
		list = append(list, err.Error())
	}
	return list
}

// runAgain runs the lines of a lost session. It goes on after a line that fails, and stops only when ctx ends.
func runAgain(ctx context.Context, s *repl.Session, lines []journalLine) (unran, error) {
	var all unran
	for _, r := range lines {
		chunks, err := r.chunks()
		for i := 0; i < len(chunks) && err == nil; i++ {
			_, err = s.Run(ctx, chunks[i])
			var failed *repl.Failed
			if errors.As(err, &failed) {
				err = errors.Join(err, s.Rollback(context.Background()))
			}
		}
		if ctx.Err() != nil {
			return nil, err
		}
		if err != nil {
			reason, _, _ := strings.Cut(err.Error(), "\n")
			all = append(all, fmt.Errorf("%q did not run again: %s", r.beginning(), reason))
		}
	}
	return all, nil
}

// chunks cuts a line into chunks, which keep the number that the line had in its file.
func (r journalLine) chunks() (list []*lang.Chunk, err error) {
	if strings.HasSuffix(r.File, ".py") {
		list, err = stories.NewScript(r.File, r.Text).Chunks()
	} else {
		list, err = lang.Split(r.File, strings.Repeat("\n", max(r.At-1, 0))+r.Text, repl.IsVerb)
	}
	if len(list) == 1 {
		list[0].Places = r.Places
	}
	return list, err
}

// beginning returns the first line of the text.
func (r journalLine) beginning() string {
	first, more, _ := strings.Cut(r.Text, "\n")
	if more != "" {
		first += " ..."
	}
	return first
}

// listLost tells of the sessions that are kept, a line each.
func listLost(c *Console, left []edit.Left) error {
	for i, from := range left {
		text := "another session is bringing it back right now"
		if taken, err := from.Take(); err == nil {
			taken.Done()
			text = readJournal(taken.Lines).String()
		}
		if from.Seen {
			text += "; .recover took it"
		}
		fmt.Fprintln(c.Out, c.wrapped(fmt.Sprintf("%2d  %s  ", i+1, when(from.Time)), text))
	}
	return nil
}

// dropLost removes sessions that a person is done with: the N-th, all, or those that were brought back; where none was
// brought back, the only session.
func dropLost(c *Console, left []edit.Left, which string) error {
	var list []edit.Left
	nth, err := strconv.Atoi(which)
	switch {
	case which == "all":
		list = left
	case err == nil && nth >= 1 && nth <= len(left):
		list = left[nth-1 : nth]
	case err == nil:
		return noSuchLost(nth, left)
	case which != "":
		return fmt.Errorf(".recover drop takes all, or the number of a session in the list, not %s", which)
	default:
		for _, l := range left {
			if l.Seen || len(left) == 1 {
				list = append(list, l)
			}
		}
	}
	if len(list) == 0 {
		return fmt.Errorf("none of the %d sessions was brought back: .recover drop N removes session N, .recover drop all removes all", len(left))
	}
	for i, l := range list {
		taken, err := l.Take()
		if err == nil {
			err = taken.Drop()
		}
		if err != nil {
			return repl.AsInput(fmt.Errorf("removed %s, and then: %w", spell.Plural(i, "session"), err))
		}
	}
	fmt.Fprintf(c.Out, "removed %s", spell.Plural(len(list), "session"))
	if n := len(left) - len(list); n > 0 {
		fmt.Fprintf(c.Out, "; %d more kept", n)
	}
	fmt.Fprintln(c.Out)
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
	if left[0].Seen {
		text = fmt.Sprintf("The session of %s is still kept after .recover: .recover drop removes it", when(left[0].Time))
	}
	if n := len(left) - 1; n > 0 {
		text += fmt.Sprintf(" (.recover list shows %d more)", n)
	}
	return text + "."
}

// when writes a time as people say it.
func when(t time.Time) string { return t.Local().Format("2 January 15:04") }
