package practice

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"time"

	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/completion"
	"codeberg.org/commsplit/commsplit/repl/console"
	"codeberg.org/commsplit/commsplit/repl/edit"
	"codeberg.org/commsplit/commsplit/repl/lang"
	"codeberg.org/commsplit/commsplit/repl/progress"
	"codeberg.org/commsplit/commsplit/repl/stories"
)

// Player lets a person solve exercises at a prompt.
type Player struct {
	Out io.Writer
	// Line reads a line; more is the prompt of further lines of a block. It returns io.EOF when the person leaves, and
	// edit.ErrAborted for a line that the person gives up.
	Line func(prompt, more string) (string, error)
	// Open makes the console at which the person types, on an exercise's first world.
	Open     func(ctx context.Context, w World) (*console.Console, error)
	Progress *progress.Progress // nil: nothing is remembered
	Style    render.Style
	Timeout  time.Duration // of each line, and of grading; 0: none
	Person   bool          // a person sees prompts; otherwise lines come from a file or a pipe

	open *console.Console // of the exercise that is being solved; nil before the first
}

// Where a person wants to go.
var (
	errLeave = errors.New("leave")
	errNext  = errors.New("next")
	errBack  = errors.New("back")
)

// Play lets a person solve the exercises of a list from the one at index at on, until the last or until the person
// leaves. solved reports whether the person has solved all exercises that were shown.
func (p *Player) Play(ctx context.Context, list []*Exercise, at int) (solved bool, err error) {
	solved = true
	for at >= 0 && at < len(list) {
		b, err := p.begin(ctx, list, at)
		if err != nil {
			return false, err
		}
		err = b.solve(ctx)
		solved = solved && b.Solved
		b.open.Session.Close()
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

// Complete proposes words as at the prompt, from the session of the present exercise.
func (p *Player) Complete(line string) (start int, options []string) {
	if p.open == nil {
		return len(line), nil
	}
	return completion.Complete(p.open.Session, line)
}

func (p *Player) say(text string) { fmt.Fprintln(p.Out, repl.Wrap(text, p.Style.Line(), "")) }

// bench is where one exercise is being solved.
type bench struct {
	*Player
	*Dialog
	input *repl.Input
}

// begin opens an exercise, and shows the task.
func (p *Player) begin(ctx context.Context, list []*Exercise, at int) (*bench, error) {
	x := list[at]
	ctx, stop := p.bounded(ctx)
	defer stop()
	var err error
	if p.open, err = p.Open(ctx, x.Worlds[0]); err != nil {
		return nil, err
	}
	p.open.Brief, p.open.Silent = true, true
	for _, c := range x.GivenLines {
		if err := p.open.Do(ctx, c); err != nil {
			return nil, err
		}
	}
	p.open.Silent = false
	d, err := x.Begin(ctx, p.open, p.say)
	if err != nil {
		return nil, err
	}
	fmt.Fprintln(p.Out)
	head := x.Titled()
	if len(list) > 1 {
		head = fmt.Sprintf("Exercise %d of %d: %s", at+1, len(list), head)
	}
	p.say(head)
	b := &bench{p, d, repl.NewInput("<input>")}
	return b, b.show()
}

// show writes the picture of the goal, the task, and the given lines. The words come last: a picture may be higher than
// the screen.
func (b *bench) show() error {
	if len(b.Goal.Handles) > 0 {
		fmt.Fprintf(b.Out, "\nThe goal, %s:\n", with(b.Goal.View.Snapshot.Size))
		if err := b.Goal.Draw(b.Out, b.Style); err != nil {
			return err
		}
	}
	fmt.Fprintln(b.Out)
	for _, text := range b.Task {
		b.say(text)
	}
	for _, block := range b.Blocks() {
		fmt.Fprintf(b.Out, "\n%s:\n%s\n", block.Head, indented(block.Text, "    "))
	}
	fmt.Fprintln(b.Out)
	text := "Type your line: a command, mpi4py, C or Fortran."
	if b.Repair != "" {
		text = "Type the whole repaired program."
	}
	if b.Whole() {
		text += " check grades what you have so far."
	}
	if b.Person {
		b.say(text + " You can also type hint, help or q.")
	}
	return nil
}

const helpText = "A line can be a command (half = split world color=0), mpi4py, C or Fortran. A line that completes the answer " +
	"is graded at once; a line that sets the same name again replaces the earlier line. check grades what you have so far, " +
	"hint shows a hint, task shows the task again, again takes all your lines back. .show NAME, .explain NAME @3 and " +
	".undo work as at every prompt. next and back go to other exercises, solution shows an answer if you ask twice, q leaves."

// bounded returns a context that ends after the time of a line, or by Ctrl-C.
func (p *Player) bounded(ctx context.Context) (context.Context, func()) {
	ctx, deaf := signal.NotifyContext(ctx, os.Interrupt)
	if p.Timeout == 0 {
		return ctx, deaf
	}
	limit := &repl.Limit{Message: fmt.Sprintf("the time limit of %v is reached (--timeout)", p.Timeout)}
	ctx, stop := context.WithTimeoutCause(ctx, p.Timeout, limit)
	return ctx, func() { stop(); deaf() }
}

// solve reads lines until the exercise is solved and the person goes on, or until the person goes elsewhere.
func (b *bench) solve(ctx context.Context) error {
	for {
		more := b.open.PromptText(true)
		line, err := b.Line(b.open.PromptText(b.input.Pending()), more)
		switch {
		case errors.Is(err, edit.ErrAborted):
			b.input.Reset()
			continue
		case err == io.EOF:
			return b.end(ctx)
		case err != nil:
			return repl.AsInput(err)
		}
		for _, text := range repl.Typed(line) {
			if err := b.typed(ctx, text); err != nil {
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
	} else if !b.Solved && b.Whole() {
		if err := b.told(ctx, b.Check); err != nil {
			return err
		}
	}
	return errLeave
}

// typed carries out a word, or feeds a line of the answer.
func (b *bench) typed(ctx context.Context, text string) error {
	word := WordOf(text)
	if b.input.Pending() {
		word = None
	}
	switch word {
	case Next:
		return errNext
	case Back:
		return errBack
	case Leave:
		return errLeave
	case Help:
		b.say(helpText)
	case Hint:
		b.say(b.Hint())
	case Task:
		return b.show()
	case Check:
		if !b.Solved {
			return b.told(ctx, b.Check)
		}
	case Again:
		return b.Again(ctx)
	case Solution:
		about, lines := b.Solution()
		b.say(about)
		if lines != "" {
			fmt.Fprintln(b.Out, lines)
		}
	default:
		if b.Solved && !b.input.Pending() && strings.TrimSpace(text) == "" {
			return errNext
		}
		chunks, err := b.input.Feed(text, true)
		if bad := b.each(ctx, chunks); bad != nil {
			return bad
		}
		if err != nil {
			repl.WriteError(b.Out, err)
		}
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

// chunk runs a chunk of the answer, and tells the dialog's reply.
func (b *bench) chunk(ctx context.Context, c *lang.Chunk) error {
	run, stop := ctx, func() {}
	if c.Kind != lang.Meta { // a meta command that were stopped would leave half a session
		run, stop = b.bounded(ctx)
	} else if b.elsewhere(c) {
		b.say("Not here: an exercise takes calls, .undo, and lines that only inspect, such as .show and .explain. " +
			"For anything else: " + stories.Command(b.open.Session) + ".")
		return nil
	}
	changed, err := b.Do(run, c)
	stop()
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		repl.WriteError(b.Out, err)
	case changed && c.Kind != lang.Meta:
		return b.told(ctx, func(ctx context.Context) (Reply, error) { return b.After(ctx, c) })
	}
	return nil
}

// elsewhere reports whether a meta command would lead out of the exercise: it does more than look or take a line back.
func (b *bench) elsewhere(c *lang.Chunk) bool {
	switch c.Verb.Text {
	case "undo":
		return len(c.Args) > 0 && len(b.Own()) > 0
	case "redo":
		return false
	}
	return !repl.Looks(c)
}

// told asks the dialog within the time of a line, and writes its reply.
func (b *bench) told(ctx context.Context, ask func(context.Context) (Reply, error)) error {
	run, stop := b.bounded(ctx)
	r, err := ask(run)
	stop()
	switch g := r.Grade; {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case r.Bad != nil:
		repl.WriteError(b.Out, r.Bad)
	case r.Text != "":
		b.say(r.Text)
	case g != nil:
		fmt.Fprintln(b.Out)
		b.verdict(g)
	}
	return err
}

// verdict writes the grade of the answer, and for a right answer the notes of the exercise.
func (b *bench) verdict(g *Grade) {
	if !g.Right {
		g.Tell(b.Out, b.Style.Line())
		if list := b.Unseen(g); len(list) > 0 {
			b.say("These lines belong to your answer, too:")
			fmt.Fprintln(b.Out, indented(strings.Join(list, "\n"), "    "))
			b.say("again takes all your lines back.")
		}
		return
	}
	for _, text := range append([]string{sentence(g.Line())}, b.Told...) {
		b.say(text)
	}
	if b.Progress != nil {
		b.Progress.Finished(b.Name, "")
	}
	if b.Person {
		fmt.Fprintln(b.Out)
		b.say("Enter for the next exercise; solution shows the teacher's lines, q leaves.")
	}
}
