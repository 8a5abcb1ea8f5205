package repl

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"commsplit/hw/placement"
	"commsplit/hw/source"
	"commsplit/render"
)

func (c *Console) metaWorld(ctx context.Context, args []string) error {
	if len(args) == 1 {
		n, err := strconv.Atoi(args[0])
		if err != nil || n < 1 {
			return fmt.Errorf(".world takes the number of ranks, not %s", args[0])
		}
		cfg := c.Session.Config()
		cfg.Size = n
		return c.restart(ctx, cfg)
	}
	c.describeWorld()
	c.describePsets()
	return nil
}

// describePsets lists the process sets that sessions find.
func (c *Console) describePsets() {
	list := []string{"mpi://SELF (each rank its own)"}
	for _, p := range c.Session.world.Psets() {
		list = append(list, p.Name+"="+p.Ranks.String())
	}
	list[0], list[1] = list[1], list[0] // the order in which sessions number them
	fmt.Fprintln(c.Out, render.Clean(Wrap("process sets: "+strings.Join(list, ", "), c.Style.Width, "")))
}

// describeWorld says in a line what the session talks to.
func (c *Console) describeWorld() {
	s := c.Session
	n, t := s.Size(), s.place.topology
	ranks := "ranks"
	if n == 1 {
		ranks = "rank"
	}
	bound := placed(t, s.config.Policy)
	fmt.Fprintf(c.Out, "%d %s on %s, %s, %s\n", n, ranks, t.Name, bound, s.place.std.Title())
}

func (c *Console) metaTopo(ctx context.Context, args []string) error {
	if len(args) == 0 {
		return render.Tree(c.Out, c.Session.View(), c.Style)
	}
	cfg := c.Session.Config()
	cfg.Topo, cfg.Size = strings.Trim(strings.Join(args, " "), `"'`), 0
	if source.IsJob(cfg.Topo) {
		cfg.Policy = placement.Policy{} // it says where its ranks run
	}
	return c.restart(ctx, cfg)
}

// restart begins a fresh world and says so.
func (c *Console) restart(ctx context.Context, cfg Config) error {
	if err := c.Session.Restart(ctx, cfg); err != nil {
		return err
	}
	c.describeWorld()
	fmt.Fprintln(c.Out, "a fresh world; .undo brings the former one back")
	return nil
}
