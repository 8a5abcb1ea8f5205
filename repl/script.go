package repl

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"commsplit/repl/lang"
)

// Script is the text of a file: commands and statements (.mpi), or one program (.py).
type Script struct {
	Name  string // for messages: the file's base name
	Text  string
	Flags []string // words of the "# commsplit:" lines at the top
}

// maxScript bounds the size of a script, in bytes.
const maxScript = 16 << 20

// ReadScript reads a file; "-" is standard input.
func ReadScript(path string, stdin io.Reader) (*Script, error) {
	if path == "-" {
		return readFrom("<stdin>", stdin)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, &InputError{err}
	}
	defer f.Close()
	return readFrom(filepath.Base(path), f)
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

// NewScript makes a script of a text. Its first lines may carry flags: "# commsplit: -n 12".
func NewScript(name, text string) *Script {
	s := &Script{Name: name, Text: strings.ReplaceAll(text, "\r\n", "\n")}
	for line := range strings.Lines(s.Text) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "#") {
			break
		}
		if flags, ok := strings.CutPrefix(line, "# commsplit:"); ok {
			s.Flags = append(s.Flags, flagWords(flags)...)
		}
	}
	return s
}

// flagWords cuts a line at blanks outside of quotes.
func flagWords(line string) []string {
	var words []string
	var word strings.Builder
	quote, open := rune(0), false
	for _, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '"' || r == '\''):
			quote, open = r, true
		case quote == 0 && (r == ' ' || r == '\t'):
			if open {
				words = append(words, word.String())
				word.Reset()
			}
			open = false
		default:
			word.WriteRune(r)
			open = true
		}
	}
	if open {
		words = append(words, word.String())
	}
	return words
}

// Chunks cuts the script into what a session runs one after the other: a program is one chunk.
func (s *Script) Chunks() ([]*lang.Chunk, error) {
	if strings.HasSuffix(s.Name, ".py") {
		return []*lang.Chunk{{Kind: lang.Program, File: s.Name, Line: 1, Text: s.Text}}, nil
	}
	list, err := lang.Split(s.Name, s.Text, isVerb)
	return list, suggestVerb(err)
}

// suggestVerb adds the nearest verb to an error about an unknown one.
func suggestVerb(err error) error {
	e, ok := err.(*lang.Error)
	if !ok || e.Unknown == "" {
		return err
	}
	if hint := didYouMean(strings.ReplaceAll(e.Unknown, "-", "_"), verbNames()); hint != "" {
		e.Message += hint
	} else {
		e.Message += "; .help lists the verbs"
	}
	return e
}
