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
	"codeberg.org/commsplit/commsplit/tui/scene"
)

// exercise is the dialog of an exercise on the screen: the task stands in the pane that explains, the goal beside the
// person's own result in that of the hardware. Each line that completes an answer is graded beside the screen.
type exercise struct {
	*practice.Dialog // nil until the given lines have run
	x                *practice.Exercise
	number           int // among the embedded ones, from 1
	goal             *scene.Moment
	lanes            string // the goal as text
	world            string // the command that opens the exercise's world: in another one the exercise has ended
	hinted           bool   // a hint was the last thing that was told

	grade *practice.Grade // the last one
	page  *page

	// Of the lines that run, for the screen when they have ended.
	reply practice.Reply
	part  bool // the answer is not complete, or no longer
	ended bool // the session has left the exercise's world
}

// gradeTime is how long grading may take.
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
	}
}

// practice opens an exercise by its place among the embedded ones.
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
	cmd := m.perform([]step{restarting(x.Worlds[0].Config), again(x.GivenLines()), ex.begin})
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
	var b strings.Builder
	for i := range d.Goal.Handles { // lanes alone: the hardware has its pane
		if len(d.Goal.Handles) > 1 {
			fmt.Fprintf(&b, "%s:\n", d.Goal.Handles[i].Name)
		}
		if err := d.Goal.Lanes(&b, i, render.Style{Width: 44}); err != nil {
			return err
		}
	}
	ex.Dialog, ex.lanes, ex.world = d, strings.TrimRight(b.String(), "\n"), stories.Command(c.Session)
	ex.goal = scene.NewMoment(d.Goal.View, -1, nil).Prepared()
	return nil
}

func gradingTime(ctx context.Context) (context.Context, func()) {
	limit := &repl.Limit{Message: fmt.Sprintf("the time limit of %v is reached", gradeTime)}
	return context.WithTimeoutCause(ctx, gradeTime, limit)
}

// doing runs a line: of an exercise, one that is typed again takes the place of the one before. nil is not an exercise.
func (ex *exercise) doing(chunk *lang.Chunk) step {
	return func(ctx context.Context, c *console.Console) error {
		if ex == nil || ex.left(c) {
			return c.Do(ctx, chunk)
		}
		lines, line := len(ex.Own()), chunk
		var err error
		if chunk.Kind != lang.Meta {
			ex.reply = practice.Reply{}
			_, err = ex.Run(ctx, chunk)
		} else {
			err, line = c.Do(ctx, chunk), nil
		}
		if ex.left(c) || len(ex.Own()) == lines && (err != nil || line == nil) {
			return err // nothing is another one than before
		}
		if bad := ex.told(ctx, func(ctx context.Context) (practice.Reply, error) { return ex.After(ctx, line) }); bad != nil {
			return errors.Join(err, bad)
		}
		return err
	}
}

// told asks the dialog, within the time of grading.
func (ex *exercise) told(ctx context.Context, ask func(context.Context) (practice.Reply, error)) (err error) {
	ctx, stop := gradingTime(ctx)
	defer stop()
	ex.reply, err = ask(ctx)
	return err
}

// left reports whether the session is another one than that of the exercise.
func (ex *exercise) left(c *console.Console) bool {
	return stories.Command(c.Session) != ex.world || ex.Left()
}

// settle finds out where the lines that have run lead.
func (ex *exercise) settle(_ context.Context, c *console.Console) error {
	ex.ended = ex.left(c)
	ex.part = !ex.ended && !ex.Complete()
	return nil
}

// graded takes up what became of the lines that have run.
func (m *Model) graded() {
	ex := m.exercise
	if ex == nil {
		return
	}
	if ex.goal == nil || ex.ended {
		if m.exercise = nil; ex.ended {
			m.notice = "this is another world, so the exercise has ended; o opens it again"
		}
		return
	}
	if ex.part && !ex.Solved {
		ex.grade = nil
	}
	if g := ex.reply.Grade; g != nil {
		ex.grade, ex.reply.Grade, ex.hinted = g, nil, false
		if g.Right {
			m.solvedExercise()
		}
	}
	m.tellExercise()
}

// solvedExercise remembers that the exercise is solved.
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

// tellExercise writes the page anew: the task, the hints, and last how the answer was graded.
func (m *Model) tellExercise() {
	ex := m.exercise
	name := fmt.Sprintf("exercise %d of %d", ex.number, len(scripts.Practice.Examples()))
	if ex.Solved {
		name += "  ✓ solved"
	}
	rows := []told{{"", ex.Titled(), paint.Bold, prose}}
	for _, text := range ex.Task {
		rows = append(rows, told{"", text, paint.Plain, prose})
	}
	for _, b := range ex.Blocks() {
		if b.Text == ex.Repair {
			b.Head += "; type the whole repaired program"
		}
		rows = append(rows, block(b.Head, b.Text, code)...)
	}
	if ex.lanes != "" {
		rows = append(rows, block("The goal", ex.lanes, drawn)...)
	}
	seen := len(rows)
	var hints []told
	for _, text := range ex.Hinted {
		hints = append(hints, told{"", text, paint.Note, prose})
	}
	first, last := hints, ex.verdict()
	if ex.hinted {
		first, last = last, hints
	}
	if len(last) > 0 {
		seen += len(first)
	}
	rows = append(append(rows, first...), last...)
	if len(first)+len(last) == 0 {
		rows = append(rows, told{"", "Type your line below. H in the panes, or the word hint, shows a hint; check grades your lines; o opens another exercise.", paint.Faint, prose})
		seen = 0
	}
	p := &page{name: name, rows: rows, old: seen}
	if ex.page != nil && slices.Equal(ex.page.rows, rows) {
		p = ex.page
	}
	ex.page, m.page = p, p
}

// block is lines below a heading.
func block(head, text string, as shape) []told {
	rows := []told{{"", head + ":", paint.Plain, prose}}
	for line := range strings.SplitSeq(text, "\n") {
		rows = append(rows, told{"  ", line, paint.Plain, as})
	}
	return rows
}

// unwrapped is a width at which each fact of a reason is a line: the page wraps it to the pane.
const unwrapped = 4000

// graded are the rows about a wrong answer as the page has them.
var graded = [...]told{
	practice.HeadRow: {"", "", paint.Alarm, prose}, practice.FaultRow: {"  ", "", paint.Plain, prose},
	practice.ReasonRow: {"  ", "", paint.Faint, fact}, practice.MoreRow: {"  ", "", paint.Plain, prose},
}

// verdict tells the last grade.
func (ex *exercise) verdict() []told {
	switch g := ex.grade; {
	case ex.reply.Bad != nil:
		return []told{{"", "This is not an answer: " + ex.reply.Bad.Error(), paint.Alarm, prose}}
	case g == nil && ex.reply.Text != "":
		return []told{{"", ex.reply.Text, paint.Alarm, prose}}
	case g == nil:
		return nil
	case g.Right:
		rows := []told{{"", "R" + strings.TrimPrefix(g.Line(), "r") + ".", paint.Bold, prose}}
		for _, text := range ex.Told {
			rows = append(rows, told{"", text, paint.Plain, prose})
		}
		return append(rows, told{"", "next opens the next exercise; solution shows the teacher's lines.", paint.Faint, prose})
	default:
		var rows []told
		for _, r := range g.Rows(unwrapped) {
			row := graded[r.Kind]
			row.text = r.Text
			rows = append(rows, row)
		}
		return append(rows, told{"", "Type another line; z in the panes takes back the last one.", paint.Faint, prose})
	}
}

// hint tells one more hint.
func (m *Model) hint() {
	ex := m.exercise
	switch {
	case ex == nil:
		m.notice = "hints are for exercises: o lists them"
		return
	case m.busy != nil:
		return
	}
	n, text := len(ex.Hinted), ex.Hint()
	if len(ex.Hinted) == n {
		m.notice = text
		return
	}
	ex.hinted = true
	m.tellExercise()
	m.choose(scene.Selection{})
	m.show(whyPane)
}

// exerciseWord carries out a word that is not a line of an answer; ok is false for other lines.
func (m *Model) exerciseWord(line string) (cmd tea.Cmd, ok bool) {
	ex := m.exercise
	if ex == nil || !m.idle() || m.lines.Pending() {
		return nil, false
	}
	switch practice.WordOf(line) {
	case practice.Hint:
		m.hint()
	case practice.Help:
		m.notice = "words: hint, check, task, again, next, back, solution; F1 lists the keys"
	case practice.Task:
		p := *ex.page
		p.old = 0
		ex.page, m.page = &p, &p
		m.show(whyPane)
	case practice.Again:
		ex.grade, ex.reply = nil, practice.Reply{}
		return m.perform([]step{func(ctx context.Context, _ *console.Console) error { return ex.Again(ctx) }, ex.settle}), true
	case practice.Check:
		if ex.Solved {
			break
		}
		return m.perform([]step{func(ctx context.Context, _ *console.Console) error { return ex.told(ctx, ex.Check) }, ex.settle}), true
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

// goalSights are the goal of a variable, and what the person has made of it: » marks who differs.
func (m *Model) goalSights() []sight {
	ex := m.exercise
	at := ex.goal.Handle(m.moment.Handles[m.handle].Name)
	if at < 1 {
		at = 1
	}
	name := ex.goal.Handles[at].Name
	mine := sight{head: "yours: none yet", moment: m.moment}
	if k := m.moment.Handle(name); k > 0 {
		mine = sight{head: "yours: " + name, moment: m.moment, handle: k, moved: ex.differing(name)}
	}
	goal := sight{head: "the goal: " + name, moment: ex.goal, handle: at}
	if mine.handle > 0 {
		goal.as = m.moment.Parting(mine.handle)
	}
	return []sight{goal, mine}
}

// differing tells of each world rank whether it holds something else in a variable than it should; nil when nobody
// does, or nobody knows yet.
func (ex *exercise) differing(name string) []bool {
	if ex.grade == nil {
		return nil
	}
	var out []bool
	for _, f := range ex.grade.Worlds[0].Faults {
		if f.Kind != practice.WrongGroup || f.Name != name {
			continue
		}
		if out == nil {
			out = make([]bool, ex.goal.Size())
		}
		for r := range f.Ranks.All {
			out[r] = true
		}
	}
	return out
}
