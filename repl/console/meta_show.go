package console

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"codeberg.org/commsplit/commsplit/engine"
	"codeberg.org/commsplit/commsplit/hw/spell"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/render/document"
	"codeberg.org/commsplit/commsplit/render/picture"
	"codeberg.org/commsplit/commsplit/repl"
)

func metaMode(_ context.Context, c *Console, args []string) error {
	if len(args) == 0 {
		fmt.Fprintln(c.Out, c.mode)
		return nil
	}
	if modes := []string{"text", "json"}; !slices.Contains(modes, args[0]) {
		return fmt.Errorf(".mode %s: %s", args[0], spell.Choice(args[0], modes))
	}
	c.mode = args[0]
	return nil
}

func metaShow(_ context.Context, c *Console, args []string) error {
	if c.mode == "json" {
		return document.Run(c.Out, c.Session.ViewEnd(false))
	}
	what := "table"
	if len(args) > 0 {
		what = args[0]
	}
	st := c.Style
	if len(args) > 1 {
		i := slices.Index(render.Pictures, args[1])
		if i < 0 || repl.PictureOf(what) != nil {
			return fmt.Errorf(".show %s takes nothing else; behind a variable, .show takes %s, not %s%s", what, strings.Join(render.Pictures, ", "), args[1], spell.DidYouMean(args[1], render.Pictures))
		}
		st.Picture = render.Picture(i)
	}
	switch p := repl.PictureOf(what); {
	case p == nil:
		return showPartition(c, c.view(), what, st)
	case what == "leaks":
		return p(c.Out, c.Session.ViewLeaks(), c.Style)
	case what == "trace":
		return p(c.Out, c.Session.View(), c.Style)
	default:
		return p(c.Out, c.view(), c.Style)
	}
}

// showPartition draws the partition that a variable holds; for a list, the partition of each element.
func showPartition(c *Console, v *render.View, what string, st render.Style) error {
	var found []render.Handle
	for _, h := range v.Handles {
		for _, part := range repl.Expand(h) {
			if part.Name == what || strings.HasPrefix(part.Name, what+"[") {
				found = append(found, part)
			}
		}
	}
	if len(found) > 0 {
		return showAll(c, v, found, st)
	}
	all := slices.Sorted(slices.Values(repl.ShowWords()))
	for _, h := range v.Handles {
		all = append(all, h.Name)
	}
	return fmt.Errorf("no variable %s holds communicators%s; .show takes %s", what, spell.DidYouMean(what, all), strings.Join(all, ", "))
}

func showAll(c *Console, v *render.View, list []render.Handle, st render.Style) error {
	for i := range list {
		if len(list) > 1 {
			fmt.Fprintf(c.Out, "\n%s\n", list[i].Name)
		}
		if err := picture.Partition(c.Out, v, &list[i], st); err != nil {
			return err
		}
	}
	return nil
}

// mostAlone is how many ranks are explained one by one when ranks are named.
const mostAlone = 8

func metaExplain(_ context.Context, c *Console, args []string) error {
	v := c.view()
	if len(args) == 0 && v.Deadlock != nil {
		return explainBlocked(c, v)
	}
	if len(args) == 0 {
		return fmt.Errorf(".explain needs a variable that holds communicators: .explain half, or .explain half @3")
	}
	ranks, alone := engine.AllRanks(c.Session.Size()), 0
	if len(args) > 1 {
		text, ok := strings.CutPrefix(args[1], "@")
		if !ok {
			return fmt.Errorf(".explain takes ranks as @0-3, not %s: .explain %s @%s", args[1], args[0], args[1])
		}
		var err error
		if ranks, err = engine.ParseRanks(text, c.Session.Size()); err != nil {
			return err
		}
		alone = mostAlone
	}
	list, rest, err := c.Session.Explain(v, args[0], ranks, alone)
	if err != nil {
		return err
	}
	return render.Explain(c.Out, v, list, rest, c.Style)
}

// explainBlocked prints why ranks wait, and how the session can go on.
func explainBlocked(c *Console, v *render.View) error {
	if err := render.Waiting(c.Out, v, c.Style); err != nil {
		return err
	}
	fmt.Fprintln(c.Out, c.wrapped("", v.Deadlock.Message))
	_, err := fmt.Fprintln(c.Out, c.wrapped("", "The ranks stay blocked until a line lets them go on; .undo takes the last line back."))
	return err
}
