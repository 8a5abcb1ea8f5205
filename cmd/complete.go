package cmd

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"commsplit/engine/deviation"
	"commsplit/hw/placement"
	"commsplit/hw/source"
	"commsplit/repl"
)

// completeFlags sets what completes the values of the flags of a command and of those below it.
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

// valuesOf lists what the value of a flag may be that begins with a text; nil for files and free text.
func valuesOf(g *pflag.Flag) func(text string) []string {
	if words, ok := g.Value.(*oneOf); ok {
		return beginning(words.words)
	}
	switch g.Name {
	case "topo":
		return source.Complete
	case "map-by", "rank-by", "bind-to", "distribution", "cpu-bind", "hint":
		return func(text string) []string { return placement.Complete(g.Name, text) }
	case "std":
		return beginning(repl.StdNames())
	case "as":
		return beginning(deviation.Words())
	}
	return nil
}

func beginning(words []string) func(text string) []string {
	return func(text string) []string {
		return slices.DeleteFunc(slices.Clone(words), func(w string) bool { return !strings.HasPrefix(w, text) })
	}
}

// completing offers a list, and no blank after what may go on.
func completing(list func(text string) []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, text string) ([]string, cobra.ShellCompDirective) {
		options := list(text)
		directive := cobra.ShellCompDirectiveNoFileComp
		if slices.ContainsFunc(options, func(o string) bool { return strings.ContainsAny(o[len(o)-1:], ":=/") }) {
			directive |= cobra.ShellCompDirectiveNoSpace
		}
		return options, directive
	}
}
