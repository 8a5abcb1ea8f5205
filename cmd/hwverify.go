package cmd

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"codeberg.org/commsplit/commsplit/hw"
	"codeberg.org/commsplit/commsplit/hw/compare"
	"codeberg.org/commsplit/commsplit/hw/source"
	"codeberg.org/commsplit/commsplit/hw/spell"
	"codeberg.org/commsplit/commsplit/hw/verify"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/render/document"
	"codeberg.org/commsplit/commsplit/repl"
)

func newHWVerify(s Streams) *cobra.Command {
	f := newWorldFlags().atOnce()
	topo, pin, strict, fleet := "", false, false, false
	c := described("hw verify", &cobra.Command{
		Use:   "verify [--fleet FILE|DIR...]",
		Short: "check that a machine is read correctly: rules, then witnesses",
		Args: func(c *cobra.Command, args []string) error {
			if !fleet {
				return nothing(c, args)
			}
			return fleetArgs(c, args)
		},
		RunE: func(c *cobra.Command, args []string) error {
			if fleet {
				return verifyFleet(c.Context(), s, f, args)
			}
			r, err := verified(c.Context(), topo, pin)
			if err != nil {
				return err
			}
			if f.output == "json" {
				err = document.Verify(s.Out, r)
			} else {
				err = render.Verify(s.Out, r, f.style(s))
			}
			switch n, lack := r.Count(), r.Missing(); {
			case err == nil && n > 0:
				return saysNo("%s", spell.Plural(n, "finding"))
			case err == nil && strict && len(lack) > 0:
				return saysNo("missing evidence (--strict): no answer from %s", strings.Join(lack, ", "))
			}
			return err
		},
	})
	c.Flags().SortFlags = false
	c.Flags().StringVar(&topo, "topo", "", "machine `SPEC`: this, or fsroot:PATH, a folder or tar archive with a Linux machine's /proc and /sys (default: this)")
	f.addOnly(c, "output", "color", "theme", "full")
	c.Flags().BoolVar(&pin, "pin", false, "also run a thread on each PU that this process may use")
	c.Flags().BoolVar(&strict, "strict", false, "exit code 1 also if a witness fails or cannot answer")
	c.Flags().BoolVar(&fleet, "fleet", false, "compare many recordings, or folders of them, with each other")
	return c
}

// fleetArgs refuses flags that are for one machine, and wants at least one recording.
func fleetArgs(c *cobra.Command, args []string) error {
	for _, name := range []string{"topo", "pin", "strict"} {
		if c.Flags().Changed(name) {
			return fmt.Errorf("--fleet and --%s: choose one", name)
		}
	}
	if len(args) == 0 {
		return fmt.Errorf("%s --fleet needs recordings: FILE.tar.gz, FILE.xml or folders of recordings", c.CommandPath())
	}
	return nil
}

// verifyFleet compares many machines with each other.
func verifyFleet(ctx context.Context, s Streams, f *worldFlags, texts []string) error {
	list, err := source.Fleet(ctx, texts)
	if err != nil {
		return repl.Loaded(err)
	}
	var names []string
	var machines []*hw.Topology
	var unreadable []document.FleetMember
	for _, m := range list {
		if m.Err != nil {
			unreadable = append(unreadable, document.FleetMember{Machine: m.Name, Why: m.Err.Error()})
			continue
		}
		names, machines = append(names, m.Name), append(machines, m.Topology)
	}
	groups := compare.Groups(machines)
	if f.output == "json" {
		err = document.Fleet(s.Out, names, groups, unreadable)
	} else {
		err = render.Fleet(s.Out, names, groups, f.style(s))
		for _, m := range unreadable {
			fmt.Fprintf(s.Err, "%s cannot be read: %s\n", m.Machine, m.Why)
		}
	}
	alike := 0
	if len(groups) > 0 {
		alike = len(groups[0].Members)
	}
	if n := len(list) - alike; err == nil && n > 0 {
		return saysNo("%d of %d machines %s odd", n, len(list), spell.Agreeing(n, "is", "are"))
	}
	return err
}

// verified asks the witnesses of the machine that spec names.
func verified(ctx context.Context, spec string, pin bool) (*verify.Report, error) {
	spec = strings.TrimSpace(spec)
	path, copied := strings.CutPrefix(spec, "fsroot:")
	switch {
	case copied && pin:
		return nil, errors.New("--pin binds threads on this machine: leave out --topo")
	case copied && path == "":
		return nil, errors.New("--topo fsroot: has no path: give fsroot:PATH, a folder or tar archive with /proc and /sys")
	case !copied && spec != "" && spec != "this":
		return nil, fmt.Errorf("--topo %s: hw verify needs a machine with /proc and /sys: this, or fsroot:PATH", spec)
	}
	var r *verify.Report
	var err error
	if copied {
		r, err = verify.Copy(ctx, path)
	} else {
		r, err = verify.This(ctx)
	}
	if err == nil && pin {
		err = r.Pin(ctx)
	}
	return r, repl.AsInput(err)
}

func newHWDiff(s Streams) *cobra.Command {
	f := newWorldFlags().atOnce()
	c := described("hw diff", &cobra.Command{
		Use:   "diff A B",
		Short: "print the differences between two machines",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 2 {
				return fmt.Errorf("%s needs two machines A and B, each a value of --topo", c.CommandPath())
			}
			return nil
		},
		ValidArgsFunction: completing(source.Complete),
		RunE: func(c *cobra.Command, args []string) error {
			a, err := load(c.Context(), args[0])
			if err != nil {
				return err
			}
			b, err := load(c.Context(), args[1])
			if err != nil {
				return err
			}
			list := compare.Of(a, b)
			if f.output == "json" {
				err = document.Differences(s.Out, args[0], args[1], list)
			} else {
				err = render.Differences(s.Out, args[0], args[1], list, f.style(s))
			}
			if err == nil && len(list) > 0 {
				err = saysNo("%s", spell.Plural(len(list), "difference"))
			}
			return err
		},
	})
	c.Flags().SortFlags = false
	f.addOnly(c, "output", "color", "theme", "full")
	return c
}
