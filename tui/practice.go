package tui

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"commsplit/render"
	"commsplit/render/paint"
	"commsplit/repl"
	"commsplit/repl/lang"
	"commsplit/repl/practice"
	"commsplit/repl/progress"
	"commsplit/scripts"
	"commsplit/tui/scene"
)

// exercise is what a person solves on the screen: the task stands in the pane that explains, the goal beside the
// person's own result in that of the hardware. Each line that completes an answer is graded beside the screen.
type exercise struct {
	x      *practice.Exercise
	number int // among the embedded ones, from 1
	goal   *scene.Moment
	lanes  string // the goal as text
	world  string // the command that opens the exercise's world: in another one the exercise has ended
	tries  *practice.Attempt
	hints  int  // that were told
	hinted bool // a hint was the last thing that was told
	gaveUp bool // the solution was asked for once
	done   bool
	check  bool // the next grade is to be told, be the answer complete or not

	grade *practice.Grade // the last one
	page  *page

	// Of the lines that run, for the screen when they have ended.
	fresh *practice.Grade
	asks  string // for another name, or for the call for which ranks wait
	part  bool   // the answer is not complete, or no longer
	wrong error  // what the grader could not take
	ended bool   // the session has left the exercise's world
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
	x, err := practice.Read(repl.NewScript(e.File, e.Text), m.opts.Flags)
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

// begin makes the goal, when the given lines have run.
func (ex *exercise) begin(ctx context.Context, c *repl.Console) error {
	ctx, stop := gradingTime(ctx)
	defer stop()
	goal, err := ex.x.Goal(ctx)
	if err != nil {
		return err
	}
	var b strings.Builder
	for i := range goal.Handles { // lanes alone: the hardware has its pane
		if len(goal.Handles) > 1 {
			fmt.Fprintf(&b, "%s:\n", goal.Handles[i].Name)
		}
		if err := goal.Lanes(&b, i, render.Style{Width: 44}); err != nil {
			return err
		}
	}
	ex.lanes = strings.TrimRight(b.String(), "\n")
	ex.goal = scene.NewMoment(goal.View, -1, nil).Prepared()
	ex.tries = ex.x.Attempt(c, func(text string) { fmt.Fprintln(c.Out, text) })
	ex.world = c.Session.Command()
	return nil
}

// left reports whether the session is another one than that of the exercise.
func (ex *exercise) left(c *repl.Console) bool {
	return c.Session.Command() != ex.world || ex.tries.Left()
}

// doing runs a line: of an exercise, one that is typed again takes the place of the one before. nil is no exercise.
func (ex *exercise) doing(chunk *lang.Chunk) step {
	return func(ctx context.Context, c *repl.Console) error {
		if ex == nil || chunk.Kind == lang.Meta || ex.left(c) {
			return c.Do(ctx, chunk)
		}
		_, err := ex.tries.Run(ctx, chunk)
		ex.asks = ""
		if len(c.Session.Waiting()) > 0 {
			ex.tries.Tried()
			ex.asks = ex.tries.Waits() + "."
		} else if err == nil && !ex.x.Complete(c.Session) {
			ex.asks = ex.tries.Misnamed(chunk)
		}
		return err
	}
}

func gradingTime(ctx context.Context) (context.Context, func()) {
	limit := &repl.Limit{Message: fmt.Sprintf("the time of %v is over", gradeTime)}
	return context.WithTimeoutCause(ctx, gradeTime, limit)
}

// judge grades the answer so far, if it is complete.
func (ex *exercise) judge(ctx context.Context, c *repl.Console) error {
	if ex.ended = ex.left(c); ex.ended {
		return nil
	}
	ex.fresh, ex.wrong = nil, nil
	ex.part = !ex.x.Complete(c.Session)
	if ex.done || ex.part && !ex.check {
		return nil
	}
	ctx, stop := gradingTime(ctx)
	defer stop()
	g, err := ex.x.Grade(ctx, ex.tries.Own())
	var at *lang.Error
	switch {
	case errors.As(err, &at):
		ex.wrong = err
	case err != nil:
		return err
	case g.Right || ex.check || !ex.x.Whole():
		if ex.fresh = g; !g.Right {
			ex.tries.Tried()
		}
	}
	ex.check = false
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
			m.notice = "the exercise has ended: this is another world; o opens it again"
		}
		return
	}
	if ex.part && !ex.done {
		ex.grade = nil
	}
	if g := ex.fresh; g != nil {
		ex.grade, ex.fresh, ex.hinted = g, nil, false
		if g.Right && !ex.done {
			ex.done = true
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
		m.notice = "what you solved is not remembered: " + err.Error()
	}
}

// tellExercise writes the page anew: the task, the hints, and last how the answer was graded.
func (m *Model) tellExercise() {
	ex := m.exercise
	total := len(scripts.Practice.Examples())
	name := fmt.Sprintf("exercise %d of %d", ex.number, total)
	if ex.done {
		name += "  ✓ solved"
	}
	title := ex.x.Title
	if ex.x.Section != "" {
		title += " [" + ex.x.Section + "]"
	}
	rows := []told{{"", title, paint.Bold, prose}}
	for _, text := range ex.x.Task {
		rows = append(rows, told{"", text, paint.Plain, prose})
	}
	rows = append(rows, block("These lines have run:", ex.x.Given(), code)...)
	rows = append(rows, block("The program to repair; type it whole, repaired:", ex.x.Repair, code)...)
	rows = append(rows, block("The goal:", ex.lanes, drawn)...)
	seen := len(rows)
	var hints []told
	for i := range ex.hints {
		hints = append(hints, told{"", fmt.Sprintf("Hint %d of %d: %s", i+1, len(ex.x.Hints), ex.x.Hints[i]), paint.Note, prose})
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
		rows = append(rows, told{"", "Type your line below. H in the panes, or the word hint, shows a hint; check grades what there is; o opens another exercise.", paint.Faint, prose})
		seen = 0
	}
	p := &page{name: name, rows: rows, old: seen}
	if ex.page != nil && slices.Equal(ex.page.rows, rows) {
		p = ex.page
	}
	ex.page, m.page = p, p
}

// block is lines below a heading; nothing without lines.
func block(head, text string, as shape) []told {
	if text == "" {
		return nil
	}
	rows := []told{{"", head, paint.Plain, prose}}
	for line := range strings.SplitSeq(text, "\n") {
		rows = append(rows, told{"  ", line, paint.Plain, as})
	}
	return rows
}

// unwrapped is a width at which each fact of a reason is a line: the page wraps it to the pane.
const unwrapped = 4000

// verdict tells the last grade.
func (ex *exercise) verdict() []told {
	switch g := ex.grade; {
	case ex.wrong != nil:
		return []told{{"", "This is no answer: " + ex.wrong.Error(), paint.Alarm, prose}}
	case g == nil && ex.asks != "":
		return []told{{"", ex.asks, paint.Alarm, prose}}
	case g == nil:
		return nil
	case g.Right:
		rows := []told{{"", "R" + strings.TrimPrefix(g.Line(), "r") + ".", paint.Bold, prose}}
		for _, text := range ex.x.Told {
			rows = append(rows, told{"", text, paint.Plain, prose})
		}
		return append(rows, told{"", "next opens the next exercise; solution shows the teacher's lines.", paint.Faint, prose})
	default:
		rows := []told{{"", g.Head(), paint.Alarm, prose}}
		faults, more := g.Told()
		for i, f := range faults {
			rows = append(rows, told{"  ", f.Message, paint.Plain, prose})
			why := f.Why(unwrapped)
			if i > 0 || why == "" {
				continue
			}
			for line := range strings.SplitSeq(why, "\n") {
				rows = append(rows, told{"  ", line, paint.Faint, fact})
			}
		}
		if more > 0 {
			rows = append(rows, told{"  ", fmt.Sprintf("and %d more", more), paint.Plain, prose})
		}
		return append(rows, told{"", "Type another line; z in the panes takes the last one back.", paint.Faint, prose})
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
	case ex.hints == len(ex.x.Hints):
		m.notice = "there are no more hints; the word solution shows an answer"
		return
	}
	ex.hints++
	ex.hinted = true
	m.tellExercise()
	m.choose(scene.Selection{})
	m.show(whyPane)
}

// exerciseWord carries out a word that is no line of an answer; ok is false for other lines.
func (m *Model) exerciseWord(line string) (cmd tea.Cmd, ok bool) {
	ex := m.exercise
	if ex == nil || !m.idle() || m.lines.Pending() {
		return nil, false
	}
	switch strings.ToLower(strings.TrimSpace(line)) {
	case "hint":
		m.hint()
	case "help", "?", ".help":
		m.notice = "words here: hint, check, task, again, next, back, solution; F1 lists the keys"
	case "task", "goal":
		p := *ex.page
		p.old = 0
		ex.page, m.page = &p, &p
		m.show(whyPane)
	case "again":
		ex.done, ex.grade, ex.asks = false, nil, ""
		return m.perform([]step{func(ctx context.Context, _ *repl.Console) error { return ex.tries.Again(ctx) }, ex.judge}), true
	case "check":
		ex.check = true
		return m.perform([]step{ex.judge}), true
	case "next":
		return m.practice(ex.number % len(scripts.Practice.Examples())), true
	case "back":
		return m.practice(max(ex.number-2, 0)), true
	case "solution":
		if !ex.done && !ex.gaveUp {
			ex.gaveUp = true
			m.notice = "you have not solved it yet: solution once more shows an answer"
			return nil, true
		}
		m.log.add(entry{"One answer of several that are right:", said})
		for line := range strings.SplitSeq(ex.x.Solution(), "\n") {
			m.log.add(entry{"    " + line, said})
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
