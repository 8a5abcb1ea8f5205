package cmd

import (
	"strings"

	"github.com/spf13/cobra"

	"commsplit/repl"
)

// newOneShot is a verb as a command of the command line, on a fresh world.
func newOneShot(s Streams, v *repl.Verb) *cobra.Command {
	f := newWorldFlags()
	name := strings.ReplaceAll(v.Name, "_", "-")
	_, example, _ := strings.Cut(v.Example, "= ")
	c := &cobra.Command{
		Use:     name + " ARGS...",
		Short:   v.Short + " (" + v.Call.String() + ")",
		Long:    v.Long + "\n\n" + v.Signature(),
		Example: "  commsplit " + strings.ReplaceAll(shellQuoted(example), v.Name, name) + " -n 8",
		RunE: func(c *cobra.Command, args []string) error {
			first := strings.Join(append([]string{v.Name}, args...), " ")
			f.chunks = append([]string{first}, f.chunks...)
			return runChunks(c.Context(), s, f)
		},
	}
	f.add(c, true)
	return c
}

// shellQuoted puts arguments that a shell would change into quotes.
func shellQuoted(line string) string {
	words := strings.Fields(line)
	for i, w := range words {
		if strings.ContainsAny(w, `"*[]()`) {
			words[i] = "'" + w + "'"
		}
	}
	return strings.Join(words, " ")
}
