package repl

import (
	"cmp"
	"context"
	"fmt"
	"slices"
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
	case p.Srun != placement.Srun{}:
		return "placed as by srun " + strings.Join(placementWords(p), " ")
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
	if p.ManyRanks() {
		cfg.Size = 0 // they say how many ranks there are
	} else if cfg.Size == 0 {
		cfg.Size = c.Session.Size()
	}
	return c.restart(ctx, cfg)
}

// placementWords are the flags that say what a policy says.
func placementWords(p placement.Policy) []string {
	var words []string
	for _, f := range placement.Flags {
		if value := *f.Of(&p); value != "" {
			words = append(words, "--"+f.Name, value)
		}
	}
	return words
}

// bindFlags are what .bind takes, by the names of the flags: all but --bind, whose list stands alone.
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
