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
	"codeberg.org/commsplit/commsplit/hw/verify"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/render/document"
	"codeberg.org/commsplit/commsplit/repl"
)

const verifyHelp = `Check whether commsplit reads this machine, or a recorded one, correctly.

First, hw verify checks the raw files of /proc and /sys against rules that hold
on every machine: the masks of a package's PUs agree, no PU is in two NUMA
nodes, an outer cache covers the inner cache. For each broken rule, the report
shows the file, the PU, the values that contradict each other, and the
consequence. A malformed file breaks a rule, too; if no tree can be made from
the files, the report has only the rules. Then hw verify compares the tree with
witnesses: /proc/cpuinfo, lscpu and lstopo if installed, and, for the PUs that
this process may use, the kernel, the cgroup and the Go runtime. Objects are
compared by their PU sets, caches also by size, devices by address and NUMA
node. ghw is shown, but decides nothing.

Exit code 1 means that a rule is broken, or that a witness differs and is not
known to be wrong on such machines. A witness that fails is missing evidence:
exit code 0, and 1 with --strict. Without /sys the witnesses are compared with
each other.

--fleet instead compares many recordings, or folders of recordings, as hw diff
compares two machines. The largest group of equal machines comes first, then
each odd machine with its differences from the group that is most similar. Exit
code 1 means that a machine is odd or cannot be read.

-o json is one object: "findings" (their number), "rules" (rule, says, broken:
pu and files with their values), "follows", "against" (what witnesses are
compared with), "cgroup", "types" (type, subtype, count and sets of PUs, as
read), "witnesses" (name, state answered, skipped, unable or failed, why, and
verdicts: type, verdict agrees, explained, differs or unexplained, count, sets,
why),
"memory" (bytes), "devices" (kind, name, bus, node, verdict agrees or differs of
ghw, why), "pins" (pu, error) and "notes".`

// found is the error of a verification that found something, or that lacks evidence and is strict.
type found struct {
	findings int
	missing  []string // witnesses
}

// Error says it in one line.
func (f *found) Error() string {
	switch f.findings {
	case 0:
		return "missing evidence (--strict): no answer from " + strings.Join(f.missing, ", ")
	case 1:
		return "1 finding"
	}
	return fmt.Sprintf("%d findings", f.findings)
}

func newHWVerify(s Streams) *cobra.Command {
	f := newWorldFlags().atOnce()
	topo, pin, strict, fleet := "", false, false, false
	c := &cobra.Command{
		Use:   "verify [--fleet FILE|DIR...]",
		Short: "check that a machine is read correctly: rules, then witnesses",
		Long:  verifyHelp,
		Example: `  commsplit hw verify
  commsplit hw verify --topo fsroot:recording.tar.gz -o json
  commsplit hw verify --fleet recordings/`,
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
			n, lack := r.Count(), r.Missing()
			if err == nil && (n > 0 || strict && len(lack) > 0) {
				err = &found{n, lack}
			}
			return err
		},
	}
	c.Flags().SortFlags = false
	c.Flags().StringVar(&topo, "topo", "", "machine `SPEC`: this, or fsroot:PATH, a folder or tar archive with a Linux machine's /proc and /sys (default: this)")
	for _, name := range []string{"output", "color", "theme", "full"} {
		c.Flags().AddFlag(f.set.Lookup(name))
	}
	c.Flags().BoolVar(&pin, "pin", false, "also run a thread on each PU that this process may use")
	c.Flags().BoolVar(&strict, "strict", false, "exit code 1 also if a witness fails or cannot answer")
	c.Flags().BoolVar(&fleet, "fleet", false, "compare many recordings, or folders of them, with each other")
	return c
}

// fleetArgs wants recordings, and no flag that is for one machine.
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

// odd is the error of machines that are not all equal.
type odd struct{ machines, of int }

// Error says it in one line.
func (o *odd) Error() string {
	if o.machines == 1 {
		return fmt.Sprintf("1 of %d machines is odd", o.of)
	}
	return fmt.Sprintf("%d of %d machines are odd", o.machines, o.of)
}

// verifyFleet compares many machines with each other.
func verifyFleet(ctx context.Context, s Streams, f *worldFlags, texts []string) error {
	list, err := source.Fleet(ctx, texts)
	if gone := (*source.Unavailable)(nil); errors.As(err, &gone) {
		return &repl.InputError{Err: err}
	}
	if err != nil {
		return err
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
	if err == nil && alike < len(list) {
		err = &odd{len(list) - alike, len(list)}
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
	if err != nil {
		return nil, &repl.InputError{Err: err}
	}
	return r, nil
}
