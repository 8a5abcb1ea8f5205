package repl

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"commsplit/hw"
	"commsplit/hw/placement"
	"commsplit/render"
)

// placed says where ranks run, in the words that were used.
func placed(t *hw.Topology, p placement.Policy) string {
	switch {
	case placement.AsRun(t, p):
		return "placed as the job ran"
	case p.List != "":
		return "bound to " + p.List
	case p.Rankfile != "":
		return "placed by " + p.Rankfile
	}
	words := "map-by " + cmp.Or(p.MapBy, "core")
	if p.RankBy != "" {
		words += ", rank-by " + p.RankBy
	}
	return words + ", bind-to " + cmp.Or(p.BindTo, "core")
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
	if p.Rankfile != "" || strings.HasPrefix(strings.ToLower(p.MapBy), "ppr:") {
		cfg.Size = 0 // they say how many ranks there are
	} else if cfg.Size == 0 {
		cfg.Size = c.Session.Size()
	}
	return c.restart(ctx, cfg)
}

// bindFlags are what .bind takes, by the names of the flags.
var bindFlags = []string{"--map-by", "--rank-by", "--bind-to", "--rankfile"}

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
	fields := map[string]*string{"--map-by": &p.MapBy, "--rank-by": &p.RankBy, "--bind-to": &p.BindTo, "--rankfile": &p.Rankfile}
	for len(args) > 0 {
		name, value, joined := strings.Cut(args[0], "=")
		args = args[1:]
		field := fields[name]
		if field == nil {
			return p, fmt.Errorf(".bind takes a list of PUs, or %s, not %s", strings.Join(bindFlags, ", "), name)
		}
		if !joined && len(args) > 0 {
			value, args = args[0], args[1:]
		}
		if value == "" {
			return p, fmt.Errorf(".bind: %s wants a value", name)
		}
		*field = value
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
