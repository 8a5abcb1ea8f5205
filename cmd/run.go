package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

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
	"codeberg.org/commsplit/commsplit/repl/stories"
	"codeberg.org/commsplit/commsplit/scripts"
)

func newRunCommand(s Streams) *cobra.Command {
	f := newWorldFlags()
	c := &cobra.Command{
		Use:   "run SCRIPT|EXAMPLE|- [flags] [-- ARGUMENT...]",
		Short: "replay a script; the exit code says how it ended",
		Long: `Replay a script: NAME.mpi (lines as typed at the prompt), NAME.py (a program
that every rank runs), NAME.c or NAME.f90 (a whole program in C or Fortran; see
help bring), an embedded example, or standard input (-). The words behind -- are
the arguments of the program (argv, sys.argv[1:]). Flags on the command line
override flags in the first lines of the script ("# commsplit: -n 12"). Hardware
that needs several lines (a description or an hwloc file) is written in the
comments below "# topology:", up to an empty comment.

With -o json, run prints only one document at the end; with -o jsonl, one line
for each event, while the script runs. commsplit schema describes both.

With --as, run lists at the end where MPICH or Open MPI would give another
result. Each call is judged by itself, as if all earlier calls had gone as here.

With --tap, run prints only one line for each expectation, for test harnesses:
prove -e 'commsplit run --tap' *.mpi

With --update, run rewrites the expectations that no longer hold: the parts of
expect_parts, the class of expect_error, the answer of ask. Read the difference
before you keep it. Conditions of expect stay as they are.

With --sends synchronous, MPI_Send waits until its receive has started, as in a
library without a buffer for the message: a program that then deadlocks relies
on buffering and is unsafe (MPI-5.0, section 3.5).

With --orders all, a receive from any source waits until every message that can
arrive has arrived, and takes each of these messages in its own run (at most
1,000 runs). run shows the first order that fails; --orders N runs order N
again.

With --step, run shows each line of a script, or each statement of a program,
before it runs. At a terminal, Enter runs the line and q leaves.`,
		Args: behindDashes(f, exactly("SCRIPT|EXAMPLE|-")),
		RunE: func(c *cobra.Command, args []string) error {
			if err := f.checkRun(); err != nil {
				return err
			}
			if f.update {
				return f.within(c.Context(), func(ctx context.Context) error { return updateScript(ctx, s, f, args[0]) })
			}
			return f.within(c.Context(), func(ctx context.Context) error { return runScript(ctx, s, f, args[0]) })
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			return scripts.Names(), cobra.ShellCompDirectiveDefault
		},
	}
	f.add(c, true)
	c.Flags().BoolVar(&f.leaks, "leaks", false, "at the end, list everything that was never freed, and where it was made")
	c.Flags().BoolVar(&f.strict, "strict", false, "end with exit code 1 if something was never freed or completed, and name it")
	c.Flags().BoolVar(&f.tap, "tap", false, "print a test point for each expectation, in the Test Anything Protocol")
	c.Flags().BoolVar(&f.update, "update", false, "rewrite, in the file, the expectations that fail, and print the difference")
	c.Flags().BoolVar(&f.step, "step", false, "show each line before it runs, and wait for Enter at a terminal")
	f.addFiles(c)
	f.addLimits(c)
	addAs(c, f)
	addOrders(c, f)
	return c
}

// behindDashes checks the arguments before --; those behind it are the program's.
func behindDashes(f *worldFlags, check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		own := args
		if n := c.ArgsLenAtDash(); n >= 0 {
			own, f.config.Arguments = args[:n], args[n:]
		}
		return check(c, own)
	}
}

// runScript runs a file, an example or standard input.
func runScript(ctx context.Context, s Streams, f *worldFlags, name string) error {
	ctx, script, err := f.findScript(ctx, s, name)
	if err != nil {
		return err
	}
	return replayScript(ctx, s, f, script)
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
		return err
	}
	if f.orders != 0 {
		return replayOrders(ctx, s, f, chunks)
	}
	return replay(ctx, s, f, chunks)
}

// chunksOf applies the flags of a script's first lines, and returns the chunks of the script with those
// of -c behind.
func (f *worldFlags) chunksOf(script *stories.Script) ([]*lang.Chunk, error) {
	script.Arguments = f.config.Arguments
	cut := script.Chunks
	if f.step {
		cut = script.Statements
	}
	chunks, err := cut()
	if err != nil {
		return nil, err
	}
	if err := f.merge(script.Name, script.Flags); err != nil {
		return nil, err
	}
	f.read, f.config.Course = script.Path, script.Course
	more, err := f.parseChunks()
	return append(chunks, more...), err
}

// runChunks runs the lines of -c.
func runChunks(ctx context.Context, s Streams, f *worldFlags) error {
	chunks, err := f.parseChunks()
	if err != nil {
		return err
	}
	return replay(ctx, s, f, chunks)
}

func (f *worldFlags) parseChunks() ([]*lang.Chunk, error) {
	for _, line := range f.chunks {
		if _, err := strconv.Atoi(line); err == nil && f.config.Policy.Srun != (placement.Srun{}) {
			return nil, fmt.Errorf("-c %s would run the line %s: instead of srun's -c, write --cpus-per-task %s", line, line, line)
		}
	}
	return repl.ParseLines("<command>", f.chunks)
}

// replay runs chunks on a fresh world and prints the result: text or lines of JSON as they come, or a
// document at the end, also when the run fails.
func replay(ctx context.Context, s Streams, f *worldFlags, chunks []*lang.Chunk) error {
	if f.output == "jsonl" {
		return replayLines(ctx, s, f, chunks)
	}
	m := s.meter(makingWorld, chunks)
	defer m.end()
	s = s.metered(m)
	play := func(s Streams) error { return f.play(ctx, s, m, chunks) }
	if f.output != "text" || f.tap || f.step { // a stopped run has a document, too, and a person gets the terminal back
		return play(s)
	}
	return s.leaving(ctx, play)
}

// play is replay with a meter, for text or for a document at the end.
func (f *worldFlags) play(ctx context.Context, s Streams, m *meter, chunks []*lang.Chunk) error {
	console, err := f.console(ctx, s, s.Out, s.Err)
	if err != nil {
		return err
	}
	defer s.leave(console.Session)
	m.follow(console.Session)
	m.doing(drawingResult)
	tellSite(s, console.Session)
	console.Silent = f.output == "json" || f.tap
	console.Brief = console.Brief || console.Style.Picture == render.AsTime // one picture at the end
	run := console.Script
	if f.step {
		run = s.stepper(console, m)
	}
	end := run(ctx, chunks)
	if crash := (*repl.Crash)(nil); errors.As(end, &crash) {
		return end
	}
	m.doing(writingResult)
	v := f.view(console)
	tellUnfinished(s.Err, v)
	if f.orders == 0 {
		tellChoices(s.Err, v.Choices)
	}
	end = f.judge(s.Err, v, end)
	if f.tap {
		return errors.Join(end, render.TAP(s.Out, tests(chunks, console, end)))
	}
	return errors.Join(end, f.document(s.Out, v, console.Style))
}

// mostUnfinished is how many operations that never completed are printed, a line each.
const mostUnfinished = 12

// tellUnfinished prints the operations that never completed. They do not change how the program ended.
func tellUnfinished(w io.Writer, v *render.View) {
	for i, u := range v.Unfinished {
		if i == mostUnfinished {
			fmt.Fprintf(w, "unfinished: and %d more\n", len(v.Unfinished)-i)
			return
		}
		fmt.Fprintf(w, "unfinished: %s\n", u.Message)
	}
}

// leaky is the error of a program that left something behind, under --strict.
type leaky struct{ things int }

func (l *leaky) Error() string {
	return fmt.Sprintf("--strict: the program neither freed nor completed %s", spell.Plural(l.things, "thing"))
}

// judge returns how a run ends under --strict: for a program that came to its end and left something
// behind, it prints what was left, and returns an error.
func (f *worldFlags) judge(w io.Writer, v *render.View, end error) error {
	var unmet *console.Unmet
	if !f.strict || len(v.Leaks) == 0 || end != nil && !errors.As(end, &unmet) {
		return end
	}
	told := 0
	for _, l := range v.Leaks {
		if l.Told {
			continue // as unfinished, above
		}
		if told++; told <= mostUnfinished {
			fmt.Fprintf(w, "never freed: %s\n", l)
		}
	}
	if told > mostUnfinished {
		fmt.Fprintf(w, "never freed: and %d more\n", told-mostUnfinished)
	}
	return errors.Join(end, &leaky{len(v.Leaks)})
}

// replayLines is replay with a line of JSON for everything that happens. It ends the run when nobody can
// read its lines any more.
func replayLines(ctx context.Context, s Streams, f *worldFlags, chunks []*lang.Chunk) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	m := s.meter(makingWorld, chunks)
	defer m.end()
	s = s.metered(m)
	lines := document.NewLines(s.Out, stop)
	console, err := console.NewTelling(ctx, f.bounded(), lines, s.Err, f.style(s))
	if err != nil {
		return err
	}
	defer s.leave(console.Session)
	m.follow(console.Session)
	m.doing(writingResult)
	console.AllowFiles = f.files
	end := console.Script(ctx, chunks)
	v := f.view(console)
	tellUnfinished(s.Err, v)
	if f.orders == 0 {
		tellChoices(s.Err, v.Choices)
	}
	end = f.judge(s.Err, v, end)
	code, _ := endOf(ctx, end)
	if err := lines.End(v, int(code)); err != nil {
		return &repl.InputError{Err: err}
	}
	return end
}

// view returns the view of a run's end, with leaks and deviations if the flags ask for them.
func (f *worldFlags) view(console *console.Console) *render.View {
	v := console.Session.ViewEnd(f.leaks || f.strict)
	if f.as != deviation.None {
		v.As = deviation.Compare(f.as, v.Snapshot, v.Errors, v.Deadlock)
	}
	return v
}

// document writes the end of a run: the JSON document, or in text the report on expectations, what was
// left behind, and the deviations of a library.
func (f *worldFlags) document(w io.Writer, v *render.View, st render.Style) error {
	var err error
	switch e := v.Expectations; {
	case f.output == "json":
		err = document.Run(w, v)
	case e.Passed+e.Failed > 0:
		err = render.Report(w, v, st)
	}
	if err == nil && st.Picture == render.AsTime && f.output == "text" {
		fmt.Fprintln(w)
		err = picture.Time(w, v, st)
	}
	if err == nil && f.leaks && f.output == "text" {
		err = render.Leaks(w, v, st)
	}
	if err == nil && v.As != nil && f.output == "text" {
		err = render.As(w, v, st)
	}
	if err != nil {
		return &repl.InputError{Err: err}
	}
	return nil
}

// tests returns the expectations of a script as tests, and another test for a script that ended with
// another error.
func tests(chunks []*lang.Chunk, c *console.Console, end error) []render.Test {
	name := "the script"
	if len(chunks) > 0 {
		name = chunks[0].File
	}
	var unmet *console.Unmet
	if errors.As(end, &unmet) {
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

// stepper returns a function that runs chunks one by one. At a terminal it waits for Enter before each
// chunk, and at a question for a prediction; the line of the meter m is gone meanwhile. q and Ctrl-D
// leave.
func (s Streams) stepper(c *console.Console, m *meter) func(context.Context, []*lang.Chunk) error {
	return func(ctx context.Context, chunks []*lang.Chunk) error {
		if !s.InTTY || !s.OutTTY {
			return c.Steps(ctx, chunks, nil)
		}
		ask := m.resting(edit.Open(ctx, s.reading("auto")).Answer)
		c.Predict = func(prompt string) (string, error) {
			text, err := ask(prompt)
			switch {
			case err == io.EOF, errors.Is(err, edit.ErrAborted), strings.EqualFold(strings.TrimSpace(text), "q"):
				return "", console.ErrLeft
			case err != nil:
				return "", &repl.InputError{Err: err}
			}
			return text, nil
		}
		err := repl.Guarded(func() error {
			return c.Steps(ctx, chunks, func() error {
				_, err := c.Predict("Enter to run it, q to leave> ")
				return err
			})
		})
		if errors.Is(err, console.ErrLeft) {
			fmt.Fprintln(s.Out)
			return nil
		}
		return err
	}
}

// addAs gives a command the flag --as.
func addAs(c *cobra.Command, f *worldFlags) {
	c.Flags().Var((*library)(&f.as), "as", "also list where a library would give another result: mpich or openmpi")
}

// library is the name of an implementation of MPI.
type library deviation.Library

func (l *library) String() string { return deviation.Library(*l).Word() }

func (l *library) Type() string { return "LIBRARY" }

func (l *library) Set(text string) error {
	found, err := deviation.Parse(text)
	*l = library(found)
	return err
}
