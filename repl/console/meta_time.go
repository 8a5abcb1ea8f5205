package console

import (
	"context"
	"fmt"
	"strconv"

	"codeberg.org/commsplit/commsplit/engine/reason"
	"codeberg.org/commsplit/commsplit/hw/spell"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/lang"
)

func metaUndo(ctx context.Context, c *Console, args []string) error {
	n := 1
	if len(args) == 1 {
		var err error
		if n, err = strconv.Atoi(args[0]); err != nil || n < 1 {
			return fmt.Errorf(".undo takes a number of lines, not %s", args[0])
		}
	}
	done, err := c.Session.Undo(ctx, n)
	if err != nil {
		return err
	}
	fmt.Fprintf(c.Out, "took back %s\n", spell.Plural(done, "line"))
	return nil
}

func metaRedo(ctx context.Context, c *Console, _ []string) error {
	if err := c.Session.Redo(ctx); err != nil {
		return err
	}
	fmt.Fprintln(c.Out, "done again")
	return nil
}

// cursor is the place of .step in the trace.
type cursor struct {
	step  int         // a step of the trace; 0: before the first step
	phase int         // how many phases of the step were shown
	after *lang.Chunk // the session's last chunk when the cursor was set; nil: the cursor was never set
}

// present returns the cursor; the last step, if a chunk was run or taken back after the cursor was set.
func (c *Console) present() cursor {
	last := c.Session.Last()
	if c.step.after != last || last == nil {
		return cursor{step: c.Session.Steps(), after: last}
	}
	return c.step
}

// view returns the session as after the step that .step went to, and prints which step that is; without .step, the
// present session.
func (c *Console) view() *render.View {
	v := c.Session.View()
	at := c.present().step
	if at == len(v.Snapshot.Steps) {
		return v
	}
	fmt.Fprintf(c.Out, "as after step %d of %d\n\n", at, len(v.Snapshot.Steps))
	return repl.PastView(v, at)
}

func metaStep(_ context.Context, c *Console, args []string) error {
	v := c.Session.View()
	last := len(v.Snapshot.Steps)
	at := c.present()
	if len(args) == 0 {
		return render.Trace(c.Out, v, c.Style)
	}
	switch args[0] {
	case "in":
		return stepIn(c, v, at)
	case "out":
		if at.phase == 0 {
			return fmt.Errorf("no step was entered: .step in enters one")
		}
	case "next":
		if at.step == last {
			return fmt.Errorf("step %d is the last step of the trace", last)
		}
		at.step++
	case "back":
		if at.step == 0 {
			return fmt.Errorf("this is the beginning of the trace")
		}
		at.step--
	default:
		k, err := strconv.Atoi(args[0])
		if err != nil || k < 0 || k > last {
			return fmt.Errorf(".step takes a step of the trace, 0 to %d, or in, out, next, back; not %s%s", last, args[0], spell.DidYouMean(args[0], []string{"in", "out", "next", "back"}))
		}
		at.step = k
	}
	at.phase = 0
	c.step = at
	return showAfter(c, v, at.step)
}

// showAfter shows the communicators as after step k.
func showAfter(c *Console, v *render.View, k int) error {
	past := repl.PastView(v, k)
	if err := render.Lineage(c.Out, past, c.Style); err != nil {
		return err
	}
	fmt.Fprintln(c.Out)
	return render.Table(c.Out, past, c.Style)
}

// stepIn shows the next phase of the present step.
func stepIn(c *Console, v *render.View, at cursor) error {
	if at.step == 0 {
		return fmt.Errorf("there is no step to go into: .step K goes to step K of the trace, which has %d", len(v.Snapshot.Steps))
	}
	ph, err := reason.Of(v.Snapshot, at.step)
	if err != nil {
		return err
	}
	if at.phase == len(ph.Stages) {
		return fmt.Errorf("step %d has no more phases: .step out leaves it, .step %d begins again", at.step, at.step)
	}
	at.phase++
	c.step = at
	return render.Phase(c.Out, v, ph, at.phase-1, c.Style)
}
