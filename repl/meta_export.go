package repl

import (
	"bytes"
	"context"
	"fmt"
	"strings"
)

// exportHelp is the paragraph on .export.
func exportHelp() string {
	names, shorts := ExportFormats()
	var list []string
	for i, name := range names {
		list = append(list, name+" ("+shorts[i]+")")
	}
	return "FORMAT is " + strings.Join(list, ", ") + ". With FILE it is written there; - is the terminal. " +
		"HANDLE is the variable that a picture shows, the last one if none is named. " + overHelp
}

func (c *Console) metaExport(_ context.Context, args []string) error {
	if len(args) == 0 {
		names, _ := ExportFormats()
		return fmt.Errorf(".export needs a format: %s", strings.Join(names, ", "))
	}
	e := Export{To: args[0]}
	if len(args) == 3 {
		e.Handle = args[2]
	}
	var b bytes.Buffer
	if err := c.Session.Export(&b, e); err != nil {
		return err
	}
	if len(args) == 1 || args[1] == "-" {
		_, err := b.WriteTo(c.Out)
		return err
	}
	over := func(path string) bool { return c.force || c.owns(path) }
	written, err := WriteExport(e.To, args[1], b.Bytes(), over, forced("export", args...))
	for _, path := range written {
		c.own(path)
	}
	if err != nil {
		return &InputError{err}
	}
	fmt.Fprintf(c.Out, "wrote %s\n", args[1])
	return nil
}
