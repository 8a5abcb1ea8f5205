package cmd

import (
	"fmt"

	"github.com/spf13/cobra"

	"codeberg.org/commsplit/commsplit/repl/progress"
)

// course is a command that leads a person through lessons or exercises, with the flags --list and --reset.
type course struct {
	progress.Course
	list, reset bool
}

func (k *course) add(c *cobra.Command, files cobra.ShellCompDirective) {
	c.Flags().BoolVar(&k.list, "list", false, fmt.Sprintf("list the %s and mark those that are %s", k.Scripts, k.Ended))
	c.Flags().BoolVar(&k.reset, "reset", false, fmt.Sprintf("forget which %s are %s", k.Scripts, k.Ended))
	c.ValidArgsFunction = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		var names []string
		for _, e := range k.Examples() {
			names = append(names, e.Name)
		}
		return names, files
	}
}

// asked does what --list and --reset ask for; ok is false without them. named tells that the command line
// names a script.
func (k *course) asked(s Streams, named bool) (ok bool, err error) {
	switch {
	case !k.list && !k.reset:
		return false, nil
	case named || k.list && k.reset:
		return true, fmt.Errorf("commsplit %s takes only one of a name, --list and --reset", k.Command)
	case k.reset:
		return true, k.Reset(k.File())
	}
	p, err := k.Read(k.File())
	if err != nil {
		return true, err
	}
	next, _ := p.Next()
	for i, e := range k.Examples() {
		mark := ""
		switch {
		case e.Name == next.Name:
			mark = "next"
		case p.Done(e.Name):
			mark = "done"
		}
		fmt.Fprintf(s.Out, "%2d  %-4s  %s\n", i+1, mark, e.Title)
	}
	return true, nil
}

// allEnded tells the person what to do when no lesson or exercise is left.
func (k *course) allEnded(s Streams) {
	fmt.Fprintf(s.Out, "All %s are %s. commsplit %s N repeats one, commsplit %[3]s --reset starts over.\n", k.Scripts, k.Ended, k.Command)
}

// lost prints a note if progress could not be saved; what tells what is not remembered: "where you stopped".
func (k *course) lost(s Streams, p *progress.Progress, what string) {
	if err := p.Lost(); err != nil {
		fmt.Fprintf(s.Err, "note: %s is not remembered: %v\n", what, err)
	}
}
