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
	if c.mode == "json" {
		return render.JSON(c.Out, c.Session.ViewEnd(false))
	}
	what := "table"
	if len(args) > 0 {
		what = args[0]
	}
	switch p := pictures[what]; {
	case p == nil:
		return c.showHandle(c.view(), what)
	case what == "leaks":
		return p(c.Out, c.Session.ViewLeaks(), c.Style)
	case what == "trace":
		return p(c.Out, c.Session.View(), c.Style)
	default:
		return p(c.Out, c.view(), c.Style)
	}
}

// showHandle draws the partition that a variable holds; of a list, one after the other.
func (c *Console) showHandle(v *render.View, what string) error {
	var found []render.Handle
	for _, h := range v.Handles {
		for _, part := range expandLists(h) {
			if part.Name == what || strings.HasPrefix(part.Name, what+"[") {
				found = append(found, part)
			}
		}
	}
	if len(found) > 0 {
		return c.showAll(v, found)
	}
	all := slices.Sorted(maps.Keys(pictures))
	for _, h := range v.Handles {
		all = append(all, h.Name)
	}
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
