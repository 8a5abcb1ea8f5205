package repl

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"commsplit/repl/lang"
)

// ErrLeft ends Steps where a person leaves.
var ErrLeft = errors.New("left")

// Steps runs chunks to the end, as Script does, and announces each one before it runs. pause waits for the
// person, who leaves with ErrLeft; nil waits for nobody.
func (c *Console) Steps(ctx context.Context, chunks []*lang.Chunk, pause func() error) error {
	for i, chunk := range chunks {
		fmt.Fprintf(c.Out, "\n%d of %d  %s:%d", i+1, len(chunks), chunk.File, chunk.Line)
		c.Announce(chunk)
		if pause != nil {
			if err := pause(); err != nil {
				return err
			}
		}
		if err := c.Do(ctx, chunk); err != nil {
			return err
		}
		if c.quit {
			break
		}
	}
	return c.End(ctx)
}

// Announce shows a chunk as a person would have typed it. Blank lines end blocks, and are left out.
func (c *Console) Announce(chunk *lang.Chunk) {
	head := fmt.Sprintf("world[%d]> ", c.Session.Size())
	fmt.Fprintln(c.Out)
	for line := range strings.SplitSeq(strings.TrimRight(chunk.Text, "\n"), "\n") {
		if strings.TrimSpace(line) == "" {
			continue
		}
		fmt.Fprintln(c.Out, head+line)
		head = strings.Repeat(" ", len(head)-len("...> ")) + "...> "
	}
}
