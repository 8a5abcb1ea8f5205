package cmd

import (
	"bytes"
	_ "embed" // a part of the completion of bash
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/engine/deviation"
	"codeberg.org/commsplit/commsplit/hw/launch"
	"codeberg.org/commsplit/commsplit/hw/placement"
	"codeberg.org/commsplit/commsplit/hw/source"
	"codeberg.org/commsplit/commsplit/hw/spell"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/stories"
	"codeberg.org/commsplit/commsplit/repl/tongue"
	"codeberg.org/commsplit/commsplit/scripts"
)

// worldFlags are the flags of every command that makes a world; scripts carry them too.
type worldFlags struct {
	config  repl.Config
	output  string
	color   string
	draw    string // how partitions are drawn; "": boxes and lanes on a terminal, else the tree
	theme   string // of the terminal; "": what the environment says
	full    bool   // fold and cut nothing, also on a terminal
	chunks  []string
	leaks   bool              // of run: tell what was never freed
	strict  bool              // of run: that is an error
	tap     bool              // of run: print the expectations as TAP, nothing else
	update  bool              // of run: rewrite the expectations that fail
	step    bool              // of run: show each line before it runs
	orders  int               // of run: try other messages for receives from any source
	as      deviation.Library // of run: tell what this library would give otherwise
	bounds                    // what a script may do
	read    string            // the file that the script was read from; "" for none
	mistake error             // why the lines could not be told apart; a document tells it
	set     *pflag.FlagSet
}

// isPlacement reports whether a flag tells where ranks run. Such flags come together or not at all.
func isPlacement(name string) bool {
	return slices.ContainsFunc(placement.Flags, func(f placement.Flag) bool { return f.Name == name })
}

// newWorldFlags defines the flags. Only some make sense in scripts.
func newWorldFlags() *worldFlags {
	f := &worldFlags{output: "text", color: "auto", config: repl.Config{Begins: collectLate}}
	s := pflag.NewFlagSet("world", pflag.ContinueOnError)
	s.SortFlags = false
	s.SetNormalizeFunc(ownName)
	s.VarP(count(&f.config.Size, engine.MaxSize, "a world must have 1 to %d ranks"), "np", "n", "number of ranks, srun's --ntasks (default: one per core)")
	s.StringVar(&f.config.Topo, "topo", "", "hardware `SPEC`: this, a preset, a synthetic description such as 'pack:2 core:4 pu:2', an hwloc file FILE.xml, - (an hwloc file on standard input), fsroot:PATH, a folder or tar archive with a Linux machine's /proc and /sys, or job:FILE, where the ranks of a job ran; several are SPEC*4+SPEC (default: this)")
	for _, g := range placement.Flags {
		short := ""
		if g.Name == "distribution" {
			short = "m" // srun's
		}
		s.StringVarP(g.Of(&f.config.Policy), g.Name, short, "", g.Help)
	}
	s.StringArrayVar(&f.config.Psets, "pset", nil, "process set `NAME=RANKS`, for example app://ocean=0-5 (repeatable)")
	s.StringVar(&f.config.Std, "std", "", "`VERSION` of the standard: "+strings.Join(repl.StdNames(), ", ")+" (default: "+engine.StdLatest.String()+")")
	s.Var(count(&f.config.Contexts, engine.MaxContexts, "a process must have 1 to %d context ids"), "max-contexts", "context ids of a process, including that of MPI_COMM_WORLD (default: "+strconv.Itoa(engine.MaxContexts)+")")
	s.VarP(oneOf(&f.output, runOutputs), "output", "o", "output: "+outputUsage(runOutputs))
	s.Var(oneOf(&f.color, colors), "color", "color: "+spell.Either(colors)+" (default: auto)")
	s.Var(oneOf(&f.draw, render.Pictures), "picture", "partitions as text: "+spell.Either(render.Pictures)+" (boxes and lanes); buckets are those of the calls (default: split on a terminal, else tree)")
	s.Var(oneOf(&f.theme, themes), "theme", "background of the terminal: "+spell.Either(themes)+" (default: auto: COMMSPLIT_THEME, COLORFGBG, the answer of the terminal to the terminal UI, or else dark)")
	s.BoolVar(&f.full, "full", false, "do not fold or cut anything, as if not on a terminal")
	for _, name := range []string{"output", "color", "picture", "theme"} {
		s.Lookup(name).DefValue = "" // its usage tells it as the others' do
	}
	f.set = s
	return f
}

// style returns how results look.
func (f *worldFlags) style(s Streams) render.Style {
	st := s.style(f.color, f.theme)
	if i := slices.Index(render.Pictures, f.draw); i >= 0 {
		st.Picture = render.Picture(i)
	}
	st.Full = f.full
	st.Whole = st.Whole || f.full
	return st
}

var (
	colors = []string{"auto", "always", "never"}
	themes = []string{"auto", "dark", "light"}
)

// outputs are the forms of output that is printed at once; runOutputs are those of a run, which takes time.
var (
	outputs    = []string{"text", "json"}
	runOutputs = []string{"text", "json", "jsonl"}
)

func outputUsage(words []string) string { return spell.Either(words) + " (default: text)" }

// ownName returns the name that a flag of srun has here.
func ownName(_ *pflag.FlagSet, name string) pflag.NormalizedName {
	if name == "ntasks" {
		name = "np"
	}
	return pflag.NormalizedName(name)
}

// atOnce takes from -o the values for sessions that go on: a one-shot command writes one of outputs.
func (f *worldFlags) atOnce() *worldFlags {
	g := f.set.Lookup("output")
	g.Value, g.Usage = oneOf(&f.output, outputs), "output: "+outputUsage(outputs)
	return f
}

// add gives a command the flags except those in without, and -c if it runs chunks.
func (f *worldFlags) add(c *cobra.Command, chunks bool, without ...string) {
	c.Flags().SortFlags = false
	c.Flags().SetNormalizeFunc(ownName)
	f.set.VisitAll(func(g *pflag.Flag) {
		if !slices.Contains(without, g.Name) {
			c.Flags().AddFlag(g)
		}
	})
	if c.RunE != nil {
		f.takesLaunchLine(c)
	}
	if chunks {
		c.Flags().StringArrayVarP(&f.chunks, "command", "c", nil, "run a `LINE` of the language, then exit (repeatable)")
	}
}

// addOnly gives a command some of the flags.
func (f *worldFlags) addOnly(c *cobra.Command, names ...string) {
	for _, name := range names {
		c.Flags().AddFlag(f.set.Lookup(name))
	}
}

// addOutput gives a command that makes no world the flag -o; of begins its description.
func addOutput(c *cobra.Command, output *string, of string) {
	c.Flags().VarP(oneOf(output, outputs), "output", "o", of+outputUsage(outputs))
	c.Flags().Lookup("output").DefValue = "" // the usage tells the default
}

// merge takes in the flags of a script; those of the command line win.
func (f *worldFlags) merge(name string, words []string) error {
	script := newWorldFlags()
	script.set.SetOutput(io.Discard)
	if err := script.set.Parse(placement.TwoDashes(words)); err != nil {
		return fmt.Errorf("%s: in its commsplit flags: %w", name, err)
	}
	if rest := script.set.Args(); len(rest) > 0 {
		return fmt.Errorf("%s: in its commsplit flags: %q is not a flag; a value with blanks needs quotes, as in --topo 'pack:2 core:4'", name, rest[0])
	}
	if err := noneEmpty(script.set); err != nil {
		return fmt.Errorf("%s: in its commsplit flags: %w", name, err)
	}
	placed := slices.ContainsFunc(placement.Flags, func(g placement.Flag) bool { return f.set.Changed(g.Name) })
	printed := f.tap || f.step || f.update // which print something of their own
	var errs []error
	script.set.Visit(func(g *pflag.Flag) {
		if f.set.Changed(g.Name) || placed && isPlacement(g.Name) ||
			f.config.Launch != nil && (isPlacement(g.Name) || g.Name == "np") ||
			printed && g.Name == "output" {
			return
		}
		if list, ok := g.Value.(pflag.SliceValue); ok {
			errs = append(errs, f.set.Lookup(g.Name).Value.(pflag.SliceValue).Replace(list.GetSlice()))
			return
		}
		errs = append(errs, f.set.Lookup(g.Name).Value.Set(g.Value.String()))
	})
	return errors.Join(errs...)
}

// value is the value of a flag.
type value struct {
	kind  string
	set   func(text string) error
	show  func() string              // what is set; nil: nobody asks
	words func(text string) []string // what the value may be that begins with a text; nil: free text, or a file
}

func (v *value) String() string {
	if v.show == nil {
		return ""
	}
	return v.show()
}

func (v *value) Type() string { return v.kind }

func (v *value) Set(text string) error { return v.set(text) }

// count returns the value of a flag that takes a number from 1 to most. rule is the error for another number, with %d
// for most.
func count(n *int, most int, rule string) *value {
	return &value{kind: "N", words: beginning(nil), // a number, no file
		set: func(text string) error {
			k, err := strconv.Atoi(text)
			if err != nil || k < 1 || k > most {
				return fmt.Errorf(rule, most)
			}
			*n = k
			return nil
		},
		show: func() string {
			if *n == 0 {
				return ""
			}
			return strconv.Itoa(*n)
		}}
}

// oneOf returns the value of a flag that takes a word of a list.
func oneOf(word *string, words []string) *value {
	return choice(word, words, func(text string) string { return spell.Choice(text, words) })
}

// choice does as oneOf; refusal returns the error for a text that the list lacks.
func choice(word *string, words []string, refusal func(text string) string) *value {
	return &value{kind: "WORD", words: beginning(words), show: func() string { return *word }, set: func(text string) error {
		if !slices.Contains(words, text) {
			return errors.New(refusal(text))
		}
		*word = text
		return nil
	}}
}

// The arguments of commands, and the files that commands write.

// nothing refuses arguments. An argument of a command about hardware is most likely hardware.
func nothing(c *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return nil
	case c.Parent().Name() == "hw" && c.Flags().Lookup("topo") != nil:
		spec := args[0]
		if strings.Contains(spec, " ") {
			spec = "'" + spec + "'"
		}
		return fmt.Errorf("%s takes no argument; to name hardware, write --topo %s", c.CommandPath(), spec)
	}
	return fmt.Errorf("%s takes no argument: leave out %s", c.CommandPath(), args[0])
}

// exactly refuses any number of arguments but one; what names the argument in the error.
func exactly(what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) > 1 {
			return fmt.Errorf("%s takes one argument, %s, not %d: %s", c.CommandPath(), what, len(args), strings.Join(args, " "))
		} else if len(args) < 1 {
			return fmt.Errorf("%s takes one argument: %s", c.CommandPath(), what)
		}
		return nil
	}
}

// atMost refuses more than one argument; what names the argument in the error.
func atMost(what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) > 1 {
			return fmt.Errorf("%s takes one argument at most: %s", c.CommandPath(), what)
		}
		return nil
	}
}

// overwriting is the advice for a file that exists already.
const overwriting = "--force overwrites it"

// forceFlag lets a command write over a file.
func forceFlag(c *cobra.Command, force *bool) {
	c.Flags().BoolVarP(force, "force", "f", false, "overwrite an existing file")
}

// deliver writes text to the file that a command's arguments name; to standard output when there are none, or -.
func (s Streams) deliver(args []string, text []byte, force bool) error {
	var err error
	if len(args) == 0 || args[0] == "-" {
		_, err = s.Out.Write(text)
	} else {
		err = stories.WriteNew(args[0], text, force, overwriting)
	}
	return repl.AsInput(err)
}

// completeFlags registers the completion of the flags of a command and of the commands below it.
func completeFlags(c *cobra.Command) {
	c.Flags().VisitAll(func(g *pflag.Flag) {
		list := valuesOf(g)
		if list == nil {
			return
		}
		if err := c.RegisterFlagCompletionFunc(g.Name, completing(list)); err != nil {
			panic(err) // the flag is there, and nobody else completes it
		}
	})
	for _, sub := range c.Commands() {
		completeFlags(sub)
	}
}

// completeFlag completes the values of one flag with a list that may depend on the arguments.
func completeFlag(c *cobra.Command, flag string, list func(args []string) []string, files cobra.ShellCompDirective) {
	if err := c.RegisterFlagCompletionFunc(flag, func(_ *cobra.Command, args []string, text string) ([]string, cobra.ShellCompDirective) {
		return beginning(list(args))(text), files
	}); err != nil {
		panic(err) // the flag is there, and nobody else completes it
	}
}

// valuesOf returns a function that lists the values of a flag that begin with a text; nil for files and free text.
func valuesOf(g *pflag.Flag) func(text string) []string {
	if v, ok := g.Value.(*value); ok {
		return v.words
	}
	switch g.Name {
	case "command", "pset", "bind":
		return beginning(nil)
	case "topo":
		return source.Complete
	case "map-by", "rank-by", "bind-to", "distribution", "cpu-bind", "gpu-bind", "hint":
		return func(text string) []string { return placement.Complete(g.Name, text) }
	case "std":
		return beginning(repl.StdNames())
	}
	return nil
}

func beginning(words []string) func(text string) []string {
	return func(text string) []string {
		return slices.DeleteFunc(slices.Clone(words), func(w string) bool { return !strings.HasPrefix(w, text) })
	}
}

// scriptNames offers the examples beside files.
func scriptNames(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return scripts.Names(), cobra.ShellCompDirectiveDefault
}

// completing offers the words of a list; a shell adds no blank behind a word that may go on.
func completing(list func(text string) []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, text string) ([]string, cobra.ShellCompDirective) {
		options := list(text)
		return options, completed(options, func(o string) bool { return strings.ContainsAny(o[len(o)-1:], ":/") })
	}
}

// completed tells a shell how to go on behind a proposed word: without files, and without a blank where a word may go
// on.
func completed(words []string, goesOn func(word string) bool) cobra.ShellCompDirective {
	directive := cobra.ShellCompDirectiveNoFileComp
	if slices.ContainsFunc(words, func(w string) bool { return strings.HasSuffix(w, "=") || goesOn(w) }) {
		directive |= cobra.ShellCompDirectiveNoSpace
	}
	return directive
}

// takesLaunchLine lets a command that makes a world take a launch line behind --: the number of ranks, the machines, and
// where ranks run. If "run" runs a program, the words behind -- are the program's arguments.
func (f *worldFlags) takesLaunchLine(c *cobra.Command) {
	check, run := c.Args, c.RunE
	if check != nil {
		c.Args = func(c *cobra.Command, args []string) error {
			before, words := f.behindDash(c, args)
			if words == nil && len(before) > 0 && launch.Is(before[0]) && check(c, nil) == nil {
				return fmt.Errorf("a launch line stands behind --: write %s -- %s and its options there", c.CommandPath(), before[0])
			}
			return check(c, before)
		}
	}
	c.RunE = func(c *cobra.Command, args []string) error {
		before, words := f.behindDash(c, args)
		if words == nil {
			return run(c, args)
		}
		if err := f.readLaunchLine(words); err != nil {
			return err
		}
		if note := f.config.Launch.Note(); note != "" {
			fmt.Fprintf(c.ErrOrStderr(), "note: %s\n", note)
		}
		return run(c, before)
	}
}

// behindDash cuts arguments at --, where a launch line begins; words is nil where there is none.
func (f *worldFlags) behindDash(c *cobra.Command, args []string) (before, words []string) {
	at := c.ArgsLenAtDash()
	if at < 0 || at == len(args) || c.Name() == "run" && at > 0 && isProgram(args[0]) {
		return args, nil
	}
	return args[:at], args[at:]
}

// isProgram reports whether "run" runs a file as a program, which has arguments, and not as a script.
func isProgram(name string) bool {
	return filepath.Ext(name) == ".py" || tongue.Comment(name) != ""
}

func (f *worldFlags) readLaunchLine(words []string) error {
	var said string
	f.set.VisitAll(func(g *pflag.Flag) {
		if g.Changed && (g.Name == "np" || isPlacement(g.Name)) {
			said = g.Name
		}
	})
	if said != "" {
		return fmt.Errorf("the launch line behind -- already sets the number and places of the ranks: leave out --%s", said)
	}
	line, err := launch.Read(words)
	f.config.Launch = line
	if errors.As(err, new(*fs.PathError)) { // a file of hosts
		return repl.AsInput(err)
	}
	return err
}

// nameDefaults gives cobra's command completion a help like that of the other commands, and lets it refuse an unknown
// shell.
func nameDefaults(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		if c.Name() != "completion" {
			continue
		}
		c.Short, c.Args = "print the completion script of a shell", knownCommand
		c.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
		for _, shell := range c.Commands() {
			switch shell.Name() {
			case "bash":
				shell.Long = strings.Replace(shell.Long, needsPackage, "", 1)
				shell.RunE = mended((*cobra.Command).GenBashCompletionV2, wordsOfLine, wordsOfPackage, "__commsplit_words")
			case "fish":
				shell.RunE = mended((*cobra.Command).GenFishCompletion, "", wordsOfFish, "string escape -- ("+wordsOfFish+")")
			}
		}
	}
}

// needsPackage is the sentence in cobra's bash script that asks for the package bash-completion.
const needsPackage = `This script depends on the 'bash-completion' package.
If it is not installed already, you can install it via your OS's package manager.

`

// wordsOfPackage is the line of cobra's script that gets the words of the command line from the package
// bash-completion, which many machines do not have.
const wordsOfPackage = `_get_comp_words_by_ref "$@" cur prev words cword`

// wordsOfLine gets the words of the command line without that package.
//
//go:embed words.bash
var wordsOfLine string

// wordsOfFish is the part of cobra's fish script that takes the words of the command line without their quotes;
// the script then runs the words.
const wordsOfFish = "commandline -opc"

// mended returns the code of a command that writes cobra's script with two changes: before stands in front, and ours
// replaces the text theirs.
func mended(script func(c *cobra.Command, w io.Writer, descriptions bool) error, before, theirs, ours string) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, _ []string) error {
		plain, err := c.Flags().GetBool("no-descriptions")
		if err != nil {
			return err
		}
		var b bytes.Buffer
		if err := script(c.Root(), &b, !plain); err != nil {
			return err
		}
		_, err = io.WriteString(c.OutOrStdout(), before+strings.Replace(b.String(), theirs, ours, 1))
		return err
	}
}
