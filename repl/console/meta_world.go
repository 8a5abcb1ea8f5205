package console

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"codeberg.org/commsplit/commsplit/hw/placement"
	"codeberg.org/commsplit/commsplit/hw/source"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/render/paint"
	"codeberg.org/commsplit/commsplit/repl"
)

func metaWorld(ctx context.Context, c *Console, args []string) error {
	if len(args) == 1 {
		n, err := strconv.Atoi(args[0])
		if err != nil || n < 1 {
			return fmt.Errorf(".world takes the number of ranks, not %s", args[0])
		}
		cfg := c.Session.Config()
		cfg.Size = n
		return restart(ctx, c, cfg, nil)
	}
	c.describeWorld()
	describePsets(c)
	return nil
}

// describePsets lists the process sets that sessions find.
func describePsets(c *Console) {
	list := []string{"mpi://SELF (each rank its own)"}
	for _, p := range c.Session.World().Psets() {
		list = append(list, p.Name+"="+p.Ranks.String())
	}
	list[0], list[1] = list[1], list[0] // the order in which sessions number them
	fmt.Fprintln(c.Out, paint.Printable(repl.Wrap("process sets: "+strings.Join(list, ", "), c.Style.Line(), "")))
}

// describeWorld prints the line about the world.
func (c *Console) describeWorld() { fmt.Fprintln(c.Out, c.wrapped("", c.Session.Describe())) }

func metaTopo(ctx context.Context, c *Console, args []string) error {
	if len(args) == 0 {
		return render.Tree(c.Out, c.Session.View(), c.Style)
	}
	cfg := c.Session.Config()
	cfg.Topo, cfg.Size = strings.Trim(strings.Join(args, " "), `"'`), 0
	if source.IsJob(cfg.Topo) {
		cfg.Policy = placement.Policy{} // a job says where its ranks run
	}
	return restart(ctx, c, cfg, nil)
}

// restart begins a fresh world and prints a description of it. timeline is the timeline of the recording that is
// replayed in the world.
func restart(ctx context.Context, c *Console, cfg repl.Config, timeline *render.Timeline) error {
	cfg.Timeline = timeline
	if err := c.Session.Restart(ctx, cfg); err != nil {
		return err
	}
	c.describeWorld()
	fmt.Fprintln(c.Out, c.wrapped("", "a fresh world; .undo brings the former one back"))
	return nil
}

func metaBind(ctx context.Context, c *Console, args []string) error {
	if len(args) == 0 {
		return render.Map(c.Out, c.Session.View(), c.Style)
	}
	p, err := repl.BindPolicy(args)
	if err != nil {
		return err
	}
	cfg := c.Session.Config()
	cfg.Policy = p
	if p.ManyRanks() {
		cfg.Size = 0 // these flags say how many ranks there are
	} else if cfg.Size == 0 {
		cfg.Size = c.Session.Size()
	}
	return restart(ctx, c, cfg, nil)
}
