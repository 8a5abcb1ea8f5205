package repl

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"commsplit/hw/spell"
	"commsplit/repl/lang"
	"commsplit/scripts"
)

// findMeta finds a meta command by name or unambiguous beginning.
func findMeta(name string) *MetaCommand {
	var found []*MetaCommand
	name, force := strings.CutSuffix(name, "!")
	for _, m := range metaTable {
		if force && !m.force {
			continue
		}
		if m.Name == name {
			return m
		}
		if strings.HasPrefix(m.Name, name) {
			found = append(found, m)
		}
	}
	if len(found) == 1 {
		return found[0]
	}
	return nil
}

func metaNames() []string {
	names := make([]string, len(metaTable))
	for i, m := range metaTable {
		names[i] = m.Name
	}
	return names
}

func (c *Console) meta(ctx context.Context, chunk *lang.Chunk) error {
	m := findMeta(chunk.Verb.Text)
	if m == nil {
		hint := "; .help lists them"
		if near := spell.Nearest(chunk.Verb.Text, metaNames()); near != "" {
			hint = fmt.Sprintf(" (did you mean .%s?)", near)
		}
		return chunk.ErrorAt(chunk.Verb, "unknown meta command .%s%s", chunk.Verb.Text, hint)
	}
	args := make([]string, len(chunk.Args))
	for i, a := range chunk.Args {
		args[i] = a.Text
	}
	many := m.Name == "topo" || strings.HasSuffix(m.Args, "...]")
	if most := strings.Count(m.Args, " ") + 1; !many && len(args) > most || m.Args == "" && len(args) > 0 {
		return chunk.ErrorAt(chunk.Args[len(args)-1].Word, "too many arguments; it is: .%s", strings.TrimSpace(m.Name+" "+m.Args))
	}
	c.force, c.trusted = strings.HasSuffix(chunk.Verb.Text, "!"), chunk.Typed || c.AllowFiles
	if does := m.touches(args); does != "" && !c.trusted {
		return chunk.ErrorAt(chunk.Verb, ".%s %s, which the lines of a script may do only with --allow-files", m.Name, does)
	}
	out := c.Out
	defer func() { c.Out = out }()
	if c.Silent {
		// The document that follows must be all there is on Out.
		if c.Out = c.Aside; c.Out == nil {
			c.Out = c.Err
		}
	}
	if !Looks(chunk) || m.Name == "help" {
		return m.run(c, ctx, args)
	}
	var drawn strings.Builder
	c.Out = io.MultiWriter(c.Out, &drawn)
	err := m.run(c, ctx, args)
	if err == nil {
		c.Session.showing(chunk, drawn.String())
	}
	return err
}

func (c *Console) metaQuit(context.Context, []string) error { c.quit = true; return nil }

func (c *Console) metaUndo(ctx context.Context, args []string) error {
	n := 1
	if len(args) == 1 {
		var err error
		if n, err = strconv.Atoi(args[0]); err != nil || n < 1 {
			return fmt.Errorf(".undo takes how many lines to take back, not %s", args[0])
		}
	}
	done, err := c.Session.Undo(ctx, n)
	if err != nil {
		return err
	}
	lines := "lines"
	if done == 1 {
		lines = "line"
	}
	fmt.Fprintf(c.Out, "took back %d %s\n", done, lines)
	return nil
}

func (c *Console) metaRedo(ctx context.Context, _ []string) error {
	if err := c.Session.Redo(ctx); err != nil {
		return err
	}
	fmt.Fprintln(c.Out, "done again")
	return nil
}

// find finds the script that .open names. Of a line that may read no files it is an embedded one, also
// where there is a file of its name.
func (c *Console) find(ctx context.Context, name string) (*Script, error) {
	if file, text, ok := scripts.Lookup(name); ok && !c.trusted {
		return NewScript(file, text), nil
	}
	return FindScript(ctx, name, nil)
}

func (c *Console) metaOpen(ctx context.Context, args []string) error {
	if len(args) == 0 {
		return fmt.Errorf(".open needs a file")
	}
	script, err := c.find(ctx, args[0])
	if err != nil {
		return err
	}
	if script.Path != "" {
		c.own(script.Path)
	}
	if asked, here := joinFlags(script.Flags), joinFlags(c.Session.flags()); asked != "" && asked != here {
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
