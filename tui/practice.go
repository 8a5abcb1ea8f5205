package tui

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/render/paint"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/console"
	"codeberg.org/commsplit/commsplit/repl/lang"
	"codeberg.org/commsplit/commsplit/repl/practice"
	"codeberg.org/commsplit/commsplit/repl/progress"
	"codeberg.org/commsplit/commsplit/repl/stories"
	"codeberg.org/commsplit/commsplit/scripts"
	"codeberg.org/commsplit/commsplit/tui/moment"
)

// exercise is the dialog of an exercise on the screen: the task is in the pane Why, and the goal stands beside the
// person's result in the pane of the hardware. Each line that completes an answer is graded in the background.
type exercise struct {
	*practice.Dialog // nil until the given lines have run
	x                *practice.Exercise
	number           int // among the embedded ones, from 1
	goal             *moment.Moment
	page             *page
	saved            bool // that it is solved
}

// gradeTime is the most time for grading.
const gradeTime = time.Minute

// addExercises adds the exercises to a list; those that are solved have a mark.
func (m *Model) addExercises(p *picker) {
	solved, err := progress.Exercises.Read(m.opts.Practice)
	if err != nil {
		m.notice = err.Error()
	}
	p.group, _, _ = strings.Cut(scripts.Practice.Title, " (")
	for i, e := range scripts.Practice.Examples() {
		note := e.Title
		if solved != nil && solved.Done(e.Name) {
			note = "✓ " + note
		}
		p.add(e.Name, note, func(m *Model) tea.Cmd { return m.practice(i) })
		p.items[len(p.items)-1].also = "practice"
	}
}

// practice opens the exercise at an index of the embedded ones.
func (m *Model) practice(i int) tea.Cmd {
	e := scripts.Practice.Examples()[i]
	x, err := practice.Read(stories.NewScript(e.File, e.Text), m.opts.Flags)
	if err != nil {
		m.notice = err.Error()
		return nil
	}
	ex := &exercise{x: x, number: i + 1}
	m.log.add(entry{"exercise " + e.Name, typed})
	m.exercise = nil
	cmd := m.perform([]step{restarting(x.Worlds[0].Config), again(x.GivenLines), ex.begin})
	m.exercise, m.typing = ex, true
	return cmd
}

// begin begins the dialog, when the given lines have run.
func (ex *exercise) begin(ctx context.Context, c *console.Console) error {
	ctx, stop := gradingTime(ctx)
	defer stop()
	d, err := ex.x.Begin(ctx, c, func(text string) { fmt.Fprintln(c.Out, text) })
	if err != nil {
		return err
	}
	ex.Dialog = d
	ex.goal = moment.NewMoment(d.Goal.View, -1, nil).Prepared()
	return nil
}

func gradingTime(ctx context.Context) (context.Context, func()) {
	limit := &repl.Limit{Message: fmt.Sprintf("the time limit of %v is reached", gradeTime)}
	return context.WithTimeoutCause(ctx, gradeTime, limit)
}

// doing returns a step that runs a line. In an exercise, a line that is typed again replaces the one before. ex may
// be nil.
func (ex *exercise) doing(chunk *lang.Chunk) step {
	return func(ctx context.Context, c *console.Console) error {
		if ex == nil {
			return c.Do(ctx, chunk)
		}
		changed, err := ex.Do(ctx, chunk)
		if !changed {
			return err
		}
		if bad := ex.told(ctx, func(ctx context.Context) (practice.Reply, error) { return ex.After(ctx, chunk) }); bad != nil {
			return errors.Join(err, bad)
		}
		return err
	}
}

// told asks the dialog for a reply, within the time for grading.
func (ex *exercise) told(ctx context.Context, ask func(context.Context) (practice.Reply, error)) error {
	ctx, stop := gradingTime(ctx)
	defer stop()
	_, err := ask(ctx)
	return err
}

// graded shows how the lines that have run were graded.
func (m *Model) graded() {
	ex := m.exercise
	if ex == nil {
		return
	}
	switch {
	case ex.goal == nil:
		m.exercise = nil
		return
	case ex.Left():
		m.exercise, m.notice = nil, "this is another world, so the exercise has ended; o opens it again"
		return
	case ex.Solved && !ex.saved:
		ex.saved = true
		m.solvedExercise()
	}
	m.tellExercise()
}

// solvedExercise saves that the exercise is solved.
func (m *Model) solvedExercise() {
	solved, err := progress.Exercises.Read(m.opts.Practice)
	if err == nil {
		solved.Finished(m.exercise.x.Name, "")
		err = solved.Lost()
	}
	if err != nil {
		m.notice = "your progress is not saved: " + err.Error()
	}
}

// tellExercise makes a new page: the task, all that was told since, and how to go on.
func (m *Model) tellExercise() {
	ex := m.exercise
	name := fmt.Sprintf("exercise %d of %d", ex.number, len(scripts.Practice.Examples()))
	on := "Type another line; z in the panes takes back the last one."
	list, fresh := ex.Rows(unwrapped)
	switch {
	case ex.Solved:
		name += "  ✓ solved"
		on = "next opens the next exercise; solution shows the teacher's lines."
	case fresh == 0:
		on = "Type your line below. H in the panes, or the word hint, shows a hint; check grades what there is; o opens another exercise."
	}
	var rows []told
	for _, r := range list {
		row := rowLooks[r.Kind]
		row.text = r.Text
		rows = append(rows, row)
	}
	rows = append(rows, told{"", on, paint.Faint, prose})
	if ex.page == nil || ex.page.name != name || !slices.Equal(ex.page.rows, rows) {
		ex.page = &page{name: name, rows: rows, old: fresh}
	}
	m.page = ex.page
}

// unwrapped is a width in which each fact of a reason is one line, which the page wraps.
const unwrapped = 4000

// rowLooks are the looks of rows about an exercise.
var rowLooks = [...]told{
	practice.HeadRow: {"", "", paint.Alarm, prose}, practice.FaultRow: {"  ", "", paint.Plain, prose},
	practice.ReasonRow: {"  ", "", paint.Faint, fact}, practice.MoreRow: {"  ", "", paint.Plain, prose},
	practice.TitleRow: {"", "", paint.Bold, prose}, practice.TextRow: {"", "", paint.Plain, prose}, practice.CodeRow: {"  ", "", paint.Plain, code},
	practice.HintRow: {"", "", paint.Note, prose}, practice.RightRow: {"", "", paint.Bold, prose},
}

// hint shows one more hint.
func (m *Model) hint() {
	ex := m.exercise
	switch {
	case ex == nil:
		m.notice = "hints are for exercises: o lists them"
		return
	case !m.free():
		return
	}
	n, text := len(ex.Hinted), ex.Hint()
	if len(ex.Hinted) == n {
		m.notice = text
		return
	}
	m.tellExercise()
	m.choose(moment.Selection{})
	m.show(whyPane)
}

// exerciseWord carries out a word for the exercise; ok is false for a line of an answer.
func (m *Model) exerciseWord(line string) (cmd tea.Cmd, ok bool) {
	ex := m.exercise
	if ex == nil || !m.idle() || m.lines.Pending() {
		return nil, false
	}
	switch practice.WordOf(line) {
	case practice.Hint:
		m.hint()
	case practice.Help:
		m.notice = "words here: hint, check, task, again, next, back, solution; F1 lists the keys"
	case practice.Task:
		p := *ex.page
		p.old = 0
		ex.page, m.page = &p, &p
		m.show(whyPane)
	case practice.Again:
		return m.perform([]step{func(ctx context.Context, _ *console.Console) error { return ex.Again(ctx) }}), true
	case practice.Check:
		if ex.Solved {
			break
		}
		return m.perform([]step{func(ctx context.Context, _ *console.Console) error { return ex.told(ctx, ex.Check) }}), true
	case practice.Next:
		return m.practice(ex.number % len(scripts.Practice.Examples())), true
	case practice.Back:
		return m.practice(max(ex.number-2, 0)), true
	case practice.Solution:
		about, lines := ex.Solution()
		if lines == "" {
			m.notice = "you have not solved it yet: type solution again to see an answer"
			break
		}
		for line := range strings.SplitSeq(about+"\n"+lines, "\n") {
			m.log.add(entry{line, said})
		}
		m.show(logPane)
	default:
		return nil, false
	}
	return nil, true
}

// beside reports whether the pane of the hardware shows the goal beside the person's result.
func (m *Model) beside() bool {
	ex := m.exercise
	return ex != nil && ex.goal != nil && len(ex.goal.Handles) > 1 && m.busy == nil && !m.moment.Past() &&
		!m.player.on && m.player.phase == 0 && m.player.motion == nil
}

// goalSights returns the pictures of the goal of a variable and of the person's result. Both have the same letters;
// » marks ranks that differ.
func (m *Model) goalSights() []sight {
	ex := m.exercise
	c := ex.Compare(m.moment.View, m.moment.Handles[m.handle].Name)
	goal := sight{head: c.Goal, moment: ex.goal, handle: ex.goal.Handle(c.Name)}
	mine := sight{head: c.Yours, moment: m.moment, moved: c.Differs}
	var others []*render.Parting
	for k := range m.moment.Handles[1:] {
		others = append(others, m.moment.Parting(k+1))
	}
	goal.as = ex.goal.Parting(goal.handle).Behind(others)
	if c.Made {
		mine.handle = m.moment.Handle(c.Name)
		goal.as = ex.goal.Parting(goal.handle).As(m.moment.Parting(mine.handle))
	}
	return []sight{goal, mine}
}
