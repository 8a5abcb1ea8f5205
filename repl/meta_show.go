package repl

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"commsplit/render"
)

func (c *Console) metaMode(_ context.Context, args []string) error {
	if len(args) == 0 {
		fmt.Fprintln(c.Out, c.mode)
		return nil
	}
	if !slices.Contains([]string{"text", "json"}, args[0]) {
		return fmt.Errorf(".mode takes text or json, not %s", args[0])
	}
	c.mode = args[0]
	return nil
}

func (c *Console) metaShow(_ context.Context, args []string) error {
	v := c.Session.View()
	if c.mode == "json" {
		return render.JSON(c.Out, c.Session.ViewEnd(false))
	}
	what := "table"
	if len(args) > 0 {
		what = args[0]
	}
	if p := pictures[what]; p != nil {
		if what == "leaks" {
			v = c.Session.ViewLeaks()
		}
		return p(c.Out, v, c.Style)
	}
	return c.showHandle(v, what)
}

// showHandle draws the partition that a variable holds; of a list, one after the other.
func (c *Console) showHandle(v *render.View, what string) error {
	for _, h := range v.Handles {
		parts := expandLists(h)
		if h.Name == what {
			return c.showAll(v, parts)
		}
		for i := range parts {
			if parts[i].Name == what {
				return c.showAll(v, parts[i:i+1])
			}
		}
	}
	all := append(slices.Sorted(maps.Keys(pictures)), c.Session.Handles()...)
	return fmt.Errorf("no variable %s holds communicators%s; .show takes %s", what, didYouMean(what, all), strings.Join(all, ", "))
}

func (c *Console) showAll(v *render.View, list []render.Handle) error {
	for i := range list {
		if len(list) > 1 {
			fmt.Fprintf(c.Out, "\n%s\n", list[i].Name)
		}
		if err := render.Partition(c.Out, v, &list[i], c.Style); err != nil {
			return err
		}
	}
	return nil
}
