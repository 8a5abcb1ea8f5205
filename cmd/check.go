package cmd

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"

	"codeberg.org/commsplit/commsplit/hw/source"
	"codeberg.org/commsplit/commsplit/hw/spell"
	"codeberg.org/commsplit/commsplit/hw/wholefile"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/console"
	"codeberg.org/commsplit/commsplit/repl/lang"
	"codeberg.org/commsplit/commsplit/repl/practice"
	"codeberg.org/commsplit/commsplit/repl/stories"
	"codeberg.org/commsplit/commsplit/scripts"
)

func newCheck(s Streams) *cobra.Command {
	k := checking{bounds: bounds{timeout: checkTimeout}}
	c := described("check", &cobra.Command{
		Use:   "check DIR|SCRIPT|EXAMPLE...",
		Short: "run many scripts and report which meet their expectations",
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case len(args) == 0:
				return errors.New("commsplit check needs folders, scripts or examples to run")
			case k.csv && k.against == "":
				return errors.New("--csv prints a table of graded answers: name the exercise with --against EXERCISE")
			case k.csv && k.tap:
				return errors.New("--csv and --tap are two formats: choose one")
			case k.against != "" && (k.none || k.files):
				return errors.New("--against grades answers, whose expectations do not count and which touch no files: leave out --allow-none and --allow-files")
			}
			find, run := stories.ScriptsAt, k.all
			if k.against != "" {
				find, run = stories.AnswersAt, k.answers
			}
			var names []string
			var lost []error
			for _, arg := range args {
				list, err := find(arg)
				if err != nil {
					lost = append(lost, err)
				}
				if errors.Is(err, fs.ErrNotExist) { // which also fails as a script
					list = []string{arg}
				}
				names = append(names, list...)
			}
			ctx := source.WithoutInput(c.Context(), "check gives scripts no standard input: put the hardware into a file")
			var err error
			if len(names) > 0 {
				err = run(ctx, s, names)
			}
			if len(lost) == 0 || codeOf(err) > Unmet {
				return err
			}
			for _, err := range lost[1:] {
				tell(s, err, IO)
			}
			return lost[0]
		},
		ValidArgsFunction: scriptNames,
	})
	c.Flags().BoolVar(&k.tap, "tap", false, "print a test point for each script, in the Test Anything Protocol")
	c.Flags().BoolVar(&k.csv, "csv", false, "with --against: print a table of the answers as CSV")
	c.Flags().BoolVar(&k.none, "allow-none", false, "accept scripts without expectations")
	c.Flags().StringVar(&k.against, "against", "", "grade the files as answers to an `EXERCISE`: a file, or an embedded one by number or name")
	completeFlag(c, "against", func([]string) []string { return scripts.Practice.Names() }, cobra.ShellCompDirectiveDefault)
	k.addFiles(c)
	k.addLimits(c)
	return c
}

// unsound returns the error with which check ends after scripts that failed or expect nothing.
func unsound(failed, none, all int) error {
	var list []string
	if failed > 0 {
		list = append(list, fmt.Sprintf("%d of %d scripts failed", failed, all))
	}
	if none > 0 {
		list = append(list, fmt.Sprintf("%s %s no expectations", spell.Plural(none, "script"), spell.Agreeing(none, "has", "have")))
	}
	return saysNo("%s", strings.Join(list, ", "))
}

// checking is the flags of check.
type checking struct {
	bounds
	tap     bool
	csv     bool   // of answers alone
	none    bool   // a script without expectations is all right
	against string // the exercise that the files are answers to; "" for none
}

// all runs scripts one after the other and tells how each ended.
func (k *checking) all(ctx context.Context, s Streams, names []string) error {
	s, m := s.metered(makingWorld, nil)
	defer m.end()
	var all []render.Test
	failed, none := 0, 0
	for i, name := range names {
		v := silently(ctx, s, m, fmt.Sprintf("script %d of %d", i+1, len(names)), name, k.bounds)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		test := render.Test{Name: name, Details: v.failings()}
		word := "ok"
		switch {
		case len(test.Details) > 0:
			failed++
			word = "FAILED"
		case v.nothing():
			none++
			word, test.Skip = "none", v.met()
			test.OK = k.none
		default:
			test.OK = true
		}
		all = append(all, test)
		if !k.tap {
			row(s, names, word, name, v.met())
			tellFailings(cleaned{s.Out}, test.Details, s.style("auto", ""))
		}
	}
	if !k.tap {
		counted, rest := len(names), ""
		if k.none && none > 0 {
			counted, rest = counted-none, fmt.Sprintf(", %d without expectations", none)
		}
		fmt.Fprintf(s.Out, "%d of %d passed%s\n", len(names)-failed-none, counted, rest)
	} else if err := render.TAP(s.Out, all); err != nil {
		return repl.AsInput(err)
	}
	if failed > 0 || none > 0 && !k.none {
		return unsound(failed, none, len(names))
	}
	return nil
}

// row prints how a file ended.
func row(s Streams, names []string, word, name, how string) {
	width := 0
	for _, n := range names {
		width = max(width, utf8.RuneCountInString(n))
	}
	fmt.Fprintf(cleaned{s.Out}, "%-6s  %-*s  %s\n", word, width, name, how)
}

// verdict is how a script that was run silently ended.
type verdict struct {
	points []render.Point // its expectations
	end    error
	ends   *stories.Ending // how it says that it ends; nil: well
}

// silently runs a script without output, an exercise at each of its sizes.
func silently(ctx context.Context, s Streams, m *meter, which, name string, b bounds) (v verdict) {
	v.end = b.within(ctx, func(ctx context.Context) error {
		script, err := stories.FindScript(ctx, name, nil)
		if err != nil {
			return err
		}
		v.ends = script.Ends
		sizes := practice.Sizes(script)
		if len(sizes) < 2 {
			return v.add(ctx, s, m, b, which, script, "")
		}
		flags := script.Flags
		for _, n := range sizes {
			script.Flags = append(slices.Clone(flags), "-n", strconv.Itoa(n))
			err = v.add(ctx, s, m, b, which, script, fmt.Sprintf(" with %s", spell.Plural(n, "rank")))
			if err != nil {
				return err
			}
		}
		return nil
	})
	return v
}

// add runs a script once. Where an expectation failed is told with the world.
func (v *verdict) add(ctx context.Context, s Streams, m *meter, b bounds, which string, script *stories.Script, world string) error {
	f := newWorldFlags()
	f.bounds = b
	console, err := silent(ctx, s, m, f, which, script)
	if console == nil {
		return err
	}
	defer console.Session.Close()
	for _, p := range console.Session.View().Expectations.Points {
		p.Where += world
		v.points = append(v.points, p)
	}
	return err
}

// asMeant reports whether the script failed with the exit code and the message that it announces.
func (v verdict) asMeant() bool {
	if v.ends == nil || int(codeOf(v.end)) != v.ends.Code {
		return false
	}
	var said bytes.Buffer
	tell(Streams{Err: &said}, v.end, codeOf(v.end))
	return strings.Contains(said.String(), v.ends.Says)
}

// nothing reports whether the script has neither expectations nor an announced ending.
func (v verdict) nothing() bool { return len(v.points) == 0 && v.ends == nil }

// failings lists where the script failed, each place with what happened instead.
func (v verdict) failings() [][2]string {
	var list [][2]string
	for _, p := range v.points {
		if p.Failure != nil {
			list = append(list, [2]string{p.Where, p.Failure.Message})
		}
	}
	if v.asMeant() {
		return list
	}
	if v.ends != nil {
		list = append(list, [2]string{"ends", fmt.Sprintf("expected exit code %d and %q, found %d", v.ends.Code, v.ends.Says, codeOf(v.end))})
	}
	if unmet := (*console.Unmet)(nil); v.end != nil && !errors.As(v.end, &unmet) {
		list = append(list, [2]string{"error", v.end.Error()})
	}
	return list
}

// met returns "3 expectations", or "2 of 3 expectations met", and that the script ended as it announces; for a script
// that ended before its first expectation, that none was reached.
func (v verdict) met() string {
	met, all := 0, len(v.points)
	for _, p := range v.points {
		if p.Failure == nil {
			met++
		}
	}
	var said []string
	switch {
	case met < all:
		said = append(said, fmt.Sprintf("%d of %s met", met, spell.Plural(all, "expectation")))
	case all > 0:
		said = append(said, spell.Plural(all, "expectation"))
	}
	if v.asMeant() {
		said = append(said, fmt.Sprintf("ends with %d as it says", v.ends.Code))
	}
	if len(said) == 0 && v.end != nil {
		return "no expectation reached"
	}
	return cmp.Or(strings.Join(said, ", "), "no expectations")
}

// mostFailings is how many of a script's failings are printed.
const mostFailings = 3

// tellFailings prints why a script failed, folded only on a terminal.
func tellFailings(w io.Writer, list [][2]string, st render.Style) {
	const indent = "        "
	for i, d := range list {
		if i == mostFailings {
			fmt.Fprintf(w, "%sand %d more\n", indent, len(list)-i)
			return
		}
		fmt.Fprintln(w, repl.Wrap(d[0]+": "+d[1], st.Line(), indent))
	}
}

// updateScript rewrites the failed expectations of a file, and prints the changes and the expectations that still fail.
// A script that ends with an error stays as it is.
func updateScript(ctx context.Context, s Streams, f *worldFlags, path string) error {
	if _, err := os.Stat(path); err != nil {
		if _, _, ok := scripts.Lookup(path); ok || path == "-" {
			return fmt.Errorf("run --update rewrites a file, but %s is not a file", path)
		}
		return repl.AsInput(err)
	}
	script, err := stories.ReadScript(ctx, path, nil)
	if err != nil {
		return err
	}
	c, end := unshown(ctx, s, f, script)
	if c == nil {
		return end
	}
	defer c.Session.Close()
	var unmet *console.Unmet
	if !errors.As(end, &unmet) {
		return errors.Join(end, render.Report(s.Out, c.Session.View(), c.Style))
	}
	text, left, err := script.Updated(stories.CameIn(c.Session))
	if err != nil {
		return err
	}
	for _, why := range left {
		fmt.Fprintf(s.Err, "note: %s\n", why)
	}
	if text == script.Text {
		return errors.Join(end, render.Report(s.Out, c.Session.View(), c.Style))
	}
	if err := rewrite(path, text); err != nil {
		return repl.AsInput(err)
	}
	s.Out.Write(diff.Diff(path, []byte(script.Text), path+", updated", []byte(text)))
	again, end := unshown(ctx, s, f, stories.NewScript(script.Name, text))
	if again == nil {
		return end
	}
	defer again.Session.Close()
	return errors.Join(end, render.Report(s.Out, again.Session.View(), again.Style))
}

// unshown runs a script without output, with a meter; the error is how the script ended. The
// console is nil when the script could not begin.
func unshown(ctx context.Context, s Streams, f *worldFlags, script *stories.Script) (*console.Console, error) {
	_, m := s.metered(makingWorld, nil)
	defer m.end()
	return silent(ctx, s, m, f, "", script)
}

// silent runs a script without output and moves the progress meter, where which names the script: "script 2 of 3".
func silent(ctx context.Context, s Streams, m *meter, f *worldFlags, which string, script *stories.Script) (*console.Console, error) {
	chunks, err := f.chunksOf(script)
	if err != nil {
		return nil, err
	}
	return hushed(ctx, s, m, f, which, chunks)
}

// hushed runs chunks as silent does, after the flags of their script were applied.
func hushed(ctx context.Context, s Streams, m *meter, f *worldFlags, which string, chunks []*lang.Chunk) (*console.Console, error) {
	m.begin(which, chunks)
	console, err := f.console(ctx, s, io.Discard, io.Discard)
	if err != nil {
		return nil, err
	}
	m.follow(console.Session, writingResult)
	console.Silent = true
	return console, console.Script(ctx, chunks)
}

// rewrite replaces the text of a file and keeps its line ends.
func rewrite(path, text string) error {
	old, err := wholefile.Read(path)
	if err != nil {
		return err
	}
	if strings.Contains(string(old), "\r\n") {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	return wholefile.Write(path, []byte(text), 0o644)
}
