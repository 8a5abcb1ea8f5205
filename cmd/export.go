package cmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"codeberg.org/commsplit/commsplit/hw/source"
	"codeberg.org/commsplit/commsplit/render/figure"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/practice"
	"codeberg.org/commsplit/commsplit/repl/stories"
	"codeberg.org/commsplit/commsplit/scripts"
)

// sessionExport is the flags of export.
type sessionExport struct {
	stories.Export
	theme string
	force bool
}

func newExport(s Streams) *cobra.Command {
	f := newWorldFlags()
	e := sessionExport{}
	names, shorts := stories.ExportFormats()
	var formats strings.Builder
	for i, name := range names {
		fmt.Fprintf(&formats, "  %-9s %s\n", name, shorts[i])
	}
	c := described("export", &cobra.Command{
		Use:   "export SCRIPT|EXAMPLE|- [FILE]",
		Short: "export a session as a picture, a table or a program",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 2 {
				return fmt.Errorf("%s takes one script and one FILE, not %d arguments", c.CommandPath(), len(args))
			}
			return exactly("SCRIPT|EXAMPLE|-")(c, args[:min(len(args), 1)])
		},
		RunE: func(c *cobra.Command, args []string) error {
			if e.To == "" && len(args) == 2 {
				e.To = stories.FormatOf(args[1])
			}
			if e.To == "" {
				return fmt.Errorf("%s needs a format: --to %s", c.CommandPath(), strings.Join(names, ", "))
			}
			file := "-"
			if len(args) == 2 {
				file = args[1]
			}
			return f.within(c.Context(), func(ctx context.Context) error { return e.run(ctx, s, f, args[0], file) })
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveDefault
			}
			return scripts.Names(), cobra.ShellCompDirectiveDefault
		},
	})
	c.Long = strings.Replace(c.Long, "{formats}", formats.String(), 1)
	c.Flags().SortFlags = false
	c.Flags().VarP(choice(&e.To, names, stories.NoFormat), "to", "o", "format, also called --output (default: what the name of FILE ends with): "+strings.Join(names, ", "))
	forceFlag(c, &e.force)
	c.Flags().StringVar(&e.Handle, "handle", "", "the `VARIABLE` that svg or tikz shows (default: the last one that holds a communicator, else world)")
	c.Flags().Var(oneOf(&e.Picture, stories.Pictures()), "picture", "the picture that svg and tikz show: "+strings.Join(stories.Pictures(), ", ")+" (default: partition, or sides of intercommunicators)")
	c.Flags().Var(oneOf(&e.theme, figure.Themes()), "theme", "colors of svg: "+strings.Join(figure.Themes(), ", ")+" (default: auto, what the viewer prefers)")
	c.Flags().BoolVar(&e.Overlays, "overlays", false, "with tikz: a beamer overlay for each phase of the call")
	f.add(c, true, "output", "color", "picture", "theme", "full")
	c.Flags().SetNormalizeFunc(func(s *pflag.FlagSet, name string) pflag.NormalizedName {
		if name == "output" {
			name = "to"
		}
		return ownName(s, name)
	})
	f.addFiles(c)
	f.addLimits(c)
	completeFlag(c, "handle", func(args []string) []string { return f.handles(c.Context(), s, args) }, cobra.ShellCompDirectiveNoFileComp)
	return c
}

// handles lists the variables that hold communicators at the end of a script, for completion.
func (f *worldFlags) handles(ctx context.Context, s Streams, args []string) (names []string) {
	if len(args) == 0 {
		return nil
	}
	f.files = false // Tab writes nothing
	b := bounds{timeout: completeTimeout}
	_ = b.within(source.WithoutInput(ctx, "a word is completed"), func(ctx context.Context) error { // the command itself tells what is wrong
		script, err := stories.FindScript(ctx, args[0], nil)
		if err != nil {
			return err
		}
		console, err := silent(ctx, s, nil, f, "", script)
		if console != nil {
			defer console.Session.Close()
			names = append(console.Session.Handles(), "world")
		}
		return err
	})
	return names
}

// run runs the script silently and exports the session to a file, - for standard output, also when the script failed.
func (e *sessionExport) run(ctx context.Context, s Streams, f *worldFlags, name, file string) error {
	ctx, script, err := f.findScript(ctx, s, name)
	if x, ok := scripts.Exercise(name); ok && errors.Is(err, fs.ErrNotExist) {
		script, err = stories.NewScript(x.File, x.Text), nil
	}
	if err != nil {
		return err
	}
	if practice.IsExercise(script) && slices.Contains(practice.HandoutFormats, e.To) {
		return e.handout(ctx, s, f, script, file)
	}
	s, m := s.metered(makingWorld, nil)
	defer m.end()
	console, end := silent(ctx, s, m, f, "", script)
	if console == nil {
		return end
	}
	defer s.leave(console.Session)
	e.Theme, e.Title, e.End = figure.Theme(e.theme), script.Title(), end
	var b bytes.Buffer
	if err := stories.ExportTo(&b, console.Session, e.Export); err != nil {
		return errors.Join(end, err)
	}
	return errors.Join(end, e.write(s, file, b.Bytes()))
}

// write writes an export to a file, - for standard output.
func (e *sessionExport) write(s Streams, file string, text []byte) (err error) {
	if file == "-" {
		_, err = s.Out.Write(text)
	} else {
		_, err = stories.WriteExport(e.To, file, text, func(string) bool { return e.force }, overwriting)
	}
	return repl.AsInput(err)
}

// handout writes an exercise as students get it.
func (e *sessionExport) handout(ctx context.Context, s Streams, f *worldFlags, script *stories.Script, file string) error {
	var given []string
	f.set.VisitAll(func(g *pflag.Flag) {
		if g.Changed {
			given = append(given, "--"+g.Name)
		}
	})
	for name, set := range map[string]bool{"--handle": e.Handle != "", "--picture": e.Picture != "",
		"--theme": e.theme != "", "--overlays": e.Overlays, "-c": len(f.chunks) > 0, "--allow-files": f.files} {
		if set {
			given = append(given, name)
		}
	}
	if slices.Sort(given); len(given) > 0 {
		return fmt.Errorf("%s is an exercise, which fixes its handout: leave out %s", script.Name, strings.Join(given, ", "))
	}
	x, err := practice.Read(script, f.world)
	if err == nil {
		err = x.Check(ctx)
	}
	var b bytes.Buffer
	if err == nil {
		err = x.Handout(ctx, &b, e.To)
	}
	if err != nil {
		return err
	}
	return e.write(s, file, b.Bytes())
}
