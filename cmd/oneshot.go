package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"codeberg.org/commsplit/commsplit/hw/placement"
	"codeberg.org/commsplit/commsplit/hw/source"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/completion"
	"codeberg.org/commsplit/commsplit/repl/console"
	"codeberg.org/commsplit/commsplit/repl/lang"
)

// newOneShots makes a command of the shell for each verb that has one.
func newOneShots(s Streams) []*cobra.Command {
	var list []*cobra.Command
	for _, v := range repl.Verbs {
		if v.OneShot {
			list = append(list, newOneShot(s, v))
		}
	}
	return list
}

// newOneShot makes a command of the shell out of a verb; the command calls the verb on a fresh world.
func newOneShot(s Streams, v *repl.Verb) *cobra.Command {
	f := newWorldFlags()
	name := strings.ReplaceAll(v.Name, "_", "-")
	_, example, _ := strings.Cut(v.Example, "= ")
	var long strings.Builder
	v.WriteHelp(&long, 78)
	c := &cobra.Command{
		Use:     name + " ARGS...",
		Short:   v.Short,
		Long:    long.String(),
		Example: "  commsplit " + strings.ReplaceAll(shellQuoted(v, example), v.Name, name) + " -n 8",
		ValidArgsFunction: func(c *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
			return f.completeArgument(c.Context(), v, args, word)
		},
		RunE: func(c *cobra.Command, args []string) error {
			command, err := lang.ParseCommand(fromShell, v.Line(args), repl.IsVerb)
			if err != nil {
				return f.within(c.Context(), func(ctx context.Context) error { return f.unread(ctx, s, err) })
			}
			return runChunks(c.Context(), s, f, command)
		},
	}
	f.add(c, true)
	f.addLimits(c)
	c.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		var unknown *pflag.NotExistError
		told := flagError(c, err)
		if !errors.As(err, &unknown) || len(unknown.GetSpecifiedShortnames()) == 0 {
			return told
		}
		if _, known := placement.InsteadOf(unknown.GetSpecifiedShortnames()[:1]); known {
			return told
		}
		return fmt.Errorf("-%s: there is no such flag; an argument that begins with - needs its name, as in key=-rank", unknown.GetSpecifiedShortnames())
	})
	return c
}

// mostCompleted is the largest number of ranks in the world on which arguments are completed: more ranks would cost
// time and have no other names.
const mostCompleted = 256

// completeTimeout is the longest time for which a script runs to complete a word.
const completeTimeout = 2 * time.Second

// completeArgument proposes the same words as the prompt, on the world of the flags before the argument. No argument of
// a verb is a file.
func (f *worldFlags) completeArgument(ctx context.Context, v *repl.Verb, args []string, word string) ([]string, cobra.ShellCompDirective) {
	cfg := f.config
	slices.Sort(cfg.Psets)
	cfg.Psets = slices.Compact(cfg.Psets) // cobra has read the flags twice
	if len(cfg.Psets) == 0 {              // whose ranks must be there
		cfg.Size = min(cfg.Size, mostCompleted)
	}
	ctx = source.WithoutInput(ctx, "a word is completed")
	console, err := console.NewConsole(ctx, cfg, io.Discard, io.Discard, render.Style{})
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp // the command itself tells why
	}
	defer console.Session.Close()
	words := completion.Argument(console.Session, v, args, word)
	return words, completed(words, func(w string) bool { return repl.IsNumber(w[strings.LastIndexByte(w, '=')+1:]) })
}

// shellQuoted returns a line of the language as a person types it at a shell: text loses the quotes of the
// language, and words that a shell would change get a shell's quotes.
func shellQuoted(v *repl.Verb, line string) string {
	words := strings.Fields(line)
	for i, w := range words {
		if name, value, ok := strings.Cut(w, "="); ok && v.TakesText(name) {
			w = name + "=" + strings.Trim(value, `"`)
		}
		if strings.ContainsAny(w, `"*[]()`) {
			w = "'" + w + "'"
		}
		words[i] = w
	}
	return strings.Join(words, " ")
}
