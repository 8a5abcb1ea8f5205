package console

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/edit"
	"codeberg.org/commsplit/commsplit/repl/lang"
)

// Loop reads the lines of a person at a prompt and runs them until the end of input or .quit. Errors in lines are
// reported, and the session goes on.
func (c *Console) Loop(ctx context.Context, lines *edit.Terminal, file string) error {
	r := repl.NewInput(file)
	c.Predict = func(prompt string) (string, error) {
		c.asking.Store(true)
		defer c.asking.Store(false)
		return lines.Answer(prompt)
	}
	c.gate.err = c.Err
	c.Out, c.Err = c.gate.through(c.Out), c.gate.through(c.Err)
	for c.behind != nil || !c.quit {
		line, err := lines.Line(c.prompting(r.Pending()), c.prompting(true))
		if errors.Is(err, edit.ErrAborted) {
			r.Reset()
			continue
		}
		if err != nil {
			fmt.Fprintln(c.Out) // what follows is not to stand behind the prompt
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return repl.AsInput(err)
		}
		if err := c.typed(ctx, r, lines, line); err != nil {
			return err
		}
	}
	if c.behind == nil && c.quit {
		return nil
	}
	chunks, err := r.Close()
	return c.each(ctx, chunks, err)
}

// typed runs what was entered, and keeps the entries of the history that are complete.
func (c *Console) typed(ctx context.Context, r *repl.Input, lines *edit.Terminal, entered string) error {
	for _, line := range repl.Typed(entered) {
		chunks, err := r.Feed(line, true)
		for _, entry := range r.Entries() {
			lines.Keep(entry)
		}
		if err = c.each(ctx, chunks, err); err != nil {
			return err
		}
	}
	return nil
}

// each runs chunks, then reports the error of reading the line after them.
func (c *Console) each(ctx context.Context, chunks []*lang.Chunk, read error) error {
	for _, chunk := range chunks {
		if err := c.interruptible(ctx, chunk); err != nil {
			return err
		}
	}
	if read != nil {
		repl.WriteError(c.Err, read)
	}
	return nil
}

// PromptText carries the state: "world[8]> ", or which ranks are blocked. pending: a statement goes on.
func (c *Console) PromptText(pending bool) string {
	head := fmt.Sprintf("world[%d]", c.Session.Size())
	if pending {
		return strings.Repeat(" ", max(len(head)-3, 0)) + "...> "
	}
	if waiting := c.Session.WaitingRanks(); waiting.Len() > 0 {
		text := waiting.String()
		if len(text) > 24 {
			text = fmt.Sprintf("%d ranks", waiting.Len())
		}
		head += " blocked:" + text
	}
	return head + "> "
}

// Welcome prints the lines that a person sees first.
func (c *Console) Welcome() {
	c.describeWorld()
	for _, n := range c.Session.Notes() {
		fmt.Fprintln(c.Out, c.wrapped("note: ", n))
	}
	fmt.Fprintln(c.Out, c.wrapped("", `Try "half = split world color=rank%2", .topo, .help; Ctrl-D leaves.`))
	if lost := c.Lost(); lost != "" {
		fmt.Fprintln(c.Out, c.wrapped("", lost))
	}
}

// Quitting reports whether a line asked to leave.
func (c *Console) Quitting() bool { return c.quit }
