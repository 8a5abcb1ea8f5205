package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"codeberg.org/commsplit/commsplit/hw/wholefile"
	"codeberg.org/commsplit/commsplit/render"
	"codeberg.org/commsplit/commsplit/repl"
	"codeberg.org/commsplit/commsplit/repl/console"
	"codeberg.org/commsplit/commsplit/repl/lang"
	"codeberg.org/commsplit/commsplit/repl/stories"
	"codeberg.org/commsplit/commsplit/scripts"
)

// updateScript rewrites the failed expectations of a file, and tells what has changed and what
// still fails. A script that ends with an error stays as it is.
func updateScript(ctx context.Context, s Streams, f *worldFlags, path string) error {
	if _, err := os.Stat(path); err != nil {
		if _, _, ok := scripts.Lookup(path); ok || path == "-" {
			return fmt.Errorf("run --update rewrites a file, but %s is not a file", path)
		}
		return &repl.InputError{Err: err}
	}
	script, err := stories.ReadScript(ctx, path, nil)
	if err != nil {
		return err
	}
	c, end := unshown(ctx, s, f, script)
	if c == nil {
		return end
	}
	defer c.Session.Close()
	var unmet *console.Unmet
	if !errors.As(end, &unmet) {
		return errors.Join(end, render.Report(s.Out, c.Session.View(), c.Style))
	}
	text, left, err := script.Updated(stories.CameIn(c.Session))
	if err != nil {
		return err
	}
	for _, why := range left {
		fmt.Fprintf(s.Err, "note: %s\n", why)
	}
	if text == script.Text {
		return errors.Join(end, render.Report(s.Out, c.Session.View(), c.Style))
	}
	if err := rewrite(path, text); err != nil {
		return &repl.InputError{Err: err}
	}
	s.Out.Write(diff.Diff(path, []byte(script.Text), path+", updated", []byte(text)))
	again, end := unshown(ctx, s, f, stories.NewScript(script.Name, text))
	if again == nil {
		return end
	}
	defer again.Session.Close()
	return errors.Join(end, render.Report(s.Out, again.Session.View(), again.Style))
}

// unshown runs a script without output, with a meter; the error is how the script ended. The
// console is nil when the script could not begin.
func unshown(ctx context.Context, s Streams, f *worldFlags, script *stories.Script) (*console.Console, error) {
	m := s.meter(makingWorld, nil)
	defer m.end()
	return silent(ctx, s, m, f, "", script)
}

// silent runs one of several scripts without output and moves the progress meter; which names the
// script there: "script 2 of 3".
func silent(ctx context.Context, s Streams, m *meter, f *worldFlags, which string, script *stories.Script) (*console.Console, error) {
	chunks, err := f.chunksOf(script)
	if err != nil {
		return nil, err
	}
	return hushed(ctx, s, m, f, which, chunks)
}

// hushed is silent for a script whose flags were applied already; chunks are its lines.
func hushed(ctx context.Context, s Streams, m *meter, f *worldFlags, which string, chunks []*lang.Chunk) (*console.Console, error) {
	m.begin(which, chunks)
	console, err := f.console(ctx, s, io.Discard, io.Discard)
	if err != nil {
		return nil, err
	}
	m.follow(console.Session)
	m.doing(writingResult)
	console.Silent = true
	return console, console.Script(ctx, chunks)
}

// rewrite replaces the text of a file and keeps its line ends.
func rewrite(path, text string) error {
	old, err := wholefile.Read(path)
	if err != nil {
		return err
	}
	if strings.Contains(string(old), "\r\n") {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	return wholefile.Write(path, []byte(text), 0o644)
}
