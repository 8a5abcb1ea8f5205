package cmd

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"commsplit/hw/verify"
	"commsplit/render"
	"commsplit/repl"
)

const verifyHelp = `Hold what commsplit reads of this machine, or of a recorded one, against what
others say of it: ghw, /proc/cpuinfo, lscpu and lstopo where they are installed,
and, of what this process may use, the kernel, its cgroup and the Go runtime.

Each type of object is compared by its PU sets, and caches by their sizes. A
difference is explained when a known limit of the witness, applied to the
machine's own files, gives exactly what it says. Exit code 1 says that something
remains unexplained, a witness fails, or a rule that every machine follows does
not hold.

-o json is one object: "unexplained" (their number), "types" (type, subtype,
count and sets of PUs, as read), "witnesses" (name, state answered, skipped or
failed, why, and verdicts: type, verdict agrees, explained or unexplained,
count, sets, why), "memory" (bytes), "invariants" (rule, broken), "pins" (pu,
error) and "notes".`

// unexplained is the error of a verification that left something open.
type unexplained struct{ findings int }

// Error says it in one line.
func (u *unexplained) Error() string {
	if u.findings == 1 {
		return "1 finding is unexplained"
	}
	return fmt.Sprintf("%d findings are unexplained", u.findings)
}

func newHWVerify(s Streams) *cobra.Command {
	f := newWorldFlags().atOnce()
	topo, pin := "", false
	c := &cobra.Command{
		Use:   "verify",
		Short: "hold what is read of a machine against what others say of it",
		Long:  verifyHelp,
		Example: `  commsplit hw verify
  commsplit hw verify --topo fsroot:recording.tar.gz -o json`,
		Args: nothing,
		RunE: func(c *cobra.Command, _ []string) error {
			r, err := verified(c.Context(), topo, pin)
			if err != nil {
				return err
			}
			if f.output == "json" {
				err = render.VerifyJSON(s.Out, r)
			} else {
				err = render.Verify(s.Out, r, f.style(s))
			}
			if n := r.Count(); err == nil && n > 0 {
				err = &unexplained{n}
			}
			return err
		},
	}
	c.Flags().SortFlags = false
	c.Flags().StringVar(&topo, "topo", "", "machine `SPEC`: this, or fsroot:PATH, a folder or tar archive with a Linux machine's /proc and /sys (default: this)")
	for _, name := range []string{"output", "color", "full"} {
		c.Flags().AddFlag(f.set.Lookup(name))
	}
	c.Flags().BoolVar(&pin, "pin", false, "also run a thread on each PU that this process may use")
	return c
}

// verified asks the witnesses of the machine that spec names.
func verified(ctx context.Context, spec string, pin bool) (*verify.Report, error) {
	spec = strings.TrimSpace(spec)
	path, copied := strings.CutPrefix(spec, "fsroot:")
	switch {
	case copied && pin:
		return nil, errors.New("--pin binds threads of this machine: leave --topo away")
	case copied && path == "":
		return nil, errors.New("--topo fsroot: has no path: give fsroot:PATH, a folder or tar archive with /proc and /sys")
	case !copied && spec != "" && spec != "this":
		return nil, fmt.Errorf("--topo %s: only a machine with /proc and /sys has witnesses: this, or fsroot:PATH", spec)
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
