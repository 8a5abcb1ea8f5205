package repl

import (
	"context"
	"fmt"
	"path/filepath"

	"commsplit/render"
)

const saveHelp = "Its first line has the flags of the world, so that commsplit run FILE gives the same again. After each line " +
	"that changed what handles hold stands an expect_parts with what came, marked as recorded; with plain, no " +
	"expectations but yours are written. "

func (c *Console) metaSave(ctx context.Context, args []string) error {
	switch {
	case len(args) == 0:
		return fmt.Errorf(".save needs a file: NAME.mpi for the lines as typed, NAME.py for the program")
	case len(args) == 1:
		return c.save(ctx, args[0], true, forced("save", args...))
	case args[1] == "plain":
		return c.save(ctx, args[0], false, forced("save", args...))
	}
	return fmt.Errorf(".save FILE takes plain, for no expectations but yours, not %s", args[1])
}

// save writes the session to a file, with or without what came; again is the line that writes over one
// which is not the session's.
func (c *Console) save(ctx context.Context, file string, record bool, again string) error {
	kinds := map[string]func(map[int][]entry) string{".mpi": c.Session.text, ".py": c.Session.program}
	write := kinds[filepath.Ext(file)]
	if write == nil {
		return fmt.Errorf("%q: the name must end in .mpi, for the lines as typed, or .py, for the program", file)
	}
	var recorded map[int][]entry
	n := c.Session.Size()
	switch {
	case !record:
	case n > mostRecorded:
		fmt.Fprintf(c.Err, "note: no expectations were recorded: "+
			"that is for worlds of up to %d ranks, and this one has %d\n", mostRecorded, n)
	default:
		var err error
		if recorded, err = c.Session.recorded(ctx); err != nil {
			return err
		}
	}
	if err := WriteNew(file, []byte(write(recorded)), c.force || c.owns(file), again); err != nil {
		return &InputError{err}
	}
	c.own(file)
	count := 0
	for _, list := range recorded {
		count += len(list)
	}
	if count == 0 {
		fmt.Fprintf(c.Out, "wrote %s\n", file)
		return nil
	}
	fmt.Fprintf(c.Out, "wrote %s, %s recorded\n", file, render.Plural(count, "expectation"))
	return nil
}

func (c *Console) metaProgram(ctx context.Context, args []string) error {
	if len(args) == 1 && filepath.Ext(args[0]) != ".py" {
		return fmt.Errorf("%q: the name of a program ends in .py", args[0])
	}
	if len(args) == 1 {
		return c.save(ctx, args[0], false, forced("program", args...))
	}
	fmt.Fprint(c.Out, c.Session.Program())
	return nil
}
