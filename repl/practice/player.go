package practice

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"time"

	"commsplit/render"
	"commsplit/repl"
	"commsplit/repl/edit"
	"commsplit/repl/lang"
	"commsplit/repl/progress"
)

// Player lets a person solve exercises at a prompt.
type Player struct {
	Out io.Writer
	// Line reads a line; more is the prompt of further lines of a block. It returns io.EOF when the person leaves, and
	// edit.ErrAborted for a line that the person gives up.
	Line func(prompt, more string) (string, error)
	// Open makes the console of an exercise's first world, at which the person types.
	Open     func(ctx context.Context, w World) (*repl.Console, error)
	Progress *progress.Progress // nil: nothing is remembered
	Style    render.Style
	Timeout  time.Duration // of each line, and of grading; 0: none
	Person   bool          // a person sees prompts; otherwise lines come from a file or a pipe

	open *repl.Console // of the exercise that is being solved; nil before the first
}

// Where a person wants to go.
var (
	errLeave = errors.New("leave")
	errNext  = errors.New("next")
	errBack  = errors.New("back")
)

// Play lets a person solve the exercises of a list from a given one on, until the last or until the person leaves.
// solved reports whether the person has solved all that was shown.
func (p *Player) Play(ctx context.Context, list []*Exercise, at int) (solved bool, err error) {
	solved = true
	for at >= 0 && at < len(list) {
		b, err := p.begin(ctx, list, at)
		if err != nil {
			return false, err
		}
		err = b.solve(ctx)
		solved = solved && b.done
		b.console.Session.Close()
		switch {
		case errors.Is(err, errLeave):
			return solved, nil
		case errors.Is(err, errBack):
			if at == 0 {
				p.say("This is the first exercise.")
				continue
			}
			at--
		case errors.Is(err, errNext):
			at++
		default:
			return false, err
		}
	}
	p.say("That was the last exercise.")
	return solved, nil
}

// Complete is what Tab proposes, from the session of the present exercise.
func (p *Player) Complete(line string) (start int, options []string) {
	if p.open == nil {
		return len(line), nil
	}
	return p.open.Session.Complete(line)
}

func (p *Player) say(text string) { fmt.Fprintln(p.Out, repl.Wrap(text, p.Style.Columns(), "")) }

// bench is where one exercise is being solved.
type bench struct {
	*Player
	*Attempt
	input *repl.Input
	aid   *Aid
	done  bool
	last  bool // it is the last exercise
}

// begin opens an exercise, and shows what is asked.
func (p *Player) begin(ctx context.Context, list []*Exercise, at int) (*bench, error) {
	x := list[at]
	ctx, stop := p.bounded(ctx)
	defer stop()
	goal, err := x.Goal(ctx)
	if err != nil {
		return nil, err
	}
	b := &bench{Player: p, input: repl.NewInput("<input>"), aid: &Aid{Exercise: x}, last: at == len(list)-1}
	if p.open, err = p.Open(ctx, x.Worlds[0]); err != nil {
		return nil, err
	}
	p.open.Brief, p.open.Silent = true, true
	for _, c := range x.given {
		if err := p.open.Do(ctx, c); err != nil {
			return nil, err
		}
	}
	p.open.Silent = false
	b.Attempt = x.Attempt(p.open, p.say)
	fmt.Fprintln(p.Out)
	head := x.Title
	if len(list) > 1 {
		head = fmt.Sprintf("Exercise %d of %d: %s", at+1, len(list), x.Title)
	}
	p.say(head + x.bracketed())
	return b, b.show(goal)
}

// bracketed is the section behind a title.
func (x *Exercise) bracketed() string {
	if x.Section == "" {
		return ""
	}
	return " [" + x.Section + "]"
}

// show writes the picture of the goal, the task, and what is given. The words come last: a picture may be higher than the
// screen.
func (b *bench) show(goal *Goal) error {
	if len(goal.Handles) > 0 {
		fmt.Fprintf(b.Out, "\nThe goal, %s:\n", with(goal.View.Snapshot.Size))
		if err := goal.Draw(b.Out, b.Style); err != nil {
			return err
		}
	}
	fmt.Fprintln(b.Out)
	for _, text := range b.x.Task {
		b.say(text)
	}
	if given := b.x.Given(); given != "" {
		fmt.Fprintf(b.Out, "\nThese lines have run:\n%s\n", indented(given, "    "))
	}
	if b.x.Repair != "" {
		fmt.Fprintf(b.Out, "\nThe program to repair:\n%s\n", indented(b.x.Repair, "    "))
	}
	fmt.Fprintln(b.Out)
	text := "Type your line: a command, mpi4py, C or Fortran."
	if b.x.Repair != "" {
		text = "Type the whole repaired program."
	}
	if b.x.Whole() {
		text += " check says how far it is right."
	}
	if b.Person {
		b.say(text + " hint, help and q are words here, too.")
	}
	return nil
}

const helpText = "A line can be a command (half = split world color=0), mpi4py, C or Fortran. A line that completes the answer " +
	"is graded at once; a line that sets the same name again takes the place of the one before. check grades what there is, " +
	"hint shows a hint, task shows the task again, again takes all your lines back. .show NAME, .explain NAME @3 and " +
	".undo work as at every prompt. next and back go to other exercises, solution shows an answer if you ask twice, q leaves."

// bounded is ctx with the time that a line has, and Ctrl-C ends it.
func (p *Player) bounded(ctx context.Context) (context.Context, func()) {
	ctx, deaf := signal.NotifyContext(ctx, os.Interrupt)
	if p.Timeout == 0 {
		return ctx, deaf
	}
	limit := &repl.Limit{Message: fmt.Sprintf("the time of %v is over (--timeout)", p.Timeout)}
	ctx, stop := context.WithTimeoutCause(ctx, p.Timeout, limit)
	return ctx, func() { stop(); deaf() }
}

// solve reads lines until the exercise is solved and the person goes on, or until the person goes elsewhere.
func (b *bench) solve(ctx context.Context) error {
	for {
		more := b.console.PromptText(true)
		line, err := b.Line(b.console.PromptText(b.input.Pending()), more)
		switch {
		case errors.Is(err, edit.ErrAborted):
			b.input.Reset()
			continue
		case err == io.EOF:
			return b.end(ctx)
		case err != nil:
			return &repl.InputError{Err: err}
		}
		for _, text := range repl.Typed(line) {
			if !b.input.Pending() {
				if err, isWord := b.word(ctx, strings.ToLower(strings.TrimSpace(text))); err != nil {
					return err
				} else if isWord {
					continue
				}
			}
			if err := b.line(ctx, text); err != nil {
				return err
			}
		}
	}
}

// end runs a statement that was pending when the input ended.
func (b *bench) end(ctx context.Context) error {
	chunks, err := b.input.Close()
	if err == nil {
		err = b.each(ctx, chunks)
	}
	if err != nil {
		return err
	}
	if b.Person {
		fmt.Fprintln(b.Out)
	} else if !b.done && b.x.Whole() {
		if err := b.grade(ctx, always); err != nil {
			return err
		}
	}
	return errLeave
}

// word carries out a word that is no line of the answer.
func (b *bench) word(ctx context.Context, text string) (err error, isWord bool) {
	switch text {
	case "":
		if b.done {
			return errNext, true
		}
	case "next", "n":
		return errNext, true
	case "back", "b":
		return errBack, true
	case "q", "quit", "exit", ".quit", ".exit":
		return errLeave, true
	case "help", "?", ".help":
		b.say(helpText)
	case "hint", "h":
		b.say(b.aid.Hint())
	case "task", "goal":
		goal, err := b.x.Goal(ctx)
		if err == nil {
			err = b.show(goal)
		}
		return err, true
	case "check", "done":
		return b.grade(ctx, always), true
	case "again":
		b.done = false
		return b.Again(ctx), true
	case "solution":
		b.solution()
	default:
		return nil, false
	}
	return nil, true
}

// solution shows an answer to a person who has solved the exercise, or asks twice.
func (b *bench) solution() {
	about, lines := b.aid.Solution(b.done)
	b.say(about)
	if lines != "" {
		fmt.Fprintln(b.Out, lines)
	}
}

// line feeds a line of the answer.
func (b *bench) line(ctx context.Context, text string) error {
	chunks, err := b.input.Feed(text, true)
	if bad := b.each(ctx, chunks); bad != nil {
		return bad
	}
	if err != nil {
		repl.WriteError(b.Out, err)
	}
	return nil
}

func (b *bench) each(ctx context.Context, chunks []*lang.Chunk) error {
	for _, c := range chunks {
		if err := b.chunk(ctx, c); err != nil {
			return err
		}
	}
	return nil
}

// chunk runs a chunk of the answer, and grades the answer when the chunk completes one.
func (b *bench) chunk(ctx context.Context, c *lang.Chunk) error {
	if c.Kind == lang.Meta {
		return b.meta(ctx, c)
	}
	run, stop := b.bounded(ctx)
	ran, err := b.Run(run, c)
	stop()
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		repl.WriteError(b.Out, err)
		return nil
	case !ran:
		return nil
	case len(b.console.Session.Waiting()) > 0:
		b.Tried()
		b.say(b.Waits() + "; again takes all your lines back.")
		return nil
	}
	if !b.x.Complete(b.console.Session) {
		if text := b.Misnamed(c); text != "" {
			b.say(text)
		}
		return nil
	}
	asks := b.tried == 0 || slices.ContainsFunc(b.console.Session.Assigned(c), func(name string) bool { return slices.Contains(b.x.Names, name) })
	return b.grade(ctx, func(g *Grade) bool { return asks && (!b.x.Whole() || b.x.Repair == "" && g.misplaced()) })
}

// meta runs a meta command that looks, or takes lines back.
func (b *bench) meta(ctx context.Context, c *lang.Chunk) error {
	undoes := c.Verb.Text == "undo" || c.Verb.Text == "redo"
	switch {
	case c.Verb.Text == "undo" && len(b.Own()) == 0:
		b.say("There is no line of yours to take back.")
		return nil
	case c.Verb.Text == "undo" && len(c.Args) > 0, !undoes && !repl.Looks(c):
		b.say("Not here: an exercise takes calls, .show, .explain and other lines that look, and .undo, a line at a time. " +
			b.console.Session.Command() + " is a session for the rest.")
		return nil
	}
	if err := b.console.Do(ctx, c); err != nil {
		repl.WriteError(b.Out, err)
	}
	return nil
}

// always has whatever is wrong told: the person wants to know.
func always(*Grade) bool { return true }

// grade grades the lines so far. What is wrong is reported where tell says so; otherwise more lines may still come.
func (b *bench) grade(ctx context.Context, tell func(*Grade) bool) error {
	if b.done {
		return nil
	}
	run, stop := b.bounded(ctx)
	g, err := b.x.Grade(run, b.Own())
	stop()
	var at *lang.Error
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.As(err, &at), run.Err() != nil && err != nil:
		repl.WriteError(b.Out, err)
		return nil
	case err != nil:
		return err
	case g.Right:
		b.solved(g)
		return nil
	case !tell(g):
		return nil
	}
	b.Tried()
	fmt.Fprintln(b.Out)
	g.Tell(b.Out, b.Style.Columns())
	b.others(g)
	return nil
}

// others shows lines that belong to the answer though the person may not think so: where the goal is not met, lines that
// set nothing; where too many calls are made, lines that made a communicator under another name.
func (b *bench) others(g *Grade) {
	s := b.console.Session
	named := b.x.others(b.x.goals[0], s)
	var list []string
	for _, c := range b.Own() {
		sets := s.Assigned(c)
		if (g.unmet() || g.miscalled()) && len(sets) == 0 ||
			g.miscalled() && slices.ContainsFunc(sets, func(name string) bool { return slices.Contains(named, name) }) {
			list = append(list, c.Text)
		}
	}
	if len(list) > 0 {
		b.say("These lines belong to your answer, too:")
		fmt.Fprintln(b.Out, indented(strings.Join(list, "\n"), "    "))
		b.say("again takes all your lines back.")
	}
}

// solved says so, and what the teacher has to tell then.
func (b *bench) solved(g *Grade) {
	b.done = true
	fmt.Fprintln(b.Out)
	text := "Right " + g.sizes(len(g.Worlds)) + "."
	b.say(text)
	for _, told := range b.x.Told {
		b.say(told)
	}
	if b.Progress != nil {
		b.Progress.Finished(b.x.Name, "")
	}
	if b.Person {
		fmt.Fprintln(b.Out)
		b.say("Enter for the next exercise; solution shows the teacher's lines, q leaves.")
	}
}
