// Package cmd is the command line: flags, streams and exit codes, one file a command. It has no
// logic of its own; what commands do is in repl, hw and render.
package cmd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"codeberg.org/commsplit/commsplit/hw/placement"
	"codeberg.org/commsplit/commsplit/hw/spell"
	"codeberg.org/commsplit/commsplit/hw/synthetic"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/lang"
	"codeberg.org/commsplit/commsplit/repl/stories"
	"codeberg.org/commsplit/commsplit/scripts"
)

// Main runs the command line of the process and returns its exit code.
func Main() int {
	ctx, stop := untilEnded(context.Background())
	defer stop()
	mustEnd(ctx)
	ctx, stop = untilTold(ctx, os.Interrupt)
	defer stop()
	return int(Run(ctx, System(), os.Args[1:]))
}

// Run runs one command line. Diagnoses go to s.Err.
func Run(ctx context.Context, s Streams, args []string) Code {
	ctx, broken := context.WithCancel(ctx)
	defer broken()
	out := &checkedWriter{Writer: s.Out, broken: broken}
	s.Out, s.Err = out, cleaned{s.Err}
	root := newRoot(s)
	root.SetArgs(placement.TwoDashes(args))
	err := repl.Guarded(func() error {
		if flag, e, found := placement.OneDash(args); found {
			return elsewhere(flag, e)
		}
		return root.ExecuteContext(withInput(ctx, s))
	})
	code, err := endOf(ctx, err)
	if failed := out.err.Load(); failed != nil && code != HungUp { // HungUp takes the output away
		code, err = IO, repl.AsInput(fmt.Errorf("standard output: %w", *failed))
	}
	if err != nil {
		tell(s, err, code)
	}
	return code
}

// tell writes the error. A failed expectation was told with the results already.
func tell(s Streams, err error, code Code) {
	var at *synthetic.Error
	var crash *repl.Crash
	var signal *signaled
	var exit *exited
	switch {
	case errors.As(err, &exit): // the command said why
	case errors.As(err, &crash):
		tellCrash(s, crash)
	case errors.As(err, &signal):
		fmt.Fprintln(s.Err, signal)
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(s.Err, "interrupted")
	case errors.As(err, &at):
		fmt.Fprintf(s.Err, "error: %v\n%s\n", err, lang.Caret(at.Text, at.Offset+1))
	case code == Deadlock || code == Unmet:
		fmt.Fprintln(s.Err, err)
	default:
		repl.WriteError(s.Err, err)
	}
}

// newRoot builds the command tree. It is fresh for each run, because flags keep their values.
func newRoot(s Streams) *cobra.Command {
	f := newWorldFlags()
	asked := false // for the version
	root := described("commsplit", &cobra.Command{
		Use:               "commsplit",
		Short:             "explore MPI communicator splits",
		Args:              knownCommand,
		SilenceUsage:      true,
		SilenceErrors:     true,
		CompletionOptions: cobra.CompletionOptions{HiddenDefaultCmd: false},
		PersistentPreRunE: func(c *cobra.Command, _ []string) error { return noneEmpty(c.Flags()) },
		RunE: func(c *cobra.Command, _ []string) error {
			if asked {
				_, err := fmt.Fprintf(s.Out, "commsplit %s\n", version())
				return err
			}
			if len(f.chunks) > 0 {
				return runChunks(c.Context(), s, f)
			}
			if s.InTTY && s.OutTTY {
				return screen(c.Context(), s, f)
			}
			return runScript(c.Context(), s, f, "-")
		},
	})
	root.SetOut(s.Out)
	root.SetErr(s.Err)
	root.SetIn(s.In)
	root.SetFlagErrorFunc(flagError)
	f.add(root, true)
	f.addFiles(root)
	f.addLimits(root)
	root.Flags().BoolVarP(&asked, "version", "v", false, "print only the version; commsplit version tells more")
	grouped(root, "sessions", "Sessions and scripts:", newRepl(s), newRunCommand(s), newCheck(s), newExamples(s), newLearn(s), newPractice(s), newServe(s), newExport(s), newConfirm(s), newReplay(s))
	grouped(root, "calls", "One call on a fresh world:", newOneShots(s)...)
	grouped(root, "hardware", "Hardware:", newHW(s), newProbe(s), newRecorder(s))
	grouped(root, "about", "About commsplit:", newSchema(s), newVersion(s), newMan(s))
	root.SetHelpCommandGroupID("about")
	root.SetCompletionCommandGroupID("about")
	root.SetHelpCommand(newHelp(s))
	nameDefaults(root)
	completeFlags(root)
	addHelp(root)
	root.SetHelpFunc(func(c *cobra.Command, _ []string) {
		if c.Flags().Changed("usage") { // by -h
			s.paged(shortHelp(c))
		} else {
			s.paged(longHelp(c))
		}
	})
	return root
}

// grouped adds commands below a title in the help.
func grouped(root *cobra.Command, id, title string, list ...*cobra.Command) {
	root.AddGroup(&cobra.Group{ID: id, Title: title})
	for _, c := range list {
		c.GroupID = id
		root.AddCommand(c)
	}
}

// otherWords has words that people write for commands.
var otherWords = map[string]string{
	"lesson": "learn", "lessons": "learn", "tutorial": "learn", "exercise": "practice", "exercises": "practice",
	"playground": "serve", "tui": "commsplit without a command", "prompt": "repl", "topo": "hw",
}

// knownCommand returns an error for a word that is not a command, with the nearest command.
func knownCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, sub := range c.Commands() {
		names = append(names, sub.Name())
	}
	_, _, example := scripts.Lookup(args[0])
	if !c.HasParent() && (example || stories.IsScript(args[0]) || isProgram(args[0])) {
		return fmt.Errorf("unknown command %q: to run a script, write commsplit run %s", args[0], args[0])
	}
	near := spell.Nearest(args[0], names)
	if other := otherWords[args[0]]; other != "" && !c.HasParent() {
		near = other
	}
	if near != "" {
		return fmt.Errorf("unknown command %q: did you mean %s?", args[0], near)
	}
	return fmt.Errorf("unknown command %q: %s --help lists the commands", args[0], c.CommandPath())
}

// noneEmpty returns an error for a flag with an empty value, such as --bind "". Scripts write such
// flags with a variable that is not set; the program would take the flag for one that was not
// given.
func noneEmpty(flags *pflag.FlagSet) error {
	var err error
	flags.Visit(func(g *pflag.Flag) {
		if g.Value.Type() == "string" && g.Value.String() == "" {
			err = fmt.Errorf("--%s \"\": it needs a value; leave the flag out for the default", g.Name)
		}
	})
	return err
}

// flagError rewrites pflag's words into one clear line.
func flagError(c *cobra.Command, err error) error {
	text := err.Error()
	if _, after, ok := strings.Cut(text, "invalid argument "); ok {
		value, rest, _ := strings.Cut(after, " for ")
		flag, why, _ := strings.Cut(rest, ": ")
		flag, long, _ := strings.Cut(strings.Trim(strings.ReplaceAll(flag, " flag", ""), `"`), ", ")
		if long != "" && long[2] != flag[1] { // -o of --to: most people write --to
			flag = long
		}
		return fmt.Errorf("%s %s: %s", flag, strings.Trim(value, `"`), why)
	}
	_, flag, unknown := strings.Cut(text, "unknown flag: ")
	if _, letter, ok := strings.Cut(text, "unknown shorthand flag: '"); ok {
		flag, unknown = "-"+letter[:1], true
	}
	if e, known := placement.InsteadOf(flag); unknown && known {
		return elsewhere(flag, e)
	}
	hint := ""
	if unknown && strings.HasPrefix(flag, "--") {
		var names []string
		c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
		hint = spell.DidYouMean(flag, names)
	}
	return fmt.Errorf("%s%s; see %s --help", text, hint, c.CommandPath())
}

// elsewhere returns the error for a flag of a launcher, which names the flag to write here.
func elsewhere(flag string, e placement.Elsewhere) error {
	return fmt.Errorf("%s is a flag of %s; here write %s", flag, e.Launcher, e.Instead)
}

func exitCodeHelp() string {
	var b strings.Builder
	b.WriteString("\nExit codes:\n")
	for _, c := range Codes() {
		fmt.Fprintf(&b, "  %-4d %s\n", c.Code, c.Meaning)
	}
	return b.String()
}
