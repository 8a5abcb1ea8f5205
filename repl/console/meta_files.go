package console

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"codeberg.org/commsplit/commsplit/hw/spell"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/stories"
	"codeberg.org/commsplit/commsplit/scripts"
)

// find finds the script that .open names. For a line that may not read files it finds an embedded script, even
// where a file has the same name.
func find(ctx context.Context, c *Console, name string) (*stories.Script, error) {
	if file, text, ok := scripts.Lookup(name); ok && !c.trusted {
		return stories.NewScript(file, text), nil
	}
	return stories.FindScript(ctx, name, nil)
}

func metaOpen(ctx context.Context, c *Console, args []string) error {
	if len(args) == 0 {
		return fmt.Errorf(".open needs a file")
	}
	script, err := find(ctx, c, args[0])
	if err != nil {
		return err
	}
	if script.Path != "" {
		c.Own(script.Path)
	}
	if script.Recording != nil {
		if err := restart(ctx, c, script.World(c.Session.Config()), script.Timeline); err != nil {
			return err
		}
	} else if asked, here := stories.JoinFlags(script.Flags), stories.JoinFlags(c.Session.Flags()); asked != "" && asked != here {
		fmt.Fprintf(c.Err, "note: %s asks for %s; it runs here on %s\n", script.Name, asked, here)
	}
	chunks, err := script.Chunks()
	if err != nil {
		return err
	}
	for _, chunk := range chunks {
		if err := c.Do(ctx, chunk); err != nil {
			return err
		}
	}
	return nil
}

func metaSave(ctx context.Context, c *Console, args []string) error {
	switch {
	case len(args) == 0:
		return fmt.Errorf(".save needs a file: NAME.mpi for the lines as typed, NAME.py for the program")
	case len(args) == 1:
		return save(ctx, c, args[0], true, forced("save", args...))
	case args[1] == "plain":
		return save(ctx, c, args[0], false, forced("save", args...))
	}
	return fmt.Errorf(".save FILE takes only the word plain (write no expectations but yours), not %s", args[1])
}

// save writes the session to a file, with or without recorded expectations. again is the line that the error
// proposes when the file is there and the session did not write it.
func save(ctx context.Context, c *Console, file string, record bool, again string) error {
	kinds := map[string]func(*repl.Session, stories.Recorded) string{".mpi": stories.TextWith, ".py": stories.ProgramWith}
	write := kinds[filepath.Ext(file)]
	if write == nil {
		return fmt.Errorf("%q: the name must end in .mpi, for the lines as typed, or .py, for the program", file)
	}
	if w := stories.WholeProgram(c.Session); w != "" {
		return fmt.Errorf("%s is a whole program of C: .save writes only lines and programs of the session's language", w)
	}
	var recorded stories.Recorded
	n := c.Session.Size()
	switch {
	case !record:
	case n > stories.MostRecorded:
		fmt.Fprintf(c.Err, "note: no expectations were recorded: "+
			"that is for worlds of up to %d ranks, and this one has %d\n", stories.MostRecorded, n)
	default:
		var err error
		if recorded, err = stories.Record(ctx, c.Session); err != nil {
			return err
		}
	}
	if err := stories.WriteNew(file, []byte(write(c.Session, recorded)), c.force || c.owns(file), again); err != nil {
		return repl.AsInput(err)
	}
	c.Own(file)
	count := recorded.Count()
	if count == 0 {
		fmt.Fprintf(c.Out, "wrote %s\n", file)
		return nil
	}
	fmt.Fprintf(c.Out, "wrote %s, %s recorded\n", file, spell.Plural(count, "expectation"))
	return nil
}

func metaProgram(ctx context.Context, c *Console, args []string) error {
	if len(args) == 1 && filepath.Ext(args[0]) != ".py" {
		return fmt.Errorf("%q: the name of a program ends in .py", args[0])
	}
	if len(args) == 1 {
		return save(ctx, c, args[0], false, forced("program", args...))
	}
	fmt.Fprint(c.Out, stories.Program(c.Session))
	return nil
}

func metaExport(_ context.Context, c *Console, args []string) error {
	if len(args) == 0 {
		names, _ := stories.ExportFormats()
		return fmt.Errorf(".export needs a format: %s", strings.Join(names, ", "))
	}
	e := stories.Export{To: args[0]}
	if len(args) == 3 {
		e.Handle = args[2]
	}
	var b bytes.Buffer
	if err := stories.ExportTo(&b, c.Session, e); err != nil {
		return err
	}
	if len(args) == 1 || args[1] == "-" {
		_, err := b.WriteTo(c.Out)
		return err
	}
	over := func(path string) bool { return c.force || c.owns(path) }
	written, err := stories.WriteExport(e.To, args[1], b.Bytes(), over, forced("export", args...))
	for _, path := range written {
		c.Own(path)
	}
	if err != nil {
		return repl.AsInput(err)
	}
	fmt.Fprintf(c.Out, "wrote %s\n", args[1])
	return nil
}

// owns reports whether the session has opened or written a file, and so may write over it.
func (c *Console) owns(path string) bool { return c.mine[identity(path)] }

// Own notes that the session has opened or written a file, and so may write over it.
func (c *Console) Own(path string) {
	if c.mine == nil {
		c.mine = map[string]bool{}
	}
	c.mine[identity(path)] = true
}

// identity returns the absolute path of a file without links, the same for all names of the file.
func identity(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	return path
}

// forced returns the line of a meta command that writes over a file that exists.
func forced(name string, args ...string) string {
	return "." + name + "! " + strings.Join(args, " ") + " writes over it"
}
