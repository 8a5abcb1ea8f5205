package repl

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"commsplit/engine"
	"commsplit/repl/lang"
	"commsplit/scripts"
)

// Script is the text of a file: commands and statements (.mpi), or one program (.py).
type Script struct {
	Name  string // for messages: the file's base name
	Path  string // where it was read; "" when it is no file
	Text  string
	Flags []string    // words of the "# commsplit:" lines at the top, and --topo with what "# topology:" says
	Ends  *Ending     // of the "# ends:" line; nil: it ends well
	wrong *lang.Error // in these lines
}

// maxScript bounds the size of a script, in bytes.
const maxScript = 16 << 20

// ReadScript reads a file; "-" is standard input. It waits for a FIFO, as for standard input, no longer than
// ctx lasts.
func ReadScript(ctx context.Context, path string, stdin io.Reader) (*Script, error) {
	if path == "-" && stdin != nil {
		return reading(ctx, func() (*Script, error) { return readFrom("<stdin>", stdin) })
	}
	return reading(ctx, func() (*Script, error) { return readFile(path) })
}

func readFile(path string) (*Script, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, &InputError{err}
	}
	defer f.Close()
	s, err := readFrom(filepath.Base(path), f)
	if err == nil {
		s.Path = path
	}
	return s, err
}

// FindScript reads the file of that name, or else the embedded script; "-" is standard input.
func FindScript(ctx context.Context, name string, stdin io.Reader) (*Script, error) {
	script, err := ReadScript(ctx, name, stdin)
	if err == nil || name == "-" {
		return script, err
	}
	if file, text, ok := scripts.Lookup(name); ok {
		return NewScript(file, text), nil
	}
	return nil, scripts.Suggest(name, err)
}

// reading reads no longer than ctx lasts.
func reading(ctx context.Context, read func() (*Script, error)) (*Script, error) {
	type result struct {
		script *Script
		err    error
	}
	done := make(chan result, 1)
	go func() {
		s, err := read()
		done <- result{s, err}
	}()
	select {
	case r := <-done:
		return r.script, r.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func readFrom(name string, r io.Reader) (*Script, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxScript+1))
	switch {
	case err != nil:
		return nil, &InputError{err}
	case len(data) > maxScript:
		return nil, &InputError{fmt.Errorf("%s: a script has at most %d MB", name, maxScript>>20)}
	case bytes.IndexByte(data, 0) >= 0 || !utf8.Valid(data):
		return nil, &InputError{fmt.Errorf("%s: this is not text: a script is UTF-8", name)}
	}
	return NewScript(name, string(data)), nil
}

// NewScript makes a script of a text. Its first lines may carry flags: "# commsplit: -n 12", and its
// hardware, "# topology:" and the lines below it, and tell how it ends: "# ends: 4 DEADLOCK".
func NewScript(name, text string) *Script {
	s := &Script{Name: name, Text: strings.ReplaceAll(text, "\r\n", "\n")}
	s.readHead()
	return s
}

// Title is the first line when that is a comment, otherwise the name.
func (s *Script) Title() string {
	first, _, _ := strings.Cut(s.Text, "\n")
	if text, ok := strings.CutPrefix(first, "#"); ok && !strings.HasPrefix(first, flagsMark) && strings.TrimSpace(text) != "" {
		return strings.TrimSpace(text)
	}
	return s.Name
}

// Chunks cuts the script into what a session runs one after the other: a program is one chunk. A
// mistake in the lines that carry flags is told here, too.
func (s *Script) Chunks() ([]*lang.Chunk, error) {
	if s.wrong != nil {
		return nil, s.wrong
	}
	if strings.HasSuffix(s.Name, ".py") {
		return []*lang.Chunk{{Kind: lang.Program, File: s.Name, Line: 1, Text: s.Text}}, nil
	}
	list, err := lang.Split(s.Name, s.Text, isVerb)
	return list, suggestVerb(err)
}

// Statements is Chunks, but a program is cut, too: at each statement of its top level.
func (s *Script) Statements() ([]*lang.Chunk, error) {
	if s.wrong != nil || !strings.HasSuffix(s.Name, ".py") {
		return s.Chunks()
	}
	return lang.Split(s.Name, s.Text, func(string) bool { return false })
}

// ParseLines cuts texts that were typed and are complete in themselves into chunks. Their lines are numbered as if
// they stood one after the other.
func ParseLines(file string, texts []string) ([]*lang.Chunk, error) {
	r := lang.NewReader(file, isVerb)
	r.Typed = true
	var all []*lang.Chunk
	for _, text := range texts {
		for _, line := range strings.Split(text, "\n") {
			list, err := r.Feed(line, false)
			all = append(all, list...)
			if err != nil {
				return nil, suggestVerb(err)
			}
		}
		list, err := r.Close()
		if err != nil {
			return nil, suggestVerb(err)
		}
		all = append(all, list...)
	}
	return all, nil
}

// suggestVerb adds the nearest verb to an error about an unknown one.
func suggestVerb(err error) error {
	e, ok := err.(*lang.Error)
	if !ok || e.Unknown == "" {
		return err
	}
	call := func(v *Verb) bool { return v.Call != engine.CallNone && v.Call.String() == e.Unknown }
	switch hint := didYouMean(strings.ReplaceAll(e.Unknown, "-", "_"), verbNames()); {
	case slices.ContainsFunc(Verbs, call):
		e.Message += " (did you mean " + Verbs[slices.IndexFunc(Verbs, call)].Name + "?)"
	case slices.Contains(metaNames(), e.Unknown):
		e.Message += " (did you mean ." + e.Unknown + "?)"
	case hint != "":
		e.Message += hint
	default:
		e.Message += "; .help lists the verbs"
	}
	return e
}
