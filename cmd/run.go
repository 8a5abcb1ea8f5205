package cmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/engine/deviation"
	"codeberg.org/commsplit/commsplit/hw/placement"
	"codeberg.org/commsplit/commsplit/hw/spell"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/render/document"
	"codeberg.org/commsplit/commsplit/render/picture"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/console"
	"codeberg.org/commsplit/commsplit/repl/edit"
	"codeberg.org/commsplit/commsplit/repl/lang"
	"codeberg.org/commsplit/commsplit/repl/practice"
	"codeberg.org/commsplit/commsplit/repl/program"
	"codeberg.org/commsplit/commsplit/repl/stories"
)

func newRunCommand(s Streams) *cobra.Command {
	f := newWorldFlags()
	c := described("run", &cobra.Command{
		Use:   "run SCRIPT|EXAMPLE|- [flags] [-- ARGUMENT...]",
		Short: "replay a script; the exit code says how it ended",
		Args:  behindDashes(f, exactly("SCRIPT|EXAMPLE|-")),
		RunE: func(c *cobra.Command, args []string) error {
			if err := f.checkRun(); err != nil {
				return err
			}
			if f.update {
				return f.within(c.Context(), func(ctx context.Context) error { return updateScript(ctx, s, f, args[0]) })
			}
			return runScript(c.Context(), s, f, args[0])
		},
		ValidArgsFunction: scriptNames,
	})
	f.add(c, true)
	c.Flags().BoolVar(&f.leaks, "leaks", false, "at the end, list everything that was never freed, and where it was made")
	c.Flags().BoolVar(&f.strict, "strict", false, "end with exit code 1 if something was never freed or completed, and name it")
	c.Flags().BoolVar(&f.tap, "tap", false, "print a test point for each expectation, in the Test Anything Protocol")
	c.Flags().BoolVar(&f.update, "update", false, "rewrite, in the file, the expectations that fail, and print the difference")
	c.Flags().BoolVar(&f.step, "step", false, "show each line before it runs, and wait for Enter at a terminal")
	f.addFiles(c)
	f.addLimits(c)
	c.Flags().Var(&value{kind: "LIBRARY", words: beginning(deviation.Words()), set: func(text string) (err error) {
		f.as, err = deviation.Parse(text)
		return err
	}}, "as", "also list where a library would give another result: mpich or openmpi")
	c.Flags().Var(sends(&f.config.Synchronous), "sends", "make MPI_Send `buffered`, or synchronous: then it waits until its receive has started, and a program that relies on buffering deadlocks")
	c.Flags().Var(orders(&f.orders), "orders", "try `all` orders in which receives from any source can take messages, and show the first order that fails; N runs order N again")
	return c
}

// behindDashes checks the arguments before --; the arguments behind -- are the program's.
func behindDashes(f *worldFlags, check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		own := args
		if n := c.ArgsLenAtDash(); n >= 0 {
			own, f.config.Arguments = args[:n], args[n:]
		}
		return check(c, own)
	}
}

// runScript runs a file, an example or standard input within the time of --timeout.
func runScript(ctx context.Context, s Streams, f *worldFlags, name string) error {
	return f.within(ctx, func(ctx context.Context) error {
		ctx, script, err := f.findScript(ctx, s, name)
		if err != nil {
			return err
		}
		if name != "-" && s.In != nil && !f.step && strings.TrimSpace(f.config.Topo) != "-" {
			f.config.Input = program.NewInput(s.In, s.InTTY)
		}
		return replayScript(ctx, s, f, script)
	})
}

// findScript finds a file, an example or standard input. With a script on standard input, --topo - is an
// error.
func (f *worldFlags) findScript(ctx context.Context, s Streams, name string) (context.Context, *stories.Script, error) {
	if name == "-" {
		var err error
		if ctx, err = f.withoutInput(ctx, "the script"); err != nil {
			return nil, nil, err
		}
	}
	script, err := stories.FindScript(ctx, name, s.In)
	return ctx, script, err
}

// replayScript runs a script, then the lines of -c.
func replayScript(ctx context.Context, s Streams, f *worldFlags, script *stories.Script) error {
	chunks, err := f.chunksOf(script)
	if err != nil {
		return f.unread(ctx, s, err)
	}
	if f.orders != 0 {
		return replayOrders(ctx, s, f, chunks)
	}
	return replay(ctx, s, f, chunks)
}

// chunksOf applies the flags of a script's first lines, and returns the chunks of the script, followed by those of -c.
func (f *worldFlags) chunksOf(script *stories.Script) ([]*lang.Chunk, error) {
	script.Arguments = f.config.Arguments
	cut := script.Chunks
	if f.step {
		cut = script.Statements
	}
	chunks, err := cut()
	flags := script.Flags
	if sizes := practice.Sizes(script); len(sizes) > 0 { // in front, since an exercise may have its own -n
		flags = append([]string{"-n", strconv.Itoa(sizes[0])}, flags...)
	}
	if err = cmp.Or(err, f.merge(script.Name, flags)); err != nil {
		return nil, err
	}
	f.read, f.config.Timeline = script.Path, script.Timeline
	more, err := f.parseChunks()
	return append(chunks, more...), err
}

// runChunks runs chunks, then the lines of -c, within the time of --timeout.
func runChunks(ctx context.Context, s Streams, f *worldFlags, chunks ...*lang.Chunk) error {
	chunks, err := f.parseChunks(chunks...)
	return f.within(ctx, func(ctx context.Context) error {
		if err != nil {
			return f.unread(ctx, s, err)
		}
		return replay(ctx, s, f, chunks)
	})
}

// unread ends a run whose lines cannot be told apart. In JSON that is a run without lines.
func (f *worldFlags) unread(ctx context.Context, s Streams, err error) error {
	if at := (*lang.Error)(nil); f.output == "text" || !errors.As(err, &at) {
		return err
	}
	f.mistake = err
	return replay(ctx, s, f, nil)
}

// fromShell names in messages what a person typed at a shell.
const fromShell = "<command>"

// parseChunks returns chunks, followed by those of the lines of -c.
func (f *worldFlags) parseChunks(before ...*lang.Chunk) ([]*lang.Chunk, error) {
	if len(f.chunks) == 0 {
		return before, nil
	}
	if f.config.Policy.Srun != (placement.Srun{}) {
		if err := f.noNumbers(); err != nil {
			return nil, err
		}
	}
	return repl.ParseLines(fromShell, f.chunks, before...)
}

// noNumbers refuses a line of -c that is a number: srun's -c is meant.
func (f *worldFlags) noNumbers() error {
	for _, line := range f.chunks {
		if _, err := strconv.Atoi(line); err == nil {
			return fmt.Errorf("-c %s would run the line %s: instead of srun's -c, write --cpus-per-task %s", line, line, line)
		}
	}
	return nil
}

// replay runs chunks on a fresh world and prints the result: text or lines of JSON as they come, or a
// document at the end, also when the run fails.
func replay(ctx context.Context, s Streams, f *worldFlags, chunks []*lang.Chunk) error {
	if f.output == "jsonl" {
		return replayLines(ctx, s, f, chunks)
	}
	s, m := s.metered(makingWorld, chunks)
	defer m.end()
	play := func(s Streams) error { return f.play(ctx, s, m, chunks) }
	if f.output != "text" || f.tap || f.step { // a stopped run has a document, too, and a person gets the terminal back
		return play(s)
	}
	return s.leaving(ctx, play)
}

// play does as replay for text, and for a document at the end.
func (f *worldFlags) play(ctx context.Context, s Streams, m *meter, chunks []*lang.Chunk) error {
	console, err := f.console(ctx, s, s.Out, s.Err)
	if err != nil {
		return err
	}
	defer s.leave(console.Session)
	m.follow(console.Session, drawingResult)
	console.Session.NoteSite(s.Err)
	console.Silent = f.output == "json" || f.tap
	console.Brief = console.Style.Picture.OfAll() // one picture at the end
	if f.step {
		f.stepThrough(ctx, s, console, m, chunks)
	}
	end := cmp.Or(f.mistake, console.Script(ctx, chunks))
	if errors.Is(end, errLeft) {
		fmt.Fprintln(s.Out)
		end = nil
	}
	if crash := (*repl.Crash)(nil); errors.As(end, &crash) {
		return end
	}
	m.follow(console.Session, writingResult)
	v, end := f.told(s, console, end)
	if f.tap {
		return errors.Join(end, render.TAP(s.Out, tests(chunks, console, end)))
	}
	return errors.Join(end, f.document(s.Out, v, console.Style))
}

// told prints what a run left behind, and returns the view of its end and how it ended.
func (f *worldFlags) told(s Streams, console *console.Console, end error) (*render.View, error) {
	v := console.Session.ViewEnd(f.leaks || f.strict)
	if end != nil {
		v.Stopped = stopped(end)
	}
	if f.as != deviation.None {
		v.As = deviation.Compare(f.as, v.Snapshot, v.Errors, v.Deadlock)
	}
	if len(v.Unfinished) > 0 {
		tellUnfinished(s.Err, v)
	}
	if f.orders == 0 && len(v.Choices) > 0 {
		tellChoices(s.Err, v.Choices)
	}
	if f.strict {
		end = strictly(s.Err, v, end)
	}
	return v, end
}

// mostUnfinished is how many operations that never completed are printed, a line each.
const mostUnfinished = 12

// tellUnfinished prints the operations that never completed. They do not change how the program ended.
func tellUnfinished(w io.Writer, v *render.View) {
	var list []string
	for _, u := range v.Unfinished {
		list = append(list, u.Message)
	}
	tellFirst(w, "unfinished", list, mostUnfinished)
}

// tellFirst prints the first texts of a list, a line each, and how many more there are.
func tellFirst(w io.Writer, what string, list []string, most int) {
	for _, text := range list[:min(len(list), most)] {
		fmt.Fprintf(w, "%s: %s\n", what, text)
	}
	if more := len(list) - most; more > 0 {
		fmt.Fprintf(w, "%s: and %d more\n", what, more)
	}
}

// strictly returns how a run ends under --strict. For a program that came to its end and left something behind,
// strictly prints that, and returns an error.
func strictly(w io.Writer, v *render.View, end error) error {
	var unmet *console.Unmet
	if len(v.Leaks) == 0 || end != nil && !errors.As(end, &unmet) {
		return end
	}
	var list []string
	for _, l := range v.Leaks {
		if !l.Told { // as unfinished, above
			list = append(list, l.String())
		}
	}
	tellFirst(w, "never freed", list, mostUnfinished)
	return errors.Join(end, saysNo("--strict: the program neither freed nor completed %s", spell.Plural(len(v.Leaks), "thing")))
}

// replayLines does as replay, and writes a line of JSON for each event. It ends the run when nobody reads its lines any
// more.
func replayLines(ctx context.Context, s Streams, f *worldFlags, chunks []*lang.Chunk) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	s, m := s.metered(makingWorld, chunks)
	defer m.end()
	lines := document.NewLines(s.Out, stop)
	f.config.Lines = lines
	console, err := f.console(ctx, s, io.Discard, s.Err)
	if err != nil {
		return err
	}
	defer s.leave(console.Session)
	m.follow(console.Session, writingResult)
	console.Silent = true
	end := cmp.Or(f.mistake, console.Script(ctx, chunks))
	v, end := f.told(s, console, end)
	code, _ := endOf(ctx, end)
	if err := lines.End(v, int(code)); err != nil {
		return repl.AsInput(err)
	}
	return end
}

// document writes the end of a run: the JSON document, or in text the report on expectations, the objects that were left
// behind, and the deviations of a library.
func (f *worldFlags) document(w io.Writer, v *render.View, st render.Style) error {
	var err error
	switch e := v.Expectations; {
	case f.output == "json":
		err = document.Run(w, v)
	case e.Passed+e.Failed > 0:
		err = render.Report(w, v, st)
	}
	if err == nil && st.Picture.OfAll() && f.output == "text" {
		fmt.Fprintln(w)
		err = picture.Partition(w, v, nil, st)
	}
	if err == nil && f.leaks && f.output == "text" {
		err = render.Leaks(w, v, st)
	}
	if err == nil && v.As != nil && f.output == "text" {
		err = render.As(w, v, st)
	}
	return repl.AsInput(err)
}

// tests returns the expectations of a script as tests, and another test for a script that ended with
// another error.
func tests(chunks []*lang.Chunk, c *console.Console, end error) []render.Test {
	name := "the script"
	if len(chunks) > 0 {
		name = chunks[0].File
	}
	if unmet := (*console.Unmet)(nil); errors.As(end, &unmet) {
		end = nil
	}
	return render.Tests(name, c.Session.View().Expectations.Points, end)
}

// checkRun returns an error for flags of run that contradict each other.
func (f *worldFlags) checkRun() error {
	switch json := f.output != "text"; {
	case f.update && (f.tap || json || f.step):
		return fmt.Errorf("--update prints the difference: leave out --tap, --step and -o %s", f.jsonForm())
	case f.tap && json:
		return fmt.Errorf("--tap and -o %s are two formats: choose one", f.output)
	case f.step && (f.tap || json):
		return fmt.Errorf("--step is for a reader: leave out --tap and -o %s", f.jsonForm())
	}
	return nil
}

// jsonForm returns the form of JSON that -o asks for; json where it asks for text.
func (f *worldFlags) jsonForm() string {
	if f.output == "text" {
		return "json"
	}
	return f.output
}

// errLeft is the end of a run that a person leaves between two chunks.
var errLeft = errors.New("left")

// stepThrough lets a console announce each of the chunks before it runs. At a terminal the console then waits for Enter,
// and at a question for a prediction; the line of the meter m is gone meanwhile. q and Ctrl-D leave with errLeft.
func (f *worldFlags) stepThrough(ctx context.Context, s Streams, c *console.Console, m *meter, chunks []*lang.Chunk) {
	c.Ahead = func(i int) error {
		fmt.Fprintf(c.Out, "\n%d of %d  %s:%d", i+1, len(chunks), chunks[i].File, chunks[i].Line)
		if c.Announce(chunks[i]); c.Predict == nil {
			return nil
		}
		_, err := c.Predict("Enter to run it, q to leave> ")
		return err
	}
	if !s.InTTY || !s.OutTTY {
		return
	}
	ask := m.resting(edit.Open(ctx, f.reading(s)).Answer)
	c.Predict = func(prompt string) (string, error) {
		text, err := ask(prompt)
		switch {
		case err == io.EOF, errors.Is(err, edit.ErrAborted), strings.EqualFold(strings.TrimSpace(text), "q"):
			return "", errLeft
		case err != nil:
			return "", repl.AsInput(err)
		}
		return text, nil
	}
}

// A receive from any source takes one of several messages. The choices of all such receives in a run are an order.
// Orders are numbered as the search finds them: order 1 takes the first sender's message everywhere, and each further
// order takes another message at the last receive that has one left. Each order is a run of its own.

// mostOrders is how many orders --orders all tries.
const mostOrders = 1000

// allOrders is --orders all.
const allOrders = -1

// orders returns the value of --orders: 0 for none, -1 for all, or the number of an order.
func orders(o *int) *value {
	return &value{kind: "all|N", set: func(text string) error {
		n, err := strconv.Atoi(text)
		switch {
		case text == "all":
			n = allOrders
		case err != nil || n < 1 || n > mostOrders:
			return fmt.Errorf("all, or the number of an order, 1 to %d", mostOrders)
		}
		*o = n
		return nil
	}}
}

// sends returns the value of --sends.
func sends(synchronous *bool) *value {
	return &value{kind: "buffered|synchronous", show: func() string { return "buffered" }, set: func(text string) error {
		if text != "buffered" && text != "synchronous" {
			return errors.New(spell.Choice(text, []string{"buffered", "synchronous"}))
		}
		*synchronous = text == "synchronous"
		return nil
	}}
}

// replayOrders runs chunks silently in each order, and then shows the first order that fails, or the order of the
// number that was asked for.
func replayOrders(ctx context.Context, s Streams, f *worldFlags, chunks []*lang.Chunk) error {
	f.config.Orders = []int{}
	for n := 1; ; n++ {
		if f.orders == n {
			fmt.Fprintf(s.Err, "order %d\n", n)
			return replay(ctx, s, f, chunks)
		}
		choices, end := f.choices(ctx, s, chunks)
		if ctx.Err() != nil {
			return end
		}
		if end != nil && f.orders == allOrders {
			fmt.Fprintf(s.Err, "order %d fails (--orders %d runs it again)\n", n, n)
			for _, c := range choices {
				fmt.Fprintf(s.Err, "order %d: %s\n", n, c)
			}
			return replay(ctx, s, f, chunks)
		}
		next := nextOrder(choices)
		tried := "tried, which is all"
		switch {
		case next == nil && f.orders != allOrders:
			return fmt.Errorf("--orders %d: the program has %s", f.orders, spell.Plural(n, "order"))
		case next != nil && n < mostOrders:
			f.config.Orders = next
			continue
		case next != nil:
			tried = "tried, of more than these"
		}
		fmt.Fprintf(s.Err, "%s %s: none fails\n", spell.Plural(n, "order"), tried)
		f.config.Orders = []int{}
		return replay(ctx, s, f, chunks)
	}
}

// choices runs chunks without output, and returns the receives that had a choice, and how the run ended.
func (f *worldFlags) choices(ctx context.Context, s Streams, chunks []*lang.Chunk) ([]engine.Choice, error) {
	console, end := hushed(ctx, s, nil, f, "", chunks)
	if console == nil {
		return nil, end
	}
	defer s.leave(console.Session)
	if end == nil && f.strict {
		end = strictly(io.Discard, console.Session.ViewEnd(true), nil)
	}
	return console.Session.World().Choices(), end
}

// nextOrder returns the choices of the order after this one; nil after the last order.
func nextOrder(choices []engine.Choice) []int {
	for i := len(choices) - 1; i >= 0; i-- {
		if choices[i].Taken+1 == len(choices[i].Senders) {
			continue
		}
		next := make([]int, i+1)
		for k := range next {
			next[k] = choices[k].Taken
		}
		next[i]++
		return next
	}
	return nil
}

// mostChoices is how many receives that had several messages to take are told, a line each.
const mostChoices = 3

// tellChoices prints where a receive from any source had several messages to take.
func tellChoices(w io.Writer, choices []engine.Choice) {
	var list []string
	for _, c := range choices {
		list = append(list, c.String()+"; --orders all tries all orders")
	}
	tellFirst(w, "race", list, mostChoices)
}
