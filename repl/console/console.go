// Package console shows a session to a person: it runs lines on a repl.Session and writes the results, with pictures,
// for the prompt, scripts and one-shot commands. It has the functions of meta commands, the prompt's loop, and the
// journal that brings back a session that ended early. It knows neither flags nor exit codes.
package console

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/engine/reason"
	"codeberg.org/commsplit/commsplit/hw/spell"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/render/paint"
	"codeberg.org/commsplit/commsplit/render/picture"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/lang"
)

// Console runs chunks on a session. It writes results and the output of ranks on Out, and diagnoses on Err. The prompt,
// scripts and one-shot commands all use a Console.
type Console struct {
	Session *repl.Session
	Out     io.Writer
	Err     io.Writer
	Style   render.Style
	Silent  bool // results are not shown after each chunk: a document follows at the end
	Prompt  bool // a person types: failed chunks are undone, expressions show their values
	Draws   bool // statements that make communicators are drawn, as they are at a prompt
	Brief   bool // results are reported without their pictures, which are shown elsewhere

	// Terminal tells that a person reads Out as it comes. Control characters that programs print are then removed, and
	// the output of ranks is written each tenth of a second; of a flood, only the last part is written. Without
	// Terminal, Out gets all output, and ranks wait until Out has taken it.
	Terminal bool
	// AllowFiles lets the lines of scripts read and write files, as the lines that a person types may.
	AllowFiles bool

	// Ahead, if not nil, is called before each chunk that Script runs, with its index. An error ends Script.
	Ahead func(i int) error

	// Predict reads what a person predicts when a question is asked; nil where no person answers. io.EOF
	// means no prediction; another error ends the chunk.
	Predict func(prompt string) (string, error)
	// Asked tells that a question follows before anything else is reported: pictures wait until it is answered.
	Asked bool
	// Judged, if not nil, gets the verdict on each prediction, and why a wrong one is wrong: both are also written
	// on Out.
	Judged func(verdict, why string)

	// Waits, if not nil, is told when Loop begins and ends to wait for the person.
	Waits func(yes bool)

	// Aside gets the output of meta commands while the console is silent; nil: Err.
	Aside io.Writer

	behind *behind     // the line that was stopped and winds down; nil: none does
	asking atomic.Bool // a question waits for its answer at the terminal
	gate   gate

	journal *journaling // nil: none is kept
	quit    bool
	step    cursor
	mode    string              // output of .show: "text" or "json"
	told    int                 // how many ranks run the present line
	flood   flood               // what ranks have printed for a terminal
	hold    func([]engine.Line) // gets what ranks say while a question waits for its prediction
	late    []func() error      // pictures that wait for a prediction
	mine    map[string]bool     // files that the session has opened or written, by absolute path

	// Of the meta command that runs:
	trusted bool // it may read and write files
	force   bool // it was forced, with !
}

// NewConsole opens a session whose output goes to out.
func NewConsole(ctx context.Context, cfg repl.Config, out, errs io.Writer, st render.Style) (*Console, error) {
	c := &Console{Out: out, Err: errs, Style: st, mode: "text"}
	s, err := repl.Open(ctx, cfg, c.printLines)
	if err != nil {
		return nil, err
	}
	c.Session = s
	s.Shows = c.showFlood
	return c, nil
}

// printLines writes lines of ranks: "[0-5] even".
func (c *Console) printLines(lines []engine.Line) {
	switch {
	case c.Silent:
		return
	case c.hold != nil:
		c.hold(lines)
		return
	}
	var b bytes.Buffer
	for i := range lines {
		c.printLine(&b, &lines[i])
	}
	if c.Terminal {
		c.flood.add(b.String())
	} else {
		c.Out.Write(b.Bytes()) //nolint:errcheck // who cannot write ends the command
	}
}

// printLine writes a line. A note is for the reader; it names no ranks when all ranks that run the line make it.
func (c *Console) printLine(b *bytes.Buffer, l *engine.Line) {
	text := l.Text
	if c.Terminal {
		text = paint.Printable(text)
	}
	if l.Note && l.Ranks.Len() == c.told {
		fmt.Fprintf(b, "\n%s\n", c.wrapped("· ", text))
	} else {
		fmt.Fprintf(b, "[%s] %s\n", l.Ranks, text)
	}
}

// atOnce is how many bytes of a flood are written at a time: so few that a terminal takes them before Ctrl-C seems
// late.
const atOnce = 4 << 10

// showFlood writes the lines that have come; when ctx ends, the rest of them stays.
func (c *Console) showFlood(ctx context.Context) {
	for text := c.flood.take(); text != ""; {
		end := min(atOnce, len(text))
		end += strings.IndexByte(text[end-1:], '\n')
		io.WriteString(c.Out, text[:end]) //nolint:errcheck // who cannot write ends the command
		if text = text[end:]; ctx.Err() != nil {
			c.flood.giveBack(text)
			return
		}
	}
}

// endFlood writes the remaining lines that ranks printed; only the last of them, when the ranks were stopped.
func (c *Console) endFlood(ctx context.Context) {
	if !c.Terminal {
		return
	}
	if ctx.Err() != nil {
		c.flood.cut()
	}
	c.showFlood(context.WithoutCancel(ctx))
}

// plain returns the style of diagnoses, which have no color.
func (c *Console) plain() render.Style {
	st := c.Style
	st.Colors = paint.NoColor
	return st
}

// wrapped breaks text into lines that fit a terminal: head stands before the first line, and blanks of the same width
// before the others.
func (c *Console) wrapped(head, text string) string {
	return repl.Hang(head, strings.TrimRight(text, " "), c.Style.Line())
}

// Do runs one chunk and shows its result. At a prompt a chunk that failed is undone. A chunk that ran is in the
// journal when Do returns. A panic is the error of the chunk: at a prompt the session is then as it was before.
func (c *Console) Do(ctx context.Context, chunk *lang.Chunk) error {
	if c.journal != nil {
		defer c.note()
	}
	var before repl.Mark
	if c.Prompt {
		before = c.Session.Mark()
	}
	err := repl.Guarded(func() error { return c.do(ctx, chunk) })
	if _, panicked := err.(*repl.Crash); panicked && c.Prompt {
		c.Session.ReturnTo(before)
	}
	return err
}

func (c *Console) do(ctx context.Context, chunk *lang.Chunk) error {
	if chunk.Kind == lang.Meta {
		return c.meta(ctx, chunk)
	}
	c.Session.ShowValues = c.Prompt || chunk.Typed
	c.told = c.Session.Size()
	if only, err := c.Session.RanksOf(chunk); err == nil {
		c.told = only.Len()
	}
	var before render.Expectations
	if c.Prompt {
		before = c.Session.Expectations()
	}
	o, err := c.run(ctx, chunk)
	var failed *repl.Failed
	if errors.As(err, &failed) && c.Prompt {
		if undo := c.Session.Rollback(context.Background()); undo != nil {
			return errors.Join(err, undo)
		}
	}
	if err != nil {
		return err
	}
	v := c.Session.ViewAfterLine()
	now := v.Snapshot
	calls := func(call engine.Call) bool {
		return slices.ContainsFunc(now.Steps[o.From:], func(s engine.Step) bool { return s.Call == call })
	}
	splits := calls(engine.CallSplitType)
	if splits {
		notePortability(c.Err, now, o.From)
	}
	if !c.Silent {
		if err := c.show(ctx, o, v); err != nil {
			return err
		}
	}
	if splits {
		noteAbsent(c.Err, now, o.From)
	}
	if calls(engine.CallSessionFinalize) {
		noteOutliving(c, o.From)
	}
	if len(now.Rebound(o.From)) > 0 {
		if err := render.StaleNews(c.Err, c.Session.View(), o.From, c.plain()); err != nil {
			return err
		}
	}
	if !c.Prompt || c.Silent {
		return nil
	}
	return render.Verdicts(c.Out, added(c.Session.Expectations(), before), c.Style)
}

// run runs a chunk. A question to a person waits for the prediction; a deadlock that a script expects is
// told before it is taken back.
func (c *Console) run(ctx context.Context, chunk *lang.Chunk) (*repl.Outcome, error) {
	switch v := repl.FindVerb(chunk.Verb.Text); {
	case chunk.Kind != lang.Command || c.Silent:
	case v.Name == "ask" && c.Predict != nil:
		return c.predicted(ctx, chunk)
	case v.Name == "expect_deadlock":
		if d := c.Session.Deadlock(); d != nil {
			fmt.Fprintln(c.Out, c.wrapped("  ", "As expected: "+d.Message))
		}
	}
	defer c.endFlood(ctx)
	return c.Session.Run(ctx, chunk)
}

// show writes the result of a chunk; v describes the session after the chunk.
func (c *Console) show(ctx context.Context, o *repl.Outcome, v *render.View) error {
	whole, err := c.showMade(o, v)
	if err != nil || whole {
		return err
	}
	for _, e := range o.Caught {
		fmt.Fprintln(c.Out, c.wrapped("  ", "Caught: "+e.Error()))
	}
	if repl.Issues(o.Chunk, "ask") {
		if c.Predict == nil {
			fmt.Fprintln(c.Out, c.wrapped("  ", repl.VerdictOn("", "", o.Values)))
		}
		return c.drawLate()
	}
	for _, g := range o.Values {
		c.printLines([]engine.Line{{Ranks: g.Ranks, Text: g.Text}})
	}
	c.endFlood(ctx)
	if len(v.Snapshot.Waiting) == 0 {
		return nil
	}
	if err := render.Waiting(c.Out, c.Session.View(), c.Style); err != nil || !c.Prompt || c.Brief {
		return err
	}
	_, err = fmt.Fprintln(c.Out, c.wrapped("", "A later line can let these ranks go on. .explain says why they wait, .undo takes the line back."))
	return err
}

// showMade writes which calls a chunk made, and draws the communicators; whole tells that there is nothing else to show.
func (c *Console) showMade(o *repl.Outcome, v *render.View) (whole bool, err error) {
	if o.Handle != "" && len(v.Snapshot.Waiting) == 0 {
		return true, c.showHandle(o, v)
	}
	assigned, made := c.assigned(o, v)
	switch {
	case o.Verb != nil && o.Verb.Makes == repl.MakesInfo:
		fmt.Fprintln(c.Out, o.Echo)
		if c.Style.Picture == render.AsWhy { // the table is its picture
			return true, c.drawWhy(o.From)
		}
		return true, render.HWInfo(c.Out, v, c.Style)
	case o.Echo != "":
		fmt.Fprintln(c.Out, c.wrapped("", o.Echo))
		return false, c.drawWhy(o.From)
	case made != "":
		return false, c.draw(v, &assigned, made)
	case c.Style.Picture == render.AsWhy:
		return false, c.drawWhy(o.From)
	case !c.Brief && c.programmed(o, v):
		return false, c.showProgram()
	}
	return false, nil
}

// showProgram draws which communicators a program made, and, in other pictures than the tree, those of its last variable.
func (c *Console) showProgram() error {
	v := c.Session.View()
	fmt.Fprintln(c.Out)
	if err := render.Lineage(c.Out, v, c.Style); err != nil || c.Style.Picture == render.AsTree {
		return err
	}
	v = c.Session.ViewByHandle()
	for i := range slices.Backward(v.Handles) {
		h := &v.Handles[i]
		if slices.ContainsFunc(h.IDs, func(id int32) bool { return int(id) > engine.SelfID }) {
			fmt.Fprintf(c.Out, "\n%s\n", h.Name)
			return picture.Partition(c.Out, v, h, c.Style)
		}
	}
	return nil
}

// showHandle draws the communicators that a command gave its variable.
func (c *Console) showHandle(o *repl.Outcome, v *render.View) error {
	h, echo := c.Session.Handle(o.Handle), o.Echo
	if len(o.Callers) > 0 {
		echo = o.Handle + " = " + echo
	}
	if o.Verb != nil && o.Verb.Call == engine.CallIdup {
		// The communicators of idup are still being made: a picture would show MPI_COMM_NULL.
		fmt.Fprintln(c.Out, echo)
		return c.drawWhy(o.From)
	}
	return c.draw(v, &h, echo)
}

// drawWhy draws why the calls since a step did what they did, if pictures show that: for calls that gave no variable a
// communicator.
func (c *Console) drawWhy(from int) error {
	if c.Style.Picture != render.AsWhy || c.Brief || c.Session.Steps() <= from {
		return nil
	}
	fmt.Fprintln(c.Out)
	return picture.Why(c.Out, c.Session.View(), from, c.Style)
}

// draw tells how a variable got its communicators, and draws them. While a question about them is open, the picture
// waits.
func (c *Console) draw(v *render.View, h *render.Handle, how string) error {
	switch {
	case c.Brief:
		fmt.Fprintln(c.Out, how)
		return nil
	case c.Asked && c.Predict != nil:
		fmt.Fprintln(c.Out, how)
		c.late = append(c.late, func() error { return picture.Partition(c.Out, v, h, c.Style) })
		return nil
	case c.Style.Picture == render.AsTree:
		return render.Result(c.Out, v, h, how, c.Style)
	}
	if err := render.Result(c.Out, v, nil, how, c.Style); err != nil {
		return err
	}
	fmt.Fprintln(c.Out)
	return picture.Partition(c.Out, v, h, c.Style)
}

// assignment is a statement that gives a variable a value.
var assignment = regexp.MustCompile(`^([A-Za-z_]\w*)\s*=[^=]`)

// assigned returns the variable of a statement that a person typed, such as half = world.Split(color, key), and how
// the statement made the communicators that the variable got; made is "" for other statements.
func (c *Console) assigned(o *repl.Outcome, v *render.View) (h render.Handle, made string) {
	m := assignment.FindStringSubmatch(o.Chunk.Body.Text)
	if !c.Prompt && !c.Draws || o.Chunk.Kind != lang.Program || m == nil || len(v.Snapshot.Steps) == o.From || !slices.Contains(c.Session.Handles(), m[1]) {
		return h, ""
	}
	h = c.Session.Handle(m[1])
	return h, madeBy(v, o.From, &h)
}

// madeBy returns the calls, from a step on, that made communicators which a variable holds: "half = ranks 0-3 each call
// MPI_Comm_split on world"; "" for none.
func madeBy(v *render.View, from int, h *render.Handle) string {
	held := map[int]bool{}
	for _, id := range h.IDs {
		held[int(id)] = true
	}
	words := render.NewWords(v)
	var calls []string
	for _, step := range v.Snapshot.Steps[from:] {
		if !slices.ContainsFunc(step.Made, func(id int) bool { return held[id] }) {
			continue
		}
		calls = append(calls, step.Ranks.Noun()+spell.Agreeing(step.Ranks.Len(), " calls ", " each call ")+step.Call.String()+words.On(&step))
	}
	if len(calls) == 0 {
		return ""
	}
	return h.Name + " = " + strings.Join(calls, "; ")
}

// drawLate draws the pictures that waited for the prediction, unless another question follows.
func (c *Console) drawLate() error {
	if c.Asked {
		return nil
	}
	late := c.late
	c.late = nil
	for _, draw := range late {
		fmt.Fprintln(c.Out)
		if err := draw(); err != nil {
			return err
		}
	}
	return nil
}

// programmed reports whether a program, or a statement of a program, called MPI and there are communicators: all of them
// are then shown together.
func (c *Console) programmed(o *repl.Outcome, v *render.View) bool {
	return len(v.Snapshot.Steps) > o.From && o.Chunk.Kind == lang.Program && strings.HasSuffix(o.Chunk.File, ".py") && len(v.Snapshot.Comms) > 1
}

// Script runs chunks to the end. It stops at the first one that fails; ranks that are still blocked
// at the end are a *engine.Deadlock.
func (c *Console) Script(ctx context.Context, chunks []*lang.Chunk) error {
	for i := 0; i < len(chunks) && !c.quit; i++ {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if c.Ahead != nil {
			if err := c.Ahead(i); err != nil {
				return err
			}
		}
		if err := c.Do(ctx, chunks[i]); err != nil {
			return err
		}
	}
	return c.End(ctx)
}

// End finalizes the world. The error is the end of the session: a deadlock, or expectations that failed.
func (c *Console) End(ctx context.Context) error {
	if err := c.Session.Finalize(ctx); err != nil {
		return err
	}
	if d := c.Session.Deadlock(); d != nil {
		return d
	}
	if e := c.Session.Expectations(); e.Failed > 0 {
		return &Unmet{e}
	}
	return nil
}

// Unmet is the end of a session some of whose expectations failed.
type Unmet struct{ render.Expectations }

// Error returns a summary in one line.
func (u *Unmet) Error() string {
	return fmt.Sprintf("%d of %d expectations failed", u.Failed, u.Passed+u.Failed)
}

// Try runs a chunk as at a prompt: one that fails is undone.
func (c *Console) Try(ctx context.Context, chunk *lang.Chunk) error {
	was := c.Prompt
	c.Prompt = true
	defer func() { c.Prompt = was }()
	return c.Do(ctx, chunk)
}

// TakeBack undoes the chunks of the present world after the first written, and returns how many it undid.
func (c *Console) TakeBack(ctx context.Context, written int) (n int, err error) {
	if n = len(c.Session.Chunks()) - written; n <= 0 {
		return 0, nil
	}
	return c.Session.Undo(ctx, n)
}

// Announce shows a chunk as a person would have typed it. Blank lines end blocks, and are left out.
func (c *Console) Announce(chunk *lang.Chunk) {
	head := fmt.Sprintf("world[%d]> ", c.Session.Size())
	fmt.Fprintln(c.Out)
	for line := range strings.SplitSeq(strings.TrimRight(chunk.Text, "\n"), "\n") {
		if strings.TrimSpace(line) == "" {
			continue
		}
		fmt.Fprintln(c.Out, head+line)
		head = strings.Repeat(" ", len(head)-len("...> ")) + "...> "
	}
}

// notePortability prints the portable names of resource types that the steps after from spell as one library only does.
func notePortability(w io.Writer, now *engine.Snapshot, from int) {
	said := map[string]bool{}
	for _, name := range resourcesIn(now.Steps[from:]) {
		if r, canonical := now.Topology.Lookup(name); r != nil && !canonical && !said[name] {
			fmt.Fprintf(w, "note: %q is not a portable name; MPI-5.0 recommends the form %s\n", name, r.URI)
		}
		said[name] = true
	}
}

// resourcesIn lists the resource types that calls of MPI_Comm_split_type name.
func resourcesIn(steps []engine.Step) (names []string) {
	for _, step := range steps {
		for _, column := range step.Args {
			for _, text := range column.Texts {
				if name, ok := strings.CutPrefix(text, engine.KeyHWResourceType+"="); ok && step.Call == engine.CallSplitType {
					names = append(names, name)
				}
			}
		}
	}
	return names
}

// noteAbsent tells why every rank got MPI_COMM_NULL from a split, after step from, that named a resource of which
// the machine has no instance.
func noteAbsent(w io.Writer, s *engine.Snapshot, from int) {
	said := ""
	for k := from + 1; k <= len(s.Steps); k++ {
		if why := reason.Absent(s, k); why != "" && why != said {
			fmt.Fprintf(w, "note: MPI_COMM_NULL for every rank: %s\n", why)
			said = why
		}
	}
}

// noteOutliving tells of communicators that were left when their session was finalized, after step from.
func noteOutliving(c *Console, from int) {
	const most = 6
	for _, o := range c.Session.World().Outliving(from) {
		words, names := render.NewWords(c.Session.View()), ""
		for i, id := range o.Comms[:min(len(o.Comms), most)] {
			if i > 0 {
				names += ", "
			}
			names += words.Name(id)
		}
		if more := len(o.Comms) - most; more > 0 {
			names += fmt.Sprintf(" and %d more", more)
		}
		fmt.Fprintf(c.Err, "note: %s finalized a session and left %s of it: free or disconnect communicators before, as it is impossible afterwards [%s]\n",
			o.Ranks.Noun(), names, engine.CallSessionFinalize.Rule())
	}
}
