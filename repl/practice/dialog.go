package practice

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/render/document"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/console"
	"codeberg.org/commsplit/commsplit/repl/lang"
	"codeberg.org/commsplit/commsplit/repl/stories"
)

// Dialog is one exercise that a person solves. It takes the person's lines and words, and returns values to tell: the
// prompt, the terminal UI and the page are its faces, which print the values and decide nothing.
type Dialog struct {
	*Exercise
	*attempt
	Goal   *Goal
	Solved bool
	Hinted []string // the hints that were told

	grade *Grade // of the lines so far; nil: none, or the answer is no longer complete
	reply Reply  // to the last line or check
	hint  bool   // a hint was told behind them
	world string // the command that opens the world of the exercise
	asked bool   // for the solution, once
}

// Begin begins a dialog in a session in which the given lines have run. notice gets sentences for the person while lines
// run.
func (x *Exercise) Begin(ctx context.Context, c *console.Console, notice func(text string)) (*Dialog, error) {
	goal, err := x.Goal(ctx)
	if err != nil {
		return nil, err
	}
	a := &attempt{x: x, console: c, notice: notice, given: len(c.Session.Chunks())}
	return &Dialog{Exercise: x, attempt: a, Goal: goal, world: stories.Command(c.Session)}, nil
}

// Reply is the reply to a line or a check.
type Reply struct {
	Text  string // a sentence about the line
	Bad   error  // why the lines cannot be graded
	Grade *Grade // how they were graded
}

// Word is a wish of a person, in place of a line.
type Word uint8

// The words of a dialog.
const (
	None Word = iota // it is a line
	Next
	Back
	Leave
	Help
	Hint
	Task
	Check
	Again
	Solution
)

var words = map[string]Word{
	"next": Next, "n": Next, "back": Back, "b": Back, "q": Leave, "quit": Leave, "exit": Leave, ".quit": Leave, ".exit": Leave,
	"help": Help, "?": Help, ".help": Help, "hint": Hint, "h": Hint, "task": Task, "goal": Task, "check": Check, "done": Check,
	"again": Again, "solution": Solution,
}

// WordOf finds out which word a line is.
func WordOf(line string) Word { return words[strings.ToLower(strings.TrimSpace(line))] }

// Hint returns the next hint, or says that there are no more hints.
func (d *Dialog) Hint() string {
	switch n, all := len(d.Hinted), len(d.Hints); {
	case n < all:
		d.Hinted, d.hint = append(d.Hinted, fmt.Sprintf("Hint %d of %d: %s", n+1, all, d.Hints[n])), true
		return d.Hinted[n]
	case all == 0:
		return "There are no hints for this exercise."
	}
	return "There are no more hints. solution shows an answer."
}

// Solution returns a sentence about the solution, and its lines; the lines are "" for a person who has not solved the
// exercise and asks for the first time.
func (d *Dialog) Solution() (about, lines string) {
	if !d.Solved && !d.asked {
		d.asked = true
		return "You have not solved it yet. Ask for the solution once more to see an answer; hint shows a hint instead.", ""
	}
	return "One of several right answers:", indented(textOf(d.solution), "    ")
}

// After returns the reply to a line that ran. A line that completes the answer is graded; so is the answer after a meta
// command, which took lines back.
func (d *Dialog) After(ctx context.Context, c *lang.Chunk) (Reply, error) {
	isLine := c.Kind != lang.Meta
	complete := d.Complete()
	if !complete && !d.Solved {
		d.grade = nil
	}
	switch {
	case len(d.console.Session.Waiting()) > 0:
		d.tried = len(d.Own())
		return d.says(Reply{Text: d.waits()}), nil
	case !complete && isLine:
		return d.says(Reply{Text: d.misnames(c)}), nil
	case !complete, d.Solved:
		return d.says(Reply{}), nil
	}
	asks := !isLine || d.tried == 0 || meet(d.console.Session.Assigned(c), d.Names)
	return d.graded(ctx, func(g *Grade) bool { return asks && (!d.Whole() || d.Repair == "" && g.misplaced()) })
}

// Complete reports whether the session has all names that an answer sets, and no rank waits there, so that the answer
// can be graded.
func (d *Dialog) Complete() bool {
	vars := d.console.Session.Variables()
	missing := func(name string) bool { return !slices.Contains(vars, name) }
	return len(d.console.Session.Waiting()) == 0 && !slices.ContainsFunc(d.Names, missing)
}

// Check grades the lines so far. Whatever is wrong is told: the person wants to know.
func (d *Dialog) Check(ctx context.Context) (Reply, error) {
	return d.graded(ctx, func(*Grade) bool { return true })
}

// graded grades the lines so far. It returns a wrong grade only if tell says so; otherwise more lines may still come.
func (d *Dialog) graded(ctx context.Context, tell func(*Grade) bool) (Reply, error) {
	g, err := d.Grade(ctx, d.Own())
	var at *lang.Error
	switch {
	case errors.As(err, &at), err != nil && ctx.Err() != nil:
		return d.says(Reply{Bad: err}), nil
	case err != nil:
		return d.says(Reply{}), err
	case g.Right:
		d.Solved = true
	case !tell(g):
		return d.says(Reply{}), nil
	default:
		d.tried = len(d.Own())
	}
	return d.says(Reply{Grade: g}), nil
}

// says keeps a reply, for Rows.
func (d *Dialog) says(r Reply) Reply {
	if d.reply = r; r != (Reply{}) {
		d.hint = false
	}
	if r.Grade != nil {
		d.grade = r.Grade
	}
	return r
}

// Unseen lists lines that belong to the answer though the person may not think so: where the goal is not met, lines that
// set nothing; where too many calls are made, lines that made a communicator under another name.
func (d *Dialog) Unseen(g *Grade) (list []string) {
	s := d.console.Session
	named := d.others(d.goals[0], s)
	for _, c := range d.Own() {
		sets := s.Assigned(c)
		if g.has(Unmet, Failing, WrongCalls) && len(sets) == 0 || g.has(WrongCalls) && meet(sets, named) {
			list = append(list, c.Text)
		}
	}
	return list
}

// mostFaults is how many faults of a world are reported.
const mostFaults = 4

// Row is a row of the text about an exercise and an answer.
type Row struct {
	Kind RowKind
	Text string
	Of   *Fault // whose reason the row is a part of; nil for other rows
}

// RowKind is the kind of a row.
type RowKind uint8

// The kinds of rows.
const (
	HeadRow   RowKind = iota // where the answer is right, and where it is wrong first
	FaultRow                 // what is wrong there
	ReasonRow                // a line of why the first fault is one
	MoreRow                  // how many more faults there are
	TitleRow                 // the title of the exercise
	TextRow                  // of the task, or behind a right answer
	CodeRow                  // a line of a program
	HintRow                  // a hint
	RightRow                 // where the answer is right
)

// Rows returns the faults of a wrong answer on the first world where it is wrong. The reason of the first fault is told
// in full, in lines of width columns.
func (g *Grade) Rows(width int) []Row {
	k := g.wrong()
	head := "wrong " + g.Worlds[k].with() + ":"
	if k > 0 {
		head = "right " + g.sizes(k) + ", but " + head
	}
	rows := []Row{{Kind: HeadRow, Text: head}}
	list, told := g.Faults(), false
	for i, f := range list[:min(len(list), mostFaults)] {
		rows = append(rows, Row{Kind: FaultRow, Text: f.Message})
		if why := f.Why(width); why != "" && !told {
			for line := range strings.SplitSeq(why, "\n") {
				rows = append(rows, Row{ReasonRow, line, &list[i]})
			}
			told = true
		}
	}
	if more := len(list) - mostFaults; more > 0 {
		rows = append(rows, Row{Kind: MoreRow, Text: fmt.Sprintf("and %d more", more)})
	}
	return rows
}

// Tell writes the grade of an answer: on which worlds it is right, or its faults.
func (g *Grade) Tell(w io.Writer, width int) {
	if g.Right {
		fmt.Fprintln(w, repl.Wrap(g.Line(), width, ""))
		return
	}
	const by = "      "
	for _, r := range g.Rows(width - len(by)) {
		switch r.Kind {
		case HeadRow:
			fmt.Fprintln(w, repl.Wrap(r.Text, width, ""))
		case FaultRow:
			fmt.Fprintln(w, "  "+strings.TrimPrefix(repl.Wrap(r.Text, width-2, "    "), "    "))
		case ReasonRow:
			fmt.Fprintln(w, by+r.Text)
		case MoreRow:
			fmt.Fprintln(w, "  "+r.Text)
		}
	}
}

// Line returns the grade in one line, for the report on many answers.
func (g *Grade) Line() string {
	if g.Right {
		return "right " + g.sizes(len(g.Worlds))
	}
	r := g.Worlds[g.wrong()]
	text := "wrong " + r.with() + ": " + r.Faults[0].Message
	if n := len(r.Faults) - 1; n > 0 {
		text += fmt.Sprintf(" (and %d more)", n)
	}
	return text
}

// sizes returns "with 6, 9 and 12 ranks" for the first n worlds.
func (g *Grade) sizes(n int) string {
	if n == 1 {
		return g.Worlds[0].with()
	}
	var words []string
	for _, r := range g.Worlds[:n] {
		words = append(words, strconv.Itoa(r.Size)+r.differs)
	}
	return "with " + listed(words) + " ranks"
}

// with returns "with 8 ranks", and how this world differs otherwise.
func (r Result) with() string { return with(r.Size) + r.differs }

func indented(text, by string) string { return by + strings.ReplaceAll(text, "\n", "\n"+by) }

// explained is the width for which reasons in documents are laid out, in columns.
const explained = 76

// Document returns the grade of an answer, in a file of that name, as JSON has it.
func (g *Grade) Document(x *Exercise, answer string) *document.Grading {
	d := &document.Grading{Version: 1, Exercise: x.Name, Answer: answer, Right: g.Right}
	for _, r := range g.Worlds {
		w := document.GradedWorld{Size: r.Size, Flags: slices.Clone(r.Flags), Right: r.Right(), Faults: []document.GradedFault{}}
		if w.Flags == nil {
			w.Flags = []string{}
		}
		for _, f := range r.Faults {
			w.Faults = append(w.Faults, document.GradedFault{Kind: string(f.Kind), Variable: document.OrNull(f.Name), Ranks: document.OrNull(f.Ranks.String()),
				Expected: document.OrNull(f.Expected), Found: document.OrNull(f.Found), Message: f.Message, Why: document.OrNull(f.Why(explained))})
		}
		d.Worlds = append(d.Worlds, w)
	}
	return d
}
