package repl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"

	"commsplit/engine"
	"commsplit/repl/edit"
	"commsplit/repl/lang"
)

// Loop reads lines and runs them until the end of input or .quit. At a prompt, errors are told and
// the session goes on; otherwise the first one ends it.
func (c *Console) Loop(ctx context.Context, lines edit.Reader, file string) error {
	r := NewReader(file)
	if c.Prompt {
		c.Predict = lines.Answer
	}
	for !c.quit {
		line, err := lines.Line(c.promptText(r.Pending()))
		if errors.Is(err, edit.ErrAborted) {
			r.Reset()
			continue
		}
		if err == io.EOF {
			if c.Prompt {
				fmt.Fprintln(c.Out) // what follows is not to stand behind the prompt
			}
			break
		}
		if err != nil {
			if c.Prompt {
				fmt.Fprintln(c.Out)
			}
			return &InputError{err}
		}
		for _, line := range Typed(line) {
			chunks, err := r.Feed(line, c.Prompt)
			for _, entry := range r.Entries() {
				lines.Keep(entry)
			}
			if err = c.each(ctx, chunks, err); err != nil {
				return err
			}
		}
	}
	if c.quit {
		return nil
	}
	chunks, err := r.Close()
	return c.each(ctx, chunks, err)
}

// each runs chunks, then deals with the error of reading the line after them.
func (c *Console) each(ctx context.Context, chunks []*lang.Chunk, read error) error {
	for _, chunk := range chunks {
		if err := c.interruptible(ctx, chunk); err != nil {
			return err
		}
	}
	if read == nil {
		return nil
	}
	return c.tell(read)
}

// interruptible runs a chunk that Ctrl-C can stop.
func (c *Console) interruptible(ctx context.Context, chunk *lang.Chunk) error {
	run, stop := signal.NotifyContext(ctx, os.Interrupt)
	err := c.Do(run, chunk)
	stop()
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil: // not the line was to end, but the session
		return context.Cause(ctx)
	}
	return c.tell(err)
}

// tell writes an error at a prompt, where it ends nothing.
func (c *Console) tell(err error) error {
	if !c.Prompt {
		return err
	}
	WriteError(c.Err, err)
	return nil
}

// bareWord lets help, quit and exit work without the dot when they stand alone.
func bareWord(line string) string {
	switch strings.TrimSpace(line) {
	case "help", "?":
		return ".help"
	case "quit", "exit":
		return ".quit"
	}
	return line
}

// promptText carries the state: "world[8]> ", or who is blocked.
func (c *Console) promptText(pending bool) string {
	head := fmt.Sprintf("world[%d]", c.Session.Size())
	if pending {
		return strings.Repeat(" ", max(len(head)-3, 0)) + "...> "
	}
	if waiting := c.Session.Waiting(); len(waiting) > 0 {
		var all []int
		for _, w := range waiting {
			all = append(all, w.Ranks.Slice()...)
		}
		text := engine.RanksOf(all...).String()
		if len(text) > 24 {
			text = fmt.Sprintf("%d ranks", len(all))
		}
		head += " blocked:" + text
	}
	return head + "> "
}

// Welcome is what a person sees first.
func (c *Console) Welcome() {
	c.describeWorld()
	for _, n := range c.Session.place.topology.Notes {
		fmt.Fprintf(c.Out, "note: %s\n", n)
	}
	fmt.Fprintln(c.Out, `Try "half = split world color=rank%2", .topo, .help; Ctrl-D leaves.`)
	if lost := c.Lost(); lost != "" {
		fmt.Fprintln(c.Out, lost)
	}
}
