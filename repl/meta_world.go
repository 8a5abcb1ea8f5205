package repl

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"commsplit/hw/placement"
	"commsplit/hw/source"
	"commsplit/render"
	"commsplit/render/paint"
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
	fmt.Fprintln(c.Out, paint.Printable(Wrap("process sets: "+strings.Join(list, ", "), c.Style.Width, "")))
}

// describeWorld prints the line about the world.
func (c *Console) describeWorld() { fmt.Fprintln(c.Out, c.Session.Describe()) }

func (c *Console) metaTopo(ctx context.Context, args []string) error {
	if len(args) == 0 {
		return render.Tree(c.Out, c.Session.View(), c.Style)
	}
	cfg := c.Session.Config()
	cfg.Topo, cfg.Size = strings.Trim(strings.Join(args, " "), `"'`), 0
	if source.IsJob(cfg.Topo) {
		cfg.Policy = placement.Policy{} // a job says where its ranks run
	}
	return c.restart(ctx, cfg)
}

// restart begins a fresh world and prints a description of it.
func (c *Console) restart(ctx context.Context, cfg Config) error {
	if err := c.Session.Restart(ctx, cfg); err != nil {
		return err
	}
	c.describeWorld()
	fmt.Fprintln(c.Out, "a fresh world; .undo brings the former one back")
	return nil
}

func (c *Console) metaBind(ctx context.Context, args []string) error {
	if len(args) == 0 {
		return render.Map(c.Out, c.Session.View(), c.Style)
	}
	p, err := bindPolicy(args)
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
	return c.restart(ctx, cfg)
}

// bindFlags are the names of the flags that .bind takes: all flags of placement except --bind, whose list .bind
// takes without the flag's name.
var bindFlags = func() []string {
	var list []string
	for _, f := range placement.Flags {
		if f.Name != "bind" {
			list = append(list, "--"+f.Name)
		}
	}
	return list
}()

// bindPolicy reads the arguments of .bind: a list of PUs, or flags with their values.
func bindPolicy(args []string) (placement.Policy, error) {
	var p placement.Policy
	if !strings.HasPrefix(args[0], "-") {
		if len(args) > 1 {
			return p, fmt.Errorf(".bind takes one list of PUs, or %s", strings.Join(bindFlags, ", "))
		}
		p.List = args[0]
		return p, nil
	}
	for len(args) > 0 {
		name, value, joined := strings.Cut(args[0], "=")
		args = args[1:]
		at := slices.IndexFunc(placement.Flags, func(f placement.Flag) bool { return "--"+f.Name == name && f.Name != "bind" })
		if at < 0 {
			return p, fmt.Errorf(".bind takes a list of PUs, or %s, not %s", strings.Join(bindFlags, ", "), name)
		}
		if !joined && len(args) > 0 {
			value, args = args[0], args[1:]
		}
		if value == "" {
			return p, fmt.Errorf(".bind: %s wants a value", name)
		}
		*placement.Flags[at].Of(&p) = value
	}
	return p, nil
}

// completeBind completes the flags of .bind and their values.
func completeBind(line string) (start int, options []string) {
	start = lastBlank(line)
	word := line[start:]
	before := strings.Fields(line[:start])
	if flag, value, ok := strings.Cut(word, "="); ok && strings.HasPrefix(flag, "--") {
		return start + len(flag) + 1, placement.Complete(strings.TrimPrefix(flag, "--"), value)
	}
	if flag, ok := strings.CutPrefix(before[len(before)-1], "--"); ok && !strings.Contains(flag, "=") {
		return start, placement.Complete(flag, word)
	}
	return start, matching(word, bindFlags)
}
